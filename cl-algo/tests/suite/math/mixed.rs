//! Functions of floats that take or return integers, and functions with two results.

use crate::math::precise::*;
use crate::math::{pair, values};
use cl_algo::math::{frexp, ilogb, ldexp, lgamma, lgamma_r, modf, nan, rootn, sincos};
use cl_algo::prelude::*;
use half::f16;

fn integers_beside_floats<T: Precise>() {
    each_device_with::<T>(|_, queue| {
        let a: Vec<T> = (0..1003).map(|i| T::nearest(0.25 + f64::from(i) * 0.003)).collect();
        let n: Vec<i32> = (0..1003).map(|i| i % 13 - 6).collect();
        let degree: Vec<i32> = n.iter().map(|&n| if n == 0 { 7 } else { n }).collect();
        let x = DeviceVec::from_slice(queue, &a).unwrap();
        let [by, root] = [&n, &degree].map(|values| DeviceVec::from_slice(queue, values).unwrap());
        let results = values(&[
            ldexp(&x, &by),
            x.iter().pown(&by),
            rootn(&x, &root),
            ldexp(&x, 3),
            x.iter().map(|x| x.ldexp(-1).pown(2)),
        ]);
        let exponents = ilogb(&x).collect().unwrap().to_vec().unwrap();
        for i in 0..a.len() {
            let x: f64 = a[i].into();
            let check = |which: usize, bounds, expected: f64| {
                let actual = results[which][i];
                let fits = is_within(bounds, actual, expected);
                assert!(fits, "{which} of {x}, {}: {} instead of {expected}", n[i], actual.into());
            };
            check(0, EXACT, libm::ldexp(x, n[i]));
            check(1, [4.0, 16.0, 16.0], x.powi(n[i]));
            check(2, [4.0, 16.0, 16.0], x.powf(1.0 / f64::from(degree[i])));
            check(3, EXACT, x * 8.0);
            check(4, [4.0, 16.0, 16.0], x * x / 4.0);
            assert_eq!(exponents[i], libm::ilogb(x));
        }
    });
}

fn functions_of_two_results<T: Precise>(test: &str) {
    each_sound_device_with::<T>(test, |_, queue| {
        let a = range::<T>(-9.0, 9.0);
        let b: Vec<T> = a.iter().rev().map(|&b| T::nearest(b.into() + 0.75)).collect();
        let [x, y] = [&a, &b].map(|values| DeviceVec::from_slice(queue, values).unwrap());

        let (fractions, exponents) = pair(frexp(&x));
        let is_finite = |x: f64| flushed::<T>(x) == x && x.is_finite();
        for i in 0..a.len() {
            let x: f64 = a[i].into();
            if is_finite(x) {
                assert_eq!((fractions[i].into(), exponents[i]), libm::frexp(x));
            }
        }

        let (fractions, floors) = pair(x.iter().fract());
        check("floor of fract", EXACT, &a, &floors, f64::floor);
        for i in 0..a.len() {
            let (x, fraction): (f64, f64) = (a[i].into(), fractions[i].into());
            if is_finite(x) {
                let below_one: f64 = T::nearest(1.0).after(T::nearest(0.0)).into();
                assert_eq!(fraction, T::nearest(x - x.floor()).into().min(below_one), "fract({x})");
            }
        }

        let (fractions, wholes) = pair(modf(&x));
        check("whole of modf", EXACT, &a, &wholes, f64::trunc);
        check("modf", EXACT, &a, &fractions, |x| if x.is_infinite() { 0.0 } else { x - x.trunc() });

        let (sines, cosines) = pair(sincos(&x));
        check("sine of sincos", [2.0, 4.0, 4.0], &a, &sines, f64::sin);
        check("cosine of sincos", [2.0, 4.0, 4.0], &a, &cosines, f64::cos);

        let (rests, quotients) = pair(x.iter().remquo(&y));
        check_two("remquo", EXACT, (&a, &b), &rests, libm::remainder);
        for i in 0..a.len() {
            let (x, y): (f64, f64) = (a[i].into(), b[i].into());
            let quotient = ((x - libm::remainder(x, y)) / y).round();
            if is_finite(x) && is_finite(y) && quotient.abs() < 128.0 {
                let low = quotients[i].abs() & 127;
                assert_eq!((low, quotients[i] < 0), (quotient.abs() as i32, quotient < 0.0), "{x}, {y}");
            }
        }

        // The specification leaves the errors of gamma functions to the device: 1e-3 finds a wrong function.
        let (logarithms, signs) = pair(lgamma_r(&x));
        let plain = lgamma(&x).collect().unwrap().to_vec().unwrap();
        for i in 0..a.len() {
            let x: f64 = a[i].into();
            let (expected, sign) = libm::lgamma_r(x);
            // Finite in the type as well.
            if !is_finite(x) || !T::nearest(expected).into().is_finite() {
                continue;
            }
            for actual in [logarithms[i], plain[i]].map(T::into) {
                let error = (actual - expected).abs();
                assert!(error <= 1e-3 * expected.abs().max(8.0), "lgamma({x:e}): {actual:e}");
            }
            assert_eq!(signs[i], sign, "sign of gamma({x:e})");
        }
    });
}

/// Tests both results in a closure, and one of them alone.
fn two_results_in_a_closure<T: Precise>() {
    each_device_with::<T>(|_, queue| {
        let a: Vec<T> = (1..100).map(|i| T::nearest(f64::from(i) * 0.37)).collect();
        let x = DeviceVec::from_slice(queue, &a).unwrap();
        let same = x.iter().map(|x| {
            let (fraction, exponent) = x.frexp();
            fraction.ldexp(exponent)
        });
        let exponents = x.iter().frexp().unzip().1;
        let (same, exponents) = pair(same.zip(exponents));
        for i in 0..a.len() {
            assert_eq!((same[i].into(), exponents[i]), (a[i].into(), libm::frexp(a[i].into()).1));
        }
        // One call returns both.
        let both = frexp(&x).map(|(fraction, exponent)| (exponent, fraction));
        assert_eq!(both.to_string(), "(frexp(x0).1, frexp(x0))");
    });
}

macro_rules! each_type {
    ($($name:ident: $type:ty;)*) => {$(
        #[test]
        fn $name() {
            integers_beside_floats::<$type>();
            functions_of_two_results::<$type>(concat!("math::mixed::", stringify!($name)));
            two_results_in_a_closure::<$type>();
        }
    )*};
}

each_type! {
    mixed_functions_of_f16: f16;
    mixed_functions_of_f32: f32;
    mixed_functions_of_f64: f64;
}

#[test]
fn nan_takes_a_code() {
    each_device_with::<f32>(|_, queue| {
        let codes = DeviceVec::from_slice(queue, &[0_u32, 1, 77, 0x3f_ffff, 5].repeat(15)).unwrap();
        assert!(nan(&codes).collect().unwrap().to_vec().unwrap().iter().all(|x| x.is_nan()));
    });
    each_device_with::<f64>(|_, queue| {
        let codes = DeviceVec::from_slice(queue, &[0_u64, 1, 77, 0x3f_ffff, 5].repeat(15)).unwrap();
        assert!(codes.iter().nan().collect().unwrap().to_vec().unwrap().iter().all(|x| x.is_nan()));
    });
}
