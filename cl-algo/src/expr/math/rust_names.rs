//! Methods by Rust's names, where OpenCL's names differ.

use super::{Expr, Operand, Symbol, Val};
use crate::element::Float;

impl<'a, T: Float> Expr<'a, T> {
    /// Returns `self` to a floating-point power: [`pow`](Expr::pow).
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 4.0])?;
    /// assert_eq!(x.iter().map(|x| x.powf(0.5) + x.powi(2)).collect()?.to_vec()?, [2.0, 18.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn powf(self, power: impl Operand<'a, T>) -> Expr<'a, T> {
        self.pow(power)
    }

    /// Returns `self` to an integer power: [`pown`](Expr::pown).
    pub fn powi(self, power: impl Operand<'a, i32>) -> Expr<'a, T> {
        self.pown(power)
    }

    /// Returns the natural logarithm: [`log`](Expr::log).
    pub fn ln(self) -> Expr<'a, T> {
        self.log()
    }
}

impl<T: Float> Val<T> {
    /// Returns `self` to a floating-point power: [`pow`](Val::pow).
    #[must_use]
    pub fn powf(self, power: impl Symbol<T>) -> Val<T> {
        self.pow(power)
    }

    /// Returns `self` to an integer power: [`pown`](Val::pown).
    #[must_use]
    pub fn powi(self, power: impl Symbol<i32>) -> Val<T> {
        self.pown(power)
    }

    /// Returns the natural logarithm: [`log`](Val::log).
    #[must_use]
    pub fn ln(self) -> Val<T> {
        self.log()
    }
}
