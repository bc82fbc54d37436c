//! Pieces that go through the device, two at a time.

use super::columns::{Column, HostColumn, Step};
use super::cuts::advance;
use crate::algorithm::assign::{evaluate, fused_with};
use crate::algorithm::merge::Pairs;
use crate::algorithm::moved::{items_at, part_of, targets_in};
use crate::algorithm::order::Less;
use crate::codegen::Fused;
use crate::element::{Element, ElementType};
use crate::expr::{Expr, Item};
use cl_core::{Memory, Queue, QueueOptions, Result};
use std::ops::Range;

/// The columns of an external sort, and the queues on which their pieces go through the device.
pub(super) struct Columns<'h, 'q, K: Element> {
    /// The name of the public function, for errors.
    operation: &'static str,
    /// The user's queue, and another one if there are several pieces.
    queues: (&'q Queue, Option<Queue>),
    keys: HostColumn<'h, K>,
    values: Vec<Box<dyn Column + 'h>>,
    runs: Vec<Range<usize>>,
    /// The largest number of items of a piece.
    piece: usize,
}

/// Sorts the items at the begin of some blocks of memory: gets a queue, a block for each column, and the number of items.
pub(super) type SortPiece<'s> = dyn Fn(&Queue, &[&Memory], usize) -> Result<()> + 's;

/// Enqueues what happens to a piece on the device: gets a queue, two blocks of memory for each column, and the ranges that
/// the first blocks have. Returns the number of the blocks that will hold the result.
type Work<'w> = dyn Fn(&Queue, [Vec<&Memory>; 2], &[Range<usize>]) -> Result<usize> + 'w;

/// How runs are merged: the type of each of an item's elements as it is moved, and the comparator of such items.
pub(super) struct Merge<'l> {
    pub(super) elements: Vec<ElementType>,
    pub(super) less: &'l Less,
}

/// A piece whose items are on the device.
struct InFlight {
    slot: usize,
    /// The number of the block that holds the result: 0 or 1.
    block: usize,
    to: Range<usize>,
}

impl<'h, 'q, K: Element> Columns<'h, 'q, K> {
    /// Returns the columns, which have at least one item, with room for their sorted runs.
    pub(super) fn new(
        operation: &'static str,
        queue: &'q Queue,
        keys: HostColumn<'h, K>,
        values: Vec<Box<dyn Column + 'h>>,
        piece: usize,
    ) -> Result<Self> {
        let len = keys.len();
        let runs: Vec<Range<usize>> =
            (0..len).step_by(piece).map(|begin| begin..len.min(begin + piece)).collect();
        let second =
            if runs.len() > 1 { Some(Queue::new(queue.context(), QueueOptions::new())?) } else { None };
        let mut columns = Columns { operation, queues: (queue, second), keys, values, runs, piece };
        columns.each().try_for_each(Column::reserve_runs)?;
        Ok(columns)
    }

