//! Types that device functions cannot use.

use cl_algo::device_fn;

#[device_fn]
fn of_characters(x: char) -> u32 {
    x as u32
}

#[device_fn]
fn of_arrays(x: f32) -> [f32; 2] {
    [x, x]
}

#[device_fn]
fn of_anything<T: Copy + 'static>(x: T) -> T {
    x
}

fn main() {}
