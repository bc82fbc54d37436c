//! From a formula to an expression of `cl-array`, for one kernel.

use crate::formula::{Formula, GridNumber, Kind, Node, OwnValues};
use crate::region::{Region, Span};
use cl_algo::ranked::{AxisMap, Composed, Composition, coordinate, in_place_of};
use cl_algo::{Expr, Number, zip};
use cl_array::{Array, ArrayExpr, ArrayOperand};
use cl_core::{Error, Queue, Result};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The functions that are kept in temporary arrays, each with the points whose values the array has.
pub(crate) type Kept<'a, T, const N: usize> =
    HashMap<*const Node<'a, T, N>, (ArrayExpr<'a, T, N>, Region<N>)>;

/// A translation of formulas. Each function at each region is translated once.
pub(crate) struct Lowering<'l, 'a, T: GridNumber, const N: usize> {
    queue: &'l Queue,
    kept: &'l Kept<'a, T, N>,
    composition: Composition<'a>,
    known: HashMap<(*const Node<'a, T, N>, Region<N>), Composed<T>>,
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
        let item = self.composed(formula, region)?;
        Ok(ArrayExpr::from_ranked(self.composition.expr(&item), region.shape()))
    }

    /// Adds a formula at a region to the composition, after all formulas in it. Without recursion: formulas may be deeper
    /// than the stack of a thread.
    fn composed(&mut self, root: &Formula<'a, T, N>, region: Region<N>) -> Result<Composed<T>> {
        // The root is the first to be pushed, and the last to be removed.
        let mut open = vec![(root.clone(), region)];
        while let Some((formula, region)) = open.pop() {
            let key = (Rc::as_ptr(&formula.node), region);
            if let Some(known) = self.known.get(&key) {
                if open.is_empty() {
                    return Ok(known.clone());
                }
                continue;
            }
            let kept = self.kept.get(&key.0);
            let needed = if kept.is_some() { Vec::new() } else { operands_at(&formula, region) };
            let known = |(formula, region): &(Formula<'a, T, N>, Region<N>)| {
                self.known.get(&(Rc::as_ptr(&formula.node), *region)).cloned()
            };
            let Some(operands) = needed.iter().map(known).collect::<Option<Vec<_>>>() else {
                open.push((formula, region));
                open.extend(needed);
                continue;
            };
            let item = match kept {
                Some((items, first)) => self.composition.add(part_of(items, first, region)),
                None => self.computed(&formula.node, region, &operands)?,
            };
            self.known.insert(key, item.clone());
            if open.is_empty() {
                return Ok(item);
            }
        }
        Ok(self.composition.add(zip(T::zeroed())))
    }

    /// Adds a formula to the composition, from its operands, in the order of [`operands_at`].
    fn computed(
        &mut self,
        node: &Node<'a, T, N>,
        region: Region<N>,
        operands: &[Composed<T>],
    ) -> Result<Composed<T>> {
        let expr = match &node.kind {
            Kind::Array(items) => part_of(items, &node.domain, region),
            Kind::Host(_) => {
                let reason = "the function's values are in memory of the host: evaluate it there, by \
                              `assign_to_host`, or make an `Array` of them";
                return Err(Error::invalid_input("formula", reason));
            }
            Kind::Number(value) => zip(*value),
            Kind::Table { axis, values, on_device } => {
                let known = on_device.borrow().clone();
                let items = match known.filter(|(queue, _)| queue == self.queue) {
                    Some((_, items)) => items,
                    None => {
                        let array = Array::from_slice(self.queue, [values.len()], values)?;
                        let items = array.into_array_expr();
                        on_device.replace(Some((self.queue.clone(), items.clone())));
                        items
                    }
                };
                let map = map_from(*axis, region.0[*axis].begin - node.domain.0[*axis].begin);
                items.into_ranked().at_coordinates(&[map], N)
            }
            Kind::Coordinates(closure) if closure.reads().iter().all(|&axis| region.0[axis].is_short()) => {
                closure.of(|axis| position::<i32, N>(axis, &region))
            }
            Kind::Coordinates(closure) => closure
                .widened()
                .ok_or_else(|| too_far(&region))?
                .of(|axis| position::<i64, N>(axis, &region)),
            Kind::Stencil { closure, .. } => return Ok(self.composition.apply(closure, operands)),
            Kind::Bordered { inner, axis, own, .. } => {
                let (axis, ends) = (*axis, axis_of(inner, *axis));
                let continued = |item| continued(self.composition.expr(item), axis, ends, *own, region);
                match operands {
                    [inside, ..] if ends.contains(region.0[axis]) => return Ok(inside.clone()),
                    [values, function, ..] => {
                        let function = self.composition.expr(function);
                        is_inside(&region, axis, ends).select(continued(values), function)
                    }
                    [values] => continued(values),
                    [] => zip(T::zeroed()),
                }
            }
        };
        Ok(self.composition.add(expr))
    }
}

