//! Integers of 128 bits, which are structs of two halves on the device.
//!
//! OpenCL C has no such integers. They can be moved, compared and sorted; arithmetic is done on their halves. Device
//! functions have their operators, except divisions.

use super::{Element, ElementType, Field, Ordered, ScalarType, StructType};

/// Declares the struct of an integer, and that it is an element.
macro_rules! wide {
    ($($type:ty = $name:literal $high:ident;)*) => {$(
        // SAFETY: the struct has the integer's two halves in the order of the host's memory, and no padding. The host
        // and its devices agree on the order of bytes.
        unsafe impl Element for $type {
            type Stored = $type;
            const TYPE: ElementType = ElementType::Struct(&StructType {
                name: $name,
                size: 16,
                fields: if cfg!(target_endian = "big") {
                    &[
                        Field { name: "high", offset: 0, element: ElementType::$high },
                        Field { name: "low", offset: 8, element: ElementType::U64 },
                    ]
                } else {
                    &[
                        Field { name: "low", offset: 0, element: ElementType::U64 },
                        Field { name: "high", offset: 8, element: ElementType::$high },
                    ]
                },
            });
            fn as_stored(values: &[$type]) -> &[$type] {
                values
            }
            fn from_stored(stored: $type) -> $type {
                stored
            }
        }
        impl Ordered for $type {}
    )*};
}

wide! {
    u128 = "u128" U64;
    i128 = "i128" I64;
}

/// The number of the field that is the lower half.
pub(crate) const LOW: u32 = if cfg!(target_endian = "big") { 1 } else { 0 };
/// The number of the field that is the upper half.
pub(crate) const HIGH: u32 = 1 - LOW;

impl ElementType {
    /// Returns the scalar type of the upper half of an integer of 128 bits.
    pub(crate) fn wide(self) -> Option<ScalarType> {
        match self {
            // The names of other structs are paths of Rust, with `::`.
            ElementType::Struct(of) if matches!(of.name, "u128" | "i128") => {
                of.fields.get(HIGH as usize)?.element.scalar()
            }
            _ => None,
        }
    }
}
