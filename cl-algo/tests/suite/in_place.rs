//! Several vectors evaluated in place by one kernel, up to a whole numerical method.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use crate::probed;
use cl_algo::prelude::*;
use cl_core::Error;
use cl_test::{counting, each_device};
use std::ops::{Add, Mul, Sub};

/// Lengths around packs, tiles and chunks.
fn lengths() -> Vec<usize> {
    cl_test::full_or_small(vec![1, 2, 3, 17, 255, 1000, 4097, 70_001], vec![1, 2, 3, 17, 255, 1000, 9001])
}

#[test]
fn all_is_computed_before_anything_is_stored() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in lengths() {
            let mut x = DeviceVec::from_fn(&queue, len, |i| i as i32).unwrap();
            let mut y = DeviceVec::from_fn(&queue, len, |i| -3 * i as i32).unwrap();
            let mut z = DeviceVec::from_fn(&queue, len, |i| i as i64 * 1_000_000_007).unwrap();
            let other = DeviceVec::from_fn(&queue, len, |i| i as i32 % 7).unwrap();
            // A swap, with a vector that is only read, read in another order.
            assign_with((&mut x, &mut y), |both| {
                both.zip(other.iter().rev()).map(|((x, y), other)| (y + other, x))
            })
            .unwrap();
            // Elements of other types, nested tuples, and one vector.
            assign_with((&mut z, (&mut x, &mut y)), |all| {
                all.map(|(z, (x, y))| (z + x.cast::<i64>() * 2, (x - y, y * y)))
            })
            .unwrap();
            assign_with(&mut z, |z| z + 1).unwrap();
            let swapped = |i: usize| (-3 * i as i32 + (len - 1 - i) as i32 % 7, i as i32);
            let (x, y, z) = (x.to_vec().unwrap(), y.to_vec().unwrap(), z.to_vec().unwrap());
            for i in 0..len {
                let (a, b) = swapped(i);
                let c = i as i64 * 1_000_000_007 + i64::from(a) * 2 + 1;
                assert_eq!((x[i], y[i], z[i]), (a - b, b.wrapping_mul(b), c), "{i} of {len}");
            }
        }
    });
}

#[test]
fn one_launch_and_each_vector_twice() {
    let counter = counting::exclusive();
    for device in probed::devices() {
        let queue = Queue::on(&device).unwrap();
        let vector = |value: f32| DeviceVec::filled(&queue, value, 50).unwrap();
        let (mut x, mut y) = (vector(1.0), vector(2.0));
        let calls =
            counter.calls_during(|| assign_with((&mut x, &mut y), |p| p.map(|(x, y)| (y, x))).unwrap());
        assert_eq!(calls["clEnqueueNDRangeKernel"], 1);
        // As an operand and as a target, and the length.
        assert_eq!(calls["clSetKernelArg"], 2 * 2 + 1);
        assert_eq!((x.to_vec().unwrap(), y.to_vec().unwrap()), (vec![2.0; 50], vec![1.0; 50]));
    }
}

/// Each is refused before the driver is called, and the vectors stay as they are.
#[test]
fn mistakes_make_no_calls() {
    let counter = counting::exclusive();
    for device in probed::devices() {
        let queue = Queue::on(&device).unwrap();
        let vector = |len| DeviceVec::from_fn(&queue, len, |i| i as i32).unwrap();
        let (mut x, mut y, mut short) = (vector(5), vector(5), vector(4));
        let order = vector(5);
        let elsewhere = Queue::new(queue.context(), QueueOptions::new()).unwrap();
        let mut foreign = DeviceVec::filled(&elsewhere, 0, 5).unwrap();
        let calls = counter.calls_during(|| {
            // Neighbours of its own, and of the other vector: of the second, and of the first.
            let refused = [
                assign_with((&mut x, &mut y), Expr::rev),
                assign_with((&mut x, &mut y), |p| {
                    let (x, y) = p.unzip();
                    zip((y.clone().shifted(1, Border::Clamp) + x, y))
                }),
                assign_with((&mut x, &mut y), |p| {
                    let (x, y) = p.unzip();
                    zip((x.clone(), x.gather(&order) + y))
                }),
            ];
            for refused in refused {
                assert!(matches!(refused, Err(Error::InvalidInput { .. })), "{refused:?}");
            }
            let refused = assign_with((&mut x, &mut short), |p| p);
            assert!(matches!(refused, Err(Error::LengthMismatch { .. })), "{refused:?}");
            let refused = assign_with((&mut x, &mut y), |p| p.take(3));
            assert!(matches!(refused, Err(Error::LengthMismatch { .. })), "{refused:?}");
            let refused = assign_with((&mut x, &mut foreign), |p| p);
            assert!(matches!(refused, Err(Error::ForeignObject { .. })), "{refused:?}");
        });
        assert_eq!(calls, counting::Calls::new());
        assert_eq!(x.to_vec().unwrap(), [0, 1, 2, 3, 4]);
        assert_eq!(y.to_vec().unwrap(), [0, 1, 2, 3, 4]);
    }
}