/// Returns the formulas that a formula reads, each with the points that it reads of it for the points of a region.
pub(crate) fn operands_at<'a, T: GridNumber, const N: usize>(
    formula: &Formula<'a, T, N>,
    region: Region<N>,
) -> Vec<(Formula<'a, T, N>, Region<N>)> {
    match &formula.node.kind {
        Kind::Stencil { inputs, closure } => {
            closure.reads().iter().map(|&(input, by)| (inputs[input].clone(), region.moved(by))).collect()
        }
        Kind::Bordered { inner, axis, function, .. } => {
            let own = axis_of(inner, *axis);
            if own.contains(region.0[*axis]) {
                return vec![(inner.clone(), region)];
            }
            // All coordinates along the axis: the rule for the border chooses among these.
            let whole = (inner.clone(), region.with(*axis, own));
            let function = function.clone().map(|function| (function, region));
            std::iter::once(whole).chain(function).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the coordinates of a grid along an axis.
pub(crate) fn axis_of<T: GridNumber, const N: usize>(formula: &Formula<'_, T, N>, axis: usize) -> Span {
    Span::new(0, formula.node.shape.map_or(0, |shape| shape[axis]))
}

/// Returns the values of a function at a region that reaches beyond the ends of an axis. `values` has all coordinates along
/// the axis.
fn continued<'a, T: GridNumber, const N: usize>(
    values: Expr<'a, T>,
    axis: usize,
    ends: Span,
    own: OwnValues<T>,
    region: Region<N>,
) -> Expr<'a, T> {
    let wanted = region.0[axis];
    let whole = ArrayExpr::<T, N>::from_ranked(values, region.with(axis, ends).shape());
    // More coordinates before and behind, of which the wanted ones are taken.
    let hull = ends.hull(wanted);
    let mut widths = [(0, 0); N];
    widths[axis] = ((ends.begin - hull.begin) as usize, (hull.end - ends.end) as usize);
    let padded = whole.pad(widths, own.pad).into_ranked();
    let mut maps: [AxisMap; N] = std::array::from_fn(AxisMap::whole);
    maps[axis].offset = (wanted.begin - hull.begin) as usize;
    let padded = padded.at_coordinates(&maps, N);
    if !own.alternates {
        return padded;
    }
    // The number of the copy of the axis, plus an even number, so that it is not negative.
    let len = ends.len().max(1) as i64;
    let even = 2 * (hull.begin.unsigned_abs().div_ceil(len as u64)) as i64;
    let at = match wanted.is_short() {
        true => position::<i32, N>(axis, &region).cast::<i64>(),
        false => position::<i64, N>(axis, &region),
    };
    let copy = (at + even * len).cast::<u64>() / len as u64;
    (copy % 2).eq(0).select(padded.clone(), zip(T::zeroed()) - padded)
}

/// Returns whether the points of a region are between the ends of an axis.
fn is_inside<const N: usize>(region: &Region<N>, axis: usize, own: Span) -> Expr<'static, bool> {
    if region.0[axis].is_short() && own.is_short() {
        let at = position::<i32, N>(axis, region);
        return at.clone().ge(own.begin as i32) & at.lt(own.end as i32);
    }
    let at = position::<i64, N>(axis, region);
    at.clone().ge(own.begin) & at.lt(own.end)
}

/// The numbers that coordinates are computed in.
trait Coordinate: Number {
    /// Returns a coordinate that the type holds.
    fn of(at: i64) -> Self;
}

impl Coordinate for i32 {
    fn of(at: i64) -> i32 {
        at as i32
    }
}

impl Coordinate for i64 {
    fn of(at: i64) -> i64 {
        at
    }
}

