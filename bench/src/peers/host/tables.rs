//! Group-bys, joins and lookups, by the standard library with one thread.

use super::{HostPeer, expect_equal};
use crate::cases::{FAR, keys_to_join, keys_to_look_up, rows};
use crate::failure::Failure;
use crate::timing::Restored;
use std::collections::HashMap;
use std::hint::black_box;

const fn by_std(case: &'static str, prepare: fn(usize) -> Result<Restored, Failure>) -> HostPeer {
    HostPeer { name: "std", case, element: "u32", prepare }
}

pub(super) static ALL: &[HostPeer] = &[
    by_std("table: sums of 10 groups", |n| group_by(n, 10, 1)),
    by_std("table: sums of 10000 groups", |n| group_by(n, 10_000, 1)),
    by_std("table: sums of 1000000 groups", |n| group_by(n, 1_000_000, 1)),
    by_std("table: sums of 10000 groups, keys anywhere", |n| group_by(n, 10_000, FAR)),
    by_std("table: inner join with sorted keys", |n| {
        let (left, right) = keys_to_join(n);
        let pairs = left.iter().filter(|&key| key % 2 == 0).count();
        let join = move || -> Vec<(u32, u32)> {
            let found =
                |(i, key): (usize, &u32)| right.binary_search(key).ok().map(|at| (i as u32, at as u32));
            black_box(&left).iter().enumerate().filter_map(found).collect()
        };
        expect_equal("the number of pairs", join().len(), pairs)?;
        Ok(super::step(move || drop(black_box(join()))))
    }),
    by_std("table: lookups in a map", |n| {
        let (keys, wanted) = keys_to_look_up(n);
        let values: Vec<u32> = keys.iter().map(|key| key + 1).collect();
        let missing = wanted.iter().filter(|&key| key % 2 == 1 || *key == 6).count();
        let mut found = vec![0; n];
        let mut search = move || {
            for (to, key) in found.iter_mut().zip(black_box(&wanted)) {
                *to = keys.binary_search(key).map_or(7, |at| values[at]);
            }
            black_box(&found).iter().filter(|&&value| value == 7).count()
        };
        expect_equal("the number of keys that are not there", search(), missing)?;
        Ok(super::step(move || {
            black_box(search());
        }))
    }),
];

fn group_by(n: usize, groups: u32, factor: u32) -> Result<Restored, Failure> {
    let (mut keys, values) = rows(n, groups);
    keys.iter_mut().for_each(|key| *key = key.wrapping_mul(factor));
    let expected = values.iter().fold(0_u32, |sum, &value| sum.wrapping_add(value));
    let work = move || {
        let mut sums: HashMap<u32, u32> = HashMap::new();
        for (&key, &value) in black_box(&keys).iter().zip(&values) {
            let sum = sums.entry(key).or_default();
            *sum = sum.wrapping_add(value);
        }
        sums
    };
    let found = work().values().fold(0_u32, |sum, &value| sum.wrapping_add(value));
    expect_equal("the sum of the sums", found, expected)?;
    Ok(super::step(move || drop(black_box(work()))))
}
