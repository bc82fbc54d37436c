//! Every driver call of maps, sets, bits, strings and tables fails once, with seven error codes in turns. The result is
//! always an error of the right kind, without a panic or a leak, and the next call succeeds. `cl_test::sweep` describes the
//! checks. Each row below is an operation whose kernels are all compiled.

use cl_algo::reducers::MinElement;
use cl_collections::prelude::*;
use cl_test::faults::exclusive;
use cl_test::known_faults;
use cl_test::sweep::{Bench, Operation, failures, lies, run};

fn vector<T: Element>(bench: &Bench, values: &[T]) -> DeviceVec<T> {
    DeviceVec::from_slice(&bench.queue, values).unwrap()
}

fn map(bench: &Bench) -> FlatMap<u32, u32> {
    FlatMap::from_pairs(vector(bench, &[3, 1, 3]), vector(bench, &[30, 10, 31])).unwrap()
}

fn strings(bench: &Bench) -> Strings {
    Strings::from_slice(&bench.queue, &["b-long-prefix-2", "a", "b-long-prefix-1"]).unwrap()
}

/// Checks aggregates of two groups: of the second row, and of the first and the third one.
fn aggregates(groups: &GroupBy<u32>, x: &DeviceVec<f32>) -> cl_core::Result<()> {
    assert_eq!(groups.mean(x)?.to_vec()?, [2.0, 2.5]);
    assert_eq!(groups.min(x)?.to_vec()?, [2.0, 1.0]);
    assert_eq!(groups.last(x).collect()?.to_vec()?, [2.0, 4.0]);
    assert_eq!(groups.reduce(x, |a, b| a * b)?.to_vec()?, [2.0, 4.0]);
    assert_eq!(groups.reduce_with(x, MinElement::<u32>::new())?.0.to_vec()?, [1, 0]);
    let mut sums = DeviceVec::filled(x.queue(), 0.0, 2)?;
    groups.reduce_into::<f32>(x, |a, b| a + b, &mut sums)?;
    assert_eq!(sums.to_vec()?, [2.0, 5.0]);
    Ok(())
}

