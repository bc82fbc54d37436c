//! Counting sorts: bytes are counted, and then written in order.

use super::key::Keys;
use super::passes::Items;
use crate::algorithm::histogram::count_bytes;
use crate::algorithm::moved::read_from;
use crate::codegen::look_back::Method;
use crate::codegen::{Fused, Template};
use crate::device::Shape;
use crate::expr::{Val, index};
use crate::kernels;
use crate::vec::DeviceVec;
use cl_core::{Access, Arg, Result};

/// The kernel `fill_runs` of `kernels/fill_runs.cl`.
static FILL: Template = Template {
    kernel: "fill_runs",
    definition: &kernels::FILL_RUNS,
    shape: |profile, _, ()| Shape { pack: PACK, ..profile.elementwise(1) },
};

/// The number of bytes that are stored at once.
const PACK: usize = 16;
/// The number of different bytes.
const BYTES: usize = 256;
/// The least number of keys for which a counting sort is faster than the passes of a radix sort.
const LEAST: usize = 1 << 16;

/// Returns whether the keys are bytes that are sorted by all bits, without values.
pub(super) fn is_suited(items: &Items<'_>, method: Method) -> bool {
    let Items { kind, bits, keys, values, within, .. } = items;
    let is_whole = matches!(kind.keys, Keys::Integers) && keys.size == 1 && *bits == (0..8);
    is_whole
        && values.is_empty()
        && within.is_none()
        && items.len >= LEAST
        && matches!(method, Method::ByDevice)
}

/// Sorts bytes by their counts. Equal keys cannot be told apart.
pub(super) fn sort(items: &Items<'_>) -> Result<()> {
    let &Items { operation, queue, len, ref kind, ref keys, .. } = items;
    // SAFETY: the histogram writes every element. If it cannot be enqueued, the vector is dropped.
    let mut counts = unsafe { DeviceVec::<u64>::uninit(queue, BYTES) }?;
    count_bytes(operation, read_from::<u8>(queue, &[keys.first], len), &mut counts)?;
    let flip = (kind.flip & 255) as u32;
    let order = index::<u32>().take(BYTES).map(|number: Val<u32>| number ^ flip);
    let ends = counts.iter().gather(order).inclusive_scan().collect()?;
    let fused = Fused::new(operation);
    let ready = fused.by(&FILL, ()).compile(queue, len)?;
    let shape = ready.shape();
    let own = [
        Arg::Memory(ends.memory(), Access::Read),
        Arg::Memory(keys.home, Access::Write),
        Arg::value(flip),
        ready.index(len),
    ];
    // SAFETY: the last of the ends is `len`, the number of keys.
    unsafe { ready.launch(&own, shape.groups(len), shape.group) }
}
