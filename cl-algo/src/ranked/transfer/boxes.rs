//! Boxes: the transfers of rectangles and cuboids that a route is divided into.

use super::route::{Axis, for_each};
use cl_core::{Extent, Layout};

/// A box of elements. All numbers count elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cuboid {
    /// The indices of the first element in the vector and in the slice of the host.
    pub(super) device: usize,
    pub(super) host: usize,
    /// The length of a row, the number of rows, the number of slices.
    pub(super) extent: [usize; 3],
    /// The distances of rows and of slices.
    device_pitch: [usize; 2],
    host_pitch: [usize; 2],
}

impl Cuboid {
    /// Returns the box of rows of `width` elements, along up to two axes.
    fn new(width: usize, axes: &[Axis], device: usize, host: usize) -> Cuboid {
        let mut cuboid = Cuboid {
            device,
            host,
            extent: [width, 1, 1],
            device_pitch: [width, width],
            host_pitch: [width, width],
        };
        for (at, axis) in axes.iter().rev().enumerate() {
            cuboid.extent[at + 1] = axis.len;
            cuboid.device_pitch[at] = axis.device;
            cuboid.host_pitch[at] = axis.host as usize;
        }
        if axes.len() < 2 {
            cuboid.device_pitch[1] = cuboid.device_pitch[0] * cuboid.extent[1];
            cuboid.host_pitch[1] = cuboid.host_pitch[0] * cuboid.extent[1];
        }
        cuboid
    }

    /// Returns `true` for a single row, which needs no box.
    pub(super) fn is_row(&self) -> bool {
        self.extent[1] * self.extent[2] == 1
    }

    pub(super) fn extent(&self) -> Extent {
        self.extent.into()
    }

    /// Returns the position of the first element in the vector: in its row, row of the slice, slice.
    fn origin(&self) -> [usize; 3] {
        let [row, slice] = self.device_pitch;
        [self.device % slice % row, self.device % slice / row, self.device / slice]
    }

    pub(super) fn in_vector(&self) -> Layout {
        let [row, slice] = self.device_pitch;
        Layout::rows(row).slices(slice).at(self.origin())
    }

    /// Returns the layout of the slice of the host from element `host` on.
    pub(super) fn in_slice(&self) -> Layout {
        let [row, slice] = self.host_pitch;
        Layout::rows(row).slices(slice)
    }

    /// Returns the end of the last row, padded to the distance of rows. Some drivers refuse a box whose padded end lies
    /// behind the end of the buffer.
    fn padded_end(&self) -> usize {
        let ([row, slice], [_, y, z]) = (self.device_pitch, self.origin());
        (z + self.extent[2] - 1) * slice + (y + self.extent[1]) * row
    }
}

/// The way in which axes are divided into boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Division<'a> {
    /// The axes with one call for each of their elements.
    outer: &'a [Axis],
    /// Up to two axes of a box.
    inner: &'a [Axis],
    width: usize,
}

impl Division<'_> {
    /// Returns the division of axes whose distances on the host are those of the elements in the order of the vector.
    /// Returns `None` if elements have a distance of 0, so that several coordinates have the same element.
    pub(super) fn new(axes: &[Axis]) -> Option<Division<'_>> {
        if axes.iter().any(|axis| axis.device == 0) {
            return None;
        }
        let (width, rest) = match axes {
            [rest @ .., row] if row.device == 1 => (row.len, rest),
            _ => (1, axes),
        };
        let fits = match rest {
            [.., slice, row] => {
                slice.device.is_multiple_of(row.device) && slice.device >= row.device * row.len
            }
            _ => false,
        };
        let boxed = if fits { 2 } else { rest.len().min(1) };
        // A row must not reach into the next one.
        let boxed = if rest.last().is_some_and(|row| row.device < width) { 0 } else { boxed };
        let (outer, inner) = rest.split_at(rest.len() - boxed);
        Some(Division { outer, inner, width })
    }

    /// Returns the number of calls, without those for rows that are cut off at the end of the vector.
    pub(super) fn calls(&self) -> usize {
        super::route::count(self.outer)
    }

    /// Returns the number of rows of all boxes.
    pub(super) fn rows(&self) -> usize {
        self.calls() * super::route::count(self.inner)
    }

    /// Returns the boxes of a vector of `len` elements.
    pub(super) fn boxes(&self, len: usize, device: usize) -> Vec<Cuboid> {
        let mut boxes = Vec::with_capacity(self.calls());
        for_each(self.outer, |from, to| {
            cut(self.width, self.inner, len, (device + from, to.unsigned_abs()), &mut boxes);
        });
        boxes
    }
}

/// Adds a box, in several parts if its last row, padded to the distance of rows, ends behind the end of the vector.
fn cut(width: usize, axes: &[Axis], len: usize, (device, host): (usize, usize), boxes: &mut Vec<Cuboid>) {
    let whole = Cuboid::new(width, axes, device, host);
    match axes {
        [axis, inner @ ..] if whole.padded_end() > len => {
            let before = axis.len - 1;
            let shorter = [&[Axis { len: before, ..*axis }], inner].concat();
            boxes.push(Cuboid::new(width, &shorter, device, host));
            let last = (device + before * axis.device, host + before * axis.host as usize);
            cut(width, inner, len, last, boxes);
        }
        _ => boxes.push(whole),
    }
}

#[cfg(test)]
mod tests {
    use super::super::route::Route;
    use super::*;
    use crate::ranked::{AxisMap, Layout};

    fn boxes(shape: &[usize], steps: &[(isize, usize)], view: &[usize]) -> Vec<([usize; 3], [usize; 3])> {
        let maps: Vec<AxisMap> = (steps.iter().enumerate())
            .map(|(axis, &(stride, offset))| AxisMap { axis: Some(axis), stride, offset })
            .collect();
        let whole = Layout::row_major(shape).unwrap();
        let route = Route::new(&whole.view(&maps, view).unwrap()).packed();
        let division = Division::new(&route.axes).unwrap();
        let boxes = division.boxes(whole.len(), route.device);
        boxes.iter().map(|cuboid| (cuboid.origin(), cuboid.extent)).collect()
    }

    #[test]
    fn a_part_is_one_box_if_its_distances_allow_it() {
        assert_eq!(boxes(&[6, 8], &[(1, 2), (1, 3)], &[3, 4]), [([3, 2, 0], [4, 3, 1])]);
        // Every second element: rows of one element.
        assert_eq!(boxes(&[6, 8], &[(2, 1), (2, 1)], &[2, 3]), [([1, 4, 0], [1, 3, 2])]);
        // Slices whose distance is not a multiple of that of rows: one box for each row of the array.
        assert_eq!(
            boxes(&[3, 5], &[(1, 0), (2, 0)], &[2, 2]),
            [([0, 0, 0], [1, 2, 1]), ([1, 0, 1], [1, 2, 1])]
        );
    }

    #[test]
    fn the_last_row_is_cut_off_where_its_padding_would_leave_the_vector() {
        assert_eq!(
            boxes(&[1, 5], &[(1, 0), (2, 0)], &[1, 3]),
            [([0, 0, 0], [1, 2, 1]), ([0, 0, 4], [1, 1, 1])]
        );
        // Rows that continue each other, whose last padding fits.
        assert_eq!(boxes(&[2, 6], &[(1, 0), (2, 0)], &[2, 3]), [([0, 0, 0], [1, 6, 1])]);
    }
}
