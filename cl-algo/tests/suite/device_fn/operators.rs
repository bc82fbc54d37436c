//! All operators and casts, on all integer types and the ends of their ranges.

use crate::device_fn::support::{integers, pairs};
use cl_algo::device_fn;
use cl_core::Queue;
use cl_test::{each_device, known_faults};

/// Defines a function with all operators of an integer type. Where the host would panic, it uses the wrapping method
/// instead of the operator.
macro_rules! integer_operators {
    ($module:ident, $of:ident) => {
        mod $module {
            use super::*;

            #[device_fn]
            fn operators(a: $of, b: $of) -> $of {
                let bits = (a & b) ^ (a | 5) ^ !b;
                let sum = a.wrapping_add(b).wrapping_sub(3).wrapping_mul(b).wrapping_neg();
                let shifted = a.wrapping_shl(b as u32) ^ b.wrapping_shr(a as u32);
                bits ^ sum ^ shifted
            }

            #[device_fn]
            fn quotient(a: $of, b: $of) -> $of {
                if b == 0 { 0 } else { a.wrapping_div(b) ^ a.wrapping_rem(b) }
            }

            #[device_fn]
            fn by_literals(a: $of) -> $of {
                (a / 7) ^ (a % 10) ^ (a >> 3)
            }

            #[device_fn]
            fn comparisons(a: $of, b: $of) -> u32 {
                let mut truths = 0;
                if a < b {
                    truths += 1;
                }
                if a <= b {
                    truths += 2;
                }
                if a > b {
                    truths += 4;
                }
                if a >= b {
                    truths += 8;
                }
                if a == b {
                    truths += 16;
                }
                if a != b || a == 0 && !(b == 1) {
                    truths += 32;
                }
                truths
            }

            #[device_fn]
            fn casts(a: $of) -> (i8, u16, i32, u64, f32, usize) {
                (a as i8, a as u16, a as i32, a as u64, a as f32, a as usize)
            }

            #[device_fn]
            fn from_f32(a: f32) -> $of {
                a as $of
            }

            /// Uses the other operators, each as a function: a loop keeps the function out of the expression.
            #[device_fn]
            fn in_functions(a: $of, b: $of) -> ($of, $of, $of, u32) {
                let mut all = (a, a, a, 0);
                for _ in 0..1 {
                    all = (operators(a, b), quotient(a, b), by_literals(a), comparisons(a, b));
                }
                all
            }

            /// Checks methods whose results would differ in the wider integers with which C computes.
            #[device_fn]
            fn keep_their_width(a: $of, b: $of) -> u32 {
                let mut bits = 0;
                for _ in 0..1 {
                    bits = (if a < b { a } else { b }).leading_zeros()
                        + (a & b).count_ones()
                        + (!a).leading_ones();
                }
                bits
            }

            #[test]
            fn are_those_of_rust() {
                let name = concat!("device_fn::operators::", stringify!($module), "::are_those_of_rust");
                known_faults::each_device(name, |device| {
                    let queue = &Queue::on(device).unwrap();
                    let values: Vec<$of> = integers().into_iter().map(|value| value as $of).collect();
                    let (a, b) = pairs(&values);
                    agree!(queue, 0, operators(a, b));
                    agree!(queue, 0, quotient(a, b));
                    agree!(queue, 0, comparisons(a, b));
                    agree!(queue, 0, by_literals(a));
                    agree!(queue, 0, in_functions(a, b));
                    agree!(queue, 0, keep_their_width(a, b));
                    agree!(queue, 0, casts(a));
                    let special =
                        [f32::NAN, f32::INFINITY, -f32::INFINITY, 1e30, -1e30, -0.9, 0.9, 255.5, -128.9];
                    let floats: Vec<f32> = values.iter().map(|&value| value as f32).chain(special).collect();
                    agree!(queue, 0, from_f32(floats));
                });
            }
        }
    };
}

integer_operators!(i8_operators, i8);
integer_operators!(u16_operators, u16);
integer_operators!(i32_operators, i32);
integer_operators!(u64_operators, u64);

#[device_fn]
fn float_operators(a: f32, b: f32) -> f32 {
    -(a * b - a) + (a % b) * 0.25
}

#[device_fn]
fn truths(a: bool, b: bool) -> u8 {
    let all = a & b;
    let any = a | b;
    let one = a ^ b;
    (all as u8) + 2 * (any as u8) + 4 * (one as u8) + 8 * u8::from(!a) + 16 * (a < b) as u8
}

/// Uses operators where the host would panic; the device's results are documented.
#[device_fn]
fn panicking(a: i32, b: i32) -> (i32, i32, i32) {
    (a / b, a % b, a << b)
}

#[test]
fn of_floats_and_truths() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let (a, b) = pairs(&[1.5_f32, -2.25, 1e20, -1e-20, 7.0, f32::INFINITY, f32::NAN]);
        agree!(queue, 0, float_operators(a, b));
        let (a, b) = pairs(&[false, true]);
        agree!(queue, 0, truths(a, b));
    });
}

#[test]
fn nothing_panics_on_a_device() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = cl_algo::DeviceVec::from_slice(queue, &[7, i32::MIN, 5]).unwrap();
        let b = cl_algo::DeviceVec::from_slice(queue, &[0, -1, 33]).unwrap();
        let (quotients, rests, shifted) = panicking(&a, &b).collect().unwrap();
        assert_eq!(quotients.to_vec().unwrap(), [0, i32::MIN, 0]);
        assert_eq!(rests.to_vec().unwrap(), [7, 0, 5]);
        assert_eq!(shifted.to_vec().unwrap(), [7, 0, 10]);
    });
}
