//! Methods of primitive types.

use crate::support::{integers, pairs};
use cl_algo::device_fn;
use cl_core::Queue;
use cl_test::each_device;

macro_rules! methods {
    ($($name:ident($($x:ident: $of:ty),*) -> $result:ty = $value:expr;)*) => {$(
        #[device_fn]
        fn $name($($x: $of),*) -> $result {
            $value
        }
    )*};
}

/// Integer methods of one type, each compared exactly.
macro_rules! integer_methods {
    ($module:ident, $of:ident, $signed:tt) => {
        mod $module {
            use super::*;

            methods! {
                smaller(a: $of, b: $of) -> $of = a.min(b);
                larger(a: $of, b: $of) -> $of = $of::max(a, b);
                clamped(a: $of, b: $of) -> $of = a.clamp(b.min(10), b.max(20));
                added(a: $of, b: $of) -> $of = a.saturating_add(b);
                subtracted(a: $of, b: $of) -> $of = a.saturating_sub(b);
                power(a: $of, b: $of) -> $of = a.wrapping_pow(b as u32 & 7);
                rotated(a: $of, b: $of) -> $of = a.rotate_left(b as u32 & 127) ^ a.rotate_right(b as u32 & 63);
                counts(a: $of) -> u32 = a.count_ones() + 100 * a.count_zeros();
                leading(a: $of) -> u32 = a.leading_zeros() + 100 * a.leading_ones();
                trailing(a: $of) -> u32 = a.trailing_zeros() + 100 * a.trailing_ones();
                euclid(a: $of, b: $of) -> $of =
                    if b == 0 || b == (0 as $of).wrapping_sub(1) { 0 } else { a.div_euclid(b) ^ a.rem_euclid(b) };
                distance(a: $of, b: $of) -> u64 = a.abs_diff(b) as u64;
            }

            #[test]
            fn are_those_of_rust() {
                each_device(|device| {
                    let queue = &Queue::on(device).unwrap();
                    let values: Vec<$of> = integers().into_iter().map(|value| value as $of).collect();
                    let (a, b) = pairs(&values);
                    agree!(queue, 0, smaller(a, b));
                    agree!(queue, 0, larger(a, b));
                    agree!(queue, 0, clamped(a, b));
                    agree!(queue, 0, added(a, b));
                    agree!(queue, 0, subtracted(a, b));
                    agree!(queue, 0, power(a, b));
                    agree!(queue, 0, rotated(a, b));
                    agree!(queue, 0, counts(values));
                    agree!(queue, 0, leading(values));
                    agree!(queue, 0, trailing(values));
                    agree!(queue, 0, euclid(a, b));
                    agree!(queue, 0, distance(a, b));
                });
            }

            integer_methods!($signed $of);
        }
    };
    (true $of:ident) => {
        methods! {
            signs(a: $of) -> $of = a.signum() ^ a.wrapping_abs();
            sides(a: $of) -> u64 = a.unsigned_abs() as u64 + u64::from(a.is_negative()) + 2 * u64::from(a.is_positive());
        }

        #[test]
        fn of_signed_ones() {
            each_device(|device| {
                let queue = &Queue::on(device).unwrap();
                let values: Vec<$of> = integers().into_iter().map(|value| (value >> 1) as $of).collect();
                agree!(queue, 0, signs(values));
                agree!(queue, 0, sides(values));
            });
        }
    };
    (false $of:ident) => {
        methods! {
            is_power(a: $of) -> bool = a.is_power_of_two();
        }

        #[test]
        fn of_unsigned_ones() {
            each_device(|device| {
                let queue = &Queue::on(device).unwrap();
                let values: Vec<$of> = integers().into_iter().map(|value| value as $of).collect();
                agree!(queue, 0, is_power(values));
            });
        }
    };
}

integer_methods!(i8_methods, i8, true);
integer_methods!(u8_methods, u8, false);
integer_methods!(i16_methods, i16, true);
integer_methods!(u32_methods, u32, false);
integer_methods!(i32_methods, i32, true);
integer_methods!(i64_methods, i64, true);
integer_methods!(u64_methods, u64, false);

