//! Selection by order: elements of given ranks, the first elements of an order, and partitions around them.
//!
//! | file | concept |
//! | --- | --- |
//! | `digits` | keys as unsigned numbers in the same order, and back |
//! | `ranked` | the launches that find the key of a rank, or the items up to a rank |
//! | `nth` | the element of a rank; medians and quantiles |
//! | `exchange` | the launches that put elements in place around the one of a rank |
//! | `top_k` | the largest or smallest elements, with their indices |
//! | `around` | vectors that are put in order around an element: `nth_element`, `partial_sort`, `partition3` |

mod around;
mod digits;
mod exchange;
mod nth;
mod ranked;
mod top_k;

pub use around::{nth_element, partial_sort, partition3};
pub(super) use digits::digits_of;
pub use top_k::partial_sort_copy;
