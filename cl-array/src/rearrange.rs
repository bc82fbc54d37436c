//! Arrays read at computed coordinates: padding, repetition, gathers along an axis, triangles. All are lazy.

use crate::expr::{ArrayExpr, ArrayOperand};
use cl_algo::ranked::{self, AxisMap};
use cl_algo::{Element, Expr, Integer, Item, Val};
use cl_core::Error;

/// The elements that [`ArrayExpr::pad`] adds around an array.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Pad<T> {
    /// This value.
    Constant(T),
    /// The element at the edge, repeated.
    Edge,
    /// The elements inside the edge in reverse order, without the one at the edge.
    Reflect,
    /// The elements inside the edge in reverse order, from the one at the edge on.
    Symmetric,
    /// The elements from the other edge.
    Wrap,
}

impl<'a, T: Item, const N: usize> ArrayExpr<'a, T, N> {
    /// Returns the array with another length along an axis, where `read` reads it, given its shape and the axis.
    pub(crate) fn along(
        self,
        operation: &'static str,
        axis: usize,
        len: impl FnOnce(usize) -> usize,
        read: impl FnOnce(Expr<'a, T>, &[usize], usize) -> Expr<'a, T>,
    ) -> ArrayExpr<'a, T, N> {
        let own = self.shape();
        if axis >= N {
            return self.without_axis(operation, axis);
        }
        let mut shape = own;
        shape[axis] = len(own[axis]);
        let expr = self.into_inner();
        // Nothing is read for an array without elements. A shape that is too large fails below.
        let is_read = ranked::count(&shape).is_ok_and(|count| count > 0);
        let expr = match own[axis] {
            _ if !is_read => expr,
            0 => {
                let reason = format!("axis {axis} of shape {own:?} has no elements to fill the result with");
                expr.failed(Error::invalid_input(operation, reason))
            }
            _ => read(expr, &own, axis),
        };
        ArrayExpr::lazy(expr, shape)
    }

    /// Returns the elements at the given indices along an axis. The result has as many coordinates along the axis as
    /// there are indices.
    ///
    /// An index out of range, or a negative index, reads the last element instead, and the next call that waits for the
    /// queue returns an error that names the first such index. An axis that the array does not have is a deferred error,
    /// as are indices along an axis of length 0.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [3, 2], &[1, 2, 3, 4, 5, 6])?;
    /// let rows = Array::from_slice(&queue, [4], &[2_u32, 0, 0, 1])?;
    /// assert_eq!(a.iter().take(0, &rows).to_vec()?, [5, 6, 1, 2, 1, 2, 3, 4]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("select", "gather", "index_select", "fancy_index"))]
    pub fn take<I: Integer>(self, axis: usize, indices: impl ArrayOperand<'a, I, 1>) -> ArrayExpr<'a, T, N> {
        let indices = indices.into_array_expr();
        let [count] = indices.shape();
        self.along(
            "take",
            axis,
            |_| count,
            |expr, shape, axis| expr.gather_axis(axis, shape, indices.into_inner()),
        )
    }

    /// Returns the array with its elements moved by `shift` along an axis. Elements that leave the array at one end come
    /// in at the other end. A negative shift moves towards smaller coordinates.
    ///
    /// An axis that the array does not have is a deferred error.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(a.iter().roll(1, 1).to_vec()?, [3, 1, 2, 6, 4, 5]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("rotate", "circshift"))]
    pub fn roll(self, axis: usize, shift: isize) -> ArrayExpr<'a, T, N> {
        self.along(
            "roll",
            axis,
            |len| len,
            |expr, shape, axis| expr.map_axis(axis, shape, wrapped(shape[axis], shift)),
        )
    }

