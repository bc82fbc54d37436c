//! The first element that fulfils a condition, and searches that depend on it.

use super::launch::{Shared, Source, queue_and_len, with_arrivals};
use crate::codegen::{Fused, Parameters, Template};
use crate::device::DeviceFence;
use crate::element::{Element, Ordered};
use crate::expr::Item;
use crate::expr::{Expr, Operand, Recorded, Val, binary};
use crate::ir::op::Op;
use crate::kernels;
use cl_core::{Access, Arg, Result};

/// The kernel `find` of `kernels/find.cl`.
static FIND: Template<Values> = Template {
    kernel: "find",
    definition: &kernels::FIND,
    shape: |profile, size, values| profile.reduction(size.max(values.loaded)),
};

/// The parameters of `kernels/find.cl`.
#[derive(Clone, Copy, Parameters)]
struct Values {
    fence: Option<DeviceFence>,
    hits: Hit,
    /// The size in bytes of the largest element that is loaded.
    loaded: usize,
    /// `true` for the kernel that combines the results of several work-groups.
    r#final: bool,
}

/// The condition that an item with a true flag must fulfil, too: the value of `HITS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Parameters)]
pub(super) enum Hit {
    /// No other condition.
    Flag = 0,
    /// The items from this one on equal all items of the needle.
    AllOf = 1,
    /// The item equals any item of the needle.
    AnyOf = 2,
}

/// The kernel's result if no item is true.
const NOTHING: u64 = u64::MAX;

/// The first tile with a hit, shared by the work-groups of a launch; [`NO_TILE`] between launches.
#[derive(Default)]
struct Hits(Shared);

/// The value of [`Hits`] until a tile has a hit.
const NO_TILE: u32 = u32::MAX;

impl Expr<'_, bool> {
    /// Returns the index of the first element that is true; `None` if all are false. Blocks.
    ///
    /// Elements far behind the first true one are not computed. The result is the same in every launch.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 4.0, 9.0])?;
    /// assert_eq!(x.iter().gt(2.0).position()?, Some(1));
    /// assert_eq!(x.iter().gt(9.0).position()?, None);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Expr::collect`].
    #[doc(alias("argwhere", "flatnonzero"))]
    pub fn position(self) -> Result<Option<usize>> {
        self.position_as("position")
    }

    /// Returns [`Expr::position`]. `operation` is the name in errors.
    pub(in crate::algorithm) fn position_as(self, operation: &'static str) -> Result<Option<usize>> {
        first_hit(operation, self, Hit::Flag, |fused| fused)
    }

    /// Returns whether any element is true; `false` for zero elements.
    ///
    /// # Errors
    /// As [`Expr::collect`].
    #[doc(alias = "any_of")]
    pub fn any(self) -> Result<bool> {
        Ok(self.position_as("any")?.is_some())
    }

    /// Returns whether all elements are true; `true` for zero elements.
    ///
    /// # Errors
    /// As [`Expr::collect`].
    #[doc(alias = "all_of")]
    pub fn all(self) -> Result<bool> {
        Ok((!self).position_as("all")?.is_none())
    }
}

