//! Selection by order: elements of ranks, the first elements of an order, partitions, and calls that are refused.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use crate::both_shapes::each_queue;
use cl_algo::function::RawFunction;
use cl_algo::prelude::*;
use cl_algo::stl::{nth_element, partial_sort, partial_sort_copy, partition3, rotate};
use cl_algo::{Ordered, ScalarKey};
use cl_core::{Error, Queue};
use proptest::prelude::*;
use std::cmp::Ordering;
use std::fmt::Debug;

/// Numbers in an order in which most algorithms have not been tried.
#[derive(Clone, Copy, Debug)]
enum Pattern {
    Random,
    AllEqual,
    FewDistinct,
    Sorted,
    Reversed,
    /// All equal but a few, which a sample does not find.
    Rare,
}

const PATTERNS: [Pattern; 6] = [
    Pattern::Random,
    Pattern::AllEqual,
    Pattern::FewDistinct,
    Pattern::Sorted,
    Pattern::Reversed,
    Pattern::Rare,
];

impl Pattern {
    fn bits(self, len: usize, seed: u64) -> Vec<u64> {
        let noise =
            |i: u64| (i ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).wrapping_mul(i | 1);
        let of = |i: u64| match self {
            Pattern::Random => noise(i),
            Pattern::AllEqual => seed,
            Pattern::FewDistinct => noise(i) % 3,
            Pattern::Sorted => i << 33 | i,
            Pattern::Reversed => (len as u64 - i) << 33 | (len as u64 - i),
            Pattern::Rare => u64::from(i % 9973 == 17) * i,
        };
        (0..len as u64).map(of).collect()
    }
}

/// Checks everything that selects by order from these keys.
fn check<K: ScalarKey + Ordered + PartialEq + Debug>(
    queue: &Queue,
    keys: &[K],
    n: usize,
    order: fn(&K, &K) -> Ordering,
) {
    let same = |a: &K, b: &K| order(a, b) == Ordering::Equal;
    let len = keys.len();
    let mut sorted = keys.to_vec();
    sorted.sort_by(order);
    let x = DeviceVec::from_slice(queue, keys).unwrap();
    let label = format!("{} {len} {n}", std::any::type_name::<K>());
    if n >= len {
        assert!(matches!(x.iter().select_nth(n), Err(Error::OutOfBounds { .. })), "{label}");
        assert!(matches!(x.iter().top_k(n + 1), Err(Error::OutOfBounds { .. })), "{label}");
        return;
    }
    assert!(same(&x.iter().select_nth(n).unwrap(), &sorted[n]), "{label}");

    // At most 300, so that a part of the items is not wanted.
    let k = (n + 1).min(300);
    let mut indices: Vec<u32> = (0..len as u32).collect();
    indices.sort_by(|&a, &b| order(&keys[a as usize], &keys[b as usize]));
    let (least, at) = x.iter().bottom_k(k).unwrap();
    assert_eq!(at.to_vec().unwrap(), indices[..k], "{label}: the smallest");
    assert!(least.to_vec().unwrap().iter().zip(&sorted).all(|(a, b)| same(a, b)), "{label}: the smallest");
    indices.sort_by(|&a, &b| order(&keys[b as usize], &keys[a as usize]).then(a.cmp(&b)));
    let (largest, at) = x.iter().top_k(k).unwrap();
    assert_eq!(at.to_vec().unwrap(), indices[..k], "{label}: the largest");
    let largest = largest.to_vec().unwrap();
    assert!(largest.iter().zip(sorted.iter().rev()).all(|(a, b)| same(a, b)), "{label}: the largest");

    let mut y = DeviceVec::from_slice(queue, keys).unwrap();
    nth_element(&mut y, n).unwrap();
    check_around(y.to_vec().unwrap(), &sorted, n, order, &label);

    let mut y = DeviceVec::from_slice(queue, keys).unwrap();
    partial_sort(&mut y, n + 1).unwrap();
    let y = y.to_vec().unwrap();
    assert!(y[..=n].iter().zip(&sorted).all(|(a, b)| same(a, b)), "{label}: partial_sort");
    let mut rest = y[n..].to_vec();
    rest.sort_by(order);
    assert!(rest.iter().zip(&sorted[n..]).all(|(a, b)| same(a, b)), "{label}: partial_sort, the others");
}

