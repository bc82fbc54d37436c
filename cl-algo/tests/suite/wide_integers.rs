//! Integers of 128 bits as elements: every algorithm that needs an order, against the host's integers.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use crate::both_shapes::each_queue;
use cl_algo::math::{clamp, max, min};
use cl_algo::prelude::*;
use cl_algo::stl::{
    argsort, binary_searches, equal_range, includes, is_sorted, lexsort, lower_bound, lower_bounds, merge,
    set_intersection, sort_by, sort_by_key, unique, upper_bounds,
};
use cl_algo::{ExternalSort, Segments, device_fn};
use cl_core::Error;
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

macro_rules! arithmetic {
    ($name:ident $logic:ident $of:ident) => {
        #[device_fn]
        fn $name(x: $of, y: $of, n: u32) -> ($of, $of, $of, $of, $of, $of) {
            let (sum, difference) = (x.wrapping_add(y), x.wrapping_sub(y));
            (sum, difference, x.wrapping_mul(y), x.wrapping_shl(n), x.wrapping_shr(n), x.wrapping_neg())
        }

        #[device_fn]
        fn $logic(x: $of, y: $of) -> ($of, $of, u32) {
            let mut bits = (x & y) | (!x ^ 0x0123_4567_89ab_cdef_0011_2233_4455_6677);
            bits ^= y >> 7;
            let mut truths = 0;
            if x < y {
                truths += 1;
            }
            if x >= y {
                truths += 2;
            }
            if x == y || x != 0 {
                truths += 4;
            }
            truths += match x {
                0 | 7 => 8,
                1..=0x1_0000_0000_0000_0000 => 16,
                _ => 32,
            };
            (bits, if truths % 2 == 0 { x.min(y) } else { x.max(y) }, truths)
        }
    };
}

arithmetic!(unsigned_arithmetic unsigned_logic u128);
arithmetic!(signed_arithmetic signed_logic i128);

#[device_fn]
fn casts(x: u128, n: i32, wide: u64) -> (i128, u64, i8, u128, i128, u128) {
    (x as i128, x as u64, x as i8, n as u128, (wide >> 1) as i128 - 7, (n > 0) as u128 + 1)
}

/// Returns a Fibonacci number, by a loop that keeps integers of 128 bits in variables.
#[device_fn]
fn fibonacci(n: u32) -> u128 {
    let (mut a, mut b) = (0_u128, 1_u128);
    for _ in 0..n {
        let sum = a + b;
        a = b;
        b = sum;
    }
    a
}

#[device_fn]
fn quotient(x: u128, y: u128) -> u128 {
    x / y
}

#[device_fn]
fn ones(x: u128) -> u32 {
    x.count_ones()
}

#[test]
fn device_functions_compute_with_them() {
    each_queue(|queue| {
        let mut x = numbers(600, 11);
        x.extend([0, 1, 7, 1 << 64, u128::MAX, 1 << 127, (1 << 127) - 1, u64::MAX.into()]);
        let y: Vec<u128> = x.iter().rev().map(|y| y.rotate_left(77)).collect();
        let n: Vec<u32> = (0..x.len() as u32).map(|i| if i < 130 { i } else { i * 7919 }).collect();
        let (a, b) = (DeviceVec::from_slice(queue, &x).unwrap(), DeviceVec::from_slice(queue, &y).unwrap());
        let counts = DeviceVec::from_slice(queue, &n).unwrap();
        let rows = || x.iter().zip(&y).zip(&n).map(|((&x, &y), &n)| (x, y, n));

        let (sum, difference, product, left, right, negative) =
            unsigned_arithmetic(&a, &b, &counts).collect().unwrap();
        let columns = [sum, difference, product, left, right, negative].map(|x| x.to_vec().unwrap());
        for (at, (x, y, n)) in rows().enumerate() {
            let (sum, difference, product, left, right, negative) = unsigned_arithmetic(x, y, n);
            let expected = [sum, difference, product, left, right, negative];
            assert_eq!(columns.each_ref().map(|column| column[at]), expected, "{x:#x} {y:#x} {n}");
        }
        let signed = |x: &[u128]| x.iter().map(|x| x.cast_signed()).collect::<Vec<i128>>();
        let (c, d) = (
            DeviceVec::from_slice(queue, &signed(&x)).unwrap(),
            DeviceVec::from_slice(queue, &signed(&y)).unwrap(),
        );
        let (sum, difference, product, left, right, negative) =
            signed_arithmetic(&c, &d, &counts).collect().unwrap();
        let columns = [sum, difference, product, left, right, negative].map(|x| x.to_vec().unwrap());
        for (at, (x, y, n)) in rows().enumerate() {
            let (sum, difference, product, left, right, negative) =
                signed_arithmetic(x.cast_signed(), y.cast_signed(), n);
            let expected = [sum, difference, product, left, right, negative];
            assert_eq!(columns.each_ref().map(|column| column[at]), expected, "{x:#x} {y:#x} {n}");
        }

        let (bits, chosen, truths) = unsigned_logic(&a, &b).collect().unwrap();
        let got = (bits.to_vec().unwrap(), chosen.to_vec().unwrap(), truths.to_vec().unwrap());
        for (at, (x, y, _)) in rows().enumerate() {
            assert_eq!((got.0[at], got.1[at], got.2[at]), unsigned_logic(x, y), "{x:#x} {y:#x}");
        }
        let (bits, chosen, truths) = signed_logic(&c, &d).collect().unwrap();
        let got = (bits.to_vec().unwrap(), chosen.to_vec().unwrap(), truths.to_vec().unwrap());
        for (at, (x, y, _)) in rows().enumerate() {
            let expected = signed_logic(x.cast_signed(), y.cast_signed());
            assert_eq!((got.0[at], got.1[at], got.2[at]), expected, "{x:#x} {y:#x}");
        }

        let first: Vec<i32> = n.iter().map(|&n| n as i32 - 300).collect();
        let small = DeviceVec::from_slice(queue, &first).unwrap();
        let (p, q, r, s, t, u) = casts(&a, &small, a.iter().low()).collect().unwrap();
        let (p, q, r) = (p.to_vec().unwrap(), q.to_vec().unwrap(), r.to_vec().unwrap());
        let (s, t, u) = (s.to_vec().unwrap(), t.to_vec().unwrap(), u.to_vec().unwrap());
        for (at, &x) in x.iter().enumerate() {
            let got = (p[at], q[at], r[at], s[at], t[at], u[at]);
            assert_eq!(got, casts(x, first[at], x as u64), "{x:#x} {}", first[at]);
        }

        let n = DeviceVec::from_slice(queue, &[0_u32, 1, 2, 93, 94, 100, 185]).unwrap();
        let expected = [0, 1, 2, 93, 94, 100, 185].map(fibonacci);
        assert_eq!(fibonacci(&n).collect().unwrap().to_vec().unwrap(), expected);

        assert_eq!(quotient(7, 2), 3);
        let error = quotient(&a, &b).collect().unwrap_err();
        assert!(matches!(error, Error::InvalidInput { what: "device function", .. }), "{error}");
        assert!(error.to_string().contains("`/` does not exist for `u128`"), "{error}");
        assert_eq!(ones(7), 3);
        let error = ones(&a).collect().unwrap_err();
        assert!(matches!(error, Error::InvalidInput { what: "device function", .. }), "{error}");
        assert!(error.to_string().contains("`count_ones` does not exist for `u128`"), "{error}");
    });
}
