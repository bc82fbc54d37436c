//! Algorithms over expressions, one file for each family.

mod assign;
mod by_index;
mod by_key;
mod dictionary;
mod external_sort;
mod fluent;
mod histogram;
mod merge;
mod merge_sort;
mod moved;
mod order;
mod order_statistics;
mod reduce;
mod scan;
mod search;
mod segments;
mod select;
mod sequences;
mod sets;
mod sort;
pub mod stl;
mod transform;
mod update;
mod update_all;
#[cfg(test)]
mod wide_index;
#[cfg(test)]
mod widths;

pub use assign::assign;
pub(crate) use assign::{evaluate, fused_with};
pub use external_sort::{ExternalSort, HostSlices};
pub use fluent::{Scan, Selection};
pub use histogram::Levels;
pub use moved::StoredItems;
pub use reduce::reducers;
pub(crate) use scan::scan_stored;
pub use segments::Segments;
pub use sort::{LexicographicKey, LexicographicKeys, ScalarKey, Sort, SortKey};
pub use update_all::{InPlace, assign_with};
