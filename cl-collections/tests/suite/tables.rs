//! Group-bys and joins, against the standard library.

use crate::flat_maps::property;
use cl_algo::DeviceProfile;
use cl_algo::function::RawFunction;
use cl_algo::reducers::{Max, MinElement, Sum, Variance};
use cl_collections::prelude::*;
use cl_core::Error;
use cl_test::counting::exclusive;
use cl_test::each_device_and_forced;
use std::collections::BTreeMap;

fn vec<T: Element>(vector: cl_core::Result<DeviceVec<T>>) -> Vec<T> {
    vector.unwrap().to_vec().unwrap()
}

/// Groups rows on both sides. The values are small integers, so that sums of floats are exact.
fn compare<K: Key + Ord + std::fmt::Debug>(queue: &Queue, keys: &[K], values: &[f32]) {
    let (device_keys, x) =
        (DeviceVec::from_slice(queue, keys).unwrap(), DeviceVec::from_slice(queue, values).unwrap());
    let mut host: BTreeMap<K, Vec<f32>> = BTreeMap::new();
    for (&key, &value) in keys.iter().zip(values) {
        host.entry(key).or_default().push(value);
    }
    let each = |f: fn(&[f32]) -> f32| host.values().map(|group| f(group)).collect::<Vec<f32>>();
    let groups = GroupBy::new(&device_keys).unwrap();
    assert_eq!(groups.keys().to_vec().unwrap(), host.keys().copied().collect::<Vec<K>>());
    assert_eq!(groups.len(), host.len());
    let counts: Vec<u32> = host.values().map(|group| group.len() as u32).collect();
    assert_eq!(vec(groups.counts().collect()), counts);
    assert_eq!(vec(groups.sum(&x)), each(|group| group.iter().sum()));
    assert_eq!(
        vec(groups.mean(2.0 * &x)),
        each(|group| 2.0 * group.iter().sum::<f32>() / group.len() as f32)
    );
    assert_eq!(vec(groups.min(&x)), each(|group| group.iter().copied().fold(f32::MAX, f32::min)));
    assert_eq!(vec(groups.max(&x)), each(|group| group.iter().copied().fold(f32::MIN, f32::max)));
    assert_eq!(vec(groups.first(&x).collect()), each(|group| group[0]));
    assert_eq!(vec(groups.last(&x).collect()), each(|group| group[group.len() - 1]));
    let mut order: Vec<u32> = (0..keys.len() as u32).collect();
    order.sort_by_key(|&row| keys[row as usize]);
    assert_eq!(groups.order().unwrap().to_vec().unwrap(), order);
    let begins = counts.iter().scan(0, |end, count| {
        *end += count;
        Some(*end)
    });
    assert_eq!(groups.begins().to_vec().unwrap(), std::iter::once(0).chain(begins).collect::<Vec<u32>>());
    // Several aggregates at once. The places of the least values are rows.
    let (sums, (rows, least), spread) =
        groups.reduce_with(&x, (Sum, MinElement::<u64>::new(), Variance::population())).unwrap();
    assert_eq!(sums.to_vec().unwrap(), each(|group| group.iter().sum()));
    assert_eq!(least.to_vec().unwrap(), each(|group| group.iter().copied().fold(f32::MAX, f32::min)));
    let mut first_least: BTreeMap<K, (f32, u64)> = BTreeMap::new();
    for (row, (&key, &value)) in (0_u64..).zip(keys.iter().zip(values)) {
        let least = first_least.entry(key).or_insert((value, row));
        if value < least.0 {
            *least = (value, row);
        }
    }
    let expected: Vec<u64> = first_least.values().map(|least| least.1).collect();
    assert_eq!(rows.to_vec().unwrap(), expected);
    let means = each(|group| group.iter().sum::<f32>() / group.len() as f32);
    for (mean, expected) in spread.0.to_vec().unwrap().into_iter().zip(means) {
        assert!((mean - expected).abs() <= expected.abs() * 1e-5_f32, "{mean} {expected}");
    }
    // The operator does not commute: rows keep their order.
    assert_eq!(vec(groups.reduce(&x, |_, b| b)), each(|group| group[group.len() - 1]));
    assert_eq!(vec(distinct(&device_keys)), host.keys().copied().collect::<Vec<K>>());
    let (each_key, each_count) = value_counts(&device_keys).unwrap();
    assert_eq!(each_key.to_vec().unwrap(), host.keys().copied().collect::<Vec<K>>());
    assert_eq!(each_count.to_vec().unwrap(), counts);
}

