//! Integer functions: equal to the host's, for all types.

use crate::math::values;
use cl_algo::math::{
    abs, abs_diff, add_sat, bitselect, clamp, clz, ctz, hadd, mad_hi, mad_sat, mad24, max, min, mul_hi,
    mul24, popcount, rhadd, rotate, sub_sat, upsample,
};
use cl_algo::prelude::*;
use cl_test::{each_device, known_faults};

/// Edges of the range, small numbers, and a thorough mix: pairs of all with all.
macro_rules! numbers {
    ($type:ty) => {{
        let edges = [0, 1, 2, 3, 5, 100, <$type>::MAX, <$type>::MIN, <$type>::MAX - 1, <$type>::MAX / 2];
        let mixed = (1..20_u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23) as $type);
        let all: Vec<$type> =
            edges.into_iter().chain(edges.map(|x| (0 as $type).wrapping_sub(x))).chain(mixed).collect();
        let pairs = all.iter().flat_map(|&x| all.iter().map(move |&y| (x, y)));
        let (a, b): (Vec<$type>, Vec<$type>) = pairs.unzip();
        let c: Vec<$type> = b.iter().rev().map(|&b| b.rotate_left(3) ^ 0x55).collect();
        (a, b, c)
    }};
}

macro_rules! integers {
    ($($test:ident: $type:ty, $unsigned:ty, $wide:ty;)*) => {$(
        #[test]
        fn $test() {
            const BITS: u32 = <$type>::BITS;
            let wide = |x: $type| x as $wide;
            let (a, b, c) = numbers!($type);
            known_faults::each_device(concat!("math::integers::", stringify!($test)), |device| {
                let queue = Queue::on(device).unwrap();
                let [x, y, z] = [&a, &b, &c].map(|values| DeviceVec::from_slice(&queue, values).unwrap());
                type Reference<'r> = Box<dyn Fn($type, $type, $type) -> $type + 'r>;
                let cases: Vec<(&str, Expr<'_, $type>, Reference<'_>)> = vec![
                    ("add_sat", add_sat(&x, &y), Box::new(|x, y, _| x.saturating_add(y))),
                    ("sub_sat", sub_sat(&x, &y), Box::new(|x, y, _| x.saturating_sub(y))),
                    ("hadd", hadd(&x, &y), Box::new(|x, y, _| ((wide(x) + wide(y)) >> 1) as $type)),
                    ("rhadd", rhadd(&x, &y), Box::new(|x, y, _| ((wide(x) + wide(y) + 1) >> 1) as $type)),
                    ("mul_hi", mul_hi(&x, &y), Box::new(|x, y, _| ((wide(x) * wide(y)) >> BITS) as $type)),
                    ("rotate", rotate(&x, &y), Box::new(|x, y, _| x.rotate_left((y as u64 % u64::from(BITS)) as u32))),
                    ("min", min(&x, &y), Box::new(|x, y, _| x.min(y))),
                    ("max", max(&x, &y), Box::new(|x, y, _| x.max(y))),
                    ("clz", clz(&x), Box::new(|x, _, _| x.leading_zeros() as $type)),
                    ("ctz", ctz(&x), Box::new(|x, _, _| x.trailing_zeros() as $type)),
                    ("popcount", popcount(&x), Box::new(|x, _, _| x.count_ones() as $type)),
                    ("bitselect", bitselect(&x, &y, &z), Box::new(|x, y, z| x & !z | y & z)),
                    ("mad_hi", mad_hi(&x, &y, &z), Box::new(|x, y, z| {
                        (((wide(x) * wide(y)) >> BITS) as $type).wrapping_add(z)
                    })),
                    ("clamp", clamp(&x, min(&y, &z), max(&y, &z)), Box::new(|x, y, z| x.clamp(y.min(z), y.max(z)))),
                    // The methods are the functions, in closures as well.
                    ("recorded", zip((&x, &y, &z)).map(|(x, y, z)| x.mad_hi(y, z).ctz().max(3).rotate(y)),
                        Box::new(|x, y, z| {
                            let sum = (((wide(x) * wide(y)) >> BITS) as $type).wrapping_add(z);
                            let zeros = (sum.trailing_zeros() as $type).max(3);
                            zeros.rotate_left((y as u64 % u64::from(BITS)) as u32)
                        })),
                    ("methods", x.iter().mad_hi(&y, &z).ctz().add_sat(&z),
                        Box::new(|x, y, z| {
                            let sum = (((wide(x) * wide(y)) >> BITS) as $type).wrapping_add(z);
                            (sum.trailing_zeros() as $type).saturating_add(z)
                        })),
                ];
                let exprs: Vec<_> = cases.iter().map(|case| case.1.clone()).collect();
                for ((name, _, reference), actual) in cases.iter().zip(values(&exprs)) {
                    for i in 0..a.len() {
                        let expected = reference(a[i], b[i], c[i]);
                        assert_eq!(actual[i], expected, "{name}({}, {}, {})", a[i], b[i], c[i]);
                    }
                }
                let magnitudes = values(&[abs(&x), abs_diff(&x, &y), x.iter().map(|x| x.abs())]);
                for i in 0..a.len() {
                    let magnitude = if wide(a[i]) < 0 as $wide { wide(0).wrapping_sub(wide(a[i])) } else { wide(a[i]) };
                    assert_eq!(magnitudes[0][i], magnitude as $unsigned, "abs({})", a[i]);
                    assert_eq!(magnitudes[1][i], a[i].abs_diff(b[i]), "abs_diff({}, {})", a[i], b[i]);
                    assert_eq!(magnitudes[2][i], magnitudes[0][i]);
                }
            });
        }
    )*};
}

