//! One description of a device, and how kernels of each family divide their work on it.

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

/// Facts of one device, asked once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceProfile {
    /// The device's name, for errors.
    pub name: String,
    /// Who made it, and of which generation it is: what rules for shapes are chosen by.
    pub architecture: Architecture,
    /// Few big work-groups that own contiguous chunks (CPUs), instead of one tile a work-group.
    pub chunked: bool,
    /// Compute units.
    pub compute_units: usize,
    /// The most work-items that a work-group can have, of powers of two.
    pub largest_group: usize,
    /// Work-items that run in step, as the hardware has it, whether or not kernels can exchange values among them.
    pub sub_group_width: usize,
    /// Bytes of the last cache in front of the memory; 0 where the driver does not tell.
    pub cache: usize,
    /// Bytes of local memory that a work-group can have.
    pub local_memory: usize,
    /// Whether kernels can use `double`.
    pub fp64: bool,
    /// Whether kernels can use `half`.
    pub fp16: bool,
    /// Whether `/` and `sqrt` on `float` can be asked to round correctly.
    pub rounds_division_correctly: bool,
    /// The steps after which the device ends all loops of a work-item, without an error; nothing where it lets
    /// them run. Kernels look at their end whether that happened.
    pub loop_steps: Option<u32>,
    /// What its compiler cannot do.
    pub(crate) quirks: Quirks,
    /// How work-groups of one launch can see each other's writes.
    pub fence: Option<DeviceFence>,
    /// The rows of the tuning tables that are for it.
    pub(crate) rows: Vec<Row>,
}

/// What a driver's compiler cannot do, and kernels go without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Quirks {
    /// Trees of minima or maxima over a hundred values and more must stay loops: `KEEPS_FOLDS` is defined.
    pub(crate) keeps_folds: bool,
    /// It reads the declarations of all built-in functions, unless it is kept from that.
    pub(crate) reads_all_declarations: bool,
    /// What is written to structs gets lost, unless they are `volatile`.
    pub(crate) loses_structs: bool,
}

/// What a context remembers of its device.
#[derive(Default)]
struct Known(OnceLock<Arc<DeviceProfile>>);

/// Returns the profile of the context's device, which is asked once in each context: [`DeviceProfile::of`] asks each time.
///
/// # Errors
/// As [`DeviceProfile::of`].
pub fn profile(context: &Context) -> Result<Arc<DeviceProfile>> {
    let known = context.attachment::<Known>();
    if let Some(profile) = known.0.get() {
        return Ok(Arc::clone(profile));
    }
    let profile = Arc::new(DeviceProfile::of(context.device())?);
    Ok(Arc::clone(known.0.get_or_init(|| profile)))
}

