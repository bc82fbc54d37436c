//! The source of a program: pieces of OpenCL C, and the headers that they include.

use super::directives;
use crate::error::{Error, Result};

/// The largest size of a source. A longer one is a fault of the program that wrote it.
const MAX_SOURCE_BYTES: usize = 64 << 20;

/// The longest header name.
const MAX_HEADER_NAME: usize = 255;

/// OpenCL C in one or several pieces, with the headers that it includes.
///
/// The compiler sees the pieces one after the other, as one text. Headers are embedded: `#include
/// "name"` finds them by name, and no folder is searched. A source that includes anything else is
/// refused, because every known driver would read any such file and show its lines in the log.
///
/// ```
/// use cl_core::Source;
/// let source = Source::new("#include \"tile.h\"\n")
///     .piece("kernel void f(global int *x) { x[0] = TILE; }")
///     .header("tile.h", "#define TILE 256\n");
/// assert_eq!(source.headers(), [("tile.h", "#define TILE 256\n")]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source<'s> {
    pieces: Vec<&'s str>,
    headers: Vec<(&'s str, &'s str)>,
}

impl<'s> Source<'s> {
    /// Makes a source of one piece without headers. A `&str` converts to a `Source` by itself.
    #[must_use]
    pub fn new(text: &'s str) -> Source<'s> {
        Source { pieces: vec![text], headers: Vec::new() }
    }

    /// Appends a piece. No line break is inserted before it.
    #[must_use]
    pub fn piece(mut self, text: &'s str) -> Source<'s> {
        self.pieces.push(text);
        self
    }

    /// Adds a header that `#include "name"` finds. The name is a relative path. Its components are
    /// separated by `/` and consist of letters, digits, `_`, `-` and dots.
    #[must_use]
    pub fn header(mut self, name: &'s str, text: &'s str) -> Source<'s> {
        self.headers.push((name, text));
        self
    }

    /// Returns the pieces.
    #[must_use]
    pub fn pieces(&self) -> &[&'s str] {
        &self.pieces
    }

    /// Returns the name and the text of each header.
    #[must_use]
    pub fn headers(&self) -> &[(&'s str, &'s str)] {
        &self.headers
    }

    /// Returns the pieces as one text, as the compiler sees it and counts its lines.
    pub(crate) fn text(&self) -> String {
        self.pieces.concat()
    }

    /// Returns an error unless the source may be given to a driver.
    pub(crate) fn check(&self) -> Result<()> {
        let texts = self.pieces.iter().chain(self.headers.iter().map(|(_, text)| text));
        // The sum of the lengths can overflow only if the same text is given repeatedly.
        let bytes = texts.fold(0_usize, |sum, text| sum.saturating_add(text.len()));
        if bytes > MAX_SOURCE_BYTES {
            return Err(refused(format!("{bytes} bytes are more than {MAX_SOURCE_BYTES}")));
        }
        for (index, &(name, text)) in self.headers.iter().enumerate() {
            check_header_name(name)?;
            if self.headers[..index].iter().any(|(other, _)| *other == name) {
                return Err(bad_header(name, "is given twice"));
            }
            self.check_text(text).map_err(|reason| bad_header(name, &reason))?;
        }
        let whole;
        let text = match self.pieces[..] {
            [one] => one,
            _ => {
                whole = self.text();
                &whole
            }
        };
        self.check_text(text).map_err(refused)
    }

    /// Returns an error if the text has a NUL byte, or includes anything but the headers.
    fn check_text(&self, text: &str) -> Result<(), String> {
        if let Some(at) = text.find('\0') {
            // Drivers cut the source there without a message.
            return Err(format!("there is a NUL byte at position {at}"));
        }
        for include in directives::includes(text) {
            let known = include.name.is_some_and(|name| self.headers.iter().any(|(known, _)| *known == name));
            if !known {
                return Err(format!(
                    "line {} reads `{}`, which is not one of its headers; add it with Source::header",
                    include.line, include.text
                ));
            }
        }
        Ok(())
    }
}

fn refused(reason: String) -> Error {
    Error::InvalidInput { what: "program source", reason }
}

fn bad_header(name: &str, reason: &str) -> Error {
    Error::InvalidInput { what: "program header", reason: format!("{name:?} {reason}") }
}

/// Returns an error unless the name is valid. Drivers write headers to files of these names, so a
/// name must not lead out of a folder.
fn check_header_name(name: &str) -> Result<()> {
    let plain = |part: &str| {
        !part.is_empty()
            && !part.starts_with(['.', '-'])
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
    };
    if name.len() <= MAX_HEADER_NAME && name.split('/').all(plain) {
        return Ok(());
    }
    Err(bad_header(name, "cannot name a header: use a relative path of letters, digits, _, - and dots"))
}

impl<'s> From<&'s str> for Source<'s> {
    fn from(text: &'s str) -> Source<'s> {
        Source::new(text)
    }
}

impl<'s> From<&'s String> for Source<'s> {
    fn from(text: &'s String) -> Source<'s> {
        Source::new(text)
    }
}

impl<'s> From<&[&'s str]> for Source<'s> {
    fn from(pieces: &[&'s str]) -> Source<'s> {
        Source { pieces: pieces.to_vec(), headers: Vec::new() }
    }
}

impl<'s, const N: usize> From<[&'s str; N]> for Source<'s> {
    fn from(pieces: [&'s str; N]) -> Source<'s> {
        Source { pieces: pieces.to_vec(), headers: Vec::new() }
    }
}
