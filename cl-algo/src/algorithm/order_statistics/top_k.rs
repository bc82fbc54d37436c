//! The largest or smallest elements, in order, with their indices.

use super::ranked::Keys;
use crate::algorithm::assign::evaluate;
use crate::algorithm::merge_sort::merge_sort;
use crate::algorithm::moved::{Targets, read_from};
use crate::algorithm::order::Less;
use crate::algorithm::sort::{ScalarKey, Sort};
use crate::codegen::Fused;
use crate::element::Element;
use crate::expr::{Expr, Item, Operand, Val};
use crate::ir::target::Target;
use crate::sink::{Discard, Sink};
use crate::vec::DeviceVec;
use cl_core::{Error, Memory, Result};

/// The smallest share of the elements, one of this number, for which all elements are sorted.
const SORTED_SHARE: usize = 4;

impl<'a, T: ScalarKey> Expr<'a, T> {
    /// Returns the `k` largest elements, the largest first, and their indices.
    ///
    /// Of equal elements, the elements of the lowest indices are taken, and come first. Floats are in their total
    /// order, so positive NaNs are the largest.
    ///
    /// The algorithm is that of [`select_nth`](Expr::select_nth). One launch lists or counts equal elements where not all
    /// of them are taken, one stores the elements, and two sort and gather them. That is 9 launches for 32-bit elements and 5 for
    /// up to 16 384 elements, if the result is sorted in one work-group, and the host does not wait. All elements are
    /// read once. If only some of the elements that equal the last one are taken, all are read twice more, unless the
    /// equal ones are at most 1024 and lie between the keys of the sample, as most often for keys of more than 11 bits.
    /// For more than a quarter of all elements, the elements are sorted.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[5, 9, -1, 9, 3])?;
    /// let (largest, at) = x.iter().top_k(3)?;
    /// assert_eq!(largest.to_vec()?, [9, 9, 5]);
    /// assert_eq!(at.to_vec()?, [1, 3, 0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::select_nth`]; [`Error::OutOfBounds`] for more elements than there are.
    #[doc(alias("topk", "largest", "DeviceTopK"))]
    pub fn top_k(self, k: usize) -> Result<(DeviceVec<T>, DeviceVec<u32>)> {
        first_k("top_k", self.clone(), self, k, true)
    }

    /// Returns the `k` smallest elements, the smallest first, and their indices; see [`top_k`](Expr::top_k).
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[5, 9, -1, 9, 3])?;
    /// assert_eq!(x.iter().bottom_k(2)?.0.to_vec()?, [-1, 3]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::top_k`].
    #[doc(alias("topk", "smallest", "partial_sort_copy"))]
    pub fn bottom_k(self, k: usize) -> Result<(DeviceVec<T>, DeviceVec<u32>)> {
        first_k("bottom_k", self.clone(), self, k, false)
    }
}

impl<'a, T: Item> Expr<'a, T> {
    /// Returns the `k` items with the largest keys, the largest first, and their indices; see [`top_k`](Expr::top_k).
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let name = DeviceVec::from_slice(&queue, b"abc")?;
    /// let x = DeviceVec::from_slice(&queue, &[1.0_f32, -5.0, 3.0])?;
    /// let ((names, _), _) = zip((&name, &x)).top_k_by_key(2, |(_, x)| x.abs())?;
    /// assert_eq!(names.to_vec()?, *b"bc");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::top_k`].
    pub fn top_k_by_key<K: ScalarKey>(
        self,
        k: usize,
        key: impl FnOnce(T::Values) -> Val<K>,
    ) -> Result<(T::Vectors, DeviceVec<u32>)> {
        first_k("top_k_by_key", self.clone().map(key), self, k, true)
    }

