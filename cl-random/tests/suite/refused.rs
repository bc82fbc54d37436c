//! Parameters that are refused, and values at the ends of their ranges.
#![allow(clippy::unwrap_used)]

use cl_core::{Error, Result};
use cl_random::*;

fn refused<T>(result: Result<T>) {
    assert!(matches!(result, Err(Error::InvalidInput { .. })));
}

#[test]
fn bad_parameters_are_refused() {
    for bad in [f32::NAN, f32::INFINITY, 0.0, -1.0] {
        refused(Normal::new(0.0, bad));
        refused(LogNormal::new(0.0, bad));
        refused(Exponential::new(bad));
        refused(Gamma::new(bad, 1.0));
        refused(Gamma::new(1.0, bad));
        refused(Poisson::new(bad.into()));
    }
    refused(Normal::new(f64::NAN, 1.0));
    refused(Exponential::new(1e-40_f32)); // the mean is infinite
    refused(Poisson::new(2e9));
    // Some values would be infinite, or all values 0.
    refused(Normal::new(0.0_f32, 1e38));
    refused(Normal::new(-f64::MAX, 1e300));
    refused(Exponential::new(5e-38_f32));
    refused(Exponential::new(1e-307_f64));
    refused(Gamma::new(1.0_f32, 1e37));
    assert!(Normal::new(1e38_f32, 1e37).is_ok() && Exponential::new(1e-36_f32).is_ok());
    for (low, high) in [(1.0, 1.0), (2.0, 1.0), (f32::NAN, 1.0), (0.0, f32::INFINITY), (-3e38, 3e38)] {
        refused(Uniform::new(low, high));
        refused(Uniform::open(low, high));
    }
    refused(Uniform::open(1.0, 1.0_f64.next_up()));
    for bad in [-0.1, 1.1, f64::NAN] {
        refused(Bernoulli::new(bad));
    }
    refused(UniformInteger::new(5..5_i32));
    refused(UniformInteger::<u8>::new((std::ops::Bound::Excluded(255), std::ops::Bound::Unbounded)));
}

#[test]
fn errors_name_the_parameter_and_its_limit() {
    fn text<T>(result: Result<T>) -> String {
        result.err().unwrap().to_string()
    }
    assert_eq!(
        text(UniformInteger::new(5..5_i32)),
        "invalid range of integers: from 5 to 5 (excluded); it must contain at least one integer"
    );
    assert_eq!(
        text(UniformInteger::<u8>::new((std::ops::Bound::Excluded(255), std::ops::Bound::Unbounded))),
        "invalid range of integers: from 255 (excluded) to 255; it must contain at least one integer"
    );
    let error = text(Normal::new(0.0_f32, 1e38));
    assert!(error.starts_with("invalid standard deviation: 1e38 gives values up to 6.79"), "{error}");
    assert!(error.ends_with("e38, and the largest `f32` is 3.4028235e38"), "{error}");
    assert!(text(Exponential::new(1e-307_f64)).starts_with("invalid rate: 1e-307 gives values up to "));
}

#[test]
fn bad_weights_are_refused() {
    let queue = cl_core::Queue::on(&cl_core::Device::first().unwrap()).unwrap();
    for bad in [&[][..], &[0.0, 0.0], &[1.0, -1.0], &[f64::NAN], &[f64::INFINITY], &[f64::MAX, f64::MAX]] {
        refused(Discrete::new(&queue, bad));
    }
}

/// Parameters at the ends of the permitted ranges give finite numbers.
#[test]
fn extreme_parameters_make_numbers() {
    fn check<D: Distribution<Value: Real>>(distribution: D) {
        let draws = Philox4x32::<10>::new(4).draws(distribution);
        assert!(draws.iter().take(2000).all(|x| x.into().is_finite()), "{draws:?}");
    }
    check(Normal::new(f32::MAX / 2.0, f32::MAX / 14.0).unwrap());
    check(Normal::new(0.0_f64, f64::MAX / 9.6).unwrap());
    check(Exponential::new(7.0e-38_f32).unwrap());
    check(Exponential::new(f64::MAX).unwrap());
    check(Gamma::new(1e-40_f32, 1.0).unwrap());
    check(Gamma::new(1e-310_f64, 1.0).unwrap());
    check(Gamma::new(f32::MAX, 1.0).unwrap());
    check(Gamma::new(1e300_f64, 1.0).unwrap());
    check(Uniform::new(-1.7e38_f32, 1.7e38).unwrap());
    check(Uniform::open(0.0_f64, f64::MAX).unwrap());
    check(LogNormal::new(-1000.0_f32, 1.0).unwrap());
}

#[test]
fn ends_are_where_they_are_said_to_be() {
    use cl_algo::Val;
    fn of<D: Distribution>(distribution: &D) -> Vec<D::Value> {
        let zero: Val<D::Word> = Val::known(Default::default());
        let mut values = Vec::new();
        distribution.values(&vec![zero; D::WORDS], &mut values);
        values.into_iter().map(|value| value.value().unwrap()).collect()
    }
    fn top<D: Distribution<Word = u32>>(distribution: D) -> Vec<D::Value> {
        let mut values = Vec::new();
        distribution.values(&vec![Val::known(u32::MAX); D::WORDS], &mut values);
        values.into_iter().map(|value| value.value().unwrap()).collect()
    }
    assert_eq!(of(&StandardUniform::<f32>::new()), [0.0]);
    assert_eq!(top(StandardUniform::<f32>::new()), [1.0_f32.next_down()]);
    assert_eq!(of(&OpenClosed01::<f32>::new()), [f32::EPSILON / 2.0]);
    assert_eq!(top(OpenClosed01::<f32>::new()), [1.0]);
    assert_eq!(of(&Open01::<f32>::new()), [f32::EPSILON / 2.0]);
    assert_eq!(top(Open01::<f32>::new()), [1.0_f32.next_down()]);
    let narrow = Uniform::new(1.0_f32, 1.0_f32.next_up()).unwrap();
    assert_eq!(top(narrow), [1.0]);
    assert!((6.999..7.0).contains(&top(Uniform::open(-5.0_f32, 7.0).unwrap())[0]));
    for ends in [of(&Normal::<f32>::standard()), top(Normal::standard())] {
        assert!(ends.iter().all(|x| x.is_finite() && x.abs() < 6.8), "{ends:?}");
    }
    let ends = of(&Normal::<f64>::standard());
    assert!(ends[0] > 9.0 && ends[0] < 9.5);
    // Never 0, because the argument of the logarithm is never 1.
    assert_eq!(top(Exponential::new(1.0_f32).unwrap()), [2.0_f32.powi(-24)]);
    assert!(of(&Exponential::new(1.0_f32).unwrap())[0] < 23.0);
    for (p, wanted) in [(0.0, false), (1.0, true)] {
        let draws = Philox4x32::<10>::new(1).draws(Bernoulli::new(p).unwrap());
        assert!(draws.iter().take(1000).all(|value| value == wanted));
    }
    assert_eq!(of(&UniformInteger::new(-4..4_i32).unwrap()), [-4]);
    // For a shape as small as this, the exponent of the power is infinite, and the logarithm may be
    // 0.
    assert!(top(Gamma::new(1e-40_f32, 1.0).unwrap())[0].is_finite());
}
