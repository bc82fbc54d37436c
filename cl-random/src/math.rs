//! Logarithm, exponential, sine and cosine, made of operations that round alike everywhere. The device
//! computes the same bits as the host, which OpenCL's own functions do not promise.
//!
//! The polynomials interpolate at Chebyshev nodes. Their coefficients were computed with 200 bits, then
//! rounded. The relative errors are at most 2^-28 for `f32`, and 2^-55 for `f64`.

use cl_algo::device_fn;

/// Returns the natural logarithm of a positive normal number.
#[device_fn]
pub(crate) fn ln_f32(x: f32) -> f32 {
    let bits = x.to_bits();
    // x = 2^exponent (1 + f), with 1 + f between the square roots of 1/2 and of 2.
    let exponent = (bits.wrapping_sub(0x3f35_04f3) as i32) >> 23;
    let f = f32::from_bits(bits.wrapping_sub((exponent << 23) as u32)) - 1.0;
    let mut p = 0.069_716_12;
    p = f.mul_add(p, -0.114_797_34);
    p = f.mul_add(p, 0.116_854_2);
    p = f.mul_add(p, -0.124_256_87);
    p = f.mul_add(p, 0.142_490_58);
    p = f.mul_add(p, -0.166_678_03);
    p = f.mul_add(p, 0.200_007_16);
    p = f.mul_add(p, -0.249_999_97);
    p = f.mul_add(p, 0.333_333_3);
    let e = exponent as f32;
    let square = f * f;
    let small = (square * f).mul_add(p, e * 1.428_606_8e-6);
    e.mul_add(0.693_145_75, f + square.mul_add(-0.5, small))
}

/// Does the same as [`ln_f32`] for `f64`.
#[device_fn]
pub(crate) fn ln_f64(x: f64) -> f64 {
    let bits = x.to_bits();
    let exponent = (bits.wrapping_sub(0x3fe6_a09e_667f_3bcd) as i64) >> 52;
    let f = f64::from_bits(bits.wrapping_sub((exponent << 52) as u64)) - 1.0;
    // ln (1 + f) = 2 artanh s.
    let s = f / (2.0 + f);
    let z = s * s;
    let mut p = 0.146_164_496_850_434_06;
    p = z.mul_add(p, 0.153_317_216_005_560_42);
    p = z.mul_add(p, 0.181_828_891_252_617_23);
    p = z.mul_add(p, 0.222_222_111_347_950_8);
    p = z.mul_add(p, 0.285_714_286_259_754_87);
    p = z.mul_add(p, 0.399_999_999_998_995_05);
    p = z.mul_add(p, 0.666_666_666_666_667);
    let e = exponent as f64;
    let half = 0.5 * f * f;
    let small = s.mul_add(half + z * p, e * 5.497_923_018_708_371e-14);
    e.mul_add(0.693_147_180_559_890_3, f - (half - small))
}

/// Returns e^x, or 0 if e^x is below the smallest normal number.
#[device_fn]
pub(crate) fn exp_f32(x: f32) -> f32 {
    if x > 88.722_84 {
        return f32::INFINITY;
    }
    if !(x > -87.33) {
        return if x <= -87.33 { 0.0 } else { x };
    }
    let k = (x * 1.442_695).round_ties_even();
    let r = k.mul_add(-1.428_606_8e-6, k.mul_add(-0.693_145_75, x));
    let mut p = 0.000_198_909_81;
    p = r.mul_add(p, 0.001_393_364_2);
    p = r.mul_add(p, 0.008_333_31);
    p = r.mul_add(p, 0.041_666_467);
    p = r.mul_add(p, 0.166_666_67);
    p = r.mul_add(p, 0.5);
    // 2^k in two factors, because 2^128 is not an `f32`.
    let whole = k as i32;
    let first = whole >> 1;
    let scale = f32::from_bits(((first + 127) << 23) as u32);
    let rest = f32::from_bits(((whole - first + 127) << 23) as u32);
    ((r * r).mul_add(p, r) + 1.0) * scale * rest
}

/// Does the same as [`exp_f32`] for `f64`.
#[device_fn]
pub(crate) fn exp_f64(x: f64) -> f64 {
    if x > 709.782_712_893_384 {
        return f64::INFINITY;
    }
    if !(x > -708.39) {
        return if x <= -708.39 { 0.0 } else { x };
    }
    // Adding 1.5 * 2^52 rounds to an integer and leaves it in the lowest bits of the sum. A conversion to an
    // integer would be slow on CPUs.
    let shifted = x * 1.442_695_040_888_963_4 + 6_755_399_441_055_744.0;
    let k = shifted - 6_755_399_441_055_744.0;
    let r = k.mul_add(-5.497_923_018_708_371e-14, k.mul_add(-0.693_147_180_559_890_3, x));
    let mut p = 2.510_037_583_256_123_4e-8;
    p = r.mul_add(p, 2.762_007_587_998_336_7e-7);
    p = r.mul_add(p, 2.755_726_848_031_002_4e-6);
    p = r.mul_add(p, 2.480_152_132_236_869_2e-5);
    p = r.mul_add(p, 0.000_198_412_698_630_405_45);
    p = r.mul_add(p, 0.001_388_888_891_719_671_9);
    p = r.mul_add(p, 0.008_333_333_333_330_065);
    p = r.mul_add(p, 0.041_666_666_666_624_164);
    p = r.mul_add(p, 0.166_666_666_666_666_69);
    p = r.mul_add(p, 0.500_000_000_000_000_1);
    let whole = shifted.to_bits().wrapping_sub(0x4338_0000_0000_0000) as i64;
    let first = whole >> 1;
    let scale = f64::from_bits(((first + 1023) << 52) as u64);
    let rest = f64::from_bits(((whole - first + 1023) << 52) as u64);
    ((r * r).mul_add(p, r) + 1.0) * scale * rest
}

