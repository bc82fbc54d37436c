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
//!
//! | file | concept |
//! | --- | --- |
//! | `array` | arrays that own their elements |
//! | `view` | views that read, and views that are assigned to |
//! | `slice` | [`s!`], the notation of slices |
//! | `structure` | transposition, permutation and other views, of arrays and of expressions |
//! | `expr` | lazy arrays |
//! | `operators` | operators, comparisons and mathematics, with broadcasting |
//! | `rearrange` | padding, repetition, gathers along an axis, triangles |
//! | `join` | several arrays in one |
//! | `reduce` | reductions |
//! | `moments` | means, variances and norms |
//! | `search` | positions of extremes; whether and how often a condition is true |
//! | `forward` | reductions as methods of arrays |
//! | `product` | products of matrices and vectors |
//! | `windows` | windows of arrays; zeros between elements |
//! | `stencil` | closures over neighbours |
//! | `convolve` | convolutions and correlations |
//! | `rank` | ranks of results |
//! | `print` | arrays as text |
//! | `interop` | arrays of the crate ndarray, with the feature `ndarray` |

mod array;
mod convolve;
mod expr;
mod forward;
#[cfg(feature = "ndarray")]
mod interop;
mod join;
mod moments;
mod operators;
mod print;
mod product;
mod rank;
mod rearrange;
mod reduce;
mod search;
mod slice;
mod stencil;
mod structure;
mod view;
mod windows;

pub use array::Array;
pub use cl_algo::ranked::Layout;
pub use convolve::{Convolution, Ends, Weights, convolve, correlate};
pub use expr::{ArrayExpr, ArrayOperand};
pub use join::{concatenate, stack};
#[doc(hidden)]
pub use rank::Next;
pub use rank::{Broadcast, Double, Extend, Rank, Reduce};
pub use rearrange::Pad;
pub use slice::{AxisIndex, AxisSlice, NewAxis, SliceArgument, SliceInfo, Stepped};
pub use stencil::Bordered;
pub use view::{ArrayView, ArrayViewMut};

/// The names that most programs use.
pub mod prelude {
    pub use crate::{
        Array, ArrayExpr, ArrayOperand, ArrayView, ArrayViewMut, Ends, NewAxis, Pad, concatenate, convolve,
        correlate, s, stack,
    };
    pub use cl_algo::prelude::*;
}
