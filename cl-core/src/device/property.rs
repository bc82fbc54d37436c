//! How a device's properties are read, and the macro that writes one getter a property.

use super::{Device, NamedVersion};
use crate::error::Result;
use crate::info;
use crate::library::Library;
use crate::raw::{c_void, cl_bool, cl_device_id, cl_uint};
use bitflags::Flags;
use bytemuck::AnyBitPattern;

const CALL: &str = "clGetDeviceInfo";

/// Asks a device for a property.
///
/// # Safety
/// The device is one of the library, and alive for as long as the query is.
unsafe fn query(library: Library, device: cl_device_id, name: cl_uint) -> impl info::Query {
    let get = library.functions().clGetDeviceInfo;
    // SAFETY: by the caller's promise; `info` passes matching pointers and sizes.
    move |size, value, ret| unsafe { get(device, name, size, value, ret) }
}

/// A property that is itself a handle.
///
/// # Safety
/// The device is one of the library, and alive.
pub(super) unsafe fn handle(library: Library, device: cl_device_id, name: cl_uint) -> Result<*mut c_void> {
    // SAFETY: by the caller's promise.
    let address: usize = info::value(CALL, unsafe { query(library, device, name) })?;
    Ok(std::ptr::with_exposed_provenance_mut(address))
}

impl Device {
    /// The borrow of `self` keeps the device alive.
    fn query(&self, name: cl_uint) -> impl info::Query + '_ {
        // SAFETY: the id came from this library.
        unsafe { query(self.library(), self.as_raw(), name) }
    }

    pub(super) fn text(&self, name: cl_uint) -> Result<String> {
        info::text(CALL, self.query(name))
    }

    /// Text made of names with white space or semicolons between them.
    pub(super) fn names(&self, name: cl_uint) -> Result<Vec<String>> {
        let separated = |c: char| c.is_whitespace() || c == ';';
        let text = self.text(name)?;
        Ok(text.split(separated).filter(|part| !part.is_empty()).map(str::to_owned).collect())
    }

    pub(super) fn value<T: AnyBitPattern>(&self, name: cl_uint) -> Result<T> {
        info::value(CALL, self.query(name))
    }

    pub(super) fn list<T: AnyBitPattern>(&self, name: cl_uint) -> Result<Vec<T>> {
        info::list(CALL, self.query(name))
    }

    pub(super) fn flag(&self, name: cl_uint) -> Result<bool> {
        Ok(self.value::<cl_bool>(name)? != 0)
    }

    /// A bit field; bits that have no name here are kept.
    pub(super) fn bits<F: Flags<Bits = u64>>(&self, name: cl_uint) -> Result<F> {
        Ok(F::from_bits_retain(self.value(name)?))
    }

    pub(super) fn versions(&self, name: cl_uint) -> Result<Vec<NamedVersion>> {
        Ok(self.list(name)?.into_iter().map(NamedVersion::from_raw).collect())
    }
}

/// Getters of properties that every OpenCL 1.2 device has, documented by the C name that each
/// reads and the unit of the answer.
macro_rules! properties {
    ($($method:ident: $kind:ident $(<$type:ty>)? -> $result:ty, $name:ident, $unit:literal;)*) => {
        impl Device {
            $(
                #[doc = concat!("`", stringify!($name), "`", $unit, ".")]
                ///
                /// # Errors
                /// [`Error::Driver`](crate::Error::Driver) when the driver fails to answer.
                pub fn $method(&self) -> crate::error::Result<$result> {
                    self.$kind $(::<$type>)? (crate::raw::$name)
                }
            )*
        }
    };
}

/// Getters of properties that came after OpenCL 1.2, documented likewise.
macro_rules! newer_properties {
    ($($method:ident: $kind:ident $(<$type:ty>)? -> $result:ty, $name:ident, $unit:literal;)*) => {
        impl Device {
            $(
                #[doc = concat!("`", stringify!($name), "`", $unit, ".")]
                /// `None` from a driver that does not know the question.
                ///
                /// # Errors
                /// [`Error::Driver`](crate::Error::Driver) when the driver fails to answer.
                pub fn $method(&self) -> crate::error::Result<Option<$result>> {
                    crate::info::known(self.$kind $(::<$type>)? (crate::raw::$name))
                }
            )*
        }
    };
}

pub(super) use {newer_properties, properties};
