//! From a formula to a program for the host: its functions in the order of evaluation.

use crate::formula::{Formula, GridNumber, Key, Kind, OwnValues};
use crate::lower::{axis_of, operands_at, operands_first, order_of};
use crate::plan::{Reads, reads_of};
use crate::region::{Region, Span};
use cl_algo::Element;
use cl_algo::ranked::{HostElement, HostKernel, Neighbourhood};
use cl_core::{Error, Result};
use std::collections::HashMap;
use std::rc::Rc;

/// The maximal number of functions that read each other, because each level takes a part of a thread's stack.
const DEEPEST: usize = 512;

/// The functions of a formula. Each reads functions of smaller numbers. The last one is the formula itself.
#[derive(Debug)]
pub(super) struct Program<'f, T, const N: usize> {
    pub(super) functions: Vec<Function<'f, T, N>>,
    /// The number of planes along the first axis that each function keeps; 0 for functions that are read at one point only.
    pub(super) planes: Vec<usize>,
    /// Changes the sign.
    pub(super) negate: HostKernel<T, T>,
}

/// A function, with the numbers of those that it reads.
#[derive(Debug)]
pub(super) enum Function<'f, T, const N: usize> {
    /// The values of the points of a region, in row-major order.
    Values {
        values: &'f [T],
        region: Region<N>,
    },
    Number(T),
    Table {
        axis: usize,
        values: &'f [T],
        first: i64,
    },
    /// The axes whose coordinates the closure reads.
    Coordinates {
        axes: Vec<usize>,
        kernel: HostKernel<i32, T>,
        /// For coordinates beyond 32 bits.
        wide: Option<HostKernel<i64, T>>,
    },
    Stencil {
        reads: Vec<Key<N>>,
        kernel: HostKernel<T, T>,
    },
    Bordered {
        inner: usize,
        axis: usize,
        ends: Span,
        own: OwnValues<T>,
        function: Option<usize>,
    },
}

impl<'f, T: GridNumber + HostElement, const N: usize> Program<'f, T, N> {
    pub(super) fn new(root: &'f Formula<'_, T, N>) -> Result<Program<'f, T, N>> {
        let order = operands_first(root);
        let offsets = reads_of(root, &order_of(root));
        let mut numbers = HashMap::new();
        let (mut functions, mut planes, mut depths) = (Vec::new(), Vec::new(), Vec::new());
        let mut offsets_of = Vec::new();
        for formula in order {
            let number_of =
                |operand: &Formula<'_, T, N>| -> usize { numbers[&Rc::as_ptr(&operand.node).cast::<()>()] };
            let function = match &formula.node.kind {
                Kind::Host(values) => Function::Values { values, region: formula.node.domain },
                Kind::Array(_) => {
                    let reason = "the function reads an array of a device: evaluate it there, or copy the array to the \
                                  host and use `Formula::from_host`";
                    return Err(Error::invalid_input("assign_to_host", reason));
                }
                Kind::Number(value) => Function::Number(*value),
                Kind::Table { axis, values, .. } => {
                    Function::Table { axis: *axis, values, first: formula.node.domain.0[*axis].begin }
                }
                Kind::Coordinates(closure) => {
                    let wide = closure.widened().map(|wide| wide.on_host()).transpose()?;
                    Function::Coordinates { axes: closure.reads().to_vec(), kernel: closure.on_host()?, wide }
                }
                Kind::Stencil { inputs, closure } => {
                    let reads = closure.reads().iter().map(|&(input, by)| (number_of(&inputs[input]), by));
                    Function::Stencil { reads: reads.collect(), kernel: closure.on_host()? }
                }
                Kind::Bordered { inner, axis, own, function } => Function::Bordered {
                    inner: number_of(inner),
                    axis: *axis,
                    ends: axis_of(inner, *axis),
                    own: *own,
                    function: function.as_ref().map(number_of),
                },
            };
            let depth = function.operands().map(|operand| depths[operand] + 1).max().unwrap_or(0);
            if depth > DEEPEST {
                let reason =
                    format!("more than {DEEPEST} functions read each other: evaluate parts on their own");
                return Err(Error::invalid_input("assign_to_host", reason));
            }
            planes.push(offsets.get(&Rc::as_ptr(&formula.node)).map_or(1, Reads::along_first_axis));
            numbers.insert(Rc::as_ptr(&formula.node).cast::<()>(), functions.len());
            offsets_of.push(offsets.get(&Rc::as_ptr(&formula.node)).map_or(0, Reads::count));
            functions.push(function);
            depths.push(depth);
        }
        // A function that is read once for each point needs no planes.
        let mut readers = vec![0_usize; functions.len()];
        for (number, function) in functions.iter().enumerate().rev() {
            let is_border = matches!(function, Function::Bordered { .. });
            let times = if is_border { readers[number].max(1) } else { 1 };
            function.operands().for_each(|operand| readers[operand] += times);
            let is_computed = matches!(function, Function::Stencil { .. } | Function::Coordinates { .. });
            let count = offsets_of[number];
            if !is_computed || count.max(readers[number]) <= 1 {
                planes[number] = 0;
            }
        }
        let negate =
            Neighbourhood::<T, T, ()>::record(|at| cl_algo::Val::known(<T as Element>::zeroed()) - at(()))
                .on_host()?;
        Ok(Program { functions, planes, negate })
    }

    /// Returns the points at which each function is read for the points of a region of the formula.
    pub(super) fn regions(&self, root: &Formula<'_, T, N>, region: Region<N>) -> Vec<Region<N>> {
        let mut read = HashMap::from([(Rc::as_ptr(&root.node), region)]);
        let order = order_of(root);
        for formula in &order {
            let Some(&own) = read.get(&Rc::as_ptr(&formula.node)) else { continue };
            for (operand, region) in operands_at(formula, own) {
                let all = read.entry(Rc::as_ptr(&operand.node)).or_insert(region);
                *all = all.hull(&region);
            }
        }
        let nowhere = Region([Span { begin: 0, end: 0 }; N]);
        order
            .iter()
            .rev()
            .map(|formula| read.get(&Rc::as_ptr(&formula.node)).copied().unwrap_or(nowhere))
            .collect()
    }
}

impl<T, const N: usize> Function<'_, T, N> {
    /// Returns the numbers of the functions that this one reads.
    fn operands(&self) -> Box<dyn Iterator<Item = usize> + '_> {
        match self {
            Function::Stencil { reads, .. } => Box::new(reads.iter().map(|&(operand, _)| operand)),
            Function::Bordered { inner, function, .. } => Box::new(std::iter::once(*inner).chain(*function)),
            _ => Box::new(std::iter::empty()),
        }
    }
}
