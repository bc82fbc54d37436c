//! Device functions: names that generated code has for itself, odd literals, slices of odd elements.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::Element;
use cl_algo::F32x3;
use cl_algo::prelude::*;
use cl_core::Error;
use cl_test::each_device;

#[device_fn]
fn names_of_generated_code(leave: u32, t1: u32, k: u32, fault: u32) -> u32 {
    let mut leave = leave;
    let mut v0 = 0;
    let leave_0 = [k, fault, t1];
    'outer: while leave > 5 {
        leave = leave - 5;
        for i in 0..leave {
            v0 += i;
            if v0 > 100 {
                break 'outer;
            }
            if i == 3 {
                continue 'outer;
            }
        }
    }
    let mut leave_1 = leave_0[1];
    while leave_1 < 3 {
        leave_1 = leave_1 + 1;
    }
    leave + v0 + leave_1 + leave_0[2]
}

#[device_fn]
fn shadowed(leave: u32) -> u32 {
    let mut leave = leave;
    let mut sum = 0;
    while leave > 5 {
        leave = leave - 5;
        sum += leave;
    }
    sum
}

#[device_fn]
fn parameter_only(mut leave: u32) -> u32 {
    while leave > 5 {
        leave = leave - 5;
    }
    leave
}

#[test]
fn locals_may_have_any_name() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let host: Vec<u32> = (0..50).collect();
        let x = DeviceVec::from_slice(&queue, &host).unwrap();
        let of = |f: fn(u32) -> u32| host.iter().map(|&x| f(x)).collect::<Vec<_>>();
        let got = names_of_generated_code(&x, &x, &x, 2_u32).collect().unwrap().to_vec().unwrap();
        assert_eq!(got, of(|x| names_of_generated_code(x, x, x, 2)));
        assert_eq!(shadowed(&x).collect().unwrap().to_vec().unwrap(), of(shadowed));
        assert_eq!(parameter_only(&x).collect().unwrap().to_vec().unwrap(), of(parameter_only));
    });
}

mod odd {
    #![allow(overflowing_literals)]

    use cl_algo::device_fn;

    #[device_fn]
    pub fn wrapping_quotient(x: i32) -> i32 {
        x.wrapping_div(0xffff_ffff)
    }

    #[device_fn]
    pub fn quotient(x: i32) -> i32 {
        x / 0xffff_ffff
    }
}

#[test]
fn literals_that_are_negative_divide() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &[i32::MIN, 5, -5]).unwrap();
        assert_eq!(odd::quotient(&x).collect().unwrap().to_vec().unwrap(), [i32::MIN, -5, 5]);
        assert_eq!(odd::wrapping_quotient(&x).collect().unwrap().to_vec().unwrap(), [i32::MIN, -5, 5]);
    });
}

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Body {
    mass: f32,
    at: F32x3,
    on: bool,
    off: bool,
    kind: u16,
}

#[device_fn]
fn body_at(all: &[Body], at: u64) -> Body {
    all[at as usize]
}

#[device_fn]
fn point_at(all: &[F32x3], at: u64) -> F32x3 {
    all[at as usize]
}

#[device_fn]
fn flag_at(all: &[bool], at: u64) -> bool {
    all[at as usize]
}

#[test]
fn slices_of_structs_vectors_and_truth_values() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let points: Vec<F32x3> = (0..9).map(|i| F32x3::from([i as f32, 0.5, -1.0])).collect();
        let bodies: Vec<Body> =
            points.iter().map(|&at| Body { mass: 2.0, at, on: true, off: false, kind: 7 }).collect();
        let at = DeviceVec::from_slice(&queue, &[8_u64, 0, 3]).unwrap();
        let body_of = DeviceVec::from_slice(&queue, &bodies).unwrap();
        let chosen = body_at(&body_of, &at).collect().unwrap().to_vec().unwrap();
        assert_eq!(chosen, [bodies[8], bodies[0], bodies[3]]);
        let point_of = DeviceVec::from_slice(&queue, &points).unwrap();
        let chosen = point_at(&point_of, &at).collect().unwrap().to_vec().unwrap();
        assert_eq!(chosen, [points[8], points[0], points[3]]);
        let flags: Vec<bool> = (0..9).map(|i| i % 2 == 0).collect();
        let flag_of = DeviceVec::from_slice(&queue, &flags).unwrap();
        assert_eq!(flag_at(&flag_of, &at).collect().unwrap().to_vec().unwrap(), [true, true, false]);
        // Beyond the end, the last one, and an error.
        let at = DeviceVec::from_slice(&queue, &[9_u64, u64::MAX]).unwrap();
        let last = point_at(&point_of, &at).collect().unwrap();
        assert!(matches!(last.to_vec(), Err(Error::IndexOutOfRange { bound: 9, .. })));
        assert_eq!(last.to_vec().unwrap(), [points[8]; 2]);
    });
}

const ONE_AND_A_HALF: half::f16 = half::f16::from_f32_const(1.5);

