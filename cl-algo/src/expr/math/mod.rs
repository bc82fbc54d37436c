//! The built-in functions of OpenCL C by their own names, as free functions and as methods.
//!
//! A free function takes expressions, vectors and scalars. The methods are methods of [`Expr`] and of [`Val`], and take
//! the function's first argument as `self`.
//!
//! | file | functions |
//! | --- | --- |
//! | `elementary` | roots, angles and hyperbolic functions |
//! | `exponential` | powers and logarithms, significand and exponent of floats |
//! | `logistic` | the logistic function and its relatives |
//! | `rounding` | rounding to integers, remainders, neighbouring floats |
//! | `special` | the error function and the gamma function |
//! | `common` | `abs`, `min`, `max`, `clamp`; blending and steps |
//! | `integer` | saturation, halves of products, bits |
//! | `relational` | tests of floats, selection by bits |
//! | `signs` | `any` and `all` of OpenCL vectors |
//! | `geometric` | lengths and products of OpenCL vectors |
//! | `native` | `half_` and `native_`: faster and less precise, for `f32` |
//!
//! Functions of floats apply to the components of OpenCL vectors by
//! [`map_components`](Expr::map_components): `v.map_components(Val::sin)`.
//!
//! # Names
//!
//! The names are OpenCL's, except for a few functions that have one name for floats and integers here: `fabs` is
//! [`abs`], `fmin` and `fmax` are [`min`] and [`max`], and `fma` is [`mul_add`], as Rust calls it.
//! `select(no, yes, condition)` is [`condition.select(yes, no)`](Expr::select). Constants such as `M_PI` are Rust's:
//! `x * std::f32::consts::PI` passes π as an argument, and `x * constant(std::f32::consts::PI)` makes it part of the
//! kernel.
//!
//! # Precision
//!
//! The text of each function gives the largest errors that the OpenCL C specification allows, in units in the last
//! place (ulp), for `f16`, for `f32` and for `f64` (section "Relative Error as ULPs"). 0 means exact or correctly
//! rounded. For `f32`, devices may treat subnormal arguments and results as zero.
//!
//! # Faults of drivers
//!
//! These faults of drivers are known, and affect every caller of the function with the driver. A vector form is the
//! function that an expression calls for a pack of several elements, or for an OpenCL vector.
//!
//! | function | driver | fault |
//! | --- | --- | --- |
//! | [`step`] | Intel's runtime for CPUs, 2026 | the vector forms give 0 for NaN, where 1 is right |
//! | [`normalize`] | Intel's runtime for CPUs, 2026 | gives NaN for the zero vector of `f32` |
//! | [`length`] | Intel's runtime for CPUs, 2026 | gives infinity for vectors of `f16` |
//! | [`mad_sat`] | Intel's runtime for CPUs, 2026 | the vector forms are wrong for `i32` and `u32` |
//! | [`sin`], [`cos`], [`tan`] | PoCL 3 | in a vector with large angles, the vector forms treat subnormal angles as 0.0117 |
//! | [`pow`] | PoCL 3, on processors with AVX-512 | the vector form for `f64` is wrong for subnormal bases, and for the largest bases |
//! | [`erfc`] | Mesa's rusticl, 22 | is off by 64 ulp for `f32`, where 16 are allowed |
//! | [`sinpi`] | Oclgrind 21.10 | gives the sine of a product that is rounded: 1e-16 for 1, where 0 is right |
//! | [`remquo`] | Oclgrind 21.10 | gives 3 bits of the quotient, not 7 |
//! | [`add_sat`] | Oclgrind 21.10 | gives 0 for the sum of the two least `i64` |
//! | [`isnormal`] | Oclgrind 21.10 | returns true for subnormal `f32` |
//! | [`convert`](Expr::convert) | Oclgrind 21.10 | rounds negative floats down for `Rounding::Up`, and up for `Rounding::Down` |
//! | [`cast`](Expr::cast) | Oclgrind 21.10 | rounds `i64` to `f32` twice, to `f64` first |
//!
//! Other faults do not affect callers, because the kernels have other code instead of the call: the faults of PoCL 3.1
//! in [`fmod`], [`remainder`], [`remquo`] and [`frexp`] of `f64`, and of NVIDIA's driver 580 in [`mad_sat`] of `i64`
//! and in [`lgamma_r`]. `cl_test::known_faults` has the test of each fault in the table.
//!
//! ```
//! use cl_algo::prelude::*;
//! use cl_algo::math::sqrt;
//! # fn main() -> cl_core::Result<()> {
//! # let queue = Queue::on(&Device::first()?)?;
//! let x = DeviceVec::from_slice(&queue, &[3.0_f32, 5.0])?;
//! let y = DeviceVec::from_slice(&queue, &[4.0_f32, 12.0])?;
//! assert_eq!(sqrt(&x * &x + &y * &y).collect()?.to_vec()?, [5.0, 13.0]);
//! // Methods, and the same in a closure.
//! assert_eq!(x.iter().hypot(&y).collect()?.to_vec()?, [5.0, 13.0]);
//! let spread = x.iter().zip(&y).map(|(x, y)| x.max(y) - x.min(y));
//! assert_eq!(spread.collect()?.to_vec()?, [1.0, 7.0]);
//! # Ok(())
//! # }
//! ```

