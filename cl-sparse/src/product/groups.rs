//! Indices of a matrix's entries, grouped by row or by column. The values are not copied.

use super::RowKernel;
use crate::index::Index;
use crate::matrix::statistics;
use crate::plan::{DeviceLimits, Kernel};
use cl_algo::codegen::Ranges;
use cl_algo::codegen::profile;
use cl_algo::stl::lower_bounds;
use cl_algo::{DeviceVec, Element, Expr, Operand, Sort, Val, iota, zip};
use cl_core::Result;

/// The entries of each row or of each column of a matrix that stores them in another order.
#[derive(Debug)]
pub(crate) struct Groups<I: Index> {
    kernel: RowKernel<I>,
    /// The indices of the entries, group by group. Entries of a group keep their order.
    entries: DeviceVec<I>,
    /// The index of the vector element that each entry is multiplied by.
    factors: DeviceVec<I>,
}

impl<I: Index> Groups<I> {
    /// Sorts the indices of the entries into `count` groups. Entry i belongs to group `groups[i]`, and is
    /// multiplied by the vector element with index `factors[i]`. The size of `T`, the type of the values,
    /// determines the kernel. Waits.
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
        let limits = DeviceLimits::of(&*profile(queue.context())?);
        let kernel = Kernel::of(&statistics, T::TYPE.size(), &limits);
        Ok(Groups { kernel: RowKernel::new(offsets, len, kernel)?, entries, factors })
    }

    /// Returns, for each entry, group by group, its value and the vector element that it is multiplied by. If the
    /// vector's length is not `len`, the expression keeps a deferred error, which names `operation`.
    ///
    /// # Safety
    /// `values` must have one value for each entry, and each factor must be less than `len`.
    pub(crate) unsafe fn pairs<'a, T: Element, X: Element>(
        &'a self,
        operation: &'static str,
        values: &'a DeviceVec<T>,
        len: usize,
        x: impl Operand<'a, X>,
    ) -> Expr<'a, (T, X)> {
        // SAFETY: the indices are those of entries; the caller guarantees the rest.
        unsafe {
            zip((
                values.iter().gather_unchecked(operation, values.len(), &self.entries),
                x.into_expr().gather_unchecked(operation, len, &self.factors),
            ))
        }
    }

    /// Adds up the terms of each group. `terms` has one item for each entry, group by group.
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
