//! Finding and loading the OpenCL library.

use crate::error::{Error, Result};
use crate::platform::Platform;
use crate::raw::Functions;
use cl_loader::LoadError;
use std::ffi::{CString, c_void};
use std::fmt;
use std::path::Path;
use std::sync::OnceLock;

/// The OpenCL library of the process: the table of its functions.
///
/// A loaded library is never unloaded, because drivers own threads. `Library` is therefore a plain
/// copyable reference. There are four ways to get one: [`Library::load`] finds the system's
/// library, [`Library::open`] takes a path, [`Library::from_handle`] takes a library that the
/// program has loaded itself, and [`Library::from_functions`] takes a table.
#[derive(Clone, Copy)]
pub struct Library {
    functions: &'static Functions,
}

static LOADED: OnceLock<Library> = OnceLock::new();

impl Library {
    /// Returns the system's OpenCL library. It is loaded on the first call and shared from then on.
    ///
    /// The environment variable `CL_LIBRARY`, an absolute path, selects another library. In a process
    /// with more rights than the user who started it (setuid, setgid) the variable is ignored.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if `CL_LIBRARY` is not an absolute path, [`Error::LibraryNotFound`]
    /// with every name that was tried, [`Error::LibraryIncomplete`] if a library lacks functions of
    /// OpenCL 1.2. A failure is not remembered: the next call tries again.
    pub fn load() -> Result<Library> {
        if let Some(library) = LOADED.get() {
            return Ok(*library);
        }
        let opened = cl_loader::open_system().map_err(not_opened)?;
        // SAFETY: the system's library under OpenCL's own name holds OpenCL's functions, and so
        // does the library that the user has chosen instead.
        unsafe { resolve(&opened) }.map(|library| *LOADED.get_or_init(|| library))
    }

    /// Loads the OpenCL library at `path`.
    ///
    /// # Errors
    /// As [`Library::load`].
    ///
    /// # Safety
    /// Loading a library runs its code. It must be an OpenCL library: its functions are called with
    /// OpenCL's signatures.
    pub unsafe fn open(path: impl AsRef<Path>) -> Result<Library> {
        // SAFETY: by the caller's promise.
        unsafe { resolve(&cl_loader::open(path.as_ref()).map_err(not_opened)?) }
    }

    /// Uses an OpenCL library that the program has loaded already: a `libloading::Library`, or one
    /// of the platform's own kind that was made from a raw handle. The library stays loaded for the
    /// life of the process.
    ///
    /// # Errors
    /// [`Error::LibraryIncomplete`] if it lacks functions of OpenCL 1.2.
    ///
    /// # Safety
    /// It must be an OpenCL library: its functions are called with OpenCL's signatures.
    pub unsafe fn from_handle(handle: impl Into<libloading::Library>) -> Result<Library> {
        // SAFETY: by the caller's promise.
        unsafe { resolve(&cl_loader::Library::from_handle(handle, "the given library")) }
    }

    /// Makes a library from a table of functions, such as the table of another library with some
    /// entries replaced. The table is kept for the life of the process.
    ///
    /// # Safety
    /// Every entry must behave as the OpenCL function of the entry's name.
    #[must_use]
    pub unsafe fn from_functions(functions: Functions) -> Library {
        Library { functions: Box::leak(Box::new(functions)) }
    }

    /// Returns the table of C functions.
    #[must_use]
    pub fn functions(self) -> &'static Functions {
        self.functions
    }

    /// Returns the address of an extension's function on one platform, or `None` if the platform
    /// does not have it.
    ///
    /// An address does not mean that a device has the extension: ask
    /// [`Device::has_extension`](crate::Device::has_extension) first.
    ///
    /// ```
    /// # fn main() -> cl_core::Result<()> {
    /// let platform = cl_core::Platform::all()?[0];
    /// let address = platform.library().extension_function(&platform, "clIcdGetPlatformIDsKHR")?;
    /// println!("{address:?}");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a name with a NUL in it, [`Error::ForeignObject`] for a platform
    /// of another library.
    pub fn extension_function(self, platform: &Platform, name: &str) -> Result<Option<*const c_void>> {
        if platform.library() != self {
            return Err(Error::ForeignObject {
                operation: "extension_function",
                reason: "the platform belongs to another library",
            });
        }
        let name = CString::new(name).map_err(|error| Error::InvalidInput {
            what: "name of an extension function",
            reason: format!("NUL at byte {}", error.nul_position()),
        })?;
        let find = self.functions.clGetExtensionFunctionAddressForPlatform;
        // SAFETY: the platform is this library's, and the name ends in NUL.
        let address = unsafe { find(platform.as_raw(), name.as_ptr()) };
        Ok((!address.is_null()).then_some(address.cast_const()))
    }
}

impl PartialEq for Library {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.functions, other.functions)
    }
}

impl Eq for Library {}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Library").finish_non_exhaustive()
    }
}

/// Converts the loader's error to an [`Error`].
fn not_opened(error: LoadError) -> Error {
    match error {
        LoadError::NotFound { tried, .. } => Error::LibraryNotFound { tried },
        LoadError::NotAbsolute { value, .. } => {
            Error::invalid_input(cl_loader::VARIABLE, format!("`{value}` is not an absolute path"))
        }
        other => Error::invalid_input("OpenCL library", other.to_string()),
    }
}

/// Fills the table from an open library.
///
/// # Safety
/// The library's functions with OpenCL's names are OpenCL's functions.
unsafe fn resolve(opened: &cl_loader::Library) -> Result<Library> {
    // SAFETY: `find` returns this library's symbols, and the caller vouches for them.
    let functions = unsafe { Functions::resolve(|function| opened.find(function)) }
        .map_err(|function| Error::LibraryIncomplete { library: opened.name().to_owned(), function })?;
    // SAFETY: the table holds this library's functions under their own names.
    Ok(unsafe { Library::from_functions(functions) })
}
