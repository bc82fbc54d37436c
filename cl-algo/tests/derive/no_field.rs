//! A struct without a field has no form on a device.

use cl_algo::Element;

#[derive(Clone, Copy, Element)]
struct Nothing;

fn main() {}
