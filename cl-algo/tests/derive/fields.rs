//! Fields that cannot be transferred to a device.

use cl_algo::Element;

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Pointing {
    mass: f32,
    name: &'static str,
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Weights {
    weights: [f32; 5],
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Tuple(f32, (f32, f32));

fn main() {}
