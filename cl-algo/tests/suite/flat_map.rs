//! Several elements of each item: `flat_map`, in both shapes of kernels.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise
#![allow(clippy::manual_is_multiple_of)] // device functions have operators, and no such method

use crate::both_shapes::each_queue;
use cl_algo::U64x2;
use cl_algo::prelude::*;

/// Lengths in tuples, around packs and tiles.
const LENGTHS: [usize; 8] = [1, 2, 3, 16, 17, 255, 1025, 4099];

#[device_fn]
fn scrambled(x: u32) -> (u32, u32, u32, u32) {
    let mut y = x;
    while y % 4 != 3 {
        y = y * 5 + 1;
    }
    (x, x.rotate_left(7) ^ y, y, !x)
}

fn on_host(len: usize) -> Vec<u32> {
    let tuple = |x: usize| {
        let (a, b, c, d) = scrambled(x as u32);
        [a, b, c, d]
    };
    (0..len).flat_map(tuple).collect()
}

#[test]
fn parts_come_in_turn() {
    each_queue(|queue| {
        for len in LENGTHS {
            let flat = scrambled(iota(0_u32, len)).flat_map(|(a, b, c, d)| [a, b, c, d]);
            assert_eq!(flat.len(), Some(4 * len));
            let wanted = on_host(len);
            assert_eq!(flat.clone().collect_on(queue).unwrap().to_vec().unwrap(), wanted, "{len}");
            // With arithmetic in packs around it, and beside a vector.
            let x = DeviceVec::from_slice(queue, &wanted).unwrap();
            assert_eq!((&flat - &x).collect().unwrap().to_vec().unwrap(), vec![0; 4 * len], "{len}");
            // Through another function, lane by lane.
            let lowest = flat.map(cl!(|x: u32| if x % 3 == 0 { 0 } else { x }));
            let wanted: Vec<u32> = wanted.iter().map(|&x| if x % 3 == 0 { 0 } else { x }).collect();
            assert_eq!(lowest.collect_on(queue).unwrap().to_vec().unwrap(), wanted, "{len}");
        }
    });
}

/// Some steps.
#[device_fn]
fn collatz(x: u32) -> u32 {
    let mut y = x;
    for _step in 0..5 {
        y = if y % 2 == 0 { y / 2 } else { y * 3 + 1 };
    }
    y
}

/// Parts of one item in two sequences, which one function computes for both.
#[test]
fn sequences_of_the_same_items_are_computed_together() {
    each_queue(|queue| {
        for len in LENGTHS {
            let items = || scrambled(iota(0_u32, len));
            let even = items().flat_map(|(a, _, c, _)| [a, c]);
            let odd = items().flat_map(|(_, b, _, d)| [b.lt(1 << 31), d.lt(1 << 31)]);
            let wanted: Vec<(u32, bool)> =
                on_host(len).chunks(2).map(|pair| (pair[0], pair[1] < 1 << 31)).collect();
            let (x, y) = zip((even.clone(), odd.clone())).collect_on(queue).unwrap();
            let got: Vec<(u32, bool)> = x.to_vec().unwrap().into_iter().zip(y.to_vec().unwrap()).collect();
            assert_eq!(got, wanted, "{len}");
            // Beginning within an item, in a reduction, and item by item through a function with a loop.
            let both = zip((even, odd)).slice(1..2 * len);
            let chosen = both.map(|(x, y)| y.select(collatz(x), 1));
            let wanted = wanted[1..].iter().map(|&(x, y)| if y { collatz(x) } else { 1 });
            let wanted = wanted.fold(0_u32, u32::wrapping_add);
            assert_eq!(chosen.on(queue).sum().unwrap(), wanted, "{len}");
        }
    });
}

#[test]
fn parts_are_read_anywhere() {
    each_queue(|queue| {
        let len = 1025;
        let wanted = on_host(len);
        let flat = scrambled(iota(0_u32, len)).flat_map(|(a, b, c, d)| [a, b, c, d]);
        let kept = |expr: Expr<'_, u32>| expr.collect_on(queue).unwrap().to_vec().unwrap();
        assert_eq!(kept(flat.clone().slice(5..4097)), wanted[5..4097]);
        assert_eq!(kept(flat.clone().rev()), wanted.iter().rev().copied().collect::<Vec<_>>());
        assert_eq!(kept(flat.clone().step_by(3)), wanted.iter().step_by(3).copied().collect::<Vec<_>>());
        // Component by lane, where the loads in front are shared as well.
        let low = flat.clone().slice(7..4001).map(cl!(|x: u32| if x % 3 == 0 { 0 } else { x }));
        let wanted_low: Vec<u32> = wanted[7..4001].iter().map(|&x| if x % 3 == 0 { 0 } else { x }).collect();
        assert_eq!(kept(low), wanted_low);
        let order = DeviceVec::from_slice(queue, &[4099_u32, 0, 6, 6, 1]).unwrap();
        assert_eq!(kept(flat.gather(&order)), [4099, 0, 6, 6, 1].map(|at: usize| wanted[at]));
    });
}

