//! Must not compile: not transparent.
use cl_algo::Element;

#[derive(Clone, Copy, Element)]
struct Metres(f32);

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Seconds(f32);

fn main() {}
