//! Items, `unsafe` and `?`.

use cl_algo::device_fn;

#[device_fn]
fn nested(x: u32) -> u32 {
    const TWO: u32 = 2;
    fn twice(x: u32) -> u32 {
        2 * x
    }
    x * TWO
}

#[device_fn]
fn dares(x: u32) -> u32 {
    unsafe { x }
}

#[device_fn]
fn asks(x: u32) -> u32 {
    x.checked_sub(1)?
}

fn main() {}
