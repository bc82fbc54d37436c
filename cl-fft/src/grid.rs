//! Index arithmetic on grids in row-major order, as lazy expressions.

use cl_algo::{Element, Expr, Operand, Val, iota};
use cl_core::{Error, Result};

/// Returns the number of points of a grid.
///
/// # Errors
/// [`Error::InvalidInput`] if there are more points than signed indices can count.
pub(crate) fn points(lengths: &[usize]) -> Result<usize> {
    if lengths.contains(&0) {
        return Ok(0);
    }
    let product = lengths.iter().try_fold(1_usize, |product, &length| product.checked_mul(length));
    product.filter(|&points| isize::try_from(points).is_ok()).ok_or_else(|| {
        let reason = format!("{lengths:?} have more than {} points", isize::MAX);
        Error::invalid_input("lengths of a grid", reason)
    })
}

/// Returns the index of a point along one axis of a grid, from its index in the whole grid.
pub(crate) fn along(index: Val<u64>, lengths: &[usize], axis: usize) -> Val<u64> {
    // The product saturates only in a grid without points: if one length is 0, the others may be of any size.
    let inner = lengths[axis + 1..].iter().fold(1_usize, |product, &length| product.saturating_mul(length));
    index / inner.max(1) as u64 % lengths[axis].max(1) as u64
}

/// Returns a grid whose points are moved. The closure maps each axis's index in the result to an index of the
/// operand. A point is 0 if an index lies outside its axis.
///
/// `from` has the lengths of the operand, `to` those of the result. Too many points are a deferred error.
pub(crate) fn moved<'a, T: Element>(
    operand: impl Operand<'a, T>,
    from: &[usize],
    to: &[usize],
    place: impl Fn(usize, Val<u64>) -> Val<u64>,
) -> Expr<'a, T> {
    let (len, error) = match points(to) {
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
    match error {
        Some(error) => moved.failed(error),
        None => moved,
    }
}
