//! Algorithms over expressions, one file a family.

mod assign;
mod look_back;
mod reduce;
mod scan;
mod select;
mod sort;
mod update;
mod update_all;
#[cfg(test)]
mod wide_index;

pub use assign::assign;
pub use scan::{
    exclusive_scan, exclusive_scan_in_place, exclusive_scan_with, inclusive_scan, inclusive_scan_in_place,
    inclusive_scan_with,
};
pub use select::{copy_if, partition_copy, remove_copy_if, unique, unique_by, unique_by_key};
pub use sort::{Sort, SortKey, argsort, sort, sort_by_key, sort_by_key_descending, sort_descending};
pub use update_all::{InPlace, assign_with};
