//! OpenCL's vectors as elements: arithmetic compared with the host, components, inputs and outputs.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::prelude::*;
use cl_algo::{Bits, Component, Vector};
use cl_algo::{F32x2, F32x3, F32x4, F32x8, I16x3, I16x4, I32x3, I32x4, U8x4};
use cl_core::Error;
use cl_test::each_device;
use half::f16;
use proptest::prelude::*;
use std::fmt::Debug;

const LENGTHS: [usize; 6] = [0, 1, 2, 3, 17, 1000];

/// The requirements of tests on a number.
trait Number: Component + Debug {
    /// Returns a value that differs for neighbouring seeds: also zero, and the limits of integers.
    fn some(seed: usize) -> Self;

    fn is_on(device: &Device) -> bool;
}

macro_rules! numbers {
    ($($type:ty: |$seed:ident| $some:expr, |$device:ident| $is_on:expr;)*) => {$(
        impl Number for $type {
            fn some($seed: usize) -> $type {
                $some
            }
            fn is_on($device: &Device) -> bool {
                $is_on
            }
        }
    )*};
}

/// Returns bits that look random, with many zeros and limits among them.
fn bits(seed: usize) -> u64 {
    let mixed = (seed as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    match seed % 7 {
        0 => 0,
        3 => u64::MAX,
        5 => 1 << 63 | 1 << 31 | 1 << 15 | 1 << 7,
        _ => mixed ^ (mixed >> 29),
    }
}

numbers! {
    i8: |seed| bits(seed) as i8, |_device| true;
    u8: |seed| bits(seed) as u8, |_device| true;
    i16: |seed| bits(seed) as i16, |_device| true;
    u16: |seed| bits(seed) as u16, |_device| true;
    i32: |seed| bits(seed) as i32, |_device| true;
    u32: |seed| bits(seed) as u32, |_device| true;
    i64: |seed| bits(seed) as i64, |_device| true;
    u64: |seed| bits(seed), |_device| true;
    f16: |seed| f16::from_f32((seed % 29) as f32 - 14.0), |device| device.has_fp16().unwrap();
    f32: |seed| (seed % 1013) as f32 * 0.37 - 100.0, |_device| true;
    f64: |seed| (seed % 1013) as f64 * 0.37 - 100.0, |device| device.has_fp64().unwrap();
}

fn vectors<T: Number, const N: usize>(len: usize, shift: usize) -> Vec<Vector<T, N>> {
    (0..len).map(|i| Vector::from(std::array::from_fn(|lane| T::some(i * N + lane + shift)))).collect()
}

#[allow(clippy::eq_op)] // NaN is the value that differs from itself
fn is_nan<T: Number>(x: T) -> bool {
    x != x
}

/// Asserts that components are equal, or both NaN.
fn assert_same<T: Number, const N: usize>(device: &[Vector<T, N>], host: &[Vector<T, N>], what: &str) {
    assert_eq!(device.len(), host.len());
    for (i, (a, b)) in device.iter().zip(host).enumerate() {
        let same = |lane: usize| a[lane] == b[lane] || (is_nan(a[lane]) && is_nan(b[lane]));
        assert!((0..N).all(same), "{what} at {i}: {a:?}, on the host {b:?}");
    }
}

/// Calls a function for vectors of all lengths of these numbers.
macro_rules! every_type {
    ($function:ident($device:expr): $($type:ty)*) => {{$(
        $function::<$type, 2>($device);
        $function::<$type, 3>($device);
        $function::<$type, 4>($device);
        $function::<$type, 8>($device);
        $function::<$type, 16>($device);
    )*}};
}

/// Tests arithmetic in one kernel with five outputs.
fn arithmetic<T: Number, const N: usize>(device: &Device)
where
    Vector<T, N>: Element<Stored = Vector<T, N>>,
{
    if !T::is_on(device) {
        return;
    }
    let queue = Queue::on(device).unwrap();
    for len in LENGTHS {
        let (a, b) = (vectors::<T, N>(len, 0), vectors::<T, N>(len, 12_345));
        let x = DeviceVec::from_slice(&queue, &a).unwrap();
        let y = DeviceVec::from_slice(&queue, &b).unwrap();
        let all = x.iter().zip(&y).map(|(x, y)| (x + y, x - y, x * y, x / y, x % y));
        let (sum, difference, product, quotient, remainder) = all.collect().unwrap();
        let host = |f: fn(Vector<T, N>, Vector<T, N>) -> Vector<T, N>| -> Vec<_> {
            a.iter().zip(&b).map(|(&a, &b)| f(a, b)).collect()
        };
        assert_same(&sum.to_vec().unwrap(), &host(|a, b| a + b), "+");
        assert_same(&difference.to_vec().unwrap(), &host(|a, b| a - b), "-");
        assert_same(&product.to_vec().unwrap(), &host(|a, b| a * b), "*");
        assert_same(&quotient.to_vec().unwrap(), &host(|a, b| a / b), "/");
        assert_same(&remainder.to_vec().unwrap(), &host(|a, b| a % b), "%");
    }
}

#[test]
fn arithmetic_of_integers() {
    each_device(|device| {
        every_type!(arithmetic(device): i8 u16 i32 u64);
        arithmetic::<u8, 3>(device);
        arithmetic::<i16, 4>(device);
        arithmetic::<u32, 2>(device);
        arithmetic::<i64, 3>(device);
    });
}

#[test]
fn arithmetic_of_floats() {
    each_device(|device| every_type!(arithmetic(device): f16 f32 f64));
}

/// Tests host values as kernel arguments, in which vectors of three take the space of four.
fn arguments<T: Number, const N: usize>(device: &Device)
where
    Vector<T, N>: Element<Stored = Vector<T, N>>,
{
    if !T::is_on(device) {
        return;
    }
    let queue = Queue::on(device).unwrap();
    let a = vectors::<T, N>(17, 0);
    let argument = vectors::<T, N>(1, 99)[0];
    let x = DeviceVec::from_slice(&queue, &a).unwrap();
    let expected: Vec<_> = a.iter().map(|&a| a + argument).collect();
    assert_same(&(&x + argument).collect().unwrap().to_vec().unwrap(), &expected, "argument");
    let filled = DeviceVec::filled(&queue, argument, 17).unwrap();
    assert_same(&filled.to_vec().unwrap(), &[argument; 17], "filled");
}

#[test]
fn arguments_of_every_size() {
    each_device(|device| {
        every_type!(arguments(device): f64);
        arguments::<i8, 2>(device);
        arguments::<i8, 3>(device);
        arguments::<u16, 3>(device);
        arguments::<i32, 3>(device);
        arguments::<f32, 16>(device);
    });
}

fn everywhere<T: Number, const N: usize>(device: &Device)
where
    Vector<T, N>: Element<Stored = Vector<T, N>>,
{
    if !T::is_on(device) {
        return;
    }
    let queue = Queue::on(device).unwrap();
    for len in LENGTHS.into_iter().filter(|&len| len > 0) {
        let a = vectors::<T, N>(len, 0);
        let order: Vec<u32> = (0..len as u32).map(|i| (i + 5) % len as u32).collect();
        let x = DeviceVec::from_slice(&queue, &a).unwrap();
        let by = DeviceVec::from_slice(&queue, &order).unwrap();
        assert_same(&x.iter().collect().unwrap().to_vec().unwrap(), &a, "collect");

        let gathered: Vec<_> = order.iter().map(|&i| a[i as usize]).collect();
        assert_same(&x.iter().gather(&by).collect().unwrap().to_vec().unwrap(), &gathered, "gather");
        let mut y = DeviceVec::filled(&queue, Vector::default(), len).unwrap();
        assign(y.scatter_mut(&by), &x).unwrap();
        let mut scattered = vec![Vector::default(); len];
        order.iter().zip(&a).for_each(|(&to, &a)| scattered[to as usize] = a);
        assert_same(&y.to_vec().unwrap(), &scattered, "scatter");

        let reversed: Vec<_> = a.iter().rev().copied().collect();
        assign(y.view_mut().rev(), &x).unwrap();
        assert_same(&y.to_vec().unwrap(), &reversed, "rev");
        y.assign_with(|y| y + &x).unwrap();
        let sums: Vec<_> = reversed.iter().zip(&a).map(|(&r, &a)| r + a).collect();
        assert_same(&y.to_vec().unwrap(), &sums, "assign_with");
        assert_same(&x.slice(1..).collect().unwrap().to_vec().unwrap(), &a[1..], "slice");

        let border = vectors::<T, N>(1, 77)[0];
        let shifted = x.iter().shifted(-1, Border::Constant(border)).collect().unwrap();
        let expected: Vec<_> = [border].into_iter().chain(a.iter().copied()).take(len).collect();
        assert_same(&shifted.to_vec().unwrap(), &expected, "shifted");

        let (numbers, same) = x.iter().enumerate().collect().unwrap();
        assert_eq!(numbers.to_vec().unwrap(), (0..len as u64).collect::<Vec<_>>());
        assert_same(&same.to_vec().unwrap(), &a, "enumerate");
        let equal: Vec<bool> = a.iter().map(|&a| a == border).collect();
        assert_eq!(x.iter().eq(border).collect().unwrap().to_vec().unwrap(), equal);
        let chosen = x.iter().map(|x| x.ne(border).select(x, border + border)).collect().unwrap();
        let expected: Vec<_> = a.iter().map(|&a| if a != border { a } else { border + border }).collect();
        assert_same(&chosen.to_vec().unwrap(), &expected, "select");
    }
}

#[test]
fn wherever_elements_go() {
    each_device(|device| {
        everywhere::<f32, 2>(device);
        everywhere::<f32, 3>(device);
        everywhere::<u8, 3>(device);
        everywhere::<f32, 4>(device);
        everywhere::<i64, 16>(device);
    });
}

/// Tests sums of integers, which wrap around.
fn summed<T: Number, const N: usize>(device: &Device)
where
    Vector<T, N>: Element<Stored = Vector<T, N>>,
{
    if !T::is_on(device) {
        return;
    }
    let queue = Queue::on(device).unwrap();
    for len in LENGTHS.into_iter().chain([cl_test::full_or_small(70_001, 9001)]) {
        let a: Vec<Vector<T, N>> =
            (0..len).map(|i| Vector::from(std::array::from_fn(|lane| T::some((i + lane) % 5)))).collect();
        let expected = a.iter().fold(Vector::default(), |sum, &a| sum + a);
        let x = DeviceVec::from_slice(&queue, &a).unwrap();
        assert_same(&[x.sum().unwrap()], &[expected], "sum");
    }
}

#[test]
fn sums_of_integers() {
    each_device(|device| {
        summed::<i8, 3>(device);
        summed::<u32, 2>(device);
        summed::<i64, 3>(device);
        summed::<i32, 16>(device);
    });
}

#[test]
fn sums_of_floats() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in LENGTHS.into_iter().chain([cl_test::full_or_small(70_001, 9001)]) {
            let a: Vec<F32x3> = (0..len).map(|i| F32x3::from([1.0, i as f32 % 8.0, -0.5])).collect();
            let x = DeviceVec::from_slice(&queue, &a).unwrap();
            let second: f32 = (0..len).map(|i| i as f32 % 8.0).sum();
            let expected = F32x3::from([len as f32, second, len as f32 * -0.5]);
            assert_eq!(x.sum().unwrap(), expected, "{len}");
            // An overflow of one component does not affect the others.
            let huge: Vec<F32x4> = vec![F32x4::from([f32::MAX, 1.0, -f32::MAX, 0.25]); len];
            let total = DeviceVec::from_slice(&queue, &huge).unwrap().sum().unwrap();
            let limit = |one: f32| if len > 1 { one * f32::INFINITY } else { one * f32::MAX * len as f32 };
            let expected = F32x4::from([limit(1.0), len as f32, limit(-1.0), len as f32 * 0.25]);
            assert_eq!(total, expected, "{len}");
        }
    });
}

