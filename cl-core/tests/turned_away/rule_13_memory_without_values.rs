//! Memory that holds what others left is not for safe code.

use cl_core::{Buffer, Queue};

fn main() {}

fn uninit(queue: &Queue) {
    let _ = Buffer::<f32>::uninit(queue, 1);
}
