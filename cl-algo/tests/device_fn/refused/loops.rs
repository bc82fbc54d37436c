//! Loops over other things than ranges.

use cl_algo::device_fn;

#[device_fn]
fn over_items(x: &[f32]) -> f32 {
    let mut sum = 0.0;
    for item in x {
        sum += item;
    }
    sum
}

#[device_fn]
fn without_end(x: u32) -> u32 {
    for i in x.. {
        return i;
    }
    0
}

#[device_fn]
fn in_pairs(x: u32) -> u32 {
    for (i, j) in 0..x {
        return i;
    }
    0
}

#[device_fn]
fn without_a_label(x: u32) -> u32 {
    for i in 0..x {
        break 'rows;
    }
    0
}

fn main() {}