#[test]
fn scalars_on_either_side() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let (a, b) = (vectors::<f32, 4>(17, 0), vectors::<i32, 3>(17, 0));
        let weights: Vec<f32> = (0..17).map(|i| i as f32 - 4.5).collect();
        let x = DeviceVec::from_slice(&queue, &a).unwrap();
        let n = DeviceVec::from_slice(&queue, &b).unwrap();
        let w = DeviceVec::from_slice(&queue, &weights).unwrap();
        let host = |f: &dyn Fn(F32x4, f32) -> F32x4| -> Vec<F32x4> {
            a.iter().zip(&weights).map(|(&a, &w)| f(a, w)).collect()
        };
        let get = |expr: Expr<'_, F32x4>| expr.collect().unwrap().to_vec().unwrap();
        assert_same(&get(2.0 * &x + 1.0), &host(&|a, _| 2.0 * a + 1.0), "scalars");
        assert_same(&get(1.0 / x.iter() - 3.0), &host(&|a, _| 1.0 / a - 3.0), "scalars");
        assert_same(&get(&x * &w), &host(&|a, w| a * w), "a scalar for each");
        assert_same(&get(x.iter() / (&w + 0.25)), &host(&|a, w| a / (w + 0.25)), "an expression");
        let corner = F32x4::from([1.0, 2.0, 3.0, 4.0]);
        assert_same(&get(corner - &x), &host(&|a, _| corner - a), "a vector of the host");
        let closure = x.iter().zip(&w).map(|(x, w)| 0.5 * x * w + corner * x);
        assert_same(&get(closure), &host(&|a, w| 0.5 * a * w + corner * a), "closure");
        let wrapped: Vec<I32x3> = b.iter().map(|&b| 3 * (b - i32::MAX) / 2).collect();
        assert_same(&(3 * (&n - i32::MAX) / 2).collect().unwrap().to_vec().unwrap(), &wrapped, "integers");
    });
}

