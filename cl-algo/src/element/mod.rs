//! Which Rust types can be elements of device vectors, and what they are called on the device.
//!
//! | file | concept |
//! | --- | --- |
//! | `types` | the types of the device: scalars, OpenCL vectors, complex numbers, structs |
//! | `scalars` | the Rust types that are elements as they stand |
//! | `vector` | OpenCL's vectors of 2, 3, 4, 8 and 16 numbers |
//! | `complex` | complex numbers |

mod complex;
mod scalars;
mod types;
pub(crate) mod vector;

pub use complex::ComplexPart;
pub use types::{ElementType, Field, ScalarType, StructType};
pub(crate) use vector::{Component, Vector};

use bytemuck::Pod;

/// A type that lives on devices.
///
/// Implemented for OpenCL's scalar types and `bool`, for [`Vector`]s and
/// [`Complex`](num_complex::Complex) numbers, and by `#[derive(Element)]` for types of your own.
///
/// # Safety
/// [`Stored`](Element::Stored) has exactly the bytes of the OpenCL C type [`Element::TYPE`] in
/// device memory.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot live on a device",
    label = "this is no element",
    note = "elements are numbers, `bool`, `Vector`s and `Complex` numbers of them, and structs with `#[derive(Element)]`"
)]
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
///
/// [`Vector`]s do all this component by component. Of complex numbers, sums, differences and
/// products are what `num_complex` computes, bit by bit. Quotients are better: nothing overflows or
/// underflows on the way, a number divided by zero is infinite, and divided by an infinite one zero.
/// The remainder is `a - b * q`, where `q` is the quotient with both parts rounded towards zero.
pub trait Number: Element {}

/// Numbers that can be negated.
pub trait Signed: Number {}

/// Floating-point numbers.
pub trait Float: Signed + Ordered {}

/// Integers: they have bits, and can be shifted by a number of bits, which counts modulo their
/// width as in [`wrapping_shl`](i32::wrapping_shl).
pub trait Integer: Number + Ordered {}

/// Scalars with an order: `< <= > >=` and what follows from it. Of truth values, false comes before true.
pub trait Ordered: Element {}

/// Elements whose bits can be combined: integers, and `bool`, whose one bit is its truth.
pub trait Bits: Element {}
