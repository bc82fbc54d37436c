//! An opened library.

use std::ffi::c_void;
use std::mem::ManuallyDrop;

/// A library that stays loaded for the life of the process, because drivers own threads. Dropping this value
/// unloads nothing.
#[derive(Debug)]
pub struct Library {
    handle: ManuallyDrop<libloading::Library>,
    name: String,
}

impl Library {
    /// Wraps an already loaded library, with a name for messages. It is never unloaded.
    #[must_use]
    pub fn from_handle(handle: impl Into<libloading::Library>, name: impl Into<String>) -> Library {
        Library { handle: ManuallyDrop::new(handle.into()), name: name.into() }
    }

    /// Returns the name or path that the library was opened by.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the address of the function `name`, or null if the library lacks it.
    #[must_use]
    pub fn find(&self, name: &str) -> *const c_void {
        // SAFETY: the address is only passed on; the caller is responsible for its type.
        unsafe { self.handle.get::<*const c_void>(name) }.map_or(std::ptr::null(), |symbol| *symbol)
    }
}
