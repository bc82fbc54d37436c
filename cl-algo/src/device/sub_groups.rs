//! Sub-groups: how work-items that run in step reach each other, of what `kernels/subgroup.cl` knows, and how many they
//! are.
//!
//! What a device says that it can do is tried before anything relies on it, by `codegen`'s `sub_groups`.

use cl_core::{Device, Result};

/// How the work-items of a sub-group reach each other; the value of `SUB_GROUPS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Backend {
    /// By local memory: each of them is a sub-group of its own.
    None = 0,
    /// By inline PTX.
    Ptx = 1,
    /// By `cl_khr_subgroup_shuffle` and `cl_khr_subgroup_ballot`.
    Khr = 2,
    /// By `cl_intel_subgroups`.
    Intel = 3,
}

/// The sub-groups that kernels use on a device, as one of their [`Parameters`](crate::codegen::Parameters): a field `sub_groups` defines `SUB_GROUPS`,
/// how the work-items of a sub-group reach each other, and `SUB_GROUP_WIDTH`, how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubGroups {
    pub(crate) backend: Backend,
    /// Work-items of each, a power of two.
    pub(crate) width: usize,
}

/// Widths that kernels can have: messages and masks of lanes are made for these.
const WIDTHS: std::ops::RangeInclusive<usize> = 8..=64;
/// Of several widths that a device offers the nearest to this one is taken. It is also the width of hardware of which
/// nothing is known, and smaller work-groups are never worth while.
const PREFERRED: usize = 32;

/// Returns the widths that the device tells and kernels can have, the preferred one first.
fn widths_of(device: &Device) -> Result<Vec<usize>> {
    let mut widths = device.sub_group_sizes()?.unwrap_or_default();
    widths.retain(|width| width.is_power_of_two() && WIDTHS.contains(width));
    widths.sort_by_key(|width| width.abs_diff(PREFERRED));
    Ok(widths)
}

/// Returns the number of work-items that run in step, whether or not they can exchange values.
pub(super) fn width_of(device: &Device) -> Result<usize> {
    Ok(widths_of(device)?.first().copied().unwrap_or(PREFERRED))
}

impl SubGroups {
    /// None: each work-item for itself.
    pub(crate) const NONE: SubGroups = SubGroups { backend: Backend::None, width: 1 };
    /// NVIDIA's warps.
    pub(crate) const WARPS: SubGroups = SubGroups { backend: Backend::Ptx, width: 32 };

    /// Returns what a work-group's size is a multiple of, and the fewest work-items that rows may ask for.
    pub(crate) fn groups(self) -> (usize, usize) {
        (self.width, self.width.max(PREFERRED))
    }

    /// What the device says that it has: the best back-end first, and of each the preferred width.
    pub(crate) fn told_by(device: &Device) -> Result<Vec<SubGroups>> {
        let mut told = Vec::new();
        if device.has_extension("cl_nv_compiler_options")? {
            told.push(SubGroups::WARPS);
        }
        // The width must be known: kernels ask for it, or the hardware has no other.
        let widths = widths_of(device)?;
        for (backend, extensions) in [
            (Backend::Khr, &["cl_khr_subgroup_shuffle", "cl_khr_subgroup_ballot"][..]),
            (Backend::Intel, &["cl_intel_subgroups"]),
        ] {
            let mut has_all = !widths.is_empty();
            for extension in extensions {
                has_all = has_all && device.has_extension(extension)?;
            }
            if has_all {
                told.extend(widths.iter().map(|&width| SubGroups { backend, width }));
            }
        }
        Ok(told)
    }
}
