//! From expression to kernel: templates with fused inputs, operators and outputs.
//!
//! A kernel is a [`Template`], a `.cl` file that reads its input through `LOAD(i)`, combines items with operators and
//! writes its output through `STORE(i, item)`. A generated prelude in front of it defines these macros. [`Fused`] fills
//! a template with expressions, closures and sinks, [`Parameters`] are the numbers that the kernel is compiled with,
//! and [`Ready`] launches the kernel. The algorithms of this crate, and those of the crates built on it, are made this
//! way.
//!
//! # A kernel in a crate of your own
//!
//! The worked example is a tiled product of dense matrices. Its operands are any expressions, and its result goes to
//! any sink: `examples/src/matrix_product.rs` with `examples/kernels/matrix_product.cl`, 135 lines in all. It consists
//! of
//!
//! 1. a text, whose kernel begins with `PARAMETERS OUTPUTS` and ends with `RETURN;`, as [`Template`] says;
//! 2. a [`Definition`] of the text, which lists its macros and functions, and the definitions of the [`library`] that
//!    it uses;
//! 3. a struct of [`Parameters`]: in the example, the side of a block;
//! 4. a [`Template`] of these, with a function that chooses the [`Shape`](crate::Shape);
//! 5. a function that fills the template with [`Fused`], checks lengths, and launches.
//!
//! | part | use |
//! | --- | --- |
//! | items | The input `A` has items of type `A_ITEM`: the type of the expression's element, or a struct of the elements of a tuple. The kernel loads item i by `A_LOAD(i)`, and pack p, the items from `PACK * p` on, by `A_LOAD_PACK(p)`. An operator works on items of one input, and an output stores items of one input. |
//! | index arithmetic | `i` is any number of type `INDEX` below the input's length. The expression decides which elements item i depends on: views, [`gather`](crate::Expr::gather), [`shifted`](crate::Expr::shifted) and [`index`](crate::index) compute the index at which a vector is read. Indices that data choose are checked. The kernel's own indices are not checked, so [`Ready::launch`] is unsafe. [`Ready::index`] passes a number as `INDEX`, which has 64 bits if 32 may not be enough. |
//! | folds of ranges | A row of a matrix is a range of entries: [`Expr::fold_ranges`](crate::Expr::fold_ranges) combines the entries of each of [`Ranges`] within any kernel. A crate with a better kernel for such folds implements [`FoldKernel`]. An assignment then runs that kernel, and the computations on the results become its `STORE`. |
//! | tuning | [`Template::shape`] gets the [`DeviceProfile`](crate::DeviceProfile) and the parameters. [`DeviceProfile::elementwise`](crate::DeviceProfile::elementwise), [`reduction`](crate::DeviceProfile::reduction) and similar methods divide ranges of items, and take rows of tuning tables into account. Numbers that are chosen before the template is filled, such as the side of a block, come from [`profile`]. |
//! | results | [`DeviceVec::uninit`](crate::DeviceVec::uninit) is an output that the kernel writes completely; [`Expr::collect`](crate::Expr::collect) makes its own output. |
//!
//! # Files
//!
//! | file | concept |
//! | --- | --- |
//! | `definition` | named pieces of a program's text, which list the definitions that they use |
//! | `template` | the pieces of a template |
//! | `parameters` | the numbers that a kernel is compiled with |
//! | `fused` | inputs, operators and outputs that fill a template; compiling and launching kernels |
//! | `functions` | the functions that fragments become, for items and for packs |
//! | `aligned` | slices as outputs, whose packs begin at lines of memory |
//! | `outline` | a fold and the computations on its results, as fragments of a kernel for folds |
//! | `library` | definitions that kernels of any crate may use |
//! | `rows` | parts of indices that are the same in a row, or in a block of rows |
//! | `section` | generated text, with the names that it defines |
//! | `look_back` | memory through which work-groups learn the results of those before them |
//! | `matrix_units` | the test of a device's matrix units |
//! | `sub_groups` | the test of a device's sub-groups |
//! | `source` | joins preludes and templates, of one kernel or several |
//! | `cache` | compiled kernels, found by their structure |
//! | `capture` | launches that are captured, and enqueued again |

mod aligned;
mod blocks;
mod cache;
pub(crate) mod capture;
mod definition;
mod functions;
mod fused;
pub mod library;
pub(crate) mod look_back;
pub(crate) mod matrix_units;
mod outline;
mod parameters;
mod rows;
mod section;
mod source;
pub(crate) mod sub_groups;
mod template;

pub use crate::algorithm::StoredItems;
pub use crate::device::{SubGroups, profile};
pub use crate::expr::{FoldKernel, Ranges};
pub use crate::ir::fused::Fused;
pub use cl_macros::Parameters;
pub use definition::Definition;
pub use fused::{AnyFilled, Filled, Ready};
pub use look_back::LookBack;
pub use matrix_units::multiplies_doubles;
pub use parameters::{Macro, Parameters};
pub use template::Template;
