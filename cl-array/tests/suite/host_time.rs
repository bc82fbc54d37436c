//! The host's time for calls, without that of a driver: a recorded device computes nothing. Prints a table:
//! `cargo test --release -p cl-array --test suite -- --ignored --nocapture host_time`.

use cl_algo::prelude::*;
use cl_array::{Array, Format};
use std::time::Instant;

/// Prints the shortest of five means of many calls.
fn time(name: &str, mut call: impl FnMut() -> cl_core::Result<()>) {
    const CALLS: u32 = 5000;
    call().unwrap();
    let mean = |_| {
        let start = Instant::now();
        (0..CALLS).for_each(|_| call().unwrap());
        start.elapsed() / CALLS
    };
    println!("{name}: {:?} for a call", (0..5).map(mean).min().unwrap_or_default());
}

#[test]
#[ignore = "measures"]
fn host_time_of_calls() {
    let queue = &Queue::on(&cl_test::recorded::device("nvidia-h200")).unwrap();
    let singles = || Array::filled(queue, [512, 512], 1.0_f32).unwrap();
    let doubles = || Array::filled(queue, [512, 512], 1.0_f64).unwrap();
    let (a, b, mut c) = (singles(), singles(), singles());
    time("product, f32", || c.assign_matmul(&a, &b));
    let (left, right, mut product) = (doubles(), doubles(), doubles());
    time("product, f64", || product.assign_matmul(&left, &right));
    for format in [Format::Tf32, Format::Bf16, Format::F16] {
        time(&format!("product, {format:?}"), || {
            c.assign_matmul(a.iter().round_to(format), b.iter().round_to(format))
        });
    }
    time("a + b.t()", || c.assign(&a + b.t()));
    let small = || Array::filled(queue, [16, 16], 1.0_f32).unwrap();
    let (a, b, mut c) = (small(), small(), small());
    time("product of small matrices", || c.assign_matmul(&a, &b));
    let vector = || DeviceVec::filled(queue, 1.0_f32, 4096).unwrap();
    let (x, y, mut z) = (vector(), vector(), vector());
    time("2 x + y", || z.assign(2.0_f32 * &x + &y));
}
