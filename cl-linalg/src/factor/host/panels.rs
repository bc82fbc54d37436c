//! Panels of columns on the host: recursive factorisations, which spend their time in products of matrices.
//!
//! LU: Toledo, "Locality of Reference in LU Decomposition with Partial Pivoting", SIAM J. Matrix Anal. Appl. 18, 1997.
//! QR: Elmroth and Gustavson, "Applying Recursion to Serial and Parallel QR Factorization Leads to Better Performance",
//! IBM J. Res. Dev. 44, 2000.

use super::super::ops::Form;
use super::{threads, work};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt;
use faer::linalg::householder::make_householder_in_place;
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::qr::col_pivoting;
use faer::linalg::triangular_solve as solves;
use faer::prelude::{Reborrow, ReborrowMut};
use faer::traits::math_utils::{abs1, from_f64, is_finite, one, real, recip, zero};
use faer::traits::{ComplexField, ext::*};
use faer::{Accum, Mat, MatMut, MatRef, Par, Spec};

/// The first column of a panel whose pivot is not positive.
pub(crate) struct PanelFailure {
    pub(crate) column: usize,
}

/// Factorises a panel of at least as many rows as columns by Gaussian elimination with partial pivoting. The pivots are
/// indices of rows of the panel.
pub(crate) fn lu_panel<E: ComplexField>(mut panel: MatMut<'_, E>, pivots: &mut [u32]) {
    let (rows, columns) = (panel.nrows(), panel.ncols());
    if columns <= 1 {
        if let Some(pivot) = pivots.first_mut() {
            *pivot = lu_column(panel) as u32;
        }
        return;
    }
    let half = columns / 2;
    let (left_pivots, right_pivots) = pivots.split_at_mut(half);
    let (mut left, mut right) = panel.rb_mut().split_at_col_mut(half);
    lu_panel(left.rb_mut(), left_pivots);
    exchange(right.rb_mut(), left_pivots);
    let (top, below) = left.rb().split_at_row(half);
    let (mut right_top, mut rest) = right.split_at_row_mut(half);
    solves::solve_unit_lower_triangular_in_place(top, right_top.rb_mut(), Par::Seq);
    let par = threads(work([rows - half, half, columns - half]));
    matmul(rest.rb_mut(), Accum::Add, below, right_top.rb(), -one::<E>(), par);
    lu_panel(rest, right_pivots);
    exchange(left.split_at_row_mut(half).1, right_pivots);
    right_pivots.iter_mut().for_each(|pivot| *pivot += half as u32);
}

/// Exchanges the element of the largest absolute value with the first one, and divides the others by it. Returns its
/// index. The absolute value of a complex number is that of the real part plus that of the imaginary part, as in LAPACK.
fn lu_column<E: ComplexField>(panel: MatMut<'_, E>) -> usize {
    let Some(column) = panel.col_mut(0).try_as_col_major_mut() else { return 0 };
    let column = column.as_slice_mut();
    let mut largest = zero::<E::Real>();
    let mut pivot = 0;
    for (row, value) in column.iter().enumerate() {
        let size = abs1(value);
        if size > largest {
            largest = size;
            pivot = row;
        }
    }
    let Some((first, rest)) = ({
        column.swap(0, pivot);
        column.split_first_mut()
    }) else {
        return 0;
    };
    if largest == zero::<E::Real>() {
        return pivot;
    }
    let inverse = recip(&*first);
    if is_finite(&inverse) {
        rest.iter_mut().for_each(|value| *value = &*value * &inverse);
    } else {
        // The pivot is so small that its reciprocal overflows.
        let scale: E = from_f64(2_f64.powi(60));
        let inverse = recip(&(&*first * &scale));
        rest.iter_mut().for_each(|value| *value = &(&*value * &scale) * &inverse);
    }
    pivot
}

/// Exchanges row `j` with row `pivots[j]`, one after the other.
fn exchange<E: ComplexField>(matrix: MatMut<'_, E>, pivots: &[u32]) {
    for column in matrix.col_iter_mut() {
        let Some(column) = column.try_as_col_major_mut() else { continue };
        let column = column.as_slice_mut();
        for (row, &pivot) in pivots.iter().enumerate() {
            column.swap(row, pivot as usize);
        }
    }
}

