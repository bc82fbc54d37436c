//! From expression to kernel: templates with fused inputs, operators and outputs.
//!
//! A kernel is a [`Template`], a `.cl` file that reads its input through `LOAD(i)`, combines items by
//! operators and writes its output through `STORE(i, item)`, behind a generated prelude that says
//! what these mean. [`Fused`] fills a template with expressions, closures and sinks, [`Parameters`] are
//! the numbers that the kernel is compiled with, and [`Ready`] launches it. The algorithms of this crate
//! are made so, and those of the crates built on it.
//!
//! | file | concept |
//! | --- | --- |
//! | `template` | what a template consists of |
//! | `parameters` | the numbers that a kernel is compiled with |
//! | `fused` | what fills a template; kernels, compiled and launched |
//! | `fragment` | what a template is filled with |
//! | `functions` | the functions that fragments become, for items and for packs |
//! | `body` | the statements of such a function; one operation is the affair of `lower` |
//! | `flat` | what neighbouring items share: parts that are interleaved |
//! | `fold` | loops over the entries of ranges |
//! | `outline` | a fold and what is done with its results, as parts of a kernel for folds |
//! | `source` | preludes and templates put together, of one kernel or several |
//! | `loops` | the check for devices that end loops too early, at each end of a kernel |
//! | `aggregates` | `volatile` structs and unions, for devices that lose writes to them |
//! | `names` | what OpenCL C text defines, so that several kernels can be one program |
//! | `cache` | compiled kernels, found by their structure |

mod aggregates;
pub(crate) mod body;
mod cache;
mod flat;
mod fold;
mod fragment;
mod functions;
mod fused;
mod loops;
mod names;
mod outline;
mod parameters;
mod source;
mod template;

pub use crate::expr::{FoldKernel, Ranges};
use crate::lower::{lanes, structs};
pub(crate) use cache::profile;
pub use cl_macros::Parameters;
pub use fused::{AnyFilled, Filled, Fused, Ready};
pub use parameters::{Macro, Parameters};
pub use template::Template;
