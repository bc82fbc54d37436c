//! Maps and sets, against those of the standard library.

use cl_collections::prelude::*;
use cl_core::Error;
use cl_test::counting::exclusive;
use cl_test::each_device;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Runs a property with few cases, without files of regressions.
pub(crate) fn property<S: Strategy>(strategy: S, test: impl Fn(S::Value)) {
    let config = ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = proptest::test_runner::TestRunner::new_with_rng(
        config,
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let ran = runner.run(&strategy, |value| {
        test(value);
        Ok(())
    });
    ran.unwrap();
}

fn vector<T: Element>(queue: &Queue, values: &[T]) -> DeviceVec<T> {
    DeviceVec::from_slice(queue, values).unwrap()
}

type Pairs = Vec<(u32, f32)>;

fn unzipped(queue: &Queue, pairs: &Pairs) -> (DeviceVec<u32>, DeviceVec<f32>) {
    let (keys, values): (Vec<u32>, Vec<f32>) = pairs.iter().copied().unzip();
    (vector(queue, &keys), vector(queue, &values))
}

#[test]
fn maps_are_those_of_the_standard_library() {
    let pairs = || proptest::collection::vec((0..40_u32, -9.0..9.0_f32), 0..30);
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        property((pairs(), pairs(), pairs(), 0..45_u32, 0..45_u32), |(first, second, third, a, b)| {
            let (keys, values) = unzipped(queue, &first);
            let mut map = FlatMap::from_pairs(&keys, &values).unwrap();
            let mut host: BTreeMap<u32, f32> = first.iter().copied().collect();
            let same = |map: &FlatMap<u32, f32>, host: &BTreeMap<u32, f32>| {
                assert_eq!(map.to_vec().unwrap(), host.iter().map(|(&k, &v)| (k, v)).collect::<Pairs>());
                assert_eq!((map.len(), map.is_empty()), (host.len(), host.is_empty()));
            };
            same(&map, &host);
            let (keys, values) = unzipped(queue, &second);
            map.insert(&keys, &values).unwrap();
            host.extend(second);
            same(&map, &host);
            let wanted: Vec<u32> = third.iter().map(|pair| pair.0).collect();
            let (keys, values) = unzipped(queue, &third);
            let found = wanted.iter().map(|key| host.contains_key(key));
            assert_eq!(
                map.contains_keys(&keys).collect().unwrap().to_vec().unwrap(),
                found.collect::<Vec<_>>()
            );
            let got = wanted.iter().map(|key| host.get(key).copied().unwrap_or(-99.0));
            assert_eq!(
                map.get_or(&keys, -99.0).collect().unwrap().to_vec().unwrap(),
                got.collect::<Vec<_>>()
            );
            let got = wanted.iter().map(|key| host.get(key).copied().unwrap_or(-99.0));
            assert_eq!(map.lookup(&keys, -99.0).unwrap().to_vec().unwrap(), got.collect::<Vec<_>>());
            let (got, flags) = map.get_all(&keys).collect().unwrap();
            let pairs = got.to_vec().unwrap().into_iter().zip(flags.to_vec().unwrap());
            let options: Vec<_> = pairs.map(|(value, found)| found.then_some(value)).collect();
            assert_eq!(options, wanted.iter().map(|key| host.get(key).copied()).collect::<Vec<_>>());
            let before = wanted.iter().map(|key| host.range(..key).count() as u64);
            assert_eq!(map.positions(&keys).collect().unwrap().to_vec().unwrap(), before.collect::<Vec<_>>());
            assert_eq!(map.get(a).unwrap(), host.get(&a).copied());
            let range = a.min(b)..a.max(b);
            let (keys_in, values_in) = map.range(range.clone()).unwrap().collect().unwrap();
            let pairs: Pairs =
                keys_in.to_vec().unwrap().into_iter().zip(values_in.to_vec().unwrap()).collect();
            assert_eq!(pairs, host.range(range).map(|(&k, &v)| (k, v)).collect::<Pairs>());
            let other = FlatMap::from_pairs(&keys, &values).unwrap();
            map.remove(&keys).unwrap();
            host.retain(|key, _| !wanted.contains(key));
            same(&map, &host);
            map.merge(&other).unwrap();
            host.extend(third);
            same(&map, &host);
        });
    });
}

