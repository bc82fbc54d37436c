//! From expression to kernel: templates with fused inputs, operators and outputs.
//!
//! A kernel is a [`Template`], a `.cl` file that reads its input through `LOAD(i)`, combines items by
//! operators and writes its output through `STORE(i, item)`, behind a generated prelude that says
//! what these mean. [`Fused`] fills a template with expressions, closures and sinks, [`Parameters`] are
//! the numbers that the kernel is compiled with, and [`Ready`] launches it. The algorithms of this crate
//! are made so, and those of the crates built on it.
//!
//! # A kernel in a crate of your own
//!
//! The worked example is a tiled product of dense matrices, whose operands are any expressions and whose result goes to any
//! sink: `examples/src/matrix_product.rs` with `examples/kernels/matrix_product.cl`, 135 lines in all. It consists of
//!
//! 1. a text, whose kernel begins with `PARAMETERS OUTPUTS` and ends with `RETURN;`, as [`Template`] says;
//! 2. a [`Definition`] of the text, which lists its macros and functions, and what it uses of the [`library`];
//! 3. a struct of [`Parameters`], here the side of a block;
//! 4. a [`Template`] of these, with a function that chooses the [`Shape`](crate::Shape);
//! 5. a function that fills the template by [`Fused`], checks lengths, and launches.
//!
//! | part | use |
//! | --- | --- |
//! | items | The input `A` is of items `A_ITEM`: what the expression's element is, or a struct of the parts of a tuple. The kernel loads item i by `A_LOAD(i)`, and pack p, the items from `PACK * p` on, by `A_LOAD_PACK(p)`. An operator works on items of one input, and an output stores such items. |
//! | index arithmetic | `i` is any number below the input's length, of type `INDEX`. What lies at it is the expression's matter: views, [`gather`](crate::Expr::gather), [`shifted`](crate::Expr::shifted) and [`index`](crate::index) compute the place where a vector is read. Indices that data choose are checked; [`Ready::launch`] is unsafe because the kernel's own are not. [`Ready::index`] passes a number as `INDEX`, which has 64 bits where 32 may not do. |
//! | folds of ranges | A row of a matrix is a range of entries: [`Expr::fold_ranges`](crate::Expr::fold_ranges) combines the entries of each of [`Ranges`] within any kernel. A crate with a better kernel for it implements [`FoldKernel`]: an assignment runs that, and what else is done with the results becomes its `STORE`. |
//! | tuning | [`Template::shape`] gets the [`DeviceProfile`](crate::DeviceProfile) and the parameters. [`DeviceProfile::elementwise`](crate::DeviceProfile::elementwise), [`reduction`](crate::DeviceProfile::reduction) and their like divide ranges of items, and take rows of tuning tables into account. What decides before the template is filled, such as the side of a block, comes from [`profile`]. |
//! | results | [`DeviceVec::uninit`](crate::DeviceVec::uninit) is an output that the kernel writes as a whole; [`Expr::collect`](crate::Expr::collect) makes its own. |
//!
//! # Files
//!
//! | file | concept |
//! | --- | --- |
//! | `definition` | named parts of a program's text, which know what they use |
//! | `template` | what a template consists of |
//! | `parameters` | the numbers that a kernel is compiled with |
//! | `fused` | what fills a template; kernels, compiled and launched |
//! | `functions` | the functions that fragments become, for items and for packs |
//! | `aligned` | slices as outputs, whose packs begin where lines of memory do |
//! | `outline` | a fold and what is done with its results, as parts of a kernel for folds |
//! | `library` | definitions that kernels of any crate may use |
//! | `section` | generated text, with the names that it defines |
//! | `look_back` | memory in which work-groups find what those before them have passed on |
//! | `sub_groups` | the trial of a device's sub-groups |
//! | `source` | preludes and templates put together, of one kernel or several |
//! | `declarations` | built-in functions, declared for compilers that would read declarations of all |
//! | `cache` | compiled kernels, found by their structure |

mod aligned;
mod cache;
mod declarations;
mod definition;
mod functions;
mod fused;
pub mod library;
pub(crate) mod look_back;
mod outline;
mod parameters;
mod section;
mod source;
pub(crate) mod sub_groups;
mod template;

pub use crate::device::{SubGroups, profile};
pub use crate::expr::{FoldKernel, Ranges};
pub use crate::ir::fused::Fused;
use crate::lower::{lanes, structs};
pub use cl_macros::Parameters;
pub use definition::Definition;
pub use fused::{AnyFilled, Filled, Ready};
pub use look_back::LookBack;
pub use parameters::{Macro, Parameters};
pub use template::Template;
