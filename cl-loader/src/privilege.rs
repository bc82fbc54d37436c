//! Whether the environment can be believed.

/// Whether the process may do what the user who started it may not (setuid, setgid, capabilities of
/// its file): then whoever chose its environment has fewer rights than it, and no variable can be
/// believed.
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
