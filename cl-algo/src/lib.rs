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
//! An expression is a value. Build it from references to [`DeviceVec`]s, scalars, operators and methods such as
//! [`map`](Expr::map), [`slice`](Expr::slice) or `sqrt`, and evaluate it with [`collect`](Expr::collect),
//! [`assign`](DeviceVec::assign) or [`sum`](Expr::sum). Evaluation generates one kernel for the whole expression, or
//! reuses the kernel of an earlier expression with the same structure. Scalars are kernel arguments, so another value
//! never compiles another kernel.
//!
//! `CL_SHOW_KERNELS=1` prints the source of every kernel as it is compiled. `CL_TUNING=/absolute/path` names a table of
//! kernel shapes: see [`Tunable`].
//!
//! # Elements
//!
//! Elements are numbers, `bool`, integers of 128 bits, OpenCL's vectors ([`F32x4`] and the other vector types),
//! [`Complex`](num_complex::Complex) numbers, and structs:
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
//! A view reads an expression at other indices, at no cost: a range, every n-th item, backwards, neighbours, or the
//! indices that another expression computes. Outputs have the same views.
//!
//! ```
//! use cl_algo::prelude::*;
//! # fn main() -> cl_core::Result<()> {
//! # let queue = Queue::on(&Device::first()?)?;
//! let x = DeviceVec::from_slice(&queue, &[1.0_f32, 4.0, 9.0, 16.0])?;
//! let order = DeviceVec::from_slice(&queue, &[2_u32, 0, 3, 1])?;
//!
//! let differences = (x.slice(1..) - x.slice(..3)).collect()?;
//! assert_eq!(differences.to_vec()?, [3.0, 5.0, 7.0]);
//! let roots = x.iter().sqrt().gather(&order).collect()?;
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
//! Indices that come from data are checked on the device. No memory outside the vector is read or written, and the next
//! call that waits for the queue, in any thread, returns [`Error::IndexOutOfRange`](cl_core::Error::IndexOutOfRange).
//!
//! # Functions
//!
//! | form | used in | how it works |
//! | --- | --- | --- |
//! | closures over symbolic values | [`map`](Expr::map), [`mapped`], [`codegen`] | recorded once; generic numeric code runs on [`Val`] unchanged |
//! | [`#[device_fn]`](device_fn) and [`cl!`] | anywhere an operator can stand | Rust with loops and branches, translated; runs on the host, too |
//! | [`RawFunction`](function::RawFunction) | the same places | OpenCL C text, `unsafe` |
//!
//! ```
//! use cl_algo::prelude::*;
//!
//! /// Returns the Lennard-Jones potential for the square of a distance.
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
//! Algorithms are methods of expressions and of [`DeviceVec`]. An input may be any expression, and an output
//! any [`Sink`]. Operators, predicates and comparators are closures over symbolic values. An algorithm waits
//! for the device only if it returns a value, or a new vector of unknown length, to the host.
//!
//! ```
//! use cl_algo::prelude::*;
//! # fn main() -> cl_core::Result<()> {
//! # let queue = Queue::on(&Device::first()?)?;
//! let mut x = DeviceVec::from_slice(&queue, &[3, 1, 2, 3, 1, 3])?;
//! x.sort()?;
//! assert_eq!(x.to_vec()?, [1, 1, 2, 3, 3, 3]);
//! assert_eq!(x.sum()?, 13);
//!
//! let distinct = x.iter().dedup().collect()?;
//! assert_eq!(distinct.to_vec()?, [1, 2, 3]);
//! assert_eq!(x.iter().filter(|x| x.gt(1)).count()?, 4);
//! let (_, counts) = constant(1_u32).sum_by_key(&x)?; // how often each value occurs
//! let ends = counts.iter().inclusive_scan().collect()?;
//! assert_eq!(ends.to_vec()?, [2, 3, 6]);
//! # Ok(())
//! # }
//! ```
//!
//! The module [`stl`] has the algorithms by the names of C++'s standard library, Thrust and Boost.Compute, as free
//! functions: inputs first, then functions, then outputs.
//!
//! | family | methods | in [`stl`] |
//! | --- | --- | --- |
//! | reductions | [`sum`](Expr::sum), [`mean`](Expr::mean), [`mean_and_variance`](Expr::mean_and_variance), [`reduce_min`](Expr::reduce_min), [`max_element`](Expr::max_element); several in one pass: [`reduce_with`](Expr::reduce_with) and [`reducers`]; results on the device: [`DeviceScalar`] | [`reduce`](stl::reduce), [`transform_reduce`](stl::transform_reduce), [`inner_product`](stl::inner_product), [`count_if`](stl::count_if) |
//! | searches | in `bool` expressions: [`any`](Expr::any), [`all`](Expr::all), [`count`](Expr::count), [`position`](Expr::position) | [`find_if`](stl::find_if), [`mismatch`](stl::mismatch), [`equal`](stl::equal), [`is_sorted`](stl::is_sorted) |
//! | searches in sorted sequences | | [`lower_bound`](stl::lower_bound), [`binary_search`](stl::binary_search); many values at once: [`lower_bounds`](stl::lower_bounds) |
//! | scans | [`inclusive_scan`](Expr::inclusive_scan), [`exclusive_scan`](Expr::exclusive_scan); with any associative operator: [`inclusive_scan_with`](Expr::inclusive_scan_with) | [`inclusive_scan`](stl::inclusive_scan); in place: [`inclusive_scan_in_place`](stl::inclusive_scan_in_place) |
//! | by key | [`sum_by_key`](Expr::sum_by_key), [`reduce_by_key`](Expr::reduce_by_key), scans' [`by_key`](Scan::by_key) | [`reduce_by_key`](stl::reduce_by_key), [`inclusive_scan_by_key`](stl::inclusive_scan_by_key) |
//! | selections | [`filter`](Expr::filter), [`dedup`](Expr::dedup), [`partition`](Expr::partition), [`retain`](DeviceVec::retain) | [`copy_if`](stl::copy_if), [`unique`](stl::unique), [`partition_copy`](stl::partition_copy), [`unique_by_key`](stl::unique_by_key) |
//! | sorts | [`sort`](DeviceVec::sort), [`sort_by`](DeviceVec::sort_by), [`argsort`](Expr::argsort), [`Sort`] | [`sort_by_key`](stl::sort_by_key), [`sort_by_key_by`](stl::sort_by_key_by) |
//! | several keys | [`sort_by_cached_key`](DeviceVec::sort_by_cached_key) | [`lexsort`](stl::lexsort) |
//! | sorts of slices of the host, also larger than device memory | [`ExternalSort`] | [`external_sort`](stl::external_sort) |
//! | selections by order | [`select_nth`](Expr::select_nth), [`quantiles`](Expr::quantiles), [`median`](Expr::median), [`top_k`](Expr::top_k) | [`nth_element`](stl::nth_element), [`partial_sort`](stl::partial_sort), [`partition3`](stl::partition3) |
//! | segments | reductions, scans and sorts of each part of a sequence: [`Segments`] | |
//! | merges | | [`merge`](stl::merge), [`merge_by_key`](stl::merge_by_key) |
//! | sets | | [`set_union`](stl::set_union), [`set_intersection`](stl::set_intersection), [`set_difference`](stl::set_difference), [`includes`](stl::includes) |
//! | sequences | [`repeat_each`](Expr::repeat_each) | [`search`](stl::search), [`lexicographical_compare`](stl::lexicographical_compare), [`next_permutation`](stl::next_permutation), [`run_length_encode`](stl::run_length_encode) |
//! | histograms | | [`histogram`](stl::histogram), [`histogram_even`](stl::histogram_even); of values [`reduce_by_index`](stl::reduce_by_index) |
//! | moves | [`gather`](Expr::gather), [`scatter_mut`](DeviceVec::scatter_mut), [`rev`](Expr::rev), [`rotate_left`](DeviceVec::rotate_left), [`concat`](DeviceVec::concat) | [`gather`](stl::gather), [`scatter_if`](stl::scatter_if), [`copy`](stl::copy) |
//! | elementwise | operators, [`map`](Expr::map), [`assign`], [`assign_with`], [`collect_into`](Expr::collect_into) | [`transform`](stl::transform), [`adjacent_difference`](stl::adjacent_difference), [`fill`](stl::fill) |
//!
//! In-place algorithms take a vector, a mutable view, or a tuple of these ([`InPlace`]): `stl::sort(x.slice_mut(1..))`.
//!
//! Means, variances, the smallest and the largest element are `Option`s: `None` for zero elements.
//! [`position`](Expr::position), [`find_if`](stl::find_if), [`mismatch`](stl::mismatch) and
//! [`adjacent_find`](stl::adjacent_find) return a position as `Option<usize>`. The sum of zero elements is 0.
//!
//! The sort and the removal of duplicates again, by the STL's names. The caller provides the output:
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
//! Sorts, merges, set operations, searches in sorted sequences and [`is_sorted`](stl::is_sorted) order floats as
//! [`total_cmp`](f32::total_cmp) does: first the negative NaNs, then minus infinity up to -0.0, then +0.0 up
//! to infinity, and last the positive NaNs. [`Expr::total_lt`], [`Val::total_lt`] and
//! [`TotalOrder`](function::TotalOrder) compare in this order in expressions and in device functions.
//!
//! Algorithms that compare for equality alone use the equality of IEEE 754: [`dedup`](Expr::dedup),
//! [`unique`](stl::unique), [`equal`](stl::equal), [`mismatch`](stl::mismatch), [`find`](stl::find). There -0.0 equals
//! +0.0, and NaN differs from itself. The smallest and the largest element ([`reduce_min`](Expr::reduce_min),
//! [`min_element`](Expr::min_element)) ignore NaN, as [`f32::min`] does.
//!
//! A comparator returns whether its first item goes before its second. `less(a, b)` means the same for
//! [`sort_by`](DeviceVec::sort_by), [`merge_by`](stl::merge_by), [`lower_bound_by`](stl::lower_bound_by) and
//! [`is_sorted_by`](stl::is_sorted_by). Sorts and merges keep every item, even if a comparator contradicts itself.
//!
//! # Arithmetic
//!
//! `+ - *` give the host's results bit by bit. Integers wrap around. `a * b + c` of floats is rounded twice,
//! and not contracted to one operation; [`mul_add`](math::mul_add) rounds once. The exception is `f32` below
//! [`f32::MIN_POSITIVE`]: OpenCL allows devices to treat these subnormal numbers as zero.