const OPERATIONS: [Operation; 18] = [
    Operation::new("a map of pairs and its lookups", |bench| {
        let (keys, wanted) = (vector(bench, &[3_u32, 1, 3]), vector(bench, &[1_u32, 2]));
        run(move || {
            let map = FlatMap::from_pairs(&keys, iota(7_u32, 3))?;
            assert_eq!(map.to_vec()?, [(1, 8), (3, 9)]);
            assert_eq!(map.get_or(&wanted, 5).collect()?.to_vec()?, [8, 5]);
            assert_eq!(map.lookup(&wanted, 5)?.to_vec()?, [8, 5]);
            assert_eq!(map.get(3)?, Some(9));
            Ok(())
        })
    }),
    Operation::new("changes of a map", |bench| {
        let (mut map, keys) = (map(bench), vector(bench, &[2_u32, 3]));
        run(move || {
            // A change that fails leaves the map as it was; a change that is made again changes nothing.
            map.insert(&keys, 5)?;
            assert_eq!(map.to_vec()?, [(1, 10), (2, 5), (3, 5)]);
            let mut other = map.try_clone()?;
            other.remove(&keys)?;
            assert_eq!(other.to_vec()?, [(1, 10)]);
            other.merge(&map)?;
            assert_eq!(other.to_vec()?, [(1, 10), (2, 5), (3, 5)]);
            Ok(())
        })
    }),
    Operation::new("operations on sets", |bench| {
        let [a, b] =
            [&[1_i64, 3, 5], &[4, 5, 6]].map(|keys| FlatSet::from_keys(vector(bench, keys)).unwrap());
        run(move || {
            assert_eq!(a.intersection(&b)?.to_vec()?, [5]);
            assert_eq!(a.difference(&b)?.to_vec()?, [1, 3]);
            assert_eq!(a.union(&b)?.to_vec()?, [1, 3, 4, 5, 6]);
            assert_eq!(a.symmetric_difference(&b)?.to_vec()?, [1, 3, 4, 6]);
            assert!(!a.is_subset(&b)? && !a.is_disjoint(&b)?);
            Ok(())
        })
    }),
    Operation::new("bits", |bench| {
        let x = vector(bench, &[3, 8, 1, 9]);
        run(move || {
            let mut bits = BitVec::from_bools(x.iter().gt(2))?;
            bits.set(2, true)?;
            bits.fill_range(..1, false)?;
            assert_eq!(bits.not()?.to_vec()?, [true, false, false, false]);
            assert_eq!((bits.count_ones()?, bits.next_set(0)?, bits.get(0)?), (3, Some(1), false));
            Ok(())
        })
    }),
    Operation::new("the order of strings", |bench| {
        let strings = strings(bench);
        run(move || {
            assert_eq!(strings.sorted()?.to_vec()?, ["a", "b-long-prefix-1", "b-long-prefix-2"]);
            Ok(())
        })
    }),
    Operation::new("searches in strings", |bench| {
        let strings = strings(bench);
        run(move || {
            assert_eq!(strings.find("long")?.to_vec()?, [2, Strings::NOT_FOUND, 2]);
            assert_eq!(strings.ends_with("1")?.to_vec()?, [false, false, true]);
            Ok(())
        })
    }),
    Operation::new("parts of strings", |bench| {
        let strings = strings(bench);
        run(move || {
            let (parts, first) = strings.split("-")?;
            assert_eq!(parts.to_vec()?, ["b", "long", "prefix", "2", "a", "b", "long", "prefix", "1"]);
            assert_eq!(first.to_vec()?, [0, 4, 5, 9]);
            Ok(())
        })
    }),
    Operation::new("a group-by", |bench| {
        let (keys, x) = (vector(bench, &[7_u32, 2, 7]), vector(bench, &[1.0_f32, 2.0, 4.0]));
        run(move || {
            let groups = GroupBy::new(&keys)?;
            assert_eq!(groups.keys().to_vec()?, [2, 7]);
            assert_eq!(groups.sum(&x)?.to_vec()?, [2.0, 5.0]);
            assert_eq!(groups.first(&x).collect()?.to_vec()?, [2.0, 1.0]);
            assert_eq!(groups.order()?.to_vec()?, [1, 0, 2]);
            assert_eq!(groups.group_numbers()?.to_vec()?, [1, 0, 1]);
            let (each, counts) = value_counts(&keys)?;
            assert_eq!((each.to_vec()?, counts.to_vec()?), (vec![2, 7], vec![1, 2]));
            assert_eq!(distinct(&keys)?.to_vec()?, [2, 7]);
            Ok(())
        })
    }),
    Operation::new("a group-by of keys that are sorted", |bench| {
        let (keys, x) = (vector(bench, &[70_000_u32, 2, 70_000]), vector(bench, &[1.0_f32, 2.0, 4.0]));
        run(move || {
            let groups = GroupBy::new(&keys)?;
            assert_eq!(groups.keys().to_vec()?, [2, 70_000]);
            assert_eq!(groups.max(&x)?.to_vec()?, [2.0, 4.0]);
            assert_eq!(groups.sum(&x)?.to_vec()?, [2.0, 5.0]);
            let (each, counts) = value_counts(&keys)?;
            assert_eq!((each.to_vec()?, counts.to_vec()?), (vec![2, 70_000], vec![1, 2]));
            Ok(())
        })
    }),
    Operation::new("other aggregates of groups", |bench| {
        let (keys, x) = (vector(bench, &[7_u32, 2, 7]), vector(bench, &[1.0_f32, 2.0, 4.0]));
        run(move || {
            let groups = GroupBy::new(&keys)?;
            aggregates(&groups, &x)?;
            assert_eq!(groups.then_by(&keys * 2)?.counts().collect()?.to_vec()?, [1, 2]);
            Ok(())
        })
    }),
    Operation::new("other aggregates of groups that are sorted", |bench| {
        let (keys, x) = (vector(bench, &[70_000_u32, 2, 70_000]), vector(bench, &[1.0_f32, 2.0, 4.0]));
        run(move || {
            let groups = GroupBy::new(&keys)?;
            aggregates(&groups, &x)?;
            assert_eq!(groups.group_numbers()?.to_vec()?, [1, 0, 1]);
            assert_eq!(distinct(&keys)?.to_vec()?, [2, 70_000]);
            Ok(())
        })
    }),
    Operation::new("ranges and positions of a map", |bench| {
        let (map, keys) = (map(bench), vector(bench, &[1_u32, 2]));
        run(move || {
            assert_eq!(map.range(2..)?.collect()?.0.to_vec()?, [3]);
            assert_eq!(map.contains_keys(&keys).collect()?.to_vec()?, [true, false]);
            assert_eq!(map.get_all(&keys).collect()?.1.to_vec()?, [true, false]);
            assert_eq!(map.positions(&keys).collect()?.to_vec()?[0], 0);
            Ok(())
        })
    }),
    Operation::new("changes of a set", |bench| {
        let keys = vector(bench, &[4_i64, 1, 4]);
        run(move || {
            let mut set = FlatSet::from_keys(&keys)?;
            set.insert(&keys + 1)?;
            set.merge(&set.try_clone()?)?;
            set.remove(constant(4_i64).take(1))?;
            assert_eq!(set.to_vec()?, [1, 2, 5]);
            assert!(set.contains(2)? && !set.contains(4)?);
            assert_eq!(set.range(2..)?.collect()?.to_vec()?, [2, 5]);
            Ok(())
        })
    }),
    Operation::new("operations on bits", |bench| {
        let x = vector(bench, &[3, 8, 1, 9]);
        run(move || {
            let (a, b) = (BitVec::from_bools(x.iter().gt(2))?, BitVec::from_bools(x.iter().lt(9))?);
            assert_eq!(a.and(&b)?.to_vec()?, [true, true, false, false]);
            assert_eq!(a.xor(&b)?.to_vec()?, a.or(&b)?.and_not(&a.and(&b)?)?.to_vec()?);
            assert_eq!(a.shift_up(1)?.to_vec()?, [false, true, true, false]);
            assert_eq!(a.shift_down(1)?.to_vec()?, [true, false, true, false]);
            assert!(a.any()? && !a.all()? && !a.none()?);
            assert_eq!(BitVec::filled(x.queue(), true, 70)?.first_set()?, Some(0));
            Ok(())
        })
    }),
    Operation::new("bytes and codes of strings", |bench| {
        let strings = strings(bench);
        run(move || {
            assert_eq!(strings.char_counts()?.to_vec()?, [15, 1, 15]);
            assert_eq!(strings.to_ascii_uppercase()?.get(1)?, "A");
            assert_eq!(strings.compare(&strings).collect()?.to_vec()?, [0; 3]);
            assert_eq!(strings.equals("a")?.to_vec()?, [false, true, false]);
            let (each, codes) = strings.codes()?;
            assert_eq!((each.len(), codes.to_vec()?), (3, vec![2, 0, 1]));
            assert_eq!(strings.distinct()?.len(), 3);
            let both = Strings::concat(strings.queue(), [&strings, &strings])?;
            assert_eq!(both.gather(iota(3_u32, 2))?.to_vec()?, ["b-long-prefix-2", "a"]);
            Ok(())
        })
    }),
    Operation::new("a join of long sides", |bench| {
        let right = DeviceVec::from_fn(&bench.queue, 3000, |i| i as u32 / 3).unwrap();
        run(move || {
            let join = inner_join(right.iter().step_by(3), &right)?;
            assert_eq!((join.len(), join.right().get(2999)?), (3000, 2999));
            Ok(())
        })
    }),
    Operation::new("a join with unique keys", |bench| {
        let (left, right) = (vector(bench, &[7_u32, 2]), vector(bench, &[1_u32, 7]));
        run(move || {
            let (left, right) = inner_join(&left, &right)?.into_parts();
            assert_eq!((left.to_vec()?, right.to_vec()?), (vec![0], vec![1]));
            Ok(())
        })
    }),
    Operation::new("a join", |bench| {
        let (left, right) = (vector(bench, &[7_u32, 2]), vector(bench, &[1_u32, 7, 7]));
        run(move || {
            let (left, right) = left_join(&left, &right)?.into_parts();
            assert_eq!((left.to_vec()?, right.to_vec()?), (vec![0, 0, 1], vec![1, 2, Join::NO_ROW]));
            Ok(())
        })
    }),
];

#[test]
fn every_driver_call_may_fail() {
    let faults = exclusive();
    for device in faults.devices() {
        if known_faults::skips("faults::every_driver_call_may_fail", &device) {
            continue;
        }
        failures(&faults, &device, &OPERATIONS.map(Operation::in_turns));
    }
}

#[test]
fn every_answer_may_have_a_wrong_size() {
    let faults = exclusive();
    for device in faults.devices() {
        if known_faults::skips("faults::every_answer_may_have_a_wrong_size", &device) {
            continue;
        }
        lies(&faults, &device, &OPERATIONS[..1]);
    }
}
