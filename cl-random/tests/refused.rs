//! Parameters that no distribution has, and values at the ends of what there is.
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
fn bad_weights_are_refused() {
    let queue = cl_core::Queue::on(&cl_core::Device::first().unwrap()).unwrap();
    for bad in [&[][..], &[0.0, 0.0], &[1.0, -1.0], &[f64::NAN], &[f64::MAX, f64::MAX]] {
        refused(Discrete::new(&queue, bad));
    }
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
    assert!(top(Exponential::new(1.0_f32).unwrap())[0] == 0.0);
    assert!(of(&Exponential::new(1.0_f32).unwrap())[0] < 23.0);
    for (p, wanted) in [(0.0, false), (1.0, true)] {
        let draws = Philox4x32::<10>::new(1).draws(Bernoulli::new(p).unwrap());
        assert!(draws.iter().take(1000).all(|value| value == wanted));
    }
    assert_eq!(of(&UniformInteger::new(-4..4_i32).unwrap()), [-4]);
}
