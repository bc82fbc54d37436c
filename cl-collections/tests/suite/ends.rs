//! Keys at the ends of their types, floats that are hard to compare, and collections of 0 to 3 elements.

use cl_collections::prelude::*;
use cl_core::Result;
use cl_test::each_device;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

fn vec<T: Element>(vector: Result<DeviceVec<T>>) -> Vec<T> {
    vector.unwrap().to_vec().unwrap()
}

fn vector<T: Element>(queue: &Queue, values: &[T]) -> DeviceVec<T> {
    DeviceVec::from_slice(queue, values).unwrap()
}

/// Compares maps, sets, groups, counts and joins of keys that are looked up among themselves and the ends of the type.
fn compare<K: Key + Ord + Debug>(queue: &Queue, keys: &[K], ends: &[K]) {
    let numbers: Vec<u32> = (0..keys.len() as u32).collect();
    let (device_keys, wanted) = (vector(queue, keys), vector(queue, ends));
    let host: BTreeMap<K, u32> = keys.iter().copied().zip(numbers.iter().copied()).collect();

    let mut map = FlatMap::from_pairs(&device_keys, vector(queue, &numbers)).unwrap();
    let pairs = |host: &BTreeMap<K, u32>| host.iter().map(|(&k, &v)| (k, v)).collect::<Vec<_>>();
    assert_eq!(map.to_vec().unwrap(), pairs(&host));
    let got: Vec<u32> = ends.iter().map(|key| host.get(key).copied().unwrap_or(99)).collect();
    assert_eq!(vec(map.get_or(&wanted, 99).collect_on(queue)), got, "{keys:?}");
    assert_eq!(vec(map.lookup(&wanted, 99)), got, "{keys:?}");
    let before: Vec<u64> = ends.iter().map(|key| host.range(..key).count() as u64).collect();
    assert_eq!(vec(map.positions(&wanted).collect_on(queue)), before);
    for &end in ends {
        assert_eq!(map.get(end).unwrap(), host.get(&end).copied());
        let count = |range: Result<Expr<'_, (K, u32)>>| range.unwrap().collect_on(queue).unwrap().0.len();
        assert_eq!(count(map.range(end..)), host.range(end..).count());
        assert_eq!(count(map.range(..end)), host.range(..end).count());
        assert_eq!(count(map.range(..=end)), host.range(..=end).count());
    }
    map.remove(&wanted).unwrap();
    let mut rest = host.clone();
    rest.retain(|key, _| !ends.contains(key));
    assert_eq!(map.to_vec().unwrap(), pairs(&rest));
    map.insert(&wanted, 7).unwrap();
    rest.extend(ends.iter().map(|&key| (key, 7)));
    assert_eq!(map.to_vec().unwrap(), pairs(&rest));

    let [set, other] = [&device_keys, &wanted].map(|keys| FlatSet::from_keys(keys).unwrap());
    let [host_set, host_other] = [keys, ends].map(|keys| keys.iter().copied().collect::<BTreeSet<K>>());
    let listed = |set: Result<FlatSet<K>>| set.unwrap().to_vec().unwrap();
    let sorted = |keys: &mut dyn Iterator<Item = &K>| keys.copied().collect::<Vec<K>>();
    assert_eq!(listed(set.intersection(&other)), sorted(&mut host_set.intersection(&host_other)));
    assert_eq!(listed(set.difference(&other)), sorted(&mut host_set.difference(&host_other)));
    assert_eq!(listed(set.union(&other)), sorted(&mut host_set.union(&host_other)));
    let either = sorted(&mut host_set.symmetric_difference(&host_other));
    assert_eq!(listed(set.symmetric_difference(&other)), either);
    assert_eq!(set.is_subset(&other).unwrap(), host_set.is_subset(&host_other));
    assert_eq!(set.is_disjoint(&other).unwrap(), host_set.is_disjoint(&host_other));

    let groups = GroupBy::new(&device_keys).unwrap();
    let distinct_keys: Vec<K> = host.keys().copied().collect();
    let counts: Vec<u32> =
        host.keys().map(|key| keys.iter().filter(|own| *own == key).count() as u32).collect();
    assert_eq!(groups.keys().to_vec().unwrap(), distinct_keys, "{keys:?}");
    assert_eq!(vec(groups.counts().collect_on(queue)), counts);
    assert_eq!(
        vec(groups.last(vector(queue, &numbers)).collect_on(queue)),
        host.into_values().collect::<Vec<_>>()
    );
    assert_eq!(vec(distinct(&device_keys)), distinct_keys);
    let (each, each_count) = value_counts(&device_keys).unwrap();
    assert_eq!((each.to_vec().unwrap(), each_count.to_vec().unwrap()), (distinct_keys, counts));

    let right = ends.to_vec();
    let of = |key: &K| right.iter().positions_of(key);
    let (mut inner, mut outer) = (Vec::new(), Vec::new());
    for (left, key) in (0_u32..).zip(keys) {
        let partners: Vec<(u32, u32)> = of(key).into_iter().map(|right| (left, right)).collect();
        outer.extend(if partners.is_empty() { vec![(left, Join::NO_ROW)] } else { partners.clone() });
        inner.extend(partners);
    }
    let right = vector(queue, &right);
    let zipped = |join: Result<Join>| -> Vec<(u32, u32)> {
        let (left, right) = join.unwrap().into_parts();
        left.to_vec().unwrap().into_iter().zip(right.to_vec().unwrap()).collect()
    };
    assert_eq!(zipped(inner_join(&device_keys, &right)), inner, "{keys:?}");
    assert_eq!(zipped(left_join(&device_keys, &right)), outer, "{keys:?}");
}

