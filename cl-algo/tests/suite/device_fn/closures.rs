//! `cl!`: closures in place, with captures.

use cl_algo::{DeviceVec, Expr, Number, Val, cl, device_fn};
use cl_core::Queue;
use cl_test::each_device;

const OFFSET: f32 = 0.25;

#[device_fn]
fn half(x: f32) -> f32 {
    x / 2.0
}

#[test]
fn branch_and_capture() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(queue, &[1.0_f32, 2.0, 3.0]).unwrap();
        let get = |expr: Expr<'_, f32>| expr.collect().unwrap().to_vec().unwrap();
        for limit in [0.5, 1.5, 2.5] {
            let expected: Vec<f32> =
                [1.0, 2.0, 3.0].into_iter().map(|x| if x > limit { x } else { OFFSET }).collect();
            assert_eq!(get(x.iter().map(cl!(|x: f32| if x > limit { x } else { OFFSET }))), expected);
        }
        let (lo, hi) = (1.5, 2.5);
        let inside = x.iter().map(cl!(|v: f32| v > lo && v < hi)).collect().unwrap();
        assert_eq!(inside.to_vec().unwrap(), [false, true, false]);
        let n = 3;
        let powers = x.iter().map(cl!(|x: f32| -> f32 {
            let mut power = half(x);
            for _ in 0..n {
                if power > 10.0 {
                    return -power;
                }
                power *= x;
            }
            power
        }));
        assert_eq!(get(powers), [0.5, 8.0, -13.5]);
    });
}

#[test]
fn take_tuples_and_give_them() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(queue, &[1_i32, 5, 3]).unwrap();
        let y = DeviceVec::from_slice(queue, &[4_i32, 2, 3]).unwrap();
        let sorted = x.iter().zip(&y).map(cl!(|(x, y): (i32, i32)| if x < y { (x, y) } else { (y, x) }));
        let (low, high) = sorted.collect().unwrap();
        assert_eq!(low.to_vec().unwrap(), [1, 2, 3]);
        assert_eq!(high.to_vec().unwrap(), [4, 5, 3]);
    });
}

/// In a generic function each monomorphisation is a closure of its own.
fn doubled<T: Number + std::ops::Add<Output = T>, const N: u32>(x: Expr<'_, T>) -> Vec<T> {
    x.map(cl!(|x: T| {
        let mut sum = x;
        for _ in 0..N {
            sum = sum + x;
        }
        sum
    }))
    .collect()
    .unwrap()
    .to_vec()
    .unwrap()
}

#[test]
fn are_generic_where_they_stand() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(queue, &[1_i32, 5]).unwrap();
        assert_eq!(doubled::<i32, 1>(x.iter()), [2, 10]);
        assert_eq!(doubled::<i32, 3>(x.iter()), [4, 20]);
        let x = DeviceVec::from_slice(queue, &[1.5_f32]).unwrap();
        assert_eq!(doubled::<f32, 1>(x.iter()), [3.0]);
    });
}

#[test]
fn run_on_the_host_with_known_values() {
    let limit = 2.0;
    let cut = cl!(|x: f32| if x > limit { limit } else { x });
    assert_eq!(cut(Val::known(3.0)).value(), Some(2.0));
    assert_eq!(cut(Val::known(1.0)).value(), Some(1.0));
    let pair = cl!(|x: i32, y: i32| (x + y, x > y));
    let (sum, larger) = pair(Val::known(1), Val::known(2));
    assert_eq!((sum.value(), larger.value()), (Some(3), Some(false)));
}

/// Names that the macro itself might use.
#[test]
fn capture_what_has_any_name() {
    const BODY: f32 = 8.0;
    let (host, by_host, body, größe) = (1.0, 2.0, 4.0, 16.0);
    let sum = cl!(|x: f32| x + host + by_host + body + BODY + größe);
    assert_eq!(sum(Val::known(0.0)).value(), Some(31.0));
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(queue, &[0.5_f32]).unwrap();
        assert_eq!(x.iter().map(sum).collect().unwrap().to_vec().unwrap(), [31.5]);
    });
}
