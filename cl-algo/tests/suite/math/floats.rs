//! Functions from floats to floats.

use crate::math::precise::*;
use crate::math::values;
use cl_algo::math::{
    abs, acos, acosh, acospi, asin, asinh, asinpi, atan, atan2, atan2pi, atanh, atanpi, bitselect, cbrt,
    ceil, clamp, copysign, cos, cosh, cospi, degrees, erf, erfc, exp, exp2, exp10, expm1, fdim, floor, fmod,
    hypot, log, log1p, log2, log10, logb, mad, max, maxmag, min, minmag, mix, mul_add, nextafter, pow, powr,
    radians, remainder, rint, round, rsqrt, sign, sin, sinh, sinpi, smoothstep, sqrt, step, tan, tanh, tanpi,
    tgamma, trunc,
};
use cl_algo::prelude::*;
use half::f16;
use std::f64::consts::PI;

type OneValue<T> = for<'a> fn(&'a DeviceVec<T>) -> Expr<'a, T>;
type Case<T> = (&'static str, Bounds, OneValue<T>, fn(f64) -> f64, f64, f64);

fn cases_of_one_value<T: Precise>() -> Vec<Case<T>> {
    let (power, large) = limits::<T>();
    vec![
        ("abs", EXACT, |x| abs(x), f64::abs, -5.0, 5.0),
        ("sqrt", [0.0, 3.0, 0.0], |x| sqrt(x), f64::sqrt, -1.0, large),
        ("rsqrt", [1.0, 2.0, 2.0], |x| rsqrt(x), |x| 1.0 / x.sqrt(), 1e-3, large),
        ("cbrt", [2.0; 3], |x| cbrt(x), f64::cbrt, -large, large),
        ("sin", [2.0, 4.0, 4.0], |x| sin(x), f64::sin, -1000.0, 1000.0),
        ("cos", [2.0, 4.0, 4.0], |x| cos(x), f64::cos, -1000.0, 1000.0),
        ("tan", [2.0, 5.0, 5.0], |x| tan(x), f64::tan, -1000.0, 1000.0),
        ("sinpi", [2.0, 4.0, 4.0], |x| sinpi(x), sine_of_pi, -20.0, 20.0),
        ("cospi", [2.0, 4.0, 4.0], |x| cospi(x), cosine_of_pi, -20.0, 20.0),
        ("tanpi", [2.0, 6.0, 6.0], |x| tanpi(x), |x| sine_of_pi(x) / cosine_of_pi(x), -20.0, 20.0),
        ("asin", [2.0, 4.0, 4.0], |x| asin(x), f64::asin, -1.1, 1.1),
        ("acos", [2.0, 4.0, 4.0], |x| acos(x), f64::acos, -1.1, 1.1),
        ("atan", [2.0, 5.0, 5.0], |x| atan(x), f64::atan, -9.0, 9.0),
        ("asinpi", [2.0, 5.0, 5.0], |x| asinpi(x), |x| x.asin() / PI, -1.1, 1.1),
        ("acospi", [2.0, 5.0, 5.0], |x| acospi(x), |x| x.acos() / PI, -1.1, 1.1),
        ("atanpi", [2.0, 5.0, 5.0], |x| atanpi(x), |x| x.atan() / PI, -9.0, 9.0),
        ("sinh", [2.0, 4.0, 4.0], |x| sinh(x), f64::sinh, -power, power),
        ("cosh", [2.0, 4.0, 4.0], |x| cosh(x), f64::cosh, -power, power),
        ("tanh", [2.0, 5.0, 5.0], |x| tanh(x), f64::tanh, -12.0, 12.0),
        ("asinh", [2.0, 4.0, 4.0], |x| asinh(x), libm::asinh, -large, large),
        ("acosh", [2.0, 4.0, 4.0], |x| acosh(x), area_of_cosine, 0.5, large),
        ("atanh", [2.0, 5.0, 5.0], |x| atanh(x), libm::atanh, -1.1, 1.1),
        ("exp", [2.0, 3.0, 3.0], |x| exp(x), f64::exp, -power, power),
        ("exp2", [2.0, 3.0, 3.0], |x| exp2(x), f64::exp2, -power, power),
        ("exp10", [2.0, 3.0, 3.0], |x| exp10(x), libm::exp10, -power / 3.0, power / 3.0),
        ("expm1", [2.0, 3.0, 3.0], |x| expm1(x), f64::exp_m1, -2.0, power),
        ("log", [2.0, 3.0, 3.0], |x| log(x), f64::ln, 0.0, large),
        ("log2", [2.0, 3.0, 3.0], |x| log2(x), f64::log2, 0.0, large),
        ("log10", [2.0, 3.0, 3.0], |x| log10(x), f64::log10, 0.0, large),
        ("log1p", [2.0; 3], |x| log1p(x), f64::ln_1p, -1.5, 9.0),
        ("logb", EXACT, |x| logb(x), exponent, -large, large),
        ("erf", [4.0, 16.0, 16.0], |x| erf(x), libm::erf, -4.0, 4.0),
        ("erfc", [4.0, 16.0, 16.0], |x| erfc(x), libm::erfc, -3.0, 9.0),
        ("tgamma", [4.0, 16.0, 16.0], |x| tgamma(x), libm::tgamma, -1.5, 30.0),
        ("floor", EXACT, |x| floor(x), f64::floor, -9.0, 9.0),
        ("ceil", EXACT, |x| ceil(x), f64::ceil, -9.0, 9.0),
        ("trunc", EXACT, |x| trunc(x), f64::trunc, -9.0, 9.0),
        ("round", EXACT, |x| round(x), f64::round, -9.0, 9.0),
        ("rint", EXACT, |x| rint(x), f64::round_ties_even, -9.0, 9.0),
        ("degrees", [2.0; 3], |x| degrees(x), f64::to_degrees, -9.0, 9.0),
        ("radians", [2.0; 3], |x| radians(x), f64::to_radians, -400.0, 400.0),
        ("sign", EXACT, |x| sign(x), |x| if x.is_nan() || x == 0.0 { 0.0 } else { x.signum() }, -2.0, 2.0),
    ]
}

/// Exact reduction to a quarter of a turn, then π times what is left.
fn sine_of_pi(x: f64) -> f64 {
    let turn = x % 2.0;
    match turn.abs() {
        r if r <= 0.25 => (PI * turn).sin(),
        r if r < 0.75 => (PI * (0.5 - r)).cos().copysign(turn),
        r if r <= 1.25 => (PI * (1.0 - r)).sin() * turn.signum(),
        r if r < 1.75 => -(PI * (1.5 - r)).cos().copysign(turn),
        r => (PI * (r - 2.0)).sin() * turn.signum(),
    }
}

fn cosine_of_pi(x: f64) -> f64 {
    match (x % 2.0).abs() {
        r if r <= 0.25 => (PI * r).cos(),
        r if r < 0.75 => (PI * (0.5 - r)).sin(),
        r if r <= 1.25 => -(PI * (1.0 - r)).cos(),
        r if r < 1.75 => (PI * (r - 1.5)).sin(),
        r => (PI * (2.0 - r)).cos(),
    }
}

/// `libm::acosh` takes some numbers far below 1 for numbers that have a result.
fn area_of_cosine(x: f64) -> f64 {
    if x < 1.0 { f64::NAN } else { libm::acosh(x) }
}

fn exponent(x: f64) -> f64 {
    match x.abs() {
        0.0 => f64::NEG_INFINITY,
        r if r.is_finite() => f64::from(libm::ilogb(r)),
        r => r,
    }
}

fn functions_of_one_value<T: Precise>(test: &str) {
    each_sound_device_with::<T>(test, |device, queue| {
        for cases in cases_of_one_value::<T>().chunks(8) {
            let inputs: Vec<Vec<T>> = cases.iter().map(|case| range(case.4, case.5)).collect();
            let x: Vec<_> = inputs.iter().map(|x| DeviceVec::from_slice(queue, x).unwrap()).collect();
            let exprs: Vec<_> = cases.iter().zip(&x).map(|(case, x)| case.2(x)).collect();
            for ((case, x), actual) in cases.iter().zip(&inputs).zip(values(&exprs)) {
                let &(name, mut bounds, _, reference, ..) = case;
                if name == "sqrt" && device.rounds_division_correctly().unwrap() {
                    bounds = EXACT;
                }
                check(name, bounds, x, &actual, reference);
            }
        }
    });
}

/// The one whose magnitude is chosen; else what `if_equal` says.
fn by_magnitude(x: f64, y: f64, smaller: bool, if_equal: fn(f64, f64) -> f64) -> f64 {
    let (less, more) = (x.abs() < y.abs(), x.abs() > y.abs());
    match (less, more) {
        (true, _) => {
            if smaller {
                x
            } else {
                y
            }
        }
        (_, true) => {
            if smaller {
                y
            } else {
                x
            }
        }
        _ => if_equal(x, y),
    }
}

/// OpenCL's `powr`: that of exp(y · log(x)), so that 0⁰, 1^∞ and ∞⁰ are NaN.
fn power_of_positive(x: f64, y: f64) -> f64 {
    let undefined = x.is_nan()
        || y.is_nan()
        || x < 0.0
        || (x == 0.0 || x.is_infinite()) && y == 0.0
        || x == 1.0 && y.is_infinite();
    if undefined { f64::NAN } else { x.abs().powf(y) }
}

fn difference(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        f64::NAN
    } else if x > y {
        x - y
    } else {
        0.0
    }
}

