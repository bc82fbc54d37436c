//! Two normal numbers from two words, by the method of Box and Muller ("A note on the generation of random normal
//! deviates", 1958). The first word gives the distance of a point from the origin of the plane, the second word its
//! direction. The square of the distance is twice an exponential number.
//!
//! For `f32` each instruction counts, because GPUs can store numbers faster than they compute them. The
//! logarithm, sine and cosine of this module therefore have no branches and no selections, and support only
//! the arguments that occur here. The relative errors of the polynomials are below 2^-24. The polynomials
//! were computed like those of `math`.

use crate::math::{cos_sin_f64, ln_f64};
use cl_algo::device_fn;
use cl_algo::function::SqrtNormal;

/// Returns two numbers of the standard normal distribution, from all bits of two words.
#[device_fn]
pub(crate) fn normals_f32(a: u32, b: u32) -> (f32, f32) {
    let (cosine, sine) = half_circle(b);
    // A set highest bit selects the opposite half of the circle.
    let radius = f32::from_bits(square_of_radius_f32(a).sqrt_normal().to_bits() ^ (b & 0x8000_0000));
    (radius * cosine, radius * sine)
}

/// Returns -2 ln u, where u is about (`word` + 1/2) / 2^32. The factor of `word` is the float before 2^-32,
/// so that u is below 1 with any rounding, and the result is above 0. The result is finite, because u is
/// never 0.
#[device_fn]
pub(crate) fn square_of_radius_f32(word: u32) -> f32 {
    let u = (word as f32).mul_add(2.328_306_3e-10, 1.164_153_2e-10);
    // u = 2^e (1 + f), with 1 + f between the square roots of 1/2 and of 2. `exponent` is e * 2^23: e in the
    // exponent bits of a float.
    let exponent = u.to_bits().wrapping_sub(0x3f35_04f3) & 0xff80_0000;
    let f = f32::from_bits(u.to_bits().wrapping_sub(exponent)) - 1.0;
    // -2 ln (1 + f) / f.
    let mut p = -0.170_666_26;
    p = f.mul_add(p, 0.285_385_16);
    p = f.mul_add(p, -0.299_548_03);
    p = f.mul_add(p, 0.331_559_87);
    p = f.mul_add(p, -0.399_118_66);
    p = f.mul_add(p, 0.500_027_06);
    p = f.mul_add(p, -0.666_683_85);
    p = f.mul_add(p, 0.999_999_94);
    p = f.mul_add(p, -2.0);
    // -2 ln 2 / 2^23.
    (exponent as i32 as f32).mul_add(-1.652_591_5e-7, f * p)
}

/// Returns the cosine and the sine of pi t, where t is in [-1/2, 1/2): the lower 31 bits of `turn`, as a
/// signed number, divided by 2^31.
#[device_fn]
fn half_circle(turn: u32) -> (f32, f32) {
    let t = (turn << 1) as i32 as f32 * 2.328_306_4e-10;
    (sine_of_pi(0.5 - t.abs()), sine_of_pi(t))
}

/// Returns the sine of pi `t`, for `t` from -1/2 to 1/2.
#[device_fn]
fn sine_of_pi(t: f32) -> f32 {
    let z = t * t;
    let mut p = 0.077_655_91;
    p = z.mul_add(p, -0.598_290_4);
    p = z.mul_add(p, 2.550_077_4);
    p = z.mul_add(p, -5.167_710_3);
    p = z.mul_add(p, 3.141_592_7);
    t * p
}

/// Returns the same as [`normals_f32`], in `f64`.
#[device_fn]
pub(crate) fn normals_f64(a: u64, b: u64) -> (f64, f64) {
    let radius = square_of_radius_f64(a).sqrt();
    let direction = cos_sin_f64(b);
    (radius * direction.0, radius * direction.1)
}

/// Returns -2 ln u, where u is (`word` + 1/2) / 2^64.
#[device_fn]
pub(crate) fn square_of_radius_f64(word: u64) -> f64 {
    // The argument is never 0, so that its logarithm is finite.
    2.0 * (0.0 - ln_f64((word as f64).mul_add(5.421_010_862_427_522e-20, 2.710_505_431_213_761e-20)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns words at both ends, and a million between.
    fn words() -> impl Iterator<Item = u32> {
        let ends = (0..1 << 12).flat_map(|i| [i, !i]);
        ends.chain((0..1 << 20).map(|i: u32| i.wrapping_mul(0x9e37_79b9)))
    }

    #[test]
    fn radii_are_close() {
        for word in words() {
            let u = f64::from((word as f32).mul_add(2.328_306_3e-10, 1.164_153_2e-10));
            assert!(u > 0.0 && u < 1.0, "{word}");
            let (square, exact) = (f64::from(square_of_radius_f32(word)), -2.0 * u.ln());
            // The error is largest where the term of the exponent and that of f nearly cancel: the larger
            // term was rounded twice, and the result is only half as large.
            assert!((square / exact - 1.0).abs() < 3e-7, "{word}: {square} instead of {exact}");
        }
        assert_eq!(square_of_radius_f32(u32::MAX), 2.0_f32.powi(-23));
    }

    #[test]
    fn circles_are_round() {
        for turn in words() {
            let angle = f64::from((turn << 1) as i32) * std::f64::consts::PI / 4_294_967_296.0;
            let (c, s) = half_circle(turn);
            let error = (f64::from(c) - angle.cos()).abs().max((f64::from(s) - angle.sin()).abs());
            // The bound is half a unit in the last place of t, of p and of the sine, plus the polynomial's
            // error.
            assert!(error < 1.6e-7, "{turn}: {error}");
        }
        assert_eq!(half_circle(0), (1.0, 0.0));
        assert_eq!(half_circle(1 << 30), (0.0, -1.0));
    }

    #[test]
    fn normals_stay_below_reach() {
        assert!(square_of_radius_f32(0).sqrt() < 6.8);
        for direction in words() {
            let (a, b) = normals_f32(0, direction);
            assert!(a.abs() < 6.8 && b.abs() < 6.8);
        }
    }
}
