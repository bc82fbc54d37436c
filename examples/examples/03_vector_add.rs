//! Adds two vectors in one expression.
//!
//! `cargo run --release --example 03_vector_add`. Operators on device vectors build an expression. Evaluating
//! the expression generates the kernel that `02_vector_add_by_hand` writes by hand. From here on no example
//! writes a kernel by hand, until `19_out_of_order`.

use cl_algo::prelude::*;

const LEN: usize = 1 << 20;

fn main() -> cl_core::Result<()> {
    // The first GPU, or else any device, with its own context and queue.
    let queue = Queue::on(&Device::first()?)?;

    let host_x: Vec<f32> = (0..LEN).map(|i| i as f32).collect();
    let host_y: Vec<f32> = (0..LEN).map(|i| 0.5 * i as f32).collect();
    let x = DeviceVec::from_slice(&queue, &host_x)?;
    let y = DeviceVec::from_slice(&queue, &host_y)?;

    // The expression is lazy: nothing has been computed yet. `collect` runs all of it as one kernel.
    let expression = &x + &y;
    println!("{expression}, where x0 is x and x1 is y");
    let sums = expression.collect()?.to_vec()?;

    let right = (0..LEN).all(|i| sums[i] == host_x[i] + host_y[i]);
    assert!(right, "the device's sums differ from the host's");
    println!("{LEN} sums on {}: all right, the last is {}", queue.device(), sums[LEN - 1]);
    Ok(())
}
