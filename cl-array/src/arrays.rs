//! Several arrays at once: outputs of one kernel, and arrays that are changed together.

use crate::array::Array;
use crate::expr::ArrayExpr;
use crate::view::ArrayViewMut;
use cl_algo::ranked::{self, RankedSink, RankedTarget};
use cl_algo::{Element, Item};
use cl_core::Result;

/// Arrays that the items of an expression are stored to: a `&mut Array`, an [`ArrayViewMut`], or a tuple of these, nested
/// as the items are. All have the same shape.
#[diagnostic::on_unimplemented(
    message = "items of `{T}` cannot be stored to `{Self}`",
    note = "use a `&mut Array`, a mutable view (`a.slice_mut(s![1.., ..])`), or a tuple of these"
)]
pub trait ArraySink<'a, T: Item, const N: usize> {
    /// The arrays, as an output of `cl-algo`.
    type Sink: RankedSink<'a, T>;

    /// Returns the length of each axis.
    fn shape(&self) -> [usize; N];

    /// Returns the arrays as an output.
    ///
    /// # Errors
    /// The first deferred error of a view.
    fn into_sink(self) -> Result<Self::Sink>;
}

impl<'a, T: Element, const N: usize> ArraySink<'a, T, N> for ArrayViewMut<'a, T, N> {
    type Sink = RankedTarget<'a, T>;

    fn shape(&self) -> [usize; N] {
        ArrayViewMut::shape(self)
    }

    fn into_sink(self) -> Result<RankedTarget<'a, T>> {
        self.into_target()
    }
}

impl<'a, T: Element, const N: usize> ArraySink<'a, T, N> for &'a mut Array<T, N> {
    type Sink = RankedTarget<'a, T>;

    fn shape(&self) -> [usize; N] {
        Array::shape(self)
    }

    fn into_sink(self) -> Result<RankedTarget<'a, T>> {
        self.view_mut().into_target()
    }
}

macro_rules! tuples {
    ($(($($name:ident $other:ident $at:tt),+))+) => {$(
        impl<'a, $($name: Item, $other: ArraySink<'a, $name, N>,)+ const N: usize> ArraySink<'a, ($($name,)+), N>
            for ($($other,)+)
        {
            type Sink = ($($other::Sink,)+);

            fn shape(&self) -> [usize; N] {
                self.0.shape()
            }

            fn into_sink(self) -> Result<Self::Sink> {
                Ok(($(self.$at.into_sink()?,)+))
            }
        }

        impl<'a, $($name: Item,)+ const N: usize> ArrayExpr<'a, ($($name,)+), N> {
            /// Returns the fields of the tuple, each as an expression of its own.
            pub fn unzip(self) -> ($(ArrayExpr<'a, $name, N>,)+) {
                let shape = self.shape();
                let fields = self.into_inner().unzip();
                ($(ArrayExpr::lazy(fields.$at, shape),)+)
            }
        }
    )+};
}

tuples! {
    (A X 0, B Y 1)
    (A X 0, B Y 1, C Z 2)
    (A X 0, B Y 1, C Z 2, D W 3)
    (A X 0, B Y 1, C Z 2, D W 3, E V 4)
    (A X 0, B Y 1, C Z 2, D W 3, E V 4, F U 5)
    (A X 0, B Y 1, C Z 2, D W 3, E V 4, F U 5, G S 6)
    (A X 0, B Y 1, C Z 2, D W 3, E V 4, F U 5, G S 6, H R 7)
}

impl<'a, T: Item, const N: usize> ArrayExpr<'a, T, N> {
    /// Evaluates the expression into arrays, in one kernel. The expression is broadcast to the arrays' shape, as by
    /// [`ArrayViewMut::assign`]. A tuple of arrays stores tuples of values.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 2], &[1.0_f32, 4.0, 9.0, 16.0])?;
    /// let mut roots = Array::zeros(&queue, [2, 2])?;
    /// let mut sums = Array::zeros(&queue, [2, 2])?;
    /// a.map(|x| (x.sqrt(), x + 1.0)).collect_into((&mut roots, sums.view_mut().t()))?;
    /// assert_eq!(roots.to_vec()?, [1.0, 2.0, 3.0, 4.0]);
    /// assert_eq!(sums.to_vec()?, [2.0, 10.0, 5.0, 17.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) if the arrays have different shapes, or the expression's
    /// shape does not fit; as [`ArrayExpr::collect`].
    #[doc(alias("out", "assign_to", "copyto"))]
    pub fn collect_into<const M: usize>(self, arrays: impl ArraySink<'a, T, M>) -> Result<()> {
        let value = self.broadcast_into("collect_into", arrays.shape());
        value.assign_to("collect_into", arrays.into_sink()?)
    }
}

/// Evaluates an expression of the arrays' own elements in place, in one kernel.
///
/// All new elements at the same coordinates are computed from the old ones before any is stored. This is
/// [`Array::assign_with`] for several arrays, such as the coordinates of a state.
///
/// ```
/// use cl_array::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = Array::from_slice(&queue, [1, 2], &[1.0_f32, 0.0])?;
/// let mut y = Array::from_slice(&queue, [1, 2], &[0.0_f32, 2.0])?;
/// // A quarter turn.
/// cl_array::assign_with((&mut x, &mut y), |points| points.map(|(x, y)| (-y, x)))?;
/// assert_eq!(x.to_vec()?, [0.0, -2.0]);
/// assert_eq!(y.to_vec()?, [1.0, 0.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`ArrayExpr::collect_into`], and [`Error::InvalidInput`](cl_core::Error::InvalidInput) if the expression reads
/// elements of the arrays at other coordinates, such as their neighbours.
pub fn assign_with<'a, T: Item, const N: usize>(
    arrays: impl ArraySink<'a, T, N>,
    value: impl FnOnce(ArrayExpr<'a, T, N>) -> ArrayExpr<'a, T, N>,
) -> Result<()> {
    assign_with_as("assign_with", arrays, value)
}

/// Evaluates as [`assign_with`] does. `operation` is the name in errors.
pub(crate) fn assign_with_as<'a, T: Item, const N: usize>(
    operation: &'static str,
    arrays: impl ArraySink<'a, T, N>,
    value: impl FnOnce(ArrayExpr<'a, T, N>) -> ArrayExpr<'a, T, N>,
) -> Result<()> {
    let shape = arrays.shape();
    ranked::assign_with(operation, arrays.into_sink()?, |own| {
        value(ArrayExpr::lazy(own, shape)).broadcast_as(operation, shape).into_inner()
    })
}