// The code that `#[derive(Element)]` writes calls this crate `cl_algo`.
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
pub mod ranked;
mod sink;
mod vec;

pub use algorithm::*;
// Used by the code that `#[derive(Element)]` writes, so that users need no dependency of their own.
pub use bytemuck;
pub use cl_macros::{Element, cl, device_fn};
/// The tunables of this crate: see [`Tunable`].
pub use device::shapes as tunables;
pub use device::{DeviceFence, DeviceProfile, Held, Rule, Shape, Tunable, Tuning};
pub use device_scalar::DeviceScalar;
pub use element::vector::*;
pub use element::{
    Bits, ComplexPart, Element, ElementType, Field, Float, Integer, Number, Ordered, ScalarType, Signed,
    StructType,
};
#[doc(hidden)]
pub use expr::{AnyExpr, AnyVal, Handle, PartOp, Recording};
pub use expr::{
    Border, Castable, Composite, Expr, Format, IntoComponents, IntoSymbols, Item, Operand, Recorded,
    Rounding, Symbol, Val, complex, constant, from_polar, index, iota, math, vector, zip,
};
pub use ir::function::Function;
#[doc(hidden)]
pub use ir::target::{Stores, Target};
pub use num_complex;
pub use sink::{Discard, Mapped, Scatter, Sink, ViewMut, mapped};
pub use vec::DeviceVec;

/// The names that most programs use.
///
/// [`math`] has functions by OpenCL's names, [`stl`] has algorithms by the STL's names, and the root of the crate has
/// vector types such as [`F32x4`]. Expressions have methods for functions and algorithms.
pub mod prelude {
    pub use crate::{
        Border, DeviceScalar, DeviceVec, Discard, Element, Expr, Float, Integer, Number, Operand, Signed,
        Sort, Val, assign, assign_with, cl, complex, constant, device_fn, from_polar, index, iota, mapped,
        vector, zip,
    };
    pub use cl_core::{Device, Queue, QueueOptions};
}
