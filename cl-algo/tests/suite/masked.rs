//! `assign_if`: packs that are true as a whole are stored as one, others item by item, and nothing else is touched.
#![allow(clippy::unwrap_used, clippy::cast_precision_loss)] // helpers of tests may stop at the first surprise

use cl_algo::prelude::*;
use cl_algo::stl::{assign_if, scatter_if};
use cl_core::Error;
use cl_test::{each_device, full_or_small};

type Mask = fn(usize) -> bool;

const MASKS: [(&str, Mask); 7] = [
    ("all", |_| true),
    ("none", |_| false),
    ("one of 1000", |i| i % 1000 == 7),
    ("all but one of 1000", |i| i % 1000 != 7),
    ("every second", |i| i % 2 == 1),
    ("long runs", |i| (i / 300).is_multiple_of(2)),
    ("scattered", |i| i.wrapping_mul(2_654_435_761) >> 9 & 3 != 0),
];

#[test]
fn nothing_else_is_touched() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for len in [1, 2, 15, 16, 17, 63, 64, 65, 255, 1000, 4095, 4096, 4097, full_or_small(100_003, 9001)] {
            let x = DeviceVec::from_fn(&queue, len, |i| i as f32).unwrap();
            for (name, mask) in MASKS {
                let flags = DeviceVec::from_fn(&queue, len, mask).unwrap();
                let expected = |i: usize| if mask(i) { 2.0 * i as f32 } else { -1.0 };
                let expected: Vec<f32> = (0..len).map(expected).collect();
                let new = |len| DeviceVec::filled(&queue, -1.0_f32, len).unwrap();
                let (mut whole, mut part, mut back) = (new(len), new(len + 5), new(len));
                assign_if(&mut whole, &flags, 2.0 * &x).unwrap();
                assert_eq!(whole.to_vec().unwrap(), expected, "{len}, {name}");
                let mut odd = DeviceVec::filled(&queue, 99_u8, len).unwrap();
                let values = zip((2.0 * &x, index::<u8>() & 1));
                assign_if((part.slice_mut(3..len + 3), &mut odd), &flags, values).unwrap();
                let (part, odd) = (part.to_vec().unwrap(), odd.to_vec().unwrap());
                assert_eq!(part[3..len + 3], expected, "a part, {len}, {name}");
                assert_eq!((&part[..3], &part[len + 3..]), (&[-1.0; 3][..], &[-1.0; 2][..]), "{len}, {name}");
                let bits = (0..len).map(|i| if mask(i) { i as u8 & 1 } else { 99 });
                assert_eq!(odd, bits.collect::<Vec<_>>(), "beside a part, {len}, {name}");
                scatter_if(2.0 * &x, index::<u32>() * 1_u32, &flags, &mut back).unwrap();
                assert_eq!(back.to_vec().unwrap(), expected, "scattered, {len}, {name}");
            }
        }
    });
}

/// What is masked out is not computed if that could be noticed: no index is out of range, and no loop goes on for ever.
#[test]
fn what_is_masked_out_has_no_faults() {
    #[device_fn]
    fn halvings(x: u32) -> u32 {
        let (mut x, mut count) = (x, 0);
        while x != 1 {
            x /= 2;
            count += 1;
        }
        count
    }
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let n = 1000;
        let x = DeviceVec::from_fn(&queue, n, |i| i as u32).unwrap();
        for step in [2, 300] {
            let is_good = move |i: usize| (i / step).is_multiple_of(2);
            let at = DeviceVec::from_fn(&queue, n, |i| if is_good(i) { (n - 1 - i) as u32 } else { 5000 })
                .unwrap();
            let flags = DeviceVec::from_fn(&queue, n, is_good).unwrap();
            let mut y = DeviceVec::filled(&queue, 7, n).unwrap();
            assign_if(&mut y, &flags, x.iter().gather(&at)).unwrap();
            let expected = (0..n).map(|i| if is_good(i) { (n - 1 - i) as u32 } else { 7 });
            assert_eq!(y.to_vec().unwrap(), expected.collect::<Vec<_>>());
            let counted =
                DeviceVec::from_fn(&queue, n, |i| if is_good(i) { i as u32 + 1 } else { 0 }).unwrap();
            assign_if(&mut y, &flags, halvings(&counted)).unwrap();
            let expected = (0..n).map(|i| if is_good(i) { (i as u32 + 1).ilog2() } else { 7 });
            let expected: Vec<u32> = expected.collect();
            assert_eq!(y.to_vec().unwrap(), expected);
            let rarely = counted.iter().map(|x| x.gt(5000).select_or_else(x, || halvings(x)));
            assign_if(&mut y, &flags, rarely).unwrap();
            assert_eq!(y.to_vec().unwrap(), expected);
        }
        let mut y = DeviceVec::filled(&queue, 7, n).unwrap();
        assign_if(&mut y, true, x.iter().gather(&x + 1)).unwrap();
        assert!(matches!(y.to_vec(), Err(Error::IndexOutOfRange { .. })), "the last index is out of range");
    });
}
