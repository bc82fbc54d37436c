//! Lines and their numbers, words, and sizes.

use super::{Problem, ReadError};
use std::io::{BufRead, Read};

/// The length of the longest line that is read, in bytes. The standard allows 1024 bytes. Because of the
/// limit, the reader stops early if a file is not a text file. Comments are skipped without being stored, so
/// they may have any length.
const LONGEST_LINE: usize = 1 << 16;

/// The UTF-8 byte order mark, which some editors write at the beginning of a file.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The largest number of bytes of a word that an error shows.
const SHOWN: usize = 40;

/// A reader of lines that counts them.
pub(super) struct Lines<R> {
    input: R,
    line: Vec<u8>,
    /// `true` if the line is too long, and its end has not been read.
    is_cut: bool,
    /// The number of the current line, counted from 1.
    number: usize,
    bytes: u64,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Lines<R> {
        Lines { input, line: Vec::new(), is_cut: false, number: 0, bytes: 0 }
    }

    /// Returns the number of the current line, counted from 1.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// Returns the number of bytes that have been read.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Moves to the next line that is not blank. Returns `false` at the end.
    pub(super) fn next_not_blank(&mut self) -> Result<bool, ReadError> {
        while self.next()? {
            self.check_length()?;
            if self.words().next().is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Moves to the next line that is neither blank nor a comment. Returns `false` at the end.
    pub(super) fn next_data(&mut self) -> Result<bool, ReadError> {
        while self.next()? {
            let word = self.words().next();
            if word.is_some_and(|word| word.starts_with(b"%")) {
                self.skip_rest()?;
                continue;
            }
            let is_data = word.is_some();
            self.check_length()?;
            if is_data {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn next(&mut self) -> Result<bool, ReadError> {
        self.line.clear();
        let mut limited = (&mut self.input).take(LONGEST_LINE as u64);
        let read = limited.read_until(b'\n', &mut self.line);
        let read = read.map_err(|source| ReadError::Io { line: self.number + 1, source })?;
        if read == 0 {
            return Ok(false);
        }
        self.number += 1;
        self.bytes += read as u64;
        self.is_cut = read == LONGEST_LINE && !self.line.ends_with(b"\n");
        if self.number == 1 && self.line.starts_with(MARK) {
            self.line.drain(..MARK.len());
        }
        Ok(true)
    }

    /// Returns an error unless the current line was read to its end.
    fn check_length(&self) -> Result<(), ReadError> {
        match self.is_cut {
            true => Err(self.malformed_here(true, Problem::LongLine(LONGEST_LINE))),
            false => Ok(()),
        }
    }

    /// Skips to the end of the current line.
    fn skip_rest(&mut self) -> Result<(), ReadError> {
        if self.is_cut {
            let skipped = self.input.skip_until(b'\n');
            let skipped = skipped.map_err(|source| ReadError::Io { line: self.number, source })?;
            self.bytes += skipped as u64;
            self.is_cut = false;
        }
        Ok(())
    }

    /// Returns the words of the current line.
    pub(super) fn words(&self) -> Words<'_> {
        Words { rest: &self.line }
    }

    /// Returns an error for the current line, or for the line after the last one if `is_there` is `false`.
    pub(super) fn malformed_here(&self, is_there: bool, problem: Problem) -> ReadError {
        ReadError::Malformed { line: self.number + usize::from(!is_there), problem }
    }
}

/// An iterator over the words of a line, separated by whitespace.
pub(super) struct Words<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest.trim_ascii_start();
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}

/// Returns a word as text for errors.
pub(super) fn text(word: &[u8]) -> String {
    let text = String::from_utf8_lossy(&word[..word.len().min(SHOWN)]).into_owned();
    if word.len() > SHOWN { text + "…" } else { text }
}

/// Parses a word as a size.
pub(super) fn size(what: &'static str, word: &[u8]) -> Result<usize, Problem> {
    let number = std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
    number.ok_or_else(|| Problem::Number { what, word: text(word), kind: "size" })
}