/// Returns the index of the first flag that is true and whose item fulfils the other condition of `hit`. `others` adds the
/// inputs and the operator of that condition, see `kernels/find.cl`. `operation` is the name in errors.
pub(super) fn first_hit<'a>(
    operation: &'static str,
    flags: Expr<'a, bool>,
    hits: Hit,
    others: impl FnOnce(Fused<'a>) -> Fused<'a>,
) -> Result<Option<usize>> {
    let Some(source) = Source::of(operation, flags)? else { return Ok(None) };
    let values = Values { fence: source.fence, hits, loaded: source.loaded(), r#final: false };
    let Source { graph, queue, len, fence, .. } = source;
    let fused = others(Fused::new(operation).with_input("", graph));
    fused.check()?;
    let ready = fused.by(&FIND, values).compile(&queue, len)?;
    let shape = ready.shape();
    let groups = (len / shape.tile()).clamp(1, shape.max_groups);
    let partials = queue.scratch(groups * size_of::<u64>())?;
    let memory = Arg::Memory(&partials, Access::Overwrite);
    if fence.is_some() {
        let launch = |hits: Arg<'_>, arrivals: Arg<'_>| {
            let own = [memory, hits, arrivals, ready.index(len)];
            // SAFETY: the kernel reads elements below `len`, writes one partial result for each work-group, reads
            // the partial results after the fence, and resets the hit and the counter.
            unsafe { ready.launch(&own, groups, shape.group) }
        };
        let hits = queue.attachment::<Hits>();
        hits.0.with(&queue, NO_TILE, |hits| with_arrivals(&queue, |arrivals| launch(hits, arrivals)))?;
    } else {
        let own = [memory, ready.index(len), Arg::value(0_u32)];
        // SAFETY: as above, except for the fence.
        unsafe { ready.launch(&own, groups, shape.group)? };
        if groups > 1 {
            let ready = fused.by(&FIND, Values { r#final: true, ..values }).compile(&queue, len)?;
            let own = [memory, ready.index(len), Arg::value(groups as u32)];
            // SAFETY: the preceding launch has written all partial results. The kernel reads them and
            // writes the first one.
            unsafe { ready.launch(&own, 1, shape.group)? };
        }
    }
    // SAFETY: the last work-group has written the first element.
    let found: u64 = unsafe { partials.read_first() }?;
    Ok((found != NOTHING).then_some(found as usize))
}

/// Returns the index of the first element that equals a value, if any.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::find;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[3, 1, 4, 1])?;
/// assert_eq!(find(&x, 1)?, Some(1));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Expr::collect`].
pub fn find<'a, T: Element + PartialEq>(
    within: impl Operand<'a, T>,
    value: impl Operand<'a, T>,
) -> Result<Option<usize>> {
    binary::<T, bool>(within, value, Op::Eq, "find").position_as("find")
}

/// Returns the index of the first item for which a predicate is true, if any.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::find_if;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[3, 1, 4, 1])?;
/// assert_eq!(find_if(&x, |x| x.gt(3))?, Some(2));
/// assert_eq!(find_if(&x, |x| x.gt(9))?, None);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Expr::collect`].
pub fn find_if<'a, T: Item, P: Recorded<Item = bool>>(
    within: impl Operand<'a, T>,
    predicate: impl FnOnce(T::Values) -> P,
) -> Result<Option<usize>> {
    within.into_expr().map(predicate).position_as("find_if")
}

/// Returns the index of the first item for which a predicate is false, if any.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::find_if_not;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[3, 1, 4, 1])?;
/// assert_eq!(find_if_not(&x, |x| x.gt(2))?, Some(1));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Expr::collect`].
pub fn find_if_not<'a, T: Item, P: Recorded<Item = bool>>(
    within: impl Operand<'a, T>,
    predicate: impl FnOnce(T::Values) -> P,
) -> Result<Option<usize>> {
    (!within.into_expr().map(predicate)).position_as("find_if_not")
}

/// Returns whether a predicate is true for any item; `false` for zero items.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::any_of;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[3, 1, 4, 1])?;
/// assert!(any_of(&x, |x| x.gt(3))?);
/// assert!(!any_of(&x, |x| x.gt(9))?);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Expr::collect`].
pub fn any_of<'a, T: Item, P: Recorded<Item = bool>>(
    value: impl Operand<'a, T>,
    predicate: impl FnOnce(T::Values) -> P,
) -> Result<bool> {
    Ok(value.into_expr().map(predicate).position_as("any_of")?.is_some())
}

/// Returns whether a predicate is true for all items; `true` for zero items.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::all_of;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[3.0_f32, f32::NAN])?;
/// assert!(!all_of(&x, |x| x.eq(x))?);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Expr::collect`].
pub fn all_of<'a, T: Item, P: Recorded<Item = bool>>(
    value: impl Operand<'a, T>,
    predicate: impl FnOnce(T::Values) -> P,
) -> Result<bool> {
    Ok((!value.into_expr().map(predicate)).position_as("all_of")?.is_none())
}

/// Returns whether a predicate is false for all items; `true` for zero items.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::none_of;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[3, 1, 4, 1])?;
/// assert!(none_of(&x, |x| x.gt(9))?);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Expr::collect`].
pub fn none_of<'a, T: Item, P: Recorded<Item = bool>>(
    value: impl Operand<'a, T>,
    predicate: impl FnOnce(T::Values) -> P,
) -> Result<bool> {
    Ok(value.into_expr().map(predicate).position_as("none_of")?.is_none())
}

/// Returns the first index at which two operands differ; `None` if they are equal.
///
/// If one operand is longer and begins with the other, the index is the length of the shorter one. NaN differs from
/// itself.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::mismatch;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1, 2, 3])?;
/// assert_eq!(mismatch(&x, index::<i32>() + 1)?, None);
/// assert_eq!(mismatch(&x, index::<i32>() * 2)?, Some(0));
/// assert_eq!(mismatch(&x, x.slice(..2))?, Some(2));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Expr::collect`].
pub fn mismatch<'a, T: Element + PartialEq>(
    left: impl Operand<'a, T>,
    right: impl Operand<'a, T>,
) -> Result<Option<usize>> {
    let (left, right) = (left.into_expr(), right.into_expr());
    let (Some(a), Some(b)) = (left.len(), right.len()) else {
        return mismatch_as("mismatch", left, right);
    };
    if a == b {
        return mismatch_as("mismatch", left, right);
    }
    left.check()?;
    right.check()?;
    let shorter = a.min(b);
    let found = mismatch_as("mismatch", left.take(shorter), right.take(shorter))?;
    Ok(found.or(Some(shorter)))
}

