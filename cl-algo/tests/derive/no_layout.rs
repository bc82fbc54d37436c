//! Layouts that are unspecified, or that differ from C's.

use cl_algo::Element;

#[derive(Clone, Copy, Element)]
struct Metres(f32);

#[derive(Clone, Copy, Element)]
struct Point {
    x: f32,
    y: f32,
}

#[derive(Clone, Copy, Element)]
#[repr(C, packed)]
struct Packed {
    tag: u8,
    value: f32,
}

#[derive(Clone, Copy, Element)]
#[repr(C, align(16))]
struct Aligned {
    value: f32,
}

fn main() {}
