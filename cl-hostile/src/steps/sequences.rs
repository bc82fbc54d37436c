//! Steps with vectors that grow, segments, set operations, order statistics and sorts of host memory.

use crate::dice::Dice;
use crate::finding::{Outcome, equal, refused, same};
use crate::world::World;
use cl_algo::prelude::*;
use cl_algo::reducers::{Max, MinElement};
use cl_algo::stl::{
    includes, nth_element, partial_sort, partition3, set_difference, set_intersection,
    set_symmetric_difference, set_union, set_union_by_key,
};
use cl_algo::{ExternalSort, Segments};
use cl_core::Result;
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Sequence {
    Grow,
    SegmentsFold,
    SegmentsScan,
    SegmentsSort,
    SegmentsTop,
    SegmentsCount,
    Sets,
    Ranks,
    External,
}

pub(crate) const SEQUENCES: [Sequence; 9] = [
    Sequence::Grow,
    Sequence::SegmentsFold,
    Sequence::SegmentsScan,
    Sequence::SegmentsSort,
    Sequence::SegmentsTop,
    Sequence::SegmentsCount,
    Sequence::Sets,
    Sequence::Ranks,
    Sequence::External,
];

pub(crate) fn sequence(world: &mut World, what: Sequence, vector: usize, seed: u64) -> Outcome {
    let mut dice = Dice::new(seed, 16);
    match what {
        Sequence::Grow => world.change(vector, |world, device, host| grow(world, device, host, &mut dice)),
        Sequence::Sets => sets(world.main_queue(), &mut dice),
        Sequence::External => external(world.main_queue(), &mut dice),
        Sequence::Ranks => world.change(vector, |_, device, host| ranks(device, host, &mut dice)),
        _ => segments(world, what, vector, &mut dice),
    }
}

/// Changes the length of a vector several times.
fn grow(world: &World, device: &mut DeviceVec<i32>, host: &mut Vec<i32>, dice: &mut Dice) -> Outcome {
    for _ in 0..1 + dice.below(8) {
        let (len, value) = (host.len(), dice.value());
        let at = dice.below(len + 1);
        let range = crate::expression::range(dice.len(), dice.len(), len);
        match dice.below(16) {
            0 => {
                device.push(value)?;
                host.push(value);
            }
            1 => equal("the last element", device.pop()?, host.pop())?,
            2 => {
                device.insert(at, value)?;
                host.insert(at, value);
            }
            3 if len > 0 => equal("a removed element", device.remove(at % len)?, host.remove(at % len))?,
            4 if len > 0 => {
                equal("a removed element", device.swap_remove(at % len)?, host.swap_remove(at % len))?;
            }
            5 => {
                device.erase(range.clone())?;
                drop(host.drain(range));
            }
            6 => {
                let drained: Vec<i32> = host.drain(range.clone()).collect();
                same("drained elements", &device.drain(range)?.to_vec()?, &drained)?;
            }
            7 if len < 6000 => {
                let new = world.array(0).1.items.clone();
                device.splice(range.clone(), &DeviceVec::from_slice(device.queue(), &new)?)?;
                drop(host.splice(range, new));
            }
            8 if len < 6000 => {
                let other = world.vector(at);
                device.extend(other * 2)?;
                host.extend(world.host[world.resolve(at)].iter().map(|x| x.wrapping_mul(2)));
            }
            9 if len < 6000 => {
                device.extend_from_slice(&[value; 5])?;
                host.extend([value; 5]);
            }
            10 => {
                let to = dice.len();
                device.resize(to, value)?;
                host.resize(to, value);
            }
            11 => device.shrink_to_fit()?,
            12 => device.reserve(dice.len())?,
            13 => {
                same("what is split off", &device.split_off(at)?.to_vec()?, &host.split_off(at))?;
            }
            14 => {
                refused("an insertion beyond the end", device.insert(len + 1, 0))?;
                refused("a removal beyond the end", device.remove(len))?;
                refused("more elements than can be counted", device.reserve(usize::MAX))?;
            }
            _ => {
                let mut other = DeviceVec::from_slice(device.queue(), &[value, 1, 2])?;
                device.append(&mut other)?;
                host.extend([value, 1, 2]);
                equal("the length of an appended vector", other.len(), 0)?;
            }
        }
        if dice.one_in(3) {
            same("a vector that grew", &device.to_vec()?, host)?;
        }
    }
    Ok(())
}

