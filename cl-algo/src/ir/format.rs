//! Formats of numbers that matrix units multiply.

/// A format of floating-point numbers with fewer bits than `f32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// NVIDIA's TF32: 8 bits of exponent and 10 bits of fraction.
    Tf32,
    /// bfloat16: 8 bits of exponent and 7 bits of fraction.
    Bf16,
    /// IEEE 754's binary16: 5 bits of exponent and 10 bits of fraction. The largest number is 65504; larger ones become
    /// infinite.
    F16,
}
