//! The description of a device, and the shapes of each family of kernels on it.

use super::fence::DeviceFence;
use super::probe;
use super::shape::{Shape, pack};
use super::shapes::{ELEMENTWISE, GENERATE, REDUCE};
use super::sub_groups;
use super::tunable::{Rule, Tunable};
use super::tuning::{self, Row, Tuning};
use crate::element::{ElementType, ScalarType};
use cl_core::{Architecture, Context, Device, DeviceKind, Error, Quirk, Result};
use std::sync::{Arc, OnceLock};

/// The properties of one device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceProfile {
    /// The device's name, for errors.
    pub name: String,
    /// The vendor and the generation, by which rules for shapes are chosen.
    pub architecture: Architecture,
    /// `true` for CPUs: a few big work-groups own contiguous chunks. Otherwise each work-group has one tile.
    pub chunked: bool,
    /// The number of compute units.
    pub compute_units: usize,
    /// The largest power of two that is a valid number of work-items of a work-group.
    pub largest_group: usize,
    /// The number of work-items that run in step on the hardware, even if kernels cannot exchange values among them.
    pub sub_group_width: usize,
    /// The size in bytes of the last cache in front of the memory; 0 if the driver does not report it.
    pub cache: usize,
    /// The size in bytes of a work-group's local memory.
    pub local_memory: usize,
    /// `true` if kernels can use `double`.
    pub fp64: bool,
    /// `true` if kernels can use `half`.
    pub fp16: bool,
    /// `true` if the compiler has an option for correctly rounded `/` and `sqrt` on `float`.
    pub rounds_division_correctly: bool,
    /// The number of steps after which the device ends all loops of a work-item, without an error; `None` if it does
    /// not end them. Kernels check at their end whether that happened.
    pub loop_steps: Option<u32>,
    /// The limitations of its compiler.
    pub(crate) quirks: Quirks,
    /// The fence by which work-groups of one launch see each other's writes.
    pub fence: Option<DeviceFence>,
    /// The rows of the tuning tables that apply to it.
    pub(crate) rows: Vec<Row>,
}

/// Limitations of a driver's compiler that kernels work around.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Quirks {
    /// `true` if the compiler crashes on unrolled trees of minima or maxima of a hundred values and more.
    /// Kernels keep such trees as loops if the macro `KEEPS_FOLDS` is defined.
    pub(crate) keeps_folds: bool,
    /// `true` if it reads the declarations of all built-in functions, unless a macro prevents this.
    pub(crate) reads_all_declarations: bool,
    /// `true` if writes to structs get lost, unless the structs are `volatile`.
    pub(crate) loses_structs: bool,
}

/// The profile that a context remembers.
#[derive(Default)]
struct Known(OnceLock<Arc<DeviceProfile>>);

/// Returns the profile of the context's device, which is queried once in each context. [`DeviceProfile::of`] queries
/// each time.
///
/// # Errors
/// As [`DeviceProfile::of`].
pub fn profile(context: &Context) -> Result<Arc<DeviceProfile>> {
    let known = context.attachment::<Known>();
    if let Some(profile) = known.0.get() {
        return Ok(Arc::clone(profile));
    }
    let profile = Arc::new(DeviceProfile::in_context(context.device(), || Ok(context.clone()))?);
    Ok(Arc::clone(known.0.get_or_init(|| profile)))
}

impl DeviceProfile {
    /// Queries the device. The first call in a process also runs one to three small kernels on the device, and compares
    /// their results with the right ones. CPUs that end long loops too early get the kernels of GPUs, and devices that
    /// lose writes to structs get kernels whose structs are `volatile`.
    ///
    /// # Errors
    /// [`Error::Driver`] if the driver fails to answer; [`Error::Unsupported`] for a device that cannot be relied on;
    /// [`Error::InvalidInput`] if the tuning table that `CL_TUNING` names cannot be read or is invalid.
    pub fn of(device: &Device) -> Result<DeviceProfile> {
        DeviceProfile::in_context(device, || Context::on(device))
    }

