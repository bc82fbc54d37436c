//! Files of the Matrix Market exchange format.
//!
//! ```
//! use cl_sparse::{HostCsr, matrix_market};
//!
//! let file = "%%MatrixMarket matrix coordinate real symmetric\n\
//!             % a small one\n\
//!             2 2 3\n\
//!             1 1 4.0\n\
//!             2 1 -1.0\n\
//!             2 2 4.0\n";
//! let a: HostCsr<f64> = matrix_market::read(file.as_bytes())?;
//! assert_eq!(a.to_dense(), [4.0, -1.0, -1.0, 4.0]);
//!
//! let mut out = Vec::new();
//! matrix_market::write(&mut out, &a)?;
//! assert_eq!(matrix_market::read::<f64, u32>(&out[..])?, a);
//!
//! let error = matrix_market::read::<f64, u32>(&file.as_bytes()[..68]).unwrap_err();
//! assert_eq!(error.to_string(), "line 4: the file ends after 0 of 3 entries");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | concept |
//! | --- | --- |
//! | `header` | the banner and the line of sizes |
//! | `lines` | lines and their numbers |
//! | `value` | the types of values |
//! | `reader` | files, entry by entry |
//! | `array` | dense matrices |
//! | `writer` | writing files |
//! | `error` | errors in files, with their lines |
//!
//! All kinds are read and written: coordinates and arrays; real, integer, complex and pattern; general, symmetric,
//! skew-symmetric and Hermitian. The reader also accepts files beyond the standard:
//!
//! - `double` means `real`, as in the format's first days, and `unsigned-integer` means `integer`, as SciPy writes it.
//! - Numbers may have Fortran's exponents (`1.5D-3`).
//! - Any whitespace separates words, and lines may end with a carriage return before the line feed.
//! - Blank lines and comments of any length may be anywhere after the banner, and a UTF-8 byte order mark before it.
//!
//! Several entries may have the same row and column; the element of the matrix is their sum.
//!
//! R. F. Boisvert, R. Pozo, K. A. Remington, "The Matrix Market exchange formats: initial design", NISTIR 5935 (1996);
//! <https://math.nist.gov/MatrixMarket/formats.html>.
//!
//! Other crates lack features: `sprs` 0.11 has no arrays, its errors do not name a line, and it never returns from a
//! file that ends before its sizes; `nalgebra-sparse` 0.12 needs the whole text in memory and does not count lines;
//! `matrix-market-rs` 0.1 has neither complex, nor skew-symmetric, nor Hermitian matrices.

mod array;
mod error;
mod header;
mod lines;
mod reader;
mod value;
mod writer;

pub use array::Array;
pub use error::{Problem, ReadError, WriteError};
pub use header::{Field, Format, Header, Symmetry};
pub use reader::{Entries, Progress, Reader};
pub use value::Value;
pub use writer::Writer;

use crate::host::HostCsr;
use crate::index::Index;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

/// Reads a matrix. [`Reader`] offers more: the header, progress, and entries one by one.
///
/// ```
/// use cl_sparse::{HostCsr, matrix_market};
///
/// let file = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 4.0\n2 1 -1.0\n";
/// let a: HostCsr<f64> = matrix_market::read(file.as_bytes())?;
/// assert_eq!(a.to_dense(), [4.0, 0.0, -1.0, 0.0]);
///
/// let error = matrix_market::read::<f64, u32>("%%MatrixMarket matrix coordinate real\n".as_bytes());
/// println!("{}", error.unwrap_err()); // names the line
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`Reader::new`] and [`Reader::csr`].
pub fn read<T: Value, I: Index>(input: impl BufRead) -> Result<HostCsr<T, I>, ReadError> {
    Reader::new(input)?.csr()
}

/// Reads the matrix of a file.
///
/// # Errors
/// If the file cannot be opened, and as [`read`].
pub fn read_file<T: Value, I: Index>(path: impl AsRef<Path>) -> Result<HostCsr<T, I>, ReadError> {
    read(BufReader::new(open(path.as_ref())?))
}

/// Opens a file. The error names the path.
fn open(path: &Path) -> Result<File, ReadError> {
    File::open(path).map_err(|source| ReadError::Open { path: path.to_owned(), source })
}

/// Writes a matrix as general coordinates with values. [`Writer`] offers more.
///
/// ```
/// use cl_sparse::{HostCsr, matrix_market};
///
/// let a: HostCsr<f64> = HostCsr::identity(2, 1.0)?;
/// let mut file = Vec::new();
/// matrix_market::write(&mut file, &a)?;
/// assert_eq!(matrix_market::read::<f64, u32>(&file[..])?, a);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If writing fails.
pub fn write<T: Value, I: Index>(out: impl Write, matrix: &HostCsr<T, I>) -> Result<(), WriteError> {
    Writer::new().write(out, matrix)
}

/// Writes a matrix to a file, as [`write()`] does. Replaces an existing file.
///
/// # Errors
/// If the file cannot be created or written.
pub fn write_file<T: Value, I: Index>(
    path: impl AsRef<Path>,
    matrix: &HostCsr<T, I>,
) -> Result<(), WriteError> {
    write(BufWriter::new(File::create(path)?), matrix)
}
