//! Patterns.

use cl_algo::device_fn;

#[device_fn]
fn floats(x: f32) -> f32 {
    match x {
        0.0 => 1.0,
        _ => 2.0,
    }
}

#[device_fn]
fn options(x: i32) -> i32 {
    match Some(x) {
        Some(y) => y,
        None => 0,
    }
}

fn main() {}
