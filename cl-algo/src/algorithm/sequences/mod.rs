//! Algorithms on sequences that are made of others: comparisons of two sequences, changes in place, and runs.
//!
//! | file | concept |
//! | --- | --- |
//! | `compare` | comparisons of two sequences, and partitions |
//! | `rearrange` | other orders of the same items, in place |
//! | `remove` | items that are removed or replaced, in place |
//! | `permutation` | the next and the previous permutation |
//! | `runs` | lengths of runs, and items that are repeated |

mod compare;
mod permutation;
mod rearrange;
mod remove;
mod runs;

pub use compare::{is_partitioned, is_permutation, is_permutation_by, lexicographical_compare};
pub use permutation::{next_permutation, prev_permutation};
pub use rearrange::{
    inplace_merge, inplace_merge_by, merge_all, merge_all_by, reverse, rotate, stable_partition, swap_ranges,
};
pub use remove::{
    remove, remove_if, replace, replace_copy, replace_copy_if, replace_if, unique_in_place,
    unique_in_place_by,
};
pub use runs::{number_runs, run_length_decode, run_length_encode};
