//! Arguments of other types.

use cl_algo::{DeviceVec, device_fn};

#[device_fn]
fn scaled(x: f32, by: f32) -> f32 {
    x * by
}

#[device_fn]
fn lookup(at: u32, table: &[f32]) -> f32 {
    table[at as usize]
}

fn wrong(x: &DeviceVec<f64>, at: &DeviceVec<u32>, table: &[f32]) {
    let _ = scaled("one", 2.0);
    let _ = scaled(x, 2.0);
    let _ = lookup(at, table);
}

fn main() {}
