//! One result for each segment.

use super::Segments;
use crate::algorithm::assign::evaluate;
use crate::algorithm::by_key;
use crate::algorithm::moved::{Targets, elements, read_from, scratch, targets_in};
use crate::algorithm::reduce::reducers::Reducer;
use crate::codegen::{Fused, profile};
use crate::element::{Element, Number};
use crate::expr::fold::Ranges;
use crate::expr::{Expr, Item, Operand, Val, index, zip};
use crate::ir::op::Op;
use crate::ir::target::Target;
use crate::sink::{Discard, Sink};
use crate::vec::DeviceVec;
use cl_core::{Memory, Result};

/// The largest number of items of the longest segment for which a work-item reduces a segment alone.
const FOLDED: usize = 64;

impl Segments {
    /// Returns the sum of each segment; 0 for an empty segment.
    ///
    /// Integers wrap around. Floats are added in an order that depends on the segments and the device only.
    /// The launches are those of [`Segments::reduce`].
    ///
    /// # Errors
    /// As [`Segments::reduce`].
    pub fn sum<'a, T: Number>(&'a self, items: impl Operand<'a, T>) -> Result<DeviceVec<T>> {
        self.reduce_as("sum of segments", items, T::zeroed(), |a, b| a + b)
    }

    /// Combines the items of each segment by an associative operator, in their order. An empty segment gives
    /// `identity`, the operator's identity.
    ///
    /// On CPUs one launch, a [reduction by key](crate::stl::reduce_by_key) of the segments' numbers. On GPUs two launches:
    /// the first one reduces tiles of items, and the second one joins the results of segments in several tiles. If there are
    /// empty segments, one more launch inserts the identity. On GPUs, one launch in which a work-item reduces a segment alone
    /// suffices if the longest segment has at most 64 items. What the launches need to know of the segments is computed once.
    ///
    /// ```
    /// use cl_algo::Segments;
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let lengths = DeviceVec::from_slice(&queue, &[2_u32, 0, 1])?;
    /// let x = DeviceVec::from_slice(&queue, &[3.0_f32, -2.0, 5.0])?;
    /// let segments = Segments::from_lengths(&lengths)?;
    /// let least = segments.reduce(&x, f32::INFINITY, |a, b| a.min(b))?;
    /// assert_eq!(least.to_vec()?, [-2.0, f32::INFINITY, 5.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`]; [`Error::LengthMismatch`](cl_core::Error::LengthMismatch) unless there are as many items as the segments have.
    #[doc(alias = "DeviceSegmentedReduce")]
    pub fn reduce<'a, T: Element>(
        &'a self,
        items: impl Operand<'a, T>,
        identity: T,
        operator: impl Fn(Val<T>, Val<T>) -> Val<T>,
    ) -> Result<DeviceVec<T>> {
        self.reduce_as("reduce of segments", items, identity, operator)
    }

    /// Reduces as [`Segments::reduce`] does, into an output. Does not block.
    ///
    /// # Errors
    /// As [`Segments::reduce`]; [`Error::LengthMismatch`](cl_core::Error::LengthMismatch) unless the output has as many
    /// elements as there are segments.
    pub fn reduce_into<'a, T: Element>(
        &'a self,
        items: impl Operand<'a, T>,
        identity: T,
        operator: impl Fn(Val<T>, Val<T>) -> Val<T>,
        output: impl Sink<'a, T>,
    ) -> Result<()> {
        let output = Fused::new("reduce_into of segments").output::<T>("", "", output);
        self.reduce_onto(items, identity, operator, output)
    }

    /// Returns [`Segments::reduce`]. `operation` is the name in errors.
    fn reduce_as<'a, T: Element>(
        &'a self,
        operation: &'static str,
        items: impl Operand<'a, T>,
        identity: T,
        operator: impl Fn(Val<T>, Val<T>) -> Val<T>,
    ) -> Result<DeviceVec<T>> {
        // SAFETY: the last launch writes every element. If it cannot be enqueued, the vector is dropped here.
        let results = unsafe { DeviceVec::<T>::uninit(&self.queue, self.count()) }?;
        let targets = Targets(vec![Target::whole(&results)]);
        if self.has_empty || self.is_folded()? {
            let output = Fused::new(operation).output::<T>("", "", targets);
            self.reduce_onto(items, identity, operator, output)?;
        } else {
            let items = self.items(operation, items)?;
            self.combine::<T>(operation, items, operator, targets)?;
        }
        Ok(results)
    }

    /// Returns whether a work-item reduces a segment alone.
    ///
    /// Segments of 4 items, 2^28 `u32` on an H200: 0.51 ms in this way, 0.89 ms by key. On CPUs under PoCL, reductions by
    /// key take about half the time of this.
    fn is_folded(&self) -> Result<bool> {
        Ok(self.longest <= FOLDED && (self.len == 0 || !profile(self.queue.context())?.chunked))
    }

    /// Reduces into `output`, a kernel with one output.
    fn reduce_onto<'b, 'a: 'b, T: Element>(
        &'a self,
        items: impl Operand<'a, T>,
        identity: T,
        operator: impl Fn(Val<T>, Val<T>) -> Val<T>,
        output: Fused<'b>,
    ) -> Result<()> {
        let items = self.items(output.operation, items)?;
        if self.is_folded()? {
            // SAFETY: the offsets ascend from 0 to the number of items.
            let results =
                unsafe { items.fold_ranges(Ranges::between(&self.offsets), identity, operator, None) };
            return evaluate_onto(output, results);
        }
        self.results::<T, T>(items, operator, |state, _| state, identity, output)
    }

    /// Returns the result of a [reducer](crate::reducers), or of a tuple of reducers, for each segment. An empty
    /// segment gives `empty`.
    ///
    /// The indices of a reducer, such as [`MinElement`](crate::reducers::MinElement), count from the begin of the
    /// segment. On CPUs two launches, on GPUs three, whatever the lengths are; see [`Segments::reduce`].
    ///
    /// # Errors
    /// As [`Segments::reduce`].
    #[doc(alias("argmin", "argmax"))]
    pub fn reduce_with<'a, T: Item, R: Reducer<T>>(
        &'a self,
        items: impl Operand<'a, T>,
        reducer: R,
        empty: R::Output,
    ) -> Result<<R::Output as Item>::Vectors> {
        let operation = "reduce_with of segments";
        let items = self.items(operation, items)?;
        // SAFETY: the last launch writes every element. If it cannot be enqueued, the vectors are dropped here.
        let results = unsafe { R::Output::uninit(&self.queue, self.count()) }?;
        let mut targets = Vec::new();
        R::Output::targets(&results, &mut targets);
        let output = Fused::new(operation).output::<R::Output>("", "", Targets(targets));
        if self.len == 0 {
            evaluate_onto(output, index::<u8>().take(self.count()).map(|_| empty.known()))?;
            return Ok(results);
        }
        // SAFETY: each number is that of a segment.
        let begins =
            unsafe { self.offsets.iter().gather_unchecked(operation, self.count() + 1, self.numbers()?) };
        let states = zip((index::<u32>(), begins)).zip(items).map(
            |((at, begin), item): ((Val<u32>, Val<u32>), T::Values)| {
                reducer.start(item, (at - begin).cast::<u64>())
            },
        );
        self.results::<R::State, R::Output>(
            states,
            |a, b| reducer.combine(a, b),
            |state, len| reducer.finish(state, len),
            empty,
            output,
        )?;
        Ok(results)
    }

    /// Combines the states of each segment, and stores what `finish` makes of the state and the segment's length.
    fn results<'b, 'a: 'b, S: Item, R: Item>(
        &'a self,
        states: Expr<'a, S>,
        operator: impl FnOnce(S::Values, S::Values) -> S::Values,
        finish: impl FnOnce(S::Values, Val<u64>) -> R::Values,
        empty: R,
        output: Fused<'b>,
    ) -> Result<()> {
        let (operation, queue, count) = (output.operation, &self.queue, self.count());
        let room = scratch::<S>(queue, count)?;
        let memory: Vec<&Memory> = room.iter().map(|block| &**block).collect();
        let combined = Targets(targets_in(queue, &memory, count, elements::<S>()));
        self.combine::<S>(operation, states, operator, combined)?;
        let combined = read_from::<S>(queue, &memory, count);
        let lengths = self.lengths().cast::<u64>();
        if !self.has_empty {
            return evaluate_onto(output, combined.zip(lengths).map(|(state, len)| finish(state, len)));
        }
        // SAFETY: a segment has fewer segments before it than there are.
        let combined = unsafe { combined.gather_unchecked(operation, count, self.filled_before()?) };
        let full = combined.zip(lengths.clone()).map(|(state, len)| finish(state, len));
        let empty = index::<u8>().take(count).map(|_| empty.known());
        evaluate_onto(output, chosen::<R>(operation, lengths.gt(0), full, empty))
    }

    /// Combines the states of each segment that has items, and stores the results one after the other.
    fn combine<'b, 'a: 'b, S: Item>(
        &'a self,
        operation: &'static str,
        states: Expr<'a, S>,
        operator: impl FnOnce(S::Values, S::Values) -> S::Values,
        combined: Targets<'b>,
    ) -> Result<()> {
        if self.is_tiled()? {
            return self.reduce_tiles::<S>(operation, states, operator, combined);
        }
        // Each segment is a run of equal numbers.
        by_key::reduce_as::<u32, S>(operation, self.numbers()?, states, operator, Discard, combined).map(drop)
    }

    /// Returns for each segment the number of segments before it that are not empty.
    fn filled_before(&self) -> Result<Expr<'_, u32>> {
        if let Some(before) = self.filled_before.get() {
            return Ok(before.iter());
        }
        let before = self.make_filled_before()?;
        Ok(self.filled_before.get_or_init(|| before).iter())
    }
}

/// Evaluates an expression into `output`, a kernel with one output.
fn evaluate_onto<'b, T: Item>(output: Fused<'b>, items: Expr<'b, T>) -> Result<()> {
    let len = items.len();
    let mut fused = output.with_input("", items.into_graph());
    fused.graph.len = len;
    evaluate(fused)
}

/// Returns the items of `yes` where the flag is true, else those of `no`.
pub(in crate::algorithm) fn chosen<'a, T: Item>(
    operation: &'static str,
    flags: Expr<'a, bool>,
    yes: Expr<'a, T>,
    no: Expr<'a, T>,
) -> Expr<'a, T> {
    let both = yes.into_graph().zip(&no.into_graph(), operation);
    let mut graph = flags.into_graph().zip(&both, operation);
    let (flag, items) = (graph.roots[0], graph.roots[1..].to_vec());
    let (yes, no) = items.split_at(items.len() / 2);
    graph.roots = yes
        .iter()
        .zip(no)
        .map(|(&yes, &no)| {
            let ty = graph.ty(yes);
            graph.node(Op::Select, ty, &[flag, yes, no])
        })
        .collect();
    Expr::new(graph)
}
