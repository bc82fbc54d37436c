//! Host memory of a scoped transfer lives longer than the scope.

use cl_core::{Buffer, Queue, Result};

fn read(queue: &Queue, x: &Buffer<u32>) -> Result<u32> {
    queue.scope(|scope| {
        let mut local = [0; 4];
        scope.read(x, &mut local)?;
        Ok(0)
    })
}

fn main() {
    let _ = read;
}
