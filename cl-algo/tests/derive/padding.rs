//! Padding bytes, which belong to no field but would be transferred.

use cl_algo::Element;

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Between {
    tag: u8,
    value: f32,
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Behind {
    value: f64,
    tag: u32,
}

fn main() {}
