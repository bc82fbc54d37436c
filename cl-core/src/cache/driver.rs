//! Drivers that keep compiled programs on disk themselves, and are slow to return binaries.

use crate::device::Quirk;
use std::ffi::OsString;

/// The variable that turns PoCL's own cache off if it is 0.
const POCL_VARIABLE: &str = "POCL_KERNEL_CACHE";

/// Returns whether the driver of the platform of this name keeps programs so well that storing them again
/// gains nothing.
///
/// PoCL (3.1) compiles a kernel a second time, for work-groups of any size, when it is asked for a binary. A
/// program of six reductions took 9.9 s of processor time on its first run when this cache stored it, and
/// 2.7 s when it did not. Later runs took 0.23 s instead of 0.30 s.
pub(super) fn keeps_programs(platform: &str) -> bool {
    keeps(platform, |name| std::env::var_os(name))
}

fn keeps(platform: &str, variable: impl Fn(&str) -> Option<OsString>) -> bool {
    Quirk::KeepsPrograms.is_of(platform) && variable(POCL_VARIABLE).is_none_or(|value| value != "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pocl_does_unless_it_is_told_not_to() {
        let pocl = "Portable Computing Language";
        assert!(keeps(pocl, |_| None));
        assert!(keeps(pocl, |_| Some("1".into())));
        assert!(!keeps(pocl, |name| (name == "POCL_KERNEL_CACHE").then(|| "0".into())));
        assert!(!keeps("NVIDIA CUDA", |_| None));
    }
}
