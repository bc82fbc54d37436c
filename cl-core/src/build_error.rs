//! Build errors: the compiler's messages beside the source lines that they refer to.

use crate::status::Status;
use std::fmt;

/// The number of source lines shown before and after the line of a message.
const CONTEXT_LINES: usize = 2;

/// The largest number of bytes kept of a log; a longer log helps nobody.
const MAX_LOG_BYTES: usize = 4 << 20;

/// A program that did not compile: the compiler's messages with their source lines, the options and
/// the device.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BuildError {
    /// The status of the build, usually `CL_BUILD_PROGRAM_FAILURE`.
    pub status: Status,
    /// The purpose of a generated program: the kernel and the call that needs it. Empty for a
    /// caller's own program.
    pub purpose: String,
    /// The device, with its platform.
    pub device: String,
    /// The driver's version.
    pub driver: String,
    /// The options.
    pub options: String,
    /// The whole source; empty if a binary was loaded or objects were linked.
    pub source: String,
    /// The name and the text of each header.
    pub headers: Vec<(String, String)>,
    /// The whole log of the compiler.
    pub log: String,
}

/// A message of the compiler about one position in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The header that the message is about; `None` for the source itself.
    pub header: Option<String>,
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1.
    pub column: usize,
    /// The message, with its severity: `error: use of undeclared identifier 'x'`.
    pub message: String,
}

impl BuildError {
    /// Returns the messages in the log that name a line of the source or of a header.
    ///
    /// All known drivers build on clang, whose messages read `file:line:column: severity: text`.
    /// For a header, the file is the header's name behind some folder. For the source, the file is
    /// a temporary name, a placeholder or empty.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.log.lines().filter_map(|line| self.diagnostic(line)).collect()
    }

    fn diagnostic(&self, line: &str) -> Option<Diagnostic> {
        let (position, message) = parse(line)?;
        let header = self.headers.iter().map(|(name, _)| name).find(|name| names(position.file, name));
        let diagnostic =
            Diagnostic { header: header.cloned(), line: position.line, column: position.column, message };
        let lines = self.text(&diagnostic).lines().count();
        (1..=lines).contains(&diagnostic.line).then_some(diagnostic)
    }

    /// Returns the text that a message is about.
    fn text(&self, diagnostic: &Diagnostic) -> &str {
        let name = diagnostic.header.as_deref();
        let header = self.headers.iter().find(|(header, _)| Some(header.as_str()) == name);
        header.map_or(&self.source, |(_, text)| text)
    }
}

/// Returns whether the compiler's `file` is the header `name`: exactly, or behind a folder.
fn names(file: &str, name: &str) -> bool {
    // Some messages have words before the file: `In file included from tile.h`.
    file.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with(['/', '\\', ' ']))
}

/// Decodes a log: drops NUL bytes at its end, replaces invalid bytes, and cuts a log that is too long.
pub(crate) fn decode_log(bytes: &[u8]) -> String {
    let cut = &bytes[..bytes.len().min(MAX_LOG_BYTES)];
    let text = String::from_utf8_lossy(cut);
    let mut text = text.trim_end_matches('\0').trim().replace('\0', "\u{fffd}");
    if cut.len() < bytes.len() {
        text.push_str("\n(the log goes on)");
    }
    text
}

/// The file, line and column of a message.
#[derive(Debug)]
struct SourcePosition<'l> {
    file: &'l str,
    line: usize,
    column: usize,
}

/// Parses `…line:column: severity: text`, or PoCL's `severity: …line:column: text`.
fn parse(line: &str) -> Option<(SourcePosition<'_>, String)> {
    for severity in ["fatal error: ", "error: ", "warning: "] {
        let Some(at) = line.find(severity) else { continue };
        if let Some(position) = source_position(line[..at].trim_end().trim_end_matches(':')) {
            return Some((position, line[at..].trim_end().to_owned()));
        }
        let (before, text) = line[at + severity.len()..].split_once(": ")?;
        return Some((source_position(before)?, format!("{severity}{}", text.trim_end())));
    }
    None
}

