//! Counting sort.

use super::InvalidMatrix;
use crate::index::Index;

/// Returns the indices of the items, sorted by key, for instance by row. Items with equal keys keep their
/// order. `offsets` must hold zeros, one more than the number of different keys. The function replaces them
/// by the offsets at which the items of each key begin.
pub(super) fn counted<I: Index>(
    offsets: &mut [I],
    keys: impl ExactSizeIterator<Item = usize> + Clone,
) -> Result<Vec<usize>, InvalidMatrix> {
    let more = |offset: &mut I| -> Result<usize, InvalidMatrix> {
        let before = offset.to_usize();
        *offset = InvalidMatrix::count("values", before + 1)?;
        Ok(before)
    };
    // `offsets[key + 1]` is first the number of items with that key, then the number of items before them, and at last,
    // as items are placed, the end of the key's items.
    for key in keys.clone() {
        more(&mut offsets[key + 1])?;
    }
    let mut before = 0;
    for offset in &mut offsets[1..] {
        let count = offset.to_usize();
        *offset = InvalidMatrix::count("values", before)?;
        before += count;
    }
    let mut order = vec![0; keys.len()];
    for (at, key) in keys.enumerate() {
        order[more(&mut offsets[key + 1])?] = at;
    }
    Ok(order)
}
