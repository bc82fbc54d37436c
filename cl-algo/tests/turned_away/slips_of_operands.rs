//! Operands of other types than the element's.

use cl_algo::prelude::*;

fn numbers(x: &DeviceVec<f32>, y: &DeviceVec<f64>, n: &DeviceVec<u32>) -> cl_core::Result<()> {
    let _ = x + 1;
    let _ = x * 0.5_f64;
    let _ = x + y;
    let _ = x / n;
    let _ = x / x.len();
    let _ = x - x.iter().mean()?;
    let _ = x.iter().lt(1);
    let _ = x + vec![1.0_f32];
    Ok(())
}

fn main() {}
