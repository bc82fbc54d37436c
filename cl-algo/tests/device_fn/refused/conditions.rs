//! Conditions that bind names.

use cl_algo::device_fn;

#[device_fn]
fn binds(x: i32) -> i32 {
    if let 3 = x { 1 } else { 2 }
}

#[device_fn]
fn binds_again(x: i32) -> i32 {
    while let 3 = x {
        return 1;
    }
    let 4 = x else { return 3 };
    x
}

fn main() {}
