//! Queries for a device's properties, and the macros that define one getter for each property.

use super::{Device, NamedVersion};
use crate::error::Result;
use crate::info;
use crate::library::Library;
use crate::raw::{c_void, cl_bool, cl_device_id, cl_uint};
use bitflags::Flags;
use bytemuck::AnyBitPattern;

const CALL: &str = "clGetDeviceInfo";

/// Returns a query for a property of a device.
///
/// # Safety
/// The device belongs to the library, and lives as long as the query.
unsafe fn query(library: Library, device: cl_device_id, name: cl_uint) -> impl info::Query {
    let get = library.functions().clGetDeviceInfo;
    // SAFETY: by the caller's promise; `info` passes matching pointers and sizes.
    move |size, value, ret| unsafe { get(device, name, size, value, ret) }
}

/// Returns a property that is itself a handle.
///
/// # Safety
/// The device belongs to the library, and is alive.
pub(super) unsafe fn handle(library: Library, device: cl_device_id, name: cl_uint) -> Result<*mut c_void> {
    // SAFETY: by the caller's promise.
    let address: usize = info::value(CALL, unsafe { query(library, device, name) })?;
    Ok(std::ptr::with_exposed_provenance_mut(address))
}

impl Device {
    /// Returns a query. Its borrow of `self` keeps the device alive.
    fn query(&self, name: cl_uint) -> impl info::Query + '_ {
        // SAFETY: the id came from this library.
        unsafe { query(self.library(), self.as_raw(), name) }
    }

    pub(super) fn text(&self, name: cl_uint) -> Result<String> {
        info::text(CALL, self.query(name))
    }

    /// Returns the names in a text, which are separated by white space or semicolons.
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

    /// Returns a bit field; bits that have no name here are kept.
    pub(super) fn bits<F: Flags<Bits = u64>>(&self, name: cl_uint) -> Result<F> {
        Ok(F::from_bits_retain(self.value(name)?))
    }

    pub(super) fn versions(&self, name: cl_uint) -> Result<Vec<NamedVersion>> {
        Ok(self.list(name)?.into_iter().map(NamedVersion::from_raw).collect())
    }
}

/// Defines getters of properties that every OpenCL 1.2 device has. The documentation is the C name
/// of the property and the unit of the answer.
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

/// Defines getters of properties that came after OpenCL 1.2, documented in the same way.
macro_rules! newer_properties {
    ($($method:ident: $kind:ident $(<$type:ty>)? -> $result:ty, $name:ident, $unit:literal;)*) => {
        impl Device {
            $(
                #[doc = concat!("`", stringify!($name), "`", $unit, ".")]
                /// `None` from a driver that does not know the property.
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