#[test]
fn groups_are_those_of_the_host() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        property(proptest::collection::vec((0..30_u32, 0..100_u8), 0..200), |rows| {
            let values: Vec<f32> = rows.iter().map(|row| f32::from(row.1)).collect();
            let keys: Vec<u32> = rows.iter().map(|row| 5000 + row.0).collect();
            compare(queue, &keys, &values);
        });
        let values: Vec<f32> = (0..3000).map(|i| (i % 17) as f32).collect();
        let random = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let keys: Vec<i64> = (0..3000).map(|i| random(i % 500) as i64).collect();
        compare(queue, &keys, &values);
        // Of one sign, the high bits of all keys are equal.
        let keys: Vec<i64> = (0..3000).map(|i| (random(i) >> 55) as i64 - 5000).collect();
        compare(queue, &keys, &values);
        compare(queue, &[7_u32; 50], &values[..50]);
        // All keys of a type; the ends of wide types; ranges around those for which CPUs sort.
        compare(queue, &(0..3000).map(|i| random(i) as i8).collect::<Vec<_>>(), &values);
        compare(queue, &(0..3000).map(|i| (random(i) >> 7) as i16).collect::<Vec<_>>(), &values);
        compare(queue, &(0..3000).map(|i| i64::MIN + (i % 7) as i64).collect::<Vec<_>>(), &values);
        compare(queue, &(0..3000).map(|i| u64::MAX - i % 7).collect::<Vec<_>>(), &values);
        for last in [4095, 4096] {
            let keys: Vec<i32> = (0..3000).map(|i| -2000 + (random(i) % 50) as i32).collect();
            compare(queue, &[&keys[1..], &[-2000 + last]].concat(), &values);
        }
        // More than 2^16 numbers, and as many rows for each as are needed.
        let rows = cl_test::full_or_small(270_000, 20_000);
        let keys: Vec<u32> = (0..rows).map(|i| (random(i) >> 40) as u32 % (rows as u32 / 4)).collect();
        compare(queue, &keys, &(0..rows).map(|i| (i % 17) as f32).collect::<Vec<_>>());
    });
}

/// Checks that each row is in a group, and each group there once, if the kernel that finds the range of the keys computes other
/// keys than the next one. Kernels may round floats differently, from which keys are computed.
#[test]
fn keys_that_differ_from_kernel_to_kernel_are_grouped() {
    let function = |text| {
        // SAFETY: arithmetic only.
        unsafe { RawFunction::<fn(u32) -> u32>::new("of_kernel", ["x"], text) }.unwrap()
    };
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let x = DeviceVec::from_fn(queue, 3000, |i| i as u32 % 5).unwrap();
        // Many rows, for which CPUs make a dictionary.
        let many = DeviceVec::from_fn(queue, 70_000, |i| i as u32 % 5).unwrap();
        let of_kernel = function("return x * 10000000 + 100000 - PACKS;");
        let (keys, counts) = value_counts(of_kernel.call((&many,))).unwrap();
        assert_eq!(keys.len(), counts.len());
        assert_eq!(counts.sum().unwrap(), 70_000);
        // A small range, and one for which CPUs sort.
        for text in ["return x + PACKS;", "return x - PACKS;", "return x * PACKS * 10000;"] {
            let of_kernel = function(text);
            let groups = GroupBy::new(of_kernel.call((&x,))).unwrap();
            assert!(groups.keys().to_vec().unwrap().is_sorted_by(|a, b| a < b), "{text}");
            assert_eq!(groups.counts().sum().unwrap(), 3000, "{text}");
            let numbers = vec(groups.group_numbers());
            assert!(numbers.iter().all(|&number| (number as usize) < groups.len()), "{text}");
            let (keys, counts) = value_counts(of_kernel.call((&x,))).unwrap();
            assert!(keys.to_vec().unwrap().is_sorted_by(|a, b| a < b), "{text}");
            assert_eq!(counts.sum().unwrap(), 3000, "{text}");
            assert!(vec(distinct(of_kernel.call((&x,)))).is_sorted_by(|a, b| a < b), "{text}");
        }
    });
}