fn functions_of_two_values<T: Precise>() {
    each_device_with::<T>(|_, queue| {
        // Powers that overflow no type, and none that is subnormal.
        let (a, b) = ranges::<T>([0.25, 4.0], [6.0, -6.0]);
        let [x, y] = [&a, &b].map(|values| DeviceVec::from_slice(queue, values).unwrap());
        type Case<'a, T> = (&'static str, Bounds, Expr<'a, T>, fn(f64, f64) -> f64);
        let cases: Vec<Case<'_, T>> = vec![
            ("pow", [4.0, 16.0, 16.0], pow(&x, &y), f64::powf),
            ("powr", [4.0, 16.0, 16.0], powr(&x, &y), power_of_positive),
            ("hypot", [2.0, 4.0, 4.0], hypot(&x, &y), f64::hypot),
            ("atan2", [2.0, 6.0, 6.0], atan2(&x, &y), f64::atan2),
            ("atan2pi", [2.0, 6.0, 6.0], atan2pi(&x, &y), |x, y| x.atan2(y) / PI),
            ("min", EXACT, min(&x, &y), f64::min),
            ("max", EXACT, max(&x, &y), f64::max),
            ("minmag", EXACT, minmag(&x, &y), |x, y| by_magnitude(x, y, true, f64::min)),
            ("maxmag", EXACT, maxmag(&x, &y), |x, y| by_magnitude(x, y, false, f64::max)),
            ("fmod", EXACT, fmod(&x, &y), |x, y| x % y),
            ("remainder", EXACT, remainder(&x, &y), libm::remainder),
            ("fdim", EXACT, fdim(&x, &y), difference),
            ("copysign", EXACT, copysign(&x, &y), f64::copysign),
            ("step", EXACT, step(T::nearest(0.5), &y), |_, y| if y < 0.5 { 0.0 } else { 1.0 }),
            // The methods are the functions; scalars are operands of both.
            ("pow with a scalar", [4.0, 16.0, 16.0], x.iter().pow(T::nearest(1.5)), |x, _| x.powf(1.5)),
            ("hypot with a scalar", [2.0, 4.0, 4.0], hypot(T::nearest(3.0), &y), |_, y| y.hypot(3.0)),
        ];
        let exprs: Vec<_> = cases.iter().map(|case| case.2.clone()).collect();
        for ((name, bounds, _, reference), actual) in cases.iter().zip(values(&exprs)) {
            check_two(name, *bounds, (&a, &b), &actual, *reference);
        }
        let after = nextafter(&x, &y).collect().unwrap().to_vec().unwrap();
        for i in 0..a.len() {
            let expected: f64 = a[i].after(b[i]).into();
            let close = is_within(EXACT, after[i], expected)
                // From zero, or from what is taken for it, the next normal number.
                || flushed::<T>(a[i].into()) == 0.0 && after[i].into().abs() == two_to(T::LEAST);
            assert!(close, "nextafter({:e}, {:e}): {:e}", a[i].into(), b[i].into(), after[i].into());
        }
    });
}