#[test]
fn components() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in LENGTHS {
            let a = vectors::<f32, 4>(len, 0);
            let x = DeviceVec::from_slice(&queue, &a).unwrap();
            let w: Vec<f32> = a.iter().map(|a| a[3]).collect();
            assert_eq!(x.iter().w().collect().unwrap().to_vec().unwrap(), w);
            assert_eq!(x.iter().component(3).collect().unwrap().to_vec().unwrap(), w);
            let [p, q, r, s] = x.iter().components();
            let sums: Vec<f32> = a.iter().map(|a| a[0] + a[1] + a[2] + a[3]).collect();
            assert_eq!((p + q + r + s).collect().unwrap().to_vec().unwrap(), sums);
            let turned: Vec<F32x3> = a.iter().map(|a| F32x3::from([a[2], a[0], a[0]])).collect();
            assert_same(
                &x.iter().swizzle([2, 0, 0]).collect().unwrap().to_vec().unwrap(),
                &turned,
                "swizzle",
            );
            let made = x.iter().map(|v| Val::vector((v.y(), 1.0, v.x() + v.z())));
            let expected: Vec<F32x3> = a.iter().map(|a| F32x3::from([a[1], 1.0, a[0] + a[2]])).collect();
            assert_same(&made.collect().unwrap().to_vec().unwrap(), &expected, "vector in a closure");
            let eight = vector(std::array::from_fn::<_, 8, _>(|i| x.iter().component(i % 4) + i as f32));
            let expected: Vec<F32x8> =
                a.iter().map(|a| F32x8::from(std::array::from_fn(|i| a[i % 4] + i as f32))).collect();
            assert_same(&eight.collect().unwrap().to_vec().unwrap(), &expected, "vector of an array");
            let whole: Vec<I16x4> = a.iter().map(|a| a.map(|a| a as i16)).collect();
            assert_same(
                &x.iter().cast_components::<i16>().collect().unwrap().to_vec().unwrap(),
                &whole,
                "cast",
            );
            let bytes: Vec<U8x4> = whole.iter().map(|a| a.map(|a| a as u8)).collect();
            let cast = x.iter().cast_components::<i16>().cast_components::<u8>();
            assert_same(&cast.collect().unwrap().to_vec().unwrap(), &bytes, "cast of integers");
            let rounded: Vec<F32x4> = a.iter().map(|a| a.map(f32::floor)).collect();
            assert_same(
                &x.iter().map_components(Val::floor).collect().unwrap().to_vec().unwrap(),
                &rounded,
                "map",
            );
            let splat: Vec<F32x2> = a.iter().map(|a| F32x2::splat(a[0])).collect();
            assert_same(&x.iter().x().splat().collect().unwrap().to_vec().unwrap(), &splat, "splat");
        }
    });
}

