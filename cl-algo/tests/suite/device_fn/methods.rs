//! Methods of primitive types.

use crate::device_fn::support::{integers, pairs};
use cl_algo::function::SqrtNormal;
use cl_algo::{device_fn, index};
use cl_core::{DeviceKind, Queue};
use cl_test::each_device;

macro_rules! methods {
    ($($name:ident($($x:ident: $of:ty),*) -> $result:ty = $value:expr;)*) => {$(
        #[device_fn]
        fn $name($($x: $of),*) -> $result {
            $value
        }
    )*};
}

/// Tests the integer methods of one type, compared exactly.
macro_rules! integer_methods {
    ($module:ident, $of:ident, $signed:tt) => {
        mod $module {
            use super::*;

            methods! {
                compared(a: $of, b: $of) -> ($of, $of, $of, u64) =
                    (a.min(b), $of::max(a, b), a.clamp(b.min(10), b.max(20)), a.abs_diff(b) as u64);
                saturated(a: $of, b: $of) -> ($of, $of) = (a.saturating_add(b), a.saturating_sub(b));
                powers(a: $of, b: $of) -> ($of, $of, $of) =
                    (a.wrapping_pow(b as u32 & 7), a.rotate_left(b as u32 & 127), a.rotate_right(b as u32 & 63));
                counts(a: $of) -> (u32, u32, u32, u32, u32, u32) = (
                    a.count_ones(), a.count_zeros(), a.leading_zeros(), a.leading_ones(), a.trailing_zeros(),
                    a.trailing_ones(),
                );
                euclid(a: $of, b: $of) -> ($of, $of) =
                    if b == 0 || b == (0 as $of).wrapping_sub(1) { (0, 0) } else { (a.div_euclid(b), a.rem_euclid(b)) };
            }

            /// Calls other methods, each as a function: a loop keeps the function out of the expression.
            #[device_fn]
            fn in_functions(a: $of, b: $of) -> ($of, $of, $of, $of) {
                let mut all = (a, a, a, a);
                for _ in 0..1 {
                    let (least, _, clamped, _) = compared(a, b);
                    let (ones, _, leading, _, trailing, _) = counts(a);
                    let (quotient, rest) = euclid(a, b);
                    let (sum, difference) = saturated(a, b);
                    let (power, left, right) = powers(a, b);
                    let mixed = (ones ^ (leading << 2) ^ (trailing << 3)) as $of;
                    all = (quotient, rest, sum ^ difference ^ mixed, least ^ clamped ^ power ^ left ^ right);
                }
                all
            }

            #[test]
            fn are_those_of_rust() {
                each_device(|device| {
                    let queue = &Queue::on(device).unwrap();
                    let values: Vec<$of> = integers().into_iter().map(|value| value as $of).collect();
                    let (a, b) = pairs(&values);
                    agree!(queue, 0, compared(a, b));
                    agree!(queue, 0, saturated(a, b));
                    agree!(queue, 0, powers(a, b));
                    agree!(queue, 0, counts(values));
                    agree!(queue, 0, euclid(a, b));
                    agree!(queue, 0, in_functions(a, b));
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
integer_methods!(u16_methods, u16, false);
integer_methods!(i32_methods, i32, true);
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

    roots(x: f32) -> (f32, f32, f32) = (x.sqrt(), x.cbrt(), x.recip());
    waves(x: f32) -> (f32, f32, f32) = (x.sin(), x.cos(), x.tan());
    arcs(x: f32) -> (f32, f32, f32) = ((x * 0.1).asin(), (x * 0.1).acos(), x.atan());
    hyperbolic(x: f32) -> (f32, f32, f32) = (x.sinh(), x.cosh(), x.tanh());
    areas(x: f32) -> (f32, f32, f32) = (x.asinh(), x.acosh(), (x * 0.05).atanh());
    exponentials(x: f32) -> (f32, f32, f32) = (x.exp(), x.exp2(), x.exp_m1());
    logarithms(x: f32) -> (f32, f32, f32, f32) = (x.ln(), x.ln_1p(), x.log2(), x.log10());
    powers(x: f32) -> (f32, f32, f32) = (x.log(3.0), x.powi(5), x.powi(-2));
    powf(x: f32, y: f32) -> f32 = x.powf(y);
    atan2(x: f32, y: f32) -> f32 = x.atan2(y);
    hypot(x: f32, y: f32) -> f32 = x.hypot(y);
}

/// Calls some of the methods, each as a function.
#[device_fn]
fn in_functions(x: f32, y: f32) -> (f32, f32, f32, u32) {
    let mut all = (x, x, x, 0);
    for _ in 0..1 {
        all = (trunc(x, y), clamp(x, y), fused(x, y), kinds(x, y));
    }
    all
}

#[test]
fn of_floats_that_are_exact() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let values =
            [0.0_f32, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1.1, -7.9, 1e9, -1e9, f32::INFINITY, f32::NAN];
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
        agree!(queue, 0, in_functions(x, y));
        agree!(queue, 0, angles(x, y));
        let finite: Vec<f32> =
            values.iter().copied().filter(|x| x.is_finite() && *x != 0.0 && x.abs() < 1e6).collect();
        let (x, y) = pairs(&finite);
        agree!(queue, 3, euclid(x, y));
        if device.has_fp64().unwrap() {
            agree!(queue, 0, converted(x, y));
        }
    });
}

/// Compares with bounds: the OpenCL specification's for the device, and one ulp of the host's library.
#[test]
fn of_floats_within_their_bounds() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x: Vec<f32> = (-90..90).map(|x| x as f32 * 0.11 + 0.003).collect();
        agree!(queue, 3, roots(x));
        agree!(queue, 6, waves(x));
        agree!(queue, 6, arcs(x));
        agree!(queue, 6, hyperbolic(x));
        agree!(queue, 6, areas(x));
        agree!(queue, 4, exponentials(x));
        agree!(queue, 4, logarithms(x));
        agree!(queue, 17, powers(x));
        let (x, y) = pairs(&x);
        agree!(queue, 17, powf(x, y));
        agree!(queue, 7, atan2(x, y));
        agree!(queue, 5, hypot(x, y));
    });
}

methods! {
    root(x: f32) -> f32 = x.sqrt_normal();
    other_root(bits: u32) -> bool = f32::from_bits(bits).sqrt_normal() != f32::from_bits(bits).sqrt();
}

/// Tests square roots. GPUs test all floats between 1 and 4; other floats differ from these only in the exponent.
#[test]
fn square_roots_of_normal_numbers() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let ulps = if device.rounds_division_correctly().unwrap() { 0 } else { 3 };
        let (least, most) = (2.0_f32.powi(-100).to_bits(), f32::MAX.to_bits());
        let x: Vec<f32> = (least..most).step_by(0x1_2345).chain([most]).map(f32::from_bits).collect();
        agree!(queue, ulps, root(x));

        let step = if device.kind().unwrap().contains(DeviceKind::GPU) { 1 } else { 0x3ff };
        let others = other_root(index::<u32>() * step + 1.0_f32.to_bits()).take((1 << 24) / step as usize);
        assert_eq!(others.on(queue).count().unwrap(), 0);
    });
}
