//! What counts of a device.

use cl_algo::DeviceProfile;

/// Facts that kernels are chosen by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Facts {
    /// Whether a work-item goes through many rows, as CPUs like it.
    pub cpu: bool,
    /// Compute units.
    pub compute_units: usize,
    /// Bytes of local memory that a work-group can have.
    pub local_memory: usize,
    /// Work-items that a work-group can have, a power of two.
    pub largest_group: usize,
}

impl Facts {
    /// The facts that a profile tells.
    #[must_use]
    pub fn of(profile: &DeviceProfile) -> Facts {
        Facts {
            cpu: profile.chunked,
            compute_units: profile.compute_units,
            local_memory: profile.local_memory,
            largest_group: profile.largest_group,
        }
    }
}