#[test]
fn all_types_and_numbers_of_parts() {
    each_queue(|queue| {
        let len = 1027;
        let x = DeviceVec::from_slice(queue, &(0..len as u64).collect::<Vec<_>>()).unwrap();
        let mut booleans = DeviceVec::filled(queue, false, 2 * len).unwrap();
        booleans.assign(x.iter().flat_map(|x| [(x & 1).eq(1), (x & 2).eq(2)])).unwrap();
        let wanted: Vec<bool> = (0..len).flat_map(|x| [x & 1 == 1, x & 2 == 2]).collect();
        assert_eq!(booleans.to_vec().unwrap(), wanted);

        // Three do not fit into packs; eight do on some devices only.
        let three = x.iter().flat_map(|x| [x, x + 1, x * 2]).collect().unwrap().to_vec().unwrap();
        assert_eq!(three, (0..len as u64).flat_map(|x| [x, x + 1, x * 2]).collect::<Vec<_>>());
        let eight = x.iter().flat_map(|x| [x, x + 1, x, x, x, x, x + 6, x * 3]);
        let wanted = (0..len as u64).flat_map(|x| [x, x + 1, x, x, x, x, x + 6, x * 3]);
        assert_eq!(eight.collect().unwrap().to_vec().unwrap(), wanted.collect::<Vec<_>>());

        let vectors =
            zip::<(U64x2, U64x2)>((vector((&x, &x + 1)), vector((&x, &x)))).flat_map(|(a, b)| [a, b]);
        let wanted = (0..len as u64).flat_map(|x| [U64x2::from([x, x + 1]), U64x2::from([x, x])]);
        assert_eq!(vectors.collect().unwrap().to_vec().unwrap(), wanted.collect::<Vec<_>>());

        // Constants only, which depend on no index.
        let pair = zip::<(u64, u64)>((3, 4)).take(2).flat_map(|(a, b)| [a, b]).collect_on(queue).unwrap();
        assert_eq!(pair.to_vec().unwrap(), [3, 4, 3, 4]);
    });
}

#[test]
fn flat_within_flat_and_reduced() {
    each_queue(|queue| {
        let len = 1030;
        let pairs = iota(0_u32, len).flat_map(|x| [x, x * x]);
        let nested = pairs.flat_map(|x| [x + 1, x + 2]);
        let wanted: Vec<u32> =
            (0..len as u32).flat_map(|x| [x, x * x]).flat_map(|x| [x + 1, x + 2]).collect();
        assert_eq!(nested.clone().collect_on(queue).unwrap().to_vec().unwrap(), wanted);
        let x = DeviceVec::from_slice(queue, &wanted).unwrap();
        let total = wanted.iter().fold(0_u32, |sum, x| sum.wrapping_add(x.wrapping_mul(*x)));
        assert_eq!((nested * &x).sum().unwrap(), total);
        let neighbours = x.iter().flat_map(|x| [x, x]).slice(1..).take(7);
        assert_eq!(neighbours.collect().unwrap().to_vec().unwrap()[..3], [wanted[0], wanted[1], wanted[1]]);
    });
}

#[test]
fn what_cannot_be_is_refused() {
    each_queue(|queue| {
        let mut x = DeviceVec::from_slice(queue, &[1_u32, 2, 3, 4]).unwrap();
        let wrong = x.assign_with(|x| x.take(2).flat_map(|x| [x, x]));
        assert!(matches!(wrong, Err(cl_core::Error::InvalidInput { .. })), "{wrong:?}");
        let nothing = x.iter().flat_map(|_| [0_u32; 0].map(Val::known)).collect();
        assert!(matches!(nothing, Err(cl_core::Error::InvalidInput { .. })), "{nothing:?}");
    });
}