    /// Returns the array repeated `counts[k]` times along each axis `k`, one copy behind the other.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [1, 2], &[1, 2])?;
    /// assert_eq!(a.iter().tile([2, 2]).to_vec()?, [1, 2, 1, 2, 1, 2, 1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("repmat", "repeat"))]
    pub fn tile(self, counts: [usize; N]) -> ArrayExpr<'a, T, N> {
        let axes = counts.into_iter().enumerate().filter(|&(_, count)| count != 1);
        axes.fold(self, |tiled, (axis, count)| {
            tiled.along(
                "tile",
                axis,
                |len| len.saturating_mul(count),
                |expr, shape, axis| expr.map_axis(axis, shape, wrapped(shape[axis], 0)),
            )
        })
    }

    /// Returns the array with each element repeated `count` times along an axis.
    ///
    /// An axis that the array does not have is a deferred error.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [1, 2], &[1, 2])?;
    /// assert_eq!(a.iter().repeat(1, 2).to_vec()?, [1, 1, 2, 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "repeat_interleave")]
    pub fn repeat(self, axis: usize, count: usize) -> ArrayExpr<'a, T, N> {
        self.along(
            "repeat",
            axis,
            |len| len.saturating_mul(count),
            |expr, shape, axis| expr.map_axis(axis, shape, |at| at / count as u64),
        )
    }
}

impl<'a, T: Item, const N: usize> ArrayExpr<'a, T, N> {
    /// Returns the array with `widths[k].0` coordinates added before axis `k`, and `widths[k].1` coordinates after it.
    ///
    /// The widths may be larger than the array: [`Pad::Reflect`], [`Pad::Symmetric`] and [`Pad::Wrap`] are continued
    /// periodically. An axis of
    /// length 0 can only be padded with [`Pad::Constant`]. Otherwise this is a deferred error.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [3], &[1, 2, 3])?;
    /// let padded = |pad| a.iter().pad([(2, 1)], pad).to_vec();
    /// assert_eq!(padded(Pad::Constant(0))?, [0, 0, 1, 2, 3, 0]);
    /// assert_eq!(padded(Pad::Edge)?, [1, 1, 1, 2, 3, 3]);
    /// assert_eq!(padded(Pad::Reflect)?, [3, 2, 1, 2, 3, 2]);
    /// assert_eq!(padded(Pad::Symmetric)?, [2, 1, 1, 2, 3, 3]);
    /// assert_eq!(padded(Pad::Wrap)?, [2, 3, 1, 2, 3, 1]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn pad(self, widths: [(usize, usize); N], pad: Pad<T>) -> ArrayExpr<'a, T, N> {
        let inner = self.shape();
        let padded_len = |axis: usize| {
            let (before, after) = widths[axis];
            inner[axis].saturating_add(before).saturating_add(after)
        };
        let shape: [usize; N] = std::array::from_fn(padded_len);
        if let (Pad::Constant(value), true) = (pad, inner.contains(&0)) {
            let constant = ranked::in_place_of(&self.into_inner(), ranked::repeated(value));
            return ArrayExpr::lazy(constant, []).broadcast(shape);
        }
        let axes = (0..N).filter(|&axis| widths[axis] != (0, 0));
        let padded = axes.clone().fold(self, |padded, axis| {
            padded.along(
                "pad",
                axis,
                |_| shape[axis],
                |expr, lens, axis| expr.map_axis(axis, lens, |at| inside(at, lens[axis], widths[axis], pad)),
            )
        });
        let Pad::Constant(value) = pad else { return padded };
        axes.fold(padded, |padded, axis| {
            let (before, len) = (widths[axis].0 as u64, inner[axis] as u64);
            // Numbers below `before` wrap around to large ones.
            let is_inside = ArrayExpr::from_fn(shape, |at| (at[axis] - before).lt(len));
            let (condition, items) = (is_inside.into_inner(), padded.into_inner());
            ArrayExpr::lazy(ranked::select_items(condition, items, ranked::repeated(value)), shape)
        })
    }
}

