//! Finding and loading the OpenCL library.

use crate::error::{Error, Result};
use crate::raw::Functions;
use std::ffi::{OsStr, c_void};
use std::fmt;
use std::path::Path;
use std::sync::OnceLock;

/// The OpenCL library of the process: the table of its functions.
///
/// A loaded library is never unloaded, because drivers own threads; `Library` is therefore a
/// plain copyable reference. Three doors lead here: [`Library::load`] finds the system's library,
/// [`Library::open`] takes a path, [`Library::from_functions`] an already loaded table.
#[derive(Clone, Copy)]
pub struct Library {
    functions: &'static Functions,
}

/// Names under which the system's loader finds OpenCL. Sonames only, never a path relative to the
/// current folder; the versioned name first, because the bare one is a development file.
#[cfg(target_os = "macos")]
const NAMES: &[&str] = &["/System/Library/Frameworks/OpenCL.framework/OpenCL"];
#[cfg(windows)]
const NAMES: &[&str] = &["OpenCL.dll"];
#[cfg(not(any(target_os = "macos", windows)))]
const NAMES: &[&str] = &["libOpenCL.so.1", "libOpenCL.so"];

/// How to get an OpenCL library on this system.
#[cfg(target_os = "linux")]
pub(crate) const INSTALL_HINT: &str = "install the OpenCL loader and a driver: \
    Debian, Ubuntu: apt-get install ocl-icd-libopencl1 pocl-opencl-icd; \
    Fedora: dnf install ocl-icd pocl; Arch: pacman -S ocl-icd pocl; \
    or your GPU vendor's OpenCL package";
#[cfg(target_os = "macos")]
pub(crate) const INSTALL_HINT: &str = "OpenCL is part of macOS; for CPUs: brew install pocl";
#[cfg(windows)]
pub(crate) const INSTALL_HINT: &str = "install your GPU vendor's driver, or Intel's CPU runtime for OpenCL";
#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
pub(crate) const INSTALL_HINT: &str = "install an OpenCL loader and a driver";

static LOADED: OnceLock<Library> = OnceLock::new();

impl Library {
    /// The system's OpenCL library, loaded on the first call and shared from then on.
    ///
    /// # Errors
    /// [`Error::LibraryNotFound`] with every name that was tried, [`Error::LibraryIncomplete`] when
    /// a library lacks functions of OpenCL 1.2. A failure is not remembered: the next call tries
    /// again.
    pub fn load() -> Result<Library> {
        if let Some(library) = LOADED.get() {
            return Ok(*library);
        }
        let mut tried = Vec::new();
        for name in NAMES {
            match open_system(name) {
                // SAFETY: the system's library of OpenCL's own name holds OpenCL's functions.
                Ok(handle) => return unsafe { resolve(handle, name) }.map(|l| *LOADED.get_or_init(|| l)),
                Err(reason) => tried.push(format!("{name} ({reason})")),
            }
        }
        Err(Error::LibraryNotFound { tried })
    }

    /// The OpenCL library at `path`.
    ///
    /// # Errors
    /// As [`Library::load`].
    ///
    /// # Safety
    /// Loading a library runs its code. It must be an OpenCL library: its functions are called
    /// with OpenCL's signatures.
    pub unsafe fn open(path: impl AsRef<Path>) -> Result<Library> {
        let path = path.as_ref();
        let name = path.display().to_string();
        // SAFETY: by the caller's promise.
        match unsafe { libloading::Library::new(OsStr::new(path)) } {
            // SAFETY: by the caller's promise.
            Ok(handle) => unsafe { resolve(handle, &name) },
            Err(error) => Err(Error::LibraryNotFound { tried: vec![format!("{name} ({error})")] }),
        }
    }

    /// A library made from a table of functions: another one's with entries replaced, or one that
    /// the program has loaded by its own means. The table is kept for the life of the process.
    ///
    /// # Safety
    /// Every entry must behave as the OpenCL function of that name.
    #[must_use]
    pub unsafe fn from_functions(functions: Functions) -> Library {
        Library { functions: Box::leak(Box::new(functions)) }
    }

    /// The table of C functions.
    #[must_use]
    pub fn functions(self) -> &'static Functions {
        self.functions
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

/// Opens a library by one of [`NAMES`] the way the system looks for libraries.
fn open_system(name: &str) -> Result<libloading::Library, String> {
    // On Windows only the system folder is searched: a DLL beside the program could be planted.
    #[cfg(windows)]
    // SAFETY: initialisers of the system's OpenCL library are trusted to be sound.
    let opened = unsafe {
        use libloading::os::windows::{LOAD_LIBRARY_SEARCH_SYSTEM32, Library};
        Library::load_with_flags(name, LOAD_LIBRARY_SEARCH_SYSTEM32).map(Into::into)
    };
    #[cfg(not(windows))]
    // SAFETY: initialisers of the system's OpenCL library are trusted to be sound.
    let opened = unsafe { libloading::Library::new(name) };
    opened.map_err(|error| error.to_string())
}

/// Fills the table from an open library and keeps that open for ever.
///
/// # Safety
/// The library's functions of OpenCL's names are OpenCL's functions.
unsafe fn resolve(handle: libloading::Library, name: &str) -> Result<Library> {
    let find = |function: &'static str| -> *const c_void {
        // SAFETY: the address is only passed on; its type is the table's concern.
        unsafe { handle.get::<*const c_void>(function) }.map_or(std::ptr::null(), |symbol| *symbol)
    };
    // SAFETY: `find` answers with this library's symbols, and the caller vouches for them.
    let functions = unsafe { Functions::resolve(find) }
        .map_err(|function| Error::LibraryIncomplete { library: name.to_owned(), function })?;
    std::mem::forget(handle);
    // SAFETY: the table holds this library's functions under their own names.
    Ok(unsafe { Library::from_functions(functions) })
}
