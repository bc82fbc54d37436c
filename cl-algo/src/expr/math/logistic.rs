//! The logistic function and its relatives, made of built-in functions so that no intermediate value overflows.

use super::*;
use crate::element::Float;
use crate::function::logistic;

/// Defines functions, free and as methods, by the nodes of `function/logistic.rs`.
macro_rules! logistic {
    ($($(#[$doc:meta])* $name:ident($x:ident $(, $more:ident)?);)*) => {
        $(
            $(#[$doc])*
            pub fn $name<'a, T: Float>($x: impl Operand<'a, T> $(, $more: impl Operand<'a, T>)?) -> Expr<'a, T> {
                $x.into_expr().$name($($more)?)
            }
        )*

        impl<'a, T: Float> Expr<'a, T> {$(
            $(#[$doc])*
            pub fn $name(self $(, $more: impl Operand<'a, T>)?) -> Expr<'a, T> {
                logistic!(@ self $name $($more)?)
            }
        )*}

        impl<T: Float> Val<T> {$(
            $(#[$doc])*
            #[must_use]
            pub fn $name(self $(, $more: impl Symbol<T>)?) -> Val<T> {
                $(let $more = $more.into_val();)?
                extend(|recording| {
                    let of = [self.node(recording) $(, $more.node(recording))?];
                    let number = T::TYPE.scalar().and_then(|number| {
                        logistic::method(recording.graph(), stringify!($name), &of, number)
                    });
                    // Every float is a scalar and has all of these functions.
                    number.unwrap_or(of[0])
                })
            }
        )*}
    };
    (@ $x:ident $name:ident) => { $x.map(Val::$name) };
    (@ $x:ident $name:ident $more:ident) => {
        $x.zip($more).map(|(x, y): (Val<T>, Val<T>)| x.$name(y))
    };
}

logistic! {
    /// Returns 1 / (1 + e^-x). A relative error of up to 5 ulp for `f32` and `f64`.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::math::{log_add_exp, sigmoid};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[0.0_f32, 1000.0, -1000.0])?;
    /// assert_eq!(sigmoid(&x).collect()?.to_vec()?, [0.5, 1.0, 0.0]);
    /// assert_eq!(x.iter().map(|x| x.relu() + x.softplus()).collect()?.to_vec()?[1..], [2000.0, 0.0]);
    /// assert_eq!(log_add_exp(&x, 0.0).collect()?.to_vec()?[1..], [1000.0, 0.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("expit", "logistic"))]
    sigmoid(x);
    /// Returns ln(x / (1 - x)), the inverse of [`sigmoid`]; -∞ for 0, ∞ for 1, NaN outside.
    logit(x);
    /// Returns ln(1 + e^x).
    #[doc(alias("log1pexp", "smooth_relu"))]
    softplus(x);
    /// Returns ln(1 / (1 + e^-x)): -[`softplus`] of -x.
    #[doc(alias("logsigmoid"))]
    log_sigmoid(x);
    /// Returns x, or 0 if x is below 0; NaN for NaN.
    #[doc(alias("rectifier", "ramp"))]
    relu(x);
    /// Returns x times the [`sigmoid`] of x; 0 for -∞.
    #[doc(alias("swish"))]
    silu(x);
    /// Returns x times the probability that a number of the standard normal distribution is below x, by [`erfc`] and not by
    /// an approximation; 0 for -∞.
    gelu(x);
    /// Returns ln(e^x + e^y).
    #[doc(alias("logaddexp", "log_sum_exp"))]
    log_add_exp(x, y);
}
