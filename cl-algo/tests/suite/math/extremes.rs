//! Arguments at the ends of the range that some drivers get wrong: tests of their own, so that all else
//! is tested there.

use crate::math::precise::*;
use crate::math::{pair, values};
use cl_algo::math::{cos, normalize, pow, sin, sincos, step, tan};
use cl_algo::prelude::*;
use cl_algo::{F32x3, F64x4};
use cl_test::known_faults;

/// What the tests below have, and those of all functions leave to them.
pub(crate) fn is_left_to_its_own_test<T: Precise>(name: &str, x: f64, y: f64) -> bool {
    let most = two_to(-T::LEAST);
    match name {
        "sin" | "cos" | "tan" | "sine of sincos" | "cosine of sincos" => x != 0.0 && flushed::<T>(x) == 0.0,
        name if name.starts_with("pow") && T::COLUMN == 2 => {
            x != 0.0 && x.abs() < two_to(T::LEAST)
                || x.is_finite() && y.is_finite() && x.abs().min(y.abs()) >= most
        }
        "step" => y.is_nan(),
        _ => false,
    }
}

#[test]
fn angles_below_all_normal_numbers() {
    known_faults::each_device("math::extremes::angles_below_all_normal_numbers", |device| {
        let queue = Queue::on(device).unwrap();
        let least = f32::MIN_POSITIVE;
        // Beside large ones in the same pack.
        let angles = [0.5 * least, f32::MAX, -0.5 * least, 0.1 * least, -1e-3 * least].repeat(33);
        let x = DeviceVec::from_slice(&queue, &angles).unwrap();
        let (sine, cosine) = pair(sincos(&x));
        let plain = values(&[sin(&x), tan(&x), cos(&x)]);
        for i in (0..angles.len()).filter(|&i| angles[i] < 1.0) {
            for actual in [sine[i], plain[0][i], plain[1][i]] {
                assert!(is_within([4.0; 3], actual, angles[i].into()), "{:e}: {actual:e}", angles[i]);
            }
            assert_eq!([cosine[i], plain[2][i]], [1.0, 1.0]);
        }
    });
}

#[test]
fn powers_of_extreme_doubles() {
    known_faults::each_device("math::extremes::powers_of_extreme_doubles", |device| {
        if !cl_test::offers(device, "double precision", device.has_fp64()) {
            return;
        }
        let queue = Queue::on(device).unwrap();
        let tiny = 0.5 * f64::MIN_POSITIVE;
        let cases =
            [(-f64::MAX, -f64::MAX, 0.0), (tiny, 1.0, tiny), (2.0, 0.5, 2.0_f64.sqrt()), (-tiny, 1.0, -tiny)];
        let cases = cases.repeat(33);
        let [a, b] = [cases.iter().map(|case| case.0).collect(), cases.iter().map(|case| case.1).collect()]
            .map(|values: Vec<f64>| DeviceVec::from_slice(&queue, &values).unwrap());
        for (actual, case) in pow(&a, &b).collect().unwrap().to_vec().unwrap().into_iter().zip(cases) {
            assert!(is_within([16.0; 3], actual, case.2), "pow({:e}, {:e}): {actual:e}", case.0, case.1);
        }
    });
}

/// NaN is not below the edge.
#[test]
fn steps_of_nan() {
    known_faults::each_device("math::extremes::steps_of_nan", |device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &[f32::NAN; 67]).unwrap();
        assert_eq!(step(0.5, &x).collect().unwrap().to_vec().unwrap(), [1.0; 67]);
    });
}

/// The zero vector has no direction, and no length to be divided by.
#[test]
fn the_unit_vector_of_zero() {
    known_faults::each_device("math::extremes::the_unit_vector_of_zero", |device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &[F32x3::splat(0.0); 35]).unwrap();
        assert_eq!(normalize(&x).collect().unwrap().to_vec().unwrap(), [F32x3::splat(0.0); 35]);
    });
}

/// Vectors of doubles have the remainders of their components, whatever else is in the vector.
#[test]
fn remainders_of_vectors() {
    each_device_with::<f64>(|_, queue| {
        let tiny = 0.5 * f64::MIN_POSITIVE;
        let a = [F64x4::from([2.119375, -f64::MAX, 7.0, f64::INFINITY])].repeat(35);
        let b = [F64x4::from([0.018, f64::MIN_POSITIVE, tiny, 2.0])].repeat(35);
        let [x, y] = [&a, &b].map(|values| DeviceVec::from_slice(queue, values).unwrap());
        let rests = (x.iter() % &y).collect().unwrap().to_vec().unwrap();
        for (rest, expected) in rests.into_iter().zip(a.iter().zip(&b).map(|(&a, &b)| a % b)) {
            assert_eq!(rest.to_array()[..3], expected.to_array()[..3]);
            assert!(rest[3].is_nan());
        }
    });
}
