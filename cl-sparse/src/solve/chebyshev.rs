//! Chebyshev polynomials of an operator, as preconditioners.

use super::operator::{Square, fits};
use super::{LinearOperator, Preconditioner, Real};
use cl_algo::{DeviceVec, Expr, Val, assign, assign_with, index, zip};
use cl_core::{Error, Queue, Result};
use std::cell::RefCell;
use std::fmt;

/// A polynomial of a symmetric positive definite operator. For eigenvalues between two bounds, the polynomial
/// approximates the inverse of the operator. Applying it takes some steps of the Chebyshev iteration (Golub
/// and Varga, "Chebyshev semi-iterative methods", Numer. Math. 3, 1961; as algorithm 12.1 of Saad, "Iterative
/// Methods for Sparse Linear Systems", 2003).
///
/// A step needs no inner products: it is a product with the operator, and one kernel. The polynomial is
/// symmetric, and positive definite if no eigenvalue exceeds the upper bound.
pub struct Chebyshev<'a, T: Real> {
    a: Square<'a, T>,
    bounds: (f64, f64),
    steps: usize,
    scratch: RefCell<Option<[DeviceVec<T>; 2]>>,
}

/// The lower bound as a fraction of the upper bound, if only the largest eigenvalue was estimated. Few
/// eigenvalues are below the lower bound, and a solver handles these few in few iterations.
const LOWER_BOUND_FRACTION: f64 = 1.0 / 30.0;

/// The number of power iterations that estimate the largest eigenvalue.
const POWERS: usize = 20;
/// A factor for the estimated eigenvalue, because power iterations give too small a number.
const MARGIN: f64 = 1.1;

impl<'a, T: Real> Chebyshev<'a, T> {
    /// Creates a polynomial of degree `steps` and estimates the bounds of the eigenvalues. The upper bound is the
    /// result of 20 power iterations (von Mises and Pollaczek-Geiringer 1929) plus a margin of a tenth; the lower bound
    /// is a thirtieth of the upper one. Blocks.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::solve::{Cg, Chebyshev, from_fn};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = from_fn(300, 300, |u: Expr<'_, f32>| {
    ///     2.0 * &u - u.clone().shifted(-1, Border::Constant(0.0)) - u.shifted(1, Border::Constant(0.0))
    /// });
    /// let f = DeviceVec::filled(&queue, 1.0_f32, 300)?;
    /// let (mut u, mut v) = (DeviceVec::filled(&queue, 0.0, 300)?, DeviceVec::filled(&queue, 0.0, 300)?);
    /// let plain = Cg::new().solve(&a, &f, &mut u)?;
    /// let better = Cg::new().preconditioner(&Chebyshev::new(&a, &queue, 4)?).solve(&a, &f, &mut v)?;
    /// assert!(2 * better.iterations < plain.iterations);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if `steps` is 0; if the estimate is not a positive number, because the operator is zero,
    /// overflows or has a NaN; or if the last vector `v` of the power iteration has a negative energy `v·A v`, because
    /// the operator is not positive definite or has a NaN. [`Error::LengthMismatch`] if the operator is not square.
    pub fn new(a: &'a dyn LinearOperator<T>, queue: &Queue, steps: usize) -> Result<Self> {
        let a = checked(a, steps, (1.0, 1.0))?;
        let largest = largest_eigenvalue(&a, queue)?;
        if !(largest > 0.0 && largest.is_finite()) {
            let reason = format!("its largest eigenvalue seems to be {largest}, and must be positive");
            return Err(Error::invalid_input("operator of a Chebyshev iteration", reason));
        }
        let largest = MARGIN * largest;
        let bounds = checked_bounds((LOWER_BOUND_FRACTION * largest, largest))?;
        Ok(Chebyshev { a, bounds, steps, scratch: RefCell::new(None) })
    }

    /// Creates a polynomial of degree `steps` for an operator with eigenvalues between these bounds. No eigenvalue may
    /// exceed the upper bound; a few eigenvalues below the lower one do no harm.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_sparse::solve::{Chebyshev, from_fn};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// // The eigenvalues of second differences are between 0 and 4; for 300 points the least is 0.0001.
    /// let a = from_fn(300, 300, |u: Expr<'_, f32>| {
    ///     2.0 * &u - u.clone().shifted(-1, Border::Constant(0.0)) - u.shifted(1, Border::Constant(0.0))
    /// });
    /// let preconditioner = Chebyshev::with_bounds(&a, (0.1, 4.0), 4)?;
    /// assert_eq!(preconditioner.bounds(), (0.1, 4.0));
    /// # drop(queue);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if `steps` is 0, or unless both bounds are positive and the lower one comes first;
    /// [`Error::LengthMismatch`] if the operator is not square.
    pub fn with_bounds(a: &'a dyn LinearOperator<T>, bounds: (f64, f64), steps: usize) -> Result<Self> {
        let a = checked(a, steps, bounds)?;
        Ok(Chebyshev { a, bounds, steps, scratch: RefCell::new(None) })
    }

