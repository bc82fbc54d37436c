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

impl Format {
    /// The largest number of [`Format::F16`].
    pub(crate) const LARGEST_F16: f32 = 65504.0;
    /// The smallest normal number of [`Format::F16`], 2^-14.
    pub(crate) const LEAST_NORMAL_F16: f32 = 6.103_515_6e-5;
    /// The distance of the subnormal numbers of [`Format::F16`] is 1 divided by this number, 2^24.
    pub(crate) const SUBNORMALS_F16: f32 = 16_777_216.0;

    /// Returns the name in kernels.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Format::Tf32 => "tf32",
            Format::Bf16 => "bf16",
            Format::F16 => "f16",
        }
    }

    /// Returns the nearest number of the format, ties to even, as the functions of `kernels/rounded.cl` do.
    pub(crate) fn rounded(self, x: f32) -> f32 {
        let without_bits = |x: f32, count: u32| {
            let bits = x.to_bits();
            let is_odd = (bits >> count) & 1;
            f32::from_bits(bits.wrapping_add(is_odd + ((1 << (count - 1)) - 1)) & !((1 << count) - 1))
        };
        if x.is_nan() {
            return f32::NAN;
        }
        match self {
            Format::Tf32 => without_bits(x, 13),
            Format::Bf16 => without_bits(x, 16),
            Format::F16 => {
                let size = x.abs();
                let normal = without_bits(size, 13);
                let nearest = if normal > Format::LARGEST_F16 {
                    f32::INFINITY
                } else if size < Format::LEAST_NORMAL_F16 {
                    (size * Format::SUBNORMALS_F16).round_ties_even() / Format::SUBNORMALS_F16
                } else {
                    normal
                };
                nearest.copysign(x)
            }
        }
    }
}