    /// Queries the device as [`of`](DeviceProfile::of) does, and runs the kernels in the context that `context` returns.
    /// NVIDIA's driver takes at least 0.12 s to create one on an H200's host.
    fn in_context(device: &Device, context: impl FnOnce() -> Result<Context>) -> Result<DeviceProfile> {
        // A power of two, because reductions halve groups.
        let largest_group = 1 << device.max_work_group_size()?.max(1).ilog2();
        // `device.to_string()` would put the text of a driver's error into the name, and the profile is kept.
        let name = format!("{} ({})", device.name()?, device.platform().name()?);
        let fence = DeviceFence::of(device)?;
        let behaviour = probe::observed_behaviour(device, &name, largest_group, fence, context)?;
        let chunked = device.kind()?.contains(DeviceKind::CPU) && behaviour.lone_items;
        Ok(DeviceProfile {
            rows: tuning::rows_for(&name)?,
            name,
            architecture: device.architecture()?,
            chunked,
            compute_units: device.compute_units()?.max(1) as usize,
            largest_group,
            sub_group_width: sub_groups::width_of(device)?,
            cache: usize::try_from(device.global_cache()?).unwrap_or(usize::MAX),
            local_memory: usize::try_from(device.local_memory()?).unwrap_or(usize::MAX),
            fp64: device.has_fp64()?,
            fp16: device.has_fp16()?,
            rounds_division_correctly: device.rounds_division_correctly()?,
            loop_steps: behaviour.loop_steps,
            quirks: Quirks {
                keeps_folds: device.has_quirk(Quirk::CrashesOnTreesOfExtremes)?,
                reads_all_declarations: device.has_quirk(Quirk::ReadsAllDeclarations)?,
                loses_structs: !behaviour.keeps_structs,
            },
            fence: fence.filter(|_| behaviour.fences),
        })
    }

    /// Returns an error unless kernels can use the type.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if they cannot.
    pub fn require(&self, element: ElementType) -> Result<()> {
        let feature = if !self.fp64 && element.contains(ScalarType::F64) {
            "double precision (cl_khr_fp64)"
        } else if !self.fp16 && element.contains(ScalarType::F16) {
            "half precision (cl_khr_fp16)"
        } else {
            return Ok(());
        };
        Err(Error::unsupported(feature.to_owned(), self.name.clone()))
    }

    /// Returns the shape of elementwise kernels, for elements of `size` bytes.
    #[must_use]
    pub fn elementwise(&self, size: usize) -> Shape {
        self.tuned(&ELEMENTWISE, size, self.largest_group, self.by_rule(&ELEMENTWISE, size))
    }

    /// Returns the shape of elementwise kernels that compute several elements at once, such as random numbers.
    #[must_use]
    pub fn generation(&self, size: usize) -> Shape {
        self.tuned(&GENERATE, size, self.largest_group, self.by_rule(&GENERATE, size))
    }

    /// Returns the shape of reductions of elements of `size` bytes.
    #[must_use]
    pub fn reduction(&self, size: usize) -> Shape {
        let rule = self.by_rule(&REDUCE, size);
        self.tuned(&REDUCE, size, rule.group, rule)
    }

    /// Returns the rule for elements of `size` bytes, in the kind of kernels (for CPUs or for GPUs) that suits the
    /// device.
    #[must_use]
    pub fn rule(&self, what: &Tunable, size: usize) -> Rule {
        self.rule_for(what, size, self.chunked)
    }

    /// Returns the rule for kernels for CPUs if `cpu` is `true`, otherwise for GPUs, on any device.
    #[must_use]
    pub fn rule_for(&self, what: &Tunable, size: usize, cpu: bool) -> Rule {
        what.rule(&self.architecture, cpu, size)
    }

    /// Returns the rule for kernels in which the work-items of a group work together, on CPUs too.
    pub(crate) fn tile_rule(&self, what: &Tunable, size: usize) -> Rule {
        self.rule_for(what, size, false)
    }

    /// Returns the rule's shape, with packs of 16 bytes on GPUs and of 64 bytes on CPUs: the widest vector register of
    /// any CPU.
    pub(crate) fn by_rule(&self, what: &Tunable, size: usize) -> Shape {
        let pack = pack(if self.chunked { 64 } else { 16 }, size);
        self.in_packs(self.rule(what, size), size, pack)
    }

    /// Returns the rule's shape, in packs of `pack` items.
    pub(crate) fn in_packs(&self, rule: Rule, size: usize, pack: usize) -> Shape {
        Shape {
            chunked: rule.is_for_cpus(),
            group: rule.group.min(self.largest_group),
            pack,
            packs: (rule.held_items(size, pack) / pack).max(1),
            max_groups: rule.groups.map_or(usize::MAX, |groups| groups * self.compute_units),
            streams: false,
        }
    }

    /// Returns the shape of kernels in which each work-item processes a contiguous chunk, one item after the
    /// other. The tile is [`Rule::held_items`] of the rule for CPUs: the smallest number of items that is
    /// worth a work-item.
    pub(crate) fn runs(&self, what: &Tunable, size: usize) -> Shape {
        let rule = self.rule_for(what, size, true);
        // GPUs process chunks only if there are few items; rows of tuning tables are not meant for that.
        let tuning = if self.chunked { self.tuning(what, size) } else { Tuning::default() };
        let grain = tuning.bytes.map_or(rule, |bytes| rule.bytes(bytes));
        Shape {
            chunked: self.chunked,
            group: 1,
            pack: 1,
            packs: grain.held_items(size, 1).clamp(1, MOST_GRAIN),
            max_groups: tuning.max_groups(self.compute_units, rule.groups),
            streams: false,
        }
    }

