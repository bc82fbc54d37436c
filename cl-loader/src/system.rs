//! The search for the OpenCL library.

use crate::library::Library;
use crate::privilege::is_privileged;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};

/// The environment variable that replaces the system's library: an absolute path.
///
/// It is ignored if it is empty, or if the process has more rights than the user who started it (setuid,
/// setgid, file capabilities).
pub const VARIABLE: &str = "CL_LIBRARY";

/// The names under which the system's loader finds OpenCL. They are sonames, never paths relative to the
/// current folder. The versioned name is first, because the bare one is a development file.
#[cfg(target_os = "macos")]
const NAMES: &[&str] = &["/System/Library/Frameworks/OpenCL.framework/OpenCL"];
#[cfg(windows)]
const NAMES: &[&str] = &["OpenCL.dll"];
#[cfg(not(any(target_os = "macos", windows)))]
const NAMES: &[&str] = &["libOpenCL.so.1", "libOpenCL.so"];

/// Instructions for installing an OpenCL library on this system.
#[cfg(target_os = "linux")]
pub const INSTALL_HINT: &str = "install the OpenCL loader and a driver: \
    Debian, Ubuntu: apt-get install ocl-icd-libopencl1 pocl-opencl-icd; \
    Fedora: dnf install ocl-icd pocl; Arch: pacman -S ocl-icd pocl; \
    or your GPU vendor's OpenCL package";
/// Instructions for installing an OpenCL library on this system.
#[cfg(target_os = "macos")]
pub const INSTALL_HINT: &str = "OpenCL is part of macOS; for CPUs: brew install pocl";
/// Instructions for installing an OpenCL library on this system.
#[cfg(windows)]
pub const INSTALL_HINT: &str = "install your GPU vendor's driver, or Intel's CPU runtime for OpenCL";
/// Instructions for installing an OpenCL library on this system.
#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
pub const INSTALL_HINT: &str = "install an OpenCL loader and a driver";

/// The reason why no library was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadError {
    /// No library could be opened by any of the names.
    #[non_exhaustive]
    NotFound {
        /// Each name that was tried, with the system's answer.
        tried: Vec<String>,
    },
    /// The value of [`VARIABLE`] is not an absolute path.
    #[non_exhaustive]
    NotAbsolute {
        /// The value.
        value: String,
    },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::NotFound { tried } => {
                write!(f, "no OpenCL library: tried {}\n{INSTALL_HINT}", tried.join("; "))
            }
            LoadError::NotAbsolute { value } => {
                write!(f, "{VARIABLE} must be an absolute path, and `{value}` is not")
            }
        }
    }
}

impl std::error::Error for LoadError {}

/// Opens the library that [`VARIABLE`] names, or else the system's.
///
/// # Errors
/// [`LoadError`]. If the variable names a library that cannot be opened, that is an error: no other library
/// is tried.
pub fn open_system() -> Result<Library, LoadError> {
    if let Some(path) = chosen(std::env::var_os(VARIABLE), is_privileged())? {
        // SAFETY: whoever sets the environment of an unprivileged process controls the process.
        return unsafe { open(&path) };
    }
    let mut tried = Vec::new();
    for name in NAMES {
        match open_by_soname(name) {
            Ok(handle) => return Ok(Library::from_handle(handle, *name)),
            Err(reason) => tried.push(format!("{name} ({reason})")),
        }
    }
    Err(LoadError::NotFound { tried })
}

/// Opens the library at `path`.
///
/// # Errors
/// [`LoadError::NotFound`] with the system's answer.
///
/// # Safety
/// Opening a library runs its initialisers.
pub unsafe fn open(path: &Path) -> Result<Library, LoadError> {
    let name = path.display().to_string();
    // SAFETY: by the caller's promise.
    match unsafe { libloading::Library::new(OsStr::new(path)) } {
        Ok(handle) => Ok(Library::from_handle(handle, name)),
        Err(error) => Err(LoadError::NotFound { tried: vec![format!("{name} ({error})")] }),
    }
}

/// Returns the path that the variable's `value` chooses, in a process that is `privileged` or not.
fn chosen(value: Option<OsString>, privileged: bool) -> Result<Option<PathBuf>, LoadError> {
    match value.filter(|value| !privileged && !value.is_empty()).map(PathBuf::from) {
        Some(path) if !path.is_absolute() => {
            Err(LoadError::NotAbsolute { value: path.display().to_string() })
        }
        choice => Ok(choice),
    }
}

/// Opens a library by one of [`NAMES`] in the way that the system looks for libraries.
fn open_by_soname(name: &str) -> Result<libloading::Library, libloading::Error> {
    // On Windows only the system folder is searched, because a DLL beside the program could be planted.
    #[cfg(windows)]
    // SAFETY: initialisers of the system's OpenCL library are trusted to be sound.
    return unsafe {
        use libloading::os::windows::{LOAD_LIBRARY_SEARCH_SYSTEM32, Library};
        Library::load_with_flags(name, LOAD_LIBRARY_SEARCH_SYSTEM32).map(Into::into)
    };
    #[cfg(not(windows))]
    // SAFETY: initialisers of the system's OpenCL library are trusted to be sound.
    return unsafe { libloading::Library::new(name) };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(value: &str, privileged: bool) -> Result<Option<PathBuf>, LoadError> {
        chosen(Some(value.into()), privileged)
    }

    #[test]
    fn an_absolute_path_is_taken() {
        let path = std::env::temp_dir().join("libOpenCL.so.1");
        assert_eq!(chosen(Some(path.clone().into()), false), Ok(Some(path)));
        assert_eq!(chosen(None, false), Ok(None));
        assert_eq!(choice("", false), Ok(None));
    }

    #[test]
    fn a_relative_path_is_an_error() {
        for value in ["libOpenCL.so.1", "./libOpenCL.so.1", "folder/libOpenCL.so.1", " "] {
            assert_eq!(choice(value, false), Err(LoadError::NotAbsolute { value: value.to_owned() }));
        }
    }

    #[test]
    fn a_privileged_process_ignores_the_variable() {
        let path = std::env::temp_dir().join("libOpenCL.so.1");
        assert_eq!(chosen(Some(path.into()), true), Ok(None));
        assert_eq!(choice("relative", true), Ok(None));
    }

    #[test]
    fn no_name_leads_to_a_folder_of_ours() {
        for name in NAMES {
            assert!(!name.contains(['/', '\\']) || Path::new(name).is_absolute(), "{name}");
        }
    }
}