#[test]
fn views_and_parts_of_one_vector() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in lengths() {
            let host: Vec<i32> = (0..len as i32).map(|i| i.wrapping_mul(i) % 1009).collect();
            let start = || DeviceVec::from_slice(&queue, &host).unwrap();
            let other = DeviceVec::from_fn(&queue, len, |i| i as i32).unwrap();
            let mut x = start();
            assign_with(x.slice_mut(1..), |x| 2 * x + other.slice(1..)).unwrap();
            assign_with(x.view_mut().step_by(3).rev(), |x| x.enumerate().map(|(i, x)| x - i.cast::<i32>()))
                .unwrap();
            cl_algo::stl::for_each(x.slice_mut(..len / 2), |x| -x).unwrap();
            let count = len.div_ceil(3);
            let expected = (0..len).map(|i| {
                let x = if i > 0 { 2 * host[i] + i as i32 } else { host[0] };
                let x = if i % 3 == 0 { x - (count - 1 - i / 3) as i32 } else { x };
                if i < len / 2 { -x } else { x }
            });
            assert!(x.to_vec().unwrap().into_iter().eq(expected), "{len}");

            // The two halves change places, and a third vector takes what they were.
            let half = len / 2;
            let (mut x, mut sums) = (start(), DeviceVec::filled(&queue, 0, half).unwrap());
            let (low, high) = x.slice_mut(..2 * half).split_at(half);
            assign_with((low, high.rev(), &mut sums), |all| all.map(|(a, b, _)| (b, a, a + b))).unwrap();
            let mut expected = host.clone();
            expected[..2 * half].reverse();
            assert!(x.to_vec().unwrap() == expected, "{len}: halves");
            let expected = (0..half).map(|i| host[i] + host[2 * half - 1 - i]);
            assert!(sums.to_vec().unwrap().into_iter().eq(expected), "{len}: sums");
        }
    });
}

/// What a view's expression may not read, and views that are none: refused before the driver is called.
#[test]
fn mistakes_of_views_make_no_calls() {
    let counter = counting::exclusive();
    for device in probed::devices() {
        let queue = Queue::on(&device).unwrap();
        let mut x = DeviceVec::from_fn(&queue, 6, |i| i as i32).unwrap();
        let calls = counter.calls_during(|| {
            let refused = [
                assign_with(x.slice_mut(1..), Expr::rev),
                assign_with(x.view_mut().rev(), Expr::rev),
                assign_with(x.slice_mut(1..), |x| x.shifted(1, Border::Clamp)),
                assign_with(x.slice_mut(..5), |x| x.clone().skip(1).take(5) + x),
                assign_with(x.view_mut().step_by(2), |x| x.gather(-iota(-2, 3))),
            ];
            for refused in refused {
                assert!(refused.is_err());
            }
            let error = assign_with(x.view_mut().rev(), Expr::rev).unwrap_err();
            assert!(
                matches!(error, Error::InvalidInput { what: "expression to assign in place", .. }),
                "{error}"
            );
            let error = assign_with(x.slice_mut(4..7), |x| x + 1).unwrap_err();
            assert!(matches!(error, Error::InvalidInput { what: "range", .. }), "{error}");
            let (low, high) = x.view_mut().split_at(2);
            let error = assign_with((low, high), |both| both).unwrap_err();
            assert!(matches!(error, Error::LengthMismatch { .. }), "{error}");
        });
        assert_eq!(calls, counting::Calls::new());
        assert_eq!(x.to_vec().unwrap(), [0, 1, 2, 3, 4, 5]);
    }
}

