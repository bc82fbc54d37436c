//! Floating-point types, and their allowed errors.

use crate::math::extremes;
use cl_algo::math::Magnitude;
use cl_algo::prelude::*;
use cl_algo::{DeviceProfile, ElementType};
use cl_test::{each_device, known_faults};
use half::f16;

/// A floating-point type and its column in the specification's tables.
pub(crate) trait Precise:
    Float + cl_algo::Castable + cl_algo::Ordered + Magnitude<Magnitude = Self> + Into<f64>
{
    fn nearest(value: f64) -> Self;
    /// Returns the next value towards another one.
    fn after(self, to: Self) -> Self;
    /// The number of bits of the significand after the point, and the least exponent of a normal number.
    const FRACTION: i32;
    const LEAST: i32;
    /// The index of its column in a row of bounds.
    const COLUMN: usize;
    /// The error of the host's reference, computed as f64, in the type's ulps.
    const REFERENCE: f64;
}

macro_rules! precise {
    ($($type:ty: $nearest:expr, $after:expr, $fraction:literal, $least:literal, $column:literal, $reference:literal;)*) => {$(
        impl Precise for $type {
            fn nearest(value: f64) -> $type {
                $nearest(value)
            }
            fn after(self, to: $type) -> $type {
                $after(self, to)
            }
            const FRACTION: i32 = $fraction;
            const LEAST: i32 = $least;
            const COLUMN: usize = $column;
            const REFERENCE: f64 = $reference;
        }
    )*};
}

precise! {
    f16: f16::from_f64, half_after, 10, -14, 0, 0.0;
    f32: |value| value as f32, libm::nextafterf, 23, -126, 1, 0.0;
    f64: |value| value, libm::nextafter, 52, -1022, 2, 2.0;
}

fn half_after(x: f16, to: f16) -> f16 {
    if x.is_nan() || to.is_nan() {
        return f16::NAN;
    }
    let (from, to) = (f32::from(x), f32::from(to));
    match () {
        () if from == to => f16::from_f32(to),
        () if from == 0.0 => f16::from_bits(1).copysign(f16::from_f32(to)),
        () if (from < to) == (from > 0.0) => f16::from_bits(x.to_bits() + 1),
        () => f16::from_bits(x.to_bits() - 1),
    }
}

/// The allowed errors in units in the last place, for f16, f32 and f64. 0 stands for correctly rounded.
pub(crate) type Bounds = [f64; 3];

pub(crate) const EXACT: Bounds = [0.0; 3];

/// Returns values from `low` to `high`, both included, with all special values before and after them: the first ones
/// are computed in packs, the last ones one by one.
pub(crate) fn range<T: Precise>(low: f64, high: f64) -> Vec<T> {
    let between = (0..=2000).map(|i| T::nearest(low + (high - low) * f64::from(i) / 2000.0));
    specials::<T>().chain(between).chain(specials::<T>()).collect()
}

/// Returns 2 to the power of an exponent, also of a subnormal result.
pub(crate) fn two_to(exponent: i32) -> f64 {
    libm::ldexp(1.0, exponent)
}

/// Returns zeros, infinities, NaN, the ends of the range of normal numbers, and frequent edges.
pub(crate) fn specials<T: Precise>() -> impl Iterator<Item = T> + Clone {
    let least = two_to(T::LEAST);
    let most = (2.0 - two_to(-T::FRACTION)) * two_to(1 - T::LEAST);
    let positive = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 7.0, least, least * 0.5, most, f64::INFINITY];
    let both = positive.into_iter().flat_map(|value| [value, -value]);
    both.chain([f64::NAN]).map(T::nearest)
}

/// The number of values of [`specials`].
pub(crate) const SPECIALS: usize = 23;

