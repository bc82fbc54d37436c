//! Reading the properties that OpenCL's `clGet…Info` functions return.

use crate::error::{Error, Result};
use crate::raw::{c_void, cl_int, size_t};
use crate::status::Status;
use bytemuck::AnyBitPattern;

/// The largest answer, in bytes, that is accepted from a driver.
const MOST_BYTES: usize = 1 << 30;

/// A property query: `(size, value, size_ret) -> status`, the common tail of every `clGet…Info` function.
pub(crate) trait Query: Fn(size_t, *mut c_void, *mut size_t) -> cl_int {}
impl<F: Fn(size_t, *mut c_void, *mut size_t) -> cl_int> Query for F {}

/// Returns the property as bytes, of the size that the driver reports.
pub(crate) fn bytes(call: &'static str, query: impl Query) -> Result<Vec<u8>> {
    let mut size = 0;
    Error::check(call, query(0, std::ptr::null_mut(), &raw mut size))?;
    let mut value = room(call, size, 0_u8)?;
    if size > 0 {
        Error::check(call, query(size, value.as_mut_ptr().cast(), std::ptr::null_mut()))?;
    }
    Ok(value)
}

/// Allocates room for the number of entries that the driver reports.
///
/// An impossible number comes from a broken driver. It is an error here, instead of an allocation
/// that ends the process.
pub(crate) fn room<T: Clone>(call: &'static str, count: usize, empty: T) -> Result<Vec<T>> {
    if count.checked_mul(size_of::<T>()).is_some_and(|bytes| bytes <= MOST_BYTES) {
        return Ok(vec![empty; count]);
    }
    let size = size_of::<T>();
    Err(Error::driver(call, Status::INVALID_VALUE)
        .note(format!("the driver reports {count} entries of {size} bytes")))
}

/// Returns the property as text up to the first NUL. Invalid UTF-8 is replaced and never fails.
pub(crate) fn text(call: &'static str, query: impl Query) -> Result<String> {
    let value = bytes(call, query)?;
    let end = value.iter().position(|&byte| byte == 0).unwrap_or(value.len());
    Ok(String::from_utf8_lossy(&value[..end]).trim().to_owned())
}

/// Returns the property as one value of a fixed size.
pub(crate) fn value<T: AnyBitPattern>(call: &'static str, query: impl Query) -> Result<T> {
    let mut value = T::zeroed();
    let mut size = 0;
    Error::check(call, query(size_of::<T>(), (&raw mut value).cast(), &raw mut size))?;
    // A driver that answers with another size than OpenCL prescribes has not filled the value.
    if size != size_of::<T>() {
        return Err(Error::driver(call, Status::INVALID_VALUE)
            .note(format!("the driver returned {size} bytes where {} were asked for", size_of::<T>())));
    }
    Ok(value)
}

/// Returns the property as a list of values.
pub(crate) fn list<T: AnyBitPattern>(call: &'static str, query: impl Query) -> Result<Vec<T>> {
    Ok(bytes(call, query)?.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect())
}

/// Returns `None` if the driver does not know the property, which it reports with `CL_INVALID_VALUE`.
pub(crate) fn known<T>(answer: Result<T>) -> Result<Option<T>> {
    match answer {
        Ok(value) => Ok(Some(value)),
        // An error with a note is `value`'s complaint about an answer. The driver's own error has
        // no note.
        Err(Error::Driver(error)) if error.status == Status::INVALID_VALUE && error.note.is_none() => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
