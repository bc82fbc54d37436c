//! Errors in files, with their lines.

use super::{Field, Symmetry};
use crate::host::InvalidMatrix;
use std::io;
use std::path::PathBuf;

/// The reason why a file could not be read.
///
/// Converts into [`cl_core::Error::InvalidInput`], so that `?` passes it on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file cannot be opened.
    #[error("cannot open {}: {source}", path.display())]
    #[non_exhaustive]
    Open {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },

    /// Reading failed.
    #[error("line {line}: {source}")]
    #[non_exhaustive]
    Io {
        /// The line, counted from 1.
        line: usize,
        /// The error of the operating system.
        source: io::Error,
    },

    /// A line does not follow the format.
    #[error("line {line}: {problem}")]
    #[non_exhaustive]
    Malformed {
        /// The line, counted from 1. One more than the last line if something is missing at the end.
        line: usize,
        /// The problem with the line.
        problem: Problem,
    },

    /// The sum of integer entries with the same row and column overflows the type.
    #[error("the entries in row {row} and column {column} have a sum that `{wanted}` does not hold")]
    #[non_exhaustive]
    Sum {
        /// The row, counted from 1 as in the file.
        row: usize,
        /// The column, counted from 1.
        column: usize,
        /// The requested type.
        wanted: &'static str,
    },

    /// The type cannot hold the matrix of the file.
    #[error(transparent)]
    Matrix(InvalidMatrix),
}

impl From<InvalidMatrix> for ReadError {
    fn from(error: InvalidMatrix) -> ReadError {
        match error {
            InvalidMatrix::Sum { row, column, wanted } => {
                ReadError::Sum { row: row.saturating_add(1), column: column.saturating_add(1), wanted }
            }
            error => ReadError::Matrix(error),
        }
    }
}

impl From<ReadError> for cl_core::Error {
    fn from(error: ReadError) -> cl_core::Error {
        cl_core::Error::invalid_input("Matrix Market file", error.to_string())
    }
}

/// The problem with a line. Words are quoted from the file; long words are cut off.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The first line is not the banner.
    #[error("this is not a Matrix Market file, which begins with `%%MatrixMarket matrix`")]
    Banner,
    /// The banner names an object that is not a matrix.
    #[error("the file holds a `{0}` and not a `matrix`")]
    Object(String),
    /// The banner names an unknown format.
    #[error("the format is `{0}`, and not `coordinate` or `array`")]
    Format(String),
    /// The banner names an unknown field.
    #[error("the field is `{0}`, and not `real`, `integer`, `complex` or `pattern`")]
    Field(String),
    /// The banner names an unknown symmetry.
    #[error("the symmetry is `{0}`, and not `general`, `symmetric`, `skew-symmetric` or `Hermitian`")]
    Symmetry(String),
    /// The combination of the banner's words is not allowed.
    #[error("the format has no {symmetry} matrices of {field} values")]
    Combination {
        /// The kind of values.
        field: Field,
        /// The symmetry.
        symmetry: Symmetry,
    },
    /// The file's values cannot be read as the requested type.
    #[error("the file has {field} values, which are not read as `{wanted}`")]
    Mismatch {
        /// The kind of values in the file.
        field: Field,
        /// The requested type.
        wanted: &'static str,
    },
    /// The banner names a symmetry, but the matrix is not square.
    #[error("a {symmetry} matrix of {rows} rows has {columns} columns")]
    NotSquare {
        /// The symmetry in the banner.
        symmetry: Symmetry,
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        columns: usize,
    },
    /// The number of an array's entries overflows `usize`.
    #[error("{rows} times {columns} entries are more than a size can express")]
    TooLarge {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        columns: usize,
    },
    /// The line ends too early.
    #[error("the {what} is missing")]
    Missing {
        /// The name of the word that the format requires next.
        what: &'static str,
    },
    /// The line has more words than the format allows.
    #[error("`{0}` is one word too many")]
    Extra(String),
    /// A word is not a number of the required kind.
    #[error("the {what} is `{word}`, and not a valid {kind}")]
    Number {
        /// The name of the number, such as "row" or "value".
        what: &'static str,
        /// The word in the file.
        word: String,
        /// The required kind of number.
        kind: &'static str,
    },
    /// A row or column does not exist.
    #[error("the {what} is {index}, and not between 1 and {bound}")]
    OutOfRange {
        /// "row" or "column".
        what: &'static str,
        /// The index, counted from 1.
        index: usize,
        /// The number of rows or columns.
        bound: usize,
    },
    /// An entry is above the diagonal, although the symmetry implies the entries there.
    #[error("an entry above the diagonal of a {symmetry} matrix")]
    Above {
        /// The symmetry in the banner.
        symmetry: Symmetry,
    },
    /// A skew-symmetric matrix has an entry on its diagonal, or a Hermitian one has an entry there that is not real.
    #[error("this cannot be on the diagonal of a {symmetry} matrix")]
    Diagonal {
        /// The symmetry in the banner.
        symmetry: Symmetry,
    },
    /// The type cannot hold the negated value, which the symmetry requires above the diagonal.
    #[error("`{wanted}` cannot hold the negated value, which the symmetry requires above the diagonal")]
    Negative {
        /// The requested type.
        wanted: &'static str,
    },
    /// The file ends before its sizes.
    #[error("the file ends before its sizes")]
    NoSizes,
    /// The file ends before its last entry.
    #[error("the file ends after {read} of {entries} entries")]
    End {
        /// The number of entries in the file.
        read: usize,
        /// The number of entries that the file announces.
        entries: usize,
    },
    /// The file goes on after its last entry.
    #[error("more than {entries} entries")]
    TooMany {
        /// The number of entries that the file announces.
        entries: usize,
    },
    /// The line is too long for a text file.
    #[error("more than {0} bytes without an end of line")]
    LongLine(usize),
}

/// The reason why a file could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// Writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The matrix does not have the requested symmetry.
    #[error("the matrix is not {symmetry}: see row {row}, column {column}")]
    #[non_exhaustive]
    NotSymmetric {
        /// The requested symmetry.
        symmetry: Symmetry,
        /// The first row with an entry that breaks the symmetry, counted from 0.
        row: usize,
        /// The column of the entry, counted from 0.
        column: usize,
    },
    /// The format has no matrices with this symmetry and these values.
    #[error("the format has no {symmetry} matrices of {field} values")]
    #[non_exhaustive]
    Combination {
        /// The kind of values.
        field: Field,
        /// The requested symmetry.
        symmetry: Symmetry,
    },
    /// Values with the same row and column must be added before writing, and their sum overflows: see
    /// [`InvalidMatrix::Sum`].
    #[error(transparent)]
    Matrix(#[from] InvalidMatrix),
}

impl From<WriteError> for cl_core::Error {
    fn from(error: WriteError) -> cl_core::Error {
        cl_core::Error::invalid_input("Matrix Market file", error.to_string())
    }
}
