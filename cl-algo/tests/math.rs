//! Mathematical functions on every device, for every floating-point type, within the errors that the
//! OpenCL specification allows ("Relative Error as ULPs").
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_algo::prelude::*;
use cl_algo::{DeviceProfile, ElementType};
use cl_test::each_device;
use half::f16;

/// A floating-point type and its place in the specification's tables.
trait Precise: Float + Into<f64> {
    fn nearest(value: f64) -> Self;
    /// Bits of the significand after the point, and the least exponent of a normal number.
    const FRACTION: i32;
    const LEAST: i32;
    /// Which column of a row of bounds is its own.
    const COLUMN: usize;
    /// What the host's reference, computed as f64, may be wrong by itself.
    const REFERENCE: f64;
}

macro_rules! precise {
    ($($type:ty: $nearest:expr, $fraction:literal, $least:literal, $column:literal, $reference:literal;)*) => {$(
        impl Precise for $type {
            fn nearest(value: f64) -> $type {
                $nearest(value)
            }
            const FRACTION: i32 = $fraction;
            const LEAST: i32 = $least;
            const COLUMN: usize = $column;
            const REFERENCE: f64 = $reference;
        }
    )*};
}

precise! {
    f16: f16::from_f64, 10, -14, 0, 0.0;
    f32: |value| value as f32, 23, -126, 1, 0.0;
    f64: |value| value, 52, -1022, 2, 1.0;
}

/// Errors allowed in units in the last place: for f16, f32 and f64. 0 stands for correctly rounded.
type Bounds = [f64; 3];

const EXACT: Bounds = [0.0; 3];

/// Values from `low` to `high`, both included.
fn range<T: Precise>(low: f64, high: f64) -> Vec<T> {
    (0..=4000).map(|i| T::nearest(low + (high - low) * f64::from(i) / 4000.0)).collect()
}

fn within<T: Precise>(name: &str, bounds: Bounds, actual: &[T], expected: impl Iterator<Item = f64>) {
    let bound = bounds[T::COLUMN].max(0.5) + T::REFERENCE;
    for (i, (&a, e)) in actual.iter().zip(expected).enumerate() {
        let a: f64 = a.into();
        if e.is_nan() && a.is_nan() || a == T::nearest(e).into() {
            continue;
        }
        let exponent = (e.abs().log2().floor() as i32).max(T::LEAST);
        let error = (a - e).abs() / 2.0_f64.powi(exponent - T::FRACTION);
        assert!(error <= bound, "{name} of {:?} at {i}: {a:e} instead of {e:e}, {error} ulp", T::TYPE);
    }
}

/// Runs `test` on every device that has the type.
fn each_device_with<T: Precise>(test: impl Fn(&Device, &Queue)) {
    each_device(|device| {
        if DeviceProfile::of(device).unwrap().require(T::TYPE).is_ok() {
            // One queue for all: "exp" must not find the kernel of "exp2".
            test(device, &Queue::on(device).unwrap());
        }
    });
}

fn functions_of_one_value<T: Precise>() {
    type OnDevice<T> = for<'a> fn(&'a DeviceVec<T>) -> Expr<'a, T>;
    type Case<T> = (&'static str, Bounds, OnDevice<T>, fn(f64) -> f64, f64, f64);
    // The largest argument of exp and exp2, and of the others.
    let (power, large) = if T::TYPE == ElementType::F16 { (9.0, 6e4) } else { (80.0, 1e6) };
    let functions: [Case<T>; 13] = [
        ("abs", EXACT, |x| abs(x), f64::abs, -5.0, 5.0),
        ("sqrt", [0.0, 3.0, 0.0], |x| sqrt(x), f64::sqrt, -1.0, large),
        ("rsqrt", [1.0, 2.0, 2.0], |x| rsqrt(x), |x| 1.0 / x.sqrt(), 1e-3, large),
        ("exp", [2.0, 3.0, 3.0], |x| exp(x), f64::exp, -power, power),
        ("exp2", [2.0, 3.0, 3.0], |x| exp2(x), f64::exp2, -power, power),
        ("log", [2.0, 3.0, 3.0], |x| log(x), f64::ln, 0.0, large),
        ("log2", [2.0, 3.0, 3.0], |x| log2(x), f64::log2, 0.0, large),
        ("sin", [2.0, 4.0, 4.0], |x| sin(x), f64::sin, -1000.0, 1000.0),
        ("cos", [2.0, 4.0, 4.0], |x| cos(x), f64::cos, -1000.0, 1000.0),
        ("tan", [2.0, 5.0, 5.0], |x| tan(x), f64::tan, -1000.0, 1000.0),
        ("tanh", [2.0, 5.0, 5.0], |x| tanh(x), f64::tanh, -12.0, 12.0),
        ("floor", EXACT, |x| floor(x), f64::floor, -9.0, 9.0),
        ("ceil", EXACT, |x| ceil(x), f64::ceil, -9.0, 9.0),
    ];
    each_device_with::<T>(|device, queue| {
        for (name, mut bounds, function, reference, low, high) in functions {
            if name == "sqrt" && device.rounds_division_correctly().unwrap() {
                bounds = EXACT;
            }
            let values = range::<T>(low, high);
            let x = DeviceVec::from_slice(queue, &values).unwrap();
            let actual = function(&x).collect().unwrap().to_vec().unwrap();
            within(name, bounds, &actual, values.iter().map(|&x| reference(x.into())));
        }
    });
}

