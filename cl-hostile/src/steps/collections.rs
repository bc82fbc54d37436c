//! Steps with maps, sets, bits, strings, groups and joins, each with the standard library's collection as its model.

use crate::dice::Dice;
use crate::finding::{Outcome, equal, refused, same};
use cl_algo::prelude::*;
use cl_algo::reducers::Max;
use cl_collections::prelude::*;
use cl_core::Result;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Collection {
    Map,
    Set,
    Bits,
    Strings,
    Groups,
    Joins,
}

pub(crate) const COLLECTIONS: [Collection; 6] = [
    Collection::Map,
    Collection::Set,
    Collection::Bits,
    Collection::Strings,
    Collection::Groups,
    Collection::Joins,
];

pub(crate) fn collection(queue: &Queue, what: Collection, seed: u64) -> Outcome {
    let mut dice = Dice::new(seed, 17);
    match what {
        Collection::Map => map(queue, &mut dice),
        Collection::Set => set(queue, &mut dice),
        Collection::Bits => bits(queue, &mut dice),
        Collection::Strings => strings(queue, &mut dice),
        Collection::Groups => groups(queue, &mut dice),
        Collection::Joins => joins(queue, &mut dice),
    }
}

/// Returns keys, many of which occur several times, on the device and on the host.
fn keys(queue: &Queue, dice: &mut Dice) -> Result<(DeviceVec<u32>, Vec<u32>)> {
    let range = dice.pick(&[3, 40, 1000, u32::MAX as usize]);
    let host: Vec<u32> = (0..dice.len() % 700).map(|_| dice.below(range) as u32).collect();
    Ok((DeviceVec::from_slice(queue, &host)?, host))
}

fn map(queue: &Queue, dice: &mut Dice) -> Outcome {
    let (mut device, mut host) = (FlatMap::new(queue)?, BTreeMap::new());
    for _ in 0..1 + dice.below(3) {
        let (keys, host_keys) = keys(queue, dice)?;
        let first = dice.value();
        match dice.below(4) {
            0 => {
                device.remove(&keys)?;
                host.retain(|key, _| !host_keys.contains(key));
            }
            1 => {
                let other = FlatMap::from_pairs(&keys, first + index::<i32>().take(keys.len()))?;
                device.merge(&other)?;
                host.extend(host_keys.iter().copied().zip((0..).map(|i| first.wrapping_add(i))));
            }
            _ => {
                device.insert(&keys, first + index::<i32>().take(keys.len()))?;
                host.extend(host_keys.iter().copied().zip((0..).map(|i| first.wrapping_add(i))));
            }
        }
        equal("the size of a map", device.len(), host.len())?;
        let pairs: Vec<(u32, i32)> = host.iter().map(|(key, value)| (*key, *value)).collect();
        same("a map", &device.to_vec()?, &pairs)?;
    }
    let (wanted, host_wanted) = keys(queue, dice)?;
    let found: Vec<i32> = host_wanted.iter().map(|key| host.get(key).copied().unwrap_or(-5)).collect();
    same("values of keys", &device.get_or(&wanted, -5).collect_on(queue)?.to_vec()?, &found)?;
    same("values by lookup", &device.lookup(&wanted, -5)?.to_vec()?, &found)?;
    let has: Vec<bool> = host_wanted.iter().map(|key| host.contains_key(key)).collect();
    same("whether a map has keys", &device.contains_keys(&wanted).collect_on(queue)?.to_vec()?, &has)?;
    let (low, high) = (dice.below(50) as u32, 50 + dice.below(500) as u32);
    let inside: Vec<i32> = host.range(low..high).map(|(_, value)| *value).collect();
    let (_, values) = device.range(low..high)?.collect_on(queue)?;
    same("a range of a map", &values.to_vec()?, &inside)?;
    equal("one value", device.get(low)?, host.get(&low).copied())?;
    let (unsorted, values) =
        (DeviceVec::from_slice(queue, &[2_u32, 1])?, DeviceVec::from_slice(queue, &[1, 2])?);
    refused("keys that are not sorted", FlatMap::from_sorted(unsorted, values))
}

