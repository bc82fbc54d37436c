//! A kernel is native code: launching it is a promise, which safe code cannot give.

use cl_core::{Buffer, Kernel, Queue};

fn main() {}

fn launch(kernel: &Kernel, queue: &Queue, x: &mut Buffer<f32>) {
    let _ = kernel.launch().arg(x).global(1).enqueue(queue);
}
