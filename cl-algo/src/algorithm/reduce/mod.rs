//! Reductions to one value, and searches, which are reductions to the smallest index.
//!
//! | file | concept |
//! | --- | --- |
//! | `launch` | launches of reductions, and the memory of their results |
//! | `fold` | any associative operator, in the order of the elements |
//! | `sum` | sums, products, means |
//! | `count` | the number of elements that are true |
//! | `reducer` | reductions as values, and several in one pass |
//! | `extremes` | the smallest and the largest element, and their indices |
//! | `moments` | mean and variance |
//! | `norm` | the norm, without undue overflow |
//! | `find` | the first element that is true, and searches that depend on it |

mod count;
mod extremes;
mod find;
mod fold;
mod launch;
mod moments;
mod norm;
mod occurrence;
mod reducer;
mod sum;

pub(super) use count::count_on;
pub use count::{count, count_if};
pub(super) use find::neighbours;
pub use find::{
    adjacent_find, adjacent_find_by, all_of, any_of, equal, find, find_if, find_if_not, is_sorted,
    is_sorted_by, mismatch, none_of,
};
pub use fold::{inner_product, reduce, reduce_on_device, transform_reduce};
pub(super) use occurrence::first_of;
pub use occurrence::{find_end, find_end_by, find_first_of, find_first_of_by, search, search_by, search_n};
#[cfg(test)]
pub(super) use sum::sum_into;

/// Reductions as values, for [`Expr::reduce_with`](crate::Expr::reduce_with).
pub mod reducers {
    pub use super::extremes::{IndexType, Max, MaxElement, Min, MinElement};
    pub use super::moments::Variance;
    pub use super::norm::Norm;
    pub use super::reducer::{CountIf, Product, Reducer, Sum, Values};
}
