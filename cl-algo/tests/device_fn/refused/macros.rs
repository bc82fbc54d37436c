//! Macros.

use cl_algo::device_fn;

#[device_fn]
fn printing(x: f32) -> f32 {
    println!("{x}");
    assert!(x > 0.0);
    let table = vec![x; 4];
    x
}

fn main() {}
