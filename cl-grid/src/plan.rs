//! Decisions before an evaluation: the functions that are kept in temporary arrays, and the points of each.

use crate::border::Border;
use crate::cost::Costs;
use crate::formula::{Formula, GridNumber, Keep, Kind, Node};
use crate::lower::{Kept, Lowering};
use crate::region::{Region, Span};
use cl_algo::ranked::{AxisMap, Work, work};
use cl_array::{Array, ArrayExpr, ArrayOperand};
use cl_core::{Queue, Result};
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

/// The maximal number of functions for which the cost model decides. Others are computed where they are read.
const MOST_CANDIDATES: usize = 16;

/// The kernels of an evaluation: the functions that are kept in temporary arrays, in the order of their evaluation.
///
/// Made by [`Formula::plan`]. Displaying it tells for each function why it is kept or computed again.
#[derive(Debug)]
pub struct Plan<'a, T: GridNumber, const N: usize> {
    pub(crate) kept: Vec<(Formula<'a, T, N>, Region<N>)>,
    decisions: Vec<Decision>,
    shape: [usize; N],
}

#[derive(Debug)]
struct Decision {
    is_kept: bool,
    /// The points at which the function is read for one point of the result, and the reason.
    reads: usize,
    reason: Reason,
}

#[derive(Debug)]
enum Reason {
    Asked,
    /// The estimated times in seconds of the evaluation, if the function is computed again and if it is kept.
    Cost {
        again: f64,
        kept: f64,
    },
}

impl<'a, T: GridNumber, const N: usize> Plan<'a, T, N> {
    /// Decides for an evaluation of a formula at the points of a region.
    pub(crate) fn new(
        formula: &Formula<'a, T, N>,
        region: Region<N>,
        queue: &Queue,
    ) -> Result<Plan<'a, T, N>> {
        let order = order_of(formula);
        // The formula itself comes first.
        let candidates: Vec<_> = order.iter().skip(1).filter(|formula| is_candidate(formula)).collect();
        let mut plan = Plan { kept: Vec::new(), decisions: Vec::new(), shape: region.shape() };
        if candidates.is_empty() || region.is_empty() {
            return Ok(plan);
        }
        let offsets = offsets_of(formula, &order);
        let mut chosen: Vec<&Formula<'a, T, N>> = Vec::new();
        let mut costs = None;
        let mut count = 0;
        // The functions deepest inside come last in the order, and are decided first.
        for candidate in candidates.into_iter().rev() {
            let reads = offsets.get(&Rc::as_ptr(&candidate.node)).map_or(0, Vec::len);
            let mut more = chosen.clone();
            more.push(candidate);
            match candidate.node.keep {
                Keep::Never => continue,
                Keep::Always => {
                    chosen = more;
                    plan.decisions.push(Decision { is_kept: true, reads, reason: Reason::Asked });
                }
                Keep::Auto if reads < 2 || count == MOST_CANDIDATES => {}
                Keep::Auto => {
                    count += 1;
                    let costs = match &costs {
                        Some(costs) => costs,
                        None => costs.insert(Costs::of(queue, size_of::<T>())?),
                    };
                    let again = estimate(formula, &order, &chosen, region, queue, costs)?;
                    let kept = estimate(formula, &order, &more, region, queue, costs)?;
                    let is_kept = kept < again;
                    if is_kept {
                        chosen = more;
                    }
                    plan.decisions.push(Decision { is_kept, reads, reason: Reason::Cost { again, kept } });
                }
            }
        }
        plan.kept = regions(formula, &order, &chosen, region);
        Ok(plan)
    }

    /// Returns the number of functions that are kept in temporary arrays.
    #[must_use]
    pub fn temporaries(&self) -> usize {
        self.kept.len()
    }
}

/// Returns a formula and all formulas in it, each once, and each behind those that use it.
pub(crate) fn order_of<'a, T: GridNumber, const N: usize>(
    root: &Formula<'a, T, N>,
) -> Vec<Formula<'a, T, N>> {
    fn visit<'a, T: GridNumber, const N: usize>(
        formula: &Formula<'a, T, N>,
        seen: &mut HashMap<*const Node<'a, T, N>, ()>,
        order: &mut Vec<Formula<'a, T, N>>,
    ) {
        if seen.insert(Rc::as_ptr(&formula.node), ()).is_some() {
            return;
        }
        operands(formula).for_each(|operand| visit(operand, seen, order));
        order.push(formula.clone());
    }
    let (mut seen, mut order) = (HashMap::new(), Vec::new());
    visit(root, &mut seen, &mut order);
    order.reverse();
    order
}

/// Returns the formulas that a formula reads.
fn operands<'f, 'a, T: GridNumber, const N: usize>(
    formula: &'f Formula<'a, T, N>,
) -> Box<dyn Iterator<Item = &'f Formula<'a, T, N>> + 'f> {
    match &formula.node.kind {
        Kind::Stencil { inputs, .. } => Box::new(inputs.iter()),
        Kind::Bordered { inner, border, .. } => {
            let function = match border {
                Border::Function(function) => Some(function),
                _ => None,
            };
            Box::new(std::iter::once(inner).chain(function))
        }
        _ => Box::new(std::iter::empty()),
    }
}

/// Returns `true` for functions that are computed from others, or from an expression of arrays.
fn is_candidate<T: GridNumber, const N: usize>(formula: &Formula<'_, T, N>) -> bool {
    match &formula.node.kind {
        Kind::Stencil { .. } | Kind::Coordinates(_) => true,
        Kind::Array(items) => work(&items.clone().into_ranked()).operations > 0,
        Kind::Number(_) | Kind::Table { .. } | Kind::Bordered { .. } => false,
    }
}

