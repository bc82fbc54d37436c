//! Conversions from and to the arrays of the crate ndarray.
//!
//! ndarray's type for `N` axes, such as `Ix2`, is `Dim<[usize; N]>`, so that ranks need no table.

use crate::array::Array;
use crate::view::ArrayView;
use cl_algo::Element;
use cl_core::{Error, Queue, Result};
use ndarray::{ArrayBase, Data, Dim, Dimension};

/// Conversions from and to arrays of the crate ndarray, with the feature `ndarray`.
impl<T: Element, const N: usize> Array<T, N>
where
    Dim<[usize; N]>: Dimension,
{
    /// Copies an array or a view of the crate ndarray, of any memory layout, to the device.
    ///
    /// An array in standard layout is not copied on the host. An array of dynamic rank is converted by ndarray's
    /// `into_dimensionality` before.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let host = ndarray::array![[1.0_f32, 2.0], [3.0, 4.0]];
    /// let a = Array::from_ndarray(&queue, &host)?;
    /// let first = Array::from_ndarray(&queue, &host.column(0))?;
    /// assert_eq!((&a - &first).to_vec()?, [0.0, -1.0, 2.0, 1.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Array::from_slice`].
    #[doc(alias("asarray", "from_numpy"))]
    pub fn from_ndarray<S: Data<Elem = T>>(
        queue: &Queue,
        array: &ArrayBase<S, Dim<[usize; N]>>,
    ) -> Result<Array<T, N>> {
        let shape = std::array::from_fn(|axis| array.shape()[axis]);
        match array.as_slice() {
            Some(elements) => Array::from_slice(queue, shape, elements),
            None => Array::from_slice(queue, shape, &array.iter().copied().collect::<Vec<T>>()),
        }
    }

    /// Copies the elements to the host, into an array of the crate ndarray in standard layout.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[1, 2, 3, 4])?;
    /// assert_eq!(a.to_ndarray()?, ndarray::array![[1, 2], [3, 4]]);
    /// assert_eq!(a.t().to_ndarray()?, ndarray::array![[1, 3], [2, 4]]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Array::to_vec`].
    #[doc(alias("asnumpy", "numpy"))]
    pub fn to_ndarray(&self) -> Result<ndarray::Array<T, Dim<[usize; N]>>> {
        on_host(self.shape(), self.to_vec()?)
    }
}

/// Conversions to arrays of the crate ndarray, with the feature `ndarray`.
impl<T: Element, const N: usize> ArrayView<'_, T, N>
where
    Dim<[usize; N]>: Dimension,
{
    /// Copies the elements to the host; see [`Array::to_ndarray`].
    ///
    /// # Errors
    /// As [`ArrayView::to_vec`].
    pub fn to_ndarray(&self) -> Result<ndarray::Array<T, Dim<[usize; N]>>> {
        on_host(self.shape(), self.clone().to_vec()?)
    }
}

fn on_host<T, const N: usize>(
    shape: [usize; N],
    elements: Vec<T>,
) -> Result<ndarray::Array<T, Dim<[usize; N]>>>
where
    Dim<[usize; N]>: Dimension,
{
    let mut dim = Dim::<[usize; N]>::zeros(N);
    dim.slice_mut().copy_from_slice(&shape);
    ndarray::Array::from_shape_vec(dim, elements)
        .map_err(|error| Error::invalid_input("to_ndarray", format!("shape {shape:?}: {error}")))
}
