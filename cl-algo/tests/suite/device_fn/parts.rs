//! Vectors and complex numbers in device functions.

use cl_algo::num_complex::Complex;
use cl_algo::*;
use cl_core::{Device, Queue};
use cl_test::each_device;
use half::f16;
use std::fmt::Debug;

type Complex32 = Complex<f32>;

/// A comparison of all bits: 0 and -0 differ, and any NaN equals any other.
pub(crate) trait Same: Copy + Debug {
    fn same(self, other: Self) -> bool;
}

macro_rules! same {
    (exact $($of:ty)*) => {$(
        impl Same for $of {
            fn same(self, other: Self) -> bool {
                self == other
            }
        }
    )*};
    (floats $($of:ty)*) => {$(
        impl Same for $of {
            fn same(self, other: Self) -> bool {
                self.to_bits() == other.to_bits() || self.is_nan() && other.is_nan()
            }
        }
    )*};
}

same! { exact bool i8 u8 i16 u16 i32 u32 i64 u64 }
same! { floats f16 f32 f64 }

impl<T: Same, const N: usize> Same for Vector<T, N> {
    fn same(self, other: Self) -> bool {
        self.to_array().into_iter().zip(other.to_array()).all(|(a, b)| a.same(b))
    }
}

impl<T: Same> Same for Complex<T> {
    fn same(self, other: Self) -> bool {
        self.re.same(other.re) && self.im.same(other.im)
    }
}

/// Asserts that device and host have the same result at each index, bit by bit.
pub(crate) fn assert_same<R: Element + Same>(actual: DeviceVec<R>, what: &str, host: impl Fn(usize) -> R) {
    let actual = actual.to_vec().unwrap();
    assert!(!actual.is_empty(), "nothing is compared");
    for (at, actual) in actual.into_iter().enumerate() {
        let expected = host(at);
        assert!(actual.same(expected), "{what} at {at}: {actual:?} instead of {expected:?}");
    }
}

/// Does what `agree!` does, bit by bit.
macro_rules! same_as_host {
    ($queue:expr, $function:ident($($x:ident),+)) => {{
        let actual = {
            $(let $x = &DeviceVec::from_slice($queue, &$x).unwrap();)+
            $function($($x),+).collect().unwrap()
        };
        $crate::device_fn::parts::assert_same(actual, stringify!($function), |at| $function($($x[at]),+));
    }};
}

pub(crate) fn is_on(device: &Device, of: ScalarType) -> bool {
    match of {
        ScalarType::F64 => device.has_fp64().unwrap(),
        ScalarType::F16 => device.has_fp16().unwrap(),
        _ => true,
    }
}

/// Interesting numbers of a type: small ones, the ends of the range, and 0.
pub(crate) trait Some: Component + Same {
    const SOME: [Self; 8];
}

macro_rules! some {
    ($($of:ident: $($extra:expr),*;)*) => {$(
        impl Some for $of {
            const SOME: [$of; 8] = [$($extra),*, $of::MAX, $of::MIN];
        }
    )*};
}

some! {
    i8: 0, 1, -1, 7, -100, 100;
    u8: 0, 1, 2, 7, 100, 200;
    i16: 0, 1, -1, 7, -100, 30_000;
    u16: 0, 1, 2, 7, 100, 60_000;
    i32: 0, 1, -1, 7, -100, 2_000_000_000;
    u32: 0, 1, 2, 7, 100, 4_000_000_000;
    i64: 0, 1, -1, 7, -100, 1 << 62;
    u64: 0, 1, 2, 7, 100, 1 << 63;
    f16: f16::ZERO, f16::NEG_ZERO, f16::ONE, f16::PI, f16::NEG_ONE, f16::INFINITY;
    f32: 0.0, -0.0, 1.5, 0.1, -3.25, f32::INFINITY;
    f64: 0.0, -0.0, 1.5, 0.1, -3.25, f64::INFINITY;
}

fn column<T: Some>(step: usize) -> Vec<Vector<T, 16>> {
    let lane = |at: usize, k: usize| T::SOME[(at * step + k * (step + 2) + at / 8) % 8];
    (0..64).map(|at| Vector::new(std::array::from_fn(|k| lane(at, k)))).collect()
}

