//! Device functions and the arguments that they do not take.

use cl_algo::prelude::*;

#[device_fn]
fn norm(p: (f32, f32, f32)) -> f32 {
    p.0 * p.0 + p.1 * p.1 + p.2 * p.2
}

fn tuples(x: &DeviceVec<f32>) {
    let _ = norm(zip((x, x, x)));
    let _ = norm((x, x, x));
}

fn main() {}
