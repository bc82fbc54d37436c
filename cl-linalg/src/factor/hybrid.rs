//! Panels on the host, everything else on the device.

use super::device::DeviceOps;
use super::host::{self, HostScalar, PanelFailure};
use super::matrix::Operands;
use super::ops::{Block, BlockedOps, Form, Triangle};
use crate::error::{Error, Result};
use crate::scalar::Scalar;
use faer::MatMut;
use std::ops::Range;

/// Matrices in device memory, whose panels are mapped while the host factorises them.
pub(crate) struct HybridOps<'a, T: Scalar> {
    device: DeviceOps<'a, T>,
}

impl<'a, T: Scalar> HybridOps<'a, T> {
    pub(crate) fn new(operation: &'static str, operands: Operands<'a, T>) -> Result<HybridOps<'a, T>> {
        Ok(HybridOps { device: DeviceOps::new(operation, operands)? })
    }

    /// Maps the columns of a block, and calls a closure with the block.
    fn on_host<R>(
        &mut self,
        block: &Block,
        work: impl FnOnce(MatMut<'_, <T as HostScalar>::Host>) -> R,
    ) -> Result<R> {
        let (vector, stride) = self.device.written(block.matrix);
        let queue = vector.queue().clone();
        let Range { start, end } = block.columns;
        let mut map = vector.buffer_mut().map_mut(&queue, start * stride..end * stride)?;
        assert!(block.rows.end <= stride, "the matrix has the block");
        let [rows, columns] = block.shape();
        let first = if rows == 0 { 0 } else { block.rows.start };
        // SAFETY: the columns are mapped, and have the rows. `HostScalar` says that the elements are the same numbers.
        let result = work(unsafe {
            MatMut::from_raw_parts_mut(map.as_mut_ptr().add(first).cast(), rows, columns, 1, stride as isize)
        });
        map.unmap()?;
        Ok(result)
    }
}

impl<T: Scalar> BlockedOps<T> for HybridOps<'_, T> {
    fn solve_block(&self) -> usize {
        self.device.solve_block()
    }

    fn lu_panel(&mut self, panel: &Block) -> Result<()> {
        let mut pivots = vec![0; panel.columns.len()];
        self.on_host(panel, |matrix| host::lu_panel(matrix, &mut pivots))?;
        pivots.iter_mut().for_each(|pivot| *pivot += panel.rows.start as u32);
        self.device.set_pivots(panel.columns.start, &pivots)
    }

    fn exchange_rows(&mut self, of: &Block, pivots: Range<usize>, backwards: bool) -> Result<()> {
        self.device.exchange_rows(of, pivots, backwards)
    }

    fn cholesky_panel(&mut self, panel: &Block) -> Result<()> {
        // The rows below are divided by the device.
        let square = Block { rows: panel.columns.clone(), ..panel.clone() };
        let operation = self.device.operation();
        self.on_host(&square, host::cholesky_panel)?.map_err(|PanelFailure { column }| {
            Error::NotPositiveDefinite { operation, pivot: panel.columns.start + column }
        })?;
        self.device.divide_below(panel)
    }

    fn qr_panel(&mut self, panel: &Block, factor: &Block) -> Result<()> {
        let width = panel.columns.len();
        let mut own = faer::Mat::<T::Host>::zeros(width, width);
        self.on_host(panel, |matrix| host::qr_panel(matrix, own.as_mut()))?;
        self.on_host(factor, |mut factor| factor.copy_from(&own))
    }

    fn solve_triangle(&mut self, triangle: &Triangle, right: &Block) -> Result<()> {
        self.device.solve_triangle(triangle, right)
    }

    fn subtract_product(&mut self, from: &Block, left: (&Block, Form), right: (&Block, Form)) -> Result<()> {
        self.device.subtract_product(from, left, right)
    }

    fn subtract_hermitian(&mut self, from: &Block, a: &Block) -> Result<()> {
        self.device.subtract_hermitian(from, a)
    }

    fn reflect(&mut self, vectors: &Block, factor: &Block, form: Form, of: &Block) -> Result<()> {
        self.device.reflect(vectors, factor, form, of)
    }

    fn diagonal(&mut self, of: &Block) -> Result<Vec<T>> {
        self.device.diagonal(of)
    }

    fn is_finite(&mut self, of: &Block, lower: bool) -> Result<bool> {
        self.device.is_finite(of, lower)
    }

    fn finish(self) -> Result<()> {
        self.device.finish()
    }
}
