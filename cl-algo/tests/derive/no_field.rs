//! A struct without a field is nothing on a device.

use cl_algo::Element;

#[derive(Clone, Copy, Element)]
struct Nothing;

fn main() {}