/// Returns the cosine and the sine of 2 pi `turn` / 2^64. Splitting `turn` into the quarter and the rest is
/// exact.
#[device_fn]
pub(crate) fn cos_sin_f64(turn: u64) -> (f64, f64) {
    let quarter = turn.wrapping_add(0x2000_0000_0000_0000) >> 62;
    let within = turn.wrapping_sub(quarter << 62) as i64;
    let x = within as f64 * 3.406_121_580_086_554_5e-19;
    let z = x * x;
    let mut s = 1.591_812_929_486_660_8e-10;
    s = z.mul_add(s, -2.505_113_184_500_362_4e-8);
    s = z.mul_add(s, 2.755_731_610_255_244e-6);
    s = z.mul_add(s, -0.000_198_412_698_367_585_74);
    s = z.mul_add(s, 0.008_333_333_333_330_948);
    s = z.mul_add(s, -0.166_666_666_666_666_66);
    let sine = (x * z).mul_add(s, x);
    let mut c = -1.138_263_242_552_171_7e-11;
    c = z.mul_add(c, 2.087_614_626_840_32e-9);
    c = z.mul_add(c, -2.755_731_727_172_979_3e-7);
    c = z.mul_add(c, 2.480_158_729_876_569e-5);
    c = z.mul_add(c, -0.001_388_888_888_888_739_8);
    c = z.mul_add(c, 0.041_666_666_666_666_664);
    let cosine = (z * z).mul_add(c, z.mul_add(-0.5, 1.0));
    let swapped = quarter & 1 == 1;
    let a = if swapped { sine } else { cosine };
    let b = if swapped { cosine } else { sine };
    (if (quarter + 1) & 2 == 2 { -a } else { a }, if quarter & 2 == 2 { -b } else { b })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the largest error, in units in the last place of the result.
    fn worst_f32(of: impl Fn(f32) -> f32, exact: impl Fn(f64) -> f64, at: impl Iterator<Item = f32>) -> f64 {
        let error = |x: f32| {
            let wanted = exact(x.into());
            let ulp = f64::from(f32::EPSILON) * 2.0_f64.powf(wanted.abs().log2().floor());
            (f64::from(of(x)) - wanted).abs() / ulp
        };
        at.map(error).fold(0.0, f64::max)
    }

    fn worst_f64(of: impl Fn(f64) -> f64, wanted: impl Fn(f64) -> f64, at: impl Iterator<Item = f64>) -> f64 {
        let error = |x: f64| {
            let wanted = wanted(x);
            (of(x) - wanted).abs() / (f64::EPSILON * 2.0_f64.powf(wanted.abs().log2().floor()))
        };
        at.map(error).fold(0.0, f64::max)
    }

    #[test]
    fn logarithms_are_close() {
        let bits = (1_u32..1 << 20).map(|i| f32::from_bits(0x2f00_0000 + i * 0x117));
        assert!(worst_f32(ln_f32, f64::ln, bits.filter(|&x| x != 1.0)) < 1.5);
        let near = (1_u32..1 << 18).map(|i| f32::from_bits(0x3f80_0000 - i));
        assert!(worst_f32(ln_f32, f64::ln, near) < 1.5);
        let bits = (1_u64..1 << 19).map(|i| f64::from_bits(0x3c00_0000_0000_0000 + i * 0x7_f100_0f33));
        assert!(worst_f64(ln_f64, f64::ln, bits.filter(|&x| x != 1.0)) < 2.0);
        let near = (1_u64..1 << 18).map(|i| f64::from_bits(0x3ff0_0000_0000_0000 - i * i * i));
        assert!(worst_f64(ln_f64, libm::log, near) < 2.0);
        assert_eq!((ln_f32(1.0), ln_f64(1.0)), (0.0, 0.0));
    }

    #[test]
    fn exponentials_are_close() {
        let at = (-(1_i32 << 18)..1 << 18).map(|i| i as f32 * 3.3e-4);
        assert!(worst_f32(exp_f32, f64::exp, at) < 1.5);
        let at = (-(1_i32 << 18)..1 << 18).map(|i| f64::from(i) * 2.7e-3);
        assert!(worst_f64(exp_f64, f64::exp, at) < 2.0);
        assert_eq!((exp_f32(89.0), exp_f32(-200.0)), (f32::INFINITY, 0.0));
        assert_eq!((exp_f64(710.0), exp_f64(-2000.0)), (f64::INFINITY, 0.0));
        assert!(exp_f32(f32::NAN).is_nan() && exp_f64(f64::NAN).is_nan());
        assert!(exp_f32(88.72).is_finite() && exp_f64(709.78).is_finite());
    }

    #[test]
    fn circles_are_round() {
        for i in 0..1_u32 << 18 {
            let turn = i.wrapping_mul(0x9e37_79b9);
            let angle = f64::from(turn) * std::f64::consts::TAU / 4_294_967_296.0;
            let (c, s) = cos_sin_f64(u64::from(turn) << 32);
            assert!((c - angle.cos()).abs() < 1e-15 && (s - angle.sin()).abs() < 1e-15, "{turn}");
        }
        assert_eq!(
            [0, 1 << 62, 1 << 63, 3 << 62].map(cos_sin_f64),
            [(1., 0.), (0., 1.), (-1., 0.), (0., -1.)]
        );
    }
}