/// Returns the slot of a key in a dictionary's table of 2^15 slots, as `slot_of` of `kernels/dictionary.cl` does.
fn slot_of(key: u32) -> u64 {
    let mixed = u64::from(key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 49
}

/// Few keys anywhere, which CPUs number by hash tables; too many of them; keys with the same slot; both ends of the types.
#[test]
fn keys_anywhere_are_numbered() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let rows = 70_001_usize;
        let values: Vec<f32> = (0..rows).map(|i| (i % 17) as f32).collect();
        let random = |i: usize| (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for distinct in [2, 1000, 16_000, 40_000, rows] {
            let keys: Vec<u64> = (0..rows).map(|i| random(random(i) as usize % distinct) | 1).collect();
            compare(queue, &keys, &values);
        }
        let mut keys: Vec<i32> = (0..rows).map(|i| random(random(i) as usize % 5000) as i32).collect();
        keys[77] = i32::MIN;
        keys[rows - 1] = i32::MAX;
        compare(queue, &keys, &values);
        // More distinct keys at the end only.
        let keys: Vec<u32> = (0..rows).map(|i| random(if i > rows / 2 { i } else { i % 3 }) as u32).collect();
        compare(queue, &keys, &values);
        let same: Vec<u32> = (0_u32..1 << 23).filter(|&key| slot_of(key) == 77).collect();
        assert!(same.len() > 200, "{}", same.len());
        // Distances from the least key, which is 0, are entered.
        let keys: Vec<u32> = (0..rows)
            .map(|i| if i % 1000 == 0 { 0 } else { same[random(i) as usize % same.len()] })
            .collect();
        compare(queue, &keys, &values);
    });
}

/// Checks that rounding errors of sums are carried along, and that infinite sums stay infinite, for keys in a small
/// range and anywhere.
#[test]
fn sums_of_floats_are_compensated() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        for factor in [1_u32, 1 << 28] {
            let rows = 4000;
            let keys: Vec<u32> = (0..rows).map(|i| i % 3 * factor).collect();
            // One is lost in 2^24 + 1.
            let value = |i: u32| match (i, i % 3) {
                (0, _) => 16_777_216.0,
                (1 | 3001, 1) => f32::MAX,
                _ => 1.0,
            };
            let values: Vec<f32> = (0..rows).map(value).collect();
            let (k, x) = (
                DeviceVec::from_slice(queue, &keys).unwrap(),
                DeviceVec::from_slice(queue, &values).unwrap(),
            );
            let groups = GroupBy::new(&k).unwrap();
            let sums = vec(groups.sum(&x));
            let others = (rows - 1) / 3;
            assert_eq!(sums[0], 16_777_216.0 + others as f32);
            assert_eq!(sums[1..], [f32::INFINITY, 1333.0]);
            let means = vec(groups.mean(&x));
            assert_eq!(means[2], 1.0);
        }
    });
}

#[test]
fn joins_with_unique_keys_are_those_of_the_host() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let right: Vec<i32> = (-3000..3000).map(|key| 2 * key).collect();
        let known = DeviceVec::from_slice(queue, &right).unwrap();
        let shuffled: Vec<i32> = (0..right.len()).map(|at| right[at * 1709 % right.len()]).collect();
        let unsorted = DeviceVec::from_slice(queue, &shuffled).unwrap();
        for (step, count) in [(1, 9000), (2, 5000), (7919, 9000), (0, 5), (1, 1)] {
            // Some, all, few, one key several times, and none.
            let left: Vec<i32> =
                (0..count).map(|i| (i * step - 4001 + step % 2) % 9000 + step % 2 - 1).collect();
            let keys = DeviceVec::from_slice(queue, &left).unwrap();
            let partner = |key: &i32| right.binary_search(key).ok().map(|at| at as u32);
            let pairs: Vec<(u32, u32)> =
                (0_u32..).zip(&left).filter_map(|(i, key)| Some((i, partner(key)?))).collect();
            let outer: Vec<(u32, u32)> =
                (0_u32..).zip(&left).map(|(i, key)| (i, partner(key).unwrap_or(Join::NO_ROW))).collect();
            let zipped = |join: Join| -> Vec<(u32, u32)> {
                let (left, right) = join.into_parts();
                left.to_vec().unwrap().into_iter().zip(right.to_vec().unwrap()).collect()
            };
            assert_eq!(zipped(inner_join(&keys, &known).unwrap()), pairs);
            assert_eq!(zipped(left_join(&keys, &known).unwrap()), outer);
            // The same rows of a table in another order.
            let row = |&(left, right): &(u32, u32)| (left, shuffled.get(right as usize).copied());
            let wanted = |pairs: &[(u32, u32)]| -> Vec<(u32, Option<i32>)> {
                pairs.iter().map(|&(i, at)| (i, right.get(at as usize).copied())).collect()
            };
            let found = |join: Join| zipped(join).iter().map(row).collect::<Vec<_>>();
            assert_eq!(found(inner_join(&keys, &unsorted).unwrap()), wanted(&pairs));
            assert_eq!(found(left_join(&keys, &unsorted).unwrap()), wanted(&outer));
        }
    });
}

