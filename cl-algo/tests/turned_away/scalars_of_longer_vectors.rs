//! A scalar's memory is one element, which later scalars use again.

use cl_algo::{DeviceScalar, DeviceVec, Item};

fn scalar_of(vector: DeviceVec<f32>) -> DeviceScalar<f32> {
    <f32 as Item>::scalars(vector)
}

fn main() {}
