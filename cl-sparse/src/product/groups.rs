//! Entries of a matrix put in groups, while their values stay where they are.

use super::RowKernel;
use crate::index::Index;
use crate::matrix::statistics;
use crate::plan::{Facts, Kernel};
use cl_algo::codegen::Ranges;
use cl_algo::codegen::profile;
use cl_algo::stl::lower_bounds;
use cl_algo::{DeviceVec, Element, Expr, Operand, Sort, Val, iota, zip};
use cl_core::Result;

/// The entries of each row or of each column of a matrix that stores them in another order.
#[derive(Debug)]
pub(crate) struct Groups<I: Index> {
    kernel: RowKernel<I>,
    /// The entries, group by group; those of a group in their own order.
    entries: DeviceVec<I>,
    /// Which element of the vector each of them is multiplied by.
    factors: DeviceVec<I>,
}

impl<I: Index> Groups<I> {
    /// Sorts the entries by their groups, of which there are so many: element i of both vectors is about entry i, whose
    /// value is of type `T`. Waits.
    pub(crate) fn of<T: Element>(
        count: usize,
        mut groups: DeviceVec<I>,
        mut factors: DeviceVec<I>,
    ) -> Result<Groups<I>> {
        let (queue, len) = (groups.queue().clone(), groups.len());
        let mut entries = iota(I::default(), len).collect_on(&queue)?;
        let bits = count.saturating_sub(1).checked_ilog2().map_or(0, |highest| highest + 1);
        Sort::new().bits(..bits).by_key(&mut groups, (&mut entries, &mut factors))?;
        let mut offsets = DeviceVec::filled(&queue, I::default(), count + 1)?;
        lower_bounds(&groups, iota(I::default(), count + 1), &mut offsets)?;
        let statistics = statistics(count, &offsets, len)?;
        let facts = Facts::of(&*profile(queue.context())?);
        let kernel = Kernel::of(&statistics, T::TYPE.size(), &facts);
        Ok(Groups { kernel: RowKernel::new(offsets, len, kernel)?, entries, factors })
    }

    /// For each entry, group by group, its value and the element of the vector that it is multiplied by. Vectors that have
    /// not `len` elements are a mistake, in which errors call the operation by this name.
    ///
    /// # Safety
    /// There are as many values as entries, and the factor of each is below `len`.
    pub(crate) unsafe fn pairs<'a, T: Element, X: Element>(
        &'a self,
        operation: &'static str,
        values: &'a DeviceVec<T>,
        len: usize,
        x: impl Operand<'a, X>,
    ) -> Expr<'a, (T, X)> {
        // SAFETY: these are entries; the rest is the caller's promise.
        unsafe {
            zip((
                values.iter().gather_unchecked(operation, values.len(), &self.entries),
                x.into_expr().gather_unchecked(operation, len, &self.factors),
            ))
        }
    }

    /// What is given for each entry, group by group, added up within groups.
    pub(crate) fn fold<'a, Y: Element>(
        &'a self,
        terms: Expr<'a, Y>,
        zero: Y,
        add: impl FnOnce(Val<Y>, Val<Y>) -> Val<Y>,
    ) -> Expr<'a, Y> {
        // SAFETY: the offsets ascend to the number of entries.
        unsafe { terms.fold_ranges(Ranges::between(&self.kernel.offsets), zero, add, Some(&self.kernel)) }
    }
}