/// Returns the coordinates of the points of a region along an axis, in a type that holds them.
fn position<C: Coordinate, const N: usize>(axis: usize, region: &Region<N>) -> Expr<'static, C> {
    coordinate::<C>(axis, N) + C::of(region.0[axis].begin)
}

/// Returns the error for a function of the coordinates that is not computed in 64 bits.
pub(crate) fn too_far<const N: usize>(region: &Region<N>) -> Error {
    let reason = format!(
        "the function is read at {region}, where coordinates exceed 32 bits, and its closure passes them to a device \
         function, or to an operation that is for `i32` only: cast them first"
    );
    Error::invalid_input("from_fn", reason)
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

/// Returns a formula and all formulas in it, each once, and each behind those that use it.
pub(crate) fn order_of<'a, T: GridNumber, const N: usize>(
    root: &Formula<'a, T, N>,
) -> Vec<Formula<'a, T, N>> {
    operands_first(root).into_iter().rev().cloned().collect()
}

/// Returns a formula and all formulas in it, each once, and each behind those that it uses.
pub(crate) fn operands_first<'f, 'a, T: GridNumber, const N: usize>(
    root: &'f Formula<'a, T, N>,
) -> Vec<&'f Formula<'a, T, N>> {
    // Without recursion: formulas may be deeper than the stack of a thread.
    let (mut seen, mut order) = (HashSet::new(), Vec::new());
    let mut open = vec![(root, false)];
    while let Some((formula, is_visited)) = open.pop() {
        if is_visited {
            order.push(formula);
        } else if seen.insert(Rc::as_ptr(&formula.node)) {
            open.push((formula, true));
            let first = open.len();
            open.extend(formula.node.operands().map(|operand| (operand, false)));
            open[first..].reverse();
        }
    }
    order
}

/// Below this number of points one kernel evaluates all of them, also those that read beyond a border: further kernels for
/// the borders would take longer than they save.
const FEW_POINTS: usize = 1 << 14;

/// Returns whether the points of a region that read nothing beyond a border have a kernel of their own, if there are others.
pub(crate) fn has_own_kernel<const N: usize>(inside: Region<N>, region: Region<N>) -> bool {
    let points: usize = region.shape().iter().product();
    !inside.is_empty() && (inside == region || points >= FEW_POINTS)
}

/// Returns the points of a region at which no function is read beyond a border. Functions that are kept are read from their
/// arrays.
pub(crate) fn within_borders<'a, T: GridNumber, const N: usize>(
    formula: &Formula<'a, T, N>,
    region: Region<N>,
    kept: &Kept<'a, T, N>,
) -> Region<N> {
    // The least and the greatest distance at which each function is read.
    let mut reach: HashMap<*const Node<'a, T, N>, Region<N>> =
        HashMap::from([(Rc::as_ptr(&formula.node), Region([Span { begin: 0, end: 0 }; N]))]);
    let mut inside = region;
    for formula in &order_of(formula) {
        let key = Rc::as_ptr(&formula.node);
        let Some(&own) = reach.get(&key).filter(|_| !kept.contains_key(&key)) else { continue };
        let mut add = |to: &Formula<'a, T, N>, at: Region<N>| {
            let all = reach.entry(Rc::as_ptr(&to.node)).or_insert(at);
            *all = all.hull(&at);
        };
        match &formula.node.kind {
            Kind::Stencil { inputs, closure } => {
                closure.reads().iter().for_each(|&(input, by)| add(&inputs[input], own.moved(by)));
            }
            Kind::Bordered { inner, axis, .. } => {
                let len = inner.node.shape.map_or(0, |shape| shape[*axis]) as i64;
                let allowed = Span { begin: -own.0[*axis].begin, end: len - own.0[*axis].end };
                inside.0[*axis] = inside.0[*axis].and(allowed);
                formula.node.operands().for_each(|operand| add(operand, own));
            }
            _ => {}
        }
    }
    inside
}

/// Returns an expression in the place of an array that does not exist: of an empty one, which is never read and needs no
/// driver.
pub(crate) fn stand_in<'a, T: GridNumber, const N: usize>(
    queue: &Queue,
    region: Region<N>,
) -> Result<ArrayExpr<'a, T, N>> {
    let load = Array::from_slice(queue, [0], &[])?.into_array_expr().into_ranked();
    let load = load.at_coordinates(&[AxisMap::whole(N - 1)], N);
    Ok(ArrayExpr::from_ranked(load, region.shape()))
}
