//! Must not compile: not a struct.
use cl_algo::Element;

#[derive(Clone, Copy, Element)]
#[repr(u8)]
enum Axis {
    X,
    Y,
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
union Bits {
    float: f32,
    bits: u32,
}

fn main() {}
