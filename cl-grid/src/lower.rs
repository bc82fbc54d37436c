//! From a formula to an expression of `cl-array`, for one kernel.

use crate::border::Border;
use crate::formula::{Formula, GridNumber, Key, Kind, Node};
use crate::region::{Region, Span};
use cl_algo::ranked::{AxisMap, Composition, Part, coordinate, in_place_of};
use cl_algo::{Expr, zip};
use cl_array::{Array, ArrayExpr, ArrayOperand, Pad};
use cl_core::{Queue, Result};
use std::collections::HashMap;

/// The functions that are kept in temporary arrays, each with the points whose values the array has.
pub(crate) type Kept<'a, T, const N: usize> =
    HashMap<*const Node<'a, T, N>, (ArrayExpr<'a, T, N>, Region<N>)>;

/// A translation of formulas. Each function at each region is translated once.
pub(crate) struct Lowering<'l, 'a, T: GridNumber, const N: usize> {
    queue: &'l Queue,
    kept: &'l Kept<'a, T, N>,
    composition: Composition<'a>,
    known: HashMap<(*const Node<'a, T, N>, Region<N>), Part<T>>,
}

impl<'l, 'a, T: GridNumber, const N: usize> Lowering<'l, 'a, T, N> {
    pub(crate) fn new(queue: &'l Queue, kept: &'l Kept<'a, T, N>) -> Lowering<'l, 'a, T, N> {
        Lowering { queue, kept, composition: Composition::default(), known: HashMap::new() }
    }

    /// Returns the values of a formula at the points of a region within its domain.
    pub(crate) fn values(
        &mut self,
        formula: &Formula<'a, T, N>,
        region: Region<N>,
    ) -> Result<ArrayExpr<'a, T, N>> {
        let part = self.part(formula, region)?;
        Ok(ArrayExpr::from_ranked(self.composition.expr(&part), region.shape()))
    }

    fn part(&mut self, formula: &Formula<'a, T, N>, region: Region<N>) -> Result<Part<T>> {
        let key = (std::rc::Rc::as_ptr(&formula.node), region);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let part = match self.kept.get(&key.0) {
            Some((items, first)) => self.composition.add(part_of(items, first, region)),
            None => self.computed(&formula.node, region)?,
        };
        self.known.insert(key, part.clone());
        Ok(part)
    }

    fn computed(&mut self, node: &Node<'a, T, N>, region: Region<N>) -> Result<Part<T>> {
        let expr = match &node.kind {
            Kind::Array(items) => part_of(items, &node.domain, region),
            Kind::Number(value) => zip(*value),
            Kind::Table { axis, values, on_device } => {
                let items = match on_device.get() {
                    Some(items) => items.clone(),
                    None => {
                        let array = Array::from_slice(self.queue, [values.len()], values)?;
                        on_device.get_or_init(|| array.into_array_expr()).clone()
                    }
                };
                let map = map_from(*axis, region.0[*axis].begin - node.domain.0[*axis].begin);
                items.into_ranked().at_coordinates(&[map], N)
            }
            Kind::Coordinates(closure) => closure.of(|axis| position(axis, &region)),
            Kind::Stencil { inputs, closure } => {
                let read = |&(input, offset): &Key<N>| self.part(&inputs[input], region.moved(offset));
                let items: Vec<Part<T>> = closure.reads().iter().map(read).collect::<Result<_>>()?;
                return Ok(self.composition.apply(closure, &items));
            }
            Kind::Bordered { inner, axis, border } => return self.bordered(inner, *axis, border, region),
        };
        Ok(self.composition.add(expr))
    }

    /// Returns the values of a function that is continued beyond the ends of an axis.
    fn bordered(
        &mut self,
        inner: &Formula<'a, T, N>,
        axis: usize,
        border: &Border<'a, T, N>,
        region: Region<N>,
    ) -> Result<Part<T>> {
        let own = Span::new(0, inner.node.shape.map_or(0, |shape| shape[axis]));
        let wanted = region.0[axis];
        if own.contains(wanted) {
            return self.part(inner, region);
        }
        // All coordinates along the axis, with more before and behind them, of which the wanted ones are taken.
        let whole = self.values(inner, region.with(axis, own))?;
        let hull = own.hull(wanted);
        let mut widths = [(0, 0); N];
        widths[axis] = ((own.begin - hull.begin) as usize, (hull.end - own.end) as usize);
        let pad = match border {
            Border::Value(value) => Pad::Constant(*value),
            Border::Function(_) | Border::Edge => Pad::Edge,
            Border::Reflect => Pad::Reflect,
            Border::Symmetric | Border::Antisymmetric => Pad::Symmetric,
            Border::Periodic => Pad::Wrap,
        };
        let padded = whole.pad(widths, pad).into_ranked();
        let mut maps: [AxisMap; N] = std::array::from_fn(AxisMap::whole);
        maps[axis].offset = (wanted.begin - hull.begin) as usize;
        let padded = padded.at_coordinates(&maps, N);
        let expr = match border {
            Border::Function(function) => {
                let is_inside = self.is_inside(&region, axis, own);
                is_inside.select(padded, self.values(function, region)?.into_ranked())
            }
            Border::Antisymmetric => {
                // The number of the copy of the axis, plus an even number, so that it is not negative.
                let len = own.len().max(1) as i64;
                let even = 2 * (hull.begin.unsigned_abs().div_ceil(len as u64)) as i64;
                let copy = (position(axis, &region).cast::<i64>() + even * len) / len;
                (copy % 2).eq(0).select(padded.clone(), zip(T::zeroed()) - padded)
            }
            _ => padded,
        };
        Ok(self.composition.add(expr))
    }

    /// Returns whether the points of a region are between the ends of an axis.
    fn is_inside(&self, region: &Region<N>, axis: usize, own: Span) -> Expr<'static, bool> {
        let at = position(axis, region);
        at.clone().ge(own.begin as i32) & at.lt(own.end as i32)
    }
}

/// Returns the coordinates of the points of a region along an axis.
fn position<const N: usize>(axis: usize, region: &Region<N>) -> Expr<'static, i32> {
    coordinate::<i32>(axis, N) + region.0[axis].begin as i32
}

/// Returns the map of an axis that begins at a coordinate, which is not negative.
fn map_from(axis: usize, begin: i64) -> AxisMap {
    AxisMap { offset: begin.max(0) as usize, ..AxisMap::whole(axis) }
}

/// Returns the elements of an array at the points of a region. The first element belongs to the first point of `first`.
fn part_of<'a, T: GridNumber, const N: usize>(
    items: &ArrayExpr<'a, T, N>,
    first: &Region<N>,
    region: Region<N>,
) -> Expr<'a, T> {
    let maps: [AxisMap; N] =
        std::array::from_fn(|axis| map_from(axis, region.0[axis].begin - first.0[axis].begin));
    let items = items.clone().into_ranked();
    if region.is_empty() {
        return in_place_of(&items, zip(T::zeroed()));
    }
    items.at_coordinates(&maps, N)
}