fn functions_of_three_values<T: Precise>() {
    each_device_with::<T>(|_, queue| {
        // Whatever is special is so in its own way here.
        let finite = |low, high| range::<T>(low, high)[SPECIALS..SPECIALS + 2001].to_vec();
        let (a, b, c) = (finite(0.0, 1.0), finite(1.0, -1.0), finite(-0.5, 1.5));
        let [x, y, z] = [&a, &b, &c].map(|values| DeviceVec::from_slice(queue, values).unwrap());
        let [low, high] = [0.25, 0.75].map(T::nearest);
        let results = values(&[
            clamp(&z, low, high),
            mix(&x, &y, &z),
            smoothstep(low, high, &z),
            mad(&x, &y, &z),
            bitselect(&x, &y, &x),
            z.iter().clamp(low, &x + high),
        ]);
        let epsilon = two_to(-T::FRACTION);
        for i in 0..a.len() {
            let [x, y, z]: [f64; 3] = [a[i].into(), b[i].into(), c[i].into()];
            let result = |which: usize| -> f64 { results[which][i].into() };
            let near = |which: usize, expected: f64, error: f64| {
                let actual = result(which);
                assert!((actual - expected).abs() <= error.max(8.0 * epsilon), "{which} at {i}: {actual}");
            };
            assert_eq!(result(0), z.clamp(0.25, 0.75));
            near(1, x + (y - x) * z, 1e-3);
            let t = ((z - 0.25) / 0.5).clamp(0.0, 1.0);
            near(2, t * t * (3.0 - 2.0 * t), 1e-5);
            near(3, x * y + z, 0.0);
            let high: f64 = T::nearest(x + 0.75).into();
            assert_eq!(result(5), z.clamp(0.25, high));
        }
    });
}