#[test]
fn constants_and_indices() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &vectors::<u8, 4>(17, 0)).unwrap();
        let one = U8x4::from([1, 2, 255, 128]);
        let expected: Vec<U8x4> = vectors::<u8, 4>(17, 0).into_iter().map(|a| a * one).collect();
        assert_same(&(&x * constant(one)).collect().unwrap().to_vec().unwrap(), &expected, "bytes");
        let y = DeviceVec::from_slice(&queue, &vectors::<f32, 2>(17, 0)).unwrap();
        let two = F32x2::from([-0.1, f32::MAX]);
        let expected: Vec<F32x2> = vectors::<f32, 2>(17, 0).into_iter().map(|a| a - two).collect();
        assert_same(&(&y - constant(two)).collect().unwrap().to_vec().unwrap(), &expected, "floats");
        let three = I16x3::from([-1, i16::MIN, 7]);
        let z = DeviceVec::from_slice(&queue, &vectors::<i16, 3>(17, 0)).unwrap();
        let expected: Vec<I16x3> = vectors::<i16, 3>(17, 0).into_iter().map(|a| a + three).collect();
        assert_same(&(&z + constant(three)).collect().unwrap().to_vec().unwrap(), &expected, "three");
        let counted: Vec<F32x2> = (0..17).map(|i| F32x2::splat(i as f32) + two).collect();
        assert_same(&iota(two, 17).collect_on(&queue).unwrap().to_vec().unwrap(), &counted, "indices");
    });
}

