//! The terms of products, for forms with padding.

use crate::index::Index;
use cl_algo::{DeviceVec, Element, Expr, Operand, Val, zip};

/// Returns, for each stored value, its product with the vector's element in its column. The product is `zero`
/// for padding.
pub(crate) fn terms<'a, T: Element, I: Index, X: Element, Y: Element>(
    columns: usize,
    column_indices: &'a DeviceVec<I>,
    values: &'a DeviceVec<T>,
    x: impl Operand<'a, X>,
    zero: Y,
    multiply: impl FnOnce(Val<T>, Val<X>) -> Val<Y>,
) -> Expr<'a, Y> {
    let there = column_indices.iter().map(|column| column.ne(I::NOTHING));
    // For padding, the kernel loads the first element of the vector, and ignores it.
    let column = there.clone().select(column_indices, I::default());
    // SAFETY: each column is less than `columns`, and if a value is stored there is at least one column.
    let x = unsafe { x.into_expr().gather_unchecked("matrix * vector", columns, column) };
    zip((there, zip((values, x)))).map(|(there, (a, x))| there.select(multiply(a, x), zero))
}