/// What is exact keeps the sign of zero.
fn zeros_have_signs<T: Precise>() {
    each_device_with::<T>(|_, queue| {
        let x = DeviceVec::from_slice(queue, &[T::nearest(-0.0); 67]).unwrap();
        let minus =
            [floor(&x), ceil(&x), trunc(&x), rint(&x), round(&x), sqrt(&x), copysign(T::nearest(0.0), &x)];
        for (at, values) in values(&minus).into_iter().enumerate() {
            assert!(values.into_iter().all(|a| a.into().to_bits() == (-0.0_f64).to_bits()), "{at}");
        }
        for a in abs(&x).collect().unwrap().to_vec().unwrap() {
            assert_eq!(a.into().to_bits(), 0);
        }
    });
}

macro_rules! each_type {
    ($($name:ident: $type:ty;)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn functions_of_one_value_are_precise() {
                let test = concat!("math::floats::", stringify!($name), "::functions_of_one_value_are_precise");
                functions_of_one_value::<$type>(test);
            }

            #[test]
            fn functions_of_more_values_are_precise() {
                functions_of_two_values::<$type>();
                functions_of_three_values::<$type>();
                zeros_have_signs::<$type>();
            }
        }
    )*};
}

each_type! {
    of_f16: f16;
    of_f32: f32;
    of_f64: f64;
}

#[test]
fn mul_add_rounds_once() {
    each_device_with::<f32>(|_, queue| {
        let (a, b, c) = (range::<f32>(0.001, 30.0), range::<f32>(9.0, -9.0), range::<f32>(-1e3, 1e3));
        let [x, y, z] = [&a, &b, &c].map(|values| DeviceVec::from_slice(queue, values).unwrap());
        let fused = mul_add(&x, &y, &z).collect().unwrap().to_vec().unwrap();
        for i in SPECIALS..a.len() - SPECIALS {
            assert_eq!(fused[i].to_bits(), a[i].mul_add(b[i], c[i]).to_bits(), "mul_add at {i}");
        }
    });
}
