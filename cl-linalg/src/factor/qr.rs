//! QR factorisation by block reflectors.

use super::algorithms::{self, Half, MATRIX};
use super::matrix::{RightSides, Work, column_major, finite, identity, run};
use super::ops::{Block, BlockedOps, Form, Operand, Operands};
use super::settings::{FactorSettings, QR};
use crate::error::{Error, Result};
use crate::runs_on::RunsOn;
use crate::scalar::Scalar;
use cl_algo::DeviceVec;
use cl_array::{Array, ArrayExpr, ArrayOperand};

/// The factorisation `A = Q R` of a matrix of any shape: the columns of `Q` are orthonormal, `R` is upper triangular.
///
/// Made by [`LinearAlgebra::qr`](crate::LinearAlgebra::qr). `Q` is kept as reflectors, which
/// [`apply_q`](Qr::apply_q) multiplies by without forming `Q`. The elements on the diagonal of `R` can have any sign or
/// phase.
///
/// Golub and Van Loan, "Matrix Computations", 4th edition, section 5.2; Schreiber and Van Loan, "A Storage-Efficient WY
/// Representation for Products of Householder Transformations", SIAM J. Sci. Stat. Comput. 10, 1989. The factors are those
/// of a matrix that differs from `A` by a small multiple of `u ‖A‖`, and `Q` is orthogonal to rounding for any `A`: Higham,
/// "Accuracy and Stability of Numerical Algorithms", 2nd edition, section 19.3.
#[derive(Debug)]
pub struct Qr<T: Scalar> {
    /// `R`, with the reflectors' vectors below its diagonal.
    pub(super) vectors: Array<T, 2>,
    /// The factors `T` of the panels, side by side.
    pub(super) factors: DeviceVec<T>,
    /// The number of columns of a panel.
    pub(super) width: usize,
    pub(super) diagonal: Vec<T>,
    pub(super) runs_on: RunsOn,
}

/// The factorisation itself.
struct Factorize {
    shape: [usize; 2],
    width: usize,
}

impl<T: Scalar> Work<T> for Factorize {
    type Output = Vec<T>;

    fn run(self, ops: &mut impl BlockedOps<T>) -> Result<Vec<T>> {
        let [rows, columns] = self.shape;
        let whole = Block::new(MATRIX, 0..rows, 0..columns);
        if !ops.is_finite(&whole, false)? {
            return Err(Error::NotFinite { operation: "qr" });
        }
        algorithms::qr(ops, self.shape, self.width)?;
        ops.diagonal(&whole)
    }
}

/// Products with `Q`.
struct Apply {
    /// The numbers of rows and of reflectors.
    sizes: [usize; 2],
    width: usize,
    right: usize,
    form: Form,
    /// `true` if the right-hand sides are columns of the identity matrix.
    is_identity: bool,
}

impl<T: Scalar> Work<T> for Apply {
    type Output = ();

    fn run(self, ops: &mut impl BlockedOps<T>) -> Result<()> {
        let Apply { sizes, width, right, form, is_identity } = self;
        if is_identity {
            algorithms::form_q(ops, sizes, width, right)
        } else {
            algorithms::apply_q(ops, sizes, width, right, form)
        }
    }
}

/// A solve with a part of `R`.
struct Solve {
    half: Half,
    right: usize,
}

impl<T: Scalar> Work<T> for Solve {
    type Output = ();

    fn run(self, ops: &mut impl BlockedOps<T>) -> Result<()> {
        algorithms::solve_triangular(ops, self.half, self.right)
    }
}

