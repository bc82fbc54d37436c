//! Lanczos' method with thick restarts.

use super::eigen::reals;
use super::operator::{Operator, norm, normal, product, scaled};
use crate::error::{Error, Result};
use crate::scalar::{RealScalar, Scalar};
use cl_array::{Array, s};
use cl_core::Queue;

/// The eigenvalues that [`Lanczos`] looks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wanted {
    /// The largest ones.
    #[default]
    Largest,
    /// The smallest ones.
    Smallest,
    /// Those of the largest absolute values.
    LargestMagnitude,
}

/// Lanczos' method: some eigenvalues and eigenvectors of a large Hermitian operator, which is only applied to vectors.
///
/// The basis is made orthogonal to all vectors before it, and restarted with the best approximations: K. Wu and H. Simon,
/// "Thick-restart Lanczos method for large symmetric eigenvalue problems", SIAM J. Matrix Anal. Appl. 22 (2000). It takes
/// as much memory as `subspace` vectors. Copies of a multiple eigenvalue may be missed.
///
/// ```
/// use cl_linalg::{Lanczos, Wanted, prelude::*};
/// # fn main() -> cl_linalg::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// // A diagonal operator with the eigenvalues 1, 2, ... 100.
/// let scale = |x: &Array<f32, 1>| (&Array::arange(x.queue(), 1.0, 1.0, x.len())? * x).collect();
/// let pairs = Lanczos::new(2).wanted(Wanted::Largest).solve(&queue, 100, &scale)?;
/// let values = pairs.values.to_vec()?;
/// assert!((values[0] - 100.0).abs() < 1e-3 && (values[1] - 99.0).abs() < 1e-3);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lanczos {
    count: usize,
    wanted: Wanted,
    subspace: Option<usize>,
    tolerance: Option<f64>,
    restarts: usize,
    seed: u64,
}

/// Approximations of eigenvalues and eigenvectors, by [`Lanczos`].
#[derive(Debug)]
pub struct RitzPairs<T: Scalar> {
    /// The eigenvalues, the most wanted one first.
    pub values: Array<T::Real, 1>,
    /// The eigenvectors: column `i` belongs to eigenvalue `i`.
    pub vectors: Array<T, 2>,
    /// The estimates of the residuals `‖A x - λ x‖`.
    pub residuals: Vec<f64>,
    /// The number of products with the operator.
    pub products: usize,
}

const OPERATION: &str = "lanczos";

impl Lanczos {
    /// Returns the method for `count` eigenvalues, the largest ones, within 100 units of roundoff of the largest absolute
    /// value, and at most 300 restarts.
    #[must_use]
    pub fn new(count: usize) -> Lanczos {
        Lanczos { count, wanted: Wanted::Largest, subspace: None, tolerance: None, restarts: 300, seed: 0 }
    }

    /// Sets the eigenvalues that are looked for.
    #[must_use]
    pub fn wanted(self, wanted: Wanted) -> Lanczos {
        Lanczos { wanted, ..self }
    }

    /// Sets the number of vectors of the basis, at least two more than eigenvalues. The default is twice as many as
    /// eigenvalues, and at least 20.
    #[must_use]
    pub fn subspace(self, subspace: usize) -> Lanczos {
        Lanczos { subspace: Some(subspace), ..self }
    }

    /// Sets the residual, relative to the largest absolute value of an eigenvalue, at which the iteration ends.
    #[must_use]
    pub fn tolerance(self, tolerance: f64) -> Lanczos {
        Lanczos { tolerance: Some(tolerance), ..self }
    }

    /// Sets the greatest number of restarts.
    #[must_use]
    pub fn restarts(self, restarts: usize) -> Lanczos {
        Lanczos { restarts, ..self }
    }

    /// Sets the seed of the random start.
    #[must_use]
    pub fn seed(self, seed: u64) -> Lanczos {
        Lanczos { seed, ..self }
    }

    /// Returns eigenvalues and eigenvectors of a Hermitian operator of vectors with `n` elements. Whether the operator is
    /// Hermitian is not checked.
    ///
    /// # Errors
    /// [`Error::NotConverged`]; [`Error::NotFinite`] if a product is NaN or infinite; [`Error::Failed`] if there are fewer
    /// than `count` eigenvalues, if the operator does not return `n` elements, and for failures of OpenCL.
    #[doc(alias = "eigsh")]
    pub fn solve<T: Scalar>(
        &self,
        queue: &Queue,
        n: usize,
        operator: &impl Operator<T>,
    ) -> Result<RitzPairs<T>> {
        if self.count > n {
            let reason = format!("{} eigenvalues of an operator with {n} rows", self.count);
            return Err(cl_core::Error::invalid_input(OPERATION, reason).into());
        }
        if self.count == 0 {
            let vectors = Array::filled(queue, [n, 0], T::zeroed())?;
            let values = reals::<T>(queue, &[])?;
            return Ok(RitzPairs { values, vectors, residuals: Vec::new(), products: 0 });
        }
        let size = self.subspace.unwrap_or((2 * self.count).max(20)).max(self.count + 2).min(n);
        let tolerance = self.tolerance.unwrap_or(100.0 * T::Real::UNIT_ROUNDOFF);
        let mut basis = Basis::<T>::new(queue, n, size, self.seed)?;
        for restart in 0..=self.restarts {
            let coupling = basis.extend(operator)?;
            let (values, columns) = T::host_eigh(size, &basis.projected, true)
                .ok_or(Error::NotConverged { operation: OPERATION, iterations: restart })?;
            let mut order: Vec<usize> = (0..size).collect();
            let rank = |i: usize| match self.wanted {
                Wanted::Largest => -values[i],
                Wanted::Smallest => values[i],
                Wanted::LargestMagnitude => -values[i].abs(),
            };
            order.sort_by(|&a, &b| rank(a).total_cmp(&rank(b)));
            let residual = |i: usize| coupling * columns[(size - 1) * size + i].magnitude().to_f64();
            let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
            let is_done = order[..self.count].iter().all(|&i| residual(i) <= tolerance * largest);
            let kept = if is_done {
                self.count
            } else {
                (self.count + size.saturating_sub(self.count) / 2).min(size - 1)
            };
            let order = &order[..kept];
            let vectors = basis.combined(&columns, order)?;
            if is_done {
                return Ok(RitzPairs {
                    values: reals::<T>(queue, &order.iter().map(|&i| values[i]).collect::<Vec<_>>())?,
                    vectors: vectors.t().collect()?,
                    residuals: order.iter().map(|&i| residual(i)).collect(),
                    products: basis.products,
                });
            }
            basis.restart(&vectors, &order.iter().map(|&i| values[i]).collect::<Vec<_>>())?;
        }
        Err(Error::NotConverged { operation: OPERATION, iterations: self.restarts })
    }
}