/// Tests all operations of vectors of one type and width.
macro_rules! of_width {
    ($kind:ident $of:ident $name:ident $n:literal) => {
        mod $name {
            use super::*;

            of_width!(@$kind $of);

            #[device_fn]
            pub(super) fn all(a: $of, b: $of, at: u32) -> $of {
                let at = (at % $n) as usize;
                let mut c = a + b * a[0] - b[at];
                c *= a - b;
                c[at] = a[$n - 1];
                c[1] = b[at];
                if a == b {
                    c += $of::splat(b[1]);
                }
                if c != a {
                    c = a[0] * c;
                }
                rest(c, a, b, at)
            }
        }
    };
    (@signed $of:ident) => {
        #[device_fn]
        fn rest(c: $of, a: $of, b: $of, at: usize) -> $of {
            let mut c = -(c / b + a % b) + c / a[0] - a[1] % b + b % a[1];
            c /= a;
            c[1] ^= b[0];
            c[at] |= a[1];
            c += a[1] / b;
            c %= b[1];
            c
        }
    };
    (@unsigned $of:ident) => {
        #[device_fn]
        fn rest(c: $of, a: $of, b: $of, at: usize) -> $of {
            let mut c = (c / b + a % b) + c / a[0] - a[1] % b + b % a[1];
            c /= a;
            c[1] ^= b[0];
            c[at] |= a[1];
            c += a[1] / b;
            c %= b[1];
            c
        }
    };
    // Not all devices round quotients correctly.
    (@float $of:ident) => {
        #[device_fn]
        fn rest(c: $of, a: $of, b: $of, at: usize) -> $of {
            let mut c = c;
            c[1] += b[0];
            c[at] -= a[1];
            c %= b[1];
            -(c % a + a[0] % b)
        }
    };
}

/// Tests all vectors of one type of numbers, in one kernel.
macro_rules! table {
    ($($module:ident $scalar:ident $kind:ident: $x2:ident $x3:ident $x4:ident $x8:ident $x16:ident;)*) => {$(
        mod $module {
            use super::*;

            of_width!($kind $x2 of_two 2);
            of_width!($kind $x3 of_three 3);
            of_width!($kind $x4 of_four 4);
            of_width!($kind $x8 of_eight 8);
            of_width!($kind $x16 of_sixteen 16);

            #[device_fn]
            fn all(a: $x16, b: $x16, at: u32) -> ($x2, $x3, $x4, $x8, $x16) {
                let mut half = ($x8::splat(a[15]), $x8::from([b[3]; 8]));
                for k in 0..8 {
                    half.0[k] = a[k + 4];
                    half.1[7 - k] = b[k];
                }
                let items = half.1.to_array();
                let four = $x4::new([a[0], a[1], a[2], b[3]]);
                (
                    of_two::all($x2::from([a[4], a[5]]), $x2::from([b[6], b[7]]), at),
                    of_three::all($x3::from([a[0], a[1], a[6]]), $x3::from([items[2], items[7], a[6]]), at),
                    of_four::all(four, four + b[9], at),
                    of_eight::all(half.0, half.1, at),
                    of_sixteen::all(a, b, at),
                )
            }

            #[test]
            fn vectors_are_what_they_are_on_the_host() {
                each_device(|device| {
                    if !is_on(device, <$scalar as Component>::SCALAR) {
                        return;
                    }
                    let queue = &Queue::on(device).unwrap();
                    let (a, b): (Vec<$x16>, Vec<$x16>) = (column(1), column(3));
                    let at: Vec<u32> = (0..64).map(|at| at * 5 + at / 16).collect();
                    let there = (
                        DeviceVec::from_slice(queue, &a).unwrap(),
                        DeviceVec::from_slice(queue, &b).unwrap(),
                        DeviceVec::from_slice(queue, &at).unwrap(),
                    );
                    let (two, three, four, eight, sixteen) =
                        all(&there.0, &there.1, &there.2).collect().unwrap();
                    let host = |i: usize| all(a[i], b[i], at[i]);
                    assert_same(two, stringify!($x2), |i| host(i).0);
                    assert_same(three, stringify!($x3), |i| host(i).1);
                    assert_same(four, stringify!($x4), |i| host(i).2);
                    assert_same(eight, stringify!($x8), |i| host(i).3);
                    assert_same(sixteen, stringify!($x16), |i| host(i).4);
                });
            }
        }
    )*};
}

table! {
    of_i8 i8 signed: I8x2 I8x3 I8x4 I8x8 I8x16;
    of_u8 u8 unsigned: U8x2 U8x3 U8x4 U8x8 U8x16;
    of_i16 i16 signed: I16x2 I16x3 I16x4 I16x8 I16x16;
    of_u16 u16 unsigned: U16x2 U16x3 U16x4 U16x8 U16x16;
    of_i32 i32 signed: I32x2 I32x3 I32x4 I32x8 I32x16;
    of_u32 u32 unsigned: U32x2 U32x3 U32x4 U32x8 U32x16;
    of_i64 i64 signed: I64x2 I64x3 I64x4 I64x8 I64x16;
    of_u64 u64 unsigned: U64x2 U64x3 U64x4 U64x8 U64x16;
    of_f16 f16 float: F16x2 F16x3 F16x4 F16x8 F16x16;
    of_f32 f32 float: F32x2 F32x3 F32x4 F32x8 F32x16;
    of_f64 f64 float: F64x2 F64x3 F64x4 F64x8 F64x16;
}