#[device_fn]
fn through_half(x: f32) -> f32 {
    let mut pair = (0.0, ONE_AND_A_HALF);
    for _ in 0..1 {
        pair.0 = x;
    }
    pair.0
}

#[device_fn]
fn past_half(x: f32) -> f32 {
    let pair = (x, ONE_AND_A_HALF);
    pair.0
}

/// What only the function's text mentions counts, too. A function without loops is what its result needs, and no text.
#[test]
fn types_within_functions_are_the_devices_own() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &[2.0_f32, 3.0]).unwrap();
        assert_eq!(past_half(&x).collect().unwrap().to_vec().unwrap(), [2.0, 3.0]);
        match through_half(&x).collect() {
            Ok(same) => {
                assert!(device.has_fp16().unwrap());
                assert_eq!(same.to_vec().unwrap(), [2.0, 3.0]);
            }
            Err(error) => {
                assert!(!device.has_fp16().unwrap());
                assert!(matches!(error, Error::Unsupported { .. }), "{error}");
            }
        }
    });
}

#[device_fn]
fn behind_an_unused_slice(_table: &[u32], x: u64) -> u64 {
    x + 1
}

#[device_fn]
fn first_of_two(x: u32, _unused: u32) -> u32 {
    x
}

/// Slices are two arguments of a call, and arguments that nobody needs are evaluated.
#[test]
fn unused_parameters_take_no_place_and_are_evaluated() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let table = DeviceVec::from_slice(&queue, &[7_u32, 8, 9]).unwrap();
        let x = DeviceVec::from_slice(&queue, &[10_u64, 20]).unwrap();
        assert_eq!(behind_an_unused_slice(&table, &x).collect().unwrap().to_vec().unwrap(), [11, 21]);

        let beyond = DeviceVec::from_slice(&queue, &[0_u32, 3, 1]).unwrap();
        let first = first_of_two(&table, table.iter().gather(&beyond)).collect();
        let error = first.and_then(|first| first.to_vec()).unwrap_err();
        assert!(matches!(error, Error::IndexOutOfRange { .. }), "{error}");
    });
}

#[device_fn]
fn bit_of(at: usize) -> i32 {
    1 << at
}

#[device_fn]
fn bits_in_a_loop(x: i64, at: u8) -> i64 {
    let mut x = x;
    for _ in 0..2 {
        x <<= at;
    }
    x
}

#[test]
fn counts_of_shifts_have_any_type() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let counts: Vec<u64> = (0..31).collect();
        let at = DeviceVec::from_slice(&queue, &counts).unwrap();
        let bits: Vec<i32> = counts.iter().map(|&at| 1 << at).collect();
        assert_eq!(bit_of(&at).collect().unwrap().to_vec().unwrap(), bits);
        let x = DeviceVec::from_slice(&queue, &[3_i64, -3]).unwrap();
        let at = DeviceVec::from_slice(&queue, &[20_u8, 5]).unwrap();
        assert_eq!(bits_in_a_loop(&x, &at).collect().unwrap().to_vec().unwrap(), [3 << 40, -3 << 10]);
    });
}

#[device_fn]
fn long_step(x: u32) -> u32 {
    let x = (x ^ 61) ^ (x >> 16);
    let x = x.wrapping_add(x << 3);
    let x = (x ^ (x >> 4)).wrapping_mul(0x27d4_eb2d);
    let x = x ^ (x >> 15) ^ (x << 7);
    x.wrapping_add((x >> 11) * 5)
}

/// Functions are parts of expressions as long as these stay short: beyond, a call is one operation.
#[test]
fn a_thousand_calls_are_not_too_long() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &[1_u32, 2]).unwrap();
        let calls = |count| (0..count).fold(x.iter(), |all, _| long_step(all));
        let source = calls(1000).kernel_source(device).unwrap();
        assert!(
            source.contains("long_step") && !calls(2).kernel_source(device).unwrap().contains("long_step")
        );
    });
}

#[device_fn]
fn three_of(at: u64, table: &[i32]) -> i32 {
    let mut sum = 7_i32;
    if table.len() > 0 {
        for i in 0..3_u64 {
            sum = sum.wrapping_mul(3).wrapping_add(table[((at + i) % table.len() as u64) as usize]);
        }
    }
    sum
}

/// PoCL analyses the branches of a kernel in a time that doubles with each of them, and the lanes of several packs have
/// hundreds where a reduction inlines what it loads.
#[test]
fn sums_of_branches_are_compiled() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let table = DeviceVec::from_slice(&queue, &[3, 1, 4, 1, 5, 9, 2]).unwrap();
        let table_on_host = table.to_vec().unwrap();
        let expected: i32 = (0..1000).map(|at| three_of(at, &table_on_host[..])).fold(0, i32::wrapping_add);
        let sum = three_of(index::<u64>().take(1000).on(&queue), &table).sum().unwrap();
        assert_eq!(sum, expected);
    });
}
