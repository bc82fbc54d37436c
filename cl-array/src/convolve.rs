//! Convolutions and correlations along one to three axes.

use crate::array::Array;
use crate::expr::{ArrayExpr, ArrayOperand};
use crate::rank::{Double, Rank};
use crate::rearrange::Pad;
use crate::stencil::Reads;
use crate::view::ArrayView;
use crate::windows::{extent, positions};
use cl_algo::ranked::{self, AxisMap, multiply_add};
use cl_algo::{Element, Expr, Number, Operand};
use cl_core::{Error, Result};
use std::fmt;

/// The part of a convolution that is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// The elements for which the kernel lies inside the image: `n - k + 1` of them along an axis, for an image of
    /// length `n` and a kernel of length `k`.
    Valid,
    /// The `n` central elements of [`Ends::Full`].
    Same,
    /// The elements for which the kernel and the image overlap: `n + k - 1` of them along an axis.
    Full,
}

/// The weights of a convolution: an array, a view or an expression on the device, or numbers of the host.
///
/// Numbers of the host are nested arrays, as in `[[0, 1], [2, 3]]`, or a shape and a slice.
pub struct Weights<'a, T: Element, const N: usize>(Source<'a, T, N>);

enum Source<'a, T: Element, const N: usize> {
    Host([usize; N], Vec<T>),
    Device(ArrayExpr<'a, T, N>),
}

impl<'a, T: Element, const N: usize> From<&'a Array<T, N>> for Weights<'a, T, N> {
    fn from(array: &'a Array<T, N>) -> Self {
        Weights(Source::Device(array.iter()))
    }
}

impl<'a, T: Element, const N: usize> From<ArrayView<'a, T, N>> for Weights<'a, T, N> {
    fn from(view: ArrayView<'a, T, N>) -> Self {
        Weights(Source::Device(view.into()))
    }
}

impl<'a, T: Element, const N: usize> From<ArrayExpr<'a, T, N>> for Weights<'a, T, N> {
    fn from(expr: ArrayExpr<'a, T, N>) -> Self {
        Weights(Source::Device(expr))
    }
}

impl<T: Element, const N: usize> From<([usize; N], &[T])> for Weights<'_, T, N> {
    fn from((shape, weights): ([usize; N], &[T])) -> Self {
        Weights(Source::Host(shape, weights.to_vec()))
    }
}

impl<T: Element, const K: usize> From<[T; K]> for Weights<'_, T, 1> {
    fn from(weights: [T; K]) -> Self {
        Weights(Source::Host([K], weights.to_vec()))
    }
}

impl<T: Element, const J: usize, const K: usize> From<[[T; K]; J]> for Weights<'_, T, 2> {
    fn from(weights: [[T; K]; J]) -> Self {
        Weights(Source::Host([J, K], weights.concat()))
    }
}

impl<T: Element, const I: usize, const J: usize, const K: usize> From<[[[T; K]; J]; I]>
    for Weights<'_, T, 3>
{
    fn from(weights: [[[T; K]; J]; I]) -> Self {
        Weights(Source::Host([I, J, K], weights.concat().concat()))
    }
}

impl<T: Element, const N: usize> fmt::Debug for Weights<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Weights(shape {:?})", self.shape())
    }
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
    /// A kernel of up to 128 weights is one kernel of the device, which reads the shifted image. Elements that read
    /// outside of the image are computed in up to `2 N` more kernels. A larger kernel is a sum along the axes of
    /// [windows](ArrayExpr::windows) of the image, which is padded first. Weights of the host are arguments of the device's
    /// kernel, so one compiled kernel serves all weights.
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

/// Returns all coordinates of a shape in row-major order.
fn coordinates<const N: usize>(shape: [usize; N]) -> impl Iterator<Item = [usize; N]> {
    (0..shape.iter().product()).map(move |mut rest: usize| {
        let mut at = [0; N];
        for axis in (0..N).rev() {
            at[axis] = rest % shape[axis];
            rest /= shape[axis];
        }
        at
    })
}

/// The maximal number of weights that are unrolled.
const MOST_UNROLLED: usize = 128;

/// The maximal number of bytes of a kernel's arguments for weights and their distances. All devices have room for 1024
/// bytes of arguments.
const MOST_BYTES: usize = 768;

impl<'a, T: Number, const N: usize> Weights<'a, T, N> {
    /// Returns the shape, or an error if the host's numbers do not have it.
    fn checked_shape(&self, operation: &'static str) -> Result<[usize; N]> {
        let shape = self.shape();
        if let Source::Host(_, weights) = &self.0 {
            let wanted = ranked::count(&shape)?;
            if wanted != weights.len() {
                let reason = format!(
                    "a kernel of shape {shape:?} has {wanted} weights, and {} are given",
                    weights.len()
                );
                return Err(Error::invalid_input(operation, reason));
            }
        }
        Ok(shape)
    }

    /// Returns the weights with all axes in reverse order.
    fn flipped(self) -> Weights<'a, T, N> {
        Weights(match self.0 {
            Source::Host(shape, mut weights) => {
                weights.reverse();
                Source::Host(shape, weights)
            }
            Source::Device(weights) => Source::Device((0..N).fold(weights, ArrayExpr::flip)),
        })
    }

    /// Returns each weight as an expression, in row-major order; `None` if there are too many for one kernel.
    fn unrolled(&self) -> Option<Vec<Expr<'a, T>>> {
        let shape = self.shape();
        let (count, rows) = (shape.iter().product::<usize>(), shape[..N - 1].iter().product::<usize>());
        let bytes = match self.0 {
            Source::Host(..) => count.saturating_mul(T::TYPE.size()),
            Source::Device(_) => 0,
        };
        if count > MOST_UNROLLED || bytes + rows * N * size_of::<u32>() > MOST_BYTES {
            return None;
        }
        Some(match &self.0 {
            Source::Host(_, weights) => weights.iter().map(|&weight| Operand::into_expr(weight)).collect(),
            Source::Device(weights) => coordinates(shape)
                .map(|at| weights.clone().at(&at.map(AxisMap::at), []).into_inner())
                .collect(),
        })
    }
}

impl<T: Element, const N: usize> Weights<'_, T, N> {
    fn shape(&self) -> [usize; N] {
        match &self.0 {
            Source::Host(shape, _) => *shape,
            Source::Device(weights) => weights.shape(),
        }
    }
}
