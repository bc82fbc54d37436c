//! The Rust types that can be elements of device vectors, and their types on the device.
//!
//! | file | concept |
//! | --- | --- |
//! | `types` | the types of the device: scalars, OpenCL vectors, complex numbers, structs |
//! | `scalars` | the Rust types that are stored unchanged |
//! | `vector` | OpenCL's vectors of 2, 3, 4, 8 and 16 numbers |
//! | `complex` | complex numbers |
//! | `wide` | integers of 128 bits |

mod complex;
mod scalars;
mod types;
pub(crate) mod vector;
pub(crate) mod wide;

pub use complex::ComplexPart;
pub use types::{ElementType, Field, ScalarType, StructType};
pub(crate) use vector::{Component, Vector};

use bytemuck::Pod;

/// A type that lives on devices.
///
/// Implemented for OpenCL's scalar types and `bool`, for [`Vector`]s and
/// [`Complex`](num_complex::Complex) numbers, for `u128` and `i128`, and by `#[derive(Element)]` for types of your own.
///
/// # Safety
/// [`Stored`](Element::Stored) has exactly the bytes of the OpenCL C type [`Element::TYPE`] in
/// device memory.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot live on a device",
    label = "not an element",
    note = "elements are numbers of a fixed size (`u32` or `u64` in place of `usize`), `bool`, `Vector`s and `Complex` numbers of them, and structs with `#[derive(Element)]`"
)]
pub unsafe trait Element: Copy + Send + Sync + 'static {
    /// The type stored in device memory. It is the type itself, unless some bit patterns are not valid values of it:
    /// `bool` is stored as `u8`.
    type Stored: Pod + Send + Sync;

    /// The type on the device.
    const TYPE: ElementType;

    /// Returns host values in the form in which they are stored.
    fn as_stored(values: &[Self]) -> &[Self::Stored];

    /// Returns the value of a stored element.
    fn from_stored(stored: Self::Stored) -> Self;

    /// Returns the value whose bytes are all 0: for numbers, zero.
    #[must_use]
    fn zeroed() -> Self {
        Self::from_stored(bytemuck::Zeroable::zeroed())
    }
}

/// Elements that can be added, subtracted, multiplied and divided.
///
/// Integers wrap around on overflow. An integer divided by zero is zero, and the smallest signed integer divided by -1
/// is itself, because nothing on the device can panic. The remainder fits the quotient: `a % b == a - (a / b) * b`, so
/// `a % 0 == a`.
///
/// [`Vector`]s do this component by component. Sums, differences and products of complex numbers equal those of
/// `num_complex` bit by bit. Quotients are more accurate: no intermediate value overflows or underflows, a number
/// divided by zero is infinite, and a number divided by an infinite one is zero. The remainder is `a - b * q`, where
/// `q` is the quotient with both parts rounded towards zero.
pub trait Number: Element {}

/// Numbers that can be negated.
pub trait Signed: Number {}

/// Floating-point numbers.
pub trait Float: Signed + Ordered + std::ops::Neg<Output = Self> {
    /// Positive infinity.
    const INFINITY: Self;
}

/// Integers: their bits can be combined and shifted. The number of bits to shift by counts modulo the width, as in
/// [`wrapping_shl`](i32::wrapping_shl).
pub trait Integer: Number + Ordered {}

/// Scalars and integers of 128 bits, which have an order: `< <= > >=` and functions based on them. For `bool`, `false`
/// comes before `true`.
pub trait Ordered: Element {}

/// Elements whose bits can be combined: integers, and `bool`, which has one bit.
pub trait Bits: Element {}