#[test]
fn sets_are_those_of_the_standard_library() {
    let keys = || proptest::collection::vec(-20..20_i64, 0..30);
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        property((keys(), keys()), |(first, second)| {
            let mut set = FlatSet::from_keys(vector(queue, &first)).unwrap();
            let mut host: BTreeSet<i64> = first.into_iter().collect();
            let other = FlatSet::from_keys(vector(queue, &second)).unwrap();
            let host_other: BTreeSet<i64> = second.iter().copied().collect();
            let listed = |set: FlatSet<i64>| set.to_vec().unwrap();
            let both = host.intersection(&host_other).copied().collect::<Vec<_>>();
            assert_eq!(listed(set.intersection(&other).unwrap()), both);
            let rest = host.difference(&host_other).copied().collect::<Vec<_>>();
            assert_eq!(listed(set.difference(&other).unwrap()), rest);
            let either = host.symmetric_difference(&host_other).copied().collect::<Vec<_>>();
            assert_eq!(listed(set.symmetric_difference(&other).unwrap()), either);
            let all = host.union(&host_other).copied().collect::<Vec<_>>();
            assert_eq!(listed(set.union(&other).unwrap()), all);
            assert_eq!(set.is_subset(&other).unwrap(), host.is_subset(&host_other));
            assert!(set.is_subset(&set.union(&other).unwrap()).unwrap());
            assert_eq!(set.is_disjoint(&other).unwrap(), host.is_disjoint(&host_other));
            assert_eq!(listed(set.try_clone().unwrap()), set.to_vec().unwrap());
            let within = set.range(-5..=5).unwrap().collect().unwrap().to_vec().unwrap();
            assert_eq!(within, host.range(-5..=5).copied().collect::<Vec<_>>());
            assert_eq!(set.contains(3).unwrap(), host.contains(&3));
            set.insert(vector(queue, &second)).unwrap();
            host.extend(&second);
            assert_eq!(set.to_vec().unwrap(), host.iter().copied().collect::<Vec<_>>());
            set.remove(vector(queue, &second[..second.len() / 2])).unwrap();
            host.retain(|key| !second[..second.len() / 2].contains(key));
            assert_eq!(set.to_vec().unwrap(), host.iter().copied().collect::<Vec<_>>());
        });
    });
}

#[test]
fn empty_maps_answer() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let mut map = FlatMap::<u32, f32>::new(queue).unwrap();
        let keys = vector(queue, &[1, 2]);
        assert_eq!(map.get_or(&keys, 5.0).collect().unwrap().to_vec().unwrap(), [5.0, 5.0]);
        assert_eq!(map.lookup(&keys, 5.0).unwrap().to_vec().unwrap(), [5.0, 5.0]);
        assert_eq!(map.contains_keys(&keys).collect().unwrap().to_vec().unwrap(), [false, false]);
        assert_eq!(map.positions(&keys).collect().unwrap().to_vec().unwrap(), [0, 0]);
        assert_eq!(map.get(1).unwrap(), None);
        assert!(map.range(..).unwrap().collect().unwrap().0.is_empty());
        // Keys without a queue, and keys of another one.
        let computed = || iota(1_u32, 2);
        assert_eq!(map.get_or(computed(), 5.0).collect().unwrap().to_vec().unwrap(), [5.0, 5.0]);
        assert_eq!(map.positions(computed()).collect().unwrap().to_vec().unwrap(), [0, 0]);
        let foreign = vector(&Queue::on(device).unwrap(), &[1_u32]);
        assert!(
            map.get_or(&foreign, 5.0).collect().is_err() && map.contains_keys(&foreign).collect().is_err()
        );
        map.remove(&keys).unwrap();
        map.insert(&keys, 1.5).unwrap();
        assert_eq!(map.to_vec().unwrap(), [(1, 1.5), (2, 1.5)]);
        assert_eq!(map.try_clone().unwrap().to_vec().unwrap(), [(1, 1.5), (2, 1.5)]);
        map.clear();
        assert!(map.is_empty() && map.get_or(&keys, 5.0).sum().unwrap() == 10.0);
        let mut set = FlatSet::<i64>::new(queue).unwrap();
        assert!(!set.contains(1).unwrap());
        set.insert(vector(queue, &[])).unwrap();
        set.insert(vector(queue, &[4, 4])).unwrap();
        assert_eq!(set.to_vec().unwrap(), [4]);
    });
}