/// Checks what `nth_element` has made of keys.
fn check_around<K: Copy>(
    mut found: Vec<K>,
    sorted: &[K],
    n: usize,
    order: fn(&K, &K) -> Ordering,
    label: &str,
) {
    let pivot = &sorted[n];
    assert_eq!(order(&found[n], pivot), Ordering::Equal, "{label}: nth_element");
    assert!(
        found[..n].iter().all(|key| order(key, pivot) != Ordering::Greater),
        "{label}: before the element"
    );
    assert!(found[n..].iter().all(|key| order(key, pivot) != Ordering::Less), "{label}: behind the element");
    found.sort_by(order);
    let same = |(a, b): (&K, &K)| order(a, b) == Ordering::Equal;
    assert!(found.iter().zip(sorted).all(same), "{label}: nth_element, other elements");
}

/// Equal elements that stay on the first side, come to it or leave it; the longer side is the first one or the second one;
/// and the result is the same each time.
#[test]
fn elements_around_few_values() {
    each_queue(|queue| {
        let len = cl_test::full_or_small(40_013, 9001);
        for distinct in [1, 2, 5, 300, 1 << 30] {
            let keys = Pattern::Random.bits(len, 31).into_iter();
            let keys: Vec<u32> = keys.map(|x| (x >> 9) as u32 % distinct).collect();
            let mut sorted = keys.clone();
            sorted.sort_unstable();
            for n in [0, 1, 8, 1023, 1024, len / 4, len / 2 + 3, len - 9, len - 1] {
                let around = || {
                    let mut x = DeviceVec::from_slice(queue, &keys).unwrap();
                    nth_element(&mut x, n).unwrap();
                    x.to_vec().unwrap()
                };
                let found = around();
                assert_eq!(found, around(), "{distinct} values, element {n}");
                check_around(found, &sorted, n, u32::cmp, &format!("{distinct} values, element {n}"));
            }
        }
    });
}

#[test]
fn lengths_around_every_edge() {
    each_queue(|queue| {
        for len in cl_test::full_or_small(
            vec![0, 1, 2, 3, 257, 2049, 16_384, 16_385, 33_001],
            vec![0, 1, 2, 3, 257, 16_385],
        ) {
            for pattern in PATTERNS {
                let keys: Vec<u32> = pattern.bits(len, 5).into_iter().map(|x| x as u32).collect();
                // All ranks of random numbers, the middle of the others.
                let ranks = [len / 2, 0, len.saturating_sub(1), len];
                let is_random = matches!(pattern, Pattern::Random);
                for n in ranks.into_iter().take(if is_random { 4 } else { 1 }) {
                    check(queue, &keys, n, u32::cmp);
                }
            }
        }
    });
}

/// Returns the index of an item of a sample of 2^`bits` items, as `sample_at` of `kernels/radix_select.cl` does.
fn sample_at(at: u32, bits: u32, len: usize) -> usize {
    let edge = |at: u32| ((len as u64 * u64::from(at)) >> bits) as u32;
    let mut mixed = at.wrapping_mul(0x9e37_79b9).wrapping_add(0x7f4a_7c15);
    mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0x2c1b_3c6d);
    mixed ^= mixed >> 13;
    (edge(at) + ((u64::from(mixed) * u64::from(edge(at + 1) - edge(at))) >> 32) as u32) as usize
}

/// The sample has the least key only, so that the wanted key is not between two of the sample; or the least and the
/// greatest key, so that there is no room for all candidates.
#[test]
fn samples_that_mislead() {
    each_queue(|queue| {
        let len = cl_test::full_or_small(150_001, 60_001);
        for high in [0, u32::MAX] {
            let mut keys: Vec<u32> =
                Pattern::Random.bits(len, 11).into_iter().map(|x| x as u32 % 1_000_000 + 1).collect();
            // For any size of the sample.
            for bits in 11..=14 {
                for at in 0..1 << bits {
                    keys[sample_at(at, bits, len)] = if at % 2 == 0 { 0 } else { high };
                }
            }
            for n in [100, len / 2] {
                check(queue, &keys, n, u32::cmp);
            }
        }
    });
}

/// The last of the wanted keys has few equal ones, whose indices are listed, or more than a list has room for.
#[test]
fn last_keys_that_are_equal() {
    each_queue(|queue| {
        let len = cl_test::full_or_small(300_001, 60_001);
        for distinct in [len / 8, 200, 40] {
            let keys = Pattern::Random.bits(len, 23).into_iter();
            let keys: Vec<u32> = keys.map(|x| (x >> 7) as u32 % distinct as u32 * 3).collect();
            for n in [0, 99, 250] {
                check(queue, &keys, n, u32::cmp);
            }
        }
    });
}

