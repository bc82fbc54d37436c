//! Dense matrices as operators, with the feature `array`.

use super::operator::{LinearOperator, fits};
use cl_algo::ranked::{AxisMap, Layout, fold, load};
use cl_algo::{DeviceVec, Number};
use cl_array::{Array, ArrayView};
use cl_core::Result;

/// With the feature `array`, a dense matrix is an operator, whole or in part.
///
/// ```
/// use cl_array::prelude::*;
/// use cl_sparse::solve::Cg;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let queue = Queue::on(&Device::first()?)?;
/// // The covariance of points on a line, and a little noise.
/// let a = Array::from_fn(&queue, [50, 50], |[i, j]| {
///     let distance = i.cast::<f64>() - j.cast::<f64>();
///     (distance * distance * -0.5).exp() + i.eq(j).select(0.1, 0.0)
/// })?;
/// let b = DeviceVec::filled(&queue, 1.0, 50)?;
/// let mut x = DeviceVec::filled(&queue, 0.0, 50)?;
/// let report = Cg::new().solve(&a, &b, &mut x)?;
/// assert!(report.iterations < 50);
/// # Ok(())
/// # }
/// ```
impl<T: Number> LinearOperator<T> for Array<T, 2> {
    fn rows(&self) -> usize {
        self.shape()[0]
    }

    fn columns(&self) -> usize {
        self.shape()[1]
    }

    fn apply(&self, x: &DeviceVec<T>, y: &mut DeviceVec<T>) -> Result<()> {
        self.view().apply(x, y)
    }
}

impl<T: Number> LinearOperator<T> for ArrayView<'_, T, 2> {
    fn rows(&self) -> usize {
        self.shape()[0]
    }

    fn columns(&self) -> usize {
        self.shape()[1]
    }

    fn apply(&self, x: &DeviceVec<T>, y: &mut DeviceVec<T>) -> Result<()> {
        let shape @ [rows, columns] = self.shape();
        fits("apply: columns and `x`", columns, x.len())?;
        fits("apply: rows and `y`", rows, y.len())?;
        let row = Layout::row_major(&[columns])?.view(&[AxisMap::whole(1)], &shape)?;
        let products = load(self.as_vec()?, self.layout()) * load(x, &row);
        let sink = (y, Layout::row_major(&[rows])?);
        fold("apply", sink, products, (&shape, &[1]), |a, b| a + b, |sum| sum)
    }
}
