//! An opened library.

use std::ffi::c_void;
use std::mem::ManuallyDrop;

/// A library that stays loaded for the life of the process, because drivers own threads:
/// dropping this value unloads nothing.
#[derive(Debug)]
pub struct Library {
    handle: ManuallyDrop<libloading::Library>,
    name: String,
}

impl Library {
    /// An already loaded library, and what to call it in messages. It is never unloaded.
    #[must_use]
    pub fn from_handle(handle: impl Into<libloading::Library>, name: impl Into<String>) -> Library {
        Library { handle: ManuallyDrop::new(handle.into()), name: name.into() }
    }

    /// The name or path that the library was opened by.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The address of the function `name`, null when the library has none.
    #[must_use]
    pub fn find(&self, name: &str) -> *const c_void {
        // SAFETY: the address is only passed on; its type is the caller's concern.
        unsafe { self.handle.get::<*const c_void>(name) }.map_or(std::ptr::null(), |symbol| *symbol)
    }
}
