//! Random arguments: device and host agree.

use cl_algo::device_fn;
use cl_core::Queue;
use cl_test::each_device;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Integers through all kinds of control flow.
#[device_fn]
fn tangled(a: i32, b: i32, c: u32) -> (i32, u32, bool) {
    let mut state = (a, c, false);
    for round in 0..(c % 7) {
        let (x, y, flag) = state;
        let next = match (x & 3, flag) {
            (0, true) => x.wrapping_sub(b),
            (0 | 1, _) => x.wrapping_mul(31) ^ b,
            (n, true) if n > 2 => return (n, y, flag),
            (n, _) => {
                let mut sum = n;
                let mut left = y % 5;
                while left > 0 {
                    left -= 1;
                    if sum > 1000 {
                        break;
                    }
                    sum = sum.wrapping_add(b >> (left & 31));
                }
                sum
            }
        };
        state = (next, y.rotate_left(round), next > x && b != 0);
    }
    state
}

/// Floats whose operations are all rounded correctly, but for division.
#[device_fn]
fn rounded(x: f32, y: f32) -> f32 {
    let mut z = [x, y, x * y, x - y];
    for i in 1..z.len() {
        let previous = z[i - 1];
        z[i] = if previous.abs() > 1.0 { z[i].mul_add(previous, 0.5) } else { z[i] + previous * 0.25 };
    }
    if z[3].is_nan() { z[0].floor() } else { z[3].max(z[2].min(z[1])) }
}

const LEN: usize = 300;

#[test]
fn integers() {
    let columns = (
        prop::collection::vec(prop_oneof![any::<i32>(), -9..9], LEN),
        prop::collection::vec(prop_oneof![any::<i32>(), -9..9], LEN),
        prop::collection::vec(any::<u32>(), LEN),
    );
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let config = Config { cases: 32, failure_persistence: None, ..Config::default() };
        let outcome = TestRunner::new(config).run(&columns, |(a, b, c)| {
            agree!(queue, 0, tangled(a, b, c));
            Ok(())
        });
        outcome.unwrap_or_else(|failure| panic!("{failure}"));
    });
}

#[test]
fn floats() {
    let special = prop::sample::select(vec![0.0, -0.0, f32::INFINITY, f32::NAN, f32::MAX]);
    let value = prop_oneof![6 => -10.0_f32..10.0, 2 => prop::num::f32::NORMAL, 1 => special];
    let column = prop::collection::vec(value, LEN);
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let config = Config { cases: 32, failure_persistence: None, ..Config::default() };
        let outcome = TestRunner::new(config).run(&(column.clone(), column.clone()), |(x, y)| {
            agree!(queue, 0, rounded(x, y));
            Ok(())
        });
        outcome.unwrap_or_else(|failure| panic!("{failure}"));
    });
}
