//! Fences by which work-groups of one launch see each other's writes.

use cl_core::{BuildOptions, CVersion, Device, Result};

/// A fence among all work-groups of a launch, which OpenCL C 1.2 does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeviceFence {
    /// `atomic_work_item_fence` of OpenCL C 3.0, an optional feature.
    OpenClC3,
    /// `membar.gl` of NVIDIA's PTX, as inline assembly. (NVIDIA's OpenCL C 3.0 has fences within work-groups only.)
    Ptx,
}

impl DeviceFence {
    /// Returns the value of `FENCE` in `kernels/last_group.cl`. Kernels without a fence have 0.
    pub(crate) fn number(self) -> i64 {
        match self {
            DeviceFence::Ptx => 1,
            DeviceFence::OpenClC3 => 2,
        }
    }

    /// Adds the options of programs that use the fence.
    pub(crate) fn options(self, options: BuildOptions) -> BuildOptions {
        if self == DeviceFence::OpenClC3 { options.language(CVersion::C30) } else { options }
    }

    /// Returns the fence that the device says it has.
    pub(crate) fn of(device: &Device) -> Result<Option<DeviceFence>> {
        if device.has_device_fence()? {
            return Ok(Some(DeviceFence::OpenClC3));
        }
        Ok(device.has_extension("cl_nv_compiler_options")?.then_some(DeviceFence::Ptx))
    }
}