trait PositionsOf<K> {
    /// Returns the positions of the items that equal a key.
    fn positions_of(self, key: &K) -> Vec<u32>;
}

impl<'a, K: PartialEq + 'a, I: Iterator<Item = &'a K>> PositionsOf<K> for I {
    fn positions_of(self, key: &K) -> Vec<u32> {
        (0..).zip(self).filter(|(_, own)| *own == key).map(|(at, _)| at).collect()
    }
}

macro_rules! ends {
    ($($name:ident: $type:ident;)*) => {$(
        #[test]
        fn $name() {
            each_device(|device| {
                let queue = &Queue::on(device).unwrap();
                let (least, largest) = ($type::MIN, $type::MAX);
                let middle = largest / 2 + least / 2;
                let ends = [largest, least, middle, largest - 1, least + 1];
                // All bits differ; the lowest bit; the highest bit; no bit.
                for keys in [
                    &[][..],
                    &[least],
                    &[largest],
                    &[largest, largest],
                    &[largest, least],
                    &[least + 1, least],
                    &[largest, least, largest],
                    &[largest - 1, largest, middle, least, middle + 1, least, largest],
                ] {
                    compare(queue, keys, &ends);
                }
                compare(queue, &[least, largest], &[]);
            });
        }
    )*};
}

ends! {
    keys_of_8_bits: u8;
    signed_keys_of_8_bits: i8;
    keys_of_16_bits: u16;
    signed_keys_of_16_bits: i16;
    keys_of_32_bits: u32;
    signed_keys_of_32_bits: i32;
    keys_of_64_bits: u64;
    signed_keys_of_64_bits: i64;
}

