//! References.

use cl_algo::device_fn;

#[device_fn]
fn borrows(x: f32) -> f32 {
    let y = &x;
    *y
}

#[device_fn]
fn changes(x: &mut f32) -> f32 {
    *x
}

#[device_fn]
fn one(x: &f32) -> f32 {
    *x
}

fn main() {}
