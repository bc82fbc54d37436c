//! Views of layouts.

use super::{Layout, MAX_RANK, times};
use cl_core::{Error, Result};

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

impl Layout {
    /// Returns the layout of a view with this shape. `axes` gives the coordinate along each axis of `self`.
    ///
    /// ```
    /// use cl_algo::ranked::{AxisMap, Layout};
    /// # fn main() -> cl_core::Result<()> {
    /// let line = Layout::row_major(&[10])?;
    /// let every_second = AxisMap { axis: Some(0), stride: 2, offset: 1 };
    /// assert_eq!(line.view(&[every_second], &[5])?.strides(), [2]);
    /// let error = line.view(&[every_second], &[6]).unwrap_err().to_string();
    /// assert!(error.contains("coordinates 1 to 11 along axis 0 of shape [10]"), "{error}");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidInput`] unless there is a map for each axis of `self`, with an axis that the view has, and unless all
    /// coordinates are those of elements of `self`; as [`count`](super::count).
    pub fn view(&self, axes: &[AxisMap], shape: &[usize]) -> Result<Layout> {
        self.view_of_sums(axes.iter().map(std::slice::from_ref), shape)
    }

    /// Returns the layout of a view in which several axes may move along one axis of `self`, as in windows. The
    /// coordinate along each axis of `self` is the sum of its maps in `axes`.
    ///
    /// # Errors
    /// As [`Layout::view`].
    pub fn view_of_sums<'m>(
        &self,
        axes: impl IntoIterator<Item = &'m [AxisMap]>,
        shape: &[usize],
    ) -> Result<Layout> {
        let mut view = Layout::of_shape(shape)?;
        let (mut offset, mut given) = (self.offset as isize, 0);
        for maps in axes {
            let axis = given;
            given += 1;
            if axis >= self.rank {
                continue;
            }
            let along = Along::of(maps, shape.len()).ok_or_else(|| uncounted(axis, self.shape()))?;
            if let Some(&beyond) = along.beyond.as_ref() {
                return Err(no_axis(axis, beyond, shape));
            }
            // Along axes of one coordinate, and without elements, a stride may have any value.
            for (own, &by) in view.strides.iter_mut().zip(&along.strides[..shape.len()]) {
                if by != 0 {
                    *own = own.saturating_add(times(self.strides[axis], by)).max(-isize::MAX);
                }
            }
            if view.len > 0 {
                let [least, last] = along.range(shape).ok_or_else(|| uncounted(axis, self.shape()))?;
                if least < 0 || last >= self.shape[axis] as isize {
                    return Err(leaves(axis, self.shape(), [least, last]));
                }
                offset += self.strides[axis] * along.first;
            }
        }
        if given != self.rank {
            return Err(other_maps(given, self.shape()));
        }
        if view.len == 0 {
            (view.offset, view.reach) = (0, 0);
            return Ok(view);
        }
        view.offset = offset as usize;
        // No sum or product wraps, because all elements of the view are elements of `self`.
        let upwards = shape.iter().zip(view.strides).map(|(&len, stride)| (len - 1) * stride.max(0) as usize);
        view.reach = view.offset + upwards.sum::<usize>() + 1;
        Ok(view)
    }
}

/// The coordinate along one axis of a layout, as a function of the coordinates of a view.
struct Along {
    /// The coordinate of the view's first element.
    first: isize,
    strides: [isize; MAX_RANK],
    /// An axis that the view does not have.
    beyond: Option<usize>,
}

impl Along {
    /// Returns the sum of maps for a view of `rank` axes; `None` if it has numbers that cannot be counted.
    fn of(maps: &[AxisMap], rank: usize) -> Option<Along> {
        let mut along = Along { first: 0, strides: [0; MAX_RANK], beyond: None };
        for map in maps {
            along.first = along.first.checked_add_unsigned(map.offset)?;
            match map.axis {
                Some(axis) if axis < rank => {
                    along.strides[axis] = along.strides[axis].checked_add(map.stride)?;
                }
                beyond => along.beyond = along.beyond.or(beyond),
            }
        }
        Some(along)
    }

    /// Returns the least and the greatest coordinate of a view of this shape, which has elements; `None` if they cannot be
    /// counted.
    fn range(&self, shape: &[usize]) -> Option<[isize; 2]> {
        let (mut least, mut last) = (self.first, self.first);
        for (&stride, &len) in self.strides.iter().zip(shape) {
            if stride == 0 {
                continue;
            }
            let far = stride.checked_mul(len as isize - 1)?;
            let end = if far < 0 { &mut least } else { &mut last };
            *end = end.checked_add(far)?;
        }
        Some([least, last])
    }
}

#[cold]
fn uncounted(axis: usize, shape: &[usize]) -> Error {
    let reason = format!("its coordinates along axis {axis} of shape {shape:?} are beyond {}", isize::MAX);
    Error::invalid_input("view", reason)
}

#[cold]
fn no_axis(axis: usize, beyond: usize, shape: &[usize]) -> Error {
    let reason = format!(
        "the coordinate along axis {axis} depends on axis {beyond} of the view, whose shape {shape:?} has {} axes",
        shape.len()
    );
    Error::invalid_input("view", reason)
}

#[cold]
fn leaves(axis: usize, shape: &[usize], [least, last]: [isize; 2]) -> Error {
    let reason = format!("it has the coordinates {least} to {last} along axis {axis} of shape {shape:?}");
    Error::invalid_input("view", reason)
}

#[cold]
fn other_maps(given: usize, shape: &[usize]) -> Error {
    let reason = format!("{given} maps of axes, and shape {shape:?} has {} axes", shape.len());
    Error::invalid_input("view", reason)
}
