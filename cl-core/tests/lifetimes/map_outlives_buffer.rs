//! A mapped slice outlives neither its buffer nor its guard.

use cl_core::{Buffer, BufferMap, Queue, Result};

fn guard<'a>(queue: &Queue) -> Result<BufferMap<'a, u32>> {
    let x = Buffer::filled(queue, 1, 4)?;
    x.map(queue, ..)
}

fn values<'a>(queue: &Queue, x: &'a Buffer<u32>) -> Result<&'a [u32]> {
    Ok(&x.map(queue, ..)?[..])
}

fn main() {
    let _ = (guard, values);
}