/// The distances at which each formula is read for one point of the result.
type Offsets<'a, T, const N: usize> = HashMap<*const Node<'a, T, N>, Vec<[i64; N]>>;

/// Returns the distances at which each formula is read. Reads beyond a border count as those at their own distance.
fn offsets_of<'a, T: GridNumber, const N: usize>(
    root: &Formula<'a, T, N>,
    order: &[Formula<'a, T, N>],
) -> Offsets<'a, T, N> {
    /// Beyond this number of distances more of them change no decision.
    const ENOUGH: usize = 512;
    let mut offsets: Offsets<'a, T, N> = HashMap::from([(Rc::as_ptr(&root.node), vec![[0; N]])]);
    for formula in order {
        let own = offsets.get(&Rc::as_ptr(&formula.node)).cloned().unwrap_or_default();
        let mut add = |to: &Formula<'a, T, N>, by: [isize; N]| {
            let known = offsets.entry(Rc::as_ptr(&to.node)).or_default();
            for at in &own {
                let at = std::array::from_fn(|axis| at[axis].saturating_add(by[axis] as i64));
                if known.len() < ENOUGH && !known.contains(&at) {
                    known.push(at);
                }
            }
        };
        match &formula.node.kind {
            Kind::Stencil { inputs, closure } => {
                closure.reads().iter().for_each(|&(input, by)| add(&inputs[input], by));
            }
            _ => operands(formula).for_each(|operand| add(operand, [0; N])),
        }
    }
    offsets
}

/// Returns the points at which each of the chosen functions is read, in the order of their evaluation.
fn regions<'a, T: GridNumber, const N: usize>(
    root: &Formula<'a, T, N>,
    order: &[Formula<'a, T, N>],
    chosen: &[&Formula<'a, T, N>],
    region: Region<N>,
) -> Vec<(Formula<'a, T, N>, Region<N>)> {
    let mut read: HashMap<*const Node<'a, T, N>, Region<N>> =
        HashMap::from([(Rc::as_ptr(&root.node), region)]);
    let mut kept = Vec::new();
    for formula in order {
        let Some(&own) = read.get(&Rc::as_ptr(&formula.node)) else { continue };
        if chosen.iter().any(|chosen| Rc::ptr_eq(&chosen.node, &formula.node)) {
            kept.push((formula.clone(), own));
        }
        let mut add = |to: &Formula<'a, T, N>, region: Region<N>| {
            let all = read.entry(Rc::as_ptr(&to.node)).or_insert(region);
            *all = all.hull(&region);
        };
        match &formula.node.kind {
            Kind::Stencil { inputs, closure } => {
                closure.reads().iter().for_each(|&(input, by)| add(&inputs[input], own.moved(by)));
            }
            Kind::Bordered { inner, axis, border } => {
                let grid = Span::new(0, inner.node.shape.map_or(0, |shape| shape[*axis]));
                let inside = if grid.contains(own.0[*axis]) { own } else { own.with(*axis, grid) };
                add(inner, inside);
                if let Border::Function(function) = border {
                    add(function, own);
                }
            }
            _ => {}
        }
    }
    kept.reverse();
    kept
}

/// Returns the estimated time in seconds of an evaluation with temporary arrays for the chosen functions.
fn estimate<'a, T: GridNumber, const N: usize>(
    root: &Formula<'a, T, N>,
    order: &[Formula<'a, T, N>],
    chosen: &[&Formula<'a, T, N>],
    region: Region<N>,
    queue: &Queue,
    costs: &Costs,
) -> Result<f64> {
    let mut kept: Kept<'a, T, N> = HashMap::new();
    let mut time = 0.0;
    for (formula, region) in regions(root, order, chosen, region) {
        time += costs.time(work_of(&formula, region, queue, &kept)?, region.shape());
        // The array does not exist: one of a single element, which is never read, stands in for it.
        let load = Array::from_slice(queue, [1], &[T::zeroed()])?.into_array_expr().into_ranked();
        let load = load.at_coordinates(&[AxisMap::whole(N - 1)], N);
        kept.insert(Rc::as_ptr(&formula.node), (ArrayExpr::from_ranked(load, region.shape()), region));
    }
    Ok(time + costs.time(work_of(root, region, queue, &kept)?, region.shape()))
}

/// Returns the work for one point that reads nothing beyond a border, if there is one.
fn work_of<'a, T: GridNumber, const N: usize>(
    formula: &Formula<'a, T, N>,
    region: Region<N>,
    queue: &Queue,
    kept: &Kept<'a, T, N>,
) -> Result<Work> {
    let inside = within_borders(formula, region, kept);
    let region = if inside.is_empty() { region } else { inside };
    Ok(work(&Lowering::new(queue, kept).values(formula, region)?.into_ranked()))
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
                operands(formula).for_each(|operand| add(operand, own));
            }
            _ => {}
        }
    }
    inside
}

impl<T: GridNumber, const N: usize> fmt::Display for Plan<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} kernels for {:?} points", self.kept.len() + 1, self.shape)?;
        for Decision { is_kept, reads, reason } in &self.decisions {
            let verb = if *is_kept { "kept in an array" } else { "computed again" };
            write!(f, "- a function that is read at {reads} distances is {verb}: ")?;
            match reason {
                Reason::Asked => writeln!(f, "`materialize`")?,
                Reason::Cost { again, kept } => writeln!(
                    f,
                    "estimated {:.3} ms if it is kept, {:.3} ms if it is computed again",
                    kept * 1e3,
                    again * 1e3
                )?,
            }
        }
        Ok(())
    }
}
