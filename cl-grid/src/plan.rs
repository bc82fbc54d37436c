//! Decisions before an evaluation: the functions that are kept in temporary arrays, with the points of each, and those that
//! are kept in layers.

use crate::cost::Costs;
use crate::formula::{Formula, GridNumber, Keep, Kind, Node};
use crate::layers::Layered;
use crate::lower::{Kept, Lowering, operands_at, order_of, stand_in, within_borders};
use crate::region::Region;
use cl_algo::ranked::{Layout, Work, work};
use cl_core::{Queue, Result};
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::rc::Rc;

/// The maximal number of functions for which the cost model decides. Others are computed where they are read.
const MOST_CANDIDATES: usize = 16;

/// The kernels of an evaluation: the functions that are kept in temporary arrays, in the order of their evaluation, and those
/// that kernels keep in layers.
///
/// Made by [`Formula::plan`]. Displaying it tells for each function why it is kept or computed again.
#[derive(Debug)]
pub struct Plan<'a, T: GridNumber, const N: usize> {
    pub(crate) kept: Vec<(Formula<'a, T, N>, Region<N>)>,
    /// The functions that kernels keep in layers, if they can.
    pub(crate) layered: Vec<Formula<'a, T, N>>,
    decisions: Vec<Decision>,
    shape: [usize; N],
}

/// The forms of a function that is read at several points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Again,
    Array,
    Layers,
}

#[derive(Debug)]
struct Decision {
    form: Form,
    /// The points at which the function is read for one point of the result, and the reason.
    reads: usize,
    reason: Reason,
}

#[derive(Debug)]
enum Reason {
    Asked(&'static str),
    /// The estimated times in seconds of the evaluation, for each form that is possible.
    Cost(Vec<(Form, f64)>),
}

/// The evaluation that a plan is made for.
#[derive(Clone, Copy)]
pub(crate) struct Evaluation<'q, const N: usize> {
    pub(crate) region: Region<N>,
    pub(crate) queue: &'q Queue,
    /// The layout of the array that is stored to. `None` if kernels may not keep functions in layers: those that store into
    /// arrays that they read, and those that store into none.
    pub(crate) output: Option<Layout>,
}

/// The functions that are kept.
#[derive(Clone)]
struct Chosen<'a, T: GridNumber, const N: usize> {
    arrays: Vec<Formula<'a, T, N>>,
    layered: Vec<Formula<'a, T, N>>,
}

impl<'a, T: GridNumber, const N: usize> Plan<'a, T, N> {
    /// Decides for an evaluation of a formula.
    pub(crate) fn new(formula: &Formula<'a, T, N>, how: Evaluation<'_, N>) -> Result<Plan<'a, T, N>> {
        let Evaluation { region, queue, output } = how;
        let has_layers = output.is_some();
        let order = order_of(formula);
        let (kept, layered) = (Vec::new(), Vec::new());
        let mut plan = Plan { kept, layered, decisions: Vec::new(), shape: region.shape() };
        // The formula itself comes first.
        let candidates: Vec<_> = order.iter().skip(1).filter(|formula| is_candidate(formula)).collect();
        if candidates.is_empty() || region.is_empty() {
            return Ok(plan);
        }
        let reads = reads_of(formula, &order);
        let reads = |candidate: &Formula<'a, T, N>| reads.get(&Rc::as_ptr(&candidate.node));
        let mut chosen = Chosen { arrays: Vec::new(), layered: Vec::new() };
        let mut asked = Vec::new();
        for candidate in candidates.iter().copied() {
            let Some(reads) = reads(candidate).map(Reads::count) else { continue };
            let (form, name) = match candidate.node.keep {
                Keep::Always => (Form::Array, "materialize"),
                Keep::Layers if has_layers => (Form::Layers, "in_layers"),
                _ => continue,
            };
            chosen.add(candidate, form);
            asked.push(candidate);
            plan.decisions.push(Decision { form, reads, reason: Reason::Asked(name) });
        }
        let is_open = |candidate: &&Formula<'a, T, N>| {
            candidate.node.keep == Keep::Auto && reads(candidate).is_some_and(Reads::are_spread)
        };
        // The functions deepest inside come last in the order, and are decided first.
        let open: Vec<_> = candidates.into_iter().rev().filter(is_open).take(MOST_CANDIDATES).collect();
        if !open.is_empty() {
            let costs = Costs::of(queue, size_of::<T>())?;
            let estimate = |chosen: &Chosen<'a, T, N>| estimate(formula, &order, chosen, how, &costs);
            let mut again = estimate(&chosen)?;
            for candidate in open {
                let mut times = vec![(Form::Again, again)];
                let array = chosen.with(candidate, Form::Array);
                times.push((Form::Array, estimate(&array)?));
                let layers = chosen.with(candidate, Form::Layers);
                if has_layers && is_in_layers(candidate, formula, &order, &layers, how)? {
                    times.push((Form::Layers, estimate(&layers)?));
                }
                let best = times.iter().copied().min_by(|(_, a), (_, b)| a.total_cmp(b));
                let (form, time) = best.unwrap_or((Form::Again, again));
                chosen.add(candidate, form);
                again = time;
                let reads = reads(candidate).map_or(0, Reads::count);
                plan.decisions.push(Decision { form, reads, reason: Reason::Cost(times) });
            }
        }
        for (function, decision) in asked.into_iter().zip(&mut plan.decisions) {
            if decision.form == Form::Layers && !is_in_layers(function, formula, &order, &chosen, how)? {
                decision.form = Form::Again;
            }
        }
        plan.kept = regions(formula, &order, &chosen.arrays, region);
        plan.layered = chosen.layered;
        Ok(plan)
    }

    /// Returns the number of functions that are kept in temporary arrays.
    #[must_use]
    pub fn temporaries(&self) -> usize {
        self.kept.len()
    }
}

