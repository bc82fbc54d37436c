//! The templates of the kernels for rows, and the values that they are filled with.

use crate::plan::Kernel;
use cl_algo::codegen::{Fused, Template};
use cl_algo::{DeviceProfile, Shape};

macro_rules! template {
    ($kernel:literal, $text:expr, [$($value:literal),*]) => {
        Template {
            kernel: $kernel,
            text: concat!(include_str!("../kernels/rows.cl"), $text),
            values: &["WIDE_OFFSETS", $($value),*],
            shape: single,
            options: |options, _| options,
        }
    };
}

/// `kernels/chunks.cl`.
static CHUNKS: Template = template!("row_chunks", include_str!("../kernels/chunks.cl"), []);
/// `kernels/staged.cl`.
static STAGED: Template =
    template!("row_staged", include_str!("../kernels/staged.cl"), ["GROUP_ITEMS", "PER"]);
/// `kernels/lanes.cl`.
static LANES: Template =
    template!("row_lanes", include_str!("../kernels/lanes.cl"), ["GROUP_ITEMS", "LANES_OF_ROW"]);
/// `kernels/merge.cl`.
static MERGE: Template =
    template!("row_merge", include_str!("../kernels/merge.cl"), ["GROUP_ITEMS", "PER", "FINAL"]);
/// `kernels/sell.cl`.
static SELL: Template = template!("row_sell", include_str!("../kernels/sell.cl"), ["GROUP_ITEMS", "HEIGHT"]);
/// `kernels/many.cl`.
pub(crate) static MANY: Template = Template {
    shape: many,
    ..template!("row_many", include_str!("../kernels/many.cl"), ["GROUP_ITEMS", "OF_CHUNKS"])
};

/// As [`single`], in the form that the last value says.
fn many(profile: &DeviceProfile, size: usize, values: &[i64]) -> Shape {
    Shape { chunked: values.last() == Some(&1), ..single(profile, size, values) }
}

/// Items are loaded one by one: how the work is divided is the kernel's matter.
fn single(profile: &DeviceProfile, _: usize, _: &[i64]) -> Shape {
    Shape { chunked: profile.chunked, group: 1, pack: 1, packs: 1, max_groups: usize::MAX, streams: false }
}

/// The parts of a product in the template of a kernel.
pub(crate) fn filled<'a>(parts: Fused<'a>, kernel: Kernel, wide_offsets: bool, last: bool) -> Fused<'a> {
    let (template, own): (_, &[usize]) = match kernel {
        Kernel::Chunks { .. } => (&CHUNKS, &[]),
        Kernel::Staged { group, per } => (&STAGED, &[group, per]),
        Kernel::Lanes { group, lanes } => (&LANES, &[group, lanes]),
        Kernel::Merge { group, per } => (&MERGE, &[group, per, usize::from(last)]),
    };
    let own = own.iter().map(|&value| value as i64);
    parts.by(template, &[i64::from(wide_offsets)].into_iter().chain(own).collect::<Vec<_>>())
}

/// The parts of a product in the template for slices of rows that were sorted.
pub(crate) fn sliced(parts: Fused<'_>, wide_offsets: bool, group: usize, height: usize) -> Fused<'_> {
    parts.by(&SELL, &[i64::from(wide_offsets), group as i64, height as i64])
}
