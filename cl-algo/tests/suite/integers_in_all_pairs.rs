//! All pairs of small integers, and casts at the edges, in packs and item by item.
#![allow(clippy::unwrap_used, clippy::cast_lossless)] // helpers of tests may stop at the first surprise

use cl_algo::prelude::*;
use cl_algo::{Castable, Rounding};
use cl_test::{each_device, known_faults};
use std::fmt::Debug;

/// Asserts that two functions of pairs agree: on the device in packs, and item by item for gathered operands, which are
/// not computed in packs.
fn agrees<T: Element + PartialEq + Debug, R: Element + PartialEq + Debug>(
    queue: &Queue,
    what: &str,
    [a, b]: [&[T]; 2],
    lazy: impl for<'a> Fn(Expr<'a, T>, Expr<'a, T>) -> Expr<'a, R>,
    host: impl Fn(T, T) -> R,
) {
    let (x, y) = (DeviceVec::from_slice(queue, a).unwrap(), DeviceVec::from_slice(queue, b).unwrap());
    let own = DeviceVec::from_fn(queue, a.len(), |i| i as u32).unwrap();
    let packs = lazy(x.iter(), y.iter()).collect().unwrap().to_vec().unwrap();
    let items = lazy(x.iter().gather(&own), y.iter().gather(&own)).collect().unwrap().to_vec().unwrap();
    for i in 0..a.len() {
        let expected = host(a[i], b[i]);
        assert_eq!(packs[i], expected, "{what} of {:?} and {:?} in packs", a[i], b[i]);
        assert_eq!(items[i], expected, "{what} of {:?} and {:?} alone", a[i], b[i]);
    }
}

macro_rules! all_pairs {
    ($($name:ident $type:ident $values:expr;)*) => {$(
        #[test]
        fn $name() {
            known_faults::each_device(concat!("integers_in_all_pairs::", stringify!($name)), |device| {
                let queue = Queue::on(device).unwrap();
                let values: Vec<$type> = $values;
                let a: Vec<$type> = values.iter().flat_map(|&a| vec![a; values.len()]).collect();
                let b: Vec<$type> = (0..values.len()).flat_map(|_| values.clone()).collect();
                let both = [&a[..], &b[..]];
                // Four operators in each kernel; the position shows which of them differs.
                agrees(&queue, "sums and products", both,
                    |x, y| ((&x + &y) ^ (&x * &y)) - (&y & !x | y),
                    |x, y| (x.wrapping_add(y) ^ x.wrapping_mul(y)).wrapping_sub(y & !x | y));
                agrees(&queue, "quotient", both, |x, y| x / y,
                    |x, y| if y == 0 { 0 } else { x.wrapping_div(y) });
                agrees(&queue, "remainder", both, |x, y| x % y,
                    |x, y| if y == 0 { x } else { x.wrapping_rem(y) });
                agrees(&queue, "left shift", both, |x, y| x << y, |x, y| x.wrapping_shl(y as u32));
                agrees(&queue, "right shift", both, |x, y| x >> y, |x, y| x.wrapping_shr(y as u32));
                agrees(&queue, "order", both,
                    |x, y| x.clone().lt(&y).select(1_u8, 0) + x.clone().le(&y).select(2_u8, 0)
                        + x.clone().eq(&y).select(4_u8, 0) + x.clone().gt(&y).select(8_u8, 0)
                        + x.clone().ge(&y).select(16_u8, 0) + x.ne(y).select(32_u8, 0),
                    |x, y| (x < y) as u8 + 2 * (x <= y) as u8 + 4 * (x == y) as u8 + 8 * (x > y) as u8
                        + 16 * (x >= y) as u8 + 32 * (x != y) as u8);
            });
        }
    )*};
}

all_pairs! {
    pairs_of_i8 i8 (i8::MIN..=i8::MAX).collect();
    pairs_of_u8 u8 (u8::MIN..=u8::MAX).collect();
    pairs_of_i16 i16 vec![0, 1, -1, 2, 15, 16, 17, -16, i16::MIN, i16::MIN + 1, i16::MAX, 181, -182, 256];
    pairs_of_u16 u16 vec![0, 1, 2, 15, 16, 17, 255, 256, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff, 46341];
    pairs_of_i64 i64 vec![0, 1, -1, 2, 63, 64, 65, -64, i64::MIN, i64::MIN + 1, i64::MAX, 1 << 32, -1 << 31];
    pairs_of_u64 u64 vec![0, 1, 2, 63, 64, 65, u64::MAX, u64::MAX - 1, 1 << 63, 1 << 32, (1 << 32) - 1, 7, 3];
}