#[test]
fn floats_at_their_ends_are_values() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let values = [f32::NAN, -0.0, 0.0, f32::INFINITY, f32::MIN, f32::MAX, f32::NEG_INFINITY, f32::NAN];
        let keys = vector(queue, &[0_u8, 1, 1, 2, 2, 255, 255, 254]);
        let x = vector(queue, &values);
        let bits = |x: Vec<f32>| x.into_iter().map(f32::to_bits).collect::<Vec<_>>();

        let map = FlatMap::from_pairs(&keys, &x).unwrap();
        let wanted = [f32::NAN, 0.0, f32::MIN, f32::NAN, f32::NEG_INFINITY];
        assert_eq!(bits(map.values().to_vec().unwrap()), bits(wanted.to_vec()));
        let found = vec(map.lookup(vector(queue, &[0_u8, 3, 255]), f32::NAN));
        assert_eq!(bits(found), bits(vec![f32::NAN, f32::NAN, f32::NEG_INFINITY]));

        let groups = GroupBy::new(&keys).unwrap();
        let [sum, min, max] = [groups.sum(&x), groups.min(&x), groups.max(&x)].map(vec);
        assert!(sum[0].is_nan() && min[0].is_nan() && max[0].is_nan());
        assert_eq!(sum[1..3], [0.0, f32::INFINITY]);
        assert_eq!((min[2], max[2]), (f32::MIN, f32::INFINITY));
        assert_eq!((min[4], max[4], sum[4]), (f32::NEG_INFINITY, f32::MAX, f32::NEG_INFINITY));
        // NaN is ignored beside a number.
        let all = GroupBy::new(vector(queue, &[5_i8; 8])).unwrap();
        assert_eq!(vec(all.min(&x)), [f32::NEG_INFINITY]);
        assert_eq!(vec(all.max(&x)), [f32::INFINITY]);
        assert_eq!(bits(vec(all.last(&x).collect())), [f32::NAN.to_bits()]);
    });
}

#[test]
fn patterns_are_as_those_of_the_standard_library() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        for texts in
            [&[][..], &[""], &["", ""], &["a"], &["a", ""], &["", "ab", "b"], &["\u{10ffff}", "\0", "ab"]]
        {
            let strings = Strings::from_slice(queue, texts).unwrap();
            for pattern in ["", "a", "ab", "abc", "\0", "\u{10ffff}"] {
                let flags =
                    |f: &dyn Fn(&str) -> bool| texts.iter().map(|text| f(text)).collect::<Vec<bool>>();
                let context = format!("{pattern:?} in {texts:?}");
                assert_eq!(vec(strings.contains(pattern)), flags(&|s| s.contains(pattern)), "{context}");
                assert_eq!(
                    vec(strings.starts_with(pattern)),
                    flags(&|s| s.starts_with(pattern)),
                    "{context}"
                );
                assert_eq!(vec(strings.ends_with(pattern)), flags(&|s| s.ends_with(pattern)), "{context}");
                assert_eq!(vec(strings.equals(pattern)), flags(&|s| s == pattern), "{context}");
                let signs: Vec<i32> = texts.iter().map(|&text| text.cmp(pattern) as i32).collect();
                assert_eq!(vec(strings.compare_to(pattern)), signs, "{context}");
                let found =
                    texts.iter().map(|text| text.find(pattern).map_or(Strings::NOT_FOUND, |at| at as u32));
                assert_eq!(vec(strings.find(pattern)), found.collect::<Vec<_>>(), "{context}");
                if !pattern.is_empty() {
                    let parts: Vec<&str> = texts.iter().flat_map(|text| text.split(pattern)).collect();
                    assert_eq!(strings.split(pattern).unwrap().0.to_vec().unwrap(), parts, "{context}");
                }
            }
            let mut sorted = texts.to_vec();
            sorted.sort_unstable();
            assert_eq!(strings.sorted().unwrap().to_vec().unwrap(), sorted);
            sorted.dedup();
            let (distinct, codes) = strings.codes().unwrap();
            assert_eq!(distinct.to_vec().unwrap(), sorted);
            assert_eq!(strings.distinct().unwrap().to_vec().unwrap(), sorted);
            let expected = texts.iter().map(|text| sorted.binary_search(text).unwrap() as u32);
            assert_eq!(codes.to_vec().unwrap(), expected.collect::<Vec<_>>());
            assert_eq!(
                vec(strings.char_counts()),
                texts.iter().map(|s| s.chars().count() as u32).collect::<Vec<_>>()
            );
            assert_eq!(
                Strings::concat(queue, [&strings, &strings]).unwrap().to_vec().unwrap(),
                [texts, texts].concat()
            );
            assert_eq!(strings.to_ascii_uppercase().unwrap().len(), texts.len());
        }
    });
}
