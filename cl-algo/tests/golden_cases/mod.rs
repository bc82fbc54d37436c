//! The cases, a file for each family, and vectors for them.
#![allow(clippy::semicolon_if_nothing_returned)] // a case may end with a value or with nothing

pub(crate) mod elements;
pub(crate) mod expressions;
pub(crate) mod functions;
pub(crate) mod ordered;
pub(crate) mod ranked;
pub(crate) mod reductions;
pub(crate) mod searches;

use cl_algo::prelude::*;
use cl_algo::stl::inclusive_scan;
use cl_core::Result;

/// A length of several work-groups, with a tail, on every device.
pub(crate) const LEN: usize = 100_003;

/// Returns a vector of equal elements.
pub(crate) fn many<T: Element>(queue: &Queue, value: T) -> Result<DeviceVec<T>> {
    DeviceVec::filled(queue, value, LEN)
}

/// Computes running sums of integers, which need sub-groups on a device that has them.
pub(crate) fn running_sums(queue: &Queue) -> Result<()> {
    inclusive_scan(&many(queue, 1_u32)?, &mut many(queue, 0_u32)?)
}
