//! The less precise functions: `half_` within 8192 ulp; `native_`, whose errors are the device's choice,
//! near enough to be the right function.

use crate::math::precise::*;
use crate::math::values;
use cl_algo::math::{
    half_cos, half_divide, half_exp, half_exp2, half_exp10, half_log, half_log2, half_log10, half_powr,
    half_recip, half_rsqrt, half_sin, half_sqrt, half_tan, native_cos, native_divide, native_exp,
    native_exp2, native_exp10, native_log, native_log2, native_log10, native_powr, native_recip,
    native_rsqrt, native_sin, native_sqrt, native_tan,
};
use cl_algo::prelude::*;

#[test]
fn half_and_native_functions() {
    each_device_with::<f32>(|_, queue| {
        let a: Vec<f32> = (1..1000).map(|i| i as f32 * 0.0015).collect();
        let b: Vec<f32> = a.iter().rev().map(|a| a + 0.1).collect();
        let [x, y] = [&a, &b].map(|values| DeviceVec::from_slice(queue, values).unwrap());
        type Case<'a> = (&'static str, Expr<'a, f32>, Expr<'a, f32>, fn(f64, f64) -> f64);
        let cases: Vec<Case<'_>> = vec![
            ("cos", half_cos(&x), native_cos(&x), |x, _| x.cos()),
            ("divide", half_divide(&x, &y), native_divide(&x, &y), |x, y| x / y),
            ("exp", half_exp(&x), native_exp(&x), |x, _| x.exp()),
            ("exp2", half_exp2(&x), native_exp2(&x), |x, _| x.exp2()),
            ("exp10", half_exp10(&x), native_exp10(&x), |x, _| libm::exp10(x)),
            ("log", half_log(&x), native_log(&x), |x, _| x.ln()),
            ("log2", half_log2(&x), native_log2(&x), |x, _| x.log2()),
            ("log10", half_log10(&x), native_log10(&x), |x, _| x.log10()),
            ("powr", half_powr(&x, &y), native_powr(&x, &y), f64::powf),
            ("recip", half_recip(&x), native_recip(&x), |x, _| 1.0 / x),
            ("rsqrt", half_rsqrt(&x), native_rsqrt(&x), |x, _| 1.0 / x.sqrt()),
            ("sin", half_sin(&x), native_sin(&x), |x, _| x.sin()),
            ("sqrt", half_sqrt(&x), native_sqrt(&x), |x, _| x.sqrt()),
            ("tan", half_tan(&x), native_tan(&x), |x, _| x.tan()),
        ];
        let half: Vec<_> = cases.iter().map(|case| case.1.clone()).collect();
        let native: Vec<_> = cases.iter().map(|case| case.2.clone()).collect();
        let results = values(&half).into_iter().zip(values(&native));
        for ((name, .., reference), (half, native)) in cases.iter().zip(results) {
            check_two(name, [8192.0; 3], (&a, &b), &half, *reference);
            for i in 0..a.len() {
                let expected = reference(a[i].into(), b[i].into());
                let error = (f64::from(native[i]) - expected).abs() / expected.abs().max(0.1);
                assert!(error < 1e-2, "native_{name}({}, {}): {}", a[i], b[i], native[i]);
            }
        }
        let recorded = x.iter().map(|x| x.native_exp().half_log()).collect().unwrap().to_vec().unwrap();
        for (x, a) in a.iter().zip(recorded) {
            assert!((x - a).abs() < 1e-2);
        }
    });
}
