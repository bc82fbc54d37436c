//! Device vectors and lazy, fused expressions on any OpenCL device.
//!
//! ```
//! use cl_algo::prelude::*;
//!
//! # fn main() -> cl_core::Result<()> {
//! let queue = Queue::on(&Device::first()?)?;
//! let x = DeviceVec::from_slice(&queue, &[0.0_f32, 1.0, 2.0])?;
//! let y = DeviceVec::filled(&queue, 1.0_f32, 3)?;
//!
//! let z = (3.0 * &x + &y * &y).collect()?; // one kernel, no temporaries
//! assert_eq!(z.to_vec()?, [1.0, 4.0, 7.0]);
//! let dot = (&x * &z).sum()?; // fused into the reduction: nothing is stored
//! assert_eq!(dot, 18.0);
//! # Ok(())
//! # }
//! ```
//!
//! An expression is a value: build it from references to [`DeviceVec`]s, scalars, operators and
//! [`math`] functions, and evaluate it with [`collect`](Expr::collect),
//! [`assign`](DeviceVec::assign) or [`sum`](Expr::sum). Evaluation generates one kernel for the
//! whole expression, or finds the one that an expression of the same structure has used before:
//! scalars are kernel arguments, so another value never compiles another kernel.
//!
//! `CL_SHOW_KERNELS=1` prints the source of every kernel as it is compiled.
//! `CL_TUNING=/absolute/path` names a table of shapes of kernels: see [`Tunable`].
//!
//! # Elements
//!
//! Numbers, `bool`, OpenCL's vectors ([`F32x4`] and its kin), [`Complex`](num_complex::Complex)
//! numbers, and structs:
//!
//! ```
//! use cl_algo::prelude::*;
//! use cl_algo::F32x3;
//!
//! #[derive(Clone, Copy, Debug, PartialEq, Element)]
//! #[repr(C)]
//! struct Body {
//!     mass: f32,
//!     at: F32x3,
//! }
//!
//! # fn main() -> cl_core::Result<()> {
//! let queue = Queue::on(&Device::first()?)?;
//! let at = F32x3::from([1.0, 2.0, 3.0]);
//! let mut bodies = DeviceVec::from_slice(&queue, &[Body { mass: 2.0, at }, Body { mass: 4.0, at }])?;
//! let centre = (bodies.at() * bodies.mass()).sum()? / bodies.mass().sum()?;
//! assert_eq!(centre, at);
//! bodies.assign_with(|b| b.map(|b| Body::val(b.mass(), b.at() - centre)))?;
//! assert_eq!(bodies.to_vec()?[1], Body { mass: 4.0, at: F32x3::splat(0.0) });
//! # Ok(())
//! # }
//! ```
//!
//! # Views
//!
//! An expression can be read elsewhere, at no cost: by ranges, strides, backwards, at neighbours, at
//! indices out of another expression. So can a target be written to.
//!
//! ```
//! use cl_algo::prelude::*;
//! use cl_algo::math::sqrt;
//! # fn main() -> cl_core::Result<()> {
//! # let queue = Queue::on(&Device::first()?)?;
//! let x = DeviceVec::from_slice(&queue, &[1.0_f32, 4.0, 9.0, 16.0])?;
//! let order = DeviceVec::from_slice(&queue, &[2_u32, 0, 3, 1])?;
//!
//! let differences = (x.slice(1..) - x.slice(..3)).collect()?;
//! assert_eq!(differences.to_vec()?, [3.0, 5.0, 7.0]);
//! let roots = sqrt(&x).gather(&order).collect()?; // a gather
//! assert_eq!(roots.to_vec()?, [3.0, 1.0, 4.0, 2.0]);
//!
//! let (mut sorted, mut last) = (DeviceVec::filled(&queue, 0.0_f32, 4)?, DeviceVec::filled(&queue, 0.0_f32, 4)?);
//! assign((sorted.scatter_mut(&order), last.view_mut().rev()), (&roots, &x))?; // one kernel
//! assert_eq!(sorted.to_vec()?, [1.0, 2.0, 3.0, 4.0]);
//! assert_eq!(last.to_vec()?, [16.0, 9.0, 4.0, 1.0]);
//! # Ok(())
//! # }
//! ```
//!
//! Indices out of data are checked on the device: nothing else is read or written than the vector,
//! and the next call that waits for the queue, in whichever thread, returns
//! [`Error::IndexOutOfRange`](cl_core::Error::IndexOutOfRange).
//!
//! # Functions
//!
//! | what | where | how |
//! | --- | --- | --- |
//! | closures over symbolic values | [`map`](Expr::map), [`mapped`], [`codegen`] | recorded once; generic numeric code runs on [`Val`] unchanged |
//! | [`#[device_fn]`](device_fn) and [`cl!`] | anywhere an operator can stand | Rust with loops and branches, translated; runs on the host, too |
//! | [`RawFunction`](function::RawFunction) | the same | OpenCL C text, `unsafe` |
//!
//! ```
//! use cl_algo::prelude::*;
//!
//! /// The potential of Lennard and Jones, from the square of the distance.
//! #[device_fn]
//! fn lennard_jones(r2: f32, depth: f32) -> f32 {
//!     if r2 > 6.25 {
//!         return 0.0;
//!     }
//!     let s = 1.0 / (r2 * r2 * r2);
//!     4.0 * depth * s * (s - 1.0)
//! }
//!
//! # fn main() -> cl_core::Result<()> {
//! # let queue = Queue::on(&Device::first()?)?;
//! let (x, y) = (DeviceVec::filled(&queue, 1.0_f32, 9)?, DeviceVec::filled(&queue, 2.0_f32, 9)?);
//! let r2 = x.iter().zip(&y).map(|(x, y)| x * x + y * y);
//! let energy = lennard_jones(r2, 0.5).sum()?;
//! assert!((energy - 9.0 * lennard_jones(5.0, 0.5)).abs() < 1e-5);
//! # Ok(())
//! # }
//! ```
//!
//! # Algorithms
//!
//! Every input is any expression, every output any [`Sink`], every operator, predicate and comparator
//! any function. What is changed where it is, as by sorts and scans in place, is a vector, any view of one, or
//! several of these ([`InPlace`]): `sort(x.slice_mut(1..))`. Nothing waits for the device before a value comes
//! back to the host.
//!
//! | family | |
//! | --- | --- |
//! | reductions | [`sum`](Expr::sum), [`sum_as`](Expr::sum_as), [`mean`](Expr::mean), [`reduce`], [`reduce_min`](Expr::reduce_min), [`min_element`](Expr::min_element), [`count_if`], [`mean_and_variance`](Expr::mean_and_variance), several in one pass by [`reducers`]; on the device as [`DeviceScalar`] |
//! | searches | [`find_if`], [`mismatch`], [`equal`], [`is_sorted`]; in sorted vectors [`lower_bound`], [`lower_bounds`], [`binary_search`] |
//! | scans | [`inclusive_scan`], [`exclusive_scan`], by any associative operator, in place |
//! | by key | [`inclusive_scan_by_key`], [`exclusive_scan_by_key`], [`reduce_by_key`], of runs of equal neighbouring keys, with any equality and operator |
//! | selections | [`copy_if`], [`partition`], [`partition_copy`], [`unique`], [`unique_by_key`] |
//! | sorts | [`sort`], [`sort_by_key`], [`argsort`], [`Sort`] by digits; [`sort_by`] any comparator; [`merge`] |
//! | the rest | [`histogram`], [`histogram_even`], [`gather`], [`scatter_if`], [`adjacent_difference`], [`transform`] |
//!
//! Means, variances, the smallest and the largest element are `Option`s: `None` for no elements. [`find_if`],
//! [`mismatch`] and [`adjacent_find`] return a position as `Option<usize>`. The sum of no elements is 0.
//!
//! ```
//! use cl_algo::prelude::*;
//! use cl_algo::stl::{sort, unique};
//! # fn main() -> cl_core::Result<()> {
//! # let queue = Queue::on(&Device::first()?)?;
//! let mut x = DeviceVec::from_slice(&queue, &[3, 1, 2, 3, 1, 3])?;
//! sort(&mut x)?;
//! let mut values = DeviceVec::filled(&queue, 0, 6)?;
//! let count = unique(&x, &mut values)?; // stays on the device until it is asked for
//! assert_eq!(count.get()?, 3);
//! assert_eq!(values.to_vec()?[..3], [1, 2, 3]);
//! # Ok(())
//! # }
//! ```
//!
//! # Orders
//!
//! [`sort()`], [`argsort`], [`merge`], [`lower_bound`] and the other searches in sorted sequences, and [`is_sorted`]
//! have floats in one order, that of [`total_cmp`](f32::total_cmp): from the negative NaNs over minus infinity, -0.0
//! and +0.0 to infinity and the positive NaNs. [`Expr::total_lt`], [`Val::total_lt`] and
//! [`TotalOrder`](function::TotalOrder) compare so in expressions and in device functions.
//!
//! Equality is that of IEEE 754 where two values are compared for equality alone: [`unique`], [`equal`],
//! [`mismatch`], [`find`]; there -0.0 equals +0.0, and NaN differs from itself. The smallest and the largest element
//! ([`reduce_min`](Expr::reduce_min), [`min_element`](Expr::min_element)) ignore NaN, as [`f32::min`] does.
//!
//! Comparators say whether their first item goes before their second: `less(a, b)` is the same for [`sort_by`],
//! [`merge_by`], [`lower_bound_by`] and [`is_sorted_by`]. Sorts and merges keep every item, whatever a comparator
//! says.
//!
//! # Arithmetic
//!
//! `+ - *` give the host's results bit by bit, for integers (which wrap) and floats (products are
//! not contracted into sums; ask for that with [`mul_add`](math::mul_add)). The exception are `f32`
//! below [`f32::MIN_POSITIVE`]: OpenCL allows devices to take these subnormal numbers for zero.