/// Asserts that casts equal Rust's `as`.
fn casts<T: Castable + PartialEq + Debug, R: Castable + Number + PartialEq + Debug>(
    queue: &Queue,
    values: &[T],
    host: impl Fn(T) -> R,
) {
    let (from, to) = (std::any::type_name::<T>(), std::any::type_name::<R>());
    // Enough for packs, and a tail.
    let all: Vec<T> = values.iter().copied().cycle().take(values.len() * 300 + 1).collect();
    agrees(queue, &format!("cast from {from} to {to}"), [&all, &all], |x, _| x.cast::<R>(), |x, _| host(x));
}

macro_rules! casts {
    ($queue:ident $from:ident $values:expr; $($to:ident)*) => {
        let values: Vec<$from> = $values;
        $(casts(&$queue, &values, |x: $from| x as $to);)*
    };
}

/// Returns integers around those half-way between two floats, and at the edges of their range.
fn integers_between_floats() -> Vec<u64> {
    let half_way = |at: u32| {
        [(1_u64 << at) + (1 << (at - 24)), (1 << at) + 3 * (1 << (at - 24)), (1 << at) + (1 << (at - 24)) + 1]
    };
    let mut integers: Vec<u64> = [24, 25, 31, 32, 53, 54, 62, 63].into_iter().flat_map(half_way).collect();
    integers.extend([
        0,
        1,
        u64::MAX,
        u64::MAX - 1,
        u64::MAX - 1024,
        i64::MAX as u64,
        1 << 63,
        (1 << 63) + 1,
        (1 << 53) + 1,
    ]);
    integers.extend([
        0xffff_ff7f_ffff_ffff,
        0xffff_ff80_0000_0000,
        0x8000_0080_0000_0000,
        0x8000_0080_0000_0001,
    ]);
    integers
}

#[test]
fn casts_at_the_edges() {
    each_device(|device| {
        if !cl_test::offers(device, "double precision", device.has_fp64()) {
            return;
        }
        let queue = Queue::on(device).unwrap();
        let floats = |bits: i32| {
            let edge = 2.0_f64.powi(bits);
            [
                edge,
                -edge,
                edge - 0.5,
                -edge - 0.5,
                edge * (1.0 + 1e-7),
                edge * (1.0 - 1e-7),
                edge + 0.5,
                -edge - 1.0,
            ]
        };
        let mut wide: Vec<f64> =
            [7, 8, 15, 16, 31, 32, 52, 63, 64, 70, 127, 128].into_iter().flat_map(floats).collect();
        wide.extend([
            0.0,
            -0.0,
            0.5,
            -0.5,
            1.5,
            2.5,
            -2.5,
            0.999_999,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ]);
        let narrow: Vec<f32> = wide.iter().map(|&x| x as f32).collect();
        casts!(queue f64 wide.clone(); i8 u16 i32 i64 u64);
        casts!(queue f32 narrow; u8 i16 u32 i64 u64);
        let finite: Vec<f64> = wide.into_iter().filter(|x| !x.is_nan()).collect();
        casts!(queue f64 finite; f32);
        let integers = integers_between_floats();
        casts!(queue u64 integers.clone(); f32 f64 i8);
        casts!(queue i64 integers.iter().map(|&x| x as i64).collect(); f64 i32);
        casts!(queue u32 integers.iter().map(|&x| x as u32).collect(); f32 i16);
        casts!(queue i8 (i8::MIN..=i8::MAX).collect(); u16 f32);
        casts!(queue bool vec![true, false, false, true, true]; u8 i64);
    });
}

#[test]
fn casts_of_i64_to_f32() {
    known_faults::each_device("integers_in_all_pairs::casts_of_i64_to_f32", |device| {
        let queue = Queue::on(device).unwrap();
        casts!(queue i64 integers_between_floats().into_iter().map(|x| x as i64).collect(); f32);
    });
}

fn two_in_one<T: Castable + Number, R: Castable + Number>(
    x: &DeviceVec<T>,
    ways: [(Rounding, bool); 2],
) -> [Vec<R>; 2] {
    let [a, b] = ways.map(|(rounding, saturated)| x.iter().convert::<R>(rounding, saturated));
    let (a, b) = zip((a, b)).collect().unwrap();
    [a.to_vec().unwrap(), b.to_vec().unwrap()]
}

/// Returns quarters on both sides of zero.
fn quarters() -> Vec<f32> {
    (0..5003).map(|i| (i as f32 - 2500.0) / 4.0).collect()
}

/// Returns the results of a function as integers.
fn rounded(values: &[f32], f: fn(f32) -> f32) -> Vec<i32> {
    values.iter().map(|&v| f(v) as i32).collect()
}

