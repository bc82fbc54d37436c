//! Random programs over every type of vectors and of complex numbers: functions with and without loops, put together in
//! one expression. Those without become parts of it.
//!
//! `PROPTEST_CASES=100` tries a hundred programs of each type.

use crate::device_fn::parts::{Same, Some, assert_same, is_on};
use cl_algo::num_complex::Complex;
use cl_algo::*;
use cl_core::Queue;
use cl_test::each_device;
use half::f16;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// A function and the places of its arguments and its result.
type Step = (usize, usize, usize, usize);

/// What a place holds on the device, and on the host.
type Place<'a, T> = (Expr<'a, T>, Vec<T>);

const PLACES: usize = 3;
const STEPS: usize = 5;

/// A function on the device, and the same on the host.
type Applied<T> = for<'a> fn(&Place<'a, T>, &Place<'a, T>) -> Place<'a, T>;

/// Programs of these functions give on each device what they give on the host.
fn agree<T: Element + Same>(scalar: ScalarType, columns: &[Vec<T>; PLACES], functions: &[Applied<T>]) {
    let place = || 0..PLACES;
    let steps = prop::collection::vec((0..functions.len(), place(), place(), place()), STEPS);
    let cases = std::env::var_os("PROPTEST_CASES").map_or(1, |_| Config::default().cases);
    each_device(|device| {
        if !is_on(device, scalar) {
            return;
        }
        let queue = &Queue::on(device).unwrap();
        let there = columns.each_ref().map(|column| DeviceVec::from_slice(queue, column).unwrap());
        let config = Config { cases, failure_persistence: None, ..Config::default() };
        let outcome = TestRunner::new(config).run(&steps, |steps: Vec<Step>| {
            let mut places: [Place<'_, T>; PLACES] =
                std::array::from_fn(|at| (there[at].iter(), columns[at].clone()));
            let mut last = 0;
            for (function, a, b, to) in steps {
                places[to] = functions[function](&places[a], &places[b]);
                last = to;
            }
            let (expression, expected) = &places[last];
            let text = expression.to_string();
            assert_same(expression.clone().collect().unwrap(), &text, |at| expected[at]);
            Ok(())
        });
        outcome.unwrap_or_else(|failure| panic!("{failure}"));
    });
}

macro_rules! functions {
    ($of:ty: $($name:ident($a:ident, $b:ident) { $($body:tt)* })*) => {
        $(
            #[device_fn]
            fn $name($a: $of, $b: $of) -> $of {
                $($body)*
            }
        )*

        pub(super) const FUNCTIONS: &[Applied<$of>] = &[$(
            |a, b| {
                let host = a.1.iter().zip(&b.1).map(|(&a, &b)| $name(a, b));
                ($name(a.0.clone(), b.0.clone()), host.collect())
            },
        )*];
    };
}

macro_rules! of_type {
    ($module:ident $scalar:ident $kind:ident: $($name:ident $of:ident $n:literal;)*) => {
        mod $module {
            use super::*;

            $(mod $name {
                use super::*;

                of_type!(@$kind $of $scalar $n {
                    sums(a, b) { a + b * a[0] - b[$n - 1] }
                    products(a, b) { b[1] * (a - b) * a }
                    parts(a, b) {
                        let mut c = a;
                        c[1] = b[0];
                        c[0] = a[$n - 1];
                        c
                    }
                    made(a, b) { $of::splat(a[1]) * b[0] - b }
                    chosen(a, b) { if a == b { b } else { a } }
                    compared(a, b) { if a != b && a[0] < b[0] { a + a } else { b } }
                    turned(a, b) {
                        let mut c = b;
                        for k in 0..$n {
                            c[k] = a[$n - 1 - k];
                        }
                        c
                    }
                    remainders(a, b) { a % b + b % a[0] - a[1] % b }
                });
            })*

            #[test]
            fn programs_agree_with_the_host() {
                $({
                    let lane = |at: usize, k: usize| <$scalar>::SOME[(at + k * 3 + at / 8) % 8];
                    let column = |step: usize| {
                        let vector = |at: usize| <$of>::from(std::array::from_fn::<_, $n, _>(|k| lane(at * step, k)));
                        (0..64).map(vector).collect::<Vec<$of>>()
                    };
                    agree(<$scalar as Component>::SCALAR, &[column(1), column(3), column(5)], $name::FUNCTIONS);
                })*
            }
        }
    };
    (@integer $of:ident $scalar:ident $n:literal { $($common:tt)* }) => {
        functions! { $of:
            $($common)*
            quotients(a, b) { a / b + b / a[0] - a[1] / b }
            bits(a, b) {
                let mut c = a;
                c[0] ^= b[1];
                c[1] |= b[0] & 9;
                c
            }
        }
    };
    // Not all devices round quotients correctly.
    (@float $of:ident $scalar:ident $n:literal { $($common:tt)* }) => {
        functions! { $of:
            $($common)*
            negated(a, b) { -a * b }
        }
    };
}

of_type!(of_i8 i8 integer: two I8x2 2; three I8x3 3; four I8x4 4; eight I8x8 8; sixteen I8x16 16;);
of_type!(of_u8 u8 integer: two U8x2 2; three U8x3 3; four U8x4 4; eight U8x8 8; sixteen U8x16 16;);
of_type!(of_i16 i16 integer: two I16x2 2; three I16x3 3; four I16x4 4; eight I16x8 8; sixteen I16x16 16;);
of_type!(of_u16 u16 integer: two U16x2 2; three U16x3 3; four U16x4 4; eight U16x8 8; sixteen U16x16 16;);
of_type!(of_i32 i32 integer: two I32x2 2; three I32x3 3; four I32x4 4; eight I32x8 8; sixteen I32x16 16;);
of_type!(of_u32 u32 integer: two U32x2 2; three U32x3 3; four U32x4 4; eight U32x8 8; sixteen U32x16 16;);
of_type!(of_i64 i64 integer: two I64x2 2; three I64x3 3; four I64x4 4; eight I64x8 8; sixteen I64x16 16;);
of_type!(of_u64 u64 integer: two U64x2 2; three U64x3 3; four U64x4 4; eight U64x8 8; sixteen U64x16 16;);
of_type!(of_f16 f16 float: two F16x2 2; three F16x3 3; four F16x4 4; eight F16x8 8; sixteen F16x16 16;);
of_type!(of_f32 f32 float: two F32x2 2; three F32x3 3; four F32x4 4; eight F32x8 8; sixteen F32x16 16;);
of_type!(of_f64 f64 float: two F64x2 2; three F64x3 3; four F64x4 4; eight F64x8 8; sixteen F64x16 16;);

macro_rules! of_complex {
    ($module:ident $of:ident) => {
        mod $module {
            use super::*;

            functions! { Complex<$of>:
                sums(a, b) { a + b - a.re }
                products(a, b) { a * b - b.im * a }
                conjugates(a, b) { a.conj() * 0.5 + -b }
                parts(a, b) {
                    let mut c = a;
                    c.re = b.im;
                    c.im -= a.re;
                    c
                }
                made(a, b) { Complex { re: a.norm_sqr(), im: b.l1_norm() } }
                chosen(a, b) { if a == b { b } else { a } }
                compared(a, b) { if a.re < b.re { a.scale(0.25) } else { b } }
                remainders(a, b) { a % 3.0 + b }
                powers(a, b) {
                    let mut c = a;
                    for _ in 0..3 {
                        c = c * b % 8.0;
                    }
                    c
                }
            }

            #[test]
            fn programs_agree_with_the_host() {
                let some = [0.0, -0.0, 1.5, 0.1, -3.25, 1e4, -7.0, <$of>::INFINITY];
                let column = |step: usize| {
                    (0..64).map(|at| Complex::new(some[at * step % 8], some[(at / 8 + step) % 8])).collect()
                };
                agree(<$of as Component>::SCALAR, &[column(1), column(3), column(5)], FUNCTIONS);
            }
        }
    };
}

of_complex!(complex_f32 f32);
of_complex!(complex_f64 f64);
