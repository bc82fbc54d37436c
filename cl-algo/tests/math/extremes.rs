//! Arguments at the ends of the range that some drivers get wrong: tests of their own, so that all else
//! is tested there.

use crate::precise::*;
use crate::{pair, values};
use cl_algo::prelude::*;
use cl_test::known_faults;

/// What the tests below have, and those of all functions leave to them.
pub(crate) fn is_left_to_its_own_test<T: Precise>(name: &str, x: f64, y: f64) -> bool {
    let most = two_to(1 - T::LEAST);
    match name {
        "sin" | "cos" | "tan" | "sine of sincos" | "cosine of sincos" => x != 0.0 && flushed::<T>(x) == 0.0,
        "pow" => x.is_finite() && y.is_finite() && x <= -most && y.abs() >= most,
        _ => false,
    }
}

#[test]
fn angles_below_all_normal_numbers() {
    known_faults::each_device("extremes::angles_below_all_normal_numbers", |device| {
        let queue = Queue::on(device).unwrap();
        let least = f32::MIN_POSITIVE;
        let angles = [0.5 * least, -0.5 * least, 0.1 * least, -1e-3 * least].repeat(33);
        let x = DeviceVec::from_slice(&queue, &angles).unwrap();
        let (sine, cosine) = pair(sincos(&x));
        let plain = values(&[sin(&x), tan(&x), cos(&x)]);
        for i in 0..angles.len() {
            for actual in [sine[i], plain[0][i], plain[1][i]] {
                assert!(is_within([4.0; 3], actual, angles[i].into()), "{:e}: {actual:e}", angles[i]);
            }
            assert_eq!([cosine[i], plain[2][i]], [1.0, 1.0]);
        }
    });
}

#[test]
fn powers_of_the_largest_doubles() {
    known_faults::each_device("extremes::powers_of_the_largest_doubles", |device| {
        if !device.has_fp64().unwrap() {
            return;
        }
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &[-f64::MAX; 133]).unwrap();
        let powers = pow(&x, &x).collect().unwrap().to_vec().unwrap();
        assert!(powers.iter().all(|power| power.abs() == 0.0), "{powers:?}");
    });
}
