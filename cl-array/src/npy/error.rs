//! Errors in files of NumPy.

use std::io;
use std::path::PathBuf;

/// The reason why a `.npy` file could not be read.
///
/// Converts into [`cl_core::Error`], so that `?` passes it on.
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
    #[error(transparent)]
    Io(#[from] io::Error),

    /// The file does not begin as `.npy` files do.
    #[error("this is not a file of NumPy: it does not begin with the byte 147 and `NUMPY`")]
    Magic,

    /// The version of the format is unknown.
    #[error("the format has version {major}.{minor}, and not 1.0, 2.0 or 3.0")]
    #[non_exhaustive]
    Version {
        /// The number before the point.
        major: u8,
        /// The number after the point.
        minor: u8,
    },

    /// The header is longer than the header of an array can be.
    #[error("the header has {len} bytes, and the header of an array has at most {most}")]
    #[non_exhaustive]
    LongHeader {
        /// The length that the file announces.
        len: usize,
        /// The largest length that is read.
        most: usize,
    },

    /// The file ends within its header.
    #[error("the file ends within its header")]
    TruncatedHeader,

    /// The header does not follow the format.
    #[error("byte {at} of the header: {expected} is expected")]
    #[non_exhaustive]
    Header {
        /// The index of the byte in the header, counted from 0.
        at: usize,
        /// A description of the correct text.
        expected: &'static str,
    },

    /// The header lacks a key.
    #[error("the header has no key `{0}`")]
    NoKey(&'static str),

    /// The file has elements of another type.
    #[error("the file has elements of type `{found}`, and `{wanted}` is needed")]
    #[non_exhaustive]
    Type {
        /// The type in the file, as NumPy writes it.
        found: String,
        /// The requested type.
        wanted: String,
    },

    /// NumPy does not have the requested type.
    #[error("files of NumPy do not have elements of type `{0}`, only numbers, `bool` and complex numbers")]
    NoType(String),

    /// The array in the file has another number of axes.
    #[error("the file has an array of shape {shape:?}, and an array with {wanted} axes is needed")]
    #[non_exhaustive]
    Rank {
        /// The shape in the file.
        shape: Vec<usize>,
        /// The requested number of axes.
        wanted: usize,
    },

    /// The file ends before its last element.
    #[error("the file ends after {read} of {count} elements")]
    #[non_exhaustive]
    Truncated {
        /// The number of complete elements in the file.
        read: usize,
        /// The number of elements that the shape has.
        count: usize,
    },

    /// The array cannot be created on the device.
    #[error(transparent)]
    Array(#[from] cl_core::Error),
}

/// The reason why a `.npy` file could not be written.
///
/// Converts into [`cl_core::Error`], so that `?` passes it on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The file cannot be created.
    #[error("cannot create {}: {source}", path.display())]
    #[non_exhaustive]
    Create {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },

    /// Writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),

    /// NumPy does not have the array's type.
    #[error("files of NumPy do not have elements of type `{0}`, only numbers, `bool` and complex numbers")]
    NoType(String),

    /// The elements cannot be read from the device.
    #[error(transparent)]
    Array(#[from] cl_core::Error),
}

/// A type that NumPy does not have, by its name in OpenCL C.
#[derive(Debug)]
pub(super) struct UnknownType(pub(super) String);

impl From<UnknownType> for ReadError {
    fn from(UnknownType(name): UnknownType) -> ReadError {
        ReadError::NoType(name)
    }
}

impl From<UnknownType> for WriteError {
    fn from(UnknownType(name): UnknownType) -> WriteError {
        WriteError::NoType(name)
    }
}

impl From<ReadError> for cl_core::Error {
    fn from(error: ReadError) -> cl_core::Error {
        match error {
            ReadError::Array(error) => error,
            error => cl_core::Error::invalid_input(".npy file", error.to_string()),
        }
    }
}

impl From<WriteError> for cl_core::Error {
    fn from(error: WriteError) -> cl_core::Error {
        match error {
            WriteError::Array(error) => error,
            error => cl_core::Error::invalid_input(".npy file", error.to_string()),
        }
    }
}
