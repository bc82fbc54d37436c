//! Two parts of a buffer that are both written must come from `split_at_mut`.

use cl_core::{Buffer, Result};

fn parts(x: &mut Buffer<u32>) -> Result<()> {
    let a = x.sub_buffer_mut(..4)?;
    let b = x.sub_buffer_mut(2..)?;
    drop((a, b));
    Ok(())
}

fn main() {
    let _ = parts;
}
