//! Safe code does not get memory that still holds values of other programs.

use cl_core::{Buffer, Queue};

fn main() {}

fn uninit(queue: &Queue) {
    let _ = Buffer::<f32>::uninit(queue, 1);
}
