//! The elements as the numbers of faer.

use cl_algo::{Element, Expr};
use faer::traits::ComplexField;
use num_complex::Complex;

/// An element as faer knows it. The crate implements this trait for its four types of elements.
///
/// # Safety
/// [`Element::Stored`] and [`HostScalar::Host`] have the same bytes.
#[doc(hidden)]
pub unsafe trait HostScalar: Element {
    /// The type of faer's matrices.
    type Host: ComplexField;

    /// Returns the complex conjugates of the items of an expression: real items are returned as they are.
    fn conjugate_items(items: Expr<'_, Self>) -> Expr<'_, Self>;
}

macro_rules! host_scalars {
    ($($real:ident)*) => {$(
        // SAFETY: both types are the same.
        unsafe impl HostScalar for $real {
            type Host = $real;

            fn conjugate_items(items: Expr<'_, $real>) -> Expr<'_, $real> {
                items
            }
        }

        // SAFETY: both types are the same.
        unsafe impl HostScalar for Complex<$real> {
            type Host = Complex<$real>;

            fn conjugate_items(items: Expr<'_, Complex<$real>>) -> Expr<'_, Complex<$real>> {
                items.map(|item| item.conj())
            }
        }
    )*};
}

host_scalars!(f32 f64);
