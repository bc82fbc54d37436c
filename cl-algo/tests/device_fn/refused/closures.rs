//! Closures, inside and outside of `cl!`.

use cl_algo::{cl, device_fn};

#[device_fn]
fn inside(x: f32) -> f32 {
    let twice = |y: f32| 2.0 * y;
    twice(x)
}

fn main() {
    let _ = cl!(|x| x + 1.0);
    let _ = cl!(3.0);
    let table = vec![1.0_f32];
    let _ = cl!(|i: u32| table);
    let mut sum = 0.0;
    let _ = cl!(|x: f32| {
        sum += x;
        x
    });
}
