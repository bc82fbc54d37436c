//! Radix sort in two launches a pass: the digits of contiguous runs are counted, and their items moved.

use super::passes::{BINS, Digit, Items, names};
use crate::codegen::{Fused, Template, profile};
use crate::tuning::Tunable;
use cl_core::{Access, Arg, Result};

/// `kernels/sort_runs.cl`.
static TEMPLATE: Template = Template {
    kernel: "sort_runs",
    text: concat!(include_str!("../../kernels/sort_items.cl"), include_str!("../../kernels/sort_runs.cl")),
    values: names!["PASS", "STREAMED"],
    shape: |profile, _, values| {
        profile.runs(Tunable::Sort, values.first().map_or(1, |&key| key as usize), GRAIN)
    },
    options: |options, _| options,
};

/// Items that are worth a work-item of their own: all of them go through a table of all digits.
const GRAIN: usize = 16_384;

pub(super) fn sort(items: &Items<'_>) -> Result<()> {
    let (queue, len) = (items.queue, items.len);
    // On a 2-core EPYC under PoCL, 2^24 `u32` take 96 ms past the caches and 174 through them, with as many
    // values 127 and 192; `slice::sort_unstable` takes 285 there.
    let cache = profile(queue.context())?.cache;
    let streamed = i64::from(cache > 0 && len.saturating_mul(items.bytes()) > cache);
    let kernel = |mut values: Vec<i64>, own: [i64; 2]| {
        values.extend(own);
        Fused::new(&TEMPLATE, items.operation).by(&TEMPLATE, &values)
    };
    let kernels = [
        kernel(items.key_values(), [0, 0]),
        kernel(items.all_values(items.indices), [1, streamed]),
        kernel(items.all_values(false), [1, streamed]),
    ];
    let ready = Fused::compile_all(&kernels.each_ref(), queue, items.reach)?;
    let (count, first, rest) = (&ready[0], &ready[1], &ready[2]);
    let shape = count.shape();
    let groups = (len / shape.tile()).clamp(1, shape.max_groups);
    let counts = queue.scratch(groups * BINS * size_of::<u64>())?;
    items.each_pass(|pass| {
        let mut own = pass.arguments();
        let Digit { shift, mask } = pass.digit;
        let digit = [Arg::value(items.kind.flip), Arg::value(shift), Arg::value(mask), count.index(len)];
        let counting = [&[own[0], Arg::Memory(&counts, Access::Overwrite)], &digit[..]].concat();
        // SAFETY: there are no more runs than items, and room for the counts of each.
        unsafe { count.launch(&counting, groups, 1)? };
        own.push(Arg::Memory(&counts, Access::Read));
        own.extend(digit);
        let moves = if pass.number == 0 { first } else { rest };
        // SAFETY: as above; keys and values have `len` items before, and room for as many after.
        unsafe { moves.launch(&own, groups, 1) }
    })
}