impl DeviceProfile {
    /// Asks the device. The first call in a process also runs one to three small kernels on the device, and compares
    /// their results with the right ones. CPUs on which long loops end too early get the kernels of GPUs, and devices
    /// that lose writes to structs get kernels whose structs are `volatile`.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer; [`Error::Unsupported`] for a device that cannot be
    /// relied on; [`Error::InvalidInput`] when the tuning table that
    /// `CL_TUNING` names cannot be read, or is none.
    pub fn of(device: &Device) -> Result<DeviceProfile> {
        // Powers of two, because reductions halve them.
        let largest_group = 1 << device.max_work_group_size()?.max(1).ilog2();
        // Not `to_string`, which would keep an error's text as the name for good.
        let name = format!("{} ({})", device.name()?, device.platform().name()?);
        let fence = DeviceFence::of(device)?;
        let seen = probe::seen(device, &name, largest_group, fence)?;
        let chunked = device.kind()?.contains(DeviceKind::CPU) && seen.lone_items;
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
            loop_steps: seen.loop_steps,
            quirks: Quirks {
                keeps_folds: device.has_quirk(Quirk::CrashesOnTreesOfExtremes)?,
                reads_all_declarations: device.has_quirk(Quirk::ReadsAllDeclarations)?,
                loses_structs: !seen.keeps_structs,
            },
            fence: fence.filter(|_| seen.fences),
        })
    }

    /// That kernels can use the type.
    ///
    /// # Errors
    /// [`Error::Unsupported`] when they cannot.
    pub fn require(&self, element: ElementType) -> Result<()> {
        let feature = if !self.fp64 && element.contains(ScalarType::F64) {
            "double precision (cl_khr_fp64)"
        } else if !self.fp16 && element.contains(ScalarType::F16) {
            "half precision (cl_khr_fp16)"
        } else {
            return Ok(());
        };
        Err(Error::Unsupported { feature: feature.to_owned(), device: self.name.clone() })
    }

    /// The shape of elementwise kernels, for elements of `size` bytes.
    #[must_use]
    pub fn elementwise(&self, size: usize) -> Shape {
        self.tuned(&ELEMENTWISE, size, self.largest_group, self.by_rule(&ELEMENTWISE, size))
    }

    /// The shape of elementwise kernels that compute several elements at once, such as random numbers.
    #[must_use]
    pub fn generation(&self, size: usize) -> Shape {
        self.tuned(&GENERATE, size, self.largest_group, self.by_rule(&GENERATE, size))
    }

    /// The shape of reductions of elements of `size` bytes.
    #[must_use]
    pub fn reduction(&self, size: usize) -> Shape {
        let rule = self.by_rule(&REDUCE, size);
        self.tuned(&REDUCE, size, rule.group, rule)
    }

    /// Returns the rule for kernels of elements of `size` bytes, in the kernels that suit the device.
    #[must_use]
    pub fn rule(&self, what: &Tunable, size: usize) -> Rule {
        self.rule_for(what, size, self.chunked)
    }

    /// Returns the rule for kernels that suit CPUs, or for those that suit GPUs, whatever the device is.
    #[must_use]
    pub fn rule_for(&self, what: &Tunable, size: usize, cpu: bool) -> Rule {
        what.rule(&self.architecture, cpu, size)
    }

    /// Returns the rule for kernels in which work-items of a group work together, also on CPUs.
    pub(crate) fn tile_rule(&self, what: &Tunable, size: usize) -> Rule {
        self.rule_for(what, size, false)
    }

    /// Returns the shape that the rule asks for, of packs of 16 bytes on GPUs, and on CPUs of 64: the widest vector
    /// register there is.
    pub(crate) fn by_rule(&self, what: &Tunable, size: usize) -> Shape {
        let pack = pack(if self.chunked { 64 } else { 16 }, size);
        self.in_packs(self.rule(what, size), size, pack)
    }

    /// Returns the shape that a rule asks for, in packs of `pack` items.
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

    /// The shape of kernels in which a work-item goes through a contiguous run, one item after the other: what a rule
    /// for CPUs holds is worth a work-item of its own, and is its tile.
    pub(crate) fn runs(&self, what: &Tunable, size: usize) -> Shape {
        let rule = self.rule_for(what, size, true);
        // GPUs go through runs only where there are few items: rows are not meant for that.
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

    /// What the tuning tables say about kernels of elements of `size` bytes on this device.
    #[must_use]
    pub fn tuning(&self, what: &Tunable, size: usize) -> Tuning {
        tuning::find(&self.rows, what, size)
    }

    /// A rule's shape, or a row's as far as kernels can bear it: groups of up to `most` work-items and as many
    /// packs as fit into registers, both powers of two, because reductions halve them.
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

    /// How many work-items a group has, and how many bytes of items each of them holds, in kernels of GPUs whose groups
    /// are multiples of `unit` work-items, and have `least` of them or more where the device has such groups. A row that
    /// asks for more local memory than there is, which `local` tells, counts for nothing.
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
        // A rule is for the architecture's usual sub-groups: others may need larger tables.
        while local(rule.0, rule.1) > self.local_memory && rule.1 > size {
            rule.1 -= size.max(1);
        }
        let whole = |group: usize| group.max(least).min(self.largest_group) / unit * unit;
        let group = tuning.group.map_or(rule.0, whole);
        // Far more than registers can hold: what comes of it stays far from overflowing.
        let bytes = tuning.bytes.map_or(rule.1, |bytes| bytes.min(1 << 16));
        if group < least || local(group, bytes) > self.local_memory { rule } else { (group, bytes) }
    }

    /// Returns `group` if the device has groups of `group` work-items; otherwise the largest multiple of `unit` that it
    /// has, and 1 if it has none.
    pub(crate) fn bounded_group(&self, group: usize, unit: usize) -> usize {
        let whole = self.largest_group / unit * unit;
        if group > self.largest_group { whole.max(1) } else { group }
    }

    /// Bytes of local memory that a work-group's items take at most, of those that a rule would give them.
    pub(crate) fn local_room(&self, most: usize) -> usize {
        most.min(self.local_memory.saturating_sub(LOCAL_REST))
    }
}

/// Local memory that kernels have for small things besides.
const LOCAL_REST: usize = 8 << 10;
/// Packs of a work-item in a tile, at most: more do not fit into its registers.
const MOST_PACKS: usize = 16;
/// Items that may be asked to be worth a work-item of their own.
const MOST_GRAIN: usize = 1 << 20;

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::device::shapes::{SELECT, SORT};
    use cl_core::Vendor;

    /// A device of NVIDIA's with 48 KiB of local memory, and the rows of a table.
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

    /// A row for elements of 4 bytes.
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

    /// Rules go by architecture, and by nothing else that the device can do.
    #[test]
    fn another_vendor_has_other_shapes() {
        let nvidia = DeviceProfile { fence: None, ..profile(false, "") };
        let amd = Architecture::new(Vendor::Amd, false, "gfx942");
        let amd = DeviceProfile { architecture: amd, fence: Some(DeviceFence::Ptx), ..profile(false, "") };
        assert_eq!([nvidia.reduction(4).group, amd.reduction(4).group], [512, 256]);
    }
}
