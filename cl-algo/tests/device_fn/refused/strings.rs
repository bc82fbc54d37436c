//! Literals other than numbers.

use cl_algo::device_fn;

#[device_fn]
fn named(x: u32) -> u32 {
    let name = "x";
    let letter = 'x';
    x
}

fn main() {}