fn set(queue: &Queue, dice: &mut Dice) -> Outcome {
    let ((a, host_a), (b, host_b)) = (keys(queue, dice)?, keys(queue, dice)?);
    let (mut x, mut y) = (FlatSet::from_keys(&a)?, FlatSet::from_keys(&b)?);
    let mut host_x: BTreeSet<u32> = host_a.into_iter().collect();
    let host_y: BTreeSet<u32> = host_b.iter().copied().collect();
    let (got, expected): (FlatSet<u32>, Vec<u32>) = match dice.below(6) {
        0 => (x.union(&y)?, host_x.union(&host_y).copied().collect()),
        1 => (x.intersection(&y)?, host_x.intersection(&host_y).copied().collect()),
        2 => (x.difference(&y)?, host_x.difference(&host_y).copied().collect()),
        3 => (x.symmetric_difference(&y)?, host_x.symmetric_difference(&host_y).copied().collect()),
        4 => {
            x.insert(&b)?;
            host_x.extend(&host_b);
            (x.try_clone()?, host_x.iter().copied().collect())
        }
        _ => {
            x.remove(&b)?;
            host_x.retain(|key| !host_y.contains(key));
            (x.try_clone()?, host_x.iter().copied().collect())
        }
    };
    same("a set of keys", &got.to_vec()?, &expected)?;
    equal("whether a set is a subset", x.is_subset(&y)?, host_x.is_subset(&host_y))?;
    equal("whether sets are disjoint", x.is_disjoint(&y)?, host_x.is_disjoint(&host_y))?;
    y.clear();
    equal("whether a cleared set is empty", y.is_empty(), true)
}

fn bits(queue: &Queue, dice: &mut Dice) -> Outcome {
    let bools = |dice: &mut Dice, len: usize| -> Vec<bool> {
        let mostly = dice.pick(&[2, 2, 40]);
        (0..len).map(|_| dice.one_in(mostly)).collect()
    };
    let mut host = {
        let len = dice.len();
        bools(dice, len)
    };
    let mut device = BitVec::from_slice(queue, &host)?;
    for _ in 0..1 + dice.below(4) {
        let len = host.len();
        let other = bools(dice, len);
        let others = BitVec::from_slice(queue, &other)?;
        let by = dice.below(len + 70);
        let zip = |f: fn(bool, bool) -> bool| host.iter().zip(&other).map(|(&a, &b)| f(a, b)).collect();
        let range = crate::expression::range(dice.len(), dice.len(), len);
        (device, host) = match dice.below(9) {
            0 => (device.and(&others)?, zip(|a, b| a & b)),
            1 => (device.or(&others)?, zip(|a, b| a | b)),
            2 => (device.xor(&others)?, zip(|a, b| a ^ b)),
            3 => (device.and_not(&others)?, zip(|a, b| a & !b)),
            4 => (device.not()?, zip(|a, _| !a)),
            5 => {
                let up = (0..len).map(|at| at.checked_sub(by).is_some_and(|at| host[at])).collect();
                (device.shift_up(by)?, up)
            }
            6 => {
                let down = (0..len).map(|at| host.get(at + by).is_some_and(|bit| *bit)).collect();
                (device.shift_down(by)?, down)
            }
            7 => {
                device.fill_range(range.clone(), true)?;
                host[range].fill(true);
                (device, host)
            }
            _ => {
                let to = dice.len();
                device.resize(to, true)?;
                host.resize(to, true);
                (device, host)
            }
        };
    }
    same("bits", &device.to_vec()?, &host)?;
    equal("the number of bits that are set", device.count_ones()?, host.iter().filter(|bit| **bit).count())?;
    equal("the first bit that is set", device.first_set()?, host.iter().position(|bit| *bit))?;
    equal("whether all bits are set", device.all()?, host.iter().all(|bit| *bit))?;
    let from = dice.below(host.len() + 1);
    let next = host.iter().enumerate().position(|(at, bit)| at >= from && *bit);
    equal("the next bit that is set", device.next_set(from)?, next)?;
    refused("a bit beyond the end", device.get(host.len()))?;
    let longer = BitVec::filled(queue, false, host.len() + 1)?;
    refused("bits of another length", device.and(&longer))
}