impl<'a, T: Element, const N: usize> ArrayExpr<'a, T, N> {
    /// Returns the lower triangle of a matrix, and zeros above the diagonal `k`. Diagonal 0 is the main one, positive
    /// numbers are above it. An array of more than two axes is a stack of matrices, in its last two axes.
    ///
    /// An array of fewer than two axes is a deferred error.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::filled(&queue, [2, 3], 7)?;
    /// assert_eq!(a.iter().tril(0).to_vec()?, [7, 0, 0, 7, 7, 0]);
    /// assert_eq!(a.iter().triu(1).to_vec()?, [0, 7, 7, 0, 0, 7]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn tril(self, k: isize) -> ArrayExpr<'a, T, N> {
        self.triangle("tril", |above| above.le(k as i64))
    }

    /// Returns the upper triangle of a matrix, and zeros below the diagonal `k`. See [`ArrayExpr::tril`].
    pub fn triu(self, k: isize) -> ArrayExpr<'a, T, N> {
        self.triangle("triu", |above| above.ge(k as i64))
    }

    /// Returns the elements for which a condition on their distance above the main diagonal is true, and zeros.
    fn triangle(
        self,
        operation: &'static str,
        is_kept: impl FnOnce(Val<i64>) -> Val<bool>,
    ) -> ArrayExpr<'a, T, N> {
        if N < 2 {
            let reason = format!("the array has {N} axes; a matrix has two");
            return self.failed(Error::invalid_input(operation, reason));
        }
        let above = |at: [Val<u64>; N]| is_kept((at[N - 1] - at[N - 2]).cast());
        ArrayExpr::from_fn(self.shape(), above).select_or(self, T::zeroed())
    }
}

impl<'a, T: Element> ArrayExpr<'a, T, 1> {
    /// Returns the square matrix with these elements on its main diagonal, and zeros elsewhere.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_slice(&queue, [2], &[3, 4])?;
    /// assert_eq!(a.iter().diag().to_vec()?, [3, 0, 0, 4]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "from_diag")]
    pub fn diag(self) -> ArrayExpr<'a, T, 2> {
        let [n] = self.shape();
        let rows = self.at(&[AxisMap::whole(0)], [n, n]);
        ArrayExpr::from_fn([n, n], |[i, j]| i.eq(j)).select_or(rows, T::zeroed())
    }
}

/// Returns the coordinate along an axis of length `len` that is repeated, after a shift by `shift`.
fn wrapped(len: usize, shift: isize) -> impl FnOnce(Val<u64>) -> Val<u64> {
    // At most `isize::MAX`, as every length is.
    let back = (len as isize - shift.rem_euclid(len as isize)) as u64;
    move |at| (at + back) % len as u64
}

/// Returns the coordinate along an axis of length `len`, of at least 1, at a coordinate of the axis with `widths` more
/// coordinates in front and behind.
fn inside<T>(at: Val<u64>, len: usize, widths: (usize, usize), pad: Pad<T>) -> Val<u64> {
    let (len, before, after) = (len as u64, widths.0 as u64, widths.1 as u64);
    let last = len - 1;
    // The coordinate in the period that begins with the axis.
    let within = |period: u64| {
        let by = period - before % period;
        remainder(at + by, (before + len).saturating_add(after).saturating_add(by), period)
    };
    match pad {
        Pad::Constant(_) | Pad::Edge => at.max(before).min(before + last) - before,
        Pad::Wrap => within(len),
        Pad::Symmetric => {
            let at = within(2 * len);
            at.min(2 * len - 1 - at)
        }
        Pad::Reflect => {
            // Forwards and backwards, each end once.
            let period = (2 * last).max(1);
            let at = within(period);
            at.min(period - at)
        }
    }
}

/// Returns the remainder of a number below `end`. Up to twice, the period is subtracted instead of a division: the
/// difference of a smaller number wraps around to a large one.
fn remainder(number: Val<u64>, end: u64, period: u64) -> Val<u64> {
    match (end - 1) / period {
        times @ 0..=2 => (0..times).fold(number, |number, _| number.min(number - period)),
        _ => number % period,
    }
}