#[test]
fn groups_of_several_columns_are_those_of_the_host() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let rows = proptest::collection::vec((-2..3_i8, 0..4_u64, 0..3_u16), 0..80);
        property(rows, |mut rows| {
            // The ends of the types are keys, too.
            rows.iter_mut().for_each(|row| row.1 = [0, 1, u64::MAX - 1, u64::MAX][row.1 as usize]);
            let a: Vec<i8> = rows.iter().map(|row| row.0).collect();
            let b: Vec<u64> = rows.iter().map(|row| row.1).collect();
            let c: Vec<u16> = rows.iter().map(|row| row.2).collect();
            let a = DeviceVec::from_slice(queue, &a).unwrap();
            let b = DeviceVec::from_slice(queue, &b).unwrap();
            let c = DeviceVec::from_slice(queue, &c).unwrap();
            let groups = GroupBy::new(&a).unwrap().then_by(&b).unwrap().then_by(&c).unwrap();
            let mut distinct_rows = rows.clone();
            distinct_rows.sort_unstable();
            distinct_rows.dedup();
            let firsts = (groups.first(&a).collect_on(queue), groups.first(&b).collect_on(queue));
            let firsts =
                vec(firsts.0).into_iter().zip(vec(firsts.1)).zip(vec(groups.first(&c).collect_on(queue)));
            let firsts: Vec<_> = firsts.map(|((a, b), c)| (a, b, c)).collect();
            assert_eq!(firsts, distinct_rows);
            let numbers = rows.iter().map(|row| distinct_rows.binary_search(row).unwrap() as u32);
            assert_eq!(vec(groups.group_numbers()), numbers.collect::<Vec<_>>());
        });
        let groups = GroupBy::new(DeviceVec::from_slice(queue, &[1, 2, 1]).unwrap()).unwrap();
        assert_eq!(vec(groups.group_numbers()), [0, 1, 0]);
        let short = DeviceVec::from_slice(queue, &[1, 2]).unwrap();
        assert!(matches!(groups.then_by(&short), Err(Error::LengthMismatch { .. })));
    });
}

#[test]
fn joins_are_those_of_the_host() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let keys = || proptest::collection::vec(0..20_u32, 0..40);
        property((keys(), keys(), proptest::bool::ANY), |(left, mut right, is_sorted)| {
            if is_sorted {
                right.sort_unstable();
            }
            let vectors = [&left, &right].map(|keys| DeviceVec::from_slice(queue, keys).unwrap());
            let mut pairs = Vec::new();
            let mut outer = Vec::new();
            for (i, key) in left.iter().enumerate() {
                let partners = right.iter().enumerate().filter(|(_, other)| *other == key);
                let partners: Vec<(u32, u32)> = partners.map(|(j, _)| (i as u32, j as u32)).collect();
                if partners.is_empty() {
                    outer.push((i as u32, Join::NO_ROW));
                }
                pairs.extend(&partners);
                outer.extend(&partners);
            }
            let zipped = |join: &Join| -> Vec<(u32, u32)> {
                join.left().to_vec().unwrap().into_iter().zip(join.right().to_vec().unwrap()).collect()
            };
            assert_eq!(zipped(&inner_join(&vectors[0], &vectors[1]).unwrap()), pairs);
            let join = left_join(&vectors[0], &vectors[1]).unwrap();
            assert_eq!(zipped(&join), outer);
            let values = vec(join.right_or(&vectors[1] + 100, 7).collect_on(queue));
            let of = |pair: &(u32, u32)| right.get(pair.1 as usize).map_or(7, |key| key + 100);
            assert_eq!(values, outer.iter().map(of).collect::<Vec<u32>>());
        });
    });
}