/// The elements of a table from the last one on.
#[device_fn]
fn from_last(i: u64, of: &[i32]) -> i32 {
    of[of.len() - 1 - i as usize]
}

#[test]
fn functions_read_other_vectors() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let table = DeviceVec::from_slice(&queue, &[7, 8, 9]).unwrap();
        let (mut x, mut y) = (table.iter().collect().unwrap(), (&table * 2).collect().unwrap());
        assign_with((&mut x, &mut y), |both| {
            let last = from_last(index::<u64>(), &table);
            both.zip(last).map(|((x, y), last)| (x + last, y - x))
        })
        .unwrap();
        assert_eq!(x.to_vec().unwrap(), [16, 16, 16]);
        assert_eq!(y.to_vec().unwrap(), [7, 8, 9]);
    });
}

trait Real:
    Clone + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Mul<f64, Output = Self>
{
}

impl<T> Real for T where T: Clone + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Mul<f64, Output = T> {}

/// A step of Heun's method for the Lorenz system.
fn heun<T: Real>(s: (T, T, T)) -> (T, T, T) {
    let speed = |(x, y, z): (T, T, T)| {
        let v = x.clone() * 28.0 - x.clone() * z.clone() - y.clone();
        ((y.clone() - x.clone()) * 10.0, v, x * y - z * (8.0 / 3.0))
    };
    let moved = |s: &(T, T, T), v: (T, T, T), h: f64| {
        (s.0.clone() + v.0 * h, s.1.clone() + v.1 * h, s.2.clone() + v.2 * h)
    };
    let first = speed(s.clone());
    let second = speed(moved(&s, first.clone(), 0.01));
    moved(&s, (first.0 + second.0, first.1 + second.1, first.2 + second.2), 0.005)
}

/// One generic function on the host, on lazy vectors and recorded: chaos would show any difference.
#[test]
fn a_numerical_method_in_three_forms() {
    each_device(|device| {
        if !cl_test::offers(device, "double precision", device.has_fp64()) {
            return;
        }
        let queue = Queue::on(device).unwrap();
        for len in [1, 17, 1000, 4097] {
            let begin = |i: usize| (1.0 + i as f64 / len as f64, 1.0, 20.0);
            let coordinate =
                |of: fn((f64, f64, f64)) -> f64| DeviceVec::from_fn(&queue, len, |i| of(begin(i)));
            let start = || (coordinate(|s| s.0), coordinate(|s| s.1), coordinate(|s| s.2));
            let (x, y, z) = start();
            let (mut x, mut y, mut z) = (x.unwrap(), y.unwrap(), z.unwrap());
            let (a, b, c) = start();
            let (mut a, mut b, mut c) = (a.unwrap(), b.unwrap(), c.unwrap());
            let steps = cl_test::full_or_small(300, 10);
            for _ in 0..steps {
                assign_with((&mut x, &mut y, &mut z), |states| states.map(heun)).unwrap();
                let next = zip(heun((a.iter(), b.iter(), c.iter()))).collect().unwrap();
                (a, b, c) = next;
            }
            let (x, y, z) = (x.to_vec().unwrap(), y.to_vec().unwrap(), z.to_vec().unwrap());
            let host: Vec<_> = (0..len).map(|i| (0..steps).fold(begin(i), |s, _| heun(s))).collect();
            (0..len).for_each(|i| assert_eq!((x[i], y[i], z[i]), host[i], "recorded, {i} of {len}"));
            assert_eq!(a.to_vec().unwrap(), x, "lazy, {len}");
            assert_eq!(c.to_vec().unwrap(), z, "lazy, {len}");
        }
    });
}
