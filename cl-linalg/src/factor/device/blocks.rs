//! Blocks of matrices as parts of vectors.

use super::super::ops::{Block, is_finite as finite};
use crate::scalar::Scalar;
use cl_algo::ranked::{self, AxisMap, Layout, RankedTarget};
use cl_algo::{DeviceVec, Expr, Val};
use cl_core::Result;

/// Returns a block of a matrix with `stride` rows, with the axes of the matrix as functions of the coordinates of the
/// view.
fn part(block: &Block, stride: usize, axes: [usize; 2], shape: &[usize]) -> Result<Layout> {
    let offsets = [block.rows.start, block.columns.start];
    let maps = [0, 1].map(|axis| AxisMap { offset: offsets[axis], ..AxisMap::whole(axes[axis]) });
    Layout::column_major(&[stride, block.columns.end])?.view(&maps, shape)
}

/// Returns a block with its rows as the first axis.
pub(super) fn plain(block: &Block, stride: usize) -> Result<Layout> {
    part(block, stride, [0, 1], &block.shape())
}

/// Returns a block with its columns as the first axis: rows of this view are contiguous.
pub(super) fn transposed(block: &Block, stride: usize) -> Result<Layout> {
    let [rows, columns] = block.shape();
    part(block, stride, [1, 0], &[columns, rows])
}

/// Copies the elements on the diagonal of a block to the host.
pub(super) fn diagonal<T: Scalar>(
    operation: &'static str,
    vector: &DeviceVec<T>,
    block: &Block,
    stride: usize,
) -> Result<Vec<T>> {
    let [rows, columns] = block.shape();
    let len = rows.min(columns);
    if len == 0 {
        return Ok(Vec::new());
    }
    let layout = part(block, stride, [0, 0], &[len])?;
    // SAFETY: the kernel enqueued next writes every element.
    let copy = unsafe { DeviceVec::uninit(vector.queue(), len) }?;
    // SAFETY: nothing else knows the copy.
    let target = unsafe { RankedTarget::new(&copy, Layout::row_major(&[len])?) };
    ranked::assign(operation, target, ranked::load(vector, &layout))?;
    copy.to_vec()
}

/// Returns whether all elements of a block, or of its lower half, are finite.
pub(super) fn is_finite<T: Scalar>(
    operation: &'static str,
    vector: &DeviceVec<T>,
    block: &Block,
    stride: usize,
    lower: bool,
) -> Result<bool> {
    if block.is_empty() {
        return Ok(true);
    }
    let layout = transposed(block, stride)?;
    let items = ranked::load(vector, &layout);
    let items: Expr<'_, T> = if lower {
        ranked::from_coordinates(|[column, row]: [Val<u64>; 2]| row.ge(column)).select(items, T::zeroed())
    } else {
        items
    };
    // A finite number times 0 is 0, any other is NaN.
    let products = items.map(|item: Val<T>| item * T::zeroed());
    // SAFETY: the kernels enqueued next write the element.
    let sum = unsafe { DeviceVec::uninit(vector.queue(), 1) }?;
    // SAFETY: nothing else knows the vector.
    let target = unsafe { RankedTarget::new(&sum, Layout::scalar()) };
    let space = (layout.shape(), &[0, 1][..]);
    ranked::fold::<T, Val<T>>(operation, target, products, space, |a, b| a + b, |sum| sum)?;
    Ok(finite(sum.get(0)?))
}
