//! Convolutions and correlations along one to three axes.

use crate::array::Array;
use crate::expr::{ArrayExpr, ArrayOperand};
use crate::rank::{Double, Rank};
use crate::rearrange::Pad;
use crate::stencil::Reads;
use crate::weights::{Source, Weights, coordinates};
use crate::windows::{extent, positions};
use cl_algo::ranked::multiply_add;
use cl_algo::{Expr, Number, Operand};
use cl_core::{Error, Result};

/// The part of a convolution that is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// The elements for which the kernel lies inside the image: `n - k + 1` of them along an axis, for an image of
    /// length `n` and a kernel of length `k`.
    Valid,
    /// The `n` central elements of [`Ends::Full`]. A kernel of even length has no centre: the elements then begin at
    /// `(k - 1) / 2`, rounded down, so the kernel reaches one element farther to the front than to the back.
    ///
    /// `numpy.convolve` and `numpy.correlate`, `scipy.signal.convolve`, `correlate` and `convolve2d`, and
    /// `scipy.ndimage.correlate` agree, for all borders. Only for even kernels, `scipy.signal.correlate2d` and
    /// `scipy.ndimage.convolve` begin one element later.
    Same,
    /// The elements for which the kernel and the image overlap: `n + k - 1` of them along an axis.
    Full,
}

/// Convolves an image with a kernel, in one kernel of the device for [`Ends::Valid`].
///
/// The definitions are those of `scipy.signal.convolve` and `numpy.convolve`: the element at `i` of the full convolution
/// is the sum of `kernel[j] * image[i - j]` over all `j`, so the kernel is flipped. Elements outside of the image are 0.
/// [`Convolution`] has strides, dilations and other rules for the borders.
///
/// ```
/// use cl_array::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = Array::from_slice(&queue, [3], &[1.0_f32, 2.0, 3.0])?;
/// assert_eq!(convolve(&x, [0.0, 1.0, 0.5], Ends::Full)?.to_vec()?, [0.0, 1.0, 2.5, 4.0, 1.5]);
/// assert_eq!(convolve(&x, [0.0, 1.0, 0.5], Ends::Same)?.to_vec()?, [1.0, 2.5, 4.0]);
/// assert_eq!(convolve(&x, [0.0, 1.0, 0.5], Ends::Valid)?.to_vec()?, [2.5]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Convolution::convolve`].
#[doc(alias("convolve2d", "conv", "filter2D", "imfilter"))]
pub fn convolve<'a, T: Number, const N: usize, const M: usize>(
    image: impl ArrayOperand<'a, T, N>,
    kernel: impl Into<Weights<'a, T, N>>,
    ends: Ends,
) -> Result<Array<T, N>>
where
    Rank<N>: Double<Rank = Rank<M>>,
{
    Convolution::new(ends).convolve(image, kernel)
}

/// Correlates an image with a kernel: as [`convolve`], but the kernel is not flipped. Complex weights are not conjugated.
///
/// The element at `i` of the valid correlation is the sum of `kernel[j] * image[i + j]` over all `j`.
///
/// ```
/// use cl_array::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = Array::from_slice(&queue, [3], &[1.0_f32, 2.0, 3.0])?;
/// assert_eq!(correlate(&x, [0.0, 1.0, 0.5], Ends::Full)?.to_vec()?, [0.5, 2.0, 3.5, 3.0, 0.0]);
/// assert_eq!(correlate(&x, [0.0, 1.0, 0.5], Ends::Same)?.to_vec()?, [2.0, 3.5, 3.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Convolution::convolve`].
#[doc(alias("correlate2d", "conv2d", "cross_correlation"))]
pub fn correlate<'a, T: Number, const N: usize, const M: usize>(
    image: impl ArrayOperand<'a, T, N>,
    kernel: impl Into<Weights<'a, T, N>>,
    ends: Ends,
) -> Result<Array<T, N>>
where
    Rank<N>: Double<Rank = Rank<M>>,
{
    Convolution::new(ends).correlate(image, kernel)
}

