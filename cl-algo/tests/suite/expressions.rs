//! Expressions on every device compared with the host's arithmetic: all scalar types, lengths around packs and tiles,
//! special values, and deferred errors.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_algo::math::{mul_add, pow, sqrt};
use cl_algo::prelude::*;
use cl_algo::stl::{copy_if, inclusive_scan};
use cl_algo::{DeviceProfile, ElementType};
use cl_core::{Context, Error};
use cl_test::{each_device, known_faults};
use half::f16;
use std::fmt::Debug;

/// Returns lengths around packs, work-groups and tiles.
fn lengths() -> Vec<usize> {
    cl_test::full_or_small(
        vec![0, 1, 2, 15, 16, 17, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025, 100_003],
        vec![0, 1, 2, 15, 16, 17, 65, 129, 1025, 9001],
    )
}

/// Host arithmetic that the device's is compared with.
trait Model: Number + Debug {
    const SPECIAL: &'static [Self];
    fn from_bits64(bits: u64) -> Self;
    /// Computes `+ - * /`, given by its symbol.
    fn host(symbol: char, a: Self, b: Self) -> Self;
    /// Returns the same operation on the device with the scalar `a` on the left.
    fn scalar_left(symbol: char, a: Self, b: &DeviceVec<Self>) -> Expr<'_, Self>;
    /// Returns whether the numbers are equal bit by bit, or both NaN; or close, if the device divides without rounding
    /// correctly.
    fn agrees(self, expected: Self, exact: bool) -> bool;
}

macro_rules! model {
    ($type:ty, $special:expr, $host:expr, |$bits:ident| $from:expr, $agrees:expr) => {
        impl Model for $type {
            const SPECIAL: &'static [$type] = &$special;
            fn from_bits64($bits: u64) -> $type {
                $from
            }
            fn host(symbol: char, a: $type, b: $type) -> $type {
                $host(symbol, a, b)
            }
            fn scalar_left(symbol: char, a: $type, b: &DeviceVec<$type>) -> Expr<'_, $type> {
                match symbol {
                    '+' => a + b,
                    '-' => a - b,
                    '*' => a * b,
                    _ => a / b,
                }
            }
            fn agrees(self, expected: $type, exact: bool) -> bool {
                $agrees(self, expected, exact)
            }
        }
    };
}

macro_rules! integers {
    ($($type:ident)*) => {$(
        model!(
            $type,
            [0, 1, 2, 3, 7, $type::MAX, $type::MIN, $type::MAX - 1, $type::MIN + 1, $type::MAX / 2, (0 as $type).wrapping_sub(1)],
            |symbol, a: $type, b: $type| match symbol {
                '+' => a.wrapping_add(b),
                '-' => a.wrapping_sub(b),
                '*' => a.wrapping_mul(b),
                _ if b == 0 => 0,
                _ => a.wrapping_div(b),
            },
            |bits| bits as $type,
            |a: $type, b: $type, _exact| a == b
        );
    )*};
}

integers! { i8 u8 i16 u16 i32 u32 i64 u64 }

macro_rules! floats {
    ($($type:ident, $one:expr, $tiny:expr, |$bits:ident| $from:expr;)*) => {$(
        model!(
            $type,
            [
                $tiny, $one, $type::INFINITY, $type::NEG_INFINITY, $type::NAN, $type::MAX, $type::MIN,
                $type::MIN_POSITIVE, $type::EPSILON, $type::from_bits(0), $type::from_bits(1 << (size_of::<$type>() * 8 - 1)),
            ],
            |symbol, a: $type, b: $type| match symbol {
                '+' => a + b,
                '-' => a - b,
                '*' => a * b,
                _ => a / b,
            },
            |$bits| $from,
            |a: $type, b: $type, exact: bool| {
                let near = f64::from(b).abs() * 2.5 * f64::from($type::EPSILON) + f64::from($type::MIN_POSITIVE);
                a.is_nan() && b.is_nan()
                    || a.to_bits() == b.to_bits()
                    || !exact && (f64::from(a) - f64::from(b)).abs() <= near
            }
        );
    )*};
}

/// Returns a number between -8 and 8.
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 49) as f64 - 8.0
}

floats! {
    f16, f16::ONE, f16::from_bits(3), |bits| f16::from_f64(unit(bits));
    f32, 1.0, f32::from_bits(3), |bits| unit(bits) as f32;
    f64, 1.0, f64::from_bits(3), |bits| unit(bits);
}

