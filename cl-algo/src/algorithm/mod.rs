//! Algorithms over expressions, one file a family.

mod assign;
mod by_key;
mod histogram;
mod merge;
mod merge_sort;
mod moved;
mod order;
mod reduce;
mod scan;
mod search;
mod select;
mod sort;
mod transform;
mod update;
mod update_all;
#[cfg(test)]
mod wide_index;
#[cfg(test)]
mod widths;

pub use assign::assign;
pub use by_key::{
    exclusive_scan_by_key, exclusive_scan_by_key_with, inclusive_scan_by_key, inclusive_scan_by_key_with,
    reduce_by_key, reduce_by_key_with,
};
pub use histogram::{Levels, histogram, histogram_even};
pub use merge::{merge, merge_by, merge_by_key};
pub use merge_sort::{argsort_by, sort_by, sort_by_key_by};
pub use reduce::*;
pub use scan::{
    exclusive_scan, exclusive_scan_in_place, exclusive_scan_with, inclusive_scan, inclusive_scan_in_place,
    inclusive_scan_with,
};
pub use search::{
    binary_search, binary_search_by, binary_searches, binary_searches_by, equal_range, equal_range_by,
    equal_ranges, equal_ranges_by, lower_bound, lower_bound_by, lower_bounds, lower_bounds_by, upper_bound,
    upper_bound_by, upper_bounds, upper_bounds_by,
};
pub use select::{copy_if, partition, partition_copy, remove_copy_if, unique, unique_by, unique_by_key};
pub use sort::{Sort, SortKey, argsort, sort, sort_by_key, sort_by_key_descending, sort_descending};
pub use transform::{
    adjacent_difference, assign_if, copy, fill, for_each, gather, generate, scatter, scatter_if, transform,
};
pub use update_all::{InPlace, assign_with};
