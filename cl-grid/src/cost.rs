//! The model of the time of a kernel, by which parts of formulas are computed again or kept.

use cl_algo::codegen::profile;
use cl_algo::ranked::Work;
use cl_algo::{Rule, Tunable};
use cl_core::{Queue, Result};

/// The tunable `grid:cost` of tuning tables: how fast a device evaluates formulas. A row's "bytes" are the bytes that its
/// memory moves in a microsecond, "groups" the bytes of loads from its caches and of results of operations that a compute
/// unit has in a microsecond, and "group" is the number of microseconds of a launch.
///
/// On PoCL with two cores the choices for operators of seven points are those that measurements prefer
/// (`docs/performance.md`). The row of GPUs was fitted to the times of the same formulas on an H200.
pub static COST: Tunable = Tunable::new(
    "grid:cost",
    &[
        Rule::gpu().bytes(4_100_000).groups(450_000).group(5),
        Rule::cpu().bytes(25_000).groups(150_000).group(20),
    ],
);

/// The tunable `grid:layers` of tuning tables: the functions that CPUs keep in layers. A row's "bytes" are the bytes of the
/// layers of a work-group, which should be a part of the second cache. "groups" is the time of keeping a value, besides that of
/// computing it, as a number of loads.
///
/// On PoCL with two cores of an EPYC, slabs of 384 KiB took less processor time than slabs of 24 to 192 KiB. Keeping `f + g` takes
/// longer than computing it again for seven points.
pub static LAYERS: Tunable = Tunable::new("grid:layers", &[Rule::cpu().bytes(384 << 10).groups(18)]);

/// The costs on one device, in seconds for one element, or for one kernel.
pub(crate) struct Costs {
    /// The time of an element that is moved between memory and the device.
    stream: f64,
    /// The time of a load from a cache, or of an operation.
    step: f64,
    launch: f64,
    /// The time of keeping a value in layers.
    keep: f64,
}

/// Returns the number of bytes of the layers of a work-group, for elements of `size` bytes.
pub(crate) fn bytes_of_layers(queue: &Queue, size: usize) -> Result<usize> {
    let profile = profile(queue.context())?;
    let rule = || profile.rule(&LAYERS, size).held_bytes(size, 1);
    Ok(profile.tuning(&LAYERS, size).bytes.unwrap_or_else(rule))
}

impl Costs {
    /// Returns the costs for elements of `size` bytes.
    pub(crate) fn of(queue: &Queue, size: usize) -> Result<Costs> {
        let profile = profile(queue.context())?;
        let (tuning, rule) = (profile.tuning(&COST, size), profile.rule(&COST, size));
        let seconds = |bytes: usize| size as f64 * 1e-6 / bytes.max(1) as f64;
        let step = seconds(tuning.groups.or(rule.groups).unwrap_or(1)) / profile.compute_units as f64;
        let loads = profile.tuning(&LAYERS, size).groups.or(profile.rule(&LAYERS, size).groups);
        Ok(Costs {
            stream: seconds(tuning.bytes.unwrap_or_else(|| rule.held_bytes(size, 1))),
            step,
            launch: tuning.group.unwrap_or(rule.group) as f64 * 1e-6,
            keep: loads.unwrap_or(1) as f64 * step,
        })
    }

    /// Returns the estimated time in seconds of a kernel that keeps a function in layers. `kept` is the work for a value of
    /// this function, each of which is computed `overlap` times, and `own` the work for a point that reads the values.
    /// `vectors` is the number of vectors that both read.
    pub(crate) fn time_in_layers(
        &self,
        kept: Work,
        own: Work,
        vectors: usize,
        overlap: f64,
        shape: impl IntoIterator<Item = usize>,
    ) -> f64 {
        let points: f64 = shape.into_iter().map(|len| len as f64).product();
        let computed = overlap * (kept.loads + kept.operations) as f64 + (own.loads + own.operations) as f64;
        let computed = computed * self.step + overlap * self.keep;
        points * ((vectors + 1) as f64 * self.stream + computed) + self.launch
    }

    /// Returns the estimated time in seconds of a kernel that does this work for each point of a shape.
    pub(crate) fn time(&self, work: Work, shape: impl IntoIterator<Item = usize>) -> f64 {
        let points: f64 = shape.into_iter().map(|len| len as f64).product();
        // One stream is that of the results.
        let streams = (work.vectors + 1) as f64 * self.stream;
        let computed = (work.loads + work.operations) as f64 * self.step;
        points * (streams + computed) + self.launch
    }
}