    /// Returns the numbers of the tuning tables for kernels of elements of `size` bytes on this device.
    #[must_use]
    pub fn tuning(&self, what: &Tunable, size: usize) -> Tuning {
        tuning::find(&self.rows, what, size)
    }

    /// Returns a rule's shape, changed by a row of the tuning tables within the limits of the kernels: groups of up to
    /// `most` work-items, and as many packs as fit into registers. Both are powers of two, because reductions halve
    /// them.
    pub(crate) fn tuned(&self, what: &Tunable, size: usize, most: usize, rule: Shape) -> Shape {
        let tuning = self.tuning(what, size);
        let mut shape = rule;
        if let (Some(group), false) = (tuning.group, rule.chunked) {
            shape.group = 1 << group.clamp(1, most.max(1)).ilog2();
        }
        if let Some(bytes) = tuning.bytes {
            let items = 1 << (bytes / size.max(1)).clamp(1, rule.pack * MOST_PACKS).ilog2();
            shape.pack = rule.pack.min(items);
            shape.packs = items / shape.pack;
        }
        if tuning.groups.is_some() {
            shape.max_groups = tuning.max_groups(self.compute_units, None);
        }
        shape
    }

    /// Returns the number of work-items of a group, and the number of bytes of items that each of them holds, in
    /// kernels of GPUs. Groups are multiples of `unit` work-items, and have at least `least` of them if the device has
    /// such groups. `local` returns the local memory that these numbers need; a row that needs more than the device has
    /// is ignored.
    pub(crate) fn tile(
        &self,
        what: &Tunable,
        size: usize,
        (unit, least): (usize, usize),
        local: impl Fn(usize, usize) -> usize,
    ) -> (usize, usize) {
        let tuning = self.tuning(what, size);
        let rule = self.tile_rule(what, size);
        let mut rule = (self.bounded_group(rule.group, unit), rule.held_bytes(size, pack(16, size)));
        // A rule is for the architecture's usual sub-groups. Kernels may need more local memory for
        // sub-groups of another width.
        while local(rule.0, rule.1) > self.local_memory && rule.1 > size {
            rule.1 -= size.max(1);
        }
        let whole = |group: usize| group.max(least).min(self.largest_group) / unit * unit;
        let group = tuning.group.map_or(rule.0, whole);
        // This is far more than registers can hold. The bound prevents overflow in sizes computed from it.
        let bytes = tuning.bytes.map_or(rule.1, |bytes| bytes.min(1 << 16));
        if group < least || local(group, bytes) > self.local_memory { rule } else { (group, bytes) }
    }

    /// Returns `group` if the device has groups of `group` work-items; otherwise the largest multiple of `unit` that it
    /// has, or 1.
    pub(crate) fn bounded_group(&self, group: usize, unit: usize) -> usize {
        let whole = self.largest_group / unit * unit;
        if group > self.largest_group { whole.max(1) } else { group }
    }

    /// Returns the number of bytes of local memory that a work-group's items may take, at most `most`.
    pub(crate) fn local_room(&self, most: usize) -> usize {
        most.min(self.local_memory.saturating_sub(LOCAL_REST))
    }
}

