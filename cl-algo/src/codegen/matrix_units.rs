//! Matrix units: whether a device multiplies small matrices in hardware. A small kernel does it, and the host compares the
//! result.

use super::{Fused, Parameters, Template};
use crate::device::Shape;
use crate::expr::Format;
use crate::kernels;
use crate::vec::DeviceVec;
use cl_core::{Access, Arg, Device, Error, Queue, QueueOptions, Result, Vendor};
use std::sync::OnceLock;

/// The answers that a context remembers: for doubles, and for each [`Format`].
#[derive(Default)]
struct Known {
    doubles: OnceLock<bool>,
    formats: [OnceLock<bool>; 3],
}

/// A number that the kernel's compiler does not know.
const FIRST: u32 = 3;

/// `kernels/matrix_units_test.cl`.
static TEST: Template = Template {
    kernel: "test_matrix_units",
    definition: &kernels::MATRIX_UNITS_TEST,
    shape: |_, _, ()| Shape { chunked: false, group: 32, pack: 1, packs: 1, max_groups: 1, streams: false },
};

/// `kernels/fragments_test.cl`.
static FRAGMENTS_TEST: Template<Fragments> = Template {
    kernel: "test_fragments",
    definition: &kernels::FRAGMENTS_TEST,
    shape: |_, _, _| Shape { chunked: false, group: 128, pack: 1, packs: 1, max_groups: 1, streams: false },
};

/// The parameters of the kernel `test_fragments`.
#[derive(Clone, Copy, Debug, Parameters)]
struct Fragments {
    /// The number of the [`Format`].
    format: usize,
    /// The number of columns.
    width: usize,
}

/// Returns whether kernels may multiply doubles by `kernels/matrix_units.cl`: on NVIDIA's Hopper GPUs, if a test gives the
/// right result. Other GPUs are not tested, because the speed of their units has not been measured.
///
/// The first call in a context may compile and run a kernel.
///
/// # Errors
/// [`Error::Driver`] if the test could not be run; the next call repeats the test.
pub(crate) fn has_matrix_units(queue: &Queue) -> Result<bool> {
    let item = |row, column| sum(4, |k| (FIRST + 4 * row + k) * (FIRST + 8 * k + column));
    passes(queue, |known| &known.doubles, (&TEST, ()), [16, 8], item)
}

/// Returns whether kernels may multiply numbers of a format by `kernels/fragments.cl`, as [`has_matrix_units`] does for doubles.
///
/// # Errors
/// As [`has_matrix_units`].
pub(crate) fn has_fragments(queue: &Queue, format: Format) -> Result<bool> {
    let number = format as usize;
    let inner = if format == Format::Tf32 { 8 } else { 16 };
    let item = |row, column| sum(inner, |k| (FIRST + row + k) * (FIRST + column + 2 * k));
    let test = Fragments { format: number, width: 64 };
    passes(queue, |known| &known.formats[number], (&FRAGMENTS_TEST, test), [64, 64], item)
}

/// Returns `FIRST` and the sum of `inner` products.
fn sum(inner: u32, product: impl Fn(u32) -> u32) -> u32 {
    FIRST + (0..inner).map(product).sum::<u32>()
}

/// Returns whether a test gives the product whose items a closure returns. A context remembers the answer.
fn passes<P: Parameters>(
    queue: &Queue,
    known: impl FnOnce(&Known) -> &OnceLock<bool>,
    test: (&'static Template<P>, P),
    [rows, columns]: [u32; 2],
    item: impl Fn(u32, u32) -> u32,
) -> Result<bool> {
    if !is_likely(queue.device())? {
        return Ok(false);
    }
    let attachment = queue.context().attachment::<Known>();
    let known = known(&attachment);
    if let Some(known) = known.get() {
        return Ok(*known);
    }
    let expected: Vec<u32> = (0..rows * columns).map(|at| item(at / columns, at % columns)).collect();
    // Two threads may run the same test.
    let works = works(queue, test, &expected)?;
    if !works {
        log::warn!("{}: matrix units do not work, and are not used", queue.device());
    }
    Ok(*known.get_or_init(|| works))
}

fn is_likely(device: &Device) -> Result<bool> {
    let architecture = device.architecture()?;
    let is_hopper = architecture.vendor == Vendor::Nvidia && architecture.generation == "sm_90";
    Ok(is_hopper && device.has_extension("cl_nv_compiler_options")?)
}

/// Returns whether the product of two small matrices is right.
fn works<P: Parameters>(
    queue: &Queue,
    (test, parameters): (&'static Template<P>, P),
    expected: &[u32],
) -> Result<bool> {
    // A queue of its own, because commands in the user's queue may wait for the user's next steps.
    let queue = Queue::new(queue.context(), QueueOptions::new())?;
    let answers = DeviceVec::filled(&queue, 0_u32, expected.len())?;
    let fused = Fused::new(test.kernel);
    let own = [Arg::Memory(answers.memory(), Access::Overwrite), Arg::value(FIRST)];
    let ready = match fused.by(test, parameters).compile(&queue, expected.len()) {
        Err(Error::Build(_) | Error::UnknownKernel { .. } | Error::Unsupported { .. }) => return Ok(false),
        ready => ready?,
    };
    // SAFETY: one work-group, whose work-items write all answers.
    unsafe { ready.launch(&own, 1, ready.shape().group)? };
    Ok(answers.to_vec()? == expected)
}
