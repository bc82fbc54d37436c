//! Index arithmetic on grids whose points lie in rows, as lazy expressions.

use cl_algo::{Element, Expr, Operand, Val, iota};

/// The index of a point along one axis of a grid, from its index in the whole.
pub(crate) fn along(index: Val<u64>, lengths: &[usize], axis: usize) -> Val<u64> {
    let inner: usize = lengths[axis + 1..].iter().product();
    index / inner.max(1) as u64 % lengths[axis].max(1) as u64
}

/// The points of a grid, moved: each axis's index is what the closure makes of it; where that is none of
/// the axis, the point is 0.
///
/// `from` are the lengths of what is moved, `to` those of the result.
pub(crate) fn moved<'a, T: Element>(
    points: impl Operand<'a, T>,
    from: &[usize],
    to: &[usize],
    place: impl Fn(usize, Val<u64>) -> Val<u64>,
) -> Expr<'a, T> {
    let len: usize = to.iter().product();
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
    there.select(points.into_expr().permute(address), T::zeroed())
}