#[test]
fn wrong_calls_are_refused_and_change_nothing() {
    each_device(|device| {
        let (queue, other) = (&Queue::on(device).unwrap(), &Queue::on(device).unwrap());
        let keys = vector(queue, &[1_u32, 2]);
        let mut map = FlatMap::from_pairs(&keys, 0_u32).unwrap();
        let error = FlatMap::from_pairs(&keys, vector(queue, &[1.0_f32])).unwrap_err();
        assert!(matches!(error, Error::LengthMismatch { .. }), "{error}");
        assert!(FlatMap::<u32, u32>::from_pairs(1, 2).is_err());
        let error = map.insert(vector(other, &[3]), 1).unwrap_err();
        assert!(matches!(error, Error::ForeignObject { .. }), "{error}");
        assert!(map.remove(vector(other, &[3])).is_err());
        assert!(map.get_or(vector(other, &[1]), 0).collect().is_err());
        assert_eq!(map.to_vec().unwrap(), [(1, 0), (2, 0)]);
        // Keys that are not in order, or not unique, are not taken for sorted.
        for keys in [&[2_u32, 1][..], &[1, 1], &[1, 2, 3, 3]] {
            let error = FlatSet::from_sorted(vector(queue, keys)).unwrap_err();
            assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
            let values = vector(queue, keys);
            assert!(FlatMap::from_sorted(vector(queue, keys), values).is_err());
        }
        for keys in [&[][..], &[u32::MAX], &[0, u32::MAX]] {
            let map = FlatMap::from_sorted(vector(queue, keys), vector(queue, keys)).unwrap();
            assert_eq!(map.to_vec().unwrap(), keys.iter().map(|&key| (key, key)).collect::<Vec<_>>());
        }
        let error = FlatMap::from_sorted(vector(queue, &[1_u32]), vector(queue, &[1_u32, 2])).unwrap_err();
        assert!(matches!(error, Error::LengthMismatch { .. }), "{error}");
        let error = FlatMap::from_sorted(vector(queue, &[1_u32]), vector(other, &[1_u32])).unwrap_err();
        assert!(matches!(error, Error::ForeignObject { .. }), "{error}");
    });
}

#[test]
fn a_lookup_is_one_launch_inside_its_expression() {
    let counter = exclusive();
    for device in cl_test::counting::devices() {
        let queue = &Queue::on(&device).unwrap();
        let map = FlatMap::from_pairs(iota(0_u32, 100).on(queue), iota(0.0_f32, 100)).unwrap();
        let keys = vector(queue, &[5_u32, 500]);
        let work = || (1.0 + map.get_or(&keys, 7.0)).collect().unwrap();
        assert_eq!(work().to_vec().unwrap(), [6.0, 8.0]);
        let calls = counter.calls_during(|| drop(work()));
        assert_eq!(calls.get("clEnqueueNDRangeKernel"), Some(&1), "{calls:?}");
        assert_eq!(calls.get("clEnqueueReadBuffer"), None);
    }
}
