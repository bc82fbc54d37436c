//! QR factorisation with column pivoting.

use super::host::{self, HostScalar};
use super::matrix::{RightSides, column_major, finite};
use super::ops::{Form, is_finite};
use super::qr::Qr;
use super::settings::{FactorSettings, QR};
use crate::error::{Error, Result};
use crate::runs_on::RunsOn;
use crate::scalar::{RealScalar, Scalar, scale_of};
use cl_algo::DeviceVec;
use cl_array::{Array, ArrayExpr, ArrayOperand};
use faer::MatMut;

/// The factorisation `A P = Q R` of a matrix of any shape, with columns exchanged so that the elements on the diagonal of
/// `R` do not grow in absolute value: those that are zero to rounding tell the rank.
///
/// Made by [`LinearAlgebra::qr_pivoted`](crate::LinearAlgebra::qr_pivoted). The host factorises the matrix, because each
/// column depends on the norms of all others; products with `Q` run where [`Qr`] would run them.
///
/// Businger and Golub, "Linear Least Squares Solutions by Householder Transformations", Numer. Math. 7, 1965; Golub and Van
/// Loan, "Matrix Computations", 4th edition, section 5.4.2.
#[derive(Debug)]
pub struct PivotedQr<T: Scalar> {
    qr: Qr<T>,
    permutation: Vec<usize>,
}

impl<T: Scalar> PivotedQr<T> {
    pub(crate) fn new(matrix: ArrayExpr<'_, T, 2>, settings: &FactorSettings) -> Result<PivotedQr<T>> {
        let operation = "qr_pivoted";
        let (mut vector, shape) = column_major(matrix)?;
        let queue = vector.queue().clone();
        let [rows, columns] = shape;
        let (runs_on, width) = settings.chosen::<T>(&QR, &queue, rows * columns)?;
        let steps = rows.min(columns);
        let width = width.min(steps).max(1);
        let zero = T::zeroed();
        let mut factors = DeviceVec::filled(&queue, zero, width * steps)?;
        let mut permutation: Vec<usize> = (0..columns).collect();
        let mut diagonal = vec![zero; steps];
        if steps > 0 {
            let mut own = vector.buffer_mut().map_mut(&queue, ..)?;
            let mut largest = 0.0_f64;
            for &item in own.iter() {
                let item = T::from_stored(item);
                if !is_finite(item) {
                    return Err(Error::NotFinite { operation });
                }
                largest = largest.max(item.magnitude().to_f64());
            }
            // The factorisation divides by norms of columns.
            let scale = T::from_real(T::Real::from_f64(scale_of::<T>(largest)));
            let is_scaled = largest < 1.0 / f64::from(f32::MAX);
            let stored = |item: T| T::as_stored(&[item])[0];
            if is_scaled {
                own.iter_mut().for_each(|item| *item = stored(T::from_stored(*item) * scale));
            }
            let mut own_factors = factors.buffer_mut().map_mut(&queue, ..)?;
            // SAFETY: the elements are those of the matrix in column-major order. `HostScalar` says that they are the same
            // numbers.
            let (matrix, factor) = unsafe {
                (
                    MatMut::<<T as HostScalar>::Host>::from_raw_parts_mut(
                        own.as_mut_ptr().cast(),
                        rows,
                        columns,
                        1,
                        rows as isize,
                    ),
                    MatMut::from_raw_parts_mut(
                        own_factors.as_mut_ptr().cast(),
                        width,
                        steps,
                        1,
                        width as isize,
                    ),
                )
            };
            // Zeros are the factors of a zero matrix, too.
            if largest > 0.0 {
                permutation = host::pivoted_qr(matrix, factor);
            }
            if is_scaled {
                for (column, items) in own.chunks_exact_mut(rows).enumerate() {
                    let upper = items.iter_mut().take(column + 1);
                    upper.for_each(|item| *item = stored(T::from_stored(*item) / scale));
                }
            }
            for (step, item) in diagonal.iter_mut().enumerate() {
                *item = T::from_stored(own[step * rows + step]);
            }
            own_factors.unmap()?;
            own.unmap()?;
        }
        finite(operation, &diagonal)?;
        let qr = Qr { vectors: Array::column_major(vector, shape)?, factors, width, diagonal, runs_on };
        Ok(PivotedQr { qr, permutation })
    }

    /// Returns the numbers of rows and columns of the matrix.
    #[must_use]
    pub fn shape(&self) -> [usize; 2] {
        self.qr.shape()
    }

