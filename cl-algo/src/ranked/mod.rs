//! Arrays of several axes, for crates that build on this one: layouts, expressions over coordinates, evaluation.
//!
//! `cl-array` has the types that users write. This module is the mechanism below it, and the way in which other crates
//! meet arrays: an array is a [`DeviceVec`](crate::DeviceVec) with a [`Layout`]. An expression over an index space is an
//! [`Expr`](crate::Expr) that reads arrays at the coordinates of the item that is computed. Its methods, operators and
//! closures are those of vectors.
//!
//! ```
//! use cl_algo::prelude::*;
//! use cl_algo::ranked::{Layout, assign, coordinate, load};
//! # fn main() -> cl_core::Result<()> {
//! # let queue = Queue::on(&Device::first()?)?;
//! let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 3.0])?;
//! let mut table = DeviceVec::filled(&queue, 0.0_f32, 6)?;
//! // Row i of the table is (i + 1) x.
//! let row = load(&x, &Layout::row_major(&[3])?);
//! let factor = coordinate::<f32>(0, 2) + 1.0;
//! assign("table", (&mut table, Layout::row_major(&[2, 3])?), factor * row)?;
//! assert_eq!(table.to_vec()?, [1.0, 2.0, 3.0, 2.0, 4.0, 6.0]);
//! # Ok(())
//! # }
//! ```
//!
//! | file | concept |
//! | --- | --- |
//! | `host` | recorded closures evaluated on the host |
//! | `layout` | layouts, views of layouts, broadcasting |
//! | `expr` | loads at coordinates, coordinates as numbers |
//! | `flat` | expressions over vectors as expressions over index spaces, and back |
//! | `gather` | expressions read at computed coordinates along an axis |
//! | `assign` | elementwise evaluation over an index space, also in place |
//! | `boxed` | elementwise evaluation with a faster form inside of a box |
//! | `capture` | evaluations that are captured, and enqueued again |
//! | `layers` | elementwise evaluation that keeps the items of another expression for neighbours |
//! | `fold` | reductions along axes |
//! | `fold_left` | folds along an axis in the order of the items |
//! | `lines` | folds of lines along an axis whose results the items of the same line read |
//! | `contract` | products of matrices |
//! | `tiles` | products of matrices that GPUs read where they are |
//! | `blocks` | the blocks of products of matrices in panels |
//! | `fragments` | products of matrices by the matrix units of GPUs |
//! | `panels` | operands of products, copied into the order in which they are read |
//! | `scan` | scans along an axis |
//! | `scatter` | stores at computed coordinates along an axis |
//! | `stencil` | closures over the neighbours of an item |
//! | `transfer` | arrays of any layout to the host and back |
//! | `substitute` | small triangular systems |
//! | `widen` | closures over 32-bit numbers, as closures over 64-bit numbers |
//! | `triangles` | halves of matrices that are zero, or not computed |

mod assign;
mod assign_tiles;
mod blocks;
mod boxed;
mod capture;
mod contract;
mod expr;
mod flat;
mod fold;
mod fold_left;
mod fragments;
mod gather;
mod host;
mod layers;
mod layout;
mod lines;
mod panels;
mod scan;
mod scatter;
mod stencil;
mod substitute;
mod tiles;
mod transfer;
mod triangles;
mod widen;

pub use assign::{NewVectors, RankedSink, RankedTarget, assign, assign_with};
pub use boxed::{Boxed, assign_boxed, assign_each};
pub use capture::Captured;
pub use contract::{contract, contract_triangles, contract_with};
pub use expr::{
    Work, check, coordinate, from_coordinates, in_place_of, load, load_owned, queue_of, repeated,
    select_items, work,
};
pub use fold::{fold, fold_in_order};
pub use fold_left::fold_left;
pub use host::{HostElement, HostKernel, HostScratch};
pub use layers::Layers;
pub use layout::{AxisMap, Layout, MAX_RANK, broadcast, count};
pub use lines::{FoldedLines, Lines};
pub use scan::scan;
pub use scatter::scatter;
pub use stencil::{Composed, Composition, Neighbourhood, multiply_add};
pub use substitute::{substitute, substitution_rows};
pub use transfer::{TransferStrategy, read, write};
pub use triangles::{Half, Triangles};
