//! Blocked algorithms, generic over the processor on which they run.
//!
//! LU, Cholesky and QR are right-looking: each panel of columns is factorised, and the columns to its right are updated
//! by products of matrices, in which nearly all arithmetic takes place. See Golub and Van Loan, "Matrix Computations",
//! 4th edition, sections 3.2.11, 4.2.6 and 5.2.3, and Dongarra et al., "LAPACK Users' Guide". Products of reflectors are
//! kept as `I - V T Vᴴ`: Schreiber and Van Loan, "A Storage-Efficient WY Representation for Products of Householder
//! Transformations", SIAM J. Sci. Stat. Comput. 10, 1989.

use super::ops::{Block, BlockedOps, Form, Triangle};
use crate::error::Result;
use crate::scalar::Scalar;
use std::ops::Range;

/// The index of the operand that is factorised.
pub(crate) const MATRIX: usize = 0;
/// The index of the right-hand sides of a solve.
pub(crate) const RIGHT: usize = 1;
/// The index of the factors `T` of QR: as many rows as a panel has columns, and a column for each reflector.
pub(crate) const FACTORS: usize = 2;

/// Returns the ranges of `width` numbers below `len`, one after the other.
pub(crate) fn panels(
    len: usize,
    width: usize,
) -> impl ExactSizeIterator<Item = Range<usize>> + DoubleEndedIterator {
    let width = width.clamp(1, len.max(1));
    (0..len.div_ceil(width)).map(move |panel| panel * width..len.min(panel * width + width))
}

/// Factorises a matrix as `P A = L U`, with partial pivoting.
pub(crate) fn lu<T: Scalar>(
    ops: &mut impl BlockedOps<T>,
    [rows, columns]: [usize; 2],
    width: usize,
) -> Result<()> {
    for panel in panels(rows.min(columns), width) {
        let Range { start, end } = panel.clone();
        ops.lu_panel(&Block::new(MATRIX, start..rows, panel.clone()))?;
        for others in [0..start, end..columns] {
            ops.exchange_rows(&Block::new(MATRIX, 0..rows, others), panel.clone(), false)?;
        }
        let right = Block::new(MATRIX, panel.clone(), end..columns);
        let diagonal = Block::new(MATRIX, panel.clone(), panel.clone());
        let triangle = Triangle { block: diagonal, lower: true, unit: true, form: Form::Plain };
        ops.solve_triangle(&triangle, &right)?;
        let below = Block::new(MATRIX, end..rows, panel);
        let rest = Block::new(MATRIX, end..rows, end..columns);
        ops.subtract_product(&rest, (&below, Form::Plain), (&right, Form::Plain))?;
    }
    Ok(())
}

/// Factorises a Hermitian positive definite matrix, of which the lower half is read, as `A = L Lᴴ`.
pub(crate) fn cholesky<T: Scalar>(ops: &mut impl BlockedOps<T>, rows: usize, width: usize) -> Result<()> {
    for panel in panels(rows, width) {
        let Range { start, end } = panel.clone();
        ops.cholesky_panel(&Block::new(MATRIX, start..rows, panel.clone()))?;
        let below = Block::new(MATRIX, end..rows, panel);
        ops.subtract_hermitian(&Block::new(MATRIX, end..rows, end..rows), &below)?;
    }
    Ok(())
}

/// Returns the block of a panel's factor `T`.
fn factor_of(panel: &Range<usize>) -> Block {
    Block::new(FACTORS, 0..panel.len(), panel.clone())
}

/// Factorises a matrix as `A = Q R`.
pub(crate) fn qr<T: Scalar>(
    ops: &mut impl BlockedOps<T>,
    [rows, columns]: [usize; 2],
    width: usize,
) -> Result<()> {
    for panel in panels(rows.min(columns), width) {
        let Range { start, end } = panel.clone();
        let (vectors, factor) = (Block::new(MATRIX, start..rows, panel.clone()), factor_of(&panel));
        ops.qr_panel(&vectors, &factor)?;
        ops.reflect(&vectors, &factor, Form::Adjoint, &Block::new(MATRIX, start..rows, end..columns))?;
    }
    Ok(())
}

/// Multiplies the right-hand sides by `Q`, or by its adjoint, from the left. `reflectors` is their number.
pub(crate) fn apply_q<T: Scalar>(
    ops: &mut impl BlockedOps<T>,
    [rows, reflectors]: [usize; 2],
    width: usize,
    right: usize,
    form: Form,
) -> Result<()> {
    let mut apply = |panel: Range<usize>| {
        let vectors = Block::new(MATRIX, panel.start..rows, panel.clone());
        ops.reflect(&vectors, &factor_of(&panel), form, &Block::new(RIGHT, panel.start..rows, 0..right))
    };
    match form {
        Form::Adjoint => panels(reflectors, width).try_for_each(apply),
        Form::Plain => panels(reflectors, width).rev().try_for_each(&mut apply),
    }
}

/// Forms the first columns of `Q` in the right-hand sides, which are the first columns of the identity matrix.
pub(crate) fn form_q<T: Scalar>(
    ops: &mut impl BlockedOps<T>,
    [rows, reflectors]: [usize; 2],
    width: usize,
    right: usize,
) -> Result<()> {
    for panel in panels(reflectors, width).rev() {
        let vectors = Block::new(MATRIX, panel.start..rows, panel.clone());
        // The columns to the left are still those of the identity matrix, and zero in these rows.
        let columns = panel.start.min(right)..right;
        ops.reflect(
            &vectors,
            &factor_of(&panel),
            Form::Plain,
            &Block::new(RIGHT, panel.start..rows, columns),
        )?;
    }
    Ok(())
}

/// The half of the factorised matrix that a solve takes as its triangular matrix.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Half {
    pub(crate) rows: usize,
    pub(crate) lower: bool,
    pub(crate) unit: bool,
    pub(crate) form: Form,
}

/// Solves a triangular system for all right-hand sides, of which there are `right`. The solution replaces them.
pub(crate) fn solve_triangular<T: Scalar>(
    ops: &mut impl BlockedOps<T>,
    Half { rows, lower, unit, form }: Half,
    right: usize,
) -> Result<()> {
    let width = ops.solve_block();
    // The adjoint of a lower triangle is solved from its last row on, as an upper triangle is.
    let forwards = lower == (form == Form::Plain);
    let mut step = |panel: Range<usize>| {
        let Range { start, end } = panel.clone();
        let solved = Block::new(RIGHT, panel.clone(), 0..right);
        let block = Block::new(MATRIX, panel.clone(), panel.clone());
        ops.solve_triangle(&Triangle { block, lower, unit, form }, &solved)?;
        let others = if forwards { end..rows } else { 0..start };
        let factor = match form {
            Form::Plain => Block::new(MATRIX, others.clone(), panel),
            Form::Adjoint => Block::new(MATRIX, panel, others.clone()),
        };
        let rest = Block::new(RIGHT, others, 0..right);
        ops.subtract_product(&rest, (&factor, form), (&solved, Form::Plain))
    };
    if forwards {
        panels(rows, width).try_for_each(step)
    } else {
        panels(rows, width).rev().try_for_each(&mut step)
    }
}
