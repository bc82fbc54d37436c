//! What the code generator needs to know of a device, and the tuning values that follow from it.

use crate::device_probe::{self, Seen};
use crate::element::{ElementType, ScalarType};
use crate::sub_groups::SubGroups;
use crate::tuning::{self, Row, Tunable, Tuning};
use cl_core::{BuildOptions, CVersion, Device, DeviceKind, Error, Result};

/// Facts of one device, asked once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceProfile {
    /// The device's name, for errors.
    pub name: String,
    /// Few big work-groups that own contiguous chunks (CPUs), instead of one tile a work-group.
    pub chunked: bool,
    /// Compute units.
    pub compute_units: usize,
    /// Work-items in a work-group.
    pub group: usize,
    /// The most work-items that a work-group can have, of powers of two.
    pub largest_group: usize,
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
    /// What is written to structs gets lost, unless they are `volatile`.
    pub(crate) loses_structs: bool,
}

/// The quirks of drivers, by parts of their platforms' names.
const QUIRKS: &[(&str, Quirks)] = &[
    // Version 2026.22 ends the process in "Machine InstCombiner".
    ("Intel(R) OpenCL", Quirks { keeps_folds: true, loses_structs: false }),
];

impl Quirks {
    fn of(device: &Device, seen: Seen) -> Result<Quirks> {
        let platform = device.platform().name()?;
        let known = QUIRKS.iter().find(|(name, _)| platform.contains(name));
        let known = known.map_or(Quirks::default(), |(_, quirks)| *quirks);
        Ok(Quirks { loses_structs: !seen.keeps_structs, ..known })
    }
}

/// A fence among all work-groups of a launch, which OpenCL C 1.2 does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeviceFence {
    /// `atomic_work_item_fence` of OpenCL C 3.0, an optional feature.
    OpenClC3,
    /// `membar.gl` of NVIDIA's PTX, as inline assembly. (NVIDIA's OpenCL C 3.0 fences within
    /// work-groups only.)
    Ptx,
}

impl DeviceFence {
    /// The value of `FENCE` in `kernels/last_group.cl`, which is 0 where there is no fence.
    pub(crate) fn number(self) -> i64 {
        match self {
            DeviceFence::Ptx => 1,
            DeviceFence::OpenClC3 => 2,
        }
    }

    /// The options of programs that use the fence.
    pub(crate) fn options(self, options: BuildOptions) -> BuildOptions {
        if self == DeviceFence::OpenClC3 { options.language(CVersion::C30) } else { options }
    }

    /// The fence that the device says it has.
    pub(crate) fn of(device: &Device) -> Result<Option<DeviceFence>> {
        if device.has_device_fence()? {
            return Ok(Some(DeviceFence::OpenClC3));
        }
        Ok(device.has_extension("cl_nv_compiler_options")?.then_some(DeviceFence::Ptx))
    }
}

