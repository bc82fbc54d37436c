//! Sets, selections and segments of 2^24 + 1 elements, where floats and kernels of 24 bits would err, and of elements of 1, 2,
//! 4, 8 and 16 bytes.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use crate::both_shapes::each_queue;
use cl_algo::prelude::*;
use cl_algo::stl::{
    adjacent_find, copy_if, equal, includes, is_sorted, partition, set_difference, set_intersection,
    set_symmetric_difference, set_union, unique,
};
use cl_algo::{Ordered, Segments, SortKey};
use cl_test::full_or_small;
use std::fmt::Debug;

fn long() -> usize {
    full_or_small((1 << 24) + 1, (1 << 14) + 1)
}

#[test]
fn sets() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let len = long();
        let (twos, threes) = (iota(0_u32, len) * 2_u32, iota(0_u32, len) * 3_u32);
        let (a, b) = (twos.collect_on(queue).unwrap(), threes.collect_on(queue).unwrap());
        let mut out = DeviceVec::filled(queue, 0_u32, 2 * len).unwrap();
        // The multiples of 6 below twice the length.
        let common = (2 * len).div_ceil(6);
        let count = set_intersection(&a, &b, &mut out).unwrap().get().unwrap() as usize;
        assert_eq!(count, common);
        assert!(equal(out.slice(..count), iota(0_u32, count) * 6_u32).unwrap());
        let count = set_difference(&a, &b, &mut out).unwrap().get().unwrap() as usize;
        assert_eq!(count, len - common);
        let expected = iota(0_u32, count).map(|i| i / 2 * 6 + (i % 2) * 2 + 2);
        assert!(equal(out.slice(..count), expected).unwrap());
        let count = set_symmetric_difference(&a, &b, &mut out).unwrap().get().unwrap() as usize;
        assert_eq!(count, 2 * (len - common));
        let count = set_union(&a, &b, &mut out).unwrap().get().unwrap() as usize;
        assert_eq!(count, 2 * len - common);
        let union = out.slice(..count);
        assert!(is_sorted(&union).unwrap() && adjacent_find(&union).unwrap().is_none());
        assert!(includes(&union, &a).unwrap() && includes(&union, &b).unwrap());
    });
}

#[test]
fn selections() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let len = long();
        let x = iota(0_u32, len).collect_on(queue).unwrap();
        let mut out = DeviceVec::filled(queue, 0_u32, len).unwrap();
        let thirds = len.div_ceil(3);
        let count = copy_if(&x, |x| (x % 3).eq(0), &mut out).unwrap().get().unwrap() as usize;
        assert_eq!(count, thirds);
        assert!(equal(out.slice(..count), iota(0_u32, count) * 3_u32).unwrap());
        let count = partition(&x, |x| (x % 3).eq(0), &mut out).unwrap().get().unwrap() as usize;
        assert_eq!(count, thirds);
        let others = iota(0_u32, len - count).map(|i| i / 2 * 3 + i % 2 + 1);
        assert!(equal(out.slice(count..), others).unwrap());
        let count = unique(&x / 2_u32, &mut out).unwrap().get().unwrap() as usize;
        assert_eq!(count, len.div_ceil(2));
        assert!(equal(out.slice(..count), iota(0_u32, count)).unwrap());
        assert_eq!(x.iter().rev().select_nth(len - 1).unwrap(), len as u32 - 1);
        let (largest, at) = x.iter().rev().top_k(2).unwrap();
        assert_eq!(largest.to_vec().unwrap(), [len as u32 - 1, len as u32 - 2]);
        assert_eq!(at.to_vec().unwrap(), [0, 1]);
    });
}

