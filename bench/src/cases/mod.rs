//! The cases: one file a family.

mod calls;
mod copy;
mod elementwise;
mod sum;
mod transfer;

use crate::Failure;
use crate::timing::Step;
use cl_core::Queue;

/// A case that has been prepared on a queue and verified: it holds its data.
pub(crate) trait Ready {
    /// One evaluation, to be timed.
    fn step(&mut self) -> Step<'_>;
}

/// Makes the data, evaluates once, and compares with the host; an error when they differ.
pub(crate) type Prepare = fn(&Queue, usize) -> Result<Box<dyn Ready>, Failure>;

/// A benchmark.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) element: &'static str,
    /// The least number of bytes that must be read and written for each element.
    pub(crate) bytes_per_element: usize,
    /// Time the calls, not the work.
    pub(crate) calls_only: bool,
    /// Time by the host's clock on every device, because the host works, too.
    pub(crate) by_host: bool,
    pub(crate) prepare: Prepare,
}

impl Case {
    /// Whether it measures what the others are compared with.
    pub(crate) fn is_ceiling(&self) -> bool {
        self.name.starts_with(crate::report::COPY)
    }

    const fn new(
        name: &'static str,
        element: &'static str,
        bytes_per_element: usize,
        prepare: Prepare,
    ) -> Case {
        Case { name, element, bytes_per_element, calls_only: false, by_host: false, prepare }
    }

    const fn calls(name: &'static str, prepare: Prepare) -> Case {
        Case { calls_only: true, ..Case::new(name, "f32", 0, prepare) }
    }

    const fn transfer(name: &'static str, prepare: Prepare) -> Case {
        Case { by_host: true, ..Case::new(name, "f32", 4, prepare) }
    }
}

/// Elements of the vectors in the cases that time calls only.
pub(crate) const CALLS_N: usize = 1024;

/// Every case, the ceilings first.
pub(crate) const ALL: &[Case] = &[
    Case::new("copy (clEnqueueCopyBuffer)", "f32", 8, copy::by_driver),
    Case::new("copy (kernel)", "f32", 8, copy::by_kernel),
    Case::new("saxpy z = a x + y", "f32", 12, elementwise::saxpy),
    Case::new("saxpy y = a x + y, in place", "f32", 12, elementwise::saxpy_in_place),
    Case::new("daxpy z = a x + y", "f64", 24, elementwise::daxpy),
    Case::new("sum", "f32", 4, sum::f32),
    Case::new("sum", "u32", 4, sum::u32),
    Case::new("sum", "f64", 8, sum::f64),
    Case::new("dot product", "f32", 8, sum::dot),
    Case::transfer("host to device: slice", transfer::slice_to_device),
    Case::transfer("host to device: pinned vector", transfer::pinned_to_device),
    Case::transfer("host to device: bare clEnqueueWriteBuffer", transfer::bare_to_device),
    Case::transfer("device to host: slice", transfer::slice_from_device),
    Case::transfer("device to host: pinned vector", transfer::pinned_from_device),
    Case::transfer("device to host: bare clEnqueueReadBuffer", transfer::bare_from_device),
    Case::calls("call: bare enqueue", calls::bare),
    Case::calls("call: five-node expression", calls::expression_case),
];

/// Fails with the first place where the device's values differ from the host's.
fn verify<T: PartialEq + std::fmt::Debug>(
    device: &[T],
    host: impl Iterator<Item = T>,
) -> Result<(), Failure> {
    for (i, (got, expected)) in device.iter().zip(host).enumerate() {
        if *got != expected {
            return Err(format!("wrong result: element {i} is {got:?}, expected {expected:?}").into());
        }
    }
    Ok(())
}
