//! What products add up, where there may be no entry.

use crate::index::Index;
use cl_algo::{DeviceVec, Element, Expr, Operand, Val, zip};

/// For each stored value its product with the element of its column; `zero` where there is no entry.
pub(crate) fn terms<'a, T: Element, I: Index, X: Element, Y: Element>(
    columns: usize,
    column_indices: &'a DeviceVec<I>,
    values: &'a DeviceVec<T>,
    x: impl Operand<'a, X>,
    zero: Y,
    multiply: impl FnOnce(Val<T>, Val<X>) -> Val<Y>,
) -> Expr<'a, Y> {
    let there = column_indices.iter().map(|column| column.ne(I::NOTHING));
    // Where there is no entry the first element is read, and not used.
    let column = there.clone().select(column_indices, I::default());
    // SAFETY: columns are below their number, and where there is a stored value there is a column.
    let x = unsafe { x.into_expr().gather_unchecked("matrix * vector", columns, column) };
    zip((there, zip((values, x)))).map(|(there, (a, x))| there.select(multiply(a, x), zero))
}
