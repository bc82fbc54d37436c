//! What drivers do otherwise than OpenCL says, or than all other drivers do: the one place where the product knows a
//! driver by its name.
//!
//! Faults that a kernel or a call can show are tried where they matter, on the device itself. Here is the rest: what
//! shows too late, or ends the process. The faults that tests skip are data of `cl-test`.

use super::Device;
use crate::error::Result;

/// Something that a driver does otherwise than all other drivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Quirk {
    /// Kernels are compiled in threads of the driver after they were enqueued, and a process that ends meanwhile
    /// crashes. A queue is released when it is idle, and the process waits for that.
    CompilesBehindQueues,
    /// A command that is the last to let go of an out-of-order queue waits inside itself for its own end. Such a queue
    /// is released when it is idle.
    HangsReleasingOutOfOrderQueues,
    /// A released sampler is freed while kernels use it. It is released when they have ended.
    FreesSamplersInUse,
    /// The driver keeps compiled programs on disk itself, and compiles again for whoever asks for a binary. They are not
    /// kept once more.
    KeepsPrograms,
    /// The compiler ends the process over trees of minima or maxima of more than a hundred values. They stay loops.
    CrashesOnTreesOfExtremes,
    /// The compiler reads the declarations of all built-in functions with each program, from clang's header `opencl-c.h`.
    /// Reading takes longer than compiling a small program.
    ReadsAllDeclarations,
    /// Kernels are told to take twice the local memory that they declare.
    TellsTwiceTheLocalMemory,
}

/// A quirk of a driver, and a part of its platforms' names. All versions count as having it: the comments name those
/// that were seen to.
type Entry = (Quirk, &'static str);

const POCL: &str = "Portable Computing Language";
/// Intel's runtime for CPUs, and its driver for GPUs.
const INTEL: &str = "Intel(R) OpenCL";

const ALL: &[Entry] = &[
    // 3.1: 6 of 60 processes crashed.
    (Quirk::CompilesBehindQueues, POCL),
    // 2026.22 for CPUs.
    (Quirk::HangsReleasingOutOfOrderQueues, INTEL),
    // 3.1.
    (Quirk::FreesSamplersInUse, POCL),
    // 3.1: asked for binaries, it took 9.9 s for six reductions, and 2.7 without.
    (Quirk::KeepsPrograms, POCL),
    // 2026.22 for CPUs, in "Machine InstCombiner".
    (Quirk::CrashesOnTreesOfExtremes, INTEL),
    // 3.1: 0.27 of 0.30 s.
    (Quirk::ReadsAllDeclarations, POCL),
    // 22.3: who asks looks at the version, too.
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
    /// [`Error::Driver`](crate::Error::Driver) when the driver fails to tell its name.
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