/// Tests all operations of complex numbers that are exact on all devices.
macro_rules! complex {
    ($module:ident $of:ident) => {
        mod $module {
            use super::*;

            #[device_fn]
            fn exact(a: Complex<$of>, b: Complex<$of>, by: $of) -> Complex<$of> {
                let mut c = a * b + Complex::new(by, a.im) - b.conj();
                c.re = c.im + a.norm_sqr();
                c.im -= by.abs();
                c += by;
                c *= a;
                c -= by + c;
                c = c + by * a - a * by - (by - b) + (a - by).scale(by);
                if a == b || c != c {
                    c = Complex { im: b.l1_norm(), re: -by };
                }
                c *= (a.powu(5) + -b.powi(2)) % 8.0;
                if c.is_nan() || a.is_infinite() || !b.is_finite() { Complex::from(by) } else { c }
            }

            #[device_fn]
            fn signs(a: Complex<$of>, by: $of) -> Complex<$of> {
                if a.re > 0.0 { a + by } else { by + a }
            }

            /// Computes with quotients.
            #[device_fn]
            fn rounded(a: Complex<$of>, b: Complex<$of>, by: $of) -> Complex<$of> {
                let mut c = a / b + (a / by) * (by / b) + b.inv() + b.unscale(by);
                c /= a;
                c /= by;
                c * b.powi(-3)
            }

            #[test]
            fn complex_numbers_are_what_they_are_on_the_host() {
                each_device(|device| {
                    if !is_on(device, <$of as Component>::SCALAR) {
                        return;
                    }
                    let queue = &Queue::on(device).unwrap();
                    let some = [0.0, -0.0, 1.5, 0.1, -3.25, 1e4, -7.0, <$of>::INFINITY, <$of>::NAN];
                    let z: Vec<Complex<$of>> =
                        some.iter().flat_map(|&re| some.map(|im| Complex::new(re, im))).collect();
                    let (a, b) = crate::device_fn::support::pairs(&z);
                    let by: Vec<$of> = (0..a.len()).map(|at| some[at % 7]).collect();
                    same_as_host!(queue, exact(a, b, by));
                    same_as_host!(queue, signs(a, by));
                    let (a, b): (Vec<_>, Vec<_>) = a
                        .into_iter()
                        .zip(b)
                        .filter(|(a, b)| [a, b].iter().all(|z| z.is_finite() && z.norm_sqr() > 0.0))
                        .unzip();
                    let there = {
                        let (a, b) = (
                            &DeviceVec::from_slice(queue, &a).unwrap(),
                            &DeviceVec::from_slice(queue, &b).unwrap(),
                        );
                        rounded(a, b, 2.5).collect().unwrap().to_vec().unwrap()
                    };
                    for (at, z) in there.into_iter().enumerate() {
                        let (a, b, by) = (a[at], b[at], 2.5);
                        let expected = rounded(a, b, by);
                        // A difference of nearly equal terms is as inexact as its terms.
                        let terms = (a / b).l1_norm() + (a / by).l1_norm() * (by / b).l1_norm();
                        let terms =
                            (terms + b.inv().l1_norm() + b.unscale(by).l1_norm()) * b.powi(-3).l1_norm();
                        let bound = 40.0 * <$of>::EPSILON * (terms / a.l1_norm() / by + expected.l1_norm());
                        assert!((z - expected).l1_norm() <= bound, "{a} {b}: {z} instead of {expected}");
                    }
                });
            }
        }
    };
}

complex!(complex_f32 f32);
complex!(complex_f64 f64);

#[device_fn]
fn polar(z: Complex32) -> (f32, f32, f32) {
    (z.norm(), z.arg(), (z * 0.25).exp().re)
}

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Body {
    mass: f32,
    at: F32x3,
    phase: Complex32,
    cells: I16x2,
}

impl Same for Body {
    fn same(self, other: Self) -> bool {
        self.mass.same(other.mass)
            && self.at.same(other.at)
            && self.phase.same(other.phase)
            && self.cells.same(other.cells)
    }
}

#[device_fn]
fn turned(body: Body) -> Body {
    Body { cells: body.cells, phase: body.phase * Complex::new(0.0, 1.0), mass: body.mass, at: body.at }
}

