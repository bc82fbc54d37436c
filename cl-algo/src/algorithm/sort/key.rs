//! The elements that a radix sort takes as keys.

use crate::codegen::Parameters;
use crate::element::{Element, Integer, ScalarType};
use crate::expr::Castable;
use half::f16;
use sealed::Sealed;

mod sealed {
    pub trait Sealed {}
}

/// Keys that are sorted by their digits: numbers and `bool`.
///
/// Floats are in the order of IEEE 754's totalOrder, the order of [`total_cmp`](f32::total_cmp): first the negative
/// NaNs, then minus infinity up to -0.0, +0.0 up to infinity, and the positive NaNs. Float keys do not need support for
/// `double` or `half` on the device.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no digits to sort by",
    label = "this is not a key of a radix sort",
    note = "keys are integers, floats and `bool`"
)]
pub trait SortKey: Element + Sealed {
    /// The number of bits of a key.
    const BITS: u32;

    /// Unsigned numbers in the order of the keys.
    #[doc(hidden)]
    type Digits: Digits;

    /// Returns the key as a number, rounded.
    #[doc(hidden)]
    fn to_f64(self) -> f64;

    /// Returns a number in the order of the keys.
    #[doc(hidden)]
    fn rank(self) -> u128;
}

/// Unsigned numbers, whose digits are in the order of keys.
#[doc(hidden)]
pub trait Digits: Integer + Castable + PartialEq {}

impl Digits for u32 {}
impl Digits for u64 {}

macro_rules! keys {
    ($($type:ty = $bits:literal $digits:ty, $to_f64:expr, $rank:expr;)*) => {$(
        impl Sealed for $type {}
        impl SortKey for $type {
            const BITS: u32 = $bits;
            type Digits = $digits;

            fn to_f64(self) -> f64 {
                let to_f64: fn($type) -> f64 = $to_f64;
                to_f64(self)
            }

            fn rank(self) -> u128 {
                let rank: fn($type) -> u128 = $rank;
                rank(self)
            }
        }
    )*};
}

keys! {
    bool = 1 u32, |x| f64::from(u8::from(x)), u128::from;
    i8 = 8 u32, f64::from, |x| (x ^ i8::MIN).cast_unsigned().into();
    u8 = 8 u32, f64::from, u128::from;
    i16 = 16 u32, f64::from, |x| (x ^ i16::MIN).cast_unsigned().into();
    u16 = 16 u32, f64::from, u128::from;
    i32 = 32 u32, f64::from, |x| (x ^ i32::MIN).cast_unsigned().into();
    u32 = 32 u32, f64::from, u128::from;
    i64 = 64 u64, |x| x as f64, |x| (x ^ i64::MIN).cast_unsigned().into();
    u64 = 64 u64, |x| x as f64, u128::from;
    f16 = 16 u32, f16::to_f64, |x| rank_of_float(x.to_bits().into(), 16);
    f32 = 32 u32, f64::from, |x| rank_of_float(x.to_bits().into(), 32);
    f64 = 64 u64, |x| x, |x| rank_of_float(x.to_bits(), 64);
}

/// Returns a number in the total order of floats of `width` bits.
fn rank_of_float(bits: u64, width: u32) -> u128 {
    let sign = 1 << (width - 1);
    let all = u64::MAX >> (64 - width);
    u128::from(bits ^ if bits & sign == 0 { sign } else { all })
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
    /// The bits to invert.
    pub(super) flip: u64,
}

impl KeyKind {
    pub(super) fn of<K: SortKey>(descending: bool) -> KeyKind {
        let (bytes, scalar) = (K::TYPE.size(), K::TYPE.scalar());
        let keys = match scalar {
            Some(ScalarType::Bool) => Keys::Truths,
            Some(scalar) if scalar.is_float() => Keys::Floats,
            _ => Keys::Integers,
        };
        let signed = matches!(keys, Keys::Floats) || scalar.is_some_and(ScalarType::is_signed);
        let sign = u64::from(signed) << (8 * bytes - 1);
        KeyKind { bytes, keys, flip: if descending { !sign } else { sign } }
    }
}