/// The options of convolutions and correlations.
///
/// ```
/// use cl_array::prelude::*;
/// use cl_array::Convolution;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = Array::from_slice(&queue, [5], &[1, 2, 3, 4, 5])?;
/// let halved = Convolution::new(Ends::Same).strides([2]).border(Pad::Edge);
/// assert_eq!(halved.correlate(&x, [1, 1, 1])?.to_vec()?, [4, 9, 14]);
/// let spread = Convolution::new(Ends::Valid).dilations([3]);
/// assert_eq!(spread.correlate(&x, [1, 10])?.to_vec()?, [41, 52]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "options do nothing until an image is convolved"]
pub struct Convolution<T, const N: usize> {
    ends: Ends,
    strides: [usize; N],
    dilations: [usize; N],
    border: Pad<T>,
}

impl<T: Number, const N: usize> Convolution<T, N> {
    /// Returns the options of a convolution with strides and dilations of 1, and zeros outside of the image.
    pub fn new(ends: Ends) -> Convolution<T, N> {
        Convolution { ends, strides: [1; N], dilations: [1; N], border: Pad::Constant(T::zeroed()) }
    }

    /// Sets the distance of the elements that are computed along each axis: every `strides[k]`-th element of the result
    /// with strides 1, from the first on.
    pub fn strides(self, strides: [usize; N]) -> Self {
        Convolution { strides, ..self }
    }

    /// Sets the distance of neighbouring weights along each axis, in elements of the image. The kernel then reaches over
    /// `(k - 1) * dilation + 1` elements.
    #[doc(alias("atrous", "rate"))]
    pub fn dilations(self, dilations: [usize; N]) -> Self {
        Convolution { dilations, ..self }
    }

    /// Sets the rule for elements outside of the image.
    ///
    /// SciPy's names are `fill` or `constant` for [`Pad::Constant`], `wrap` or `grid-wrap` for [`Pad::Wrap`], `nearest`
    /// for [`Pad::Edge`], `symm` or `reflect` for [`Pad::Symmetric`], and `mirror` for [`Pad::Reflect`].
    #[doc(alias("boundary", "mode", "padding"))]
    pub fn border(self, border: Pad<T>) -> Self {
        Convolution { border, ..self }
    }

