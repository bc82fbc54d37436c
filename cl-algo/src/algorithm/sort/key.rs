//! The elements that a radix sort takes as keys.

use crate::algorithm::moved::bits_of_floats;
use crate::algorithm::order::Less;
use crate::codegen::Parameters;
use crate::element::{ElementType, Integer, Ordered, ScalarType};
use crate::expr::{Castable, Expr, Val};
use half::f16;
use sealed::Sealed;

mod sealed {
    pub trait Sealed {}
}

/// Keys that are sorted by their digits: integers of up to 128 bits, floats and `bool`.
///
/// Floats are in the order of IEEE 754's totalOrder, the order of [`total_cmp`](f32::total_cmp): first the negative
/// NaNs, then minus infinity up to -0.0, +0.0 up to infinity, and the positive NaNs. Float keys do not need support for
/// `double` or `half` on the device.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no digits to sort by",
    label = "this is not a key of a radix sort",
    note = "keys are integers, floats and `bool`"
)]
pub trait SortKey: Ordered + Sealed {
    /// The number of bits of a key.
    const BITS: u32;

    /// The scalar type with the key's highest bit: the key's type, or the upper half of an integer of 128 bits.
    #[doc(hidden)]
    const HIGHEST: ScalarType;

    /// Returns a number in the order of the keys.
    #[doc(hidden)]
    fn rank(self) -> u128;

    /// Hands the keys over as scalars in their order: as they are, or in halves, the upper ones first.
    #[doc(hidden)]
    fn scalars<'a>(keys: Expr<'a, Self>, take: &mut impl TakeScalars<'a>);
}

/// Takes keys that are scalars, whatever their type.
#[doc(hidden)]
pub trait TakeScalars<'a> {
    fn take<K: ScalarKey>(&mut self, keys: Expr<'a, K>);
}

/// Keys of up to 64 bits, which selections by order take, such as [`Expr::select_nth`] and [`Expr::top_k`].
#[diagnostic::on_unimplemented(
    message = "elements of type `{Self}` cannot be selected by their order",
    label = "this is not a number of up to 64 bits",
    note = "sort the elements instead"
)]
pub trait ScalarKey: SortKey {
    /// Unsigned numbers in the order of the keys.
    #[doc(hidden)]
    type Digits: Digits;

    /// Returns the key as a number, rounded.
    #[doc(hidden)]
    fn to_f64(self) -> f64;
}

/// Unsigned numbers, whose digits are in the order of keys.
#[doc(hidden)]
pub trait Digits: Integer + Castable + PartialEq {}

impl Digits for u32 {}
impl Digits for u64 {}

macro_rules! keys {
    ($($type:ty = $name:ident $bits:literal $digits:ty, $to_f64:expr, $rank:expr;)*) => {$(
        impl Sealed for $type {}
        impl SortKey for $type {
            const BITS: u32 = $bits;
            const HIGHEST: ScalarType = ScalarType::$name;

            fn rank(self) -> u128 {
                let rank: fn($type) -> u128 = $rank;
                rank(self)
            }

            fn scalars<'a>(keys: Expr<'a, Self>, take: &mut impl TakeScalars<'a>) {
                take.take(keys);
            }
        }

        impl ScalarKey for $type {
            type Digits = $digits;

            fn to_f64(self) -> f64 {
                let to_f64: fn($type) -> f64 = $to_f64;
                to_f64(self)
            }
        }
    )*};
}

keys! {
    bool = Bool 1 u32, |x| f64::from(u8::from(x)), u128::from;
    i8 = I8 8 u32, f64::from, |x| (x ^ i8::MIN).cast_unsigned().into();
    u8 = U8 8 u32, f64::from, u128::from;
    i16 = I16 16 u32, f64::from, |x| (x ^ i16::MIN).cast_unsigned().into();
    u16 = U16 16 u32, f64::from, u128::from;
    i32 = I32 32 u32, f64::from, |x| (x ^ i32::MIN).cast_unsigned().into();
    u32 = U32 32 u32, f64::from, u128::from;
    i64 = I64 64 u64, |x| x as f64, |x| (x ^ i64::MIN).cast_unsigned().into();
    u64 = U64 64 u64, |x| x as f64, u128::from;
    f16 = F16 16 u32, f16::to_f64, |x| rank_of_float(x.to_bits().into(), 16);
    f32 = F32 32 u32, f64::from, |x| rank_of_float(x.to_bits().into(), 32);
    f64 = F64 64 u64, |x| x, |x| rank_of_float(x.to_bits(), 64);
}

/// Returns a number in the total order of floats of `width` bits.
fn rank_of_float(bits: u64, width: u32) -> u128 {
    let sign = 1 << (width - 1);
    let all = u64::MAX >> (64 - width);
    u128::from(bits ^ if bits & sign == 0 { sign } else { all })
}

macro_rules! wide_keys {
    ($($type:ty = $name:ident, $rank:expr;)*) => {$(
        impl Sealed for $type {}
        impl SortKey for $type {
            const BITS: u32 = 128;
            const HIGHEST: ScalarType = ScalarType::$name;

            fn rank(self) -> u128 {
                let rank: fn($type) -> u128 = $rank;
                rank(self)
            }

            fn scalars<'a>(keys: Expr<'a, Self>, take: &mut impl TakeScalars<'a>) {
                take.take(keys.clone().high());
                take.take(keys.low());
            }
        }
    )*};
}

wide_keys! {
    u128 = U64, |x| x;
    i128 = I64, |x| (x ^ i128::MIN).cast_unsigned();
}

/// The type of the keys' bits: `KEYS` of `kernels/sort_items.cl`.
#[derive(Clone, Copy, Debug, Parameters)]
pub(super) enum Keys {
    Integers = 0,
    Floats = 1,
    /// Booleans: any byte but 0 is true.
    Truths = 2,
}

/// The conversion of keys to unsigned numbers in the same order.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyKind {
    /// The size of a key in bytes.
    pub(super) bytes: usize,
    pub(super) keys: Keys,
    /// The bits to invert, of the upper half of keys of 128 bits. The bits of the lower half are inverted if the lowest
    /// bit is 1.
    pub(super) flip: u64,
    /// The type of the keys' bits, as the comparator reads them.
    pub(super) element: ElementType,
    /// Records the comparator of the keys, which reads floats by their bits only.
    pub(super) less: fn() -> Less,
}

impl KeyKind {
    pub(super) fn of<K: SortKey>(descending: bool) -> KeyKind {
        let bytes = K::TYPE.size();
        let keys = match K::HIGHEST {
            ScalarType::Bool => Keys::Truths,
            scalar if scalar.is_float() => Keys::Floats,
            _ => Keys::Integers,
        };
        let signed = K::HIGHEST.is_float() || K::HIGHEST.is_signed();
        let sign = u64::from(signed) << (8 * bytes.min(size_of::<u64>()) - 1);
        let less = if descending {
            || Less::new::<K, _>(|a, b| b.total_lt(a))
        } else {
            || Less::new::<K, _>(Val::total_lt)
        };
        let element = bits_of_floats(K::TYPE);
        KeyKind { bytes, keys, flip: if descending { !sign } else { sign }, element, less }
    }
}
