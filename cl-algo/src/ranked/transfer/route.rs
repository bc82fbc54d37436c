//! Routes: where the elements of a layout lie on the device and in a slice of the host.

use crate::ranked::Layout;

/// An axis along which elements lie at equal distances on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Axis {
    pub(super) len: usize,
    /// The distance of neighbours in the vector.
    pub(super) device: usize,
    /// The distance of neighbours in the slice of the host.
    pub(super) host: isize,
}

/// The elements of a layout, in the order in which they lie in the vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Route {
    /// The index of the first element in the vector.
    pub(super) device: usize,
    /// The index of this element in the slice.
    pub(super) host: usize,
    /// The axes, by falling distances in the vector. Axes of length 1 are left out, axes that continue each other are
    /// one.
    pub(super) axes: Vec<Axis>,
}

impl Route {
    /// Returns the route between a layout that is not empty and a slice in row-major order.
    pub(super) fn new(layout: &Layout) -> Route {
        let (mut device, mut host) = (layout.offset(), 0);
        let mut axes = Vec::with_capacity(layout.shape().len());
        let mut distance = 1;
        for (&len, &stride) in layout.shape().iter().zip(layout.strides()).rev() {
            if len > 1 {
                let mut axis = Axis { len, device: stride.unsigned_abs(), host: distance as isize };
                if stride < 0 {
                    // The route begins at the last coordinate.
                    device -= axis.device * (len - 1);
                    host += distance * (len - 1);
                    axis.host = -axis.host;
                }
                axes.push(axis);
            }
            distance *= len;
        }
        axes.sort_by_key(|axis| std::cmp::Reverse(axis.device));
        let mut merged: Vec<Axis> = Vec::with_capacity(axes.len());
        for inner in axes {
            match merged.last_mut() {
                Some(outer)
                    if outer.device == inner.device * inner.len
                        && outer.host == inner.host * inner.len as isize =>
                {
                    *outer = Axis { len: outer.len * inner.len, ..inner };
                }
                _ => merged.push(inner),
            }
        }
        Route { device, host, axes: merged }
    }

    /// Returns the number of elements.
    pub(super) fn len(&self) -> usize {
        count(&self.axes)
    }

    /// Returns the route between the vector and a slice that has the elements in the order of the vector.
    pub(super) fn packed(&self) -> Route {
        Route { device: self.device, host: 0, axes: packed(&self.axes) }
    }
}

pub(super) fn count(axes: &[Axis]) -> usize {
    axes.iter().map(|axis| axis.len).product()
}

/// Returns the number of elements of the vector from the first element of the axes to the last one, both included.
pub(super) fn span(axes: &[Axis]) -> usize {
    1 + axes.iter().map(|axis| axis.device * (axis.len - 1)).sum::<usize>()
}

/// Returns the axes with the distances that they have in a slice of the elements in the order of the vector.
fn packed(axes: &[Axis]) -> Vec<Axis> {
    let mut distance = 1;
    let mut packed = axes.to_vec();
    for axis in packed.iter_mut().rev() {
        axis.host = distance;
        distance *= axis.len as isize;
    }
    packed
}

/// Returns the axes from a slice that has the elements in the order of the vector: the distances in this slice take the
/// place of those in the vector.
pub(super) fn from_packed(axes: &[Axis]) -> Vec<Axis> {
    let packed = packed(axes);
    axes.iter().zip(packed).map(|(axis, packed)| Axis { device: packed.host as usize, ..*axis }).collect()
}

/// Calls a closure with the distances of each element from the first one, in the vector and in the slice.
pub(super) fn for_each(axes: &[Axis], mut visit: impl FnMut(usize, isize)) {
    fn outer(axes: &[Axis], device: usize, host: isize, visit: &mut impl FnMut(usize, isize)) {
        match axes {
            [] => visit(device, host),
            [axis] => {
                for i in 0..axis.len {
                    visit(device + i * axis.device, host + i as isize * axis.host);
                }
            }
            [axis, inner @ ..] => {
                for i in 0..axis.len {
                    outer(inner, device + i * axis.device, host + i as isize * axis.host, visit);
                }
            }
        }
    }
    outer(axes, 0, 0, &mut visit);
}

/// Copies the elements of a range of the vector to the slice, whose element `host` is the first one.
pub(super) fn gather<S: Copy>(axes: &[Axis], range: &[S], into: &mut [S], host: usize) {
    for_each(axes, |from, to| into[host.wrapping_add_signed(to)] = range[from]);
}

/// Copies the elements of the slice to a range of the vector.
pub(super) fn scatter<S: Copy>(axes: &[Axis], range: &mut [S], from: &[S], host: usize) {
    for_each(axes, |to, at| range[to] = from[host.wrapping_add_signed(at)]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranked::AxisMap;

    fn route(shape: &[usize], axes: &[(usize, isize, usize)], view: &[usize]) -> Route {
        let maps: Vec<AxisMap> =
            axes.iter().map(|&(axis, stride, offset)| AxisMap { axis: Some(axis), stride, offset }).collect();
        Route::new(&Layout::row_major(shape).unwrap().view(&maps, view).unwrap())
    }

    #[test]
    fn axes_that_continue_each_other_are_one() {
        let axis = |len, device, host| Axis { len, device, host };
        let whole = Route::new(&Layout::row_major(&[3, 1, 4, 5]).unwrap());
        assert_eq!(whole, Route { device: 0, host: 0, axes: vec![axis(60, 1, 1)] });
        assert_eq!(Route::new(&Layout::scalar()).axes, []);
        let transposed = route(&[3, 4], &[(1, 1, 0), (0, 1, 0)], &[4, 3]);
        assert_eq!(transposed.axes, [axis(3, 4, 1), axis(4, 1, 3)]);
        // Both axes backwards, from rows 2 and 1 and columns 3, 2 and 1: one axis within a row.
        let back = route(&[3, 4], &[(0, -1, 2), (1, -1, 3)], &[2, 3]);
        assert_eq!(back, Route { device: 5, host: 5, axes: vec![axis(2, 4, -3), axis(3, 1, -1)] });
        assert_eq!((back.len(), span(&back.axes)), (6, 7));
        assert_eq!(from_packed(&back.axes), [axis(2, 3, -3), axis(3, 1, -1)]);
    }
}