#[test]
fn floats_are_in_the_total_order() {
    each_queue(|queue| {
        for len in [100, 40_009] {
            let mut keys: Vec<f32> =
                Pattern::Random.bits(len, 7).into_iter().map(|x| f32::from_bits(x as u32)).collect();
            keys[..6].copy_from_slice(&[f32::NAN, -f32::NAN, 0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY]);
            for n in [0, len / 3, len - 1] {
                check(queue, &keys, n, f32::total_cmp);
            }
        }
    });
}

#[test]
fn keys_of_every_width() {
    each_queue(|queue| {
        for pattern in [Pattern::Random, Pattern::Rare] {
            let bits = pattern.bits(35_003, 3);
            macro_rules! check_all {
                ($($type:ident)*) => {$({
                    let keys: Vec<$type> = bits.iter().map(|&x| (x >> (x & 3)) as $type).collect();
                    // The first and the last ranks have a bracket with an open end.
                    for rank in [0, 20_000, 35_001, 35_002] {
                        check(queue, &keys, rank, $type::cmp);
                    }
                })*};
            }
            check_all!(i8 i16 u16 i64);
            let keys: Vec<bool> = bits.iter().map(|x| x & 1 == 1).collect();
            check(queue, &keys, 20_000, bool::cmp);
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cl_test::full_or_small(4, 2)))]

    #[test]
    fn any_length_and_rank(
        len in 1_usize..70_000,
        share in 0.0_f64..1.0,
        which in 0_usize..6,
        seed: u64,
    ) {
        each_queue(|queue| {
            let keys: Vec<i32> = PATTERNS[which].bits(len, seed).into_iter().map(|x| x as i32).collect();
            check(queue, &keys, (share * len as f64) as usize, i32::cmp);
        });
    }
}

/// Returns the quantile by its definition.
fn quantile(sorted: &[f32], q: f64) -> f64 {
    let rank = q * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[rank.floor() as usize], sorted[rank.ceil() as usize]);
    f64::from(below) + (f64::from(above) - f64::from(below)) * rank.fract()
}

#[test]
fn quantiles_are_interpolated() {
    each_queue(|queue| {
        let empty = DeviceVec::<f32>::from_slice(queue, &[]).unwrap();
        assert_eq!(empty.iter().median().unwrap(), None);
        let mut keys: Vec<f32> =
            Pattern::Random.bits(36_000, 1).into_iter().map(|x| (x >> 40) as f32 - 8e6).collect();
        let x = DeviceVec::from_slice(queue, &keys).unwrap();
        keys.sort_by(f32::total_cmp);
        assert_eq!(x.iter().median().unwrap(), Some(quantile(&keys, 0.5)));
        assert_eq!(x.iter().quantiles(&[]).unwrap(), Some(Vec::new()));
        // Few of them are selected one after the other, many are taken from sorted elements.
        for count in [2, 11] {
            let wanted: Vec<f64> = (0..count).map(|i| f64::from(i) / f64::from(count - 1)).collect();
            let expected: Vec<f64> = wanted.iter().map(|&q| quantile(&keys, q)).collect();
            assert_eq!(x.iter().quantiles(&wanted).unwrap(), Some(expected));
        }
        let infinite = DeviceVec::from_slice(queue, &[f32::INFINITY; 4]).unwrap();
        assert_eq!(infinite.iter().median().unwrap(), Some(f64::INFINITY));
        let one_sided = DeviceVec::from_slice(queue, &[1.0, f32::NEG_INFINITY]).unwrap();
        assert_eq!(one_sided.iter().median().unwrap(), Some(f64::NEG_INFINITY));
        for wrong in [-0.1, 1.1, f64::NAN] {
            let error = x.iter().quantile(wrong).unwrap_err().to_string();
            assert!(error.contains("quantile") && error.contains("from 0 to 1"), "{error}");
        }
    });
}

