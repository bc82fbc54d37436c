//! Searches for sequences within sequences, and for any of several items.

use super::find::{Hit, first_hit};
use crate::algorithm::order::length;
use crate::algorithm::stl::inclusive_scan_with;
use crate::codegen::Fused;
use crate::element::Element;
use crate::expr::{Expr, Item, Operand, Recorded, Val, index, record};
use crate::ir::graph::Graph;
use crate::ir::op::{Op, Type};
use crate::vec::DeviceVec;
use cl_core::Result;

/// Returns the first item of an expression for every index. The expression must not be empty.
pub(in crate::algorithm) fn first_of<'a, T: Item>(expr: Expr<'a, T>, operation: &'static str) -> Expr<'a, T> {
    let mut zero = Graph::default();
    let root = zero.node(Op::Constant(0), Type::Index, &[]);
    zero.roots.push(root);
    Expr::new(expr.into_graph().at(&zero, None, operation))
}

/// Searches for a needle, or for any item of it. `operation` is the name in errors.
fn find_needle<'a, T: Item, R: Recorded<Item = bool>>(
    operation: &'static str,
    haystack: Expr<'a, T>,
    needle: Expr<'a, T>,
    same: impl FnOnce(T::Values, T::Values) -> R,
    hit: Hit,
) -> Result<Option<usize>> {
    let len = length(&haystack.graph(), "sequence to search in")?;
    let count = length(&needle.graph(), "needle")?;
    Fused::new(operation).check_with(&[&haystack.graph(), &needle.graph()])?;
    if count == 0 || len == 0 || (hit == Hit::AllOf && count > len) {
        return Ok((count == 0 && hit == Hit::AllOf).then_some(0));
    }
    let same = record::<(T, T), R>(|(a, b)| same(a, b));
    let flags = if hit == Hit::AllOf {
        // Most positions are excluded by the needle's first item.
        let firsts = haystack.clone().take(len + 1 - count);
        let pairs = firsts.into_graph().zip(&first_of(needle.clone(), operation).into_graph(), operation);
        Expr::new(pairs.map(&same, operation))
    } else {
        // Every item is compared with the needle.
        let all = haystack.clone().map(|_| Val::<bool>::known(true));
        match haystack.shared_queue().or_else(|| needle.shared_queue()) {
            Some(queue) => all.on_shared(queue),
            None => all,
        }
    };
    first_hit(operation, flags, hit, |fused| {
        let fused = fused.input("HAYSTACK", haystack).input("NEEDLE", needle).input("COUNT", count as u64);
        fused.with_operator("SAME", "HAYSTACK", &same, 2 * T::count())
    })
}

/// Returns the index at which a needle first occurs in a sequence, if it does. Blocks.
///
/// An empty needle occurs at index 0. The comparison of a position ends at the first element that differs, and elements
/// far behind the first occurrence are not compared. A needle of another length compiles nothing. Needles of `m` elements
/// that almost occur everywhere take `m` comparisons for each element. One launch, or two where work-groups cannot wait
/// for each other's results.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::{find_end, search};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let text = DeviceVec::from_slice(&queue, b"banana")?;
/// let needle = DeviceVec::from_slice(&queue, b"ana")?;
/// assert_eq!(search(&text, &needle)?, Some(1));
/// assert_eq!(find_end(&text, &needle)?, Some(3));
/// assert_eq!(search(&needle, &text)?, None);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`find`](crate::stl::find); [`Error::InvalidInput`](cl_core::Error::InvalidInput) for a sequence or a needle without
/// a length.
pub fn search<'a, T: Element + PartialEq>(
    haystack: impl Operand<'a, T>,
    needle: impl Operand<'a, T>,
) -> Result<Option<usize>> {
    find_needle("search", haystack.into_expr(), needle.into_expr(), Val::eq, Hit::AllOf)
}

/// Returns the index at which a needle first occurs; `equal` returns whether an item of the sequence equals an item of
/// the needle. See [`search`].
///
/// ```
/// use cl_algo::prelude::*;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1, 5, 6, 7])?;
/// let tens = DeviceVec::from_slice(&queue, &[50, 60])?;
/// assert_eq!(cl_algo::stl::search_by(&x, &tens, |x, tens| (x * 10).eq(tens))?, Some(1));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`search`].
pub fn search_by<'a, T: Item, R: Recorded<Item = bool>>(
    haystack: impl Operand<'a, T>,
    needle: impl Operand<'a, T>,
    equal: impl FnOnce(T::Values, T::Values) -> R,
) -> Result<Option<usize>> {
    find_needle("search_by", haystack.into_expr(), needle.into_expr(), equal, Hit::AllOf)
}

