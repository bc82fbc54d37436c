//! A field whose type is not an element: only the compiler knows.

use cl_algo::Element;

#[derive(Clone, Copy)]
struct Unknown(f32);

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Holder {
    mass: f32,
    unknown: Unknown,
}

fn main() {}
