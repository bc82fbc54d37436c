//! Randomised singular value decomposition.

use super::operator::normal;
use super::options::Spectra;
use super::svd::Svd;
use crate::error::Result;
use crate::scalar::{RealScalar, Scalar};
use cl_array::{Array, ArrayOperand, s};

/// Randomised singular value decomposition: the largest singular values of a matrix that is close to one of low rank.
///
/// The matrix is multiplied by random vectors, a few more than singular values are wanted, and decomposed in the space that
/// the products span. Each power iteration multiplies by `A Aᴴ` once more, which helps if singular values decrease slowly.
/// N. Halko, P. G. Martinsson and J. A. Tropp, "Finding structure with randomness: probabilistic algorithms for
/// constructing approximate matrix decompositions", SIAM Review 53 (2011), algorithms 4.4 and 5.1.
///
/// ```
/// use cl_linalg::{RandomizedSvd, prelude::*};
/// # fn main() -> cl_linalg::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// // A matrix of rank 1.
/// let a = Array::from_fn(&queue, [40, 30], |[i, j]| ((i + 1) * (j + 1)).cast::<f32>())?;
/// let svd = RandomizedSvd::new(2).svd(&a)?;
/// assert_eq!(svd.u.shape(), [40, 2]);
/// let s = svd.s.to_vec()?;
/// assert!(s[1] < 1e-4 * s[0]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomizedSvd {
    rank: usize,
    oversampling: usize,
    power_iterations: usize,
    seed: u64,
}

impl RandomizedSvd {
    /// Returns the method for `rank` singular values, with 10 more random vectors and two power iterations.
    #[must_use]
    pub fn new(rank: usize) -> RandomizedSvd {
        RandomizedSvd { rank, oversampling: 10, power_iterations: 2, seed: 0 }
    }

    /// Sets the number of random vectors beyond the number of singular values.
    #[must_use]
    pub fn oversampling(self, oversampling: usize) -> RandomizedSvd {
        RandomizedSvd { oversampling, ..self }
    }

    /// Sets the number of power iterations.
    #[must_use]
    pub fn power_iterations(self, power_iterations: usize) -> RandomizedSvd {
        RandomizedSvd { power_iterations, ..self }
    }

    /// Sets the seed of the random vectors.
    #[must_use]
    pub fn seed(self, seed: u64) -> RandomizedSvd {
        RandomizedSvd { seed, ..self }
    }

    /// Returns the largest singular values of a matrix with their vectors: at most `rank`, and at most as many as the
    /// smaller side of the matrix.
    ///
    /// # Errors
    /// As [`svd`](crate::svd).
    pub fn svd<'a, T: Scalar>(&self, a: impl ArrayOperand<'a, T, 2>) -> Result<Svd<T>> {
        let a = a.into_array_expr();
        let [m, n] = a.shape();
        let rank = self.rank.min(m).min(n);
        let samples = rank.saturating_add(self.oversampling).min(m).min(n);
        let a = a.collect()?;
        if samples == 0 {
            let zeros = |shape| Array::filled(a.queue(), shape, T::zeroed());
            let s = Array::filled(a.queue(), [0], T::Real::from_f64(0.0))?;
            return Ok(Svd { u: zeros([m, 0])?, s, v: zeros([n, 0])? });
        }
        let adjoint = T::conjugates(a.t().iter()).collect()?;
        let random = normal::<T, 2>(a.queue(), self.seed, [n, samples])?;
        let mut q = range(a.iter().matmul(&random)?)?;
        for _ in 0..self.power_iterations {
            let across = range(adjoint.iter().matmul(&q)?)?;
            q = range(a.iter().matmul(&across)?)?;
        }
        let projected = T::conjugates(q.t().iter()).matmul(&a)?;
        let Svd { u, s, v } = Spectra::new().svd(&projected)?;
        let u = q.iter().matmul(u.slice(s![.., ..rank]))?;
        Ok(Svd { u, s: s.slice(s![..rank]).collect()?, v: v.slice(s![.., ..rank]).collect()? })
    }
}

/// Returns orthonormal columns that span the columns of a matrix.
fn range<T: Scalar>(columns: Array<T, 2>) -> Result<Array<T, 2>> {
    Ok(Spectra::new().svd(&columns)?.u)
}
