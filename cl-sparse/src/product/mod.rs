//! Products of matrices and vectors.
//!
//! | file | concept |
//! | --- | --- |
//! | `times` | products as expressions |
//! | `rows` | the kernel for the rows of a matrix, and its launches |
//! | `transposed` | products with the transpose |
//! | `groups` | entries by column or by row, if they are stored in another order |
//! | `many` | products with several vectors at once |
//! | `array` | products with arrays of `cl-array`, with the feature `array` |
//! | `template` | the kernels' templates |

#[cfg(feature = "array")]
mod array;
mod groups;
mod many;
mod rows;
mod template;
mod times;
mod transposed;

#[cfg(test)]
mod small;

pub(crate) use crate::plan::LARGEST_ITEM;
pub(crate) use groups::Groups;
pub(crate) use rows::RowKernel;
pub(crate) use template::{SELL, Slices};
pub(crate) use transposed::columns_of;