/// Factorises the square at the top of a panel as `L Lᴴ`, and divides the rows below by `Lᴴ`.
pub(crate) fn cholesky_panel<E: ComplexField>(panel: MatMut<'_, E>) -> Result<(), PanelFailure> {
    let columns = panel.ncols();
    let (mut top, below) = panel.split_at_row_mut(columns);
    let params = Spec::<llt::factor::LltParams, E>::default();
    let par = threads(work([columns; 3]));
    let mut memory = MemBuffer::new(llt::factor::cholesky_in_place_scratch::<E>(columns, par, params));
    let factorised = llt::factor::cholesky_in_place(
        top.rb_mut(),
        Default::default(),
        par,
        MemStack::new(&mut memory),
        params,
    );
    if let Err(llt::factor::LltError::NonPositivePivot { index }) = factorised {
        return Err(PanelFailure { column: index });
    }
    // X Lᴴ = B is conj(L) Xᵀ = Bᵀ.
    let par = threads(work([columns, columns, below.nrows()]));
    solves::solve_lower_triangular_in_place(top.rb().conjugate(), below.transpose_mut(), par);
    Ok(())
}

/// Factorises a panel of at least as many rows as columns by reflectors, whose vectors replace the elements below the
/// diagonal. `factor` becomes `T`.
pub(crate) fn qr_panel<E: ComplexField>(mut panel: MatMut<'_, E>, mut factor: MatMut<'_, E>) {
    let columns = panel.ncols();
    if columns <= 1 {
        if columns == 1 {
            qr_column(panel, factor);
        }
        return;
    }
    let half = columns / 2;
    let (mut left, mut right) = panel.rb_mut().split_at_col_mut(half);
    let (mut left_factor, mut corner, mut below, mut right_factor) = factor.rb_mut().split_at_mut(half, half);
    below.fill(zero());
    qr_panel(left.rb_mut(), left_factor.rb_mut());
    reflect(left.rb(), left_factor.rb(), Form::Adjoint, right.rb_mut());
    let mut right = right.split_at_row_mut(half).1;
    qr_panel(right.rb_mut(), right_factor.rb_mut());
    // T of both halves: the corner is -T1 V1ᴴ V2 T2.
    let (left, right) = (left.rb().split_at_row(half).1, right.rb());
    let (left_top, left_rest) = left.split_at_row(columns - half);
    let (right_top, right_rest) = right.split_at_row(columns - half);
    let mut product = Mat::<E>::zeros(half, columns - half);
    triangular::matmul(
        product.as_mut(),
        BlockStructure::Rectangular,
        Accum::Replace,
        left_top.adjoint(),
        BlockStructure::Rectangular,
        right_top,
        BlockStructure::UnitTriangularLower,
        one(),
        Par::Seq,
    );
    let par = threads(work([left_rest.nrows(), half, columns - half]));
    matmul(product.as_mut(), Accum::Add, left_rest.adjoint(), right_rest, one(), par);
    let mut half_product = Mat::<E>::zeros(half, columns - half);
    triangular::matmul(
        half_product.as_mut(),
        BlockStructure::Rectangular,
        Accum::Replace,
        left_factor.rb(),
        BlockStructure::TriangularUpper,
        product.as_ref(),
        BlockStructure::Rectangular,
        -one::<E>(),
        Par::Seq,
    );
    triangular::matmul(
        corner.rb_mut(),
        BlockStructure::Rectangular,
        Accum::Replace,
        half_product.as_ref(),
        BlockStructure::Rectangular,
        right_factor.rb(),
        BlockStructure::TriangularUpper,
        one(),
        Par::Seq,
    );
}

/// Computes the reflector of one column. The reflector of a column that has zeros below its first element is the
/// identity.
fn qr_column<E: ComplexField>(panel: MatMut<'_, E>, mut factor: MatMut<'_, E>) {
    let (mut head, tail) = panel.col_mut(0).split_at_row_mut(1);
    let info = make_householder_in_place(&mut head[0], tail);
    // faer's reflector is I - v vᴴ / tau, with an infinite tau for the identity.
    let weight = recip(&info.tau);
    factor[(0, 0)] = weight.to_cplx::<E>();
}

