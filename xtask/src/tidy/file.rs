//! The workspace's files, and offences in them.

use std::fmt;

/// One file of the workspace.
#[derive(Clone, Debug)]
pub(crate) struct SourceFile {
    /// The path from the workspace root, with `/` between folders.
    pub(super) path: String,
    /// `None` for a binary file.
    pub(super) text: Option<String>,
}

impl SourceFile {
    /// Returns the text if the file is in a programming language.
    pub(super) fn source(&self) -> Option<&str> {
        matches!(self.extension(), "rs" | "cl" | "cu" | "cpp" | "c" | "h" | "js" | "css" | "html" | "sh")
            .then_some(())?;
        self.text.as_deref()
    }

    /// Returns whether the file was generated and is kept to be compared with the output of today's generator.
    pub(super) fn is_golden(&self) -> bool {
        self.path.contains("/tests/golden/")
    }

    pub(super) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    pub(super) fn extension(&self) -> &str {
        self.name().rsplit_once('.').map_or("", |(_, extension)| extension)
    }
}

/// A position in a file that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Offence {
    pub(super) path: String,
    /// The line, counted from 1; `None` for the whole file.
    pub(super) line: Option<usize>,
    pub(super) problem: String,
}

impl Offence {
    pub(super) fn file(file: &SourceFile, problem: impl Into<String>) -> Self {
        Self { path: file.path.clone(), line: None, problem: problem.into() }
    }

    /// Creates the offence of a line, whose `index` counts from 0 as in [`Iterator::enumerate`].
    pub(super) fn line(file: &SourceFile, index: usize, problem: impl Into<String>) -> Self {
        Self { line: Some(index + 1), ..Self::file(file, problem) }
    }
}

impl fmt::Display for Offence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.path, self.problem),
            None => write!(f, "{}: {}", self.path, self.problem),
        }
    }
}
