//! Random arguments: device and host agree.

use crate::device_fn::parts::assert_same;
use cl_algo::num_complex::Complex;
use cl_algo::{DeviceVec, F32x4, I16x3, device_fn};
use cl_core::Queue;
use cl_test::each_device;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Computes with integers through all kinds of control flow.
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

/// Computes with floats; all operations are rounded correctly, except division.
#[device_fn]
fn rounded(x: f32, y: f32) -> f32 {
    let mut z = [x, y, x * y, x - y];
    for i in 1..z.len() {
        let previous = z[i - 1];
        z[i] = if previous.abs() > 1.0 { z[i].mul_add(previous, 0.5) } else { z[i] + previous * 0.25 };
    }
    if z[3].is_nan() { z[0].floor() } else { z[3].max(z[2].min(z[1])) }
}

/// Runs a program of 24 steps over vectors and complex numbers, which the seed chooses.
#[device_fn]
fn program(seed: u32, x: F32x4, z: Complex<f32>, n: I16x3) -> (F32x4, Complex<f32>, I16x3) {
    let mut word = seed;
    let mut v = [x, x * 0.5, F32x4::splat(1.5)];
    let mut c = [z, z.conj(), Complex::new(0.5, -0.25)];
    let mut m = [n, n * 3, I16x3::from([7, -1, 0])];
    for _ in 0..24 {
        word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let (to, a, b) = ((word >> 8) as usize % 3, (word >> 12) as usize % 3, (word >> 16) as usize % 3);
        let lane = (word >> 20) as usize % 3;
        match word >> 27 {
            0 => v[to] = v[a] + v[b],
            1 => v[to] -= v[b] * 0.75,
            2 => v[to] = v[a] * v[b],
            3 => v[to] = -v[a] % v[b],
            4 => v[to] = v[a][lane] - v[b],
            5 => v[to][lane] = v[a][3],
            6 => v[to][lane + 1] *= c[a].re,
            7 => v[to] %= c[a].norm_sqr(),
            8 => c[to] = c[a] * c[b],
            9 => c[to] = c[a] + v[b][lane],
            10 => c[to] -= c[b].scale(0.5),
            11 => c[to].im = v[a][lane],
            12 => c[to].re += c[a].im,
            13 => c[to] = v[a][lane] * c[b] - c[a],
            14 => c[to] = -c[a] % 3.0,
            15 => m[to] = m[a] + m[b],
            16 => m[to] *= m[b],
            17 => m[to] = m[a] / m[b],
            18 => m[to] %= m[b],
            19 => m[to] = m[a][lane] - m[b],
            20 => m[to][lane] ^= m[a][2],
            21 => m[to] = m[a] / m[b][lane] + m[b] % 9,
            22 => m[to] = -m[a] - 1,
            23 => v[to][lane] = m[a][lane] as f32,
            24 if v[a] == v[b] => v[to] = F32x4::splat(0.5),
            25 if c[a] != c[b] => c[to] = Complex { re: 0.25, im: c[b].re },
            26 if m[a] == m[b] => m[to] = I16x3::splat(100),
            27 => m[to] = m[a] * 256,
            28 => v[to] = x + v[lane],
            29 => c[to] = z.powu(word & 3),
            _ => m[to][2 - lane] = (word & 0xff) as i16,
        }
    }
    (v[0], c[0] + c[1] * c[2], m[1])
}

#[test]
fn programs_over_vectors_and_complex_numbers() {
    let number = prop_oneof![8 => -4.0_f32..4.0, 1 => prop::sample::select(vec![0.0, -0.0, f32::MAX, 1e-30])];
    let item = (any::<u32>(), [number.clone(), number.clone(), number.clone(), number.clone()]);
    let columns = prop::collection::vec((item, [number.clone(), number], any::<[i16; 3]>()), 2000);
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let config = Config { cases: 8, failure_persistence: None, ..Config::default() };
        let outcome = TestRunner::new(config).run(&columns, |items| {
            let seeds: Vec<u32> = items.iter().map(|((seed, _), ..)| *seed).collect();
            let x: Vec<F32x4> = items.iter().map(|((_, x), ..)| F32x4::from(*x)).collect();
            let z: Vec<Complex<f32>> = items.iter().map(|(_, [re, im], _)| Complex::new(*re, *im)).collect();
            let n: Vec<I16x3> = items.iter().map(|(.., n)| I16x3::from(*n)).collect();
            let (v, c, m) = {
                let (seeds, x) = (
                    DeviceVec::from_slice(queue, &seeds).unwrap(),
                    DeviceVec::from_slice(queue, &x).unwrap(),
                );
                let (z, n) =
                    (DeviceVec::from_slice(queue, &z).unwrap(), DeviceVec::from_slice(queue, &n).unwrap());
                program(&seeds, &x, &z, &n).collect().unwrap()
            };
            let host = |at: usize| program(seeds[at], x[at], z[at], n[at]);
            assert_same(v, "vectors of floats", |at| host(at).0);
            assert_same(c, "complex numbers", |at| host(at).1);
            assert_same(m, "vectors of integers", |at| host(at).2);
            Ok(())
        });
        outcome.unwrap_or_else(|failure| panic!("{failure}"));
    });
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