    fn each(&mut self) -> impl Iterator<Item = &mut (dyn Column + 'h)> {
        let keys: &mut (dyn Column + 'h) = &mut self.keys;
        std::iter::once(keys).chain(self.values.iter_mut().map(|column| &mut **column))
    }

    /// Copies the sorted runs to the slices.
    pub(super) fn restore(&mut self) {
        self.each().for_each(Column::restore);
    }

    /// Makes the sorted runs.
    pub(super) fn sort(&mut self, sort: &SortPiece<'_>) -> Result<()> {
        let rounds = self.runs.iter().map(|run| vec![run.clone()]).collect();
        self.pass(Step::Sort, rounds, 1, &|queue, [memory, _], ranges| {
            sort(queue, &memory, ranges.iter().map(ExactSizeIterator::len).sum())?;
            Ok(0)
        })
    }

    /// Merges the sorted runs into the slices.
    pub(super) fn merge<T: Item>(
        &mut self,
        merge: &Merge<'_>,
        goes_before: &dyn Fn(K, K) -> bool,
    ) -> Result<()> {
        let (keys, operation) = (&self.keys, self.operation);
        let on_host = |i, j| goes_before(keys.run_item(i), keys.run_item(j));
        let mut cuts: Vec<usize> = self.runs.iter().map(|run| run.start).collect();
        let mut rounds = Vec::with_capacity(self.runs.len());
        for _ in &self.runs {
            let begins = cuts.clone();
            advance(&self.runs, &mut cuts, self.piece, &on_host);
            let parts = begins.iter().zip(&cuts).map(|(&begin, &end)| begin..end);
            rounds.push(parts.filter(|part| !part.is_empty()).collect());
        }
        self.pass(Step::Merge, rounds, 2, &|queue, blocks, ranges| {
            merge_parts::<T>(
                operation,
                queue,
                blocks,
                ranges.iter().map(ExactSizeIterator::len).collect(),
                merge,
            )
        })
    }

    /// Moves each round's ranges to the device, has `work` enqueue what happens there, and moves the result back after
    /// the next round is enqueued. Of the two blocks of each column, `blocks` have memory.
    fn pass(
        &mut self,
        step: Step,
        rounds: Vec<Vec<Range<usize>>>,
        blocks: usize,
        work: &Work<'_>,
    ) -> Result<()> {
        let (mut before, mut end): (Option<InFlight>, _) = (None, 0);
        for (number, ranges) in rounds.into_iter().enumerate() {
            let (slot, piece) = (number % 2, self.piece);
            let queue = self.queue(slot);
            for column in self.each() {
                (0..blocks).try_for_each(|block| column.reserve(&queue, 2 * slot + block, piece))?;
                column.write(&queue, 2 * slot, step, &ranges)?;
            }
            let memory = [0, 1].map(|block| {
                let values = self.values.iter().filter_map(|column| column.memory(2 * slot + block));
                self.keys.memory(2 * slot + block).into_iter().chain(values).collect()
            });
            let block = work(&queue, memory, &ranges)?;
            let begin = end;
            end += ranges.iter().map(ExactSizeIterator::len).sum::<usize>();
            let now = InFlight { slot, block, to: begin..end };
            if let Some(done) = before.replace(now) {
                self.read(step, &done)?;
            }
        }
        before.map_or(Ok(()), |last| self.read(step, &last))
    }

    /// Moves the result of a piece to where it belongs. Blocks.
    fn read(&mut self, step: Step, piece: &InFlight) -> Result<()> {
        let (queue, block) = (self.queue(piece.slot), 2 * piece.slot + piece.block);
        self.each().try_for_each(|column| column.read(&queue, block, step, piece.to.clone()))
    }

    fn queue(&self, slot: usize) -> Queue {
        match &self.queues.1 {
            Some(second) if slot == 1 => second.clone(),
            _ => self.queues.0.clone(),
        }
    }
}

/// Merges parts of sorted runs that lie one after the other in the first blocks, pairwise and to and fro between the
/// blocks. Returns the number of the block that holds the result.
fn merge_parts<T: Item>(
    operation: &'static str,
    queue: &Queue,
    blocks: [Vec<&Memory>; 2],
    mut parts: Vec<usize>,
    merge: &Merge<'_>,
) -> Result<usize> {
    let (len, mut at) = (parts.iter().sum(), 0);
    while parts.len() > 1 {
        let [from, to] =
            [at, 1 - at].map(|block| targets_in(queue, &blocks[block], len, merge.elements.iter().copied()));
        let from = Expr::<T>::new(items_at(operation, &from));
        let (mut begin, mut merged) = (0, Vec::with_capacity(parts.len().div_ceil(2)));
        for pair in parts.chunks(2) {
            let end = begin + pair.iter().sum::<usize>();
            let targets = part_of(&to, begin, end - begin, false)?;
            match *pair {
                [a, b] => {
                    let (first, second) =
                        (from.clone().slice(begin..begin + a), from.clone().slice(begin + a..end));
                    let mut output = Fused::new(operation);
                    let roots = output.graph.parameters_of(merge.elements.iter().copied());
                    let output = output.with_targets("", "A", roots, targets, false);
                    Pairs::Two(a, b).merge(queue, (first, second), merge.less, output)?;
                }
                _ => {
                    let rest = from.clone().slice(begin..end).into_graph();
                    evaluate(fused_with(operation, rest, targets, false))?;
                }
            }
            merged.push(end - begin);
            begin = end;
        }
        (parts, at) = (merged, 1 - at);
    }
    Ok(at)
}