/// Returns pairs of values in two ranges, preceded and followed by all pairs of special values.
pub(crate) fn ranges<T: Precise>(first: [f64; 2], second: [f64; 2]) -> (Vec<T>, Vec<T>) {
    let pairs = specials::<T>().flat_map(|a| specials::<T>().map(move |b| (a, b)));
    let between = range::<T>(first[0], first[1]).into_iter().zip(range::<T>(second[0], second[1]));
    pairs.clone().chain(between).chain(pairs).unzip()
}

/// Returns whether a result is within the bound of the expected one.
pub(crate) fn is_within<T: Precise>(bounds: Bounds, actual: T, expected: f64) -> bool {
    let (a, e): (f64, f64) = (actual.into(), expected);
    if e.is_nan() && a.is_nan() || a == T::nearest(e).into() {
        return true;
    }
    let bound = bounds[T::COLUMN].max(0.5) + if bounds == EXACT { 0.0 } else { T::REFERENCE };
    // Subnormal results may be flushed to zero.
    if T::COLUMN < 2 && e.abs() < two_to(T::LEAST) && a == 0.0 {
        return true;
    }
    let exponent = if e == 0.0 { T::LEAST } else { libm::ilogb(e).max(T::LEAST) };
    (a - e).abs() / two_to(exponent - T::FRACTION) <= bound
}

/// Returns a subnormal number as a device may see it.
pub(crate) fn flushed<T: Precise>(x: f64) -> f64 {
    if T::COLUMN < 2 && x.abs() < two_to(T::LEAST) { 0.0_f64.copysign(x) } else { x }
}

/// Compares results with a function of one value.
pub(crate) fn check<T: Precise>(name: &str, bounds: Bounds, x: &[T], actual: &[T], f: fn(f64) -> f64) {
    assert_eq!(x.len(), actual.len());
    for (&x, &a) in x.iter().zip(actual) {
        let x = x.into();
        if extremes::is_left_to_its_own_test::<T>(name, x, 0.0) {
            continue;
        }
        let fits = is_within(bounds, a, f(x)) || is_within(bounds, a, f(flushed::<T>(x)));
        assert!(fits, "{name}({x:e}) of {:?}: {:e} instead of {:e}", T::TYPE, a.into(), f(x));
    }
}

/// Compares results with a function of two values.
pub(crate) fn check_two<T: Precise>(
    name: &str,
    bounds: Bounds,
    (x, y): (&[T], &[T]),
    actual: &[T],
    f: fn(f64, f64) -> f64,
) {
    assert_eq!(x.len(), actual.len());
    for ((&x, &y), &a) in x.iter().zip(y).zip(actual) {
        let (x, y) = (x.into(), y.into());
        if extremes::is_left_to_its_own_test::<T>(name, x, y) {
            continue;
        }
        let seen = (flushed::<T>(x), flushed::<T>(y));
        let fits = is_within(bounds, a, f(x, y)) || is_within(bounds, a, f(seen.0, seen.1));
        assert!(fits, "{name}({x:e}, {y:e}) of {:?}: {:e} instead of {:e}", T::TYPE, a.into(), f(x, y));
    }
}

/// Runs `test` on every device that has the type.
pub(crate) fn each_device_with<T: Precise>(test: impl Fn(&Device, &Queue)) {
    each_device(|device| on::<T>(device, &test));
}

/// Runs like [`each_device_with`], except where the test of this name is known to fail.
pub(crate) fn each_sound_device_with<T: Precise>(name: &str, test: impl Fn(&Device, &Queue)) {
    known_faults::each_device(name, |device| on::<T>(device, &test));
}

fn on<T: Precise>(device: &Device, test: &impl Fn(&Device, &Queue)) {
    if DeviceProfile::of(device).unwrap().require(T::TYPE).is_ok() {
        // One queue for all functions: "exp" must not find the kernel of "exp2".
        test(device, &Queue::on(device).unwrap());
    }
}

/// Returns the largest arguments of exponential functions, and of other functions, for which the type has room.
pub(crate) fn limits<T: Precise>() -> (f64, f64) {
    if T::TYPE == ElementType::F16 { (9.0, 6e4) } else { (80.0, 1e6) }
}
