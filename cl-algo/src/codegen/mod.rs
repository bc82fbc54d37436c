//! From expression to kernel.
//!
//! A kernel is a template, a `.cl` file that reads its input through `LOAD(i)` and `LOAD_PACK(p)`,
//! behind a generated prelude that says what these mean for one expression.
//!
//! | file | concept |
//! | --- | --- |
//! | `arithmetic` | one operation as OpenCL C, for items and for packs |
//! | `source` | prelude and template put together |
//! | `cache` | compiled kernels, found by the structure of the expression |

mod arithmetic;
mod cache;
mod source;

pub(crate) use cache::{Compiled, compiled, profile};
pub(crate) use source::{Pass, Template, source};