/// Works on contiguous parts of a vector.
fn segments(world: &mut World, what: Sequence, vector: usize, dice: &mut Dice) -> Outcome {
    world.change(vector, |world, device, host| {
        // A few long segments, many short ones, empty ones.
        let mean = dice.pick(&[0, 1, 3, 20, 300]);
        let mut offsets = vec![0_u32];
        while (offsets[offsets.len() - 1] as usize) < host.len() && offsets.len() < 3000 {
            let next = offsets[offsets.len() - 1] as usize + dice.below(2 * mean + 2);
            offsets.push(next.min(host.len()) as u32);
        }
        let end = offsets[offsets.len() - 1] as usize;
        let (host, len) = (&mut host[..end], end);
        let queue = world.main_queue().clone();
        let parts: Vec<std::ops::Range<usize>> =
            offsets.windows(2).map(|pair| pair[0] as usize..pair[1] as usize).collect();
        let device_offsets = DeviceVec::from_slice(&queue, &offsets)?;
        let segments = match dice.one_in(2) {
            true => Segments::from_offsets(&device_offsets)?,
            false if parts.is_empty() => return Ok(()),
            false => {
                let lengths: Vec<u32> = parts.iter().map(|part| part.len() as u32).collect();
                Segments::from_lengths(&DeviceVec::from_slice(&queue, &lengths)?)?
            }
        };
        equal("the number of segments", segments.count(), parts.len())?;
        equal(
            "the longest segment",
            segments.longest(),
            parts.iter().map(ExactSizeIterator::len).max().unwrap_or(0),
        )?;
        let items = device.slice(..len);
        let of = |part: &std::ops::Range<usize>| host[part.clone()].to_vec();
        match what {
            Sequence::SegmentsFold => {
                let sums: Vec<i32> =
                    parts.iter().map(|part| of(part).into_iter().fold(0, i32::wrapping_add)).collect();
                same("sums of segments", &segments.sum(items.clone())?.to_vec()?, &sums)?;
                let most: Vec<i32> =
                    parts.iter().map(|part| of(part).into_iter().max().unwrap_or(-7)).collect();
                let got = segments.reduce_with(items.clone(), Max, -7)?;
                same("the largest of segments", &got.to_vec()?, &most)?;
                let least = |part| {
                    let least = of(part).into_iter().enumerate().min_by_key(|&(at, x)| (x, at));
                    least.map_or(9, |(at, _)| at as u64)
                };
                let (at, _) = segments.reduce_with(items, MinElement::<u32>::new(), (9, 0))?;
                same("positions in segments", &at.to_vec()?, &parts.iter().map(least).collect::<Vec<_>>())?;
                // Offsets that fall, or that do not begin with 0, are refused.
                let mut wrong = offsets.clone();
                let last = wrong.len() - 1;
                wrong[0] = 1;
                wrong[last] = if last == 0 { 1 } else { 0 };
                let wrong = DeviceVec::from_slice(&queue, &wrong)?;
                refused("offsets that do not rise from 0", Segments::from_offsets(&wrong))?;
                let longer = DeviceVec::filled(&queue, 0, len + 1)?;
                refused("more items than segments have", segments.sum(&longer))
            }
            Sequence::SegmentsScan => {
                let scans = |first: Option<i32>| -> Vec<i32> {
                    let scan = |part| {
                        let mut sum = first.unwrap_or(0);
                        let next = |x: i32| {
                            let before = sum;
                            sum = sum.wrapping_add(x);
                            if first.is_some() { before } else { sum }
                        };
                        of(part).into_iter().map(next).collect::<Vec<_>>()
                    };
                    parts.iter().flat_map(scan).collect()
                };
                let got = segments.inclusive_scan(items.clone())?.collect()?;
                same("sums in segments", &got.to_vec()?, &scans(None))?;
                let got = segments.exclusive_scan(items, 5)?.collect()?;
                same("sums before items of segments", &got.to_vec()?, &scans(Some(5)))
            }
            Sequence::SegmentsSort => {
                let descending = dice.one_in(2);
                match descending {
                    true => segments.sort_descending(device.slice_mut(..len))?,
                    false => segments.sort(device.slice_mut(..len))?,
                }
                for part in &parts {
                    match descending {
                        true => host[part.clone()].sort_unstable_by(|a, b| b.cmp(a)),
                        false => host[part.clone()].sort_unstable(),
                    }
                }
                same("sorted segments", &device.slice(..len).to_vec()?, host)
            }
            Sequence::SegmentsTop => {
                let k = dice.below(5);
                let (values, at) = segments.top_k(items, k, i32::MIN)?;
                let mut expected = (Vec::new(), Vec::new());
                for part in &parts {
                    let mut order: Vec<usize> = (0..part.len()).collect();
                    order.sort_by_key(|&at| std::cmp::Reverse(host[part.start + at]));
                    for place in 0..k {
                        expected.0.push(order.get(place).map_or(i32::MIN, |&at| host[part.start + at]));
                        expected.1.push(order.get(place).map_or(u32::MAX, |&at| at as u32));
                    }
                }
                same("the largest elements of segments", &values.to_vec()?, &expected.0)?;
                same("their positions", &at.to_vec()?, &expected.1)
            }
            _ => {
                let bins = 1 + dice.below(9);
                let got = segments.histogram(items.map(|x| x & 15), bins)?;
                let mut counts = vec![0_u32; bins * parts.len()];
                for (number, part) in parts.iter().enumerate() {
                    of(part).iter().map(|x| (x & 15) as usize).filter(|&bin| bin < bins).for_each(|bin| {
                        counts[number * bins + bin] += 1;
                    });
                }
                same("counts of segments", &got.to_vec()?, &counts)
            }
        }
    })
}

