//! The logistic function and its relatives, beside formulas of the host in `f64`: in expressions and in device functions.

use crate::math::values;
use cl_algo::function::Logistic;
use cl_algo::prelude::*;
use cl_test::each_device;

/// Returns numbers of all sizes, with the extremes.
fn arguments() -> Vec<f32> {
    let sizes = (-300..=80).map(|power| (f64::from(power) / 10.0).exp2() as f32);
    let ends = [0.0, f32::MAX, f32::MIN_POSITIVE, f32::INFINITY, f32::NAN, 87.5, 88.7, 100.0, 104.0];
    sizes.chain(ends).flat_map(|x| [x, -x]).collect()
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn softplus(x: f64) -> f64 {
    if x > 500.0 { x } else { x.exp().ln_1p() }
}

/// Returns 0 for minus infinity, where the formula of the product has no value.
fn product(x: f64, share: f64) -> f64 {
    if x == f64::NEG_INFINITY { 0.0 } else { x * share }
}

/// Checks values, which may be wrong by `ulp` units in the last place. Devices may flush subnormal numbers.
fn check(name: &str, got: &[f32], x: &[f32], wanted: impl Fn(f64) -> f64, ulp: f64) {
    for (&got, &x) in got.iter().zip(x) {
        let wanted = wanted(x.into());
        let error = (f64::from(got) - wanted).abs();
        let bound = ulp * f64::from(f32::EPSILON) * wanted.abs() + 2.0 * f64::from(f32::MIN_POSITIVE);
        let same = f64::from(got) == wanted || f64::from(got).is_nan() && wanted.is_nan();
        assert!(same || error <= bound, "{name}({x:e}): {got:e} instead of {wanted:e}");
    }
}

#[test]
fn expressions_are_precise_and_never_overflow() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let host = arguments();
        let x = &DeviceVec::from_slice(&queue, &host).unwrap();
        let got = values(&[
            x.iter().sigmoid(),
            x.iter().softplus(),
            x.iter().map(Val::log_sigmoid),
            x.iter().relu(),
            x.iter().silu(),
            x.iter().map(Val::gelu),
            x.iter().log_add_exp(1.5),
            x.iter().map(|x| x.log_add_exp(x)),
        ]);
        check("sigmoid", &got[0], &host, sigmoid, 8.0);
        check("softplus", &got[1], &host, softplus, 8.0);
        check("log_sigmoid", &got[2], &host, |x| -softplus(-x), 8.0);
        check("relu", &got[3], &host, |x| if x < 0.0 { 0.0 } else { x }, 0.0);
        check("silu", &got[4], &host, |x| product(x, sigmoid(x)), 8.0);
        // The argument of `erfc` is rounded: the tail is steep. `erfc` itself may be off by 16 units.
        let gelu = |x: f64| product(x, 0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2));
        let near: Vec<usize> = (0..host.len()).filter(|&i| host[i].is_nan() || host[i] >= -5.0).collect();
        let at_near = |all: &[f32]| near.iter().map(|&i| all[i]).collect::<Vec<_>>();
        check("gelu", &at_near(&got[5]), &at_near(&host), gelu, 64.0);
        let far = got[5].iter().zip(&host).filter(|(_, x)| **x < -5.0);
        assert!(far.into_iter().all(|(y, _)| *y <= 0.0 && *y > -2e-6));
        // Near -1.5 the sum is near 1, and its logarithm near 0.
        let added = |x: f64| if x > 500.0 { x } else { (x.exp() + 1.5_f64.exp()).ln() };
        check("log_add_exp", &got[6], &host, added, 8.0);
        check("log_add_exp of equals", &got[7], &host, |x| x + 2.0_f64.ln(), 32.0);

        let shares: Vec<f32> =
            (0..=1000).map(|i| i as f32 / 1000.0).chain([0.5 + 1e-6, 1e-30, -0.1, 1.1, f32::NAN]).collect();
        let p = &DeviceVec::from_slice(&queue, &shares).unwrap();
        let got = p.iter().logit().collect().unwrap().to_vec().unwrap();
        check("logit", &got, &shares, |p| (p / (1.0 - p)).ln(), 16.0);
    });
}

/// Returns one of the functions.
#[device_fn]
fn chosen(x: f32, which: u32) -> f32 {
    match which {
        0 => x.sigmoid(),
        1 => x.logit(),
        2 => x.softplus(),
        3 => x.log_sigmoid(),
        4 => x.relu(),
        _ => x.silu(),
    }
}

/// Returns the sigmoid in double precision.
#[device_fn]
fn long(x: f64) -> f64 {
    x.sigmoid() + x.softplus()
}

#[test]
fn device_functions_agree_with_the_host() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let host = arguments();
        let x = DeviceVec::from_slice(&queue, &host).unwrap();
        for which in 0..6 {
            let got = chosen(&x, which).collect().unwrap().to_vec().unwrap();
            check("chosen", &got, &host, |x| f64::from(chosen(x as f32, which)), 16.0);
        }
        if cl_test::offers(device, "double precision", device.has_fp64()) {
            let host = [-800.0, -700.0, -1.0, 0.0, 1e-9, 40.0, 800.0, f64::INFINITY];
            let x = DeviceVec::from_slice(&queue, &host).unwrap();
            let got = long(&x).collect().unwrap().to_vec().unwrap();
            for (got, x) in got.into_iter().zip(host) {
                let wanted = long(x);
                assert!(
                    got == wanted || (got - wanted).abs() <= 16.0 * f64::EPSILON * wanted,
                    "{x}: {got:e}"
                );
            }
        }
    });
}
