//! Methods that devices do not have.

use cl_algo::device_fn;

#[device_fn]
fn iterates(x: &[f32]) -> f32 {
    x.iter().sum()
}

#[device_fn]
fn checked(x: i32) -> i32 {
    x.checked_add(1).unwrap()
}

#[device_fn]
fn unknown(x: f32) -> f32 {
    x.lerp(1.0, 2.0)
}

fn main() {}