/// How one kernel divides its work: the numbers that `kernels/shape.cl` describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Contiguous chunks instead of interleaved tiles.
    pub chunked: bool,
    /// Work-items in a work-group.
    pub group: usize,
    /// Elements that are loaded at once.
    pub pack: usize,
    /// Packs of a work-item in a tile.
    pub packs: usize,
    /// The most work-groups; more tiles than that are handed out in turn.
    pub max_groups: usize,
    /// Whether whole packs are written past the caches.
    pub streams: bool,
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
        let seen = device_probe::seen(device, &name, largest_group, fence)?;
        let chunked = device.kind()?.contains(DeviceKind::CPU) && seen.lone_items;
        Ok(DeviceProfile {
            rows: tuning::rows_for(&name)?,
            name,
            chunked,
            compute_units: device.compute_units()?.max(1) as usize,
            group: if chunked { 1 } else { largest_group.min(256) },
            largest_group,
            cache: usize::try_from(device.global_cache()?).unwrap_or(usize::MAX),
            local_memory: usize::try_from(device.local_memory()?).unwrap_or(usize::MAX),
            fp64: device.has_fp64()?,
            fp16: device.has_fp16()?,
            rounds_division_correctly: device.rounds_division_correctly()?,
            loop_steps: seen.loop_steps,
            quirks: Quirks::of(device, seen)?,
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
    ///
    /// On GPUs one pack of 16 bytes a work-item and no loop: on an NVIDIA H200 that moves 2 % more
    /// than `clEnqueueCopyBuffer`, where a grid-stride loop loses 6 to 30 %.
    #[must_use]
    pub fn elementwise(&self, size: usize) -> Shape {
        let rule = if self.chunked { self.chunks(size, 4) } else { self.tiles(size, 1, usize::MAX) };
        self.tuned(Tunable::Elementwise, size, self.largest_group, rule)
    }

    /// The shape of elementwise kernels that compute several elements at once, such as random numbers: on GPUs
    /// work-items have four packs, so that what is the same for all, round keys for example, is computed for
    /// four.
    #[must_use]
    pub fn generation(&self, size: usize) -> Shape {
        let rule = if self.chunked { self.chunks(size, 4) } else { self.tiles(size, 4, usize::MAX) };
        self.tuned(Tunable::Generate, size, self.largest_group, rule)
    }

    /// The shape of reductions of elements of `size` bytes: on GPUs a grid that fills the device, with
    /// 64 bytes a work-item in flight. On an NVIDIA H200, GB/s of summing 2^28 `f32` and of the dot
    /// product of two such
    /// vectors, by work-groups a compute unit: 2 4324 and 4425, 4 4496 and 4580, 6 4473 and 4573,
    /// 8 4481 and 4445, 16 4465, 32 4393, 64 4268; with 8 packs or 2 instead of 4 1 to 2 % less. Groups of
    /// 512 take 240.0 to 241.5 us where those of 256 take 242.3 to 243.7.
    #[must_use]
    pub fn reduction(&self, size: usize) -> Shape {
        let rule = self.reduction_rule(size);
        self.tuned(Tunable::Reduce, size, rule.group, rule)
    }

    /// [`DeviceProfile::reduction`] where no row says otherwise.
    pub(crate) fn reduction_rule(&self, size: usize) -> Shape {
        if self.chunked {
            return self.chunks(size, 8);
        }
        // PoCL 3.1 in the guise of a GPU never ends a reduction by groups of 512.
        let most = if self.fence == Some(DeviceFence::Ptx) { 512 } else { self.group };
        Shape { group: self.largest_group.min(most), ..self.tiles(size, 4, 4 * self.compute_units) }
    }

    /// CPUs: packs of 64 bytes, the widest vector register there is; eight chunks a compute unit,
    /// so that one slow core does not hold up the rest.
    fn chunks(&self, size: usize, packs: usize) -> Shape {
        let pack = pack(64, size);
        Shape { chunked: true, group: 1, pack, packs, max_groups: 8 * self.compute_units, streams: false }
    }

    /// The shape of kernels in which a work-item goes through a contiguous run, one item after the other:
    /// `grain` items, of `size` bytes, are worth a work-item of their own, and are its tile.
    pub(crate) fn runs(&self, what: Tunable, size: usize, grain: usize) -> Shape {
        // GPUs go through runs only where there are few items: rows are not meant for that.
        let tuning = if self.chunked { self.tuning(what, size) } else { Tuning::default() };
        Shape {
            chunked: self.chunked,
            group: 1,
            pack: 1,
            packs: tuning.bytes.map_or(grain, |bytes| (bytes / size.max(1)).clamp(1, MOST_GRAIN)),
            max_groups: tuning.max_groups(self.compute_units, 8 * self.compute_units),
            streams: false,
        }
    }

    /// What the tuning tables say about kernels of elements of `size` bytes on this device.
    #[must_use]
    pub fn tuning(&self, what: Tunable, size: usize) -> Tuning {
        tuning::find(&self.rows, what, size)
    }

    /// A rule's shape, or a row's as far as kernels can bear it: groups of up to `most` work-items and as many
    /// packs as fit into registers, both powers of two, because reductions halve them.
    pub(crate) fn tuned(&self, what: Tunable, size: usize, most: usize, rule: Shape) -> Shape {
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
        shape.max_groups = tuning.max_groups(self.compute_units, rule.max_groups);
        shape
    }

    /// How many work-items a group has, and how many bytes of items each of them holds, in kernels whose groups
    /// are whole sub-groups, of `least` work-items or more where the device has such groups. A row that asks for
    /// more local memory than there is, which `local` tells, counts for nothing.
    pub(crate) fn tile(
        &self,
        what: Tunable,
        size: usize,
        least: usize,
        rule: (usize, usize),
        local: impl Fn(usize, usize) -> usize,
    ) -> (usize, usize) {
        let tuning = self.tuning(what, size);
        let whole = |group: usize| group.max(least).min(self.largest_group) / SUBGROUP * SUBGROUP;
        let rule = (self.bounded_group(rule.0), rule.1);
        let group = tuning.group.map_or(rule.0, whole);
        // Far more than registers can hold: what comes of it stays far from overflowing.
        let bytes = tuning.bytes.map_or(rule.1, |bytes| bytes.min(1 << 16));
        if group < least || local(group, bytes) > self.local_memory { rule } else { (group, bytes) }
    }

    /// Returns `group` if the device has groups of `group` work-items; otherwise the work-items of the most whole
    /// sub-groups that fit into its largest group, and 1 if none fits.
    pub(crate) fn bounded_group(&self, group: usize) -> usize {
        let whole = self.largest_group / SUBGROUP * SUBGROUP;
        if group > self.largest_group { whole.max(1) } else { group }
    }

    /// Bytes of local memory that a work-group's items take at most.
    pub(crate) fn local_room(&self, sub_groups: SubGroups) -> usize {
        let most = if sub_groups == SubGroups::Ptx { LOCAL_BYTES_OF_WARPS } else { LOCAL_BYTES };
        most.min(self.local_memory.saturating_sub(LOCAL_REST))
    }

    fn tiles(&self, size: usize, packs: usize, max_groups: usize) -> Shape {
        Shape { chunked: false, group: self.group, pack: pack(16, size), packs, max_groups, streams: false }
    }
}

/// Local memory that a work-group's items take at most, where the device has that much: so that two
/// work-groups live side by side.
const LOCAL_BYTES: usize = 24 << 10;
/// The same on NVIDIA's devices, which have 48 KiB.
const LOCAL_BYTES_OF_WARPS: usize = 40 << 10;
/// Local memory that kernels have for small things besides.
const LOCAL_REST: usize = 8 << 10;
/// Packs of a work-item in a tile, at most: more do not fit into its registers.
const MOST_PACKS: usize = 16;
/// Items that may be asked to be worth a work-item of their own.
const MOST_GRAIN: usize = 1 << 20;
/// Work-items of the largest sub-group.
const SUBGROUP: usize = 32;

/// How many elements of a size make a pack of so many bytes: as many as OpenCL's vectors can have.
pub(crate) fn pack(bytes: usize, size: usize) -> usize {
    1 << (bytes / size.max(1)).clamp(1, 16).ilog2()
}

impl Shape {
    /// The shape with as few work-items as it takes for each of them to have so many bytes of the device's local
    /// memory, in whole sub-groups: large items need more than a device has. One sub-group scans the totals of all
    /// (`kernels/group_scan.cl`), and so there are no more sub-groups than a sub-group has work-items.
    pub(crate) fn within_local(
        mut self,
        profile: &DeviceProfile,
        sub_groups: SubGroups,
        bytes: usize,
    ) -> Shape {
        let (room, size) = (profile.local_room(sub_groups), sub_groups.size());
        if size > 1 {
            self.group = self.group.min(size * size);
        }
        while self.group > size && self.group.saturating_mul(bytes) > room {
            self.group = (self.group / 2).next_multiple_of(size);
        }
        self
    }

    /// Elements in a tile.
    #[must_use]
    pub fn tile(&self) -> usize {
        self.group * self.pack * self.packs
    }

    /// Work-groups for `len` elements, at least one.
    #[must_use]
    pub fn groups(&self, len: usize) -> usize {
        len.div_ceil(self.tile()).clamp(1, self.max_groups)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A device with 48 KiB of local memory, and the rows of a table.
    pub(crate) fn profile(chunked: bool, table: &str) -> DeviceProfile {
        DeviceProfile {
            name: String::new(),
            chunked,
            compute_units: 10,
            group: if chunked { 1 } else { 256 },
            largest_group: 1024,
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
    pub(crate) fn row(what: Tunable, numbers: &str) -> String {
        format!("-\t{what}\t4\t{}\n", numbers.replace(' ', "\t"))
    }

    #[test]
    fn rows_are_held_to_powers_of_two_and_to_what_kernels_bear() {
        let shape = |chunked, numbers| {
            let profile = profile(chunked, &row(Tunable::Elementwise, numbers));
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
        let profile = profile(false, &row(Tunable::Reduce, "1024 64 4"));
        assert_eq!(profile.reduction(4).group, profile.reduction_rule(4).group);
    }

    #[test]
    fn groups_that_scan_are_whole_sub_groups_and_not_too_many() {
        let group = |group, sub_groups, bytes| {
            let profile = profile(false, "");
            let shape = Shape { group, ..profile.reduction(4) };
            shape.within_local(&profile, sub_groups, bytes).group
        };
        assert_eq!(group(8192, SubGroups::Khr, 1), 1024);
        assert_eq!(group(8192, SubGroups::None, 1), 8192);
        assert_eq!(group(384, SubGroups::Khr, 64), 384);
        assert_eq!(group(384, SubGroups::Khr, 256), 96);
        assert_eq!(group(384, SubGroups::Khr, 384), 64);
        assert_eq!(group(384, SubGroups::Khr, 1 << 20), 32);
    }

    #[test]
    fn grains_of_runs_are_for_cpus() {
        let grain = |chunked, numbers| {
            let shape = profile(chunked, &row(Tunable::Sort, numbers)).runs(Tunable::Sort, 4, 77);
            [shape.tile(), shape.max_groups]
        };
        assert_eq!(grain(true, "- - -"), [77, 80]);
        assert_eq!(grain(true, "9 400 2"), [100, 20]);
        assert_eq!(grain(true, "0 0 0"), [1, 10]);
        assert_eq!(grain(false, "9 400 2"), [77, 80]);
    }

    #[test]
    fn tiles_have_whole_sub_groups_and_fit_into_local_memory() {
        let tile = |numbers| {
            let profile = profile(false, &row(Tunable::Select, numbers));
            profile.tile(Tunable::Select, 4, 64, (256, 32), |group, bytes| group * bytes)
        };
        assert_eq!(tile("- - -"), (256, 32));
        assert_eq!(tile("384 128 -"), (384, 128), "just 48 KiB");
        assert_eq!(tile("384 129 -"), (256, 32), "more than there is");
        assert_eq!(tile("100 - -"), (96, 32));
        assert_eq!(tile("0 0 -"), (64, 0));
        assert_eq!(tile("100000 8 -"), (1024, 8));
        let mut small = profile(false, &row(Tunable::Select, "64 8 -"));
        small.largest_group = 32;
        assert_eq!(small.tile(Tunable::Select, 4, 64, (256, 32), |_, _| 0), (32, 32), "no such group");
        small.largest_group = 100;
        assert_eq!(small.tile(Tunable::Select, 4, 128, (256, 32), |_, _| 0), (96, 32), "no larger group");
    }
}