integers! {
    functions_of_i8: i8, u8, i128;
    functions_of_u8: u8, u8, i128;
    functions_of_i16: i16, u16, i128;
    functions_of_u16: u16, u16, i128;
    functions_of_i32: i32, u32, i128;
    functions_of_u32: u32, u32, i128;
    functions_of_i64: i64, u64, i128;
    functions_of_u64: u64, u64, u128;
}

macro_rules! saturated {
    ($queue:ident: $($type:ty, $wide:ty;)*) => {$(
        let (a, b, c) = numbers!($type);
        let [x, y, z] = [&a, &b, &c].map(|values| DeviceVec::from_slice($queue, values).unwrap());
        let actual = mad_sat(&x, &y, &z).collect().unwrap().to_vec().unwrap();
        for i in 0..a.len() {
            let [x, y, z] = [a[i], b[i], c[i]].map(|x| x as $wide);
            let limits = (<$type>::MIN as $wide, <$type>::MAX as $wide);
            let expected = (x * y).saturating_add(z).clamp(limits.0, limits.1);
            assert_eq!(actual[i] as $wide, expected, "mad_sat({x}, {y}, {z})");
        }
    )*};
}

#[test]
fn products_saturate() {
    known_faults::each_device("math::integers::products_saturate", |device| {
        let queue = &Queue::on(device).unwrap();
        saturated! { queue:
            i8, i128;
            u8, i128;
            i16, i128;
            u16, i128;
            i32, i128;
            u32, i128;
            i64, i128;
            u64, u128;
        }
    });
}

macro_rules! upsampled {
    ($queue:ident: $($type:ty, $low:ty, $wide:ty;)*) => {$(
        let (a, b, _) = numbers!($type);
        let b: Vec<$low> = b.into_iter().map(|b| b as $low).collect();
        let high = DeviceVec::from_slice(&$queue, &a).unwrap();
        let low = DeviceVec::from_slice(&$queue, &b).unwrap();
        let expected: Vec<$wide> =
            a.iter().zip(&b).map(|(&a, &b)| (a as $wide) << <$type>::BITS | b as $wide).collect();
        let results = values(&[upsample(&high, &low), zip((&high, &low)).map(|(high, low)| high.upsample(low))]);
        assert_eq!(results, [expected.clone(), expected]);
    )*};
}

#[test]
fn upsample_doubles_the_size() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        upsampled! { queue:
            i8, u8, i16;
            u8, u8, u16;
            i16, u16, i32;
            u16, u16, u32;
            i32, u32, i64;
            u32, u32, u64;
        }
    });
}

#[test]
fn products_of_24_bits() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let a: Vec<i32> =
            (0..999).map(|i| (i * 7919) % 8_388_608 * if i % 3 == 0 { -1 } else { 1 }).collect();
        let b: Vec<i32> = a.iter().rev().map(|&a| a ^ 0x2a).collect();
        let [x, y] = [&a, &b].map(|values| DeviceVec::from_slice(&queue, values).unwrap());
        let results = values(&[mul24(&x, &y), mad24(&x, &y, &x), x.iter().mad24(&y, -5)]);
        for i in 0..a.len() {
            let product = a[i].wrapping_mul(b[i]);
            let expected = [product, product.wrapping_add(a[i]), product.wrapping_add(-5)];
            assert_eq!([results[0][i], results[1][i], results[2][i]], expected, "{} {}", a[i], b[i]);
        }

        let a: Vec<u32> = (0..999).map(|i| (i * 104_729) % (1 << 24)).collect();
        let b: Vec<u32> = a.iter().rev().copied().collect();
        let [x, y] = [&a, &b].map(|values| DeviceVec::from_slice(&queue, values).unwrap());
        let results = values(&[mul24(&x, &y), mad24(&x, &y, 9)]);
        for i in 0..a.len() {
            let product = a[i].wrapping_mul(b[i]);
            assert_eq!([results[0][i], results[1][i]], [product, product.wrapping_add(9)]);
        }
    });
}
