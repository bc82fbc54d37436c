//! Tests of floats, on all pairs of special values and on others.

use crate::math::precise::*;
use crate::math::values;
use cl_algo::math::{
    bitselect, isequal, isfinite, isgreater, isgreaterequal, isinf, isless, islessequal, islessgreater,
    isnan, isnormal, isnotequal, isordered, isunordered, signbit,
};
use cl_algo::prelude::*;
use half::f16;
use std::cmp::Ordering;

fn tests_of_floats<T: Precise>(test: &str) {
    each_sound_device_with::<T>(test, |_, queue| {
        let (a, b) = ranges::<T>([-2.0, 2.0], [2.0, -2.0]);
        let [x, y] = [&a, &b].map(|values| DeviceVec::from_slice(queue, values).unwrap());
        type Case<'a> = (&'static str, Expr<'a, bool>, fn(f64, f64) -> bool);
        let of_two: Vec<Case<'_>> = vec![
            ("isequal", isequal(&x, &y), |x, y| x == y),
            ("isnotequal", isnotequal(&x, &y), |x, y| x != y),
            ("isgreater", isgreater(&x, &y), |x, y| x > y),
            ("isgreaterequal", isgreaterequal(&x, &y), |x, y| x >= y),
            ("isless", isless(&x, &y), |x, y| x < y),
            ("islessequal", islessequal(&x, &y), |x, y| x <= y),
            ("islessgreater", islessgreater(&x, &y), |x, y| x.partial_cmp(&y).is_some_and(Ordering::is_ne)),
            ("isordered", isordered(&x, &y), |x, y| !x.is_nan() && !y.is_nan()),
            ("isunordered", isunordered(&x, &y), |x, y| x.is_nan() || y.is_nan()),
            ("isfinite", isfinite(&x), |x, _| x.is_finite()),
            ("isinf", isinf(&x), |x, _| x.is_infinite()),
            ("isnan", isnan(&x), |x, _| x.is_nan()),
            ("isnormal", isnormal(&x), |x, _| x.is_finite() && x.abs() >= two_to(T::LEAST)),
            ("signbit", signbit(&x), |x, _| x.is_sign_negative()),
            // Masks of numbers meet masks of others, and methods are the functions.
            ("mixed", x.iter().isnan() | y.iter().cast::<i64>().gt(1), |x, y| x.is_nan() || y as i64 > 1),
            ("recorded", zip((&x, &y)).map(|(x, y)| x.isfinite() & !y.signbit()), |x, y| {
                x.is_finite() && !y.is_sign_negative()
            }),
        ];
        let exprs: Vec<_> = of_two.iter().map(|case| case.1.clone()).collect();
        for ((name, _, reference), actual) in of_two.iter().zip(values(&exprs)) {
            for i in 0..a.len() {
                let (x, y) = (a[i].into(), b[i].into());
                let seen = (flushed::<T>(x), flushed::<T>(y));
                let fits = actual[i] == reference(x, y) || actual[i] == reference(seen.0, seen.1);
                assert!(fits, "{name}({x:e}, {y:e}) of {:?}: {}", T::TYPE, actual[i]);
            }
        }
        let repaired = isnan(&x).select(T::nearest(7.0), &x).collect().unwrap().to_vec().unwrap();
        check("select by isnan", EXACT, &a, &repaired, |x| if x.is_nan() { 7.0 } else { x });
    });
}

macro_rules! each_type {
    ($($name:ident: $type:ty;)*) => {$(
        #[test]
        fn $name() {
            tests_of_floats::<$type>(concat!("math::relational::", stringify!($name)));
        }
    )*};
}

each_type! {
    tests_of_f16: f16;
    tests_of_f32: f32;
    tests_of_f64: f64;
}

#[test]
fn bits_of_floats_are_chosen() {
    each_device_with::<f32>(|_, queue| {
        let a: Vec<f32> = (0..200).map(|i| (i as f32 - 90.0) * 1.25).collect();
        let x = DeviceVec::from_slice(queue, &a).unwrap();
        // The sign of one, the magnitude of the other.
        let chosen = bitselect(&x, 3.5_f32, f32::from_bits(0x7fff_ffff)).collect().unwrap();
        let expected: Vec<f32> = a.iter().map(|a| 3.5_f32.copysign(*a)).collect();
        assert_eq!(chosen.to_vec().unwrap(), expected);
    });
}