    /// Returns the bounds of the eigenvalues.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        self.bounds
    }

    /// Runs the iteration from `z = 0`. `d` holds the correction of a step, and `q` the product `A z`.
    fn iterate(&self, r: &DeviceVec<T>, z: &mut DeviceVec<T>, [d, q]: &mut [DeviceVec<T>; 2]) -> Result<()> {
        let (low, high) = self.bounds;
        let (middle, half) = (f64::midpoint(low, high), (high - low) / 2.0);
        let number = |value: f64| Val::known(T::rounded(value));
        // With equal bounds `half` is 0, and this is Richardson's iteration. If all eigenvalues equal the
        // bounds, the first step is exact, and the other steps change nothing.
        let mut rho = half / middle;
        let start = r.iter().map(|r| r * number(1.0 / middle));
        assign((&mut *d, &mut *z), start.map(|start| (start, start)))?;
        for _ in 1..self.steps {
            self.a.apply(z, q)?;
            let next = 1.0 / (2.0 * middle - rho * half);
            let (keep, add) = (next * rho * half, 2.0 * next);
            let residual = zip((r, &*q)).map(|(r, q)| (r - q) * number(add));
            assign_with((&mut *z, &mut *d), |items| {
                items.zip(residual).map(|((z, d), residual)| {
                    let d = d * number(keep) + residual;
                    (z + d, d)
                })
            })?;
            rho = next * half;
        }
        Ok(())
    }
}

impl<T: Real> Preconditioner<T> for Chebyshev<'_, T> {
    fn size(&self) -> Option<usize> {
        Some(self.a.rows())
    }

    fn apply(&self, r: &DeviceVec<T>, z: &mut DeviceVec<T>) -> Result<()> {
        fits("apply: rows and `r`", self.a.rows(), r.len())?;
        fits("apply: rows and `z`", self.a.rows(), z.len())?;
        let kept = self.scratch.take().filter(|[d, _]| d.queue() == r.queue());
        let mut scratch = match kept {
            Some(scratch) => scratch,
            None => {
                let vector = || DeviceVec::filled(r.queue(), T::rounded(0.0), r.len());
                [vector()?, vector()?]
            }
        };
        let result = self.iterate(r, z, &mut scratch);
        // After a failure the contents of the vectors are unknown.
        if result.is_ok() {
            self.scratch.replace(Some(scratch));
        }
        result
    }
}

impl<T: Real> fmt::Debug for Chebyshev<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Chebyshev({} steps, for eigenvalues from {} to {})",
            self.steps, self.bounds.0, self.bounds.1
        )
    }
}

/// Returns an error unless a polynomial exists for these settings. Asks the operator for its size.
fn checked<T: Real>(a: &dyn LinearOperator<T>, steps: usize, bounds: (f64, f64)) -> Result<Square<'_, T>> {
    let a = Square::of("Chebyshev: rows and columns of the operator", a)?;
    if steps == 0 {
        let reason = "their number is 0, and must be at least 1".to_owned();
        return Err(Error::invalid_input("steps of a Chebyshev iteration", reason));
    }
    checked_bounds(bounds)?;
    Ok(a)
}

/// Returns an error unless the bounds are positive and in order.
fn checked_bounds((low, high): (f64, f64)) -> Result<(f64, f64)> {
    if !(low > 0.0 && low <= high && high.is_finite()) {
        let reason = format!("{low} and {high}: they must be positive, the lower one first");
        return Err(Error::invalid_input("bounds of eigenvalues", reason));
    }
    Ok((low, high))
}

/// Returns a lower estimate of the largest eigenvalue, by power iterations.
fn largest_eigenvalue<T: Real>(a: &Square<'_, T>, queue: &Queue) -> Result<f64> {
    let n = a.rows();
    if n == 0 {
        return Ok(1.0);
    }
    // The first vector is pseudo-random, so that it has a part along each eigenvector. Each call uses the
    // same vector.
    let noise: Expr<'_, T> = index::<u32>().map(|i| {
        let mixed = (i + 1) * 2_654_435_769_u32;
        let mixed = (mixed ^ (mixed >> 15)) * 2_246_822_519_u32;
        ((mixed >> 8).cast::<T>() + number_of(1.0)) * number_of(1.0 / 16_777_216.0)
    });
    let mut v = noise.take(n).collect_on(queue)?;
    let mut w = DeviceVec::filled(queue, T::rounded(0.0), n)?;
    let product = |v: Expr<'_, T>, w: Expr<'_, T>| -> Result<f64> { Ok((v * w).sum()?.widened()) };
    let (mut estimate, mut energy) = (0.0, 0.0);
    for _ in 0..POWERS {
        a.apply(&v, &mut w)?;
        // Divides all elements by the largest, because squares of very large and very small numbers overflow or
        // underflow.
        let largest = w.iter().map(|w| w.max(-w)).reduce_max()?.map_or(0.0, T::widened);
        estimate = largest;
        if !(largest > 0.0 && largest.is_finite()) {
            break;
        }
        let scaled = || w.iter().map(|w| w / number_of(largest));
        let after = product(scaled(), scaled())?.sqrt();
        estimate *= after / product(v.iter(), v.iter())?.sqrt();
        energy = product(v.iter(), scaled())?;
        v.assign(scaled().map(|w| w * number_of(1.0 / after)))?;
    }
    // The norms above do not show the sign of the eigenvalue, so the energy decides.
    if estimate > 0.0 && energy < 0.0 {
        let reason = format!("it has a direction of energy {energy}, so it is not positive definite");
        return Err(Error::invalid_input("operator of a Chebyshev iteration", reason));
    }
    Ok(estimate)
}

fn number_of<T: Real>(value: f64) -> Val<T> {
    Val::known(T::rounded(value))
}
