//! What a program is compiled from: pieces of OpenCL C, and the headers that they include.

use super::directives;
use crate::error::{Error, Result};

/// Source longer than this is a mistake of the program that wrote it.
const MAX_SOURCE_BYTES: usize = 64 << 20;

/// The longest header name.
const MAX_HEADER_NAME: usize = 255;

/// OpenCL C in one or several pieces, with the headers that it includes.
///
/// The compiler sees the pieces one behind the other, as one text. Headers are embedded: they are
/// found by name, `#include "name"`, and no folder is searched. A source that includes anything
/// else is refused, because every known driver would read the file, whatever it is, and show its
/// lines in the log.
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
    /// One piece and no header. A `&str` converts to this by itself.
    #[must_use]
    pub fn new(text: &'s str) -> Source<'s> {
        Source { pieces: vec![text], headers: Vec::new() }
    }

    /// Adds a piece behind those that are there. No line break is put between them.
    #[must_use]
    pub fn piece(mut self, text: &'s str) -> Source<'s> {
        self.pieces.push(text);
        self
    }

    /// Adds a header that `#include "name"` finds. The name is a relative path with `/` between
    /// its parts, each made of letters, digits, `_`, `-` and dots.
    #[must_use]
    pub fn header(mut self, name: &'s str, text: &'s str) -> Source<'s> {
        self.headers.push((name, text));
        self
    }

    /// The pieces.
    #[must_use]
    pub fn pieces(&self) -> &[&'s str] {
        &self.pieces
    }

    /// The headers, name and text.
    #[must_use]
    pub fn headers(&self) -> &[(&'s str, &'s str)] {
        &self.headers
    }

    /// The pieces as the one text that the compiler sees, in which it counts the lines.
    pub(crate) fn text(&self) -> String {
        self.pieces.concat()
    }

    /// That the source may be given to a driver.
    pub(crate) fn check(&self) -> Result<()> {
        let texts = self.pieces.iter().chain(self.headers.iter().map(|(_, text)| text));
        // A sum of lengths of things in memory does not overflow, unless they are the same thing.
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

    /// That one text has no NUL byte and includes nothing but the headers.
    fn check_text(&self, text: &str) -> Result<(), String> {
        if let Some(at) = text.find('\0') {
            // Drivers cut the source there without a word.
            return Err(format!("there is a NUL byte at position {at}"));
        }
        for include in directives::includes(text) {
            let known = include.name.is_some_and(|name| self.headers.iter().any(|(known, _)| *known == name));
            if !known {
                return Err(format!(
                    "line {} reads `{}`, which is none of its headers; add it with Source::header",
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

/// Drivers write headers to files of these names, so a name must not lead out of a folder.
fn check_header_name(name: &str) -> Result<()> {
    let plain = |part: &str| {
        !part.is_empty()
            && !part.starts_with(['.', '-'])
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
    };
    if name.len() <= MAX_HEADER_NAME && name.split('/').all(plain) {
        return Ok(());
    }
    Err(bad_header(name, "is no name for a header: a relative path of letters, digits, _, - and dots"))
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