/// Parses `file:line:column`.
fn source_position(text: &str) -> Option<SourcePosition<'_>> {
    let (rest, column) = text.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':').unwrap_or(("", rest));
    Some(SourcePosition { file, line: line.trim().parse().ok()?, column: column.trim().parse().ok()? })
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "OpenCL program did not build: {}", self.status)?;
        if !self.purpose.is_empty() {
            writeln!(f, "  purpose: {}", self.purpose)?;
        }
        writeln!(f, "  device:  {}, driver {}", self.device, self.driver)?;
        let options = if self.options.is_empty() { "none" } else { &self.options };
        writeln!(f, "  options: {options}")?;
        for diagnostic in self.diagnostics() {
            if let Some(header) = &diagnostic.header {
                write!(f, "in {header}: ")?;
            }
            excerpt(f, &self.text(&diagnostic).lines().collect::<Vec<_>>(), &diagnostic)?;
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

/// Writes one message, and below it the numbered lines around its position, with a caret under the column.
fn excerpt(f: &mut fmt::Formatter<'_>, source: &[&str], diagnostic: &Diagnostic) -> fmt::Result {
    writeln!(f, "{}", diagnostic.message)?;
    let first = diagnostic.line.saturating_sub(CONTEXT_LINES).max(1);
    let last = (diagnostic.line + CONTEXT_LINES).min(source.len());
    for number in first..=last {
        let text = source[number - 1];
        writeln!(f, "{number:5} | {text}")?;
        if number == diagnostic.line {
            // Tabs are kept, so that the caret stands under the column at any tab width.
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
    use proptest::prelude::*;

    fn error(log: &str) -> BuildError {
        BuildError {
            status: Status::BUILD_PROGRAM_FAILURE,
            purpose: String::new(),
            device: "Some GPU (Some Platform)".to_owned(),
            driver: "1.2.3".to_owned(),
            options: "-D N=4".to_owned(),
            source: "kernel void f(global int *x) {\n\tx[0] = y;\n}\n".to_owned(),
            headers: vec![("math/one.h".to_owned(), "#define ONE 1\nint one = uno;\n".to_owned())],
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
        assert!(!text.contains("purpose:"), "{text}");
        let generated = BuildError { purpose: "kernel `f`".to_owned(), ..error("") };
        assert!(generated.to_string().contains("  purpose: kernel `f`\n"), "{generated}");
    }

    #[test]
    fn odd_logs_are_shown_whole() {
        for log in [
            "",
            "ptxas fatal: something",
            "x:99:1: error: beyond the source",
            "error: no position",
            ":::: error: ",
        ] {
            let text = error(log).to_string();
            assert!(error(log).diagnostics().is_empty(), "{log}");
            assert!(text.contains(log), "{text}");
        }
    }

    #[test]
    fn messages_about_a_header_show_its_lines() {
        for file in ["math/one.h", "/tmp/pocl/headers/math/one.h", "C:\\temp\\math/one.h"] {
            let error = error(&format!("{file}:2:11: error: use of undeclared identifier 'uno'"));
            assert_eq!(error.diagnostics()[0].header.as_deref(), Some("math/one.h"), "{file}");
            let text = error.to_string();
            assert!(text.contains("in math/one.h: error: use of"), "{text}");
            assert!(text.contains("    2 | int one = uno;\n      |           ^\n"), "{text}");
        }
        let other = error("/tmp/someone.h:2:9: error: another").diagnostics();
        assert_eq!(other[0].header, None);
    }

    #[test]
    fn logs_are_decoded_whatever_they_hold() {
        assert_eq!(decode_log(b"\n warning: x\n\0\0"), "warning: x");
        assert_eq!(decode_log(b"a\0b\xff"), "a\u{fffd}b\u{fffd}");
        let long = decode_log(&vec![b'x'; MAX_LOG_BYTES + 1]);
        assert!(long.len() < MAX_LOG_BYTES + 100 && long.ends_with("x\n(the log goes on)"));
    }

    proptest! {
        #[test]
        fn any_log_is_decoded_and_shown(bytes in prop::collection::vec(any::<u8>(), 0..200), position in "[0-9:]{0,30}") {
            let log = format!("{}\n{position}: error: {}", decode_log(&bytes), decode_log(&bytes));
            prop_assert!(!log.contains('\0'));
            let shown = error(&log);
            let text = shown.to_string();
            prop_assert!(log.lines().all(|line| text.contains(line)));
            for found in shown.diagnostics() {
                prop_assert!(found.line >= 1 && found.line <= 3, "{found:?}");
            }
        }
    }
}