const PIECES: [&str; 12] =
    ["", "a", "b", "ab", "aa", "ba", "ä", "€", "Zoë", "aab", ",", "long enough for more than a word"];

fn text(dice: &mut Dice) -> String {
    (0..dice.below(5)).map(|_| dice.pick(&PIECES)).collect()
}

fn strings(queue: &Queue, dice: &mut Dice) -> Outcome {
    let host: Vec<String> = (0..dice.len() % 150).map(|_| text(dice)).collect();
    let device = Strings::from_slice(queue, &host)?;
    let pattern = dice.pick(&["a", "ab", "aa", "aba", "€", ",", "b"]);
    match dice.below(7) {
        0 => {
            let found: Vec<u32> =
                host.iter().map(|x| x.find(pattern).map_or(Strings::NOT_FOUND, |at| at as u32)).collect();
            same("places of a pattern", &device.find(pattern)?.to_vec()?, &found)?;
            let ends: Vec<bool> = host.iter().map(|x| x.ends_with(pattern)).collect();
            same("ends", &device.ends_with(pattern)?.to_vec()?, &ends)
        }
        1 => {
            let (parts, first) = device.split(pattern)?;
            let expected: Vec<Vec<String>> =
                host.iter().map(|x| x.split(pattern).map(str::to_owned).collect()).collect();
            same("parts of strings", &parts.to_vec()?, &expected.concat())?;
            let mut begins = vec![0_u32];
            expected.iter().for_each(|parts| begins.push(begins[begins.len() - 1] + parts.len() as u32));
            same("first parts", &first.to_vec()?, &begins)
        }
        2 => {
            let mut sorted = host;
            sorted.sort();
            same("sorted strings", &device.sorted()?.to_vec()?, &sorted)?;
            sorted.dedup();
            same("distinct strings", &device.distinct()?.to_vec()?, &sorted)
        }
        3 => {
            let (distinct, codes) = device.codes()?;
            let (distinct, codes) = (distinct.to_vec()?, codes.to_vec()?);
            let again: Vec<String> = codes.iter().map(|&code| distinct[code as usize].clone()).collect();
            same("strings of codes", &again, &host)
        }
        4 => {
            let upper: Vec<String> = host.iter().map(|x| x.to_ascii_uppercase()).collect();
            same("upper case", &device.to_ascii_uppercase()?.to_vec()?, &upper)?;
            let counts: Vec<u32> = host.iter().map(|x| x.chars().count() as u32).collect();
            same("counts of characters", &device.char_counts()?.to_vec()?, &counts)
        }
        5 => {
            let at: Vec<u32> = (0..dice.len() % 90).map(|_| dice.below(host.len()) as u32).collect();
            if host.is_empty() {
                return refused("a string of none", device.get(0));
            }
            let gathered = device.gather(&DeviceVec::from_slice(queue, &at)?)?;
            let expected: Vec<String> = at.iter().map(|&at| host[at as usize].clone()).collect();
            same("gathered strings", &gathered.to_vec()?, &expected)?;
            let all = Strings::concat(queue, [&device, &gathered])?;
            same("strings together", &all.to_vec()?, &[host, expected].concat())
        }
        _ => {
            let other = Strings::from_slice(queue, &host.iter().map(|_| text(dice)).collect::<Vec<_>>())?;
            let others = other.to_vec()?;
            let orders: Vec<i32> = host.iter().zip(&others).map(|(a, b)| a.cmp(b) as i32).collect();
            let got = device.compare(&other).map(|order| order.gt(0).select(1, order.lt(0).select(-1, 0)));
            same("orders of strings", &got.collect_on(queue)?.to_vec()?, &orders)?;
            // Offsets that fall or leave the bytes, and bytes that are not UTF-8.
            let bytes = |bytes: &[u8]| DeviceVec::from_slice(queue, bytes);
            let offsets = |offsets: &[u32]| DeviceVec::from_slice(queue, offsets);
            refused("offsets that fall", Strings::from_parts(bytes(b"abc")?, offsets(&[0, 2, 1, 3])?))?;
            refused("offsets beyond the bytes", Strings::from_parts(bytes(b"abc")?, offsets(&[0, 4])?))?;
            refused("zero offsets", Strings::from_parts(bytes(b"abc")?, offsets(&[])?))?;
            refused("bytes that are not text", Strings::from_parts(bytes(&[0xff])?, offsets(&[0, 1])?))
        }
    }
}