/// Multiplies a matrix by `I - V T Vᴴ`, or by its adjoint, from the left.
pub(crate) fn reflect<E: ComplexField>(
    vectors: MatRef<'_, E>,
    factor: MatRef<'_, E>,
    form: Form,
    of: MatMut<'_, E>,
) {
    let count = vectors.ncols();
    if of.ncols() == 0 || count == 0 {
        return;
    }
    let (top, rest) = vectors.split_at_row(count);
    let (mut of_top, mut of_rest) = of.split_at_row_mut(count);
    let columns = of_top.ncols();
    let par = threads(work([vectors.nrows(), count, columns]));
    let mut product = Mat::<E>::zeros(count, columns);
    let mut weighted = Mat::<E>::zeros(count, columns);
    triangular::matmul(
        product.as_mut(),
        BlockStructure::Rectangular,
        Accum::Replace,
        top.adjoint(),
        BlockStructure::UnitTriangularUpper,
        of_top.rb(),
        BlockStructure::Rectangular,
        one(),
        par,
    );
    matmul(product.as_mut(), Accum::Add, rest.adjoint(), of_rest.rb(), one(), par);
    let whole = BlockStructure::Rectangular;
    let upper = BlockStructure::TriangularUpper;
    let lower = BlockStructure::TriangularLower;
    let (target, minus) = (weighted.as_mut(), -one::<E>());
    match form {
        Form::Plain => {
            triangular::matmul(
                target,
                whole,
                Accum::Replace,
                factor,
                upper,
                product.as_ref(),
                whole,
                minus,
                par,
            );
        }
        Form::Adjoint => {
            let adjoint = factor.adjoint();
            triangular::matmul(
                target,
                whole,
                Accum::Replace,
                adjoint,
                lower,
                product.as_ref(),
                whole,
                minus,
                par,
            );
        }
    }
    let unit = BlockStructure::UnitTriangularLower;
    triangular::matmul(of_top.rb_mut(), whole, Accum::Add, top, unit, weighted.as_ref(), whole, one(), par);
    matmul(of_rest.rb_mut(), Accum::Add, rest, weighted.as_ref(), one(), par);
}

/// Factorises a matrix by reflectors with column pivoting. `factors` becomes the factors `T` of panels with as many
/// columns as it has rows, side by side. Returns the columns in their new order.
pub(crate) fn pivoted_qr<E: ComplexField>(
    mut matrix: MatMut<'_, E>,
    mut factors: MatMut<'_, E>,
) -> Vec<usize> {
    let (rows, columns) = (matrix.nrows(), matrix.ncols());
    let (steps, width) = (factors.ncols(), factors.nrows());
    let par = threads(work([rows, columns, steps]));
    let params = Spec::<col_pivoting::factor::ColPivQrParams, E>::default();
    let scratch = col_pivoting::factor::qr_in_place_scratch::<usize, E>(rows, columns, 1, par, params);
    let mut memory = MemBuffer::new(scratch);
    let mut weights = Mat::<E>::zeros(1, steps);
    let (mut order, mut inverse) = (vec![0_usize; columns], vec![0_usize; columns]);
    col_pivoting::factor::qr_in_place(
        matrix.rb_mut(),
        weights.as_mut(),
        &mut order,
        &mut inverse,
        par,
        MemStack::new(&mut memory),
        params,
    );
    let matrix = matrix.rb();
    for start in (0..steps).step_by(width) {
        let count = width.min(steps - start);
        let vectors = matrix.submatrix(start, start, rows - start, count);
        let mut factor = factors.rb_mut().submatrix_mut(0, start, count, count);
        let (top, rest) = vectors.split_at_row(count);
        // The inner products of the vectors.
        let mut products = Mat::<E>::zeros(count, count);
        triangular::matmul(
            products.as_mut(),
            BlockStructure::Rectangular,
            Accum::Replace,
            top.adjoint(),
            BlockStructure::UnitTriangularUpper,
            top,
            BlockStructure::UnitTriangularLower,
            one(),
            Par::Seq,
        );
        matmul(products.as_mut(), Accum::Add, rest.adjoint(), rest, one(), par);
        for column in 0..count {
            // faer's reflector is I - v vᴴ / tau, with an infinite tau for the identity.
            let weight: E = recip(&real(&weights[(0, start + column)])).to_cplx::<E>();
            for row in 0..column {
                let mut sum = zero::<E>();
                for inner in row..column {
                    sum = &sum + &(&factor[(row, inner)] * &products[(inner, column)]);
                }
                factor[(row, column)] = -(&sum * &weight);
            }
            factor[(column, column)] = weight;
        }
    }
    order
}
