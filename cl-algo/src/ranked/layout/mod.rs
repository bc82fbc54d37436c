//! Layouts: where the elements of an array lie in a vector.

mod view;

use crate::ir::rows::{Affine, MOST_AXES};
use cl_core::{Error, Result};
use smallvec::SmallVec;
pub use view::AxisMap;

/// The maximal number of axes of an array.
pub const MAX_RANK: usize = MOST_AXES;

/// The arrangement of an array's elements in a vector: element `[i, j, ..]` is the vector's element
/// `offset + i * strides[0] + j * strides[1] + ..`.
///
/// Strides count elements. They are negative along axes that are reversed, and 0 along axes that repeat one element.
///
/// A layout is valid by itself: all its elements have an index, from 0 to below [`reach`](Layout::reach), and no number of it
/// wraps around. Whoever uses a layout compares it with the vector once, by [`within`](Layout::within).
///
/// ```
/// use cl_algo::ranked::Layout;
/// # fn main() -> cl_core::Result<()> {
/// let matrix = Layout::row_major(&[3, 4])?;
/// assert_eq!(matrix.strides(), [4, 1]);
/// assert_eq!(matrix.index(&[2, 1]), Some(9));
/// assert_eq!(matrix.index(&[3, 0]), None);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    rank: usize,
    shape: [usize; MAX_RANK],
    /// At least `-isize::MAX`.
    strides: [isize; MAX_RANK],
    /// 0 without elements.
    offset: usize,
    /// The number of elements.
    len: usize,
    /// The largest index, plus 1; 0 without elements.
    reach: usize,
}

/// Returns the error for more than [`MAX_RANK`] axes.
fn too_many_axes(rank: usize) -> Error {
    Error::invalid_input("shape", format!("it has {rank} axes; arrays have at most {MAX_RANK}"))
}

/// Returns the number of elements of a shape.
///
/// # Errors
/// [`Error::InvalidInput`] if there are more than [`MAX_RANK`] axes, or `isize::MAX` elements or more. An axis of
/// length 0 counts as one of length 1 for this limit, as in NumPy.
pub fn count(shape: &[usize]) -> Result<usize> {
    if shape.len() > MAX_RANK {
        return Err(too_many_axes(shape.len()));
    }
    let product = shape.iter().try_fold(1_usize, |product, &len| product.checked_mul(len.max(1)));
    match product.filter(|&product| product < isize::MAX as usize) {
        Some(_) => Ok(shape.iter().product()),
        None => {
            Err(Error::invalid_input("shape", format!("{shape:?} has more elements than can be counted")))
        }
    }
}

impl Layout {
    /// Returns the layout of an array that fills a vector, with a contiguous last axis, as in C.
    ///
    /// # Errors
    /// As [`count`].
    pub fn row_major(shape: &[usize]) -> Result<Layout> {
        Layout::dense(shape, (0..shape.len()).rev())
    }

    /// Returns the layout of an array that fills a vector, with a contiguous first axis, as in Fortran.
    ///
    /// # Errors
    /// As [`count`].
    pub fn column_major(shape: &[usize]) -> Result<Layout> {
        Layout::dense(shape, 0..shape.len())
    }

    /// Returns the layout of an array that fills a vector. `axes` has all axes, the contiguous one first.
    fn dense(shape: &[usize], axes: impl Iterator<Item = usize>) -> Result<Layout> {
        let mut layout = Layout::of_shape(shape)?;
        layout.reach = layout.len;
        let mut stride = 1;
        for axis in axes {
            layout.strides[axis] = stride;
            stride *= shape[axis].max(1) as isize;
        }
        Ok(layout)
    }

    /// Returns a layout without strides.
    fn of_shape(shape: &[usize]) -> Result<Layout> {
        let len = count(shape)?;
        let mut layout = Layout { rank: shape.len(), len, ..Layout::scalar() };
        layout.shape[..shape.len()].copy_from_slice(shape);
        Ok(layout)
    }

    /// Returns the layout of an array without axes: the first element of the vector.
    #[must_use]
    pub fn scalar() -> Layout {
        Layout { rank: 0, shape: [1; MAX_RANK], strides: [0; MAX_RANK], offset: 0, len: 1, reach: 1 }
    }

    /// Returns two arrays of the same shape and strides as one array. The coordinate along its first axis is 0 in `first`, and 1
    /// in `second`.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for layouts of different shapes or strides; as [`count`].
    pub fn stacked(first: &Layout, second: &Layout) -> Result<Layout> {
        if (first.rank, first.shape, first.strides) != (second.rank, second.shape, second.strides) {
            let reason = format!(
                "arrays of shapes {:?} and {:?} with strides {:?} and {:?} do not make one array",
                first.shape(),
                second.shape(),
                first.strides(),
                second.strides()
            );
            return Err(Error::invalid_input("stack", reason));
        }
        let shape: SmallVec<[usize; MAX_RANK]> =
            [2].into_iter().chain(first.shape().iter().copied()).collect();
        let mut stack = Layout::of_shape(&shape)?;
        stack.strides[0] = second.offset as isize - first.offset as isize;
        stack.strides[1..].copy_from_slice(&first.strides[..MAX_RANK - 1]);
        stack.offset = first.offset;
        stack.reach = first.reach.max(second.reach);
        Ok(stack)
    }

