//! What is wrong with a file, and where.

use super::{Field, Symmetry};
use crate::host::InvalidMatrix;
use std::io;
use std::path::PathBuf;

/// Why a file was not read.
///
/// Converts into [`cl_core::Error::InvalidInput`], so that `?` passes it on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file cannot be opened.
    #[error("cannot open {}: {source}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },

    /// Reading failed.
    #[error("line {line}: {source}")]
    Io {
        /// The line, from 1.
        line: usize,
        /// What the system says.
        source: io::Error,
    },

    /// A line is not what the format has there.
    #[error("line {line}: {problem}")]
    Malformed {
        /// The line, from 1. One past the last if something is missing at the end.
        line: usize,
        /// What is wrong with it.
        problem: Problem,
    },

    /// Entries at one place are integers whose sum, so far, the type cannot hold.
    #[error("the entries in row {row} and column {column} have a sum that `{wanted}` does not hold")]
    Sum {
        /// The row, from 1 as in the file.
        row: usize,
        /// The column, from 1.
        column: usize,
        /// The type that was asked for.
        wanted: &'static str,
    },

    /// The file is a matrix that the type cannot hold.
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
        cl_core::Error::InvalidInput { what: "Matrix Market file", reason: error.to_string() }
    }
}

/// What is wrong with a line. Words are those of the file, cut off if they are long.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The first line is not the banner.
    #[error("this is no Matrix Market file, which begins with `%%MatrixMarket matrix`")]
    Banner,
    /// The file does not hold a matrix, but what another word says.
    #[error("the file holds a `{0}` and not a `matrix`")]
    Object(String),
    /// There is no such format.
    #[error("the format is `{0}`, and not `coordinate` or `array`")]
    Format(String),
    /// There is no such field.
    #[error("the field is `{0}`, and not `real`, `integer`, `complex` or `pattern`")]
    Field(String),
    /// There is no such symmetry.
    #[error("the symmetry is `{0}`, and not `general`, `symmetric`, `skew-symmetric` or `Hermitian`")]
    Symmetry(String),
    /// The banner's words are known, but mean nothing together.
    #[error("there are no {symmetry} matrices of {field} values in this format")]
    Combination {
        /// What the values are.
        field: Field,
        /// How they repeat.
        symmetry: Symmetry,
    },
    /// The values of the file do not fit those that were asked for.
    #[error("the file has {field} values, which are not read as `{wanted}`")]
    Mismatch {
        /// What the file has.
        field: Field,
        /// The type that was asked for.
        wanted: &'static str,
    },
    /// The matrix has a symmetry and is not square.
    #[error("a {symmetry} matrix of {rows} rows has {columns} columns")]
    NotSquare {
        /// What the banner says.
        symmetry: Symmetry,
        /// Rows.
        rows: usize,
        /// Columns.
        columns: usize,
    },
    /// An array has more entries than a size can express.
    #[error("{rows} times {columns} entries are more than a size can express")]
    TooLarge {
        /// Rows.
        rows: usize,
        /// Columns.
        columns: usize,
    },
    /// The line ends too early.
    #[error("the {what} is missing")]
    Missing {
        /// What comes next in the format.
        what: &'static str,
    },
    /// The line goes on after its end.
    #[error("`{0}` is one word too many")]
    Extra(String),
    /// A word is not the number that it should be.
    #[error("the {what} is `{word}`, which is no {kind}")]
    Number {
        /// What the number is of.
        what: &'static str,
        /// What is there.
        word: String,
        /// What should be.
        kind: &'static str,
    },
    /// A row or column does not exist.
    #[error("the {what} is {index}, and not between 1 and {bound}")]
    OutOfRange {
        /// Row or column.
        what: &'static str,
        /// The index, from 1.
        index: usize,
        /// How many there are.
        bound: usize,
    },
    /// Of what repeats above the diagonal, only the part below is given.
    #[error("an entry above the diagonal of a {symmetry} matrix")]
    Above {
        /// What the banner says.
        symmetry: Symmetry,
    },
    /// The diagonal of a skew-symmetric matrix is zero and is not given; that of a Hermitian one is real.
    #[error("this cannot be on the diagonal of a {symmetry} matrix")]
    Diagonal {
        /// What the banner says.
        symmetry: Symmetry,
    },
    /// The value above the diagonal, which is this one with the other sign, is none of the type.
    #[error("the value with the other sign, above the diagonal, is none that `{wanted}` holds")]
    Negative {
        /// The type that was asked for.
        wanted: &'static str,
    },
    /// The file ends before its sizes.
    #[error("the file ends before its sizes")]
    NoSizes,
    /// The file ends before its last entry.
    #[error("the file ends after {read} of {entries} entries")]
    End {
        /// Entries that are there.
        read: usize,
        /// Entries that there should be.
        entries: usize,
    },
    /// The file goes on after its last entry.
    #[error("more than {entries} entries")]
    TooMany {
        /// Entries that there should be.
        entries: usize,
    },
    /// The line is so long that this can be no text.
    #[error("more than {0} bytes without an end of line")]
    LongLine(usize),
}

/// Why a file was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// Writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The matrix does not have the symmetry that it should be written with.
    #[error("the matrix is not {symmetry}: see row {row}, column {column}")]
    NotSymmetric {
        /// The symmetry that was asked for.
        symmetry: Symmetry,
        /// The first row with such an entry, from 0.
        row: usize,
        /// Its column, from 0.
        column: usize,
    },
    /// There is no such symmetry for these values.
    #[error("there are no {symmetry} matrices of {field} values in this format")]
    Combination {
        /// What the values are.
        field: Field,
        /// What was asked for.
        symmetry: Symmetry,
    },
    /// Values at one place must be added to be written, and have no sum: see [`InvalidMatrix::Sum`].
    #[error(transparent)]
    Matrix(#[from] InvalidMatrix),
}

impl From<WriteError> for cl_core::Error {
    fn from(error: WriteError) -> cl_core::Error {
        cl_core::Error::InvalidInput { what: "Matrix Market file", reason: error.to_string() }
    }
}
