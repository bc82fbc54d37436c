//! Operations in host memory: mapped matrices, and the kernels of faer.

mod panels;
mod scalar;

pub(crate) use panels::{PanelFailure, cholesky_panel, lu_panel, pivoted_qr, qr_panel, reflect};
use panels::{threads, work};
pub(crate) use scalar::HostScalar;

use super::ops::{Block, BlockedOps, Form, Operand, OperandVector, Operands, Triangle};
use crate::error::{Error, Result};
use crate::scalar::Scalar;
use cl_core::{BufferMap, BufferMapMut};
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::{matmul::matmul, triangular_solve as solves};
use faer::prelude::{IntoConst, ReborrowMut};
use faer::traits::ComplexField;
use faer::traits::math_utils::{is_finite, one};
use faer::{Accum, MatMut, MatRef};
use std::ops::Range;

/// Elements in mapped memory.
enum Elements<'a, S: bytemuck::Pod> {
    Read(BufferMap<'a, S>),
    Written(BufferMapMut<'a, S>),
}

/// A matrix in mapped memory, in column-major order.
struct HostMatrix<'a, T: Scalar> {
    elements: Elements<'a, T::Stored>,
    rows: usize,
}

/// Matrices in host memory.
pub(crate) struct HostOps<'a, T: Scalar> {
    operation: &'static str,
    matrices: [Option<HostMatrix<'a, T>>; 3],
    pivots: Option<Elements<'a, u32>>,
}

impl<'a, T: Scalar> HostOps<'a, T> {
    /// Maps the operands.
    pub(crate) fn new(operation: &'static str, operands: Operands<'a, T>) -> Result<HostOps<'a, T>> {
        let Operands { matrix, right, factors, pivots } = operands;
        let mapped = |operand: Option<Operand<'a, T>>| {
            let matrix =
                operand.map(|Operand { vector, rows }| Ok(HostMatrix { elements: map(vector)?, rows }));
            matrix.transpose()
        };
        let matrices: [Result<_>; 3] = [Some(matrix), right, factors].map(mapped);
        let [matrix, right, factors] = matrices;
        let pivots = pivots.map(|pivots| map(pivots.vector)).transpose()?;
        Ok(HostOps { operation, matrices: [matrix?, right?, factors?], pivots })
    }

    fn matrix(&mut self, index: usize) -> &mut HostMatrix<'a, T> {
        let Some(matrix) = &mut self.matrices[index] else { panic!("the algorithm has this operand") };
        matrix
    }

    /// Returns the address of a block's first element and the distance between its columns.
    ///
    /// # Panics
    /// If the matrix does not have the block.
    fn address(&mut self, block: &Block, written: bool) -> (*mut T::Host, isize) {
        let HostMatrix { elements, rows } = self.matrix(block.matrix);
        let (pointer, len) = match elements {
            Elements::Read(map) => {
                assert!(!written, "an operand that is read is not written");
                (map.as_ptr().cast_mut(), map.len())
            }
            Elements::Written(map) => (map.as_mut_ptr(), map.len()),
        };
        assert!(block.rows.end <= *rows && block.columns.end * *rows <= len, "the matrix has the block");
        let first = if block.is_empty() { 0 } else { block.columns.start * *rows + block.rows.start };
        // SAFETY: the element lies within the matrix.
        (unsafe { pointer.add(first) }.cast(), *rows as isize)
    }

    /// Returns a block that is written and blocks that are read.
    fn blocks<const N: usize>(
        &mut self,
        written: &Block,
        read: [&Block; N],
    ) -> (MatMut<'_, T::Host>, [MatRef<'_, T::Host>; N]) {
        assert!(read.iter().all(|read| !read.overlaps(written)), "operands do not overlap the result");
        let read = read.map(|block| (self.address(block, false), block.shape()));
        let [rows, columns] = written.shape();
        let (pointer, stride) = self.address(written, true);
        // SAFETY: `address` has checked that the matrices have the blocks, and `HostScalar` that `T::Stored` and
        // `T::Host` are the same numbers. No element of the written block is in another one. Two maps never overlap.
        unsafe {
            (
                MatMut::from_raw_parts_mut(pointer, rows, columns, 1, stride),
                read.map(|((pointer, stride), [rows, columns])| {
                    MatRef::from_raw_parts(pointer.cast_const(), rows, columns, 1, stride)
                }),
            )
        }
    }

    /// Returns two blocks that are written.
    fn two_blocks(&mut self, first: &Block, second: &Block) -> [MatMut<'_, T::Host>; 2] {
        assert!(!first.overlaps(second), "results do not overlap");
        [first, second].map(|block| {
            let [rows, columns] = block.shape();
            let (pointer, stride) = self.address(block, true);
            // SAFETY: as in `blocks`.
            unsafe { MatMut::from_raw_parts_mut(pointer, rows, columns, 1, stride) }
        })
    }
}