/// Returns random bits, equal in every run (Steele, Lea, Flood: SplitMix64).
fn random(index: usize, seed: u64) -> u64 {
    let mut z = (index as u64 + 1).wrapping_add(seed << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns two inputs: first every pair of special values, then random ones.
fn inputs<T: Model>(len: usize) -> (Vec<T>, Vec<T>) {
    let count = T::SPECIAL.len();
    let pair = |i: usize| match i < count * count {
        true => (T::SPECIAL[i % count], T::SPECIAL[i / count]),
        false => (T::from_bits64(random(i, 1)), T::from_bits64(random(i, 2))),
    };
    (0..len).map(pair).unzip()
}

/// Returns whether kernels on the device can use the type.
fn supports<T: Element>(device: &Device) -> bool {
    DeviceProfile::of(device).unwrap().require(T::TYPE).is_ok()
}

fn compare<T: Model>(what: &str, exact: bool, actual: &DeviceVec<T>, expected: impl Iterator<Item = T>) {
    let (actual, expected) = (actual.to_vec().unwrap(), expected.collect::<Vec<T>>());
    assert_eq!(actual.len(), expected.len(), "{what}");
    for (i, (a, b)) in actual.iter().zip(&expected).enumerate() {
        assert!(
            a.agrees(*b, exact),
            "{what} at {i} of {} {:?}: {a:?} instead of {b:?}",
            actual.len(),
            T::TYPE
        );
    }
}

/// Returns `x` `symbol` `y` on the device.
fn vector_left<'a, T: Model>(symbol: char, x: &'a DeviceVec<T>, y: impl Operand<'a, T>) -> Expr<'a, T> {
    match symbol {
        '+' => x + y,
        '-' => x - y,
        '*' => x * y,
        _ => x / y,
    }
}

/// Tests the four operations between vectors, and with a scalar on either side.
fn arithmetic<T: Model>(device: &Device) {
    let queue = Queue::on(device).unwrap();
    // The division of halves need not be rounded correctly, either.
    let divides = match T::TYPE {
        ElementType::F32 => device.rounds_division_correctly().unwrap(),
        ElementType::F16 => false,
        _ => true,
    };
    for len in lengths() {
        let (a, b) = inputs::<T>(len);
        let (x, y) = (DeviceVec::from_slice(&queue, &a).unwrap(), DeviceVec::from_slice(&queue, &b).unwrap());
        for symbol in ['+', '-', '*', '/'] {
            let exact = symbol != '/' || divides;
            let both = vector_left(symbol, &x, &y).collect().unwrap();
            let expected = a.iter().zip(&b).map(|(&a, &b)| T::host(symbol, a, b));
            compare(&format!("x {symbol} y"), exact, &both, expected);
            if len != 129 {
                continue;
            }
            for &s in T::SPECIAL {
                let left = T::scalar_left(symbol, s, &x).collect().unwrap();
                let expected = a.iter().map(|&a| T::host(symbol, s, a));
                compare(&format!("{s:?} {symbol} x"), exact, &left, expected);
                let right = vector_left(symbol, &x, s).collect().unwrap();
                let expected = a.iter().map(|&a| T::host(symbol, a, s));
                compare(&format!("x {symbol} {s:?}"), exact, &right, expected);
            }
        }
    }
}

fn negation<T: Model + Signed>(device: &Device, host: impl Fn(T) -> T) {
    let queue = Queue::on(device).unwrap();
    for len in lengths() {
        let (a, _) = inputs::<T>(len);
        let x = DeviceVec::from_slice(&queue, &a).unwrap();
        compare("-x", true, &(-&x).collect().unwrap(), a.iter().map(|&a| host(a)));
    }
}

/// Checks that a copy keeps each bit, including NaN payloads.
fn copies<T: Model>(device: &Device) {
    let queue = Queue::on(device).unwrap();
    for len in lengths() {
        let (a, _) = inputs::<T>(len);
        let x = DeviceVec::from_slice(&queue, &a).unwrap();
        let copy = x.iter().collect().unwrap().to_vec().unwrap();
        let bits = |values: &[T]| bytemuck::cast_slice::<_, u8>(T::as_stored(values)).to_vec();
        assert_eq!(bits(&copy), bits(&a));
    }
}

macro_rules! each_type {
    ($($name:ident: $type:ty $(, -$negate:expr)?;)*) => {$(
        #[test]
        fn $name() {
            known_faults::each_device(concat!("expressions::", stringify!($name)), |device| {
                if supports::<$type>(device) {
                    arithmetic::<$type>(device);
                    $(negation::<$type>(device, $negate);)?
                    copies::<$type>(device);
                }
            });
        }
    )*};
}

each_type! {
    i8_is_as_on_the_host: i8, -i8::wrapping_neg;
    u8_is_as_on_the_host: u8;
    i16_is_as_on_the_host: i16, -i16::wrapping_neg;
    u16_is_as_on_the_host: u16;
    i32_is_as_on_the_host: i32, -i32::wrapping_neg;
    u32_is_as_on_the_host: u32;
    i64_is_as_on_the_host: i64, -i64::wrapping_neg;
    u64_is_as_on_the_host: u64;
    f16_is_as_on_the_host: f16, -|x: f16| -x;
    f32_is_as_on_the_host: f32, -|x: f32| -x;
    f64_is_as_on_the_host: f64, -|x: f64| -x;
}

#[test]
fn a_type_that_the_device_lacks_is_refused() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        if !device.has_fp16().unwrap() {
            let x = DeviceVec::filled(&queue, f16::ONE, 3).unwrap();
            let error = (&x + &x).collect().unwrap_err();
            assert!(
                matches!(&error, Error::Unsupported { feature, .. } if feature.contains("half")),
                "{error}"
            );
        }
        if !device.has_fp64().unwrap() {
            let x = DeviceVec::filled(&queue, 1.0_f64, 3).unwrap();
            let error = x.sum().unwrap_err();
            assert!(
                matches!(&error, Error::Unsupported { feature, .. } if feature.contains("double")),
                "{error}"
            );
        }
    });
}

