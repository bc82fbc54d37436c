//! Files of NumPy: `.npy`.
//!
//! ```
//! use cl_array::prelude::*;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let queue = Queue::on(&Device::first()?)?;
//! let a = Array::from_slice(&queue, [2, 3], &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
//! let mut file = Vec::new();
//! a.write_npy(&mut file)?;
//! assert_eq!(Array::<f32, 2>::read_npy(&queue, &file[..])?.to_vec()?, a.to_vec()?);
//!
//! let error = Array::<f64, 2>::read_npy(&queue, &file[..]).unwrap_err();
//! assert_eq!(error.to_string(), "the file has elements of type `<f4`, and `f8` is needed");
//! # Ok(())
//! # }
//! ```
//!
//! | file | concept |
//! | --- | --- |
//! | `header` | the header: type, order and shape |
//! | `error` | errors in files |
//!
//! All versions of the format are read: 1.0, 2.0 and 3.0. Elements are integers, floating-point numbers, `bool` or complex
//! numbers, in either byte order, in the order of C or of Fortran. Types are not converted: `f8` is read as `f64`, `i4` as
//! `i32`, `b1` as `bool`, `c8` as `Complex<f32>`. Types with fields and Python objects are errors.
//!
//! Files may be of any origin. Memory grows with the bytes that are present, and not with the size that a header
//! announces.
//!
//! <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>; R. Kern, "A simple file format for NumPy
//! arrays", NumPy enhancement proposal 1 (2007).

mod error;
mod header;

pub use error::{ReadError, WriteError};

use crate::array::Array;
use cl_algo::bytemuck::{self, Zeroable};
use cl_algo::{DeviceVec, Element, ranked};
use cl_core::Queue;
use header::{Header, TypeName, fill};
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

/// The number of bytes that are read at once.
const CHUNK: usize = 1 << 16;

/// Files of NumPy: see [`npy`](crate::npy).
impl<T: Element, const N: usize> Array<T, N> {
    /// Reads an array in the format of `.npy` files. Reads up to the last element, so that several arrays may follow each
    /// other.
    ///
    /// An array in the order of Fortran becomes a column-major array, without a reordering. See [`npy`](crate::npy).
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let file = b"\x93NUMPY\x01\x00\x37\x00{'descr': '|u1', 'fortran_order': True, 'shape': (2,)}\n\x07\x09";
    /// assert_eq!(Array::<u8, 1>::read_npy(&queue, &file[..])?.to_vec()?, [7, 9]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] if the file ends too early, does not follow the format, or has another type or rank; and as
    /// [`Array::from_slice`]. Nothing is enqueued then.
    #[doc(alias("load", "fromfile"))]
    pub fn read_npy(queue: &Queue, mut reader: impl Read) -> Result<Array<T, N>, ReadError> {
        let wanted = TypeName::of(T::TYPE)?;
        let Header { type_name, is_column_major, shape } = Header::read(&mut reader)?;
        let swapped = wanted.swapped(&type_name)?;
        let Ok(shape) = <[usize; N]>::try_from(&shape[..]) else {
            return Err(ReadError::Rank { shape, wanted: N });
        };
        let elements = read_elements::<T>(&mut reader, ranked::count(&shape)?, swapped)?;
        let vector = DeviceVec::from_slice(queue, &elements)?;
        let array =
            if is_column_major { Array::column_major(vector, shape) } else { Array::from_vec(vector, shape) };
        Ok(array?)
    }

    /// Reads a `.npy` file; see [`Array::read_npy`].
    ///
    /// # Errors
    /// [`ReadError::Open`] if the file cannot be opened; as [`Array::read_npy`].
    #[doc(alias = "load")]
    pub fn load_npy(queue: &Queue, path: impl AsRef<Path>) -> Result<Array<T, N>, ReadError> {
        let path = path.as_ref();
        let file = File::open(path).map_err(|source| ReadError::Open { path: path.to_owned(), source })?;
        Array::read_npy(queue, file)
    }

    /// Writes the array in the format of `.npy` files, version 1.0. Waits for the device.
    ///
    /// A column-major array is written in the order of Fortran, all others in that of C.
    ///
    /// # Errors
    /// [`WriteError`] if NumPy does not have the type, or if writing fails; as [`Array::to_vec`].
    #[doc(alias("save", "tofile"))]
    pub fn write_npy(&self, writer: impl Write) -> Result<(), WriteError> {
        let (header, elements) = self.contents()?;
        write(writer, &header, &elements)
    }

    /// Writes the array to a `.npy` file, as [`Array::write_npy`] does. Replaces an existing file.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// # let path = std::env::temp_dir().join(format!("cl-array-{}.npy", std::process::id()));
    /// let a = Array::from_slice(&queue, [2, 2], &[1, 2, 3, 4])?;
    /// a.t().collect()?.save_npy(&path)?; // views are collected first
    /// assert_eq!(Array::<i32, 2>::load_npy(&queue, &path)?.to_vec()?, [1, 3, 2, 4]);
    /// # std::fs::remove_file(path)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`WriteError::Create`] if the file cannot be created; as [`Array::write_npy`].
    #[doc(alias = "save")]
    pub fn save_npy(&self, path: impl AsRef<Path>) -> Result<(), WriteError> {
        let path = path.as_ref();
        // If the device fails, the existing file stays.
        let (header, elements) = self.contents()?;
        let file =
            File::create(path).map_err(|source| WriteError::Create { path: path.to_owned(), source })?;
        write(file, &header, &elements)
    }

    /// Returns the header and the elements in their order in the file.
    fn contents(&self) -> Result<(Vec<u8>, Vec<T>), WriteError> {
        let type_name = TypeName::of(T::TYPE)?.in_native_order();
        let is_column_major = !self.layout().is_contiguous() && self.t().layout().is_contiguous();
        let header = Header { type_name, is_column_major, shape: self.shape().to_vec() };
        let elements = if is_column_major { self.as_vec().to_vec() } else { self.to_vec() };
        Ok((header.to_bytes(), elements?))
    }
}

fn write<T: Element>(mut writer: impl Write, header: &[u8], elements: &[T]) -> Result<(), WriteError> {
    writer.write_all(header)?;
    writer.write_all(bytemuck::cast_slice(T::as_stored(elements)))?;
    Ok(writer.flush()?)
}

/// Reads `count` elements. `swapped` is the size of the numbers whose bytes are in the other order.
fn read_elements<T: Element>(
    reader: &mut impl Read,
    count: usize,
    swapped: Option<usize>,
) -> Result<Vec<T>, ReadError> {
    let size = size_of::<T::Stored>();
    let mut chunk = vec![T::Stored::zeroed(); count.min(CHUNK / size)];
    let mut elements: Vec<T> = Vec::new();
    while elements.len() < count {
        let part = chunk.len().min(count - elements.len());
        let bytes = bytemuck::cast_slice_mut::<T::Stored, u8>(&mut chunk[..part]);
        let read = fill(reader, bytes)?;
        if read < bytes.len() {
            return Err(ReadError::Truncated { read: elements.len() + read / size, count });
        }
        if let Some(number) = swapped {
            bytes.chunks_exact_mut(number).for_each(<[u8]>::reverse);
        }
        elements.extend(chunk[..part].iter().map(|&stored| T::from_stored(stored)));
    }
    Ok(elements)
}
