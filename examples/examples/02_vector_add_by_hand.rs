//! Adds two vectors with only `cl-core`: a kernel in OpenCL C, launched by hand.
//!
//! `cargo run --release --example 02_vector_add_by_hand`. A kernel is a function that a device runs once for
//! each number of a range. Each of these executions is a work-item, which asks for its number. The host
//! compiles the kernel, passes device memory as arguments, enqueues the launch, and continues; reading the
//! result waits. `03_vector_add` does the same without a kernel written by hand.

use cl_core::{Buffer, BuildOptions, Device, Program, Queue};

/// The kernel's source, which is part of the program.
const SOURCE: &str = include_str!("../kernels/vector_add.cl");

const LEN: usize = 1 << 20;

fn main() -> cl_core::Result<()> {
    // The first GPU, or else any device, with its own context and queue.
    let queue = Queue::on(&Device::first()?)?;
    let program = Program::build(queue.context(), SOURCE, &BuildOptions::new())?;
    let vector_add = program.kernel("vector_add")?;

    let host_x: Vec<f32> = (0..LEN).map(|i| i as f32).collect();
    let host_y: Vec<f32> = (0..LEN).map(|i| 0.5 * i as f32).collect();
    let x = Buffer::from_slice(&queue, &host_x)?;
    let y = Buffer::from_slice(&queue, &host_y)?;
    let mut sum = Buffer::filled(&queue, 0.0_f32, LEN)?;

    let launch = vector_add.launch().arg(&x).arg(&y).arg(&mut sum).global(LEN);
    // SAFETY: the arguments have the types that the kernel declares; work-item i accesses only element i,
    // and each buffer has one element for each work-item.
    unsafe { launch.enqueue(&queue)? };

    // Reading waits for the kernel, because the queue runs its commands in order.
    let sums = sum.to_vec(&queue)?;
    let right = (0..LEN).all(|i| sums[i] == host_x[i] + host_y[i]);
    assert!(right, "the device's sums differ from the host's");
    println!("{LEN} sums on {}: all right, the last is {}", queue.device(), sums[LEN - 1]);
    Ok(())
}
