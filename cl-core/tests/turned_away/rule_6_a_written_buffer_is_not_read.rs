//! A launch that writes to a buffer borrows it exclusively until it is enqueued.

use cl_core::{Buffer, Kernel};

fn main() {}

fn alias(kernel: &Kernel, x: &mut Buffer<f32>) {
    let _ = kernel.launch().arg(&*x).arg(x).global(1);
}
