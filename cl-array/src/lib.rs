//! Arrays of any rank on any OpenCL device, as lazy and fused as vectors.
//!
//! ```
//! use cl_array::prelude::*;
//!
//! # fn main() -> cl_core::Result<()> {
//! let queue = Queue::on(&Device::first()?)?;
//! let a = Array::from_fn(&queue, [3, 4], |[i, j]| (10 * i + j).cast::<f32>())?; // computed there
//! let row = a.row(0);
//! let b = (&a - row).collect()?; // broadcast along the first axis: one kernel, no copies
//! assert_eq!(b.slice(s![.., 0]).to_vec()?, [0.0, 10.0, 20.0]);
//! let c = (a.t() * 2.0).collect()?; // transposed
//! assert_eq!(c.shape(), [4, 3]);
//! # Ok(())
//! # }
//! ```
//!
//! An [`Array`] has its rank in its type and its shape in its value, as in the crate ndarray. Names, slices and
//! broadcasting are those of NumPy and ndarray. Operators, methods and closures make an [`ArrayExpr`], which costs nothing
//! until it is evaluated into a new array ([`ArrayExpr::collect`]) or into an array or a part of one
//! ([`Array::assign`], [`ArrayViewMut::assign`]). Each evaluation is one kernel.

// | file | concept |
// | --- | --- |
// | `array` | arrays that own their elements |
// | `construct` | zeros, ones, the identity matrix, ranges of numbers |
// | `access` | single elements, parts along an axis one after the other, and other views of arrays |
// | `arrays` | several arrays as outputs of one kernel |
// | `update` | updates in place |
// | `view` | views that read, and views that are assigned to |
// | `slice` | `s!`, the notation of slices |
// | `structure` | transposition, permutation and other views, of arrays and of expressions |
// | `expr` | lazy arrays |
// | `broadcast` | broadcasting of expressions |
// | `operators` | operators, comparisons and common functions, with broadcasting |
// | `math` | more functions of floats, integers and complex numbers |
// | `rearrange` | padding, repetition, gathers along an axis, triangles |
// | `packed` | triangles of matrices, packed |
// | `join` | several arrays in one |
// | `reduce` | reductions |
// | `lines` | folds along an axis whose results the elements of the same line read |
// | `normalize` | softmax, its logarithms, and normalization along an axis |
// | `moments` | means, variances, standard deviations and norms |
// | `scans` | scans along an axis |
// | `sorts` | sorts along an axis |
// | `along` | elements at computed coordinates along an axis, differences |
// | `search` | positions of extremes; whether and how often a condition is true |
// | `forward` | reductions, scans, sorts and products as methods of arrays |
// | `transfer` | views to the host and back |
// | `product` | products of matrices and vectors |
// | `contraction` | sums of products over any axes: `contract`, `einsum` |
// | `windows` | windows of arrays; zeros between elements |
// | `stencil` | closures over neighbours |
// | `borders` | the borders around a box of an array |
// | `convolve` | convolutions and correlations |
// | `weights` | the weights of convolutions |
// | `rank` | ranks of results |
// | `print` | arrays as text |
// | `npy` | files of NumPy |
// | `interop` | arrays and matrices of ndarray, nalgebra and faer, each with the feature of its name |

mod access;
mod along;
mod array;
mod arrays;
mod borders;
mod broadcast;
mod construct;
mod contraction;
mod convolve;
mod expr;
mod forward;
#[cfg(any(feature = "faer", feature = "nalgebra", feature = "ndarray"))]
mod interop;
mod join;
mod lines;
mod math;
mod moments;
mod normalize;
pub mod npy;
mod operators;
mod packed;
mod print;
mod product;
mod rank;
mod rearrange;
mod reduce;
mod scans;
mod search;
mod slice;
mod sorts;
mod stencil;
mod structure;
mod transfer;
mod update;
mod view;
mod weights;
mod windows;

pub use array::Array;
pub use arrays::{ArraySink, assign_with};
pub use borders::Borders;
pub use cl_algo::Format;
pub use cl_algo::ranked::{Half, Layout, TransferStrategy};
pub use construct::One;
pub use contraction::{contract, einsum};
pub use convolve::{Convolution, Ends, convolve, correlate};
pub use expr::{ArrayExpr, ArrayOperand};
pub use join::{concatenate, stack};
pub use lines::FoldedAlong;
pub use rank::{AnyRank, Arrays, Broadcast, Double, Extend, Rank, Reduce, Sliced, Vectors};
#[doc(hidden)]
pub use rank::{Minus, Next, Plus};
pub use rearrange::Pad;
pub use slice::{AxisIndex, AxisSlice, NewAxis, SliceArgument, SliceInfo, Stepped};
pub use stencil::Bordered;
pub use view::{ArrayView, ArrayViewMut};
pub use weights::Weights;

/// The names that most programs use.
pub mod prelude {
    pub use crate::{
        Array, ArrayExpr, ArrayOperand, ArrayView, ArrayViewMut, Ends, Half, NewAxis, Pad, concatenate,
        contract, convolve, correlate, einsum, s, stack,
    };
    pub use cl_algo::prelude::*;
}
