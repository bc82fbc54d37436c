//! From expression to kernel.
//!
//! A kernel is a template, a `.cl` file that reads its input through `LOAD(i)` and `LOAD_PACK(p)`
//! and writes its output through `STORE` and `STORE_PACK`, behind a generated prelude that says what
//! these mean for one expression and one target.
//!
//! | file | concept |
//! | --- | --- |
//! | `lanes` | the types of values in generated code, for items and for packs |
//! | `arithmetic` | one operation as OpenCL C |
//! | `structs` | definitions, fields and values of structs |
//! | `value` | the functions that compute items |
//! | `store` | the functions that store them |
//! | `template` | what a template consists of |
//! | `source` | prelude and template put together |
//! | `cache` | compiled kernels, found by the structure of the expression |

pub(crate) mod arithmetic;
mod cache;
pub(crate) mod lanes;
mod source;
mod store;
pub(crate) mod structs;
mod template;
mod value;

pub(crate) use cache::{Compiled, compiled, profile, source_on};
pub(crate) use store::{Output, Outputs, Place};
pub(crate) use template::{Request, Template};
