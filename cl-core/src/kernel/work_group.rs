//! What a compiled kernel allows a work-group to be, and what it takes of the device.

use super::Kernel;
use crate::device::{Device, Quirk, Version};
use crate::error::{Error, Result};
use crate::info;
use crate::raw;
use crate::raw::{cl_uint, cl_ulong};
use bytemuck::AnyBitPattern;

/// `CL_KERNEL_SPILL_MEM_SIZE_INTEL`, of the extension `cl_intel_required_subgroup_size`.
const SPILL: cl_uint = 0x4109;

/// What one kernel takes of its device, as compiled: the facts that occupancy depends on. Registers
/// are in nobody's answer; NVIDIA prints them to [`Program::log`](crate::Program::log).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct KernelResources {
    /// The most work-items in a work-group; fewer than the device's limit when registers are short.
    pub work_group_size: usize,
    /// The multiple of work-items that suits the device.
    pub preferred_multiple: usize,
    /// Bytes of local memory that each work-group takes, without [`Local`](crate::Local) arguments.
    pub local_memory: u64,
    /// Bytes of private memory that each work-item takes, as far as the driver counts them.
    pub private_memory: u64,
    /// Bytes that each work-item spills from registers, where the driver tells (Intel's do).
    pub spilled: Option<u64>,
}

/// What every launch is checked against, asked once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaunchLimits {
    /// Work-items in a work-group, of the device and of the kernel.
    pub(crate) group: usize,
    /// Work-items in a work-group along each dimension.
    pub(crate) items: [usize; 3],
    /// The `reqd_work_group_size` attribute; zeros when there is none.
    pub(crate) required: [usize; 3],
    /// Bytes of local memory that the device has.
    pub(crate) local_memory: u64,
    /// Bytes of local memory that the kernel takes before any argument.
    pub(crate) own_local_memory: u64,
    /// The largest number that a global id can be.
    pub(crate) address: usize,
}

impl LaunchLimits {
    /// No launch: for a kernel that is still being made.
    pub(super) const NONE: LaunchLimits = LaunchLimits {
        group: 0,
        items: [0; 3],
        required: [0; 3],
        local_memory: 0,
        own_local_memory: 0,
        address: 0,
    };

    pub(super) fn of(kernel: &Kernel) -> Result<LaunchLimits> {
        let device = kernel.device().limits()?;
        let items = |dimension: usize| device.work_item_sizes.get(dimension).copied().unwrap_or(1);
        let group: usize = kernel.work_group(raw::CL_KERNEL_WORK_GROUP_SIZE)?;
        let required: [usize; 3] = kernel.work_group(raw::CL_KERNEL_COMPILE_WORK_GROUP_SIZE)?;
        // NVIDIA tells a power of two, less than what it compiled a kernel for that requires 384.
        let group = required.iter().product::<usize>().max(group);
        Ok(LaunchLimits {
            group: group.min(device.work_group_size),
            items: [items(0), items(1), items(2)],
            required,
            local_memory: device.local_memory,
            own_local_memory: own_local_memory(kernel)?,
            address: if device.address_bits >= usize::BITS { usize::MAX } else { u32::MAX as usize },
        })
    }
}

/// Bytes of local memory that the kernel takes before any argument.
fn own_local_memory(kernel: &Kernel) -> Result<u64> {
    let told = kernel.work_group::<cl_ulong>(raw::CL_KERNEL_LOCAL_MEM_SIZE)?;
    // Mesa's rusticl 22.3 tells twice as much as the kernel declares.
    let is_double = told > 0
        && kernel.device().has_quirk(Quirk::TellsTwiceTheLocalMemory).is_ok_and(|has| has)
        && kernel.device().driver_version()?.starts_with("22.");
    Ok(if is_double { told / 2 } else { told })
}

impl Kernel {
    /// The most work-items that a work-group of this kernel can have on its device.
    #[must_use]
    pub fn work_group_size(&self) -> usize {
        self.limits.group
    }

    /// The size that every work-group must have, by the attribute `reqd_work_group_size`.
    #[must_use]
    pub fn required_work_group_size(&self) -> Option<[usize; 3]> {
        Some(self.limits.required).filter(|required| *required != [0; 3])
    }

    /// The multiple of work-items that suits the device, `CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE`.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn preferred_multiple(&self) -> Result<usize> {
        self.work_group(raw::CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE)
    }

    /// What the kernel takes of its device.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn resources(&self) -> Result<KernelResources> {
        let spills = self.device().has_extension("cl_intel_required_subgroup_size")?;
        Ok(KernelResources {
            work_group_size: self.limits.group,
            preferred_multiple: self.preferred_multiple()?,
            local_memory: self.limits.own_local_memory,
            private_memory: self.work_group::<cl_ulong>(raw::CL_KERNEL_PRIVATE_MEM_SIZE)?,
            spilled: if spills { info::known(self.work_group_raw(SPILL))? } else { None },
        })
    }

    /// The largest global size along each dimension, `CL_KERNEL_GLOBAL_WORK_SIZE`: of built-in
    /// kernels and on custom devices only, `None` elsewhere.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn global_work_size(&self) -> Result<Option<[usize; 3]>> {
        info::known(self.work_group_raw(raw::CL_KERNEL_GLOBAL_WORK_SIZE))
    }

    fn work_group<T: AnyBitPattern>(&self, name: cl_uint) -> Result<T> {
        self.work_group_raw(name).map_err(|error| error.note(format!("kernel `{}`", self.name)))
    }

    /// Without a note: [`info::known`] wants to see the driver's own errors.
    fn work_group_raw<T: AnyBitPattern>(&self, name: cl_uint) -> Result<T> {
        let get = self.library.functions().clGetKernelWorkGroupInfo;
        info::value("clGetKernelWorkGroupInfo", |size, value, ret| {
            // SAFETY: a valid kernel and its device; `info` passes matching pointers and sizes.
            unsafe { get(self.raw, self.device().as_raw(), name, size, value, ret) }
        })
    }

    /// That the device can run work-groups of several sizes in one launch.
    pub(crate) fn check_non_uniform(&self) -> Result<()> {
        if has_non_uniform_groups(self.device())? {
            return Ok(());
        }
        let feature = format!("non-uniform work-groups, for kernel `{}`", self.name);
        Err(Error::Unsupported { feature, device: self.device().to_string() })
    }
}

/// OpenCL 2.x requires them; 3.0 has a question.
fn has_non_uniform_groups(device: &Device) -> Result<bool> {
    let version = device.opencl_version()?;
    Ok(match device.has_non_uniform_groups()? {
        Some(answer) => answer,
        None => version >= Version::new(2, 0) && version < Version::new(3, 0),
    })
}