fn groups(queue: &Queue, dice: &mut Dice) -> Outcome {
    let (keys, host) = keys(queue, dice)?;
    let values: Vec<i32> = host.iter().map(|_| dice.value()).collect();
    let device = DeviceVec::from_slice(queue, &values)?;
    let mut expected: BTreeMap<u32, Vec<i32>> = BTreeMap::new();
    host.iter().zip(&values).for_each(|(key, value)| expected.entry(*key).or_default().push(*value));
    let groups = GroupBy::new(&keys)?;
    let of = |item: fn(&Vec<i32>) -> i32| expected.values().map(item).collect::<Vec<i32>>();
    same("keys of groups", &groups.keys().to_vec()?, &expected.keys().copied().collect::<Vec<_>>())?;
    match dice.below(4) {
        0 => same(
            "sums of groups",
            &groups.sum(&device)?.to_vec()?,
            &of(|x| x.iter().fold(0, |a, b| a.wrapping_add(*b))),
        ),
        1 => {
            let least = of(|x| x.iter().copied().min().unwrap_or(0));
            same("the least of groups", &groups.min(&device)?.to_vec()?, &least)?;
            let most = groups.reduce_with(&device, Max)?;
            same("the largest of groups", &most.to_vec()?, &of(|x| x.iter().copied().max().unwrap_or(0)))
        }
        2 if !host.is_empty() => {
            same("the first of groups", &groups.first(&device).collect()?.to_vec()?, &of(|x| x[0]))?;
            same("the last of groups", &groups.last(&device).collect()?.to_vec()?, &of(|x| x[x.len() - 1]))
        }
        _ => {
            let counts: Vec<u32> = expected.values().map(|x| x.len() as u32).collect();
            same("counts of groups", &groups.counts().collect_on(queue)?.to_vec()?, &counts)?;
            let (values, times) = value_counts(&keys)?;
            same("distinct values", &values.to_vec()?, &expected.keys().copied().collect::<Vec<_>>())?;
            same("how often they occur", &times.to_vec()?, &counts)?;
            same("distinct keys", &distinct(&keys)?.to_vec()?, &values.to_vec()?)
        }
    }
}

/// Joins two tables by keys in any order.
fn joins(queue: &Queue, dice: &mut Dice) -> Outcome {
    let range = dice.pick(&[30, 300, 1 << 30]);
    let column =
        |dice: &mut Dice| -> Vec<u32> { (0..dice.len() % 200).map(|_| dice.below(range) as u32).collect() };
    let (left, mut right) = (column(dice), column(dice));
    if dice.one_in(2) {
        right.sort_unstable();
    }
    let (a, b) = (DeviceVec::from_slice(queue, &left)?, DeviceVec::from_slice(queue, &right)?);
    let all = dice.one_in(2);
    let mut expected = Vec::new();
    for (row, key) in (0_u32..).zip(&left) {
        let before = expected.len();
        expected
            .extend((0_u32..).zip(&right).filter(|(_, other)| *other == key).map(|(other, _)| (row, other)));
        if all && expected.len() == before {
            expected.push((row, Join::NO_ROW));
        }
    }
    let join = if all { left_join(&a, &b)? } else { inner_join(&a, &b)? };
    let pairs: Vec<(u32, u32)> = join.left().to_vec()?.into_iter().zip(join.right().to_vec()?).collect();
    same("the pairs of a join", &pairs, &expected)
}
