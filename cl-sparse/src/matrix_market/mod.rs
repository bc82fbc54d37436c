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
//! | `reader` | what a file holds, entry by entry |
//! | `array` | matrices without zeros left out |
//! | `writer` | files that others can read |
//! | `error` | what is wrong with a file, and where |
//!
//! All kinds are read and written: coordinates and arrays; real, integer, complex and pattern; general, symmetric,
//! skew-symmetric and Hermitian. Beyond the standard, `double` means `real` as in files of its first days, and
//! `unsigned-integer` is `integer`, as SciPy has it; Fortran's exponents are read (`1.5D-3`), words are separated by any
//! blanks, lines end with or without a carriage return, and blank lines and comments of any length may be anywhere after
//! the banner, a mark of UTF-8 before it. Several entries at one place mean their sum.
//!
//! R. F. Boisvert, R. Pozo, K. A. Remington, "The Matrix Market exchange formats: initial design", NISTIR 5935 (1996);
//! <https://math.nist.gov/MatrixMarket/formats.html>.
//!
//! Why not by another crate: `sprs` 0.11 has no arrays, and an error without a place, and does not come back from a file
//! that ends before its sizes; `nalgebra-sparse` 0.12 wants the whole text in memory and does not number its lines;
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

/// Reads a matrix. [`Reader`] offers more: what the file says of itself, progress, entries one by one.
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

/// Opens a file, or says which one could not be opened.
fn open(path: &Path) -> Result<File, ReadError> {
    File::open(path).map_err(|source| ReadError::Open { path: path.to_owned(), source })
}

/// Writes a matrix as coordinates, general and with its values. [`Writer`] offers more.
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
/// If it cannot be written.
pub fn write<T: Value, I: Index>(out: impl Write, matrix: &HostCsr<T, I>) -> Result<(), WriteError> {
    Writer::new().write(out, matrix)
}

/// Writes a matrix to a file, as [`write()`] does. A file that exists is replaced.
///
/// # Errors
/// If the file cannot be made or written.
pub fn write_file<T: Value, I: Index>(
    path: impl AsRef<Path>,
    matrix: &HostCsr<T, I>,
) -> Result<(), WriteError> {
    write(BufWriter::new(File::create(path)?), matrix)
}
