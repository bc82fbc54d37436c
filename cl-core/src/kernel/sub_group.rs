//! Sub-groups of a kernel: the division of a work-group.

use super::Kernel;
use crate::error::{Error, Result};
use crate::info;
use crate::launch::WorkSize;
use crate::raw;
use crate::raw::{cl_uint, require};
use bytemuck::AnyBitPattern;

const CALL: &str = "clGetKernelSubGroupInfo";

/// `CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL`, of the extension `cl_intel_required_subgroup_size`.
const REQUIRED_SIZE: cl_uint = 0x410A;

/// Queries about sub-groups. They need OpenCL 2.1 and a device that has sub-groups.
impl Kernel {
    /// Returns the largest number of work-items of a sub-group, for work-groups of size `local`.
    ///
    /// # Errors
    /// [`Error::Unsupported`] without sub-groups, [`Error::Driver`] when the driver refuses.
    pub fn sub_group_size(&self, local: impl Into<WorkSize>) -> Result<usize> {
        let WorkSize { dimensions, sizes } = local.into();
        self.sub_group(raw::CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, &sizes[..dimensions])
    }

    /// Returns the number of sub-groups in a work-group of size `local`.
    ///
    /// # Errors
    /// As [`Kernel::sub_group_size`].
    pub fn sub_groups(&self, local: impl Into<WorkSize>) -> Result<usize> {
        let WorkSize { dimensions, sizes } = local.into();
        self.sub_group(raw::CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, &sizes[..dimensions])
    }

    /// Returns a size of work-groups that have `count` sub-groups, or `None` if such a size does not
    /// exist.
    ///
    /// # Errors
    /// As [`Kernel::sub_group_size`].
    pub fn local_size_for(&self, count: usize) -> Result<Option<[usize; 3]>> {
        let size: [usize; 3] = self.sub_group(raw::CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, &[count])?;
        Ok(Some(size).filter(|size| !size.contains(&0)))
    }

    /// Returns the largest number of sub-groups that a work-group of this kernel can have.
    ///
    /// # Errors
    /// As [`Kernel::sub_group_size`].
    pub fn max_sub_groups(&self) -> Result<usize> {
        self.sub_group(raw::CL_KERNEL_MAX_NUM_SUB_GROUPS, &[])
    }

    /// Returns the number of sub-groups that the kernel's source requires, if it requires one.
    ///
    /// # Errors
    /// As [`Kernel::sub_group_size`].
    pub fn required_sub_groups(&self) -> Result<Option<usize>> {
        let count: usize = self.sub_group(raw::CL_KERNEL_COMPILE_NUM_SUB_GROUPS, &[])?;
        Ok((count > 0).then_some(count))
    }

    /// Returns the size of sub-groups that the kernel's source requires. Returns `None` if the source
    /// does not require a size, or if the device lacks `cl_intel_required_subgroup_size`.
    ///
    /// # Errors
    /// As [`Kernel::sub_group_size`].
    pub fn required_sub_group_size(&self) -> Result<Option<usize>> {
        if !self.device().has_extension("cl_intel_required_subgroup_size")? {
            return Ok(None);
        }
        let size: usize = self.sub_group(REQUIRED_SIZE, &[])?;
        Ok((size > 0).then_some(size))
    }

    fn sub_group<T: AnyBitPattern>(&self, name: cl_uint, input: &[usize]) -> Result<T> {
        if self.device().max_sub_groups()?.unwrap_or(0) == 0 {
            let feature = "sub-groups".to_owned();
            return Err(Error::Unsupported { feature, device: self.device().to_string() });
        }
        let get = require::clGetKernelSubGroupInfo(self.device())?;
        let (length, first) = match input {
            [] => (0, std::ptr::null()),
            _ => (size_of_val(input), input.as_ptr().cast()),
        };
        info::value(CALL, |size, value, ret| {
            // SAFETY: a valid kernel and its device, `length` bytes of input; `info` passes
            // matching pointers and sizes.
            unsafe { get(self.raw, self.device().as_raw(), name, length, first, size, value, ret) }
        })
        .map_err(|error| error.note(format!("kernel `{}`", self.name)))
    }
}
