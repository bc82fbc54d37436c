//! Windows of arrays, and zeros between elements.

use crate::array::Array;
use crate::expr::ArrayExpr;
use crate::rank::{Double, Rank};
use crate::view::ArrayView;
use cl_algo::ranked::AxisMap;
use cl_algo::{Element, Item};
use cl_core::{Error, Result};

/// Returns the number of positions of a window along an axis of length `len`. The window has `size` elements, which are
/// `dilation` apart, and is moved by `stride`.
pub(crate) fn positions(
    operation: &'static str,
    axis: usize,
    len: usize,
    [size, stride, dilation]: [usize; 3],
) -> Result<usize> {
    for (number, name) in [(size, "length"), (stride, "stride"), (dilation, "dilation")] {
        if number == 0 {
            let reason = format!("the window has {name} 0 along axis {axis}; use 1 or more");
            return Err(Error::invalid_input(operation, reason));
        }
    }
    let extent = extent(size, dilation);
    match len.checked_sub(extent) {
        Some(room) => Ok(room / stride + 1),
        None => {
            let reason = format!(
                "the window reaches over {extent} coordinates along axis {axis}, and the array has {len}: pad the array, \
                 or use a smaller window"
            );
            Err(Error::invalid_input(operation, reason))
        }
    }
}

/// Returns the number of coordinates from the first to the last of `size` elements that are `dilation` apart.
pub(crate) fn extent(size: usize, dilation: usize) -> usize {
    (size - 1).saturating_mul(dilation).saturating_add(1)
}

/// Defines windows of views and of expressions.
macro_rules! windows {
    ($type:ident, $class:ident) => {
        impl<'a, T: $class, const N: usize> $type<'a, T, N> {
            /// Returns all windows of the given size, without a copy. Element `[i, j, k, l]` of the windows of a matrix
            /// is element `[i + k, j + l]` of the matrix.
            ///
            /// The first `N` axes of the result are the positions of the windows, the other axes are those of each
            /// window. A window of length 0 is a deferred error, and so is a window larger than the array.
            ///
            /// ```
            /// use cl_array::prelude::*;
            /// # fn main() -> cl_core::Result<()> {
            /// # let queue = Queue::on(&Device::first()?)?;
            /// let a = Array::from_slice(&queue, [2, 3], &[1, 2, 3, 4, 5, 6])?;
            /// let windows = a.view().windows([2, 2]);
            /// assert_eq!(windows.shape(), [1, 2, 2, 2]);
            /// assert_eq!(windows.to_vec()?, [1, 2, 4, 5, 2, 3, 5, 6]);
            /// let largest: Array<i32, 2> = a.iter().windows([2, 2]).fold_axes(&[2, 3], |x, y| x.max(y))?;
            /// assert_eq!(largest.to_vec()?, [5, 6]);
            /// // The patches of an image as the rows of a matrix ("im2col"): a copy, because windows overlap.
            /// let patches = a.view().windows([2, 2]).collect()?;
            /// assert_eq!(patches.reshape([2, 4])?.row(1).to_vec()?, [2, 3, 5, 6]);
            /// # Ok(())
            /// # }
            /// ```
            #[doc(alias("sliding_window_view", "patches", "im2col", "unfold", "extract_image_patches"))]
            pub fn windows<const M: usize>(self, sizes: [usize; N]) -> $type<'a, T, M>
            where
                Rank<N>: Double<Rank = Rank<M>>,
            {
                self.windows_dilated(sizes, [1; N], [1; N])
            }

            /// Returns every `strides[k]`-th window along each axis `k`. See [`windows`](Self::windows).
            ///
            /// ```
            /// use cl_array::prelude::*;
            /// # fn main() -> cl_core::Result<()> {
            /// # let queue = Queue::on(&Device::first()?)?;
            /// let a = Array::from_slice(&queue, [5], &[1, 2, 3, 4, 5])?;
            /// assert_eq!(a.view().windows_with_stride([3], [2]).to_vec()?, [1, 2, 3, 3, 4, 5]);
            /// # Ok(())
            /// # }
            /// ```
            ///
            /// A stride of 0 is a deferred error.
            pub fn windows_with_stride<const M: usize>(
                self,
                sizes: [usize; N],
                strides: [usize; N],
            ) -> $type<'a, T, M>
            where
                Rank<N>: Double<Rank = Rank<M>>,
            {
                self.windows_dilated(sizes, strides, [1; N])
            }

            /// Returns every `strides[k]`-th window along each axis `k`. Neighbours in a window are `dilations[k]`
            /// apart in the array. See [`windows`](Self::windows).
            ///
            /// ```
            /// use cl_array::prelude::*;
            /// # fn main() -> cl_core::Result<()> {
            /// # let queue = Queue::on(&Device::first()?)?;
            /// let a = Array::from_slice(&queue, [5], &[1, 2, 3, 4, 5])?;
            /// assert_eq!(a.view().windows_dilated([2], [1], [3]).to_vec()?, [1, 4, 2, 5]);
            /// # Ok(())
            /// # }
            /// ```
            ///
            /// A stride or a dilation of 0 is a deferred error.
            pub fn windows_dilated<const M: usize>(
                self,
                sizes: [usize; N],
                strides: [usize; N],
                dilations: [usize; N],
            ) -> $type<'a, T, M>
            where
                Rank<N>: Double<Rank = Rank<M>>,
            {
                let own = self.shape();
                let mut shape = [0; M];
                let mut maps = [[AxisMap::at(0); 2]; N];
                for axis in 0..N {
                    let numbers = [sizes[axis], strides[axis], dilations[axis]];
                    shape[axis] = match positions("windows", axis, own[axis], numbers) {
                        Ok(count) => count,
                        Err(error) => {
                            return self.at_sums(maps.iter().map(|maps| &maps[..]), [0; M]).failed(error);
                        }
                    };
                    shape[N + axis] = sizes[axis];
                    // A single position or a single element may have a stride larger than any index.
                    let along = |to: usize, stride: usize| match shape[to] {
                        1 => AxisMap::at(0),
                        _ => AxisMap { axis: Some(to), stride: stride as isize, offset: 0 },
                    };
                    maps[axis] = [along(axis, strides[axis]), along(N + axis, dilations[axis])];
                }
                self.at_sums(maps.iter().map(|maps| &maps[..]), shape)
            }
        }
    };
}

