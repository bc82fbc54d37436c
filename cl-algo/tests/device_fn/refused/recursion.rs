//! A function that calls itself.

use cl_algo::device_fn;

#[device_fn]
fn factorial(n: u64) -> u64 {
    if n == 0 { 1 } else { n * factorial(n - 1) }
}

fn main() {}