    /// Returns the length of each axis.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.shape[..self.rank]
    }

    /// Returns the stride of each axis, in elements.
    #[must_use]
    pub fn strides(&self) -> &[isize] {
        &self.strides[..self.rank]
    }

    /// Returns the index of the element at the coordinates 0.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if there are zero elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the index in the vector of the element at these coordinates; `None` if there is none.
    #[must_use]
    pub fn index(&self, coordinates: &[usize]) -> Option<usize> {
        let has =
            coordinates.len() == self.rank && coordinates.iter().zip(self.shape()).all(|(at, len)| at < len);
        let along = || coordinates.iter().zip(self.strides()).map(|(&at, &stride)| at as isize * stride);
        has.then(|| self.offset.wrapping_add_signed(along().sum()))
    }

    /// Returns the minimal number of elements that the vector must have.
    #[must_use]
    pub fn reach(&self) -> usize {
        self.reach
    }

    /// Returns an error unless the layout lies in a vector of `len` elements. `operation` is the name in errors.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`].
    #[inline]
    pub fn within(&self, operation: &'static str, len: usize) -> Result<()> {
        match self.reach <= len {
            true => Ok(()),
            false => Err(Error::out_of_bounds(operation, self.offset, self.reach, len)),
        }
    }

    /// Returns whether the elements lie one after the other from the offset on, in row-major order.
    #[must_use]
    pub fn is_contiguous(&self) -> bool {
        let mut expected = 1;
        self.is_empty()
            || self.shape().iter().zip(self.strides()).rev().all(|(&len, &stride)| {
                let fits = len == 1 || stride == expected;
                expected *= len as isize;
                fits
            })
    }

    /// Returns whether elements at different coordinates may be the same element of the vector, as along broadcast
    /// axes.
    #[must_use]
    pub fn repeats(&self) -> bool {
        let (mut axes, mut several) = ([(0, 0); MAX_RANK], 0);
        for (&len, &stride) in self.shape().iter().zip(self.strides()) {
            if len > 1 {
                axes[several] = (stride.unsigned_abs(), len);
                several += 1;
            }
        }
        axes[..several].sort_unstable();
        let mut reach = 0;
        !self.is_empty()
            && axes[..several].iter().any(|&(stride, len)| {
                let overlaps = stride <= reach;
                reach += stride * (len - 1);
                overlaps
            })
    }

    /// Returns the layout of the same elements, in the same order, with another shape; `None` if the elements would have
    /// to be copied.
    #[must_use]
    pub fn reshape(&self, shape: &[usize]) -> Option<Layout> {
        let mut new = Layout::row_major(shape).ok()?;
        if new.len() != self.len() {
            return None;
        }
        if self.is_empty() {
            return Some(new);
        }
        (new.offset, new.reach) = (self.offset, self.reach);
        // Each group of neighbouring old axes that can be merged is divided among new axes.
        let old: Vec<(usize, isize)> = (self.shape().iter().copied().zip(self.strides().iter().copied()))
            .filter(|&(len, _)| len > 1)
            .collect();
        let (mut at, mut axis) = (0, 0);
        while at < old.len() {
            let (mut end, mut count) = (at + 1, old[at].0);
            let (first, mut product) = (axis, 1);
            loop {
                while product < count && axis < shape.len() {
                    product *= shape[axis];
                    axis += 1;
                }
                if product == count {
                    break;
                }
                // The new axes need one more old axis, which must be mergeable with the group.
                let (len, stride) = *old.get(end)?;
                if stride.checked_mul(len as isize) != Some(old[end - 1].1) {
                    return None;
                }
                count *= len;
                end += 1;
            }
            let mut stride = old[end - 1].1;
            for axis in (first..axis).rev() {
                new.strides[axis] = stride;
                // The stride after the last one is not used, and may be too large.
                stride = times(stride, shape[axis] as isize);
            }
            at = end;
        }
        Some(new)
    }

    pub(crate) fn affine(&self) -> Affine {
        let mut form = Affine { offset: self.offset as i64, ..Affine::default() };
        for (to, &stride) in form.strides.iter_mut().zip(self.strides().iter().rev()) {
            *to = stride as i64;
        }
        form
    }
}

/// Returns the product of two strides; the closest stride, if that cannot be counted.
fn times(stride: isize, by: isize) -> isize {
    stride.saturating_mul(by).max(-isize::MAX)
}

/// Returns the shape that arrays of these shapes are broadcast to, by NumPy's rules: shapes are compared from the last
/// axis on, and axes of length 1 are repeated.
///
/// # Errors
/// [`Error::InvalidInput`] if the lengths along an axis differ and neither is 1.
pub fn broadcast(operation: &'static str, a: &[usize], b: &[usize]) -> Result<Vec<usize>> {
    let rank = a.len().max(b.len());
    let len = |shape: &[usize], axis: usize| (axis + shape.len()).checked_sub(rank).map_or(1, |at| shape[at]);
    (0..rank)
        .map(|axis| match (len(a, axis), len(b, axis)) {
            (1, other) | (other, 1) => Ok(other),
            (left, right) if left == right => Ok(left),
            (left, right) => Err(Error::invalid_input(
                operation,
                format!(
                    "shapes {a:?} and {b:?} have lengths {left} and {right} along axis {axis}; \
                         lengths must be equal, or one of them 1"
                ),
            )),
        })
        .collect()
}
