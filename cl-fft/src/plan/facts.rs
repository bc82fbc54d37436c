//! What the planner needs to know of a device.

use cl_algo::{DeviceProfile, Rule, Tunable};

/// What tuning tables call `fft:lines`; elements are complex numbers. On GPUs "bytes" are those of the points that a
/// work-item holds at most, and a group is one of several short lines; on CPUs "bytes" are those of a work area.
pub static LINES: Tunable = Tunable::new(
    "fft:lines",
    &[
        Rule::gpu().element(8).group(128).items(32),
        Rule::gpu().group(128).items(16),
        Rule::cpu().bytes(1 << 20),
    ],
);

/// Facts that recipes are chosen by, and what follows from them unless somebody knows better: see
/// [`Planner::with_facts`](crate::Planner::with_facts), and [`LINES`] for rows of tuning tables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Facts {
    /// Whether a work-item does whole transforms, several at once in the lanes of vector registers, as CPUs
    /// like it; else a work-group does them together.
    pub cpu: bool,
    /// Compute units.
    pub compute_units: usize,
    /// Bytes of local memory that a work-group can have.
    pub local_memory: usize,
    /// Work-items that a work-group can have.
    pub largest_group: usize,
    /// Work-items that run in step.
    pub sub_group: usize,
    /// Bytes of a vector register.
    pub vector_bytes: usize,
    /// Bytes of a core's own cache.
    pub cache: usize,
    /// Points of `f32` and of `f64` that a work-item holds at most.
    pub held: [usize; 2],
    /// Work-items that a work-group of several lines should have.
    pub group_items: usize,
    /// Bytes that are moved at once where neighbouring lines, and not their points, are neighbours in memory; twice
    /// as many for lines of up to 512 points, and four times as many for up to 256.
    pub burst: usize,
    /// What it costs to move a point from stage to stage, where a point of a butterfly of 2 costs 10: the more, the
    /// larger the radices.
    pub exchange: usize,
    /// Bytes that passes may leave for the next in turns that stay in a cache; 0 for no turns.
    pub resident: usize,
    /// Whether the factors between passes over `f32` are computed from the angle, and not read from tables, where
    /// there are more than two passes: tables for two stay in the cache.
    pub sines: bool,
}

/// The least that there is a recipe for every problem with. More than the most is no core's own.
const LEAST_CACHE: usize = 64 << 10;
const MOST_CACHE: usize = 16 << 20;

/// Of a CPU's last cache, what a core may count on.
const SHARE: usize = 4 << 20;

/// With fewer points radices are small, and stages many; more points are in no registers.
const LEAST_HELD: usize = 8;
const MOST_HELD: usize = 64;

/// The most of each: beyond that no device is another one.
const MOST: usize = 1 << 30;

impl Facts {
    /// The facts that a profile tells.
    #[must_use]
    pub fn of(profile: &DeviceProfile) -> Facts {
        // On an H200 turns cost more launches than the cache is worth: 2^16 points 15.5 ms with, 1.16 without. A CPU's
        // cache may be that of a large machine, of which others have their share: 2^16 points in batches of 32 MiB, with
        // PoCL on 2 cores, 2.02 ns a point without turns, 1.86 with 8 MiB, 1.82 with 4 MiB.
        let share = if profile.chunked { profile.compute_units * SHARE } else { 0 };
        let of_group = |point: usize| profile.rule_for(&LINES, point, false);
        Facts {
            cpu: profile.chunked,
            compute_units: profile.compute_units,
            // What NVIDIA's devices have; more would leave room for one group a compute unit only.
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

    /// The facts with what a tuning table says about transforms of numbers of `size` bytes, within the bounds of what
    /// kernels can bear.
    pub(crate) fn tuned(mut self, profile: &DeviceProfile, size: usize) -> Facts {
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

    /// The facts within the least and the most of each that there is a recipe for every problem with.
    pub(crate) fn bounded(self) -> Facts {
        let vector_bytes = self.vector_bytes.clamp(16, 128).next_power_of_two();
        Facts {
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
