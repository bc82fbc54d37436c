//! Set operations compared with the host, in both shapes.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::both_shapes::each_queue;
use cl_algo::prelude::*;
use cl_algo::stl::{
    includes, includes_by, set_difference, set_difference_by, set_difference_by_key, set_intersection,
    set_intersection_by, set_intersection_by_key, set_symmetric_difference, set_symmetric_difference_by,
    set_symmetric_difference_by_key, set_union, set_union_by, set_union_by_key,
};
use cl_algo::{F32x4, Ordered, ViewMut};
use cl_core::{Error, Result};
use proptest::collection::vec;
use proptest::prelude::*;
use std::cmp::Ordering;

/// An item of two equal sequences with the place that it came from, or an item of one of them.
enum Found<T> {
    First(T),
    Second(T),
    Both(T),
}

/// Goes through both sequences as the STL's set operations do, and returns what they meet.
fn walk<T: Copy>(a: &[T], b: &[T], order: impl Fn(&T, &T) -> Ordering) -> Vec<Found<T>> {
    let (mut i, mut j, mut all) = (0, 0, Vec::new());
    while i < a.len() || j < b.len() {
        let ordering = match (a.get(i), b.get(j)) {
            (Some(a), Some(b)) => order(a, b),
            (Some(_), None) => Ordering::Less,
            _ => Ordering::Greater,
        };
        all.push(match ordering {
            Ordering::Less => Found::First(a[i]),
            Ordering::Greater => Found::Second(b[j]),
            Ordering::Equal => Found::Both(a[i]),
        });
        i += usize::from(ordering != Ordering::Greater);
        j += usize::from(ordering != Ordering::Less);
    }
    all
}

/// The operations, in the order of [`expected`].
const NAMES: [&str; 4] = ["union", "intersection", "difference", "symmetric difference"];

/// Returns the results of all operations.
fn expected<T: Copy>(a: &[T], b: &[T], order: impl Fn(&T, &T) -> Ordering) -> [Vec<T>; 4] {
    let all = walk(a, b, order);
    let of = |keep: fn(&Found<T>) -> Option<T>| all.iter().filter_map(keep).collect();
    [
        of(|found| match *found {
            Found::First(x) | Found::Second(x) | Found::Both(x) => Some(x),
        }),
        of(|found| if let Found::Both(x) = *found { Some(x) } else { None }),
        of(|found| if let Found::First(x) = *found { Some(x) } else { None }),
        of(|found| match *found {
            Found::First(x) | Found::Second(x) => Some(x),
            Found::Both(_) => None,
        }),
    ]
}

fn sorted<T: Copy>(mut values: Vec<T>, order: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    values.sort_by(order);
    values
}

fn vector<T: Element>(queue: &Queue, values: &[T]) -> DeviceVec<T> {
    DeviceVec::from_slice(queue, values).unwrap()
}

/// Compares each operation, on vectors of `T` in its own order, with the host's. `bits` makes the results comparable.
fn check<T: Ordered + PartialEq, B: PartialEq + std::fmt::Debug>(
    queue: &Queue,
    (a, b): (Vec<T>, Vec<T>),
    order: impl Fn(&T, &T) -> Ordering + Copy,
    bits: impl Fn(&T) -> B,
) {
    let (a, b) = (sorted(a, order), sorted(b, order));
    let (x, y) = (vector(queue, &a), vector(queue, &b));
    type Operation<T> = fn(&DeviceVec<T>, &DeviceVec<T>, ViewMut<'_, T>) -> Result<DeviceScalar<u64>>;
    let operations: [Operation<T>; 4] = [
        |a, b, out| set_union(a, b, out),
        |a, b, out| set_intersection(a, b, out),
        |a, b, out| set_difference(a, b, out),
        |a, b, out| set_symmetric_difference(a, b, out),
    ];
    for ((operation, name), expected) in operations.iter().zip(NAMES).zip(expected(&a, &b, order)) {
        let before = vec![T::zeroed(); a.len() + b.len() + 3];
        let mut out = vector(queue, &before);
        let count = operation(&x, &y, out.slice_mut(2..)).unwrap().get().unwrap() as usize;
        let out = out.to_vec().unwrap();
        let case = format!("{name} of {} and {}", a.len(), b.len());
        assert_eq!(count, expected.len(), "{case}");
        let bits = |items: &[T]| items.iter().map(&bits).collect::<Vec<_>>();
        assert!(bits(&out[2..2 + count]) == bits(&expected), "{case}");
        assert!(bits(&out[..2]) == bits(&before[..2]), "{case}: in front of the output");
        assert!(bits(&out[2 + count..]) == bits(&before[2 + count..]), "{case}: behind the result");
    }
    let [_, _, missing, _] = expected(&b, &a, order);
    assert_eq!(includes(&x, &y).unwrap(), missing.is_empty(), "{} in {}", b.len(), a.len());
}

/// Returns runs of equal keys: the lengths of neighbouring runs may differ by orders of magnitude.
fn runs() -> impl Strategy<Value = Vec<u32>> {
    let length = prop_oneof![4 => 0..3_usize, 2 => 0..40_usize, 1 => 0..5000_usize];
    vec(length, 0..12).prop_map(|lengths| {
        lengths.into_iter().enumerate().flat_map(|(key, len)| vec![key as u32 / 2 * 2 % 23; len]).collect()
    })
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: cl_test::full_or_small(12, 4), failure_persistence: None, ..Default::default() }
}

