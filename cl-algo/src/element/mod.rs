//! Which Rust types can be elements of device vectors, and what they are called on the device.
//!
//! | file | concept |
//! | --- | --- |
//! | `types` | the types of the device: scalars, OpenCL vectors, complex numbers, structs |
//! | `scalars` | the Rust types that are elements as they stand |
//! | `item` | what an expression has at each place: an element, or a tuple of items |

mod item;
mod scalars;
mod types;

pub use item::Item;
pub use types::{ElementType, Field, ScalarType, StructType};

use bytemuck::Pod;

/// A type that lives on devices.
///
/// Implemented for OpenCL's scalar types and `bool`, and by `#[derive(Element)]` for types of your
/// own.
///
/// # Safety
/// [`Stored`](Element::Stored) has exactly the bytes of the OpenCL C type [`Element::TYPE`] in
/// device memory.
pub unsafe trait Element: Copy + Send + Sync + 'static {
    /// What lies in device memory: the type itself, unless some bytes are no value of it, as is so
    /// for `bool`, which is stored as `u8`.
    type Stored: Pod + Send + Sync;

    /// The type's name and nature on the device.
    const TYPE: ElementType;

    /// Host values as they are stored.
    fn as_stored(values: &[Self]) -> &[Self::Stored];

    /// The value that is stored.
    fn from_stored(stored: Self::Stored) -> Self;

    /// The value whose bytes are all 0: for numbers, zero.
    #[must_use]
    fn zeroed() -> Self {
        Self::from_stored(bytemuck::Zeroable::zeroed())
    }
}

/// Elements that can be added, subtracted, multiplied and divided.
///
/// Integers wrap around on overflow. An integer divided by zero is zero, and the smallest signed
/// integer divided by -1 is itself: on the device nothing can panic. The remainder fits the
/// quotient: `a % b == a - (a / b) * b`, so that `a % 0 == a`.
pub trait Number: Element {}

/// Numbers that can be negated.
pub trait Signed: Number {}

/// Floating-point numbers.
pub trait Float: Signed {}

/// Integers: they have bits, and can be shifted by a number of bits, which counts modulo their
/// width as in [`wrapping_shl`](i32::wrapping_shl).
pub trait Integer: Number {}

/// Scalars with an order: `< <= > >=` and what follows from it.
pub trait Ordered: Element {}

/// Elements whose bits can be combined: integers, and `bool`, whose one bit is its truth.
pub trait Bits: Element {}
