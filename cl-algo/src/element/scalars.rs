//! The Rust types that are stored unchanged.

use super::{Bits, Element, ElementType, Float, Integer, Number, Ordered, Signed};
use half::f16;

macro_rules! elements {
    ($($type:ty = $name:ident: $($class:ident)*;)*) => {$(
        // SAFETY: OpenCL fixes the size and representation of its scalar types; they equal those of the Rust type.
        unsafe impl Element for $type {
            type Stored = $type;
            const TYPE: ElementType = ElementType::$name;
            fn as_stored(values: &[$type]) -> &[$type] {
                values
            }
            fn from_stored(stored: $type) -> $type {
                stored
            }
        }
        $(impl $class for $type {})*
    )*};
}

elements! {
    i8 = I8: Number Signed Integer Ordered Bits;
    u8 = U8: Number Integer Ordered Bits;
    i16 = I16: Number Signed Integer Ordered Bits;
    u16 = U16: Number Integer Ordered Bits;
    i32 = I32: Number Signed Integer Ordered Bits;
    u32 = U32: Number Integer Ordered Bits;
    i64 = I64: Number Signed Integer Ordered Bits;
    u64 = U64: Number Integer Ordered Bits;
    f16 = F16: Number Signed Ordered;
    f32 = F32: Number Signed Ordered;
    f64 = F64: Number Signed Ordered;
}

// SAFETY: the device stores a `bool` in a `uchar`.
unsafe impl Element for bool {
    type Stored = u8;
    const TYPE: ElementType = ElementType::BOOL;
    fn as_stored(values: &[bool]) -> &[u8] {
        bytemuck::cast_slice(values)
    }
    fn from_stored(stored: u8) -> bool {
        stored != 0
    }
}

impl Bits for bool {}
impl Ordered for bool {}

macro_rules! floats {
    ($($type:ty)*) => {$(
        impl Float for $type {
            const INFINITY: $type = <$type>::INFINITY;
        }
    )*};
}

floats!(f16 f32 f64);
