//! The limits of a compiled kernel's work-groups, and the kernel's use of the device's resources.

use super::Kernel;
use crate::device::{Device, Quirk, Version};
use crate::error::{Error, Result};
use crate::info;
use crate::raw;
use crate::raw::{cl_uint, cl_ulong};
use bytemuck::AnyBitPattern;

/// `CL_KERNEL_SPILL_MEM_SIZE_INTEL`, of the extension `cl_intel_required_subgroup_size`.
const SPILL: cl_uint = 0x4109;

/// The resources of the device that a compiled kernel uses; occupancy depends on them. No driver reports
/// the number of registers; NVIDIA's compiler prints it to [`Program::log`](crate::Program::log).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct KernelResources {
    /// The largest number of work-items in a work-group; less than the device's limit if registers
    /// are scarce.
    pub work_group_size: usize,
    /// The multiple of work-items that suits the device.
    pub preferred_multiple: usize,
    /// The number of bytes of local memory that each work-group uses, without
    /// [`Local`](crate::Local) arguments.
    pub local_memory: u64,
    /// The number of bytes of private memory that each work-item uses, as far as the driver counts them.
    pub private_memory: u64,
    /// The number of bytes that each work-item spills from registers, if the driver reports it, as
    /// Intel's drivers do.
    pub spilled: Option<u64>,
}

/// The limits that every launch is checked against, read once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaunchLimits {
    /// The largest number of work-items in a work-group, for this device and this kernel.
    pub(crate) group: usize,
    /// The largest number of work-items in a work-group along each dimension.
    pub(crate) items: [usize; 3],
    /// The `reqd_work_group_size` attribute; zeros if the kernel does not have it.
    pub(crate) required: [usize; 3],
    /// The number of bytes of the device's local memory.
    pub(crate) local_memory: u64,
    /// The number of bytes of local memory that the kernel uses without its arguments.
    pub(crate) own_local_memory: u64,
    /// The largest possible global id.
    pub(crate) address: usize,
}

impl LaunchLimits {
    /// Limits that allow no launch, for a kernel that is still being created.
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
        // For a kernel that requires 384 work-items, NVIDIA's driver reports a power of two below 384.
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

/// Returns the number of bytes of local memory that the kernel uses without its arguments.
fn own_local_memory(kernel: &Kernel) -> Result<u64> {
    let told = kernel.work_group::<cl_ulong>(raw::CL_KERNEL_LOCAL_MEM_SIZE)?;
    // Mesa's rusticl 22.3 reports twice the local memory that the kernel declares.
    let is_double = told > 0
        && kernel.device().has_quirk(Quirk::TellsTwiceTheLocalMemory)?
        && kernel.device().driver_version()?.starts_with("22.");
    Ok(if is_double { told / 2 } else { told })
}

impl Kernel {
    /// Returns the largest number of work-items that a work-group of this kernel can have on its device.
    #[must_use]
    pub fn work_group_size(&self) -> usize {
        self.limits.group
    }

    /// Returns the size that every work-group must have, from the attribute `reqd_work_group_size`.
    #[must_use]
    pub fn required_work_group_size(&self) -> Option<[usize; 3]> {
        Some(self.limits.required).filter(|required| *required != [0; 3])
    }

    /// Returns the multiple of work-items that suits the device,
    /// `CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE`.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn preferred_multiple(&self) -> Result<usize> {
        self.work_group(raw::CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE)
    }

    /// Returns the resources of the device that the kernel uses.
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

    /// Returns the largest global size along each dimension, `CL_KERNEL_GLOBAL_WORK_SIZE`. Defined
    /// for built-in kernels and on custom devices only; `None` otherwise.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn global_work_size(&self) -> Result<Option<[usize; 3]>> {
        info::known(self.work_group_raw(raw::CL_KERNEL_GLOBAL_WORK_SIZE))
    }

    fn work_group<T: AnyBitPattern>(&self, name: cl_uint) -> Result<T> {
        self.work_group_raw(name).map_err(|error| error.note(format!("kernel `{}`", self.name)))
    }

    /// Adds no note, because [`info::known`] must see the driver's own errors.
    fn work_group_raw<T: AnyBitPattern>(&self, name: cl_uint) -> Result<T> {
        let get = self.library.functions().clGetKernelWorkGroupInfo;
        info::value("clGetKernelWorkGroupInfo", |size, value, ret| {
            // SAFETY: a valid kernel and its device; `info` passes matching pointers and sizes.
            unsafe { get(self.raw, self.device().as_raw(), name, size, value, ret) }
        })
    }

    /// Returns an error unless the device can run work-groups of several sizes in one launch.
    pub(crate) fn check_non_uniform(&self) -> Result<()> {
        if has_non_uniform_groups(self.device())? {
            return Ok(());
        }
        let feature = format!("non-uniform work-groups, for kernel `{}`", self.name);
        Err(Error::Unsupported { feature, device: self.device().to_string() })
    }
}

/// Returns whether the device has non-uniform work-groups. OpenCL 2.x requires them; 3.0 has a query.
fn has_non_uniform_groups(device: &Device) -> Result<bool> {
    let version = device.opencl_version()?;
    Ok(match device.has_non_uniform_groups()? {
        Some(answer) => answer,
        None => version >= Version::new(2, 0) && version < Version::new(3, 0),
    })
}