#[test]
fn operations_on_runs() {
    each_queue(|queue| {
        proptest!(config(), |(a in runs(), b in runs())| check(queue, (a, b), u32::cmp, |&x| x));
    });
}

#[test]
fn operations_on_all_types() {
    each_queue(|queue| {
        let len = cl_test::full_or_small(9000, 4200);
        let noise = |i: usize, seed: u64| (i as u64 + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        for (a_len, b_len) in [(len, len - 3), (0, 3), (3, 0), (0, 0), (1, 2)] {
            let of = |seed, len| (0..len).map(move |i| noise(i, seed));
            let bytes = |seed, len| of(seed, len).map(|x| x as i8).collect::<Vec<_>>();
            check(queue, (bytes(1, a_len), bytes(99, b_len)), i8::cmp, |&x| x);
            let half: Vec<f32> = of(4, a_len).map(|x| f32::from_bits((x >> 8) as u32)).collect();
            let other: Vec<f32> =
                of(5, b_len).map(|x| (x % 11) as f32).chain(half.iter().copied()).take(b_len).collect();
            check(queue, (half, other), f32::total_cmp, |x: &f32| x.to_bits());
            if !cl_test::offers(queue.device(), "f64", queue.device().has_fp64()) {
                continue;
            }
            // NaNs of both signs, infinities and zeros of both signs.
            let special = [f64::NAN, -f64::NAN, 0.0, -0.0, f64::INFINITY, -f64::INFINITY, 1.5];
            let floats = |seed, len| {
                of(seed, len).map(|x| *special.get(x as usize % 9).unwrap_or(&(x as f64 / 3.0))).collect()
            };
            check(queue, (floats(2, a_len), floats(7, b_len)), f64::total_cmp, |x: &f64| x.to_bits());
        }
    });
}

#[test]
fn comparators_and_items_of_16_bytes() {
    each_queue(|queue| {
        // Descending by the first component; the second one tells where an item came from.
        let order = |a: &F32x4, b: &F32x4| b[0].total_cmp(&a[0]);
        let of = |len: usize, from: f32, different: usize| -> Vec<F32x4> {
            let items =
                (0..len).map(|i| F32x4::from([(i * 7919 % different) as f32, from + i as f32, 0.5, -1.0]));
            sorted(items.collect(), order)
        };
        let (a, b) = (of(3000, 0.0, 700), of(2500, 1e6, 1100));
        let (x, y) = (vector(queue, &a), vector(queue, &b));
        let less = |a: Val<F32x4>, b: Val<F32x4>| a.x().gt(b.x());
        let mut out = DeviceVec::filled(queue, F32x4::splat(0.0), a.len() + b.len()).unwrap();
        for (at, expected) in expected(&a, &b, order).into_iter().enumerate() {
            let count = match at {
                0 => set_union_by(&x, &y, less, &mut out),
                1 => set_intersection_by(&x, &y, less, &mut out),
                2 => set_difference_by(&x, &y, less, &mut out),
                _ => set_symmetric_difference_by(&x, &y, less, &mut out),
            };
            assert_eq!(count.unwrap().get().unwrap() as usize, expected.len(), "{}", NAMES[at]);
            assert!(out.to_vec().unwrap()[..expected.len()] == expected, "{}", NAMES[at]);
        }
        assert!(!includes_by(&x, &y, less).unwrap());
        assert!(includes_by(&x, x.iter().step_by(3), less).unwrap());
    });
}

#[test]
fn keys_bring_their_values() {
    each_queue(|queue| {
        let keys = |len: usize, different: usize| -> Vec<(u32, u64)> {
            let pairs = (0..len).map(|i| ((i * 7919 % different) as u32, 0));
            let pairs = sorted(pairs.collect(), |a: &(u32, u64), b| a.0.cmp(&b.0));
            pairs.into_iter().enumerate().map(|(i, (key, _))| (key, i as u64)).collect()
        };
        let (a, mut b) = (keys(5000, 900), keys(4100, 300));
        b.iter_mut().for_each(|(_, value)| *value += 1_000_000);
        let only_keys = |pairs: &[(u32, u64)]| pairs.iter().map(|pair| pair.0).collect::<Vec<_>>();
        let (x, y) = (vector(queue, &only_keys(&a)), vector(queue, &only_keys(&b)));
        let values = || iota(1_000_000_u64, b.len());
        let mut out = (vector(queue, &vec![0_u32; 9100]), vector(queue, &vec![0_u64; 9100]));
        for (at, expected) in expected(&a, &b, |a, b| a.0.cmp(&b.0)).into_iter().enumerate() {
            let sinks = (&mut out.0, &mut out.1);
            let first = (&x, index::<u64>());
            let count = match at {
                0 => set_union_by_key(first, (&y, values()), sinks),
                1 => set_intersection_by_key(first, &y, sinks),
                2 => set_difference_by_key(first, &y, sinks),
                _ => set_symmetric_difference_by_key(first, (&y, values()), sinks),
            };
            let count = count.unwrap().get().unwrap() as usize;
            let pairs = out.0.to_vec().unwrap().into_iter().zip(out.1.to_vec().unwrap());
            assert!(pairs.take(count).eq(expected), "{}", NAMES[at]);
        }
    });
}

#[test]
fn outputs_may_be_short_and_inputs_expressions() {
    each_queue(|queue| {
        let (evens, thirds) = (iota(0_u32, 6000) * 2, iota(0_u32, 4000) * 3);
        let mut out = vector(queue, &[7_u32; 2005]);
        // Every sixth number below 12 000.
        let count = set_intersection(evens.clone(), thirds.clone(), out.slice_mut(5..)).unwrap();
        assert_eq!(count.get().unwrap(), 2000);
        assert!(out.to_vec().unwrap().into_iter().skip(5).eq((0..2000).map(|i| 6 * i)));
        let one = vector(queue, &[6_u32]);
        set_intersection(&one, thirds.clone(), &mut out).unwrap();
        // One element has too little room, which the next call that waits says.
        let mut short = vector(queue, &[7_u32; 1999]);
        set_intersection(evens, thirds, &mut short).unwrap();
        assert!(matches!(short.to_vec().unwrap_err(), Error::IndexOutOfRange { .. }));
        assert_eq!(short.to_vec().unwrap()[1998], 6 * 1998);
        // Views in another order need room for the largest result.
        let mut three = vector(queue, &[0_u32; 3]);
        let error = set_union(&one, out.slice(..3), three.view_mut().rev()).unwrap_err();
        assert!(matches!(error, Error::LengthMismatch { .. }), "{error}");
        assert!(matches!(set_union(5_u32, &one, &mut out).unwrap_err(), Error::InvalidInput { .. }));
    });
}

/// With a comparator that is not an order, results are unspecified, but nothing is stored out of place, and each stored item
/// is one of the inputs.
#[test]
fn any_comparator_stays_in_bounds() {
    each_queue(|queue| {
        let noise: Vec<u32> = (0..9000_u32).map(|i| i.wrapping_mul(2_654_435_761) >> 7).collect();
        let x = vector(queue, &noise);
        let sorted_x = vector(queue, &sorted(noise.clone(), u32::cmp));
        for which in 0..2 {
            let mut out = vector(queue, &[7_u32; 15_010]);
            let mixed = |a: Val<u32>, b: Val<u32>| ((a * 31 + b * 17) % 5).lt(2);
            let both = (x.slice(..8000), x.slice(1000..8000));
            let count = match which {
                0 => set_union_by(both.0, both.1, mixed, out.slice_mut(5..15_005)),
                _ => set_union_by(both.0, both.1, |a, _| a.eq(a), out.slice_mut(5..15_005)),
            };
            count.unwrap().get().unwrap();
            let out = queue.finish().and_then(|()| out.to_vec()).unwrap();
            assert!(out[..5].iter().chain(&out[15_005..]).all(|&x| x == 7));
        }
        // Items in no order that fill a tile, or nearly: a work-group's pieces keep more than there is room for.
        for len in [950, 1910, 2900, 4000] {
            for which in 0..3 {
                let mut out = vector(queue, &[7_u32; 9000]);
                let both = (x.slice(..len), x.slice(500..500 + len));
                let count = match which {
                    0 => set_union(both.0, both.1, out.slice_mut(5..8995)),
                    1 => set_symmetric_difference(both.0, both.1, out.slice_mut(5..8995)),
                    _ => {
                        let le = |a: Val<u32>, b: Val<u32>| a.le(b);
                        set_union_by(
                            sorted_x.slice(..len),
                            sorted_x.slice(500..500 + len),
                            le,
                            out.slice_mut(5..8995),
                        )
                    }
                };
                let count = count.unwrap().get().unwrap() as usize;
                let out = queue.finish().and_then(|()| out.to_vec()).unwrap();
                assert!(out[..5].iter().chain(&out[8995..]).all(|&x| x == 7), "{len}");
                let stored = &out[5..5 + count.min(2 * len)];
                assert!(stored.iter().all(|x| noise.contains(x)), "{len}, {which}");
                // Each item is before each equal one, so both are stored.
                assert!(which < 2 || count == 2 * len, "{len}: {count}");
            }
        }
    });
}