    /// Returns the `k` items with the smallest keys, the smallest first, and their indices; see
    /// [`top_k`](Expr::top_k).
    ///
    /// # Errors
    /// As [`Expr::top_k`].
    pub fn bottom_k_by_key<K: ScalarKey>(
        self,
        k: usize,
        key: impl FnOnce(T::Values) -> Val<K>,
    ) -> Result<(T::Vectors, DeviceVec<u32>)> {
        first_k("bottom_k_by_key", self.clone().map(key), self, k, false)
    }
}

/// Stores the smallest elements in order, as many as the output has room for; see [`Expr::bottom_k`].
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::partial_sort_copy;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[5, 9, -1, 3])?;
/// let mut smallest = DeviceVec::filled(&queue, 0, 2)?;
/// partial_sort_copy(&x, &mut smallest)?;
/// assert_eq!(smallest.to_vec()?, [-1, 3]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Expr::top_k`], [`Error::OutOfBounds`] for an output with room for more elements than there are, and
/// [`Error::InvalidInput`] for an output without a length.
pub fn partial_sort_copy<'t, T: ScalarKey>(
    value: impl Operand<'t, T>,
    output: impl Sink<'t, T>,
) -> Result<()> {
    let value = value.into_expr();
    let output = Fused::new("partial_sort_copy").output::<T>("", "", output);
    output.check()?;
    let Some(k) = output.room() else {
        let reason = "its indices have no length: call `take` on them".to_owned();
        return Err(Error::invalid_input("output of partial_sort_copy", reason));
    };
    let (smallest, _) = first_k("partial_sort_copy", value.clone(), value, k, false)?;
    evaluate(output.input("", smallest.iter()))
}

/// Returns the `k` items with the first keys in order, and their indices.
fn first_k<'a, T: Item, K: ScalarKey>(
    operation: &'static str,
    keys: Expr<'a, K>,
    items: Expr<'a, T>,
    k: usize,
    descending: bool,
) -> Result<(T::Vectors, DeviceVec<u32>)> {
    let order = order_of_first(operation, keys, k, descending)?;
    // The indices are checked: where two kernels round computed keys differently, fewer than `k` of them may be found.
    let first = items.gather(&order).collect_on(order.queue())?;
    Ok((first, order))
}

/// Returns the indices of the first `k` keys in order.
fn order_of_first<K: ScalarKey>(
    operation: &'static str,
    keys: Expr<'_, K>,
    k: usize,
    descending: bool,
) -> Result<DeviceVec<u32>> {
    let selection = Keys::of::<K>(operation, keys.clone(), descending)?;
    let (queue, len) = (&*selection.queue, selection.len);
    if let Some(last) = k.checked_sub(1) {
        selection.check_rank(last)?;
    }
    if k > len / SORTED_SHARE && k > 0 {
        let sort = if descending { Sort::new().descending() } else { Sort::new() };
        let order = sort.order::<K, u32>(operation, keys, None)?;
        return if k == len { Ok(order) } else { order.slice(..k).collect() };
    }
    // SAFETY: the sort below writes every element. If it cannot be enqueued, the vector is dropped here.
    let order = unsafe { DeviceVec::<u32>::uninit(queue, k) }?;
    if k > 0 {
        let digits = queue.scratch(k * K::Digits::TYPE.size())?;
        let indices = queue.scratch(k * size_of::<u32>())?;
        selection.store_first::<K::Digits>(k - 1, &digits, &indices)?;
        let memory: [&Memory; 2] = [&digits, &indices];
        let found = read_from::<(K::Digits, u32)>(queue, &memory, k);
        type Pair<D> = (Val<D>, Val<u32>);
        let less = Less::new::<(K::Digits, u32), _>(|(a, i): Pair<K::Digits>, (b, j): Pair<K::Digits>| {
            a.lt(b) | (a.eq(b) & i.lt(j))
        });
        let sink = (Discard, Targets(vec![Target::whole(&order)]));
        let output = Fused::new(operation).output::<(K::Digits, u32)>("", "A", sink);
        merge_sort(found, &less, &[], output)?;
    }
    Ok(order)
}