const ORIGIN: F32x3 = F32x3::new([0.5, 0.25, 0.125]);

/// Uses fields that are vectors and complex numbers: reads them, writes them whole and by component.
#[device_fn]
fn moved(body: Body, by: F32x3, at: u32) -> Body {
    let at = (at % 3) as usize;
    let mut all = [body, turned(body)];
    all[1].at = by - turned(body).at;
    all[1].at += ORIGIN;
    all[at % 2].at[at] *= 2.0;
    all[0].at[1] = all[1].at[at] + turned(body).at[2];
    all[1].phase.im += all[0].phase.re;
    all[0].phase *= all[1].phase;
    all[0].phase.re = by[at];
    all[1].cells += 7;
    all[at % 2].cells[at % 2] -= 100;
    let mut rows = [by; 3];
    rows[at][2 - at] = all[0].mass;
    rows[2] -= rows[0];
    all[0].at += rows[2] + rows[at];
    if all[0].at == all[1].at || at == 2 { all[1] } else { all[0] }
}

/// Reads a component at an index that data choose, beyond the end of a vector.
#[device_fn]
fn beyond(v: I32x4, at: u32) -> i32 {
    let mut w = v;
    w[(at + 1) as usize] = 5;
    w[at as usize] + w[0]
}

#[test]
fn fields_are_read_and_written() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let bodies: Vec<Body> = (0..40_i16)
            .map(|i| {
                let x = f32::from(i) * 0.37 - 3.0;
                let at = F32x3::from([x, x * x, -x]);
                Body { mass: x, at, phase: Complex::new(x, 0.5), cells: I16x2::from([i * 800, -i]) }
            })
            .collect();
        let by: Vec<F32x3> = bodies.iter().map(|body| body.at * 0.3 + 0.1).collect();
        let at: Vec<u32> = (0..40).collect();
        same_as_host!(queue, moved(bodies, by, at));
    });
}

#[test]
fn polar_coordinates() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let z: Vec<Complex32> =
            (0..50_u8).map(|i| Complex::new(f32::from(i) - 25.5, 3.0 - f32::from(i) * 0.2)).collect();
        agree!(queue, 16, polar(z));
    });
}

/// Checks that only one side of the branch is computed: the other one would record a fault.
#[device_fn]
fn within(v: I32x4, at: u32) -> i32 {
    if at < 3 { beyond(v, at) } else { -1 }
}

#[test]
fn lanes_that_are_not_read_are_not_recorded() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let v = DeviceVec::from_slice(queue, &[I32x4::from([1, 2, 3, 4]); 4]).unwrap();
        let at = DeviceVec::from_slice(queue, &[0_u32, 70, 2, 3]).unwrap();
        assert_eq!(within(&v, &at).collect().unwrap().to_vec().unwrap(), [2, -1, 4, -1]);
    });
}

#[test]
fn lanes_beyond_a_vector_are_recorded() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let v = DeviceVec::from_slice(queue, &[I32x4::from([1, 2, 3, 4]); 3]).unwrap();
        let at = DeviceVec::from_slice(queue, &[0_u32, 2, 1]).unwrap();
        assert_eq!(beyond(&v, &at).collect().unwrap().to_vec().unwrap(), [2, 4, 3]);
        for (at, wrong) in [(3, 4), (70, 71)] {
            let at = DeviceVec::from_slice(queue, &[at, 0_u32, 0]).unwrap();
            let error = beyond(&v, &at).collect().unwrap().to_vec().unwrap_err().to_string();
            assert!(error.contains(&wrong.to_string()) && error.contains('4'), "{error}");
        }
    });
}

#[test]
fn closures_and_captures() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let host: Vec<F32x4> = (0..20_u8).map(|i| F32x4::splat(f32::from(i)) / 8.0).collect();
        let v = DeviceVec::from_slice(queue, &host).unwrap();
        let (by, turn) = (F32x4::from([0.5, 1.0, 2.0, -1.0]), Complex::new(0.0, 1.0_f32));
        let sums = v.iter().map(cl!(|v: F32x4| {
            let w = v * by + 2.0 * v;
            if w[3] > 0.5 { w[0] + w[1] } else { (Complex::new(w[2], w[3]) * turn).re }
        }));
        let expected: Vec<f32> = host
            .iter()
            .map(|&v| {
                let w = v * by + 2.0 * v;
                if w[3] > 0.5 { w[0] + w[1] } else { (Complex::new(w[2], w[3]) * turn).re }
            })
            .collect();
        assert_eq!(sums.collect().unwrap().to_vec().unwrap(), expected);
    });
}