// Derived code names this crate `cl_algo`.
extern crate self as cl_algo;

mod algorithm;
pub mod codegen;
mod device;
mod device_scalar;
mod element;
mod expr;
mod fault;
pub mod function;
mod ir;
mod kernels;
mod lower;
mod sink;
mod vec;

pub use algorithm::*;
// For the code that `#[derive(Element)]` writes: users need no dependency of their own.
pub use bytemuck;
pub use cl_macros::{Element, cl, device_fn};
/// The algorithms whose shape can be chosen: see [`Tunable`].
pub use device::shapes as tunables;
pub use device::{DeviceFence, DeviceProfile, Held, Rule, Shape, Tunable, Tuning};
pub use device_scalar::DeviceScalar;
pub use element::vector::*;
pub use element::{
    Bits, ComplexPart, Element, ElementType, Field, Float, Integer, Number, Ordered, ScalarType, Signed,
    StructType,
};
#[doc(hidden)]
pub use expr::{AnyExpr, AnyVal, Handle, Recording, Which};
pub use expr::{
    Border, Castable, Expr, IntoComponents, IntoSymbols, Item, Operand, Recorded, Rounding, Symbol, Val,
    Whole, complex, constant, from_polar, index, iota, math, vector, zip,
};
pub use ir::function::Function;
#[doc(hidden)]
pub use ir::target::{Placing, Target};
pub use num_complex;
pub use sink::{Discard, Mapped, Scatter, Sink, ViewMut, mapped};
pub use vec::DeviceVec;

/// The names that most programs use.
///
/// Mathematics by OpenCL's names is in [`math`], algorithms by the STL's names in [`stl`], and vector types such as
/// [`F32x4`] at the top of the crate. Expressions have methods for all of them.
pub mod prelude {
    pub use crate::{
        Border, DeviceScalar, DeviceVec, Discard, Element, Expr, Float, Integer, Number, Operand, Signed,
        Sort, Val, assign, assign_with, cl, complex, constant, device_fn, from_polar, index, iota, mapped,
        vector, zip,
    };
    pub use cl_core::{Device, Queue, QueueOptions};
}
