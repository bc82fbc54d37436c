//! Calls with all kinds of arguments, and interning of functions.

use cl_algo::function::probe::DeviceFunction;
use cl_algo::{DeviceVec, Expr, Number, Val, device_fn};
use cl_core::{Error, Queue};
use cl_test::each_device;
use std::ops::{Add, Mul};

#[device_fn]
fn scaled(x: f32, by: f32) -> f32 {
    x * by + 1.0
}

#[device_fn]
fn square<T: Number + Mul<Output = T>>(x: T) -> T {
    x * x
}

/// Sums squares with generic functions that call generic functions, one by a path.
#[device_fn]
fn sum_of_squares<T>(x: T, y: T) -> T
where
    T: Number + Add<Output = T> + Mul<Output = T>,
{
    square(x) + inner::square_again(y)
}

mod inner {
    use super::{Mul, Number, device_fn};

    #[device_fn]
    pub(super) fn square_again<T: Number + Mul<Output = T>>(x: T) -> T {
        super::square(x)
    }
}

#[device_fn]
fn widened(x: i16, y: i32) -> i64 {
    let small = sum_of_squares(x, 2);
    sum_of_squares(i64::from(y), small as i64)
}

#[device_fn]
fn power<const N: usize>(x: u64, factor: [u64; N]) -> u64 {
    let mut product = x + N as u64;
    for i in 0..N {
        product *= factor[i];
    }
    product
}

#[device_fn]
fn cube(x: u64) -> u64 {
    power(x, [2, 3]) + power(x, [2, 2, 2])
}

#[device_fn]
fn golden() -> f64 {
    1.618
}

#[device_fn]
fn at(index: usize, offset: usize) -> usize {
    index * 10 + offset
}

#[device_fn]
fn ping(x: u32) -> u32 {
    if x == 0 { 0 } else { pong(x - 1) }
}

#[device_fn]
fn pong(x: u32) -> u32 {
    if x == 0 { 1 } else { ping(x - 1) }
}

#[test]
fn take_host_values() {
    assert_eq!(scaled(2.0, 3.0), 7.0);
    let result: f32 = scaled(2.0, 3.0_f32).sqrt();
    assert!(result > 2.6);
    assert_eq!(sum_of_squares(3_i64, 4), 25);
    assert_eq!(sum_of_squares(0.5, 1.0), 1.25);
    assert_eq!(widened(3, 2), 4 + 169);
    assert_eq!(golden(), 1.618);
    assert_eq!(ping(7), 1);
}

#[test]
fn take_vectors_expressions_and_scalars_together() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(queue, &[1.0_f32, 2.0, 3.0]).unwrap();
        let y = DeviceVec::from_slice(queue, &[10.0_f32, 20.0, 30.0]).unwrap();
        let get = |expr: Expr<'_, f32>| expr.collect().unwrap().to_vec().unwrap();
        assert_eq!(get(scaled(&x, 2.0)), [3.0, 5.0, 7.0]);
        assert_eq!(get(scaled(0.5, &x)), [1.5, 2.0, 2.5]);
        assert_eq!(get(scaled(&x, &y)), [11.0, 41.0, 91.0]);
        let twice = &x * 2.0;
        assert_eq!(get(scaled(&twice, scaled(&y, 0.1))), [5.0, 13.0, 25.0]);
        assert_eq!(get(1.0 + scaled(twice, &y) * 2.0), [43.0, 163.0, 363.0]);
        assert_eq!(scaled(&x, 2.0).sum().unwrap(), 15.0);
        let indices = DeviceVec::from_slice(queue, &[1_u64, 2]).unwrap();
        assert_eq!(at(&indices, 5).collect().unwrap().to_vec().unwrap(), [15, 25]);
    });
}

#[test]
fn take_recorded_values() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(queue, &[1.0_f32, 2.0, 3.0]).unwrap();
        let get = |expr: Expr<'_, f32>| expr.collect().unwrap().to_vec().unwrap();
        assert_eq!(get(x.iter().map(square)), [1.0, 4.0, 9.0]);
        assert_eq!(get(x.iter().map(|x| scaled(square(x), 2.0) + x)), [4.0, 11.0, 22.0]);
        assert_eq!(get(x.iter().zip(&x).map(|(x, y)| scaled(x, y))), [2.0, 5.0, 10.0]);
    });
    assert_eq!(scaled(Val::known(2.0), 4.0).value(), Some(9.0));
}

#[test]
fn are_generic() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let (x, y) = (vec![1_i16, -2, 100], vec![5, -7, 100_000]);
        agree!(queue, 0, widened(x, y));
        let (x, y) = (vec![1_u8, 2, 3], vec![5_u8, 7, 1]);
        agree!(queue, 0, sum_of_squares(x, y));
        let x = vec![1_u64, 2, 3];
        agree!(queue, 0, cube(x));
    });
}

#[test]
fn of_equal_content_are_one() {
    let first = square::<f32>::function().unwrap();
    assert!(std::ptr::eq(first, square::<f32>::function().unwrap()));
    assert!(!std::ptr::eq(first, square::<f64>::function().unwrap()));
    assert_ne!(first.name(), square::<f64>::function().unwrap().name());
    // `square_again` only calls `square`.
    assert!(inner::square_again::<f32>::function().unwrap().source().contains(first.name()));
}

#[test]
fn that_go_round_are_an_error() {
    let error = ping::function().expect_err("it calls itself through another one");
    assert!(error.to_string().contains("calls itself"), "{error}");
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(queue, &[1_u32]).unwrap();
        assert!(matches!(ping(&x).collect(), Err(Error::InvalidInput { .. })));
        assert!(matches!(x.iter().map(ping).collect(), Err(Error::InvalidInput { .. })));
    });
}

#[test]
fn arrays_of_the_host_are_no_arguments_on_a_device() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(queue, &[1_u64]).unwrap();
        let error = power(&x, [1, 2]).collect().expect_err("an array is not a kernel argument");
        assert!(error.to_string().contains("pass their parts"), "{error}");
    });
}

/// Uses double precision within a function of integers.
#[device_fn]
fn hidden_double(x: u32) -> u32 {
    (f64::from(x) * 0.5) as u32
}

#[test]
fn tell_all_types_that_the_device_must_have() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(queue, &[5_u32]).unwrap();
        let expr = hidden_double(&x);
        if device.has_fp64().unwrap() {
            assert!(expr.kernel_source(device).unwrap().contains("cl_khr_fp64"));
            assert_eq!(expr.collect().unwrap().to_vec().unwrap(), [2]);
        } else {
            assert!(matches!(expr.collect(), Err(Error::Unsupported { .. })));
        }
    });
}
