//! Index arithmetic on grids whose points lie in rows, as lazy expressions.

use cl_algo::{Element, Expr, Operand, Val, iota};
use cl_core::{Error, Result};

/// The number of points of a grid.
///
/// # Errors
/// [`Error::InvalidInput`] where there are more than memory can have, or signed indices can count.
pub(crate) fn points(lengths: &[usize]) -> Result<usize> {
    if lengths.contains(&0) {
        return Ok(0);
    }
    let product = lengths.iter().try_fold(1_usize, |product, &length| product.checked_mul(length));
    product.filter(|&points| isize::try_from(points).is_ok()).ok_or_else(|| {
        let reason = format!("{lengths:?} are more than {} points", isize::MAX);
        Error::InvalidInput { what: "lengths of a grid", reason }
    })
}

/// The index of a point along one axis of a grid, from its index in the whole.
pub(crate) fn along(index: Val<u64>, lengths: &[usize], axis: usize) -> Val<u64> {
    // Of a grid without points the other lengths may be anything.
    let inner = lengths[axis + 1..].iter().fold(1_usize, |product, &length| product.saturating_mul(length));
    index / inner.max(1) as u64 % lengths[axis].max(1) as u64
}

/// The points of a grid, moved: each axis's index is what the closure makes of it; where that is none of
/// the axis, the point is 0.
///
/// `from` are the lengths of what is moved, `to` those of the result. Too many points are a mistake, which the
/// evaluation reports.
pub(crate) fn moved<'a, T: Element>(
    operand: impl Operand<'a, T>,
    from: &[usize],
    to: &[usize],
    place: impl Fn(usize, Val<u64>) -> Val<u64>,
) -> Expr<'a, T> {
    let (len, mistake) = match points(to) {
        Ok(len) => (len, None),
        Err(error) => (0, Some(error)),
    };
    let (from, to) = (from.to_vec(), to.to_vec());
    let places = iota(0_u64, len).map(|index| {
        let mut sum: Option<(Val<bool>, Val<u64>)> = None;
        for (axis, &length) in from.iter().enumerate() {
            let at = place(axis, along(index, &to, axis));
            let inside = at.lt(length as u64);
            let own = inside.select(at, 0);
            sum = Some(match sum {
                None => (inside, own),
                Some((there, address)) => (there & inside, address * length as u64 + own),
            });
        }
        // Without axes there is one point.
        sum.unwrap_or_else(|| (index.eq(index), index))
    });
    let (there, address) = places.unzip();
    let moved = there.select(operand.into_expr().gather(address), T::zeroed());
    match mistake {
        Some(error) => moved.failed(error),
        None => moved,
    }
}