// The names that the macros use.
use super::{Expr, Operand, Symbol, Val, extend};
use crate::element::Element;
use crate::ir::op::Op;

/// Defines functions with one result, free and as methods, for all types of a class:
/// `name(first, other: Type) -> Result = operation`.
macro_rules! functions {
    ($item:ident: $class:path where $(
        $(#[$doc:meta])*
        $name:ident($first:ident $(, $more:ident: $ty:ty)*) -> $result:ty = $op:expr;
    )*) => {
        $(
            $(#[$doc])*
            pub fn $name<'a, $item: $class>(
                $first: impl Operand<'a, $item>
                $(, $more: impl Operand<'a, $ty>)*
            ) -> Expr<'a, $result> {
                $first.into_expr().with([$($more.into_expr().into_postfix()),*], $op, stringify!($name))
            }
        )*

        impl<'a, $item: $class> Expr<'a, $item> {
            $(
                $(#[$doc])*
                pub fn $name(self $(, $more: impl Operand<'a, $ty>)*) -> Expr<'a, $result> {
                    $name(self $(, $more)*)
                }
            )*
        }

        impl<$item: $class> Val<$item> {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $name(self $(, $more: impl Symbol<$ty>)*) -> Val<$result> {
                    $(let $more = $more.into_val();)*
                    extend(|recording| {
                        let arguments = [self.node(recording) $(, $more.node(recording))*];
                        recording.apply($op, <$result as Element>::TYPE, &arguments)
                    })
                }
            )*
        }
    };
}

/// Defines functions with two results, by their names in OpenCL C, which returns one result through a pointer. See
/// [`functions`].
macro_rules! pairs {
    ($item:ident: $class:path where $(
        $(#[$doc:meta])*
        $name:ident($first:ident $(, $more:ident: $ty:ty)*) -> ($result:ty, $second:ty);
    )*) => {
        $(
            $(#[$doc])*
            pub fn $name<'a, $item: $class>(
                $first: impl Operand<'a, $item>
                $(, $more: impl Operand<'a, $ty>)*
            ) -> Expr<'a, ($result, $second)> {
                let others = [$($more.into_expr().into_postfix()),*];
                let op = Op::Pair(const { &(stringify!($name), <$second as Element>::TYPE) });
                let pair: Expr<'a, $result> = $first.into_expr().with(others, op, stringify!($name));
                Expr::new(pair.into_graph().with_second(<$second as Element>::TYPE))
            }
        )*

        impl<'a, $item: $class> Expr<'a, $item> {
            $(
                $(#[$doc])*
                pub fn $name(self $(, $more: impl Operand<'a, $ty>)*) -> Expr<'a, ($result, $second)> {
                    $name(self $(, $more)*)
                }
            )*
        }

        impl<$item: $class> Val<$item> {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $name(self $(, $more: impl Symbol<$ty>)*) -> (Val<$result>, Val<$second>) {
                    $(let $more = $more.into_val();)*
                    let first: Val<$result> = extend(|recording| {
                        let arguments = [self.node(recording) $(, $more.node(recording))*];
                        let op = Op::Pair(const { &(stringify!($name), <$second as Element>::TYPE) });
                        recording.apply(op, <$result as Element>::TYPE, &arguments)
                    });
                    let second = extend(|recording| {
                        let arguments = [first.node(recording)];
                        recording.apply(Op::Second, <$second as Element>::TYPE, &arguments)
                    });
                    (first, second)
                }
            )*
        }
    };
}

// The modules come after the macros that they use.
mod common;
mod elementary;
mod exponential;
mod geometric;
mod integer;
mod logistic;
mod native;
mod relational;
mod rounding;
mod rust_names;
pub mod signs;
mod special;

pub use common::*;
pub use elementary::*;
pub use exponential::*;
pub use geometric::*;
pub use integer::*;
pub use logistic::*;
pub use native::*;
pub use relational::*;
pub use rounding::*;
pub use special::*;
