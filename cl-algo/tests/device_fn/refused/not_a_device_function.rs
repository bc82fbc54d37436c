//! Calls of ordinary functions.

use cl_algo::device_fn;

fn ordinary(x: f32) -> f32 {
    x
}

#[device_fn]
fn calls(x: f32) -> f32 {
    ordinary(x)
}

#[device_fn]
fn mismatched(x: f32) -> f32 {
    calls(1_u32)
}

fn main() {}
