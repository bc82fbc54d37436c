//! Functions that are called for few items, in both shapes of kernels.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use crate::both_shapes::each_queue;
use cl_algo::prelude::*;

/// Lengths around packs and tiles.
const LENGTHS: [usize; 5] = [1, 16, 17, 255, 1025];

/// Walks `steps` steps: an item with 2^32 steps takes seconds.
#[device_fn]
fn walked(from: u32, steps: u32) -> u32 {
    let mut x = from;
    for _step in 0..steps {
        x = x ^ (x << 13);
        x = x ^ (x >> 17);
        x = x ^ (x << 5);
    }
    x
}

fn steps(i: u32) -> u32 {
    if i.is_multiple_of(7) { i % 100 } else { u32::MAX }
}

fn wanted(i: u32) -> u32 {
    if steps(i) < 100 { walked(i + 1, steps(i)) } else { i + 5 }
}

#[test]
fn functions_are_called_only_where_they_are_needed() {
    each_queue(|queue| {
        for len in LENGTHS {
            let numbers: Vec<u32> = (0..len as u32).collect();
            let all_steps: Vec<u32> = numbers.iter().map(|&i| steps(i)).collect();
            let x = DeviceVec::from_slice(queue, &numbers).unwrap();
            let s = DeviceVec::from_slice(queue, &all_steps).unwrap();
            let values = x.iter().zip(&s).map(|(x, s)| s.ge(100).select_or_else(x + 5, || walked(x + 1, s)));
            let wanted: Vec<u32> = numbers.iter().map(|&i| wanted(i)).collect();
            assert_eq!(values.clone().collect().unwrap().to_vec().unwrap(), wanted, "{len}");
            // With arithmetic around it, and read at other indices.
            let more: Vec<u32> = wanted.iter().rev().map(|&y| y.wrapping_mul(3)).collect();
            assert_eq!((values.clone().rev() * 3).collect().unwrap().to_vec().unwrap(), more, "{len}");
            // In a reduction.
            let sum = wanted.iter().fold(0_u32, |sum, &y| sum.wrapping_add(y));
            assert_eq!(values.sum().unwrap(), sum, "{len}");
        }
    });
}

#[test]
fn other_closures_and_known_values_do_as_well() {
    assert_eq!(Val::known(true).select_or_else(3_u32, || Val::known(4)).value(), Some(3));
    assert_eq!(Val::known(false).select_or_else(3_u32, || Val::known(4)).value(), Some(4));
    each_queue(|queue| {
        let x = DeviceVec::from_slice(queue, &[1.0_f32, -2.0, 3.0]).unwrap();
        let magnitudes = x.iter().map(|x| x.ge(0.0).select_or_else(x, || -x));
        assert_eq!(magnitudes.collect().unwrap().to_vec().unwrap(), [1.0, 2.0, 3.0]);
    });
}