    /// Returns the processor of products with `Q`.
    #[must_use]
    pub fn ran_on(&self) -> RunsOn {
        self.qr.ran_on()
    }

    /// Returns the permutation: column `j` of `A P` is column `permutation[j]` of `A`.
    #[must_use]
    pub fn permutation(&self) -> &[usize] {
        &self.permutation
    }

    /// Returns `P`, of shape `[n, n]`, with ones and zeros.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn p(&self) -> Result<Array<T, 2>> {
        let columns = self.permutation.len();
        let mut elements = vec![T::zeroed(); columns * columns];
        for (column, &from) in self.permutation.iter().enumerate() {
            elements[from * columns + column] = T::from_real(T::Real::from_f64(1.0));
        }
        Ok(Array::from_slice(self.qr.vectors.queue(), [columns, columns], &elements)?)
    }

    /// Returns `R`. See [`Qr::r`].
    ///
    /// # Errors
    /// Errors of the device.
    pub fn r(&self) -> Result<Array<T, 2>> {
        self.qr.r()
    }

    /// Returns the first columns of `Q`. See [`Qr::q`].
    ///
    /// # Errors
    /// Errors of the device.
    pub fn q(&self) -> Result<Array<T, 2>> {
        self.qr.q()
    }

    /// Returns all columns of `Q`. See [`Qr::q_full`].
    ///
    /// # Errors
    /// Errors of the device.
    pub fn q_full(&self) -> Result<Array<T, 2>> {
        self.qr.q_full()
    }

    /// Returns `Q B`. See [`Qr::apply_q`].
    ///
    /// # Errors
    /// As [`Qr::apply_q`].
    pub fn apply_q<'b, const M: usize>(&self, right: impl ArrayOperand<'b, T, M>) -> Result<Array<T, M>> {
        self.qr.apply_q(right)
    }

    /// Returns `Qᴴ B`. See [`Qr::apply_q_adjoint`].
    ///
    /// # Errors
    /// As [`Qr::apply_q_adjoint`].
    pub fn apply_q_adjoint<'b, const M: usize>(
        &self,
        right: impl ArrayOperand<'b, T, M>,
    ) -> Result<Array<T, M>> {
        self.qr.apply_q_adjoint(right)
    }

    /// Returns the number of elements on the diagonal of `R` that are larger than `tolerance` times the first one, in
    /// absolute value.
    #[must_use]
    pub fn rank_with(&self, tolerance: T::Real) -> usize {
        let sizes = self.qr.diagonal.iter().map(|item| item.magnitude().to_f64());
        let largest = sizes.clone().fold(0.0, f64::max);
        sizes.take_while(|&size| size > tolerance.to_f64() * largest).count()
    }

    /// Returns the rank to rounding: [`rank_with`](PivotedQr::rank_with) the larger of the numbers of rows and columns
    /// times the distance from 1 to the next number.
    ///
    /// ```
    /// use cl_linalg::prelude::*;
    /// # fn main() -> cl_linalg::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [3, 2], &[1.0_f64, 2.0, 2.0, 4.0, 3.0, 6.0])?;
    /// assert_eq!(a.qr_pivoted()?.rank(), 1);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn rank(&self) -> usize {
        let [rows, columns] = self.shape();
        self.rank_with(T::Real::from_f64(rows.max(columns) as f64 * 2.0 * T::Real::UNIT_ROUNDOFF))
    }

    /// Returns an `X` that minimises the norm of each column of `A X - B`, for a matrix of any shape and rank. Where
    /// several do, it has zeros for the unknowns whose columns depend on others.
    ///
    /// # Errors
    /// [`Error::Failed`] unless `right` has as many rows as the matrix; errors of the device.
    #[doc(alias("lstsq", "gelsy"))]
    pub fn least_squares<'b, const M: usize>(
        &self,
        right: impl ArrayOperand<'b, T, M>,
    ) -> Result<Array<T, M>> {
        let operation = "least_squares";
        let ([rows, columns], rank) = (self.shape(), self.rank());
        let right = RightSides::new(operation, right, self.shape(), rows)?;
        let [_, sides] = right.sizes;
        let mut right = self.qr.applied(operation, right, Form::Adjoint, false)?;
        self.qr.solve_r(operation, &mut right, rank, Form::Plain)?;
        let solved = right.vector.to_vec()?;
        let mut elements = vec![T::zeroed(); columns * sides];
        for side in 0..sides {
            for (row, &unknown) in self.permutation.iter().enumerate().take(rank) {
                elements[side * columns + unknown] = solved[side * rows + row];
            }
        }
        right.with_elements(columns, &elements)
    }
}
