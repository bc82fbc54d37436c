//! Behaviour of drivers that differs from OpenCL, or from all other drivers: the one place where the product knows a
//! driver by its name.
//!
//! Faults that a kernel or a call can show are tested on the device itself, where they matter. This file has the faults
//! that show too late, or that end the process. The faults that tests skip are data of `cl-test`.

use super::Device;
use crate::error::Result;

/// Behaviour of a driver that differs from all other drivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Quirk {
    /// Kernels are compiled in threads of the driver after they were enqueued, and a process that ends meanwhile
    /// crashes. Workaround: a queue is released when it is idle, and a process that ends waits for the release.
    CompilesBehindQueues,
    /// A command that holds the last reference to an out-of-order queue waits inside itself for its own end.
    /// Workaround: such a queue is released when it is idle.
    HangsReleasingOutOfOrderQueues,
    /// A released sampler is freed while kernels use it. Workaround: it is released when the kernels have ended.
    FreesSamplersInUse,
    /// The driver keeps compiled programs on disk itself, and compiles them again if asked for a binary. Workaround:
    /// such programs are not stored in our cache.
    KeepsPrograms,
    /// The compiler crashes the process on unrolled trees of minima or maxima of more than a hundred values.
    /// Workaround: kernels keep such trees as loops.
    CrashesOnTreesOfExtremes,
    /// The compiler reads the declarations of all built-in functions with each program, from clang's header
    /// `opencl-c.h`. Reading them takes longer than compiling a small program.
    ReadsAllDeclarations,
    /// The driver reports twice the local memory that a kernel declares.
    TellsTwiceTheLocalMemory,
}

/// A quirk of a driver, and a part of its platforms' names. All versions of the driver count as having the quirk: the
/// comments name the versions in which it was seen.
type Entry = (Quirk, &'static str);

const POCL: &str = "Portable Computing Language";
/// The name of Intel's runtime for CPUs, and of its driver for GPUs.
const INTEL: &str = "Intel(R) OpenCL";

const ALL: &[Entry] = &[
    // 3.1: 6 of 60 processes crashed.
    (Quirk::CompilesBehindQueues, POCL),
    // 2026.22 for CPUs.
    (Quirk::HangsReleasingOutOfOrderQueues, INTEL),
    // 3.1.
    (Quirk::FreesSamplersInUse, POCL),
    // 3.1: six reductions took 9.9 s when binaries were requested, and 2.7 s without.
    (Quirk::KeepsPrograms, POCL),
    // 2026.22 for CPUs, in "Machine InstCombiner".
    (Quirk::CrashesOnTreesOfExtremes, INTEL),
    // 3.1: reading the declarations takes 0.27 of the 0.30 s of a compilation.
    (Quirk::ReadsAllDeclarations, POCL),
    // 22.3. The caller checks the version, too.
    (Quirk::TellsTwiceTheLocalMemory, "rusticl"),
];

impl Quirk {
    /// Returns whether the driver of the platform of this name has the quirk.
    pub(crate) fn is_of(self, platform: &str) -> bool {
        ALL.iter().any(|&(quirk, part)| quirk == self && platform.contains(part))
    }
}

impl Device {
    /// Returns whether the device's driver has a quirk.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) when the driver fails to report its name.
    ///
    /// ```
    /// # fn main() -> cl_core::Result<()> {
    /// use cl_core::{Device, Quirk};
    ///
    /// if Device::first()?.has_quirk(Quirk::KeepsPrograms)? {
    ///     println!("its programs are in the driver's own cache");
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn has_quirk(&self, quirk: Quirk) -> Result<bool> {
        Ok(quirk.is_of(&self.platform().name()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drivers_are_known_by_parts_of_their_platforms_names() {
        assert!(Quirk::KeepsPrograms.is_of("Portable Computing Language"));
        assert!(!Quirk::KeepsPrograms.is_of("NVIDIA CUDA"));
        assert!(Quirk::CrashesOnTreesOfExtremes.is_of("Intel(R) OpenCL"));
        assert!(!Quirk::CrashesOnTreesOfExtremes.is_of("Intel(R) FPGA Emulation"));
        assert!(!Quirk::CompilesBehindQueues.is_of(""));
    }

    #[test]
    fn no_entry_occurs_twice() {
        for (at, entry) in ALL.iter().enumerate() {
            assert!(!ALL[..at].contains(entry), "{entry:?}");
        }
    }
}