#[test]
fn assignment_writes_the_target_only() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in lengths() {
            let host: Vec<i32> = (0..len as i32).collect();
            let x = DeviceVec::from_slice(&queue, &host).unwrap();
            let mut y = DeviceVec::filled(&queue, -1, len).unwrap();
            y.assign(&x * &x + 1).unwrap();
            let expected: Vec<i32> = host.iter().map(|x| x.wrapping_mul(*x).wrapping_add(1)).collect();
            assert_eq!(y.to_vec().unwrap(), expected);
            assert_eq!(x.to_vec().unwrap(), host);
            // a x + y in place.
            y.assign_with(|y| 3 * &x + y).unwrap();
            let expected: Vec<i32> =
                expected.iter().zip(&host).map(|(y, x)| (3 * x).wrapping_add(*y)).collect();
            assert_eq!(y.to_vec().unwrap(), expected);
            y.assign_with(|y| &y * &y - &y).unwrap();
            let expected: Vec<i32> = expected.iter().map(|y| y.wrapping_mul(*y).wrapping_sub(*y)).collect();
            assert_eq!(y.to_vec().unwrap(), expected);
            // A vector and a scalar are expressions, too.
            y.assign(&x).unwrap();
            assert_eq!(y.to_vec().unwrap(), host);
            y.assign(7).unwrap();
            assert_eq!(y.to_vec().unwrap(), vec![7; len]);
        }
    });
}

#[test]
fn shared_and_long_expressions() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &[1_u64, 2, 3]).unwrap();
        // Doubled 60 times: 61 nodes, not 2^60.
        let mut doubled = x.iter();
        for _ in 0..60 {
            doubled = &doubled + &doubled;
        }
        assert!(format!("{doubled}").len() < 4000);
        assert_eq!(doubled.collect().unwrap().to_vec().unwrap(), [1 << 60, 2 << 60, 3 << 60]);
        // Each node is used three times, in the text and in the comment of the kernel's source.
        let ones = DeviceVec::filled(&queue, 1.0_f32, 3).unwrap();
        let powers = (0..20).fold(ones.iter(), |x, _| mul_add(&x, &x, &x));
        assert!(format!("{powers}").len() < 4000);
        assert!(powers.kernel_source(device).unwrap().is_ascii());
        // 100 scalars are 100 arguments.
        let many = (1..=100).fold(x.iter(), |sum, i| sum * 3 + i);
        let host = |x: u64| (1..=100).fold(x, |sum: u64, i| sum.wrapping_mul(3).wrapping_add(i));
        assert_eq!(many.collect().unwrap().to_vec().unwrap(), [host(1), host(2), host(3)]);
    });
}

