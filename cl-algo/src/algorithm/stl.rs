//! The algorithms by the names that C++'s standard library, Thrust and Boost.Compute give them.
//!
//! Inputs come first, then functions, then outputs. An input is any expression, an output any [`Sink`](crate::Sink), a
//! function any closure over symbolic values. `sort_by_key` sorts keys and values, as in Thrust. Most of these
//! algorithms are also methods: see [Algorithms](crate#algorithms). Random orders are in the crate `cl-random`.
//!
//! | family | functions |
//! | --- | --- |
//! | reductions | [`reduce`], [`reduce_on_device`], [`transform_reduce`], [`inner_product`], [`count`], [`count_if`] |
//! | searches | [`find`], [`find_if`], [`find_if_not`], [`any_of`], [`all_of`], [`none_of`], [`mismatch`], [`equal`], [`adjacent_find`], [`adjacent_find_by`], [`is_sorted`], [`is_sorted_by`] |
//! | searches for sequences | [`search`], [`find_end`], [`search_n`], [`find_first_of`]; with an equality, `_by` |
//! | comparisons of sequences | [`lexicographical_compare`], [`is_permutation`], [`is_partitioned`], [`partition_point`] |
//! | searches in sorted sequences | [`lower_bound`], [`upper_bound`], [`equal_range`], [`binary_search`]; for many values [`lower_bounds`], [`upper_bounds`], [`equal_ranges`], [`binary_searches`]; with a comparator, `_by` |
//! | scans | [`inclusive_scan`], [`exclusive_scan`]; with another operator, `_with`; in place, `_in_place` |
//! | by key | [`reduce_by_key`], [`inclusive_scan_by_key`], [`exclusive_scan_by_key`]; with another equality and operator, `_with` |
//! | selections | [`copy_if`], [`remove_copy_if`], [`partition`], [`partition_copy`], [`unique`], [`unique_by`], [`unique_by_key`] |
//! | sorts | [`sort`], [`sort_descending`], [`sort_by_key`], [`sort_by_key_descending`], [`argsort`], [`lexsort`]; with a comparator [`sort_by`], [`sort_by_key_by`], [`argsort_by`] |
//! | sorts of slices of the host | [`external_sort`], [`external_sort_by_key`], [`external_sort_by`] |
//! | selections by order | [`nth_element`], [`partial_sort`], [`partial_sort_copy`], [`partition3`] |
//! | merges | [`merge`], [`merge_by`], [`merge_by_key`], [`merge_all`], [`merge_all_by`] |
//! | sets, of sorted sequences | [`set_union`], [`set_intersection`], [`set_difference`], [`set_symmetric_difference`], [`includes`]; with a comparator, `_by`; keys with values, `_by_key` |
//! | histograms | [`histogram`], [`histogram_even`]; of values [`reduce_by_index`], [`reduce_by_index_at`] |
//! | dictionaries | [`encode_few`] |
//! | in place | [`remove`], [`remove_if`], [`replace`], [`replace_if`], [`unique_in_place`], [`stable_partition`], [`reverse`], [`rotate`], [`swap_ranges`], [`inplace_merge`], [`next_permutation`], [`prev_permutation`] |
//! | runs | [`run_length_encode`], [`run_length_decode`], [`number_runs`] |
//! | copies | [`transform`], [`for_each`], [`copy`], [`fill`], [`generate`], [`gather`], [`scatter`], [`scatter_if`], [`assign_if`], [`replace_copy`], [`replace_copy_if`], [`adjacent_difference`] |

pub use super::by_index::{reduce_by_index, reduce_by_index_at};
pub use super::by_key::{
    exclusive_scan_by_key, exclusive_scan_by_key_with, inclusive_scan_by_key, inclusive_scan_by_key_with,
    reduce_by_key, reduce_by_key_with,
};
pub use super::dictionary::encode_few;
pub use super::external_sort::{external_sort, external_sort_by, external_sort_by_key};
pub use super::histogram::{histogram, histogram_even};
pub use super::merge::{merge, merge_by, merge_by_key};
pub use super::merge_sort::{argsort_by, sort_by, sort_by_key_by};
pub use super::order_statistics::{nth_element, partial_sort, partial_sort_copy, partition3};
pub use super::reduce::{
    adjacent_find, adjacent_find_by, all_of, any_of, count, count_if, equal, find, find_end, find_end_by,
    find_first_of, find_first_of_by, find_if, find_if_not, inner_product, is_sorted, is_sorted_by, mismatch,
    none_of, reduce, reduce_on_device, search, search_by, search_n, transform_reduce,
};
pub use super::scan::{
    exclusive_scan, exclusive_scan_in_place, exclusive_scan_with, inclusive_scan, inclusive_scan_in_place,
    inclusive_scan_with,
};
pub use super::search::{
    binary_search, binary_search_by, binary_searches, binary_searches_by, equal_range, equal_range_by,
    equal_ranges, equal_ranges_by, lower_bound, lower_bound_by, lower_bounds, lower_bounds_by,
    partition_point, upper_bound, upper_bound_by, upper_bounds, upper_bounds_by,
};
pub use super::select::{
    copy_if, partition, partition_copy, remove_copy_if, unique, unique_by, unique_by_key,
};
pub use super::sequences::{
    inplace_merge, inplace_merge_by, is_partitioned, is_permutation, is_permutation_by,
    lexicographical_compare, merge_all, merge_all_by, next_permutation, number_runs, prev_permutation,
    remove, remove_if, replace, replace_copy, replace_copy_if, replace_if, reverse, rotate,
    run_length_decode, run_length_encode, stable_partition, swap_ranges, unique_in_place, unique_in_place_by,
};
pub use super::sets::{
    includes, includes_by, set_difference, set_difference_by, set_difference_by_key, set_intersection,
    set_intersection_by, set_intersection_by_key, set_symmetric_difference, set_symmetric_difference_by,
    set_symmetric_difference_by_key, set_union, set_union_by, set_union_by_key,
};
pub use super::sort::{argsort, lexsort, sort, sort_by_key, sort_by_key_descending, sort_descending};
pub use super::transform::{
    adjacent_difference, assign_if, copy, fill, for_each, gather, generate, scatter, scatter_if, transform,
};
