//! Sorting by counting.

use super::InvalidMatrix;
use crate::index::Index;

/// Sorts items by a key of each, such as its row: which item comes at each place of the order, those of one key in the
/// order in which they are given. `offsets`, zeros at first and one more than there are keys, become where the items of
/// each key begin.
pub(super) fn counted<I: Index>(
    offsets: &mut [I],
    keys: impl ExactSizeIterator<Item = usize> + Clone,
) -> Result<Vec<usize>, InvalidMatrix> {
    let more = |offset: &mut I| -> Result<usize, InvalidMatrix> {
        let before = offset.to_usize();
        *offset = InvalidMatrix::count("values", before + 1)?;
        Ok(before)
    };
    // How many items each key has, one place further back; then how many come before it; then, as they are placed,
    // before the end of what it has.
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