#[test]
fn conversions_up_and_down_are_not_one() {
    known_faults::each_device("integers_in_all_pairs::conversions_up_and_down_are_not_one", |device| {
        let host = quarters();
        let x = DeviceVec::from_slice(&Queue::on(device).unwrap(), &host).unwrap();
        let [up, down] = two_in_one::<_, i32>(&x, [(Rounding::Up, false), (Rounding::Down, false)]);
        assert_eq!((up, down), (rounded(&host, f32::ceil), rounded(&host, f32::floor)));
    });
}

#[test]
fn saturated_conversions_of_nan_are_zero() {
    fn check<T: Castable + Number + PartialEq + Debug>(
        queue: &Queue,
        [nan, large]: [T; 2],
        kinds: [Rounding; 3],
    ) {
        let x = DeviceVec::from_slice(queue, &[nan, large].repeat(300)).unwrap();
        for rounding in kinds {
            let x = x.iter();
            let bytes = x.clone().convert::<u8>(rounding, true).collect().unwrap().to_vec().unwrap();
            let longs = x.convert::<i64>(rounding, true).collect().unwrap().to_vec().unwrap();
            assert_eq!((bytes, longs), ([0, 255].repeat(300), [0, i64::MAX].repeat(300)), "{rounding:?}");
        }
    }
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let kinds = [Rounding::Default, Rounding::NearestEven, Rounding::Up];
        check(&queue, [f32::NAN, 1e30], kinds);
        if cl_test::offers(device, "double precision", device.has_fp64()) {
            check(&queue, [f64::NAN, 1e300], kinds);
        }
    });
}

#[test]
fn conversions_of_one_value_in_different_ways_are_not_one() {
    use Rounding::{NearestEven, TowardsZero};
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let host = quarters();
        let x = DeviceVec::from_slice(&queue, &host).unwrap();
        let [even, zero] = two_in_one::<_, i32>(&x, [(NearestEven, true), (TowardsZero, true)]);
        assert_eq!((even, zero), (rounded(&host, f32::round_ties_even), rounded(&host, f32::trunc)));
        let i = DeviceVec::from_fn(&queue, 5003, |i| i as i32 - 2500).unwrap();
        let [saturated, wrapped] =
            two_in_one::<_, i8>(&i, [(Rounding::Default, true), (Rounding::Default, false)]);
        assert_eq!(saturated, (-2500..2503).map(|v: i32| v.clamp(-128, 127) as i8).collect::<Vec<_>>());
        assert_eq!(wrapped, (-2500..2503).map(|v: i32| v as i8).collect::<Vec<_>>());
        // OpenCL has no saturation for floats, so it is ignored.
        let [exact, same] = two_in_one::<_, f32>(&i, [(NearestEven, true), (NearestEven, false)]);
        assert_eq!(exact, same);
        // Equal scalars, and constants of other types with the same bits.
        let sum = (constant(1_i32).cast::<i64>() + constant(1_i64) * constant(-1_i8).cast::<i64>()).take(3);
        assert_eq!(sum.collect_on(&queue).unwrap().to_vec().unwrap(), [0; 3]);
        let zeros = (1.0 / constant(0.0_f32)).eq(1.0 / constant(-0.0_f32)).take(1);
        assert_eq!(zeros.collect_on(&queue).unwrap().to_vec().unwrap(), [false]);
    });
}

#[test]
fn remainders_of_floats_are_those_of_the_host() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let values =
            [1.0_f32, -1.0, 0.3, -0.3, 5.5, -5.5, 1e10, -1e10, f32::INFINITY, 0.0, -0.0, 7.0, 1e-20, 3.5];
        let a: Vec<f32> = values.iter().flat_map(|&a| [a; 14]).collect();
        let b: Vec<f32> = (0..14).flat_map(|_| values).collect();
        agrees(
            &queue,
            "remainder",
            [&a, &b],
            |x, y| {
                let rest = x % y;
                rest.clone().eq(&rest).select(rest.bitcast::<u32>(), 0)
            },
            |x, y| {
                let rest = x % y;
                // Any NaN is accepted.
                if rest.is_nan() { 0 } else { rest.to_bits() }
            },
        );
    });
}

/// Checks that the smallest integer is never divided by -1, neither in packs nor alone, because that traps on some
/// devices.
#[test]
fn the_smallest_integer_is_never_divided_by_minus_one() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let x = DeviceVec::from_slice(&queue, &[i32::MIN, 1]).unwrap();
        for expr in [&x / &x, &x % &x] {
            let source = expr.kernel_source(device).unwrap();
            let alone = source.matches("== -1 ?").count();
            let packs = source.matches("(-1)").count();
            assert!(alone == 1 && (packs > 0 || source.contains("#define PACK 1\n")), "{source}");
        }
    });
}