/// Returns a sorted vector with few values, on the device and on the host.
fn sorted(queue: &Queue, dice: &mut Dice) -> Result<(DeviceVec<i32>, Vec<i32>)> {
    let values = 1 + dice.below(60);
    let mut host: Vec<i32> = (0..dice.len()).map(|_| dice.below(values) as i32 - 20).collect();
    host.sort_unstable();
    Ok((DeviceVec::from_slice(queue, &host)?, host))
}

fn sets(queue: &Queue, dice: &mut Dice) -> Outcome {
    let ((a, host_a), (b, host_b)) = (sorted(queue, dice)?, sorted(queue, dice)?);
    let mut counts: BTreeMap<i32, [usize; 2]> = BTreeMap::new();
    host_a.iter().for_each(|&x| counts.entry(x).or_default()[0] += 1);
    host_b.iter().for_each(|&x| counts.entry(x).or_default()[1] += 1);
    let of = |times: &dyn Fn([usize; 2]) -> usize| -> Vec<i32> {
        counts.iter().flat_map(|(&x, &both)| std::iter::repeat_n(x, times(both))).collect()
    };
    let mut output = DeviceVec::filled(queue, -99, a.len() + b.len())?;
    let (expected, count) = match dice.below(4) {
        0 => (of(&|[m, n]| m.max(n)), set_union(&a, &b, &mut output)?),
        1 => (of(&|[m, n]| m.min(n)), set_intersection(&a, &b, &mut output)?),
        2 => (of(&|[m, n]| m.saturating_sub(n)), set_difference(&a, &b, &mut output)?),
        _ => (of(&|[m, n]| m.abs_diff(n)), set_symmetric_difference(&a, &b, &mut output)?),
    };
    equal("the size of a set", count.get()? as usize, expected.len())?;
    let rest = vec![-99; output.len() - expected.len()];
    same("a set", &output.to_vec()?, &[expected, rest].concat())?;
    let has_all = counts.values().all(|[m, n]| n <= m);
    equal("whether a set includes another", includes(&a, &b)?, has_all)?;
    let (mut keys, mut values) =
        (DeviceVec::filled(queue, 0, output.len())?, DeviceVec::filled(queue, 0, output.len())?);
    let count = set_union_by_key((&a, 1), (&b, 2), (&mut keys, &mut values))?.get()? as usize;
    let from: Vec<i32> = counts
        .values()
        .flat_map(|&[m, n]| std::iter::repeat_n(1, m).chain(std::iter::repeat_n(2, n.saturating_sub(m))))
        .collect();
    same("the origins of a union", &values.slice(..count).to_vec()?, &from)
}