windows!(ArrayView, Element);
windows!(ArrayExpr, Item);

impl<T: Element, const N: usize> Array<T, N> {
    /// Returns all windows of the given size, without a copy. See [`ArrayView::windows`].
    #[doc(alias("sliding_window_view", "patches", "im2col", "unfold"))]
    pub fn windows<const M: usize>(&self, sizes: [usize; N]) -> ArrayView<'_, T, M>
    where
        Rank<N>: Double<Rank = Rank<M>>,
    {
        self.view().windows(sizes)
    }
}

impl<'a, T: Element, const N: usize> ArrayExpr<'a, T, N> {
    /// Returns the array with zeros between its elements: neighbours along axis `k` become `strides[k]` apart. An axis
    /// of length `n` gets the length `(n - 1) * strides[k] + 1`.
    ///
    /// Assign to a slice with steps instead if the target is an array that has other values between the elements:
    /// `b.slice_mut(s![..; 2]).assign(&a)`.
    ///
    /// A stride of 0 is a deferred error.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [3], &[1, 2, 3])?;
    /// assert_eq!(a.iter().inflate([2]).to_vec()?, [1, 0, 2, 0, 3]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("upsample", "zero_stuff", "dilate"))]
    pub fn inflate(self, strides: [usize; N]) -> ArrayExpr<'a, T, N> {
        if let Some(axis) = strides.iter().position(|&stride| stride == 0) {
            let reason = format!("the stride along axis {axis} is 0; use 1 or more");
            return self.failed(Error::invalid_input("inflate", reason));
        }
        let axes: Vec<usize> = (0..N).filter(|&axis| strides[axis] != 1).collect();
        let inflated = axes.iter().fold(self, |inflated, &axis| {
            let stride = strides[axis];
            let len = |len: usize| if len == 0 { 0 } else { extent(len, stride) };
            inflated.along("inflate", axis, len, |expr, shape, axis| {
                expr.map_axis(axis, shape, |at| at / stride as u64)
            })
        });
        axes.iter().fold(inflated, |inflated, &axis| {
            let is_element =
                ArrayExpr::from_fn(inflated.shape(), |at| (at[axis] % strides[axis] as u64).eq(0));
            is_element.select_or(inflated, T::zeroed())
        })
    }
}
