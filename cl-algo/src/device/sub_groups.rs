//! Sub-groups: the back-end by which work-items that run in step exchange values in `kernels/subgroup.cl`, and their
//! width.
//!
//! The module `codegen::sub_groups` tests a device's answers before anything relies on them.

use cl_core::{Device, Result};

/// The way in which the work-items of a sub-group exchange values; the value of `SUB_GROUPS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Backend {
    /// Local memory: each work-item is a sub-group of its own.
    None = 0,
    /// Inline PTX.
    Ptx = 1,
    /// `cl_khr_subgroup_shuffle` and `cl_khr_subgroup_ballot`.
    Khr = 2,
    /// `cl_intel_subgroups`.
    Intel = 3,
}

/// The sub-groups that kernels use on a device, as one of their [`Parameters`](crate::codegen::Parameters). A field
/// `sub_groups` defines `SUB_GROUPS`, the back-end by which the work-items of a sub-group exchange values, and
/// `SUB_GROUP_WIDTH`, the number of work-items in a sub-group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubGroups {
    pub(crate) backend: Backend,
    /// The number of work-items of each sub-group, a power of two.
    pub(crate) width: usize,
}

/// The widths that kernels can have: messages and masks of lanes are made for these.
const WIDTHS: std::ops::RangeInclusive<usize> = 8..=64;
/// The preferred width: if a device offers several widths, the nearest to this one is used. It is also assumed for
/// hardware that does not report a width. Smaller work-groups never pay off.
const PREFERRED: usize = 32;

/// Returns the widths that the device reports and kernels can have, the preferred one first.
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
    /// Sub-groups of one work-item.
    pub(crate) const NONE: SubGroups = SubGroups { backend: Backend::None, width: 1 };
    /// NVIDIA's warps.
    pub(crate) const WARPS: SubGroups = SubGroups { backend: Backend::Ptx, width: 32 };

    /// Returns the unit of a work-group's size, and the smallest work-group that rows of tuning tables may ask for.
    pub(crate) fn groups(self) -> (usize, usize) {
        (self.width, self.width.max(PREFERRED))
    }

    /// Returns the sub-groups that the device says it has: the best back-end first, and for each the preferred width.
    pub(crate) fn reported_by(device: &Device) -> Result<Vec<SubGroups>> {
        let mut reported = Vec::new();
        if device.has_extension("cl_nv_compiler_options")? {
            reported.push(SubGroups::WARPS);
        }
        // The width must be known: kernels request it, unless the hardware has only this width.
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
                reported.extend(widths.iter().map(|&width| SubGroups { backend, width }));
            }
        }
        Ok(reported)
    }
}
