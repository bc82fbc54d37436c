//! Decisions before an evaluation: the functions that are kept in temporary arrays, and the points of each.

use crate::cost::Costs;
use crate::formula::{Formula, GridNumber, Keep, Kind, Node};
use crate::lower::{Kept, Lowering, operands_at};
use crate::region::{Region, Span};
use cl_algo::ranked::{AxisMap, Work, work};
use cl_array::{Array, ArrayExpr, ArrayOperand};
use cl_core::{Queue, Result};
use std::collections::{HashMap, HashSet};
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
        let mut plan = Plan { kept: Vec::new(), decisions: Vec::new(), shape: region.shape() };
        // The formula itself comes first.
        let candidates: Vec<_> = order.iter().skip(1).filter(|formula| is_candidate(formula)).collect();
        if candidates.is_empty() || region.is_empty() {
            return Ok(plan);
        }
        let reads = reads_of(formula, &order);
        let reads = |candidate: &Formula<'a, T, N>| reads.get(&Rc::as_ptr(&candidate.node));
        let is_asked =
            |formula: &&Formula<'a, T, N>| formula.node.keep == Keep::Always && reads(formula).is_some();
        let mut chosen: Vec<&Formula<'a, T, N>> = Vec::new();
        for candidate in candidates.iter().copied().filter(is_asked) {
            chosen.push(candidate);
            let reads = reads(candidate).map_or(0, Reads::count);
            plan.decisions.push(Decision { is_kept: true, reads, reason: Reason::Asked });
        }
        let is_open = |candidate: &&Formula<'a, T, N>| {
            candidate.node.keep == Keep::Auto && reads(candidate).is_some_and(Reads::are_spread)
        };
        // The functions deepest inside come last in the order, and are decided first.
        let open: Vec<_> = candidates.into_iter().rev().filter(is_open).take(MOST_CANDIDATES).collect();
        if !open.is_empty() {
            let costs = Costs::of(queue, size_of::<T>())?;
            let mut again = estimate(formula, &order, &chosen, region, queue, &costs)?;
            for candidate in open {
                chosen.push(candidate);
                let kept = estimate(formula, &order, &chosen, region, queue, &costs)?;
                let (is_kept, reads) = (kept < again, reads(candidate).map_or(0, Reads::count));
                plan.decisions.push(Decision { is_kept, reads, reason: Reason::Cost { again, kept } });
                if is_kept {
                    again = kept;
                } else {
                    chosen.pop();
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

/// Returns `true` for functions that are computed from others, or from an expression of arrays.
fn is_candidate<T: GridNumber, const N: usize>(formula: &Formula<'_, T, N>) -> bool {
    match &formula.node.kind {
        Kind::Stencil { .. } | Kind::Coordinates(_) => true,
        Kind::Array(items) => work(&items.clone().into_ranked()).operations > 0,
        Kind::Host(_) | Kind::Number(_) | Kind::Table { .. } | Kind::Bordered { .. } => false,
    }
}

/// The reads of a formula for one point of the result, or of the function that is kept and reads it.
#[derive(Default)]
pub(crate) struct Reads<const N: usize> {
    /// The distances, without repetitions.
    offsets: Vec<[i64; N]>,
    /// The largest number of distances at which one of the formulas that read it is read itself.
    of_readers: usize,
}

impl<const N: usize> Reads<N> {
    pub(crate) fn count(&self) -> usize {
        self.offsets.len()
    }

    /// Returns the number of different distances along the first axis.
    pub(crate) fn along_first_axis(&self) -> usize {
        self.offsets.iter().map(|offset| offset[0]).collect::<HashSet<_>>().len()
    }

    /// Returns `true` if a formula reads this one at several points. Of functions of the values at one point, that of all
    /// of them is kept, and not its operands.
    fn are_spread(&self) -> bool {
        self.count() > self.of_readers.max(1)
    }
}

/// Returns the reads of each formula. Reads beyond a border count as those at their own distance.
pub(crate) fn reads_of<'a, T: GridNumber, const N: usize>(
    root: &Formula<'a, T, N>,
    order: &[Formula<'a, T, N>],
) -> HashMap<*const Node<'a, T, N>, Reads<N>> {
    /// Beyond this number of distances more of them change no decision.
    const ENOUGH: usize = 512;
    let mut reads: HashMap<_, Reads<N>> = HashMap::new();
    reads.insert(Rc::as_ptr(&root.node), Reads { offsets: vec![[0; N]], of_readers: 0 });
    for formula in order {
        let Some(own) = reads.get(&Rc::as_ptr(&formula.node)) else { continue };
        let (offsets, count) = match (formula.node.keep, &formula.node.kind) {
            (Keep::Always, _) => (vec![[0; N]], 1),
            (_, Kind::Bordered { .. }) => (own.offsets.clone(), own.of_readers),
            _ => (own.offsets.clone(), own.count()),
        };
        let mut add = |to: &Formula<'a, T, N>, by: [isize; N]| {
            let known = reads.entry(Rc::as_ptr(&to.node)).or_default();
            known.of_readers = known.of_readers.max(count);
            for at in &offsets {
                let at = std::array::from_fn(|axis| at[axis].saturating_add(by[axis] as i64));
                if known.offsets.len() < ENOUGH && !known.offsets.contains(&at) {
                    known.offsets.push(at);
                }
            }
        };
        match &formula.node.kind {
            Kind::Stencil { inputs, closure } => {
                closure.reads().iter().for_each(|&(input, by)| add(&inputs[input], by));
            }
            _ => formula.node.operands().for_each(|operand| add(operand, [0; N])),
        }
    }
    reads
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
        for (operand, region) in operands_at(formula, own) {
            let all = read.entry(Rc::as_ptr(&operand.node)).or_insert(region);
            *all = all.hull(&region);
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
        // The array does not exist: an empty one, which is never read and needs no driver, stands in for it.
        let load = Array::from_slice(queue, [0], &[])?.into_array_expr().into_ranked();
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
                formula.node.operands().for_each(|operand| add(operand, own));
            }
            _ => {}
        }
    }
    inside
}

impl<T: GridNumber, const N: usize> fmt::Display for Plan<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kernels = self.kept.len() + 1;
        writeln!(f, "{kernels} kernel{} for {:?} points", if kernels == 1 { "" } else { "s" }, self.shape)?;
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