/// Maps the elements of an operand.
fn map<T: cl_algo::Element>(vector: OperandVector<'_, T>) -> Result<Elements<'_, T::Stored>> {
    Ok(match vector {
        OperandVector::Read(vector) => Elements::Read(vector.buffer().map(vector.queue(), ..)?),
        OperandVector::Written(vector) => {
            let queue = vector.queue().clone();
            Elements::Written(vector.buffer_mut().map_mut(&queue, ..)?)
        }
    })
}

/// Solves `op(A) X = B` for a triangular matrix `A`.
pub(crate) fn solve_triangle<E: ComplexField>(
    a: MatRef<'_, E>,
    [lower, unit]: [bool; 2],
    form: Form,
    b: MatMut<'_, E>,
) {
    let par = threads(work([a.nrows(), a.nrows(), b.ncols()]));
    match (form, lower, unit) {
        (Form::Plain, true, true) => solves::solve_unit_lower_triangular_in_place(a, b, par),
        (Form::Plain, true, false) => solves::solve_lower_triangular_in_place(a, b, par),
        (Form::Plain, false, true) => solves::solve_unit_upper_triangular_in_place(a, b, par),
        (Form::Plain, false, false) => solves::solve_upper_triangular_in_place(a, b, par),
        (Form::Adjoint, true, true) => solves::solve_unit_upper_triangular_in_place(a.adjoint(), b, par),
        (Form::Adjoint, true, false) => solves::solve_upper_triangular_in_place(a.adjoint(), b, par),
        (Form::Adjoint, false, true) => solves::solve_unit_lower_triangular_in_place(a.adjoint(), b, par),
        (Form::Adjoint, false, false) => solves::solve_lower_triangular_in_place(a.adjoint(), b, par),
    }
}

impl<T: Scalar> BlockedOps<T> for HostOps<'_, T> {
    fn solve_block(&self) -> usize {
        // The kernels divide the triangle themselves.
        usize::MAX
    }

    fn lu_panel(&mut self, panel: &Block) -> Result<()> {
        let mut pivots = vec![0; panel.columns.len()];
        let (matrix, []) = self.blocks(panel, []);
        lu_panel(matrix, &mut pivots);
        if let Some(Elements::Written(all)) = &mut self.pivots {
            for (target, pivot) in all[panel.columns.clone()].iter_mut().zip(pivots) {
                *target = pivot + panel.rows.start as u32;
            }
        }
        Ok(())
    }

    fn exchange_rows(&mut self, of: &Block, pivots: Range<usize>, backwards: bool) -> Result<()> {
        let all: Vec<u32> = match &self.pivots {
            Some(Elements::Written(all)) => all[pivots.clone()].to_vec(),
            Some(Elements::Read(all)) => all[pivots.clone()].to_vec(),
            None => Vec::new(),
        };
        let (mut matrix, []) = self.blocks(of, []);
        let exchanges = pivots.zip(all.into_iter().map(|pivot| pivot as usize));
        let exchanges: Vec<(usize, usize)> =
            if backwards { exchanges.rev().collect() } else { exchanges.collect() };
        for column in matrix.rb_mut().col_iter_mut() {
            let Some(column) = column.try_as_col_major_mut() else { continue };
            let column = column.as_slice_mut();
            for &(row, pivot) in &exchanges {
                column.swap(row, pivot);
            }
        }
        Ok(())
    }

    fn cholesky_panel(&mut self, panel: &Block) -> Result<()> {
        let operation = self.operation;
        let (matrix, []) = self.blocks(panel, []);
        cholesky_panel(matrix).map_err(|PanelFailure { column }| Error::NotPositiveDefinite {
            operation,
            pivot: panel.columns.start + column,
        })
    }

    fn qr_panel(&mut self, panel: &Block, factor: &Block) -> Result<()> {
        let [matrix, factor] = self.two_blocks(panel, factor);
        qr_panel(matrix, factor);
        Ok(())
    }

    fn solve_triangle(&mut self, triangle: &Triangle, right: &Block) -> Result<()> {
        let &Triangle { ref block, lower, unit, form } = triangle;
        let (right, [matrix]) = self.blocks(right, [block]);
        solve_triangle(matrix, [lower, unit], form, right);
        Ok(())
    }

    fn subtract_product(&mut self, from: &Block, left: (&Block, Form), right: (&Block, Form)) -> Result<()> {
        let (from, [a, b]) = self.blocks(from, [left.0, right.0]);
        let inner = if left.1 == Form::Plain { a.ncols() } else { a.nrows() };
        let par = threads(work([from.nrows(), from.ncols(), inner]));
        let minus = -one::<T::Host>();
        match (left.1, right.1) {
            (Form::Plain, Form::Plain) => matmul(from, Accum::Add, a, b, minus, par),
            (Form::Plain, Form::Adjoint) => matmul(from, Accum::Add, a, b.adjoint(), minus, par),
            (Form::Adjoint, Form::Plain) => matmul(from, Accum::Add, a.adjoint(), b, minus, par),
            (Form::Adjoint, Form::Adjoint) => {
                matmul(from, Accum::Add, a.adjoint(), b.adjoint(), minus, par);
            }
        }
        Ok(())
    }

    fn subtract_hermitian(&mut self, from: &Block, a: &Block) -> Result<()> {
        let (from, [a]) = self.blocks(from, [a]);
        let par = threads(work([from.nrows(), from.ncols(), a.ncols()]));
        triangular::matmul(
            from,
            BlockStructure::TriangularLower,
            Accum::Add,
            a,
            BlockStructure::Rectangular,
            a.adjoint(),
            BlockStructure::Rectangular,
            -one::<T::Host>(),
            par,
        );
        Ok(())
    }

    fn reflect(&mut self, vectors: &Block, factor: &Block, form: Form, of: &Block) -> Result<()> {
        let (of, [vectors, factor]) = self.blocks(of, [vectors, factor]);
        reflect(vectors, factor, form, of);
        Ok(())
    }

    fn diagonal(&mut self, of: &Block) -> Result<Vec<T>> {
        let HostMatrix { elements, rows } = self.matrix(of.matrix);
        let all: &[T::Stored] = match elements {
            Elements::Read(map) => map,
            Elements::Written(map) => map,
        };
        let rows = *rows;
        let [height, width] = of.shape();
        let index = |at: usize| (of.columns.start + at) * rows + of.rows.start + at;
        Ok((0..height.min(width)).map(|at| T::from_stored(all[index(at)])).collect())
    }

    fn is_finite(&mut self, of: &Block, lower: bool) -> Result<bool> {
        let (matrix, []) = self.blocks(of, []);
        let matrix = matrix.into_const();
        let mut columns = matrix.col_iter().enumerate();
        Ok(columns.all(|(at, column)| {
            let Some(column) = column.try_as_col_major() else { return true };
            column.as_slice().iter().skip(if lower { at } else { 0 }).all(is_finite)
        }))
    }

    fn finish(self) -> Result<()> {
        let HostOps { matrices, pivots, .. } = self;
        matrices.into_iter().flatten().try_for_each(|HostMatrix { elements, .. }| end(elements))?;
        pivots.map_or(Ok(()), end)
    }
}

/// Gives mapped elements back to the device.
fn end<S: bytemuck::Pod>(elements: Elements<'_, S>) -> Result<()> {
    match elements {
        Elements::Read(map) => map.unmap()?,
        Elements::Written(map) => map.unmap()?,
    }
    Ok(())
}
