//! Matrix units: whether a device multiplies small matrices of doubles in hardware. A small kernel does it, and the host
//! compares the result.

use super::{Fused, Template};
use crate::device::Shape;
use crate::kernels;
use crate::vec::DeviceVec;
use cl_core::{Access, Arg, Device, Error, Queue, QueueOptions, Result, Vendor};
use std::sync::OnceLock;

/// The answer that a context remembers.
#[derive(Default)]
struct Known(OnceLock<bool>);

/// The number of rows of the test's product.
const ROWS: usize = 16;
/// The number of columns of the test's product.
const COLUMNS: usize = 8;
/// The number of products in each sum of the test.
const INNER: usize = 4;

/// A number that the kernel's compiler does not know.
const FIRST: u32 = 3;

/// `kernels/matrix_units_test.cl`.
static TEST: Template = Template {
    kernel: "test_matrix_units",
    definition: &kernels::MATRIX_UNITS_TEST,
    shape: |_, _, ()| Shape { chunked: false, group: 32, pack: 1, packs: 1, max_groups: 1, streams: false },
};

/// Returns whether kernels may multiply doubles by `kernels/matrix_units.cl`: on NVIDIA's Hopper GPUs, if a test gives the
/// right result. Other GPUs are not tested, because the speed of their units has not been measured.
///
/// The first call in a context may compile and run a kernel.
///
/// # Errors
/// [`Error::Driver`] if the test could not be run; the next call repeats the test.
pub(crate) fn has_matrix_units(queue: &Queue) -> Result<bool> {
    if !is_likely(queue.device())? {
        return Ok(false);
    }
    let known = queue.context().attachment::<Known>();
    if let Some(known) = known.0.get() {
        return Ok(*known);
    }
    // Two threads may run the same test.
    let works = works(queue)?;
    if !works {
        log::warn!("{}: matrix units do not work, and are not used", queue.device());
    }
    Ok(*known.0.get_or_init(|| works))
}

fn is_likely(device: &Device) -> Result<bool> {
    let architecture = device.architecture()?;
    let is_hopper = architecture.vendor == Vendor::Nvidia && architecture.generation == "sm_90";
    Ok(is_hopper && device.has_extension("cl_nv_compiler_options")?)
}

/// Returns whether the product of two small matrices is right.
fn works(queue: &Queue) -> Result<bool> {
    // A queue of its own, because commands in the user's queue may wait for the user's next steps.
    let queue = Queue::new(queue.context(), QueueOptions::new())?;
    let answers = DeviceVec::filled(&queue, 0_u32, ROWS * COLUMNS)?;
    let fused = Fused::new(TEST.kernel);
    let own = [Arg::Memory(answers.memory(), Access::Overwrite), Arg::value(FIRST)];
    let ready = match fused.by(&TEST, ()).compile(&queue, ROWS * COLUMNS) {
        Err(Error::Build(_) | Error::UnknownKernel { .. }) => return Ok(false),
        ready => ready?,
    };
    // SAFETY: one work-group, each work-item of which writes four answers.
    unsafe { ready.launch(&own, 1, ready.shape().group)? };
    Ok(answers.to_vec()? == expected())
}

/// Returns the product that the test computes, of integers.
fn expected() -> Vec<u32> {
    let item = |row: u32, column: u32| -> u32 {
        let products = (0..INNER as u32).map(|k| (FIRST + 4 * row + k) * (FIRST + 8 * k + column));
        FIRST + products.sum::<u32>()
    };
    (0..ROWS as u32).flat_map(|row| (0..COLUMNS as u32).map(move |column| item(row, column))).collect()
}
