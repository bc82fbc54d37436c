//! Integers of 128 bits as elements: every algorithm that needs an order, against the host's integers.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use crate::both_shapes::each_queue;
use cl_algo::math::{clamp, max, min};
use cl_algo::prelude::*;
use cl_algo::stl::{
    argsort, binary_searches, equal_range, includes, is_sorted, lexsort, lower_bound, lower_bounds, merge,
    set_intersection, sort_by, sort_by_key, unique, upper_bounds,
};
use cl_algo::{ExternalSort, Segments};
use proptest::prelude::*;
use std::cmp::Reverse;
use std::net::Ipv6Addr;

/// Returns numbers of which the upper halves, the lower halves, or both are often equal.
fn numbers(len: usize, seed: u64) -> Vec<u128> {
    let word = |i: u64| (i ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
    let halves =
        (0..len as u64).map(|i| (word(i) % 3 + (word(i) >> 63 << 63), word(i + 7) >> (word(i) % 64)));
    halves.map(|(high, low)| u128::from(high) << 64 | u128::from(low)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cl_test::full_or_small(6, 2)))]

    #[test]
    fn sorts_and_searches(len in 0_usize..3000, seed: u64) {
        each_queue(|queue| {
            let host = numbers(len, seed);
            let mut expected = host.clone();
            expected.sort_unstable();
            let mut order: Vec<u32> = (0..len as u32).collect();
            order.sort_by_key(|&i| host[i as usize]);

            let x = DeviceVec::from_slice(queue, &host).unwrap();
            assert_eq!(argsort(&x).unwrap().to_vec().unwrap(), order);
            let mut sorted = x.try_clone().unwrap();
            let mut places = DeviceVec::from_fn(queue, len, |i| i as u32).unwrap();
            sort_by_key(&mut sorted, &mut places).unwrap();
            assert_eq!(sorted.to_vec().unwrap(), expected);
            assert_eq!(places.to_vec().unwrap(), order);
            assert!(is_sorted(&sorted).unwrap());
            assert_eq!(is_sorted(&x).unwrap(), host.is_sorted());

            let needles = numbers(200, seed / 3);
            let device_needles = DeviceVec::from_slice(queue, &needles).unwrap();
            let mut positions = DeviceVec::filled(queue, 0_u32, needles.len()).unwrap();
            lower_bounds(&sorted, &device_needles, &mut positions).unwrap();
            let expected_positions: Vec<u32> =
                needles.iter().map(|needle| expected.partition_point(|x| x < needle) as u32).collect();
            assert_eq!(positions.to_vec().unwrap(), expected_positions);
            upper_bounds(&sorted, &device_needles, &mut positions).unwrap();
            let ends: Vec<u32> =
                needles.iter().map(|needle| expected.partition_point(|x| x <= needle) as u32).collect();
            assert_eq!(positions.to_vec().unwrap(), ends);
            let mut found = DeviceVec::filled(queue, false, needles.len()).unwrap();
            binary_searches(&sorted, &device_needles, &mut found).unwrap();
            let is_there: Vec<bool> = needles.iter().map(|needle| expected.binary_search(needle).is_ok()).collect();
            assert_eq!(found.to_vec().unwrap(), is_there);

            let distinct = sorted.iter().dedup().collect().unwrap().to_vec().unwrap();
            expected.dedup();
            assert_eq!(distinct, expected);
        });
    }
}

#[test]
fn signed_numbers_in_every_order() {
    each_queue(|queue| {
        let host: Vec<i128> = numbers(2005, 5).into_iter().map(u128::cast_signed).collect();
        let mut x = DeviceVec::from_slice(queue, &host).unwrap();
        let mut expected = host.clone();
        expected.sort_unstable_by_key(|&x| Reverse(x));
        x.sort_descending().unwrap();
        assert_eq!(x.to_vec().unwrap(), expected);
        sort_by(&mut x, Val::lt).unwrap();
        expected.reverse();
        assert_eq!(x.to_vec().unwrap(), expected);
        assert_eq!(
            equal_range(&x, expected[700]).unwrap().start,
            expected.partition_point(|&x| x < expected[700])
        );

        let order = lexsort((Reverse(&x), x.iter().low())).unwrap().to_vec().unwrap();
        assert!(order.iter().copied().map(|i| expected[i as usize]).is_sorted_by_key(Reverse));
        let lengths = DeviceVec::from_slice(queue, &[1000_u32, 1005]).unwrap();
        let segments = Segments::from_lengths(&lengths).unwrap();
        let mut parts = DeviceVec::from_slice(queue, &host).unwrap();
        segments.sort(&mut parts).unwrap();
        let parts = parts.to_vec().unwrap();
        assert!(parts[..1000].is_sorted() && parts[1000..].is_sorted());

        let mut external = host.clone();
        ExternalSort::on(queue).memory(6 * 16 * 400).keys(&mut external).unwrap();
        assert_eq!(external, expected);
    });
}