fn functions_of_more_values<T: Precise>() {
    each_device_with::<T>(|_, queue| {
        // Powers that overflow no type, and none that is subnormal.
        let (a, b) = (range::<T>(0.25, 4.0), range::<T>(6.0, -6.0));
        let [x, y] = [&a, &b].map(|values| DeviceVec::from_slice(queue, values).unwrap());
        let check = |name: &str, bounds: Bounds, expr: Expr<'_, T>, reference: fn(f64, f64) -> f64| {
            let actual = expr.collect().unwrap().to_vec().unwrap();
            let expected = a.iter().zip(&b).map(|(&a, &b)| reference(a.into(), b.into()));
            within(name, bounds, &actual, expected);
        };
        check("pow", [4.0, 16.0, 16.0], pow(&x, &y), f64::powf);
        check("hypot", [2.0, 4.0, 4.0], hypot(&x, &y), f64::hypot);
        check("min", EXACT, min(&x, &y), f64::min);
        check("max", EXACT, max(&x, &y), f64::max);
        // The methods are the functions; scalars are operands of both.
        check("pow with a scalar", [4.0, 16.0, 16.0], x.expr().pow(T::nearest(1.5)), |x, _| x.powf(1.5));
        check("hypot with a scalar", [2.0, 4.0, 4.0], hypot(T::nearest(3.0), &y), |_, y| y.hypot(3.0));
    });
}

macro_rules! each_type {
    ($($name:ident: $type:ty;)*) => {$(
        #[test]
        fn $name() {
            functions_of_one_value::<$type>();
            functions_of_more_values::<$type>();
        }
    )*};
}

each_type! {
    functions_of_f16_are_precise: f16;
    functions_of_f32_are_precise: f32;
    functions_of_f64_are_precise: f64;
}

#[test]
fn mul_add_rounds_once() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let (a, b, c) = (range::<f32>(0.001, 30.0), range::<f32>(9.0, -9.0), range::<f32>(-1e3, 1e3));
        let [x, y, z] = [&a, &b, &c].map(|values| DeviceVec::from_slice(&queue, values).unwrap());
        let fused = mul_add(&x, &y, &z).collect().unwrap().to_vec().unwrap();
        for i in 0..a.len() {
            assert_eq!(fused[i].to_bits(), a[i].mul_add(b[i], c[i]).to_bits(), "mul_add at {i}");
        }
    });
}

#[test]
fn min_and_max_pass_over_nan() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &[f32::NAN, 1.0, f32::NAN, f32::INFINITY, -2.0]).unwrap();
        let y = DeviceVec::from_slice(&queue, &[3.0, f32::NAN, f32::NAN, 1.0, f32::NEG_INFINITY]).unwrap();
        let least = min(&x, &y).collect().unwrap().to_vec().unwrap();
        let most = max(&x, &y).collect().unwrap().to_vec().unwrap();
        assert!(least[2].is_nan() && most[2].is_nan());
        assert_eq!([least[0], least[1], least[3], least[4]], [3.0, 1.0, 1.0, f32::NEG_INFINITY]);
        assert_eq!([most[0], most[1], most[3], most[4]], [3.0, 1.0, f32::INFINITY, -2.0]);
    });
}
