//! The properties of a device that the planner needs.

use cl_algo::{DeviceProfile, Rule, Tunable};

/// The tunable `fft:lines` of tuning tables. Its element size is that of a complex number. On GPUs, "bytes"
/// limits the points that a work-item holds, and "group" is the work-group size for several short lines. On
/// CPUs, "bytes" is the size of a work area.
pub static LINES: Tunable = Tunable::new(
    "fft:lines",
    &[
        Rule::gpu().element(8).group(128).items(32),
        Rule::gpu().group(128).items(16),
        Rule::cpu().bytes(1 << 20),
    ],
);

/// The properties of a device that recipes depend on, and the settings that follow from them.
/// [`Planner::with_limits`](crate::Planner::with_limits) replaces them; tuning tables replace them by rows of [`LINES`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DeviceLimits {
    /// `true` if a work-item transforms several lines at once in the components of vector registers, as is best on
    /// CPUs. Otherwise a work-group transforms lines together.
    pub cpu: bool,
    /// The number of compute units.
    pub compute_units: usize,
    /// The local memory of a work-group in bytes.
    pub local_memory: usize,
    /// The largest work-group, in work-items.
    pub largest_group: usize,
    /// The number of work-items of a sub-group.
    pub sub_group: usize,
    /// The size of a vector register in bytes.
    pub vector_bytes: usize,
    /// The size of a core's own cache in bytes.
    pub cache: usize,
    /// The largest numbers of points that a work-item holds: of `f32`, and of `f64`.
    pub held: [usize; 2],
    /// The preferred number of work-items in a work-group of several lines.
    pub group_items: usize,
    /// The bytes that are moved at once if neighbouring lines, instead of neighbouring points, are neighbours in
    /// memory. Lines of up to 512 points move twice as many bytes, lines of up to 341 points three times as many, and
    /// lines of up to 256 points four times as many. Lines that are transformed in pairs move `burst` bytes, whatever
    /// their length.
    pub burst: usize,
    /// The cost of moving a point from stage to stage, where a point of a butterfly of 2 costs 10. A higher cost leads
    /// to larger radices.
    pub exchange: usize,
    /// The largest number of bytes that a pass leaves for the next pass in one of the
    /// [`Turns`](super::Turns), so that they stay in a cache; 0 to disable turns.
    pub resident: usize,
    /// `true` if the factors between passes over `f32` are computed from the angle instead of read from tables. Applies
    /// to recipes of more than two passes: the tables for two passes stay in the cache.
    pub sines: bool,
}

/// The bounds of a cache size. With the least size, every problem still has a recipe. A cache of more than the
/// largest size does not belong to one core.
const LEAST_CACHE: usize = 64 << 10;
const MOST_CACHE: usize = 16 << 20;

/// The share of a CPU's last-level cache that one core may use.
const SHARE: usize = 4 << 20;

/// The bounds of the points that a work-item holds. Fewer points lead to small radices and many stages; more points do
/// not fit into registers.
const LEAST_HELD: usize = 8;
const MOST_HELD: usize = 64;

/// The upper bound of most fields: larger values change nothing.
const MOST: usize = 1 << 30;

impl DeviceLimits {
    /// Returns the `DeviceLimits` of a device, from its profile.
    #[must_use]
    pub fn of(profile: &DeviceProfile) -> DeviceLimits {
        // On an H200, turns cost more launches than the cache is worth: 2^16 points take 15.5 ms with turns, 1.16 ms
        // without. A CPU's cache may belong to a large machine whose other programs use their share. With PoCL on 2
        // cores, 2^16 points in batches of 32 MiB take 2.02 ns a point without turns, 1.86 with 8 MiB, 1.82 with 4 MiB.
        let share = if profile.chunked { profile.compute_units * SHARE } else { 0 };
        let of_group = |point: usize| profile.rule_for(&LINES, point, false);
        DeviceLimits {
            cpu: profile.chunked,
            compute_units: profile.compute_units,
            // 48 KiB is the local memory of a group on NVIDIA's devices. With more, only one group would fit
            // into a compute unit.
            local_memory: profile.local_memory.min(48 << 10),
            largest_group: profile.largest_group.min(1024),
            sub_group: profile.sub_group_width,
            vector_bytes: 64,
            cache: profile.rule_for(&LINES, 8, true).held_bytes(8, 1),
            held: [8, 16].map(|point| of_group(point).held_items(point, 1)),
            group_items: of_group(8).group,
            burst: 64,
            exchange: 40,
            resident: share.min(profile.cache / 2),
            sines: !profile.chunked,
        }
    }

    /// Returns these `DeviceLimits` with a tuning table's settings for numbers of `size` bytes, within the kernels' limits.
    pub(crate) fn tuned(mut self, profile: &DeviceProfile, size: usize) -> DeviceLimits {
        let point = 2 * size;
        let row = profile.tuning(&LINES, point);
        if self.cpu {
            self.cache = row.bytes.map_or(self.cache, |bytes| bytes.clamp(LEAST_CACHE, MOST_CACHE));
        } else {
            let held = &mut self.held[usize::from(size == 8)];
            *held = row.bytes.map_or(*held, |bytes| (bytes / point).clamp(LEAST_HELD, MOST_HELD));
            self.group_items = row.group.map_or(self.group_items, |items| items.clamp(1, self.largest_group));
        }
        self
    }

    /// Returns these `DeviceLimits`, each clamped to a range that has a recipe for every problem.
    pub(crate) fn bounded(self) -> DeviceLimits {
        let vector_bytes = self.vector_bytes.clamp(16, 128).next_power_of_two();
        DeviceLimits {
            cpu: self.cpu,
            compute_units: self.compute_units.clamp(1, MOST),
            local_memory: self.local_memory.clamp(16 << 10, MOST),
            largest_group: self.largest_group.clamp(1, MOST),
            sub_group: self.sub_group.clamp(1, 128),
            vector_bytes,
            cache: self.cache.clamp(LEAST_CACHE, MOST),
            held: self.held.map(|held| held.min(MOST)),
            group_items: self.group_items.min(MOST),
            burst: self.burst.min(MOST),
            exchange: self.exchange.min(MOST),
            resident: self.resident.min(MOST),
            sines: self.sines,
        }
    }
}
