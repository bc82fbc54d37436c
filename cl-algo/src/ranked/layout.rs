//! Layouts: where the elements of an array lie in a vector.

use crate::ir::rows::{Affine, MOST_AXES};
use cl_core::{Error, Result};

/// The maximal number of axes of an array.
pub const MAX_RANK: usize = MOST_AXES;

/// The arrangement of an array's elements in a vector: element `[i, j, ..]` is the vector's element
/// `offset + i * strides[0] + j * strides[1] + ..`.
///
/// Strides count elements. They are negative along axes that are reversed, and 0 along axes that repeat one element.
///
/// ```
/// use cl_algo::ranked::Layout;
/// # fn main() -> cl_core::Result<()> {
/// let matrix = Layout::row_major(&[3, 4])?;
/// assert_eq!(matrix.strides(), [4, 1]);
/// assert_eq!(matrix.index(&[2, 1]), 9);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    rank: usize,
    shape: [usize; MAX_RANK],
    strides: [isize; MAX_RANK],
    offset: usize,
}

/// The coordinate along one axis of an array, as a function of the coordinates of a view: `offset`, plus `stride` times
/// the view's coordinate along `axis`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisMap {
    /// The axis of the view; `None` if the coordinate is `offset` everywhere.
    pub axis: Option<usize>,
    /// The difference between the coordinates of neighbouring elements of the view.
    pub stride: isize,
    /// The coordinate of the view's first element.
    pub offset: usize,
}

impl AxisMap {
    /// Returns the map of an axis that is, as a whole, the axis `axis` of the view.
    #[must_use]
    pub fn whole(axis: usize) -> AxisMap {
        AxisMap { axis: Some(axis), stride: 1, offset: 0 }
    }

    /// Returns the map of an axis of which the view has one coordinate.
    #[must_use]
    pub fn at(index: usize) -> AxisMap {
        AxisMap { axis: None, stride: 0, offset: index }
    }
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
        count(shape)?;
        let mut layout = Layout::scalar();
        layout.rank = shape.len();
        let mut stride = 1;
        for (axis, &len) in shape.iter().enumerate().rev() {
            (layout.shape[axis], layout.strides[axis]) = (len, stride);
            stride *= len.max(1) as isize;
        }
        Ok(layout)
    }

    /// Returns the layout of an array that fills a vector, with a contiguous first axis, as in Fortran.
    ///
    /// # Errors
    /// As [`count`].
    pub fn column_major(shape: &[usize]) -> Result<Layout> {
        let reversed: Vec<usize> = shape.iter().rev().copied().collect();
        let layout = Layout::row_major(&reversed)?;
        let axes: Vec<AxisMap> =
            (0..shape.len()).map(|axis| AxisMap::whole(shape.len() - 1 - axis)).collect();
        Ok(layout.view(&axes, shape))
    }

    /// Returns the layout of an array without axes: the first element of the vector.
    #[must_use]
    pub fn scalar() -> Layout {
        Layout { rank: 0, shape: [1; MAX_RANK], strides: [0; MAX_RANK], offset: 0 }
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
        self.shape().iter().product()
    }

    /// Returns `true` if there are zero elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the index in the vector of the element at these coordinates.
    #[must_use]
    pub fn index(&self, coordinates: &[usize]) -> usize {
        let along = coordinates.iter().zip(self.strides()).map(|(&at, &stride)| at as isize * stride);
        (self.offset as isize + along.sum::<isize>()) as usize
    }

    /// Returns the minimal number of elements that the vector must have.
    #[must_use]
    pub fn reach(&self) -> usize {
        if self.is_empty() {
            return 0;
        }
        let upwards =
            self.shape().iter().zip(self.strides()).map(|(&len, &stride)| (len - 1) * stride.max(0) as usize);
        self.offset + upwards.sum::<usize>() + 1
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
        let mut axes: Vec<(usize, usize)> = (self.shape().iter().zip(self.strides()))
            .filter(|&(&len, _)| len > 1)
            .map(|(&len, &stride)| (stride.unsigned_abs(), len))
            .collect();
        axes.sort_unstable();
        let mut reach = 0;
        !self.is_empty()
            && axes.iter().any(|&(stride, len)| {
                let overlaps = stride <= reach;
                reach += stride * (len - 1);
                overlaps
            })
    }

    /// Returns the layout of a view with this shape. `axes` gives the coordinate along each axis of `self`. The
    /// coordinate must be below the length of the axis for all coordinates of the view.
    ///
    /// # Panics
    /// If the shape has more than [`MAX_RANK`] axes, or a map names an axis that the shape does not have.
    #[must_use]
    pub fn view(&self, axes: &[AxisMap], shape: &[usize]) -> Layout {
        self.view_of_sums(axes.iter().map(std::slice::from_ref), shape)
    }

    /// Returns the layout of a view in which several axes may move along one axis of `self`, as in windows. The
    /// coordinate along each axis of `self` is the sum of its maps in `axes`. The coordinate must be below the length of
    /// the axis for all coordinates of the view.
    ///
    /// # Panics
    /// As [`Layout::view`].
    #[must_use]
    pub fn view_of_sums<'m>(&self, axes: impl IntoIterator<Item = &'m [AxisMap]>, shape: &[usize]) -> Layout {
        let mut view = Layout { rank: shape.len(), offset: self.offset, ..Layout::scalar() };
        view.shape[..shape.len()].copy_from_slice(shape);
        let mut offset = self.offset as isize;
        for (maps, &stride) in axes.into_iter().zip(self.strides()) {
            for map in maps {
                offset += stride * map.offset as isize;
                if let Some(axis) = map.axis {
                    view.strides[axis] += stride * map.stride;
                }
            }
        }
        // The offset of a view without elements does not matter.
        view.offset = if shape.contains(&0) { 0 } else { offset as usize };
        view
    }

    /// Returns the layout of the same elements, in the same order, with another shape; `None` if the elements would have
    /// to be copied.
    #[must_use]
    pub fn reshape(&self, shape: &[usize]) -> Option<Layout> {
        let mut new = Layout::row_major(shape).ok()?;
        if new.len() != self.len() {
            return None;
        }
        new.offset = self.offset;
        if self.is_empty() {
            return Some(new);
        }
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
                if old[end - 1].1 != stride * len as isize {
                    return None;
                }
                count *= len;
                end += 1;
            }
            let mut stride = old[end - 1].1;
            for axis in (first..axis).rev() {
                new.strides[axis] = stride;
                stride *= shape[axis] as isize;
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
