//! Build errors: the compiler's messages beside the source lines that they talk about.

use crate::status::Status;
use std::fmt;

/// Source lines shown before and after the one that a message is about.
const CONTEXT_LINES: usize = 2;

/// A program that did not compile: what the compiler said, about which lines, with which options,
/// on which device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError {
    /// The status of the build, usually `CL_BUILD_PROGRAM_FAILURE`.
    pub status: Status,
    /// The device, with its platform.
    pub device: String,
    /// The driver's version.
    pub driver: String,
    /// The options.
    pub options: String,
    /// The whole source.
    pub source: String,
    /// The compiler's log, whole.
    pub log: String,
}

/// One message of the compiler about one place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// The message, with its severity: `error: use of undeclared identifier 'x'`.
    pub message: String,
}

impl BuildError {
    /// The messages in the log that name a line of the source.
    ///
    /// All known drivers build on clang, whose messages read `file:line:column: severity: text`;
    /// the file is a temporary name or a placeholder, and missing in some.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let lines = self.source.lines().count();
        self.log.lines().filter_map(parse).filter(|d| d.line >= 1 && d.line <= lines).collect()
    }
}

/// Reads `…line:column: severity: text`, or PoCL's `severity: …line:column: text`.
fn parse(line: &str) -> Option<Diagnostic> {
    for severity in ["fatal error: ", "error: ", "warning: "] {
        let Some(at) = line.find(severity) else { continue };
        if let Some((row, column)) = place(line[..at].trim_end().trim_end_matches(':')) {
            return Some(Diagnostic { line: row, column, message: line[at..].trim_end().to_owned() });
        }
        let (before, text) = line[at + severity.len()..].split_once(": ")?;
        let (row, column) = place(before)?;
        return Some(Diagnostic { line: row, column, message: format!("{severity}{}", text.trim_end()) });
    }
    None
}

/// Reads `…line:column`.
fn place(text: &str) -> Option<(usize, usize)> {
    let mut parts = text.rsplit(':');
    let column = parts.next()?.trim().parse().ok()?;
    let row = parts.next()?.trim().parse().ok()?;
    Some((row, column))
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "OpenCL program did not build: {}", self.status)?;
        writeln!(f, "  device:  {}, driver {}", self.device, self.driver)?;
        let options = if self.options.is_empty() { "none" } else { &self.options };
        writeln!(f, "  options: {options}")?;
        let source: Vec<&str> = self.source.lines().collect();
        for diagnostic in self.diagnostics() {
            excerpt(f, &source, &diagnostic)?;
        }
        writeln!(f, "compiler log:")?;
        if self.log.is_empty() {
            writeln!(f, "  (empty)")?;
        }
        for line in self.log.lines() {
            writeln!(f, "  {line}")?;
        }
        Ok(())
    }
}

impl std::error::Error for BuildError {}

/// One message above the numbered lines around its place, with a caret under the column.
fn excerpt(f: &mut fmt::Formatter<'_>, source: &[&str], diagnostic: &Diagnostic) -> fmt::Result {
    writeln!(f, "{}", diagnostic.message)?;
    let first = diagnostic.line.saturating_sub(CONTEXT_LINES).max(1);
    let last = (diagnostic.line + CONTEXT_LINES).min(source.len());
    for number in first..=last {
        let text = source[number - 1];
        writeln!(f, "{number:5} | {text}")?;
        if number == diagnostic.line {
            // Tabs are kept, so that the caret stands under the column however wide they are.
            let indent: String = text
                .chars()
                .take(diagnostic.column.saturating_sub(1))
                .map(|c| if c == '\t' { '\t' } else { ' ' })
                .collect();
            writeln!(f, "      | {indent}^")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(log: &str) -> BuildError {
        BuildError {
            status: Status::BUILD_PROGRAM_FAILURE,
            device: "Some GPU (Some Platform)".to_owned(),
            driver: "1.2.3".to_owned(),
            options: "-D N=4".to_owned(),
            source: "kernel void f(global int *x) {\n\tx[0] = y;\n}\n".to_owned(),
            log: log.to_owned(),
        }
    }

    #[test]
    fn messages_of_every_known_compiler_are_found() {
        for log in [
            "/tmp/pocl/tempfile_ab.cl:2:9: error: use of undeclared identifier 'y'\n\tx[0] = y;\n\t       ^\n",
            "<kernel>:2:9: error: use of undeclared identifier 'y'",
            "error: /tmp/pocl/tempfile_ab.cl:2:9: use of undeclared identifier 'y'",
            "1:2:9: error: use of undeclared identifier 'y'",
            "<source>:2:9: error: use of undeclared identifier 'y'\n1 error generated.",
        ] {
            let found = error(log).diagnostics();
            assert_eq!(found.len(), 1, "{log}");
            assert_eq!((found[0].line, found[0].column), (2, 9));
            assert_eq!(found[0].message, "error: use of undeclared identifier 'y'");
        }
    }

    #[test]
    fn the_text_shows_line_caret_device_and_options() {
        let text = error("<kernel>:2:9: error: use of undeclared identifier 'y'").to_string();
        assert!(text.contains("    2 | \tx[0] = y;\n      | \t       ^\n"), "{text}");
        assert!(text.contains("Some GPU (Some Platform), driver 1.2.3"), "{text}");
        assert!(text.contains("-D N=4"), "{text}");
    }

    #[test]
    fn odd_logs_are_shown_whole() {
        for log in [
            "",
            "ptxas fatal: something",
            "x:99:1: error: beyond the source",
            "error: no place",
            ":::: error: ",
        ] {
            let text = error(log).to_string();
            assert!(error(log).diagnostics().is_empty(), "{log}");
            assert!(text.contains(log), "{text}");
        }
    }
}
