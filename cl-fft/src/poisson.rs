//! The Poisson equation on periodic grids.

use crate::frequency::rfftfreq_along;
use crate::planner::Planner;
use crate::real::Real;
use crate::real_fft::RealFft;
use cl_algo::num_complex::Complex;
use cl_algo::{DeviceVec, Element, Expr, Number, Operand, Symbol, Val, ViewMut};
use cl_core::{Error, Queue, Result};
use std::f64::consts::TAU;

/// A solver of `∇²u = f` on a periodic grid. The solution is exact for functions that the grid can represent:
/// `u` is the inverse transform of `-f̂ / (2π |ξ|)²`, computed inside the two transforms. A periodic `u`
/// exists only if the mean of `f` is 0. The solver therefore ignores the mean of `f`. The mean of `u` is 0.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_fft::Poisson;
/// use std::f32::consts::TAU;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let f = DeviceVec::from_fn(&queue, 64, |i| (TAU * i as f32 / 64.0).cos())?;
/// let u = Poisson::new(&queue, [64], [TAU])?.solve(&f)?; // u'' = cos x on a ring of 2 pi
/// assert!((u.to_vec()?[0] + 1.0).abs() < 1e-5);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "a solver does nothing until it gets an equation"]
pub struct Poisson<T: Real>
where
    Complex<T>: Element,
{
    fft: RealFft<T>,
    lengths: Vec<usize>,
    sizes: Vec<T>,
}

impl<T: Real + Number> Poisson<T>
where
    Complex<T>: Element + Number,
{
    /// Returns a solver for grids with `lengths[axis]` points along each axis. The grid is `sizes[axis]` long along
    /// that axis.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] unless there is one size for each axis, finite and above 0; otherwise as
    /// [`Planner::c2c`].
    pub fn new(queue: &Queue, lengths: impl AsRef<[usize]>, sizes: impl AsRef<[T]>) -> Result<Poisson<T>> {
        let (lengths, sizes) = (lengths.as_ref().to_vec(), sizes.as_ref().to_vec());
        if lengths.len() != sizes.len() {
            let reason = format!("there are {} sizes, and the grid has {} axes", sizes.len(), lengths.len());
            return Err(Error::invalid_input("sizes of a Poisson equation", reason));
        }
        // The reciprocal of infinity is 0, and NaN fails every comparison.
        let none = T::rounded(0.0);
        let is_none = |size: &T| !(*size > none && T::rounded(1.0) / *size > none);
        if let Some(axis) = sizes.iter().position(is_none) {
            let reason = format!("the size of axis {axis} is not finite and above zero");
            return Err(Error::invalid_input("sizes of a Poisson equation", reason));
        }
        Ok(Poisson { fft: Planner::new(queue).real(&lengths[..])?, lengths, sizes })
    }

    /// Computes the solution into a new vector.
    ///
    /// # Errors
    /// As [`RealFft::forward`].
    pub fn solve<'a>(&self, f: impl Operand<'a, T>) -> Result<DeviceVec<T>> {
        let spectrum = self.fft.forward(f)?;
        self.fft.inverse(self.factor() * &spectrum)
    }

    /// Computes the solution into an existing vector, or into a view of one.
    ///
    /// # Errors
    /// As [`RealFft::forward_into`].
    pub fn solve_into<'u, 'a>(&self, u: impl Into<ViewMut<'u, T>>, f: impl Operand<'a, T>) -> Result<()> {
        let spectrum = self.fft.forward(f)?;
        self.fft.inverse_into(u.into(), self.factor() * &spectrum)
    }

    /// Returns `-1 / (2π |ξ|)²`, and 0 for the mean.
    fn factor(&self) -> Expr<'static, Complex<T>> {
        let square = (0..self.lengths.len())
            .map(|axis| {
                let spacing = self.sizes[axis] / T::rounded(self.lengths[axis] as f64);
                let xi = rfftfreq_along(&self.lengths, axis, spacing) * T::rounded(TAU);
                &xi * &xi
            })
            .reduce(|sum, square| sum + square);
        let minus_one = || Symbol::<T>::into_val(T::rounded(-1.0));
        let factor = square.map(|square| {
            square.map(|square| {
                let none = square.eq(T::rounded(0.0));
                Val::complex(none.select(T::rounded(0.0), minus_one() / square), T::rounded(0.0))
            })
        });
        // There is at least one axis: the plan has checked this.
        factor.unwrap_or_else(|| <Complex<T> as Element>::zeroed().into_expr())
    }
}
