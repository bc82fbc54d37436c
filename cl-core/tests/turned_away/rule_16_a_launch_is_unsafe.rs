//! A kernel is native code. The caller must vouch for it, which safe code cannot do.

use cl_core::{Buffer, Kernel, Queue};

fn main() {}

fn launch(kernel: &Kernel, queue: &Queue, x: &mut Buffer<f32>) {
    let _ = kernel.launch().arg(x).global(1).enqueue(queue);
}
