//! Must not compile: not one field.
use cl_algo::Element;

#[derive(Clone, Copy, Element)]
struct Nothing;

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Point {
    x: f32,
    y: f32,
}

fn main() {}