impl<T: Scalar> Qr<T> {
    pub(crate) fn new(matrix: ArrayExpr<'_, T, 2>, settings: &FactorSettings) -> Result<Qr<T>> {
        let (mut vector, shape) = column_major(matrix)?;
        let queue = vector.queue().clone();
        let [rows, columns] = shape;
        let (runs_on, width) = settings.chosen::<T>(&QR, &queue, rows * columns)?;
        let steps = rows.min(columns);
        let width = width.min(steps).max(1);
        let mut factors = DeviceVec::filled(&queue, T::zeroed(), width * steps)?;
        let operands = Operands {
            factors: Some(Operand::written(&mut factors, width)),
            ..Operands::of(Operand::written(&mut vector, rows))
        };
        let diagonal = run("qr", runs_on, operands, Factorize { shape, width })?;
        finite("qr", &diagonal)?;
        Ok(Qr { vectors: Array::column_major(vector, shape)?, factors, width, diagonal, runs_on })
    }

    /// Returns the numbers of rows and columns of the matrix.
    #[must_use]
    pub fn shape(&self) -> [usize; 2] {
        self.vectors.shape()
    }

    /// Returns the processor that factorised the matrix.
    #[must_use]
    pub fn ran_on(&self) -> RunsOn {
        self.runs_on
    }