/// Returns [`mismatch`] of operands of equal lengths. `operation` is the name in errors.
fn mismatch_as<'a, T: Element + PartialEq>(
    operation: &'static str,
    left: impl Operand<'a, T>,
    right: impl Operand<'a, T>,
) -> Result<Option<usize>> {
    binary::<T, bool>(left, right, Op::Ne, operation).position_as(operation)
}

/// Returns whether two operands have the same length and the same elements. NaN differs from itself.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::equal;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[3, 1, 4, 1])?;
/// assert!(equal(&x, x.iter())?);
/// assert!(!equal(&x, x.slice(1..))?); // one is shorter
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Expr::collect`].
#[doc(alias = "array_equal")]
pub fn equal<'a, T: Element + PartialEq>(
    left: impl Operand<'a, T>,
    right: impl Operand<'a, T>,
) -> Result<bool> {
    let (left, right) = (left.into_expr(), right.into_expr());
    if let (Some(a), Some(b)) = (left.len(), right.len())
        && a != b
    {
        left.check()?;
        right.check()?;
        return Ok(false);
    }
    Ok(mismatch_as("equal", left, right)?.is_none())
}

/// Returns the pairs of each item and the next one; `None` for fewer than two items.
pub(in crate::algorithm) fn neighbours<'a, T: Item>(expr: Expr<'a, T>) -> Result<Option<Expr<'a, (T, T)>>> {
    let len = queue_and_len(&expr)?.1;
    if len < 2 {
        return Ok(None);
    }
    Ok(Some(expr.clone().take(len - 1).zip(expr.skip(1))))
}

/// Returns whether the elements are in ascending order, the order of [`sort()`](crate::stl::sort()).
///
/// Floats are compared in the total order, so that NaN has a defined position. See [Orders](crate#orders).
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::is_sorted;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1, 2, 2, 3])?;
/// assert!(is_sorted(&x)?);
/// assert!(!is_sorted(x.iter().rev())?);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Expr::collect`].
pub fn is_sorted<'a, T: Ordered>(value: impl Operand<'a, T>) -> Result<bool> {
    is_sorted_as("is_sorted", value, Val::total_lt)
}

/// Returns whether the items are sorted by a comparator.
///
/// `less(a, b)` returns whether `a` goes before `b`, as for [`sort_by`](crate::stl::sort_by). Items are sorted if no
/// item goes before the item in front of it, so equal neighbours are sorted.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[4, 3, 3, 1])?;
/// assert!(cl_algo::stl::is_sorted_by(&x, |a, b| a.gt(b))?);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Expr::collect`].
pub fn is_sorted_by<'a, T: Item, P: Recorded<Item = bool>>(
    value: impl Operand<'a, T>,
    less: impl FnOnce(T::Values, T::Values) -> P,
) -> Result<bool> {
    is_sorted_as("is_sorted_by", value, less)
}

/// Returns [`is_sorted_by`]. `operation` is the name in errors.
fn is_sorted_as<'a, T: Item, P: Recorded<Item = bool>>(
    operation: &'static str,
    value: impl Operand<'a, T>,
    less: impl FnOnce(T::Values, T::Values) -> P,
) -> Result<bool> {
    match neighbours(value.into_expr())? {
        Some(pairs) => Ok(pairs.map(|(a, b)| less(b, a)).position_as(operation)?.is_none()),
        None => Ok(true),
    }
}

/// Returns the index of the first element that equals the next one, if any.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::adjacent_find;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1, 2, 2, 2])?;
/// assert_eq!(adjacent_find(&x)?, Some(1));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Expr::collect`].
pub fn adjacent_find<'a, T: Element + PartialEq>(value: impl Operand<'a, T>) -> Result<Option<usize>> {
    adjacent_find_as("adjacent_find", value, Val::eq)
}

/// Returns the index of the first item for which a predicate of it and the next item is true, if any.
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1, 2, 4, 9])?;
/// assert_eq!(cl_algo::stl::adjacent_find_by(&x, |a, b| (b - a).gt(1))?, Some(1));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Expr::collect`].
pub fn adjacent_find_by<'a, T: Item, P: Recorded<Item = bool>>(
    value: impl Operand<'a, T>,
    predicate: impl FnOnce(T::Values, T::Values) -> P,
) -> Result<Option<usize>> {
    adjacent_find_as("adjacent_find_by", value, predicate)
}

/// Returns [`adjacent_find_by`]. `operation` is the name in errors.
fn adjacent_find_as<'a, T: Item, P: Recorded<Item = bool>>(
    operation: &'static str,
    value: impl Operand<'a, T>,
    predicate: impl FnOnce(T::Values, T::Values) -> P,
) -> Result<Option<usize>> {
    match neighbours(value.into_expr())? {
        Some(pairs) => pairs.map(|(a, b)| predicate(a, b)).position_as(operation),
        None => Ok(None),
    }
}
