//! Closures over symbolic values that are written as for the host.

use cl_algo::prelude::*;

fn conditions(x: &DeviceVec<f32>) {
    let _ = x.iter().filter(|x| x.gt(0.0) && x.lt(5.0));
    let _ = x.iter().filter(|x| *x > 0.0);
    let _ = x.iter().filter(|x| x > 0.0);
    let _ = x.iter().map(|x| if x.gt(0.0) { x } else { -x });
    let _ = x.iter().map(|_| 1.0);
}

fn values(x: &DeviceVec<f32>, y: &DeviceVec<f32>, total: &DeviceScalar<f32>) {
    let _ = x.iter().map(|x| x + 1);
    let _ = x.iter().map(|x| x * 0.5_f64);
    let _ = x.iter().map(|x| x + y);
    let _ = x.iter().map(|x| x / total);
}

fn masks(x: &DeviceVec<f32>, mask: &DeviceVec<bool>) {
    let _ = x.iter().filter(mask);
}

fn main() {}