fn bit_operators<T: Number + Bits, const N: usize>(device: &Device)
where
    Vector<T, N>: Element<Stored = Vector<T, N>>,
{
    let queue = Queue::on(device).unwrap();
    let (a, b) = (vectors::<T, N>(17, 0), vectors::<T, N>(17, 3));
    let x = DeviceVec::from_slice(&queue, &a).unwrap();
    let y = DeviceVec::from_slice(&queue, &b).unwrap();
    let all = x.iter().zip(&y).map(|(x, y)| (x & y, x | y, x ^ y, !x));
    let (and, or, xor, not) = all.collect().unwrap();
    let bytes = |a: &[Vector<T, N>]| bytemuck::cast_slice::<_, u8>(a).to_vec();
    let host =
        |f: fn(u8, u8) -> u8| -> Vec<u8> { bytes(&a).iter().zip(bytes(&b)).map(|(&a, b)| f(a, b)).collect() };
    assert_eq!(bytes(&and.to_vec().unwrap()), host(|a, b| a & b));
    assert_eq!(bytes(&or.to_vec().unwrap()), host(|a, b| a | b));
    assert_eq!(bytes(&xor.to_vec().unwrap()), host(|a, b| a ^ b));
    assert_eq!(bytes(&not.to_vec().unwrap()), host(|a, _| !a));
}

#[test]
fn bits_are_combined() {
    each_device(|device| every_type!(bit_operators(device): i8));
}

fn negated<T: Number + Signed, const N: usize>(device: &Device)
where
    Vector<T, N>: Element<Stored = Vector<T, N>>,
{
    if !T::is_on(device) {
        return;
    }
    let queue = Queue::on(device).unwrap();
    let a = vectors::<T, N>(17, 0);
    let x = DeviceVec::from_slice(&queue, &a).unwrap();
    let expected: Vec<_> = a.iter().map(|&a| -a).collect();
    assert_same(&(-&x).collect().unwrap().to_vec().unwrap(), &expected, "-");
}

#[test]
fn negation() {
    each_device(|device| every_type!(negated(device): i16 f32));
}

#[test]
fn a_component_that_is_not_there_is_an_error() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &vectors::<f32, 3>(4, 0)).unwrap();
        for error in [
            x.iter().component(3).collect().unwrap_err(),
            x.iter().map(|x| x.component(3)).collect().unwrap_err(),
            x.iter().swizzle([0, 16]).x().collect().unwrap_err(),
        ] {
            assert!(matches!(error, Error::InvalidInput { what: "component", .. }), "{error}");
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cl_test::full_or_small(40, 8)))]

    #[test]
    fn integers_have_the_hosts_meaning(
        values in prop::collection::vec((any::<[i32; 4]>(), any::<[i32; 4]>(), any::<i32>()), 1..40)
    ) {
        let a: Vec<I32x4> = values.iter().map(|v| v.0.into()).collect();
        let b: Vec<I32x4> = values.iter().map(|v| v.1.into()).collect();
        let s: Vec<i32> = values.iter().map(|v| v.2).collect();
        let expected: Vec<I32x4> =
            values.iter().map(|&(a, b, s)| (I32x4::from(a) * s - I32x4::from(b)) / I32x4::from(a) % s).collect();
        each_device(|device| {
            let queue = Queue::on(device).unwrap();
            let x = DeviceVec::from_slice(&queue, &a).unwrap();
            let y = DeviceVec::from_slice(&queue, &b).unwrap();
            let w = DeviceVec::from_slice(&queue, &s).unwrap();
            let computed = (&x * &w - &y) / &x % w.iter().splat();
            assert_same(&computed.collect().unwrap().to_vec().unwrap(), &expected, "integers");
        });
    }
}