    /// Convolves an image with a kernel: see [`convolve()`].
    ///
    /// A kernel of up to 128 weights is one kernel of the device, which reads the shifted image. A
    /// larger kernel is a sum along the axes of [windows](ArrayExpr::windows) of the image, which is padded first. Weights of
    /// the host are arguments of the device's kernel, so one compiled kernel serves all weights.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a kernel or an image without elements, for a stride or a dilation of 0, and with
    /// [`Ends::Valid`] for a kernel larger than the image along an axis (SciPy exchanges the two if all axes are larger);
    /// as [`ArrayExpr::collect`].
    pub fn convolve<'a, const M: usize>(
        self,
        image: impl ArrayOperand<'a, T, N>,
        kernel: impl Into<Weights<'a, T, N>>,
    ) -> Result<Array<T, N>>
    where
        Rank<N>: Double<Rank = Rank<M>>,
    {
        self.run("convolve", image.into_array_expr(), kernel.into().flipped())
    }

    /// Correlates an image with a kernel: see [`correlate()`].
    ///
    /// # Errors
    /// As [`Convolution::convolve`].
    pub fn correlate<'a, const M: usize>(
        self,
        image: impl ArrayOperand<'a, T, N>,
        kernel: impl Into<Weights<'a, T, N>>,
    ) -> Result<Array<T, N>>
    where
        Rank<N>: Double<Rank = Rank<M>>,
    {
        self.run("correlate", image.into_array_expr(), kernel.into())
    }

    fn run<const M: usize>(
        self,
        operation: &'static str,
        image: ArrayExpr<'_, T, N>,
        weights: Weights<'_, T, N>,
    ) -> Result<Array<T, N>>
    where
        Rank<N>: Double<Rank = Rank<M>>,
    {
        let queue = image.queue(operation)?;
        let (own, sizes) = (image.shape(), weights.checked_shape(operation)?);
        if own.contains(&0) {
            let reason = format!("the image of shape {own:?} has zero elements");
            return Err(Error::invalid_input(operation, reason));
        }
        let (mut shape, mut widths) = ([0; N], [(0, 0); N]);
        for axis in 0..N {
            let reach = match sizes[axis] {
                0 => 0, // refused below
                size => extent(size, self.dilations[axis]) - 1,
            };
            if reach > isize::MAX as usize / 4 {
                let reason =
                    format!("the kernel of shape {sizes:?} reaches over {reach} elements along axis {axis}");
                return Err(Error::invalid_input(operation, reason));
            }
            widths[axis] = match self.ends {
                Ends::Valid => (0, 0),
                Ends::Same => (reach.div_ceil(2), reach / 2),
                Ends::Full => (reach, reach),
            };
            let len = own[axis].saturating_add(widths[axis].0).saturating_add(widths[axis].1);
            let numbers = [sizes[axis], self.strides[axis], self.dilations[axis]];
            shape[axis] = positions(operation, axis, len, numbers)?;
        }
        if let Some(weights) = weights.unrolled() {
            return self.unrolled(&image, &weights, (shape, sizes), widths);
        }
        let uploaded;
        let weights = match weights.0 {
            Source::Device(weights) => weights,
            Source::Host(_, weights) => {
                uploaded = Array::from_slice(queue, sizes, &weights)?;
                uploaded.iter()
            }
        };
        let padded;
        let image = if widths == [(0, 0); N] {
            image
        } else {
            padded = image.pad(widths, self.border).collect()?;
            padded.iter()
        };
        let windows: ArrayExpr<'_, T, M> = image.windows_dilated(sizes, self.strides, self.dilations);
        let shape = windows.shape();
        let weights = weights.broadcast_as(operation, shape);
        let products = ArrayExpr::lazy(windows.into_inner() * weights.into_inner(), shape);
        products.sum_axes(&std::array::from_fn::<_, N, _>(|axis| N + axis))
    }

    /// Computes a result of a known shape as a sum of shifted images, each multiplied with a weight. `widths` are the
    /// numbers of coordinates that the kernel needs before and after the image.
    fn unrolled<'a>(
        &self,
        image: &ArrayExpr<'a, T, N>,
        weights: &[Expr<'a, T>],
        (shape, sizes): ([usize; N], [usize; N]),
        widths: [(usize, usize); N],
    ) -> Result<Array<T, N>> {
        let offset = |at: [usize; N]| {
            std::array::from_fn(|axis| (at[axis] * self.dilations[axis]) as isize - widths[axis].0 as isize)
        };
        let offsets: Vec<[isize; N]> = coordinates(sizes).map(offset).collect();
        let reads = Reads { shape, steps: self.strides, offsets: &offsets };
        let row = sizes.last().copied().unwrap_or(1);
        // Each row of the kernel has its own sum, because a processor computes independent sums at the same time.
        let combine = |at: &dyn Fn([isize; N]) -> Expr<'a, T>| {
            let of_row = |(weights, offsets): (&[Expr<'a, T>], &[[isize; N]])| {
                let mut factors = weights.iter().cloned().zip(offsets.iter().map(|&offset| at(offset)));
                let first = factors.next().map(|(weight, element)| weight * element);
                let first = first.unwrap_or_else(|| Operand::into_expr(T::zeroed()));
                factors.fold(first, |sum, (weight, element)| multiply_add(weight, element, sum))
            };
            let rows = weights.chunks(row).zip(offsets.chunks(row)).map(of_row);
            rows.reduce(|sum, row| sum + row).unwrap_or_else(|| Operand::into_expr(T::zeroed()))
        };
        reads.padded(image, self.border, combine).collect()
    }
}