#[test]
fn views_expressions_and_tuples() {
    each_queue(|queue| {
        let mut x = DeviceVec::from_slice(queue, &[9_i32, 4, 7, 1, 8, 3]).unwrap();
        assert_eq!((0 - &x).select_nth(0).unwrap(), -9);
        assert_eq!(iota(5_u64, 40_000).on(queue).select_nth(39_999).unwrap(), 40_004);
        let ((values, at), order) =
            x.iter().enumerate().map(|(i, x)| (x, i)).bottom_k_by_key(2, |(x, _)| (x - 6) * (x - 6)).unwrap();
        assert_eq!(values.to_vec().unwrap(), [7, 4]);
        assert_eq!(at.to_vec().unwrap(), [2, 1]);
        assert_eq!(order.to_vec().unwrap(), [2, 1]);
        // Backwards 3, 8, 1, 7, 4: 4 comes to the middle.
        nth_element(x.slice_mut(1..).rev(), 2).unwrap();
        let found = x.to_vec().unwrap();
        assert_eq!((found[0], found[3]), (9, 4));
        assert_eq!(found[1..3].iter().sum::<i32>(), 7 + 8);
        assert_eq!(found[4..].iter().sum::<i32>(), 1 + 3);
        x.assign(DeviceVec::from_slice(queue, &[9, 7, 8, 4, 1, 3]).unwrap()).unwrap();
        partial_sort(x.view_mut().step_by(2), 2).unwrap();
        assert_eq!(x.to_vec().unwrap(), [1, 7, 8, 4, 9, 3]);
        let mut smallest = DeviceVec::filled(queue, 0_i32, 3).unwrap();
        partial_sort_copy(&x, mapped(smallest.view_mut().rev(), |x: Val<i32>| 10 * x)).unwrap();
        assert_eq!(smallest.to_vec().unwrap(), [40, 30, 10]);
        assert_eq!(x.iter().top_k(0).unwrap().0.len(), 0);
        assert!(partial_sort(&mut x, 7).unwrap_err().to_string().contains("partial_sort"));
        assert!(nth_element(&mut x, 6).unwrap_err().to_string().contains("nth_element"));
    });
}

#[test]
fn pivots_on_the_host_and_on_the_device() {
    each_queue(|queue| {
        let keys: Vec<u32> = (0..5003_u32).map(|i| i.wrapping_mul(2_654_435_761) >> 29).collect();
        let x = DeviceVec::from_slice(queue, &keys).unwrap();
        let mut out = DeviceVec::filled(queue, 0_u32, keys.len()).unwrap();
        let middle = x.iter().select_nth_on_device(2500).unwrap();
        let pivot = middle.get().unwrap();
        let mut expected = keys.clone();
        expected.sort_by_key(|key| key.cmp(&pivot));
        let (less, not_greater) = partition3(&x, &middle, out.view_mut().rev()).unwrap();
        let (less, not_greater) = (less.get().unwrap() as usize, not_greater.get().unwrap() as usize);
        assert_eq!(less, keys.iter().filter(|&&key| key < pivot).count());
        assert_eq!(not_greater, keys.iter().filter(|&&key| key <= pivot).count());
        let mut found = out.to_vec().unwrap();
        found.reverse();
        assert_eq!(found, expected);
        partition3(&x, pivot, &mut out).unwrap();
        assert_eq!(out.to_vec().unwrap(), expected);
        let error = partition3(&x, &x, &mut out).unwrap_err().to_string();
        assert!(error.contains("pivot"), "{error}");
    });
}

/// Checks that no element is read outside of the vector if the last kernel computes other keys than the first one, so that it
/// finds none of the wanted ones: the indices are what was in scratch memory.
#[test]
fn keys_that_differ_from_kernel_to_kernel_are_not_trusted() {
    let text = "return get_num_groups(0) > 1 ? 0xffffffff : x;";
    // SAFETY: it reads no memory.
    let fickle = unsafe { RawFunction::<fn(u32) -> u32>::new("fickle", ["x"], text) }.unwrap();
    each_queue(|queue| {
        let x = DeviceVec::from_fn(queue, 16_000, |i| i as u32).unwrap();
        // Scratch memory of the size of five indices holds indices that are too large.
        let mut far = [(); 4].map(|()| DeviceVec::filled(queue, 20_000_u32, 5).unwrap());
        let [a, b, c, d] = &mut far;
        rotate((a, b, c, d), 2).unwrap();
        let (_, at) = fickle.call((&x,)).bottom_k(5).unwrap();
        match at.to_vec() {
            Ok(at) => assert!(at.iter().all(|&at| at < 16_000), "{at:?}"),
            Err(error) => assert!(matches!(error, Error::IndexOutOfRange { .. }), "{error}"),
        }
    });
}
