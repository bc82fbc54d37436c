//! A buffer cannot be written while a view of it will still be read.

use cl_core::{Buffer, Queue, Result};

fn write(queue: &Queue, x: &mut Buffer<u32>) -> Result<Vec<u32>> {
    let part = x.sub_buffer(..2)?;
    x.fill(queue, 1)?;
    part.as_slice().to_vec(queue)
}

fn main() {
    let _ = write;
}