#[test]
fn products_are_not_contracted() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let a: Vec<f32> = (0..5000).map(|i| f32::from_bits64(random(i, 3))).collect();
        let x = DeviceVec::from_slice(&queue, &a).unwrap();
        let expected = a.iter().map(|a| a * a - a * 0.3);
        compare("x x - 0.3 x", true, &(&x * &x - &x * 0.3).collect().unwrap(), expected);
    });
}

#[test]
fn mistakes_are_reported() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let (x, y) =
            (DeviceVec::filled(&queue, 1.0_f32, 3).unwrap(), DeviceVec::filled(&queue, 1.0_f32, 4).unwrap());
        let mismatch = |operation| Error::length_mismatch(operation, 3, 4);
        assert_eq!((&x + &y).collect().unwrap_err(), mismatch("+"));
        assert_eq!((2.0 * &x - &y / 3.0).sum().unwrap_err(), mismatch("-"));
        assert_eq!(sqrt(1.0 + (&x * &y)).collect().unwrap_err(), mismatch("*"));
        assert_eq!((&x / &y).collect().unwrap_err(), mismatch("/"));
        assert_eq!(pow(&x, &y).collect().unwrap_err(), mismatch("pow"));
        assert_eq!(mul_add(&x, &x, &y).collect().unwrap_err(), mismatch("mul_add"));
        let mut target = DeviceVec::filled(&queue, 5.0_f32, 3).unwrap();
        assert_eq!(target.assign(&y).unwrap_err(), mismatch("assign"));
        assert_eq!(target.assign_with(|z| z + &y).unwrap_err(), mismatch("+"));
        assert_eq!(target.to_vec().unwrap(), [5.0; 3]);
        // A vector without elements also has a length.
        let empty = DeviceVec::from_slice(&queue, &[] as &[f32]).unwrap();
        let none = Error::length_mismatch("+", 0, 3);
        assert_eq!((&empty + &x).collect().unwrap_err(), none);

        let context: &Context = queue.context();
        for other in [Queue::new(context, QueueOptions::new()).unwrap(), Queue::on(device).unwrap()] {
            let z = DeviceVec::filled(&other, 1.0_f32, 3).unwrap();
            let error = (&x * &z).collect().unwrap_err();
            assert!(matches!(error, Error::ForeignObject { operation: "*", .. }), "{error}");
            let error = (&x * &z).sum().unwrap_err();
            assert!(matches!(error, Error::ForeignObject { operation: "*", .. }), "{error}");
            let error = target.assign(&z).unwrap_err();
            assert!(matches!(error, Error::ForeignObject { operation: "assign", .. }), "{error}");
            let error = target.assign_with(|y| y + &z).unwrap_err();
            assert!(matches!(error, Error::ForeignObject { operation: "+", .. }), "{error}");
            // The check includes empty vectors.
            let mut none = DeviceVec::from_slice(&other, &[] as &[f32]).unwrap();
            let error = none.assign(x.slice(..0)).unwrap_err();
            assert!(matches!(error, Error::ForeignObject { operation: "assign", .. }), "{error}");
            let error = x.slice(..0).collect_on(&other).unwrap_err();
            assert!(matches!(error, Error::ForeignObject { operation: "collect", .. }), "{error}");
            let error = inclusive_scan(x.slice(..0), &mut none).unwrap_err();
            assert!(matches!(error, Error::ForeignObject { .. }), "{error}");
            let error = copy_if(x.slice(..0), |x| x.gt(0.0), &mut none).unwrap_err();
            assert!(matches!(error, Error::ForeignObject { .. }), "{error}");
        }

        let refused = |reason: &str| Error::invalid_input("range", reason);
        assert_eq!(x.slice(7..).collect().unwrap_err(), refused("7.. is not a range of 3 elements"));
        assert_eq!(x.slice(2..4).collect().unwrap_err(), refused("2..4 is not a range of 3 elements"));
        let backwards = index::<u32>().slice(std::ops::Range { start: 5, end: 3 });
        assert_eq!(backwards.collect_on(&queue).unwrap_err(), refused("5..3 ends before it begins"));
        assert_eq!(
            assign(target.slice_mut(7..), 1.0).unwrap_err(),
            refused("7.. is not a range of 3 elements")
        );
        assert_eq!(target.to_vec().unwrap(), [5.0; 3]);

        let scalars = || Operand::<f32>::into_expr(1.0) + 2.0;
        let error = scalars().collect().unwrap_err();
        assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
        let error = scalars().sum().unwrap_err();
        assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
    });
}
