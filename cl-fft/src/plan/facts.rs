//! What the planner needs to know of a device.

use cl_algo::DeviceProfile;

/// Facts that recipes are chosen by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Facts {
    /// Whether a work-item does whole transforms, several at once in the lanes of vector registers, as CPUs
    /// like it; else a work-group does them together.
    pub cpu: bool,
    /// Compute units.
    pub compute_units: usize,
    /// Bytes of local memory that a work-group can have.
    pub local_memory: usize,
    /// Work-items that a work-group can have.
    pub largest_group: usize,
    /// Bytes of a vector register.
    pub vector_bytes: usize,
    /// Bytes of a core's own cache.
    pub cache: usize,
}

impl Facts {
    /// The facts that a profile tells.
    #[must_use]
    pub fn of(profile: &DeviceProfile) -> Facts {
        Facts {
            cpu: profile.chunked,
            compute_units: profile.compute_units,
            // What NVIDIA's devices have; more would leave room for one group a compute unit only.
            local_memory: profile.local_memory.min(48 << 10),
            largest_group: profile.largest_group.min(1024),
            vector_bytes: 64,
            cache: 512 << 10,
        }
    }
}