#[test]
fn wrong_calls_are_refused() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let keys = DeviceVec::from_slice(queue, &[1_u32, 1, 2]).unwrap();
        let groups = GroupBy::new(&keys).unwrap();
        let short = DeviceVec::from_slice(queue, &[1_u32]).unwrap();
        assert!(matches!(groups.sum(&short), Err(Error::LengthMismatch { .. })));
        assert!(matches!(groups.first(&short).collect(), Err(Error::LengthMismatch { .. })));
        assert_eq!(vec(groups.sum(1_u32)), [2, 1]);
        let foreign = DeviceVec::from_slice(&Queue::on(device).unwrap(), &[1_u32, 2, 3]).unwrap();
        assert!(groups.sum(&foreign).is_err());
        assert!(inner_join(&keys, &foreign).is_err());
        // Left keys that are computed take the queue of the right ones.
        assert_eq!(inner_join(iota(0_u32, 3), &keys).unwrap().left().to_vec().unwrap(), [1, 1, 2]);
        let mut one = DeviceVec::filled(queue, 0_u32, 1).unwrap();
        groups.reduce_into::<u32>(&keys, |a, b| a + b, &mut one).unwrap();
        assert!(matches!(one.to_vec(), Err(Error::IndexOutOfRange { .. })), "two groups fit in one element");
    });
}

#[test]
fn few_launches_and_no_waits() {
    let counter = exclusive();
    for device in [cl_test::counting::devices(), cl_test::counting::gpus()].concat() {
        let profile = DeviceProfile::of(&device).unwrap();
        // There the host also reads whether loops ended early.
        if profile.loop_steps.is_some() {
            continue;
        }
        let queue = &Queue::on(&device).unwrap();
        // Launches on CPUs and on GPUs, and fills, in the second run, when all kernels and all memory exist.
        let check = |what: &str, launches: [u64; 2], fills: u64, run: &dyn Fn()| {
            run();
            let calls = counter.calls_during(run);
            let of = |name: &str| calls.get(name).copied().unwrap_or(0);
            let expected = launches[usize::from(!profile.chunked)];
            assert_eq!(of("clEnqueueNDRangeKernel"), expected, "{what} on {device}: {calls:?}");
            assert_eq!(of("clEnqueueFillBuffer"), fills, "{what} on {device}: {calls:?}");
            for waits in ["clEnqueueReadBuffer", "clFinish", "clWaitForEvents", "clEnqueueMapBuffer"] {
                assert_eq!(of(waits), 0, "{what} on {device}: {calls:?}");
            }
        };
        let keys = DeviceVec::from_fn(queue, 100, |i| i as u32 % 7).unwrap();
        let x = DeviceVec::from_fn(queue, 100, |i| i as f32).unwrap();
        // CPUs do not sort the first keys; nobody has as many integers as the others range over.
        for (factor, of_cpus) in [(1, 2), (1_000_000, 1)] {
            let groups = GroupBy::new(&keys * factor).unwrap();
            check("sum of integers", [of_cpus, 1], 0, &|| drop(groups.sum(&keys).unwrap()));
            check("sum of floats", [of_cpus + 1, 2], 0, &|| drop(groups.sum(&x).unwrap()));
            check("mean", [of_cpus + 2, 3], 0, &|| drop(groups.mean(&x).unwrap()));
            check("minimum", [of_cpus, 1], 0, &|| drop(groups.min(&x).unwrap()));
            check("reducers", [of_cpus + 1, 2], 0, &|| drop(groups.reduce_with(&x, (Sum, Max)).unwrap()));
            let numbers = [if factor == 1 { 2 } else { 3 }, 2];
            check("group numbers", numbers, 1, &|| drop(groups.group_numbers().unwrap()));
        }
    }
}