/// Returns the index at which a needle last occurs in a sequence, if it does. Blocks.
///
/// An empty needle occurs at the end. It is [`search`] in the reversed sequence.
///
/// # Errors
/// As [`search`].
pub fn find_end<'a, T: Element + PartialEq>(
    haystack: impl Operand<'a, T>,
    needle: impl Operand<'a, T>,
) -> Result<Option<usize>> {
    find_end_as("find_end", haystack.into_expr(), needle.into_expr(), Val::eq)
}

/// Returns the index at which a needle last occurs; `equal` returns whether an item of the sequence equals an item of
/// the needle. See [`find_end`].
///
/// # Errors
/// As [`search`].
pub fn find_end_by<'a, T: Item, R: Recorded<Item = bool>>(
    haystack: impl Operand<'a, T>,
    needle: impl Operand<'a, T>,
    equal: impl FnOnce(T::Values, T::Values) -> R,
) -> Result<Option<usize>> {
    find_end_as("find_end_by", haystack.into_expr(), needle.into_expr(), equal)
}

/// Returns [`find_end_by`]. `operation` is the name in errors.
fn find_end_as<'a, T: Item, R: Recorded<Item = bool>>(
    operation: &'static str,
    haystack: Expr<'a, T>,
    needle: Expr<'a, T>,
    equal: impl FnOnce(T::Values, T::Values) -> R,
) -> Result<Option<usize>> {
    let len = length(&haystack.graph(), "sequence to search in")?;
    let count = length(&needle.graph(), "needle")?;
    let found = find_needle(operation, haystack.rev(), needle.rev(), equal, Hit::AllOf)?;
    Ok(found.map(|at| len - count - at))
}

/// Returns the index of the first element that equals any element of another sequence, if there is one. Blocks.
///
/// The comparison of an element ends at the first one that is equal, and elements far behind the first hit are not
/// compared. For many values, sort them and use `binary_searches`.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::find_first_of;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let text = DeviceVec::from_slice(&queue, b"rhythm and")?;
/// let vowels = DeviceVec::from_slice(&queue, b"aeiou")?;
/// assert_eq!(find_first_of(&text, &vowels)?, Some(7));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`search`].
pub fn find_first_of<'a, T: Element + PartialEq>(
    within: impl Operand<'a, T>,
    values: impl Operand<'a, T>,
) -> Result<Option<usize>> {
    find_needle("find_first_of", within.into_expr(), values.into_expr(), Val::eq, Hit::AnyOf)
}

/// Returns the index of the first item that equals any item of another sequence; `equal` compares an item of the first
/// sequence with one of the second. See [`find_first_of`].
///
/// # Errors
/// As [`search`].
pub fn find_first_of_by<'a, T: Item, R: Recorded<Item = bool>>(
    within: impl Operand<'a, T>,
    values: impl Operand<'a, T>,
    equal: impl FnOnce(T::Values, T::Values) -> R,
) -> Result<Option<usize>> {
    find_needle("find_first_of_by", within.into_expr(), values.into_expr(), equal, Hit::AnyOf)
}

/// Returns the index at which `count` consecutive elements first equal a value, if they do. Blocks.
///
/// A `count` of 0 occurs at index 0. A scan computes for each element where its run of equal values began, and a search
/// finds the first run that is long enough. So the time does not depend on `count`: one launch of
/// [`inclusive_scan_with`] and one of [`find_if`](crate::stl::find_if), and 8 bytes of memory for each element.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_algo::stl::search_n;
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[7, 1, 7, 7, 7])?;
/// assert_eq!(search_n(&x, 2, 7)?, Some(2));
/// assert_eq!(search_n(&x, 4, 7)?, None);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`search`].
pub fn search_n<'a, T: Element + PartialEq>(
    within: impl Operand<'a, T>,
    count: usize,
    value: T,
) -> Result<Option<usize>> {
    let within = within.into_expr();
    let len = length(&within.graph(), "sequence to search in")?;
    if count == 0 || count > len {
        return Ok((count == 0).then_some(0));
    }
    if count == 1 {
        return within.eq(value).position_as("search_n");
    }
    let Some(queue) = within.shared_queue() else {
        let reason = "it reads no vector, and so has no queue: use `on`".to_owned();
        return Err(cl_core::Error::invalid_input("sequence to search in", reason));
    };
    // SAFETY: the scan writes every element before the search reads one.
    let mut begins = unsafe { DeviceVec::<u64>::uninit(&queue, len) }?;
    let other = within.ne(value).select(index::<u64>() + 1, 0_u64);
    inclusive_scan_with(other, |a, b| a.lt(b).select(b, a), &mut begins)?;
    // The run up to element `i` has `i + 1 - begins[i]` elements.
    let ends = (index::<u64>() + 1 - &begins).ge(count as u64).position_as("search_n")?;
    Ok(ends.map(|end| end + 1 - count))
}