    /// Returns `R`, of shape `[min(m, n), n]`.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn r(&self) -> Result<Array<T, 2>> {
        let steps = self.diagonal.len() as isize;
        Ok(self.vectors.slice_axis(0, ..steps).iter().triu(0).collect()?)
    }

    /// Returns the first columns of `Q`, of shape `[m, min(m, n)]`.
    ///
    /// # Errors
    /// Errors of the device.
    #[doc(alias = "orgqr")]
    pub fn q(&self) -> Result<Array<T, 2>> {
        self.first_columns(self.diagonal.len())
    }

    /// Returns all columns of `Q`, of shape `[m, m]`.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn q_full(&self) -> Result<Array<T, 2>> {
        self.first_columns(self.shape()[0])
    }

    fn first_columns(&self, columns: usize) -> Result<Array<T, 2>> {
        let rows = self.shape()[0];
        let identity = identity([rows, columns]);
        let right = RightSides::new("q", identity.on(self.vectors.queue()), self.shape(), rows)?;
        self.applied("q", right, Form::Plain, true)?.into_array()
    }

    /// Returns `Q B`, with the whole `Q` of shape `[m, m]`, for a vector or the columns of a matrix.
    ///
    /// # Errors
    /// [`Error::Failed`] unless `right` has as many rows as the matrix; errors of the device.
    #[doc(alias = "ormqr")]
    pub fn apply_q<'b, const M: usize>(&self, right: impl ArrayOperand<'b, T, M>) -> Result<Array<T, M>> {
        let right = RightSides::new("apply_q", right, self.shape(), self.shape()[0])?;
        self.applied("apply_q", right, Form::Plain, false)?.into_array()
    }

    /// Returns `Qᴴ B`. See [`apply_q`](Qr::apply_q).
    ///
    /// # Errors
    /// As [`apply_q`](Qr::apply_q).
    #[doc(alias = "ormqr")]
    pub fn apply_q_adjoint<'b, const M: usize>(
        &self,
        right: impl ArrayOperand<'b, T, M>,
    ) -> Result<Array<T, M>> {
        let right = RightSides::new("apply_q_adjoint", right, self.shape(), self.shape()[0])?;
        self.applied("apply_q_adjoint", right, Form::Adjoint, false)?.into_array()
    }

    pub(super) fn applied<const M: usize>(
        &self,
        operation: &'static str,
        mut right: RightSides<T, M>,
        form: Form,
        is_identity: bool,
    ) -> Result<RightSides<T, M>> {
        let (rows, columns) = (self.shape()[0], right.sizes[1]);
        let operands = Operands {
            right: Some(right.operand()),
            factors: Some(Operand::read(&self.factors, self.width)),
            ..Operands::of(Operand::read(self.vectors.as_vec(), rows))
        };
        let sizes = [rows, self.diagonal.len()];
        let apply = Apply { sizes, width: self.width, right: columns, form, is_identity };
        run(operation, self.runs_on, operands, apply)?;
        Ok(right)
    }

    /// Solves with the first `rows` rows and columns of `R` or of its adjoint, in place.
    pub(super) fn solve_r<const M: usize>(
        &self,
        operation: &'static str,
        right: &mut RightSides<T, M>,
        rows: usize,
        form: Form,
    ) -> Result<()> {
        let zero = T::zeroed();
        if let Some(pivot) = self.diagonal.iter().take(rows).position(|pivot| *pivot == zero) {
            return Err(Error::Singular { operation, pivot });
        }
        let columns = right.sizes[1];
        let operands = Operands {
            right: Some(right.operand()),
            ..Operands::of(Operand::read(self.vectors.as_vec(), self.shape()[0]))
        };
        let half = Half { rows, lower: false, unit: false, form };
        run(operation, self.runs_on, operands, Solve { half, right: columns })
    }

    /// Returns the `X` that minimises the norm of each column of `A X - B`, for a matrix of full rank with at least as many
    /// rows as columns. For other matrices: [`PivotedQr::least_squares`](crate::PivotedQr::least_squares), or
    /// [`LinearAlgebra::least_squares`](crate::LinearAlgebra::least_squares) for fewer rows.
    ///
    /// ```
    /// use cl_linalg::prelude::*;
    /// # fn main() -> cl_linalg::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// // A line through (0, 1), (1, 3), (2, 5).
    /// let a = Array::from_slice(&queue, [3, 2], &[1.0_f64, 0.0, 1.0, 1.0, 1.0, 2.0])?;
    /// let b = Array::from_slice(&queue, [3], &[1.0, 3.0, 5.0])?;
    /// let line = a.qr()?.least_squares(&b)?.to_vec()?;
    /// assert!((line[0] - 1.0).abs() < 1e-14 && (line[1] - 2.0).abs() < 1e-14);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Singular`] if an element on the diagonal of `R` is zero; [`Error::Failed`] if the matrix has fewer rows
    /// than columns, or unless `right` has as many rows as the matrix.
    #[doc(alias("lstsq", "gels"))]
    pub fn least_squares<'b, const M: usize>(
        &self,
        right: impl ArrayOperand<'b, T, M>,
    ) -> Result<Array<T, M>> {
        let operation = "least_squares";
        let [rows, columns] = self.shape();
        if rows < columns {
            let reason = format!(
                "the matrix has shape {:?}: more unknowns than equations; use the method of the array",
                [rows, columns]
            );
            return Err(cl_core::Error::invalid_input(operation, reason).into());
        }
        let right = RightSides::new(operation, right, self.shape(), rows)?;
        let mut right = self.applied(operation, right, Form::Adjoint, false)?;
        self.solve_r(operation, &mut right, columns, Form::Plain)?;
        right.first_rows(columns)
    }

    /// Returns the `X` of the least norm among those with `Aᴴ X = B`, where `A` is the matrix that was factorised and `of`
    /// the shape of its adjoint.
    pub(super) fn least_norm<'b, const M: usize>(
        &self,
        right: impl ArrayOperand<'b, T, M>,
        of: [usize; 2],
    ) -> Result<Array<T, M>> {
        let operation = "least_squares";
        let [equations, unknowns] = of;
        let mut right = RightSides::new(operation, right, of, equations)?;
        self.solve_r(operation, &mut right, equations, Form::Adjoint)?;
        let sides = right.sizes[1];
        let solved = right.vector.to_vec()?;
        let zero = T::zeroed();
        let mut elements = vec![zero; unknowns * sides];
        for side in 0..sides {
            let own = &solved[side * equations..][..equations];
            elements[side * unknowns..][..equations].copy_from_slice(own);
        }
        self.apply_q(&right.with_elements(unknowns, &elements)?)
    }

    /// Solves `A X = B` for a square matrix. See [`least_squares`](Qr::least_squares).
    ///
    /// # Errors
    /// [`Error::Singular`] with the first element on the diagonal of `R` that is zero; [`Error::Failed`] unless the matrix
    /// is square and `right` has as many rows.
    pub fn solve<'b, const M: usize>(&self, right: impl ArrayOperand<'b, T, M>) -> Result<Array<T, M>> {
        super::matrix::square("solve", self.shape())?;
        self.least_squares(right)
    }
}