/// The number of bytes of local memory that are left for other variables of a kernel.
const LOCAL_REST: usize = 8 << 10;
/// The maximal number of packs of a work-item in a tile: more do not fit into its registers.
const MOST_PACKS: usize = 16;
/// The maximal number of items that a row can demand for each work-item.
const MOST_GRAIN: usize = 1 << 20;

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::device::shapes::{SELECT, SORT};
    use cl_core::Vendor;

    /// Returns the profile of an NVIDIA device with 48 KiB of local memory, with the rows of a table.
    pub(crate) fn profile(chunked: bool, table: &str) -> DeviceProfile {
        DeviceProfile {
            name: String::new(),
            architecture: Architecture::new(Vendor::Nvidia, chunked, "sm_90"),
            chunked,
            compute_units: 10,
            largest_group: 1024,
            sub_group_width: 32,
            cache: 0,
            local_memory: 48 << 10,
            fp64: true,
            fp16: false,
            rounds_division_correctly: true,
            loop_steps: None,
            quirks: Quirks::default(),
            fence: Some(DeviceFence::Ptx),
            rows: tuning::parse("table", table).unwrap(),
        }
    }

    /// Returns a row for elements of 4 bytes.
    pub(crate) fn row(what: &Tunable, numbers: &str) -> String {
        format!("-\t{what}\t4\t{}\n", numbers.replace(' ', "\t"))
    }

    #[test]
    fn rows_are_held_to_powers_of_two_and_to_what_kernels_bear() {
        let shape = |chunked, numbers| {
            let profile = profile(chunked, &row(&ELEMENTWISE, numbers));
            let Shape { group, pack, packs, max_groups, .. } = profile.elementwise(4);
            [group, pack, packs, max_groups]
        };
        for (numbers, expected) in [
            ("- - -", [256, 4, 1, usize::MAX]),
            ("512 32 2", [512, 4, 2, 20]),
            ("513 47 1", [512, 4, 2, 10]),
            ("0 0 0", [1, 1, 1, 10]),
            ("100000 100000 100000", [1024, 4, 16, 640]),
        ] {
            assert_eq!(shape(false, numbers), expected, "{numbers}");
        }
        for (numbers, expected) in [
            ("- - -", [1, 16, 4, 80]),
            ("512 64 4", [1, 16, 1, 40]),
            ("0 0 0", [1, 1, 1, 10]),
            ("100000 100000 100000", [1, 16, 16, 640]),
        ] {
            assert_eq!(shape(true, numbers), expected, "{numbers}");
        }
    }

    #[test]
    fn groups_of_reductions_are_no_larger_than_the_rule_has_them() {
        let profile = profile(false, &row(&REDUCE, "1024 64 4"));
        assert_eq!(profile.reduction(4).group, 512);
    }

    #[test]
    fn groups_that_scan_are_whole_sub_groups_and_not_too_many() {
        let group = |group, width, bytes| {
            let shape = Shape { group, ..profile(false, "").reduction(4) };
            shape.within_local(24 << 10, width, bytes).group
        };
        assert_eq!(group(8192, 32, 1), 1024);
        assert_eq!([8, 16, 64].map(|width| group(8192, width, 1)), [64, 256, 4096]);
        assert_eq!(group(8192, 1, 1), 8192);
        assert_eq!(group(384, 32, 64), 384);
        assert_eq!(group(384, 64, 64), 384);
        assert_eq!(group(384, 32, 256), 96);
        assert_eq!(group(384, 64, 256), 64);
        assert_eq!(group(384, 32, 384), 64);
        assert_eq!(group(384, 32, 1 << 20), 32);
    }

    #[test]
    fn grains_of_runs_are_for_cpus() {
        let grain = |chunked, numbers| {
            let shape = profile(chunked, &row(&SORT, numbers)).runs(&SORT, 4);
            [shape.tile(), shape.max_groups]
        };
        assert_eq!(grain(true, "- - -"), [16_384, 80]);
        assert_eq!(grain(true, "9 400 2"), [100, 20]);
        assert_eq!(grain(true, "0 0 0"), [1, 10]);
        assert_eq!(grain(false, "9 400 2"), [16_384, 80]);
    }

    #[test]
    fn tiles_have_whole_sub_groups_and_fit_into_local_memory() {
        let tile = |numbers| {
            let profile = profile(false, &row(&SELECT, numbers));
            profile.tile(&SELECT, 4, (32, 64), |group, bytes| group * bytes)
        };
        assert_eq!(tile("- - -"), (256, 144));
        assert_eq!(tile("384 128 -"), (384, 128), "just 48 KiB");
        assert_eq!(tile("384 129 -"), (256, 144), "more than there is");
        assert_eq!(tile("100 - -"), (96, 144));
        assert_eq!(tile("0 0 -"), (64, 0));
        assert_eq!(tile("100000 8 -"), (1024, 8));
        let mut small = profile(false, &row(&SELECT, "64 8 -"));
        small.largest_group = 32;
        assert_eq!(small.tile(&SELECT, 4, (32, 64), |_, _| 0), (32, 144), "no such group");
        small.largest_group = 100;
        assert_eq!(small.tile(&SELECT, 4, (32, 128), |_, _| 0), (96, 144), "no larger group");
        assert_eq!(small.tile(&SELECT, 4, (8, 32), |_, _| 0), (64, 8), "narrow sub-groups");
    }

    /// Checks that rules depend on the architecture, and on no other property of the device.
    #[test]
    fn another_vendor_has_other_shapes() {
        let nvidia = DeviceProfile { fence: None, ..profile(false, "") };
        let amd = Architecture::new(Vendor::Amd, false, "gfx942");
        let amd = DeviceProfile { architecture: amd, fence: Some(DeviceFence::Ptx), ..profile(false, "") };
        assert_eq!([nvidia.reduction(4).group, amd.reduction(4).group], [512, 256]);
    }
}
