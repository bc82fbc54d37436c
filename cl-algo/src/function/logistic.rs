//! The logistic function and its relatives: on the host, in expressions, and in device functions.

use crate::element::ScalarType;
use crate::ir::graph::Graph;
use crate::ir::op::{NodeId, Op};

/// Numbers with the logistic function and its relatives, on the host and in a [`#[device_fn]`](crate::device_fn). Expressions
/// have the same methods. No intermediate value overflows, and small results are precise.
///
/// ```
/// use cl_algo::function::Logistic;
/// use cl_algo::prelude::*;
///
/// /// The cost of predicting `score` where the truth is `is_true`.
/// #[device_fn]
/// fn cost(score: f32, is_true: bool) -> f32 {
///     if is_true { (-score).softplus() } else { score.softplus() }
/// }
///
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let scores = DeviceVec::from_slice(&queue, &[1000.0_f32, -1000.0])?;
/// let truth = DeviceVec::from_slice(&queue, &[false, false])?;
/// assert_eq!(cost(&scores, &truth).collect()?.to_vec()?, [cost(1000.0, false), 0.0]);
/// # Ok(())
/// # }
/// ```
pub trait Logistic {
    /// Returns 1 / (1 + e^-x).
    #[must_use]
    fn sigmoid(self) -> Self;
    /// Returns ln(x / (1 - x)), the inverse of [`sigmoid`](Logistic::sigmoid); NaN outside of 0 to 1.
    #[must_use]
    fn logit(self) -> Self;
    /// Returns ln(1 + e^x).
    #[must_use]
    fn softplus(self) -> Self;
    /// Returns ln(1 / (1 + e^-x)).
    #[must_use]
    fn log_sigmoid(self) -> Self;
    /// Returns x, or 0 if x is below 0.
    #[must_use]
    fn relu(self) -> Self;
    /// Returns x / (1 + e^-x).
    #[must_use]
    fn silu(self) -> Self;
}

/// The number below which x times the sigmoid of x is 0 in every format.
const LOWEST: f64 = -10_000.0;

macro_rules! logistic {
    ($($real:ident)*) => {$(
        impl Logistic for $real {
            fn sigmoid(self) -> $real {
                let power = (-self.abs()).exp();
                (if self < 0.0 { power } else { 1.0 }) / (1.0 + power)
            }

            fn logit(self) -> $real {
                let is_middle = (0.25..=0.75).contains(&self);
                let log = (if is_middle { (self + self - 1.0) / (1.0 - self) } else { -self }).ln_1p();
                if is_middle { log } else { self.ln() - log }
            }

            fn softplus(self) -> $real {
                self.max(0.0) + (-self.abs()).exp().ln_1p()
            }

            fn log_sigmoid(self) -> $real {
                -(-self).softplus()
            }

            fn relu(self) -> $real {
                if self < 0.0 { 0.0 } else { self }
            }

            fn silu(self) -> $real {
                if self < LOWEST as $real { 0.0 } else { self * self.sigmoid() }
            }
        }
    )*};
}

logistic!(f32 f64);

/// Adds the nodes of a function of this file. Returns `None` for another name.
pub(crate) fn method(
    g: &mut Graph<'static>,
    name: &str,
    of: &[NodeId],
    number: ScalarType,
) -> Option<NodeId> {
    let &x = of.first()?;
    let (zero, one) = (g.number(0.0, number), g.number(1.0, number));
    /// Returns e to the power of -|x|.
    fn power(g: &mut Graph<'static>, x: NodeId) -> Option<NodeId> {
        let size = g.op(Op::Call("fabs"), &[x])?;
        let minus = g.op(Op::Neg, &[size])?;
        g.op(Op::Call("exp"), &[minus])
    }
    match name {
        "sigmoid" => {
            let power = power(g, x)?;
            let (is_below, sum) = (g.op(Op::Lt, &[x, zero])?, g.op(Op::Add, &[one, power])?);
            let upper = g.op(Op::Select, &[is_below, power, one])?;
            g.op(Op::Div, &[upper, sum])
        }
        // Near 1/2 the difference of the logarithms would cancel.
        "logit" => {
            let (low, high) = (g.number(0.25, number), g.number(0.75, number));
            let (above, below) = (g.op(Op::Ge, &[x, low])?, g.op(Op::Le, &[x, high])?);
            let is_middle = g.op(Op::BitAnd, &[above, below])?;
            let twice = g.op(Op::Add, &[x, x])?;
            let (upper, lower) = (g.op(Op::Sub, &[twice, one])?, g.op(Op::Sub, &[one, x])?);
            let (middle, minus) = (g.op(Op::Div, &[upper, lower])?, g.op(Op::Neg, &[x])?);
            let argument = g.op(Op::Select, &[is_middle, middle, minus])?;
            let (log1p, log) = (g.op(Op::Call("log1p"), &[argument])?, g.op(Op::Call("log"), &[x])?);
            let outside = g.op(Op::Sub, &[log, log1p])?;
            g.op(Op::Select, &[is_middle, log1p, outside])
        }
        "softplus" => {
            let power = power(g, x)?;
            let (above, log) = (g.op(Op::Call("fmax"), &[x, zero])?, g.op(Op::Call("log1p"), &[power])?);
            g.op(Op::Add, &[above, log])
        }
        "log_sigmoid" => {
            let minus = g.op(Op::Neg, &[x])?;
            let softplus = method(g, "softplus", &[minus], number)?;
            g.op(Op::Neg, &[softplus])
        }
        "relu" => {
            let is_below = g.op(Op::Lt, &[x, zero])?;
            g.op(Op::Select, &[is_below, zero, x])
        }
        "silu" | "gelu" => {
            let share = if name == "silu" {
                method(g, "sigmoid", of, number)?
            } else {
                let (half, root) =
                    (g.number(0.5, number), g.number(-std::f64::consts::FRAC_1_SQRT_2, number));
                let argument = g.op(Op::Mul, &[x, root])?;
                let twice = g.op(Op::Call("erfc"), &[argument])?;
                g.op(Op::Mul, &[half, twice])?
            };
            let lowest = g.number(LOWEST, number);
            let (is_lost, product) = (g.op(Op::Lt, &[x, lowest])?, g.op(Op::Mul, &[x, share])?);
            g.op(Op::Select, &[is_lost, zero, product])
        }
        "log_add_exp" => {
            let &[x, y] = of else { return None };
            let (above, difference) = (g.op(Op::Call("fmax"), of)?, g.op(Op::Sub, of)?);
            // Equal infinities have no difference.
            let are_equal = g.op(Op::Eq, &[x, y])?;
            let difference = g.op(Op::Select, &[are_equal, zero, difference])?;
            let power = power(g, difference)?;
            let log = g.op(Op::Call("log1p"), &[power])?;
            g.op(Op::Add, &[above, log])
        }
        _ => None,
    }
}
