//! Algorithms over expressions, one file a family.

mod assign;
mod merge;
mod merge_sort;
mod order;
mod reduce;
mod update;
mod update_all;
#[cfg(test)]
mod wide_index;

pub use assign::assign;
pub use merge::{merge, merge_by, merge_by_key};
pub use merge_sort::{argsort_by, sort_by, sort_by_key_by};
pub use update_all::{InPlace, assign_with};