/// An orthonormal basis, and the operator restricted to it.
struct Basis<'q, T: Scalar> {
    queue: &'q Queue,
    size: usize,
    /// The vectors as rows, and the one after them.
    rows: Array<T, 2>,
    /// The number of vectors whose products are in `projected`.
    known: usize,
    /// The matrix of the operator in this basis, in row-major order.
    projected: Vec<T>,
    products: usize,
    seed: u64,
}

impl<'q, T: Scalar> Basis<'q, T> {
    fn new(queue: &'q Queue, n: usize, size: usize, seed: u64) -> Result<Basis<'q, T>> {
        let mut rows = Array::filled(queue, [size + 1, n], T::zeroed())?;
        let start = normal::<T, 1>(queue, seed, [n])?;
        rows.row_mut(0).assign(&scaled(&start, 1.0 / norm(&start)?)?)?;
        Ok(Basis {
            queue,
            size,
            rows,
            known: 0,
            projected: vec![T::zeroed(); size * size],
            products: 0,
            seed,
        })
    }

    /// Extends the basis to `size` vectors. Returns the norm of the part of the last product outside of the basis, of which
    /// the row behind the basis is the direction.
    fn extend(&mut self, operator: &impl Operator<T>) -> Result<f64> {
        let mut coupling = 0.0;
        for j in self.known..self.size {
            let x = self.rows.row(j).collect()?;
            let y = product(OPERATION, operator, &x)?;
            self.products += 1;
            let size = norm(&y)?;
            if !size.is_finite() {
                return Err(Error::NotFinite { operation: OPERATION });
            }
            let (rest, coefficients) = self.without_projection(y, j + 1)?;
            for (i, &coefficient) in coefficients.iter().enumerate() {
                self.projected[i * self.size + j] = coefficient;
                self.projected[j * self.size + i] = coefficient.conjugate();
            }
            self.projected[j * self.size + j] = T::from_real(coefficients[j].re());
            coupling = norm(&rest)?;
            let mut next = rest;
            let n = x.len();
            if coupling <= size * T::Real::UNIT_ROUNDOFF * n as f64 {
                // The basis is an invariant subspace. Another random vector begins a new one.
                coupling = 0.0;
                self.seed = self.seed.wrapping_add(1);
                if j + 1 < n {
                    let random = normal::<T, 1>(self.queue, self.seed, [n])?;
                    next = self.without_projection(random, j + 1)?.0;
                }
            }
            let length = norm(&next)?;
            let next = scaled(&next, if length > 0.0 { 1.0 / length } else { 0.0 })?;
            self.rows.row_mut(j + 1).assign(&next)?;
        }
        Ok(coupling)
    }

    /// Subtracts the projection onto the first `count` vectors, twice. Returns the rest and the coefficients.
    fn without_projection(&self, mut y: Array<T, 1>, count: usize) -> Result<(Array<T, 1>, Vec<T>)> {
        let mut sums = vec![T::zeroed(); count];
        let vectors = self.rows.slice(s![..count, ..]);
        for _ in 0..2 {
            let coefficients = T::conjugates(vectors.iter()).matvec(&y)?;
            let projection = vectors.clone().t().iter().matvec(&coefficients)?;
            y = (&y - &projection).collect()?;
            sums.iter_mut().zip(coefficients.to_vec()?).for_each(|(sum, coefficient)| *sum += coefficient);
        }
        Ok((y, sums))
    }

    /// Returns the combinations of the basis with these columns of a matrix, as rows.
    fn combined(&self, columns: &[T], order: &[usize]) -> Result<Array<T, 2>> {
        let weights: Vec<T> =
            order.iter().flat_map(|&i| (0..self.size).map(move |k| columns[k * self.size + i])).collect();
        let weights = Array::from_slice(self.queue, [order.len(), self.size], &weights)?;
        Ok(weights.iter().matmul(self.rows.slice(s![..self.size, ..]))?)
    }

    /// Begins again with approximate eigenvectors, followed by the direction outside of the basis.
    fn restart(&mut self, vectors: &Array<T, 2>, values: &[f64]) -> Result<()> {
        let [kept, _] = vectors.shape();
        let next = self.rows.row(self.size).collect()?;
        self.rows.slice_mut(s![..kept, ..]).assign(vectors)?;
        self.rows.row_mut(kept).assign(&next)?;
        self.projected.fill(T::zeroed());
        for (i, &value) in values.iter().enumerate() {
            self.projected[i * self.size + i] = T::from_real(T::Real::from_f64(value));
        }
        self.known = kept;
        Ok(())
    }
}
