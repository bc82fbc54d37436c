//! Products of matrices and vectors.
//!
//! | file | concept |
//! | --- | --- |
//! | `times` | products as expressions |
//! | `rows` | the kernel that goes through the rows of a matrix, and its launches |
//! | `template` | the kernels' templates |

mod rows;
mod template;
mod times;

pub(crate) use rows::RowKernel;
