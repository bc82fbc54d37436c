//! Kernels rely on the promises of these traits about memory and nodes, so only this crate can implement them.

use cl_algo::{AnyVal, DeviceVec, InPlace, Stores, Recorded, Recording, Sink, Target};

/// A vector of bytes that claims to be one of longer numbers.
struct Longer<'a>(&'a mut DeviceVec<u8>);

impl<'a> InPlace<'a, u64> for Longer<'a> {
    fn targets(self, into: &mut Vec<Target<'a>>) {
        InPlace::<u8>::targets(self.0, into);
    }
}

impl<'a> Sink<'a, u64> for Longer<'a> {
    fn add_targets(self, roots: &[u32], into: &mut Stores<'_, 'a>) {
        Sink::<u8>::add_targets(self.0, roots, into);
    }
}

/// A node that is in no recording.
struct Nowhere;

impl Recorded for Nowhere {
    type Item = f32;

    fn roots(self, _: &mut Recording, into: &mut Vec<u32>) {
        into.push(u32::MAX);
    }
}

impl AnyVal for Nowhere {
    fn any_node(&self, _: &mut Recording) -> u32 {
        u32::MAX
    }
}

fn main() {}
