//! The borders around a box of an array.

use crate::expr::ArrayExpr;
use crate::view::ArrayViewMut;
use cl_algo::Element;
use cl_algo::ranked::{self, AxisMap, MAX_RANK};
use cl_core::{Error, Result};
use std::fmt;

/// The parts of a view around a box, to be evaluated by one kernel along each axis. For crates that build on this one.
#[must_use = "nothing is assigned yet"]
pub struct Borders<'t, T: Element, const N: usize> {
    shape: [usize; N],
    parts: Vec<Part<'t, T, N>>,
}

/// A view that one kernel evaluates, and another one behind the box if that has the same shape.
struct Part<'t, T: Element, const N: usize> {
    view: ArrayViewMut<'t, T, N>,
    /// The coordinates of the first element.
    first: [usize; N],
    /// The view behind the box, and the axis along which it lies there.
    behind: Option<(ArrayViewMut<'t, T, N>, usize)>,
}

impl<'t, T: Element, const N: usize> Borders<'t, T, N> {
    /// Divides a view into a box and the borders around it. The box has the shape `inside`, and its first element the
    /// coordinates `begin`. Also returns the part of the view that is left, and the coordinates of its first element: the box,
    /// or a part of it.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if the box is not within the view; deferred errors of the view.
    pub fn around(
        target: ArrayViewMut<'t, T, N>,
        begin: [usize; N],
        inside: [usize; N],
    ) -> Result<(Borders<'t, T, N>, ArrayViewMut<'t, T, N>, [usize; N])> {
        let (shape, mut first) = (target.shape(), [0; N]);
        let is_within =
            |axis: usize| begin[axis].checked_add(inside[axis]).is_some_and(|end| end <= shape[axis]);
        if !(0..N).all(is_within) {
            let reason =
                format!("a box of shape {inside:?} at {begin:?} is not within an array of shape {shape:?}");
            return Err(Error::invalid_input("stencil", reason));
        }
        let (mut rest, mut parts) = (target, Vec::with_capacity(2 * N));
        for axis in 0..N {
            let mut widths = [begin[axis], shape[axis] - begin[axis] - inside[axis]];
            let width = widths[0].max(widths[1]);
            let is_joined = N < MAX_RANK && widths.iter().all(|&width| width > 0) && 2 * width <= shape[axis];
            if is_joined {
                widths = [width; 2];
            }
            let (before, behind) = rest.split_at(axis, widths[0])?;
            let (middle, after) = behind.split_at(axis, shape[axis] - widths[0] - widths[1])?;
            if is_joined {
                parts.push(Part { view: before, first, behind: Some((after, axis)) });
            } else {
                parts.push(Part { view: before, first, behind: None });
                first[axis] = shape[axis] - widths[1];
                parts.push(Part { view: after, first, behind: None });
            }
            first[axis] = widths[0];
            rest = middle;
        }
        Ok((Borders { shape, parts }, rest, first))
    }

    /// Evaluates the elements of an expression that belong to the borders, those along each axis in one kernel.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if the expression has another shape than the view; as [`ArrayExpr::collect`]. After an error
    /// of the driver or of its compiler, some borders may have new elements.
    pub fn assign(self, whole: &ArrayExpr<'_, T, N>) -> Result<()> {
        let (own, shape) = (self.shape, whole.shape());
        if shape != own {
            let reason =
                format!("an expression of shape {shape:?} is assigned to the borders of shape {own:?}");
            return Err(Error::invalid_input("stencil", reason));
        }
        self.parts.into_iter().filter(|part| !part.view.is_empty()).try_for_each(|part| part.assign(whole))
    }
}

impl<T: Element, const N: usize> Part<'_, T, N> {
    fn assign(self, whole: &ArrayExpr<'_, T, N>) -> Result<()> {
        let Part { view, first, behind } = self;
        let shape = view.shape();
        let Some((after, axis)) = behind else {
            let axes: [AxisMap; N] =
                std::array::from_fn(|axis| AxisMap { offset: first[axis], ..AxisMap::whole(axis) });
            return view.assign(whole.clone().at(&axes, shape));
        };
        let distance = whole.shape()[axis] - shape[axis];
        // The first axis of the space is the number of the part.
        let part = AxisMap { axis: Some(0), stride: distance as isize, offset: 0 };
        let maps: [[AxisMap; 2]; N] =
            std::array::from_fn(|at| [AxisMap { offset: first[at], ..AxisMap::whole(at + 1) }, part]);
        let maps = maps.iter().enumerate().map(|(at, maps)| if at == axis { &maps[..] } else { &maps[..1] });
        let expr = whole.clone().into_inner().at_sums_of_coordinates(maps, N + 1);
        ranked::assign("stencil", view.with(after)?, expr)
    }
}

impl<T: Element, const N: usize> fmt::Debug for Borders<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Borders({} parts of shape {:?})", self.parts.len(), self.shape)
    }
}