impl<'a, T: GridNumber, const N: usize> Chosen<'a, T, N> {
    fn add(&mut self, function: &Formula<'a, T, N>, form: Form) {
        match form {
            Form::Again => {}
            Form::Array => self.arrays.push(function.clone()),
            Form::Layers => self.layered.push(function.clone()),
        }
    }

    fn with(&self, function: &Formula<'a, T, N>, form: Form) -> Chosen<'a, T, N> {
        let mut chosen = self.clone();
        chosen.add(function, form);
        chosen
    }
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
            (Keep::Always | Keep::Layers, _) => (vec![[0; N]], 1),
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
    chosen: &[Formula<'a, T, N>],
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

/// Calls a closure with each kernel of an evaluation that keeps the chosen functions: with a function, its region, the arrays
/// that exist already, and the function that the kernel keeps in layers.
fn each_kernel<'a, T: GridNumber, const N: usize>(
    root: &Formula<'a, T, N>,
    order: &[Formula<'a, T, N>],
    chosen: &Chosen<'a, T, N>,
    Evaluation { region, queue, output }: Evaluation<'_, N>,
    mut visit: impl FnMut(&Formula<'a, T, N>, Region<N>, &Kept<'a, T, N>, Option<Layered<'a, T, N>>) -> Result<()>,
) -> Result<()> {
    let mut kept: Kept<'a, T, N> = HashMap::new();
    let arrays = regions(root, order, &chosen.arrays, region);
    let kernels = arrays.iter().map(|(formula, region)| (formula, *region, None));
    for (formula, region, output) in kernels.chain([(root, region, output)]) {
        // A space that is never stored may have more points than a layout can count.
        let layered = if chosen.layered.is_empty() {
            None
        } else {
            let output = output.map_or_else(|| Layout::row_major(&region.shape()), Ok)?;
            Layered::of(formula, region, &kept, &chosen.layered, queue, &output)?
        };
        visit(formula, region, &kept, layered)?;
        kept.insert(Rc::as_ptr(&formula.node), (stand_in(queue, region)?, region));
    }
    Ok(())
}

/// Returns the estimated time in seconds of an evaluation that keeps the chosen functions.
fn estimate<'a, T: GridNumber, const N: usize>(
    root: &Formula<'a, T, N>,
    order: &[Formula<'a, T, N>],
    chosen: &Chosen<'a, T, N>,
    how: Evaluation<'_, N>,
    costs: &Costs,
) -> Result<f64> {
    let mut time = 0.0;
    each_kernel(root, order, chosen, how, |formula, region, kept, layered| {
        time += match layered {
            Some(layered) => layered.time(formula, kept, how.queue, costs)?,
            None => costs.time(work_of(formula, region, how.queue, kept)?, region.shape()),
        };
        Ok(())
    })?;
    Ok(time)
}

/// Returns whether a kernel keeps a function in layers.
fn is_in_layers<'a, T: GridNumber, const N: usize>(
    function: &Formula<'a, T, N>,
    root: &Formula<'a, T, N>,
    order: &[Formula<'a, T, N>],
    chosen: &Chosen<'a, T, N>,
    how: Evaluation<'_, N>,
) -> Result<bool> {
    let mut found = false;
    each_kernel(root, order, chosen, how, |_, _, _, layered| {
        found |= layered.is_some_and(|layered| Rc::ptr_eq(&layered.function.node, &function.node));
        Ok(())
    })?;
    Ok(found)
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

impl<T: GridNumber, const N: usize> fmt::Display for Plan<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kernels = self.kept.len() + 1;
        writeln!(f, "{kernels} kernel{} for {:?} points", if kernels == 1 { "" } else { "s" }, self.shape)?;
        for Decision { form, reads, reason } in &self.decisions {
            write!(f, "- a function that is read at {reads} distances is {form}: ")?;
            match reason {
                Reason::Asked(name) => writeln!(f, "`{name}`")?,
                Reason::Cost(times) => {
                    let texts: Vec<_> =
                        times.iter().map(|(form, time)| format!("{:.3} ms if {form}", time * 1e3)).collect();
                    writeln!(f, "estimated {}", texts.join(", "))?;
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Form::Again => "computed again",
            Form::Array => "kept in an array",
            Form::Layers => "kept in layers",
        })
    }
}
