//! Must not compile: generic.
use cl_algo::Element;

#[derive(Clone, Copy, Element)]
#[repr(transparent)]
struct Quantity<T>(T);

#[derive(Clone, Copy, Element)]
#[repr(transparent)]
struct Borrowed<'a>(&'a f32);

fn main() {}