fn ranks(device: &mut DeviceVec<i32>, host: &mut [i32], dice: &mut Dice) -> Outcome {
    let mut ordered = host.to_vec();
    ordered.sort_unstable();
    let (len, k) = (host.len(), dice.below(host.len() + 1));
    if len == 0 {
        return refused("a rank of zero elements", device.iter().select_nth(0));
    }
    match dice.below(5) {
        0 => equal("an element by rank", device.iter().select_nth(k.min(len - 1))?, ordered[k.min(len - 1)]),
        1 => {
            let (values, at) = device.iter().bottom_k(k)?;
            same("the smallest elements", &values.to_vec()?, &ordered[..k])?;
            let found: Vec<i32> = at.to_vec()?.into_iter().map(|at| host[at as usize]).collect();
            same("the elements at their positions", &found, &ordered[..k])
        }
        2 => {
            partial_sort(&mut *device, k)?;
            let got = device.to_vec()?;
            same("the sorted begin", &got[..k], &ordered[..k])?;
            host.copy_from_slice(&got);
            let mut all = got;
            all.sort_unstable();
            same("a vector after partial_sort", &all, &ordered)
        }
        3 => {
            let n = k.min(len - 1);
            nth_element(&mut *device, n)?;
            let got = device.to_vec()?;
            equal("the element at its rank", got[n], ordered[n])?;
            equal("whether the others are around", got[..n].iter().all(|x| *x <= got[n]), true)?;
            host.copy_from_slice(&got);
            let mut all = got;
            all.sort_unstable();
            same("a vector after nth_element", &all, &ordered)
        }
        _ => {
            let pivot = ordered[k.min(len - 1)];
            let mut parts = DeviceVec::filled(device.queue(), 0, len)?;
            let (less, most) = partition3(&*device, pivot, &mut parts)?;
            let (less, most) = (less.get()? as usize, most.get()? as usize);
            equal("the number of lesser elements", less, ordered.partition_point(|x| *x < pivot))?;
            equal("the number of elements up to the pivot", most, ordered.partition_point(|x| *x <= pivot))?;
            let mut got = parts.to_vec()?;
            got[..less].sort_unstable();
            got[most..].sort_unstable();
            same("a vector in three parts", &got, &ordered)
        }
    }
}

/// Sorts memory of the host in pieces.
fn external(queue: &Queue, dice: &mut Dice) -> Outcome {
    let mut keys: Vec<u32> = (0..dice.len()).map(|_| dice.below(500) as u32).collect();
    let mut values: Vec<i32> = (0..keys.len() as i32).collect();
    // At least 256 items are a piece.
    let sort = ExternalSort::on(queue).memory(dice.pick(&[1, 20_000, 1 << 24]));
    let descending = dice.one_in(2);
    let sort = if descending { sort.descending() } else { sort };
    let mut pairs: Vec<(u32, i32)> = keys.iter().copied().zip(values.iter().copied()).collect();
    match descending {
        true => pairs.sort_by_key(|pair| std::cmp::Reverse(pair.0)),
        false => pairs.sort_by_key(|pair| pair.0),
    }
    let (sorted, moved): (Vec<u32>, Vec<i32>) = pairs.into_iter().unzip();
    if dice.one_in(2) {
        sort.keys(&mut keys)?;
        return same("keys of the host", &keys, &sorted);
    }
    refused("values of another length", sort.by_key(&mut keys, &mut vec![0; values.len() + 1][..]))?;
    sort.by_key(&mut keys, &mut values[..])?;
    same("keys of the host", &keys, &sorted)?;
    same("values of the host", &values, &moved)
}