#[test]
fn sets_merges_and_runs() {
    each_queue(|queue| {
        let [mut a, mut b] = [numbers(900, 1), numbers(1100, 2)];
        a.sort_unstable();
        b.sort_unstable();
        a.dedup();
        b.dedup();
        let [x, y] = [&a, &b].map(|host| DeviceVec::from_slice(queue, host).unwrap());
        let mut both = DeviceVec::filled(queue, 0_u128, a.len() + b.len()).unwrap();
        merge(&x, &y, &mut both).unwrap();
        let mut expected = [a.clone(), b.clone()].concat();
        expected.sort_unstable();
        assert_eq!(both.to_vec().unwrap(), expected);
        assert!(includes(&both, &x).unwrap());
        let mut common = DeviceVec::filled(queue, 0_u128, a.len()).unwrap();
        let count = set_intersection(&x, &y, &mut common).unwrap().get().unwrap() as usize;
        let in_both: Vec<u128> = a.iter().copied().filter(|x| b.binary_search(x).is_ok()).collect();
        assert_eq!(common.to_vec().unwrap()[..count], in_both);
        let mut distinct = DeviceVec::filled(queue, 0_u128, expected.len()).unwrap();
        let count = unique(&both, &mut distinct).unwrap().get().unwrap() as usize;
        expected.dedup();
        assert_eq!(distinct.to_vec().unwrap()[..count], expected);
    });
}

#[test]
fn comparisons_and_halves() {
    each_queue(|queue| {
        let wide = [i128::MIN, -1, 0, 1, i128::from(u64::MAX), 1 << 64, i128::MAX];
        let pairs: Vec<(i128, i128)> = wide.iter().flat_map(|&a| wide.map(|b| (a, b))).collect();
        let (a, b): (Vec<i128>, Vec<i128>) = pairs.iter().copied().unzip();
        let (x, y) = (DeviceVec::from_slice(queue, &a).unwrap(), DeviceVec::from_slice(queue, &b).unwrap());
        let flags = |x: Expr<'_, bool>| x.collect().unwrap().to_vec().unwrap();
        let on_host = |f: fn(&i128, &i128) -> bool| pairs.iter().map(|(a, b)| f(a, b)).collect::<Vec<_>>();
        assert_eq!(flags(x.iter().lt(&y)), on_host(i128::lt));
        assert_eq!(flags(x.iter().le(&y)), on_host(i128::le));
        assert_eq!(flags(x.iter().gt(&y)), on_host(i128::gt));
        assert_eq!(flags(x.iter().ge(&y)), on_host(i128::ge));
        assert_eq!(flags(x.iter().eq(&y)), on_host(i128::eq));
        assert_eq!(flags(x.iter().ne(&y)), on_host(i128::ne));
        let values = |x: Expr<'_, i128>| x.collect().unwrap().to_vec().unwrap();
        assert!(values(min(&x, &y)).iter().zip(&pairs).all(|(&x, &(a, b))| x == a.min(b)));
        assert!(values(max(&x, &y)).iter().zip(&pairs).all(|(&x, &(a, b))| x == a.max(b)));
        assert!(
            values(clamp(&x, -1, &y)).iter().zip(&pairs).all(|(&x, &(a, b))| b < -1 || x == a.clamp(-1, b))
        );
        assert_eq!(x.iter().reduce_min().unwrap(), Some(i128::MIN));
        assert_eq!(x.iter().max_element().unwrap(), Some((42, i128::MAX)));
        let swapped = Expr::<u128>::from_halves(x.iter().low(), x.iter().high().cast::<u64>());
        let expected: Vec<u128> = a.iter().map(|a| a.cast_unsigned().rotate_left(64)).collect();
        assert_eq!(swapped.collect().unwrap().to_vec().unwrap(), expected);
        let same = x.iter().map(|x| Val::<i128>::from_halves(x.high(), x.low()));
        assert_eq!(values(same), a);
    });
}

#[test]
fn addresses_are_searched_in_blocks() {
    each_queue(|queue| {
        let addresses: Vec<u128> = ["2001:db8::1", "::1", "fe80::7"]
            .map(|text| text.parse::<Ipv6Addr>().unwrap().to_bits())
            .to_vec();
        let mut x = DeviceVec::from_slice(queue, &addresses).unwrap();
        x.sort().unwrap();
        assert_eq!(lower_bound(&x, 0x2001_0db8 << 96).unwrap(), 1);
        assert_eq!(Ipv6Addr::from_bits(x.get(2).unwrap()).to_string(), "fe80::7");
    });
}

/// Checks many needles in a long sequence, for which searches of other keys find buckets first.
#[test]
fn many_addresses_are_searched() {
    each_queue(|queue| {
        let mut sorted = numbers(5000, 3);
        sorted.sort_unstable();
        let needles = numbers(4000, 4);
        let device_sorted = DeviceVec::from_slice(queue, &sorted).unwrap();
        let device_needles = DeviceVec::from_slice(queue, &needles).unwrap();
        let mut positions = DeviceVec::filled(queue, 0_u32, needles.len()).unwrap();
        lower_bounds(&device_sorted, &device_needles, &mut positions).unwrap();
        let wanted: Vec<u32> =
            needles.iter().map(|needle| sorted.partition_point(|x| x < needle) as u32).collect();
        assert_eq!(positions.to_vec().unwrap(), wanted);
    });
}
