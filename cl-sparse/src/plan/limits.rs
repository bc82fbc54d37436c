//! The properties of a device that determine the kernels.

use cl_algo::DeviceProfile;

/// The properties of a device that determine the kernels and the form of a matrix.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DeviceLimits {
    /// `true` if a work-item should process many rows, as on CPUs.
    pub cpu: bool,
    /// The number of compute units.
    pub compute_units: usize,
    /// The bytes of local memory of a work-group.
    pub local_memory: usize,
    /// The largest number of work-items in a work-group, a power of two.
    pub largest_group: usize,
}

impl DeviceLimits {
    /// Returns the limits of a profile's device.
    #[must_use]
    pub fn of(profile: &DeviceProfile) -> DeviceLimits {
        DeviceLimits {
            cpu: profile.chunked,
            compute_units: profile.compute_units,
            local_memory: profile.local_memory,
            largest_group: profile.largest_group,
        }
    }
}