methods! {
    floor(x: f32, y: f32) -> f32 = x.floor() + y.ceil();
    round(x: f32, y: f32) -> f32 = x.round() + 100.0 * y.round_ties_even();
    trunc(x: f32, y: f32) -> f32 = x.trunc() + y.fract();
    fabs(x: f32, y: f32) -> f32 = x.abs().copysign(y);
    extremes(x: f32, y: f32) -> f32 = x.min(y) + 3.0 * x.max(y);
    clamp(x: f32, y: f32) -> f32 = x.clamp(-1.5, 2.5) + y.signum();
    fused(x: f32, y: f32) -> f32 = x.mul_add(y, 0.1);
    bits(x: f32, y: f32) -> f32 = f32::from_bits(x.to_bits() ^ (y.to_bits() & 0xff));
    kinds(x: f32, y: f32) -> u32 = u32::from(x.is_nan()) + 2 * u32::from(x.is_finite())
        + 4 * u32::from(x.is_infinite()) + 8 * u32::from(y.is_sign_negative()) + 16 * u32::from(x.is_sign_positive())
        + 32 * u32::from(x.is_normal());
    euclid(x: f32, y: f32) -> f32 = x.rem_euclid(y) + x.div_euclid(y);
    angles(x: f32, y: f32) -> f32 = x.to_degrees() + y.to_radians();
    converted(x: f32, y: f32) -> f64 = f64::from(x) + y as f64;

    sqrt(x: f32) -> f32 = x.sqrt();
    cbrt(x: f32) -> f32 = x.cbrt();
    recip(x: f32) -> f32 = x.recip();
    sin(x: f32) -> f32 = x.sin();
    cos(x: f32) -> f32 = x.cos();
    tan(x: f32) -> f32 = x.tan();
    asin(x: f32) -> f32 = (x * 0.1).asin();
    acos(x: f32) -> f32 = (x * 0.1).acos();
    atan(x: f32) -> f32 = x.atan();
    sinh(x: f32) -> f32 = x.sinh();
    cosh(x: f32) -> f32 = x.cosh();
    tanh(x: f32) -> f32 = x.tanh();
    asinh(x: f32) -> f32 = x.asinh();
    acosh(x: f32) -> f32 = x.acosh();
    atanh(x: f32) -> f32 = (x * 0.1).atanh();
    exp(x: f32) -> f32 = x.exp();
    exp2(x: f32) -> f32 = x.exp2();
    exp_m1(x: f32) -> f32 = x.exp_m1();
    ln(x: f32) -> f32 = x.ln();
    ln_1p(x: f32) -> f32 = x.ln_1p();
    log2(x: f32) -> f32 = x.log2();
    log10(x: f32) -> f32 = x.log10();
    log(x: f32) -> f32 = x.log(3.0);
    powi(x: f32) -> f32 = x.powi(5) + x.powi(-2);
    powf(x: f32, y: f32) -> f32 = x.powf(y);
    atan2(x: f32, y: f32) -> f32 = x.atan2(y);
    hypot(x: f32, y: f32) -> f32 = x.hypot(y);
}

#[test]
fn of_floats_that_are_exact() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let values = [0.0_f32, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1.1, -7.9, 1e9, -1e9, f32::INFINITY, f32::NAN];
        let (x, y) = pairs(&values);
        agree!(queue, 0, floor(x, y));
        agree!(queue, 0, round(x, y));
        agree!(queue, 0, trunc(x, y));
        agree!(queue, 0, fabs(x, y));
        agree!(queue, 0, extremes(x, y));
        agree!(queue, 0, clamp(x, y));
        agree!(queue, 0, fused(x, y));
        agree!(queue, 0, bits(x, y));
        agree!(queue, 0, kinds(x, y));
        agree!(queue, 0, angles(x, y));
        let finite: Vec<f32> = values.iter().copied().filter(|x| x.is_finite() && *x != 0.0 && x.abs() < 1e6).collect();
        let (x, y) = pairs(&finite);
        agree!(queue, 3, euclid(x, y));
        if device.has_fp64().unwrap() {
            agree!(queue, 0, converted(x, y));
        }
    });
}

/// Bounds: the OpenCL specification's for the device, and one ulp of the host's library.
#[test]
fn of_floats_within_their_bounds() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x: Vec<f32> = (-90..90).map(|x| x as f32 * 0.11 + 0.003).collect();
        agree!(queue, 3, sqrt(x));
        agree!(queue, 3, cbrt(x));
        agree!(queue, 3, recip(x));
        agree!(queue, 5, sin(x));
        agree!(queue, 5, cos(x));
        agree!(queue, 6, tan(x));
        agree!(queue, 5, asin(x));
        agree!(queue, 5, acos(x));
        agree!(queue, 6, atan(x));
        agree!(queue, 5, sinh(x));
        agree!(queue, 5, cosh(x));
        agree!(queue, 6, tanh(x));
        agree!(queue, 5, asinh(x));
        agree!(queue, 5, acosh(x));
        agree!(queue, 6, atanh(x));
        agree!(queue, 4, exp(x));
        agree!(queue, 4, exp2(x));
        agree!(queue, 4, exp_m1(x));
        agree!(queue, 4, ln(x));
        agree!(queue, 3, ln_1p(x));
        agree!(queue, 4, log2(x));
        agree!(queue, 4, log10(x));
        agree!(queue, 8, log(x));
        agree!(queue, 17, powi(x));
        let (x, y) = pairs(&x);
        agree!(queue, 17, powf(x, y));
        agree!(queue, 7, atan2(x, y));
        agree!(queue, 5, hypot(x, y));
    });
}