#[test]
fn segments() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let len = long();
        let x = (len as u32 - iota(0_u32, len)).collect_on(queue).unwrap();
        // Many short segments, and a long one behind the shortest.
        let short = [vec![3_u32; len / 3], vec![(len % 3) as u32]].concat();
        for lengths in [short, vec![1, (len - 1) as u32]] {
            let lens = DeviceVec::from_slice(queue, &lengths).unwrap();
            let segments = Segments::from_lengths(&lens).unwrap();
            assert!(equal(segments.sum(1_u32).unwrap(), &lens).unwrap());
            let ends = segments.inclusive_scan(1_u32).unwrap().collect().unwrap();
            let (begins, numbers) = (segments.offsets(), segments.numbers().unwrap());
            let places = index::<u32>() + 1 - begins.iter().gather(numbers.clone());
            assert!(equal(&ends, places).unwrap());
            let mut sorted = x.try_clone().unwrap();
            segments.sort(&mut sorted).unwrap();
            // The elements of a segment are reversed, because they descended.
            let from = begins.iter().gather(numbers + 1) - ends;
            assert!(equal(&sorted, len as u32 - from).unwrap());
        }
    });
}

/// Selects from, combines and sorts elements of one type.
fn check<T>(queue: &Queue)
where
    T: SortKey + Ordered + PartialEq + Ord + From<u8> + Debug,
{
    let len = 4099_usize;
    let host: Vec<T> =
        (0..len as u32).map(|i| T::from((i.wrapping_mul(2_654_435_761) >> 24) as u8)).collect();
    let x = DeviceVec::from_slice(queue, &host).unwrap();
    let (few, limit) = (T::from(7), T::from(100));
    let name = std::any::type_name::<T>();

    let kept = x.iter().filter(|x| x.gt(limit)).collect().unwrap().to_vec().unwrap();
    let (above, rest): (Vec<T>, Vec<T>) = host.iter().partition(|&&x| x > limit);
    assert_eq!(kept, above, "{name}");
    let mut parts = DeviceVec::filled(queue, few, len).unwrap();
    partition(&x, |x| x.gt(limit), &mut parts).unwrap();
    assert_eq!(parts.to_vec().unwrap(), [above, rest].concat(), "{name}");

    let lengths = [0_u32, 1, 2000, 3, 0, 2095];
    let segments = Segments::from_lengths(DeviceVec::from_slice(queue, &lengths).unwrap()).unwrap();
    let mut sorted = x.try_clone().unwrap();
    segments.sort(&mut sorted).unwrap();
    let largest = segments.reduce(&x, T::from(0), Val::max).unwrap().to_vec().unwrap();
    let (mut expected, mut expected_largest, mut begin) = (host.clone(), Vec::new(), 0);
    for len in lengths {
        let part = &mut expected[begin..begin + len as usize];
        part.sort_unstable();
        expected_largest.push(part.last().copied().unwrap_or(T::from(0)));
        begin += len as usize;
    }
    assert_eq!(sorted.to_vec().unwrap(), expected, "{name}");
    assert_eq!(largest, expected_largest, "{name}");

    let mut all = x.try_clone().unwrap();
    all.sort().unwrap();
    all.dedup().unwrap();
    expected.sort_unstable();
    expected.dedup();
    assert_eq!(all.to_vec().unwrap(), expected, "{name}");
    let some = all.iter().step_by(3).collect().unwrap();
    let mut out = DeviceVec::filled(queue, few, expected.len()).unwrap();
    let count = set_difference(&all, &some, &mut out).unwrap().get().unwrap() as usize;
    let others: Vec<T> = (0..expected.len()).filter(|at| at % 3 != 0).map(|at| expected[at]).collect();
    assert_eq!(out.to_vec().unwrap()[..count], others, "{name}");
    let count = set_intersection(&all, &some, &mut out).unwrap().get().unwrap() as usize;
    assert_eq!(out.to_vec().unwrap()[..count], some.to_vec().unwrap(), "{name}");
}

#[test]
fn elements_of_2_to_8_bytes() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        check::<u16>(queue);
        check::<u32>(queue);
        check::<u64>(queue);
    });
}

/// Takes the smallest and the largest elements, in both shapes of kernels.
#[test]
fn elements_of_1_and_of_16_bytes() {
    each_queue(|queue| {
        check::<u8>(queue);
        check::<u128>(queue);
    });
}
