//! The trust in environment variables.

/// Returns whether the process has more rights than the user who started it (setuid, setgid, capabilities of
/// its file). Its environment was then chosen by someone with fewer rights, so no variable can be trusted.
#[must_use]
pub fn is_privileged() -> bool {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        use std::ffi::c_ulong;
        const AT_SECURE: c_ulong = 23;
        unsafe extern "C" {
            safe fn getauxval(kind: c_ulong) -> c_ulong;
        }
        getauxval(AT_SECURE) != 0
    }
    #[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
    {
        unsafe extern "C" {
            safe fn issetugid() -> std::ffi::c_int;
        }
        issetugid() != 0
    }
    #[cfg(not(unix))]
    false
}
