//! Mathematical functions by their OpenCL names, as free functions and as methods.
//!
//! Precision is OpenCL's: see the table of relative errors in the OpenCL specification, section
//! "Relative Error as ULPs". `sqrt` and `/` on `f32` are correctly rounded where the device can.
//!
//! ```
//! use cl_algo::prelude::*;
//! # fn main() -> cl_core::Result<()> {
//! # let queue = Queue::on(&Device::first()?)?;
//! let x = DeviceVec::from_slice(&queue, &[3.0_f32, 5.0])?;
//! let y = DeviceVec::from_slice(&queue, &[4.0_f32, 12.0])?;
//! assert_eq!(sqrt(&x * &x + &y * &y).collect()?.to_vec()?, [5.0, 13.0]);
//! # Ok(())
//! # }
//! ```

use super::op::Op;
use super::{Expr, Operand, Symbol, Val, extend};
use crate::element::Float;

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident = $c_name:literal ($first:ident $(, $more:ident)*);)*) => {
        $(
            $(#[$doc])*
            pub fn $name<'a, T: Float>(
                $first: impl Operand<'a, T>
                $(, $more: impl Operand<'a, T>)*
            ) -> Expr<'a, T> {
                let others = [$($more.into_expr().into_graph()),*];
                let graph = $first.into_expr().into_graph();
                Expr::new(graph.apply(Op::Call($c_name), T::TYPE, others, stringify!($name)))
            }
        )*

        impl<'a, T: Float> Expr<'a, T> {
            $(
                $(#[$doc])*
                pub fn $name(self $(, $more: impl Operand<'a, T>)*) -> Expr<'a, T> {
                    $name(self $(, $more)*)
                }
            )*
        }

        impl<T: Float> Val<T> {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $name(self $(, $more: impl Symbol<T>)*) -> Val<T> {
                    extend(|recording| {
                        let arguments =
                            [self.node(recording) $(, $more.into_val().node(recording))*];
                        recording.apply(Op::Call($c_name), T::TYPE, &arguments)
                    })
                }
            )*
        }
    };
}

functions! {
    /// Absolute value.
    abs = "fabs"(x);
    /// Square root.
    sqrt = "sqrt"(x);
    /// One over the square root.
    rsqrt = "rsqrt"(x);
    /// e to the power of x.
    exp = "exp"(x);
    /// 2 to the power of x.
    exp2 = "exp2"(x);
    /// Natural logarithm.
    log = "log"(x);
    /// Logarithm to base 2.
    log2 = "log2"(x);
    /// Sine of an angle in radians.
    sin = "sin"(x);
    /// Cosine of an angle in radians.
    cos = "cos"(x);
    /// Tangent of an angle in radians.
    tan = "tan"(x);
    /// Hyperbolic tangent.
    tanh = "tanh"(x);
    /// The largest integer not above x.
    floor = "floor"(x);
    /// The smallest integer not below x.
    ceil = "ceil"(x);
    /// x to the power of y.
    pow = "pow"(x, y);
    /// The square root of x² + y², without undue overflow.
    hypot = "hypot"(x, y);
    /// The smaller of x and y; the other one if one is NaN.
    min = "fmin"(x, y);
    /// The larger of x and y; the other one if one is NaN.
    max = "fmax"(x, y);
    /// x · y + z with one rounding.
    mul_add = "fma"(x, y, z);
}
