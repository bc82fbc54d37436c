//! Draws of random numbers from something that cannot change.

use cl_algo::device_fn;

#[device_fn]
fn of_a_value(x: f32) -> f32 {
    (x + 1.0).normal()
}

fn main() {}
