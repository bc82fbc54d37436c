//! The choice of the folder for the cache on disk, from the environment.

use crate::error::{Error, Result};
use cl_loader::is_privileged;
use std::ffi::OsString;
use std::path::PathBuf;

/// The variable that users set.
const VARIABLE: &str = "CL_CACHE";

/// The folder's name in the user's folder for caches.
const NAME: &str = "cl-core";

/// Returns the folder, `None` if the cache is off, or the error in the setting.
pub(super) fn of_process() -> Result<Option<PathBuf>> {
    choose(is_privileged(), |name| std::env::var_os(name).filter(|value| !value.is_empty()))
}

fn choose(privileged: bool, variable: impl Fn(&str) -> Option<OsString>) -> Result<Option<PathBuf>> {
    // A privileged process has more rights than the user who started it, and that user chose its
    // environment. So neither `VARIABLE` nor the home folder can be trusted.
    if privileged {
        return Ok(None);
    }
    if let Some(value) = variable(VARIABLE) {
        let path = PathBuf::from(&value);
        return match value.to_str() {
            Some("off") => Ok(None),
            _ if path.is_absolute() => Ok(Some(path)),
            _ => {
                let reason = format!("it is {value:?}; it must be `off` or an absolute path");
                Err(Error::invalid_input(VARIABLE, reason))
            }
        };
    }
    let folder = |name: &str, below: &str| {
        variable(name).map(|value| PathBuf::from(value).join(below)).filter(|path| path.is_absolute())
    };
    let caches = if cfg!(windows) {
        folder("LOCALAPPDATA", "")
    } else if cfg!(target_os = "macos") {
        folder("HOME", "Library/Caches")
    } else {
        // The XDG base directory specification demands that a relative `XDG_CACHE_HOME` is ignored.
        folder("XDG_CACHE_HOME", "").or_else(|| folder("HOME", ".cache"))
    };
    Ok(caches.map(|caches| caches.join(NAME)))
}

#[cfg(all(test, unix, not(target_os = "macos")))]
mod tests {
    use super::*;

    fn with(privileged: bool, variables: &[(&str, &str)]) -> Result<Option<PathBuf>> {
        choose(privileged, |name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
        })
    }

    #[test]
    fn the_variable_wins_then_xdg_then_home() {
        let at = |path: &str| Ok(Some(PathBuf::from(path)));
        let all = [("CL_CACHE", "/c"), ("XDG_CACHE_HOME", "/x"), ("HOME", "/h")];
        assert_eq!(with(false, &all), at("/c"));
        assert_eq!(with(false, &all[1..]), at("/x/cl-core"));
        assert_eq!(with(false, &all[2..]), at("/h/.cache/cl-core"));
        assert_eq!(with(false, &[("XDG_CACHE_HOME", "x"), ("HOME", "/h")]), at("/h/.cache/cl-core"));
        assert_eq!(with(false, &[("CL_CACHE", "off"), ("HOME", "/h")]), Ok(None));
        assert_eq!(with(false, &[("HOME", "h")]), Ok(None));
        assert_eq!(with(false, &[]), Ok(None));
        for wrong in ["on", "./cache", "OFF ", "cache"] {
            let complaint = with(false, &[("CL_CACHE", wrong), ("HOME", "/h")]).unwrap_err();
            assert!(complaint.to_string().contains(wrong), "{complaint}");
        }
    }

    #[test]
    fn a_process_with_more_rights_believes_nothing() {
        let all = [("CL_CACHE", "/c"), ("XDG_CACHE_HOME", "/x"), ("HOME", "/h")];
        assert_eq!(with(true, &all), Ok(None));
        assert!(!is_privileged(), "a test is not a setuid program");
    }
}
