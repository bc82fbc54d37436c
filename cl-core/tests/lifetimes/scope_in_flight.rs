//! The host memory of a scoped read belongs to the scope until the scope has ended.

use cl_core::{Buffer, Queue, Result};

fn read(queue: &Queue, x: &Buffer<u32>, host: &mut [u32]) -> Result<u32> {
    queue.scope(|scope| {
        scope.read(x, host)?;
        Ok(host[0])
    })
}

fn main() {
    let _ = read;
}
