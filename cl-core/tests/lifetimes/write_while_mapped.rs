//! A mapped buffer cannot be written.

use cl_core::{Buffer, Queue, Result};

fn write(queue: &Queue, x: &mut Buffer<u32>) -> Result<u32> {
    let map = x.map(queue, ..)?;
    x.fill(queue, 1)?;
    Ok(map[0])
}

fn main() {
    let _ = write;
}
