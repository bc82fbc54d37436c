//! The halves of integers of 128 bits.

use super::{AnyExpr, Composite, Expr, Operand, PartOp, Symbol, Val};
use crate::element::wide::{HIGH, LOW};

/// Orders the halves as the fields of the struct on the device.
fn in_order<T>(high: T, low: T) -> [T; 2] {
    if LOW == 0 { [low, high] } else { [high, low] }
}

macro_rules! halves {
    ($($type:ident $high:ident;)*) => {$(
        impl<'a> Expr<'a, $type> {
            #[doc = concat!("Returns lazy `", stringify!($type), "`s of their upper and lower halves.")]
            pub fn from_halves(high: impl Operand<'a, $high>, low: impl Operand<'a, u64>) -> Expr<'a, $type> {
                Expr::made_of(in_order(AnyExpr::of::<$high>(high), AnyExpr::of::<u64>(low)))
            }

            /// Returns the upper half of each integer.
            pub fn high(self) -> Expr<'a, $high> {
                self.part(PartOp::field(HIGH))
            }

            /// Returns the lower half of each integer.
            pub fn low(self) -> Expr<'a, u64> {
                self.part(PartOp::field(LOW))
            }
        }

        impl Val<$type> {
            #[doc = concat!("Returns the symbolic `", stringify!($type), "` of its upper and its lower half.")]
            #[must_use]
            pub fn from_halves(high: impl Symbol<$high>, low: impl Symbol<u64>) -> Val<$type> {
                let (high, low) = (high.into_val(), low.into_val());
                Val::made_of(&in_order::<&dyn super::AnyVal>(&high, &low))
            }

            /// Returns the upper half.
            #[must_use]
            pub fn high(self) -> Val<$high> {
                self.part(PartOp::field(HIGH))
            }

            /// Returns the lower half.
            #[must_use]
            pub fn low(self) -> Val<u64> {
                self.part(PartOp::field(LOW))
            }
        }
    )*};
}

halves! {
    u128 u64;
    i128 i64;
}
