//! Matrix units: whether a device multiplies small matrices in hardware. A small kernel does it, and the host compares the
//! result.

use super::{Fused, Parameters, Template};
use crate::device::Shape;
use crate::expr::Format;
use crate::kernels;
use crate::vec::DeviceVec;
use cl_core::{Access, Arg, Device, Error, Queue, QueueOptions, Result, Vendor};
use std::sync::OnceLock;

/// The answers that a context remembers.
#[derive(Default)]
struct Known {
    /// For each [`UnitFormat`], by its number.
    units: [OnceLock<bool>; 4],
    /// For each [`Format`], in fragments.
    fragments: [OnceLock<bool>; 3],
}

/// The numbers that `kernels/matrix_units.cl` multiplies.
#[derive(Clone, Copy, Debug)]
pub(crate) enum UnitFormat {
    Doubles,
    Of(Format),
}

impl UnitFormat {
    /// Returns the number in kernels.
    pub(crate) fn number(self) -> usize {
        match self {
            UnitFormat::Of(format) => format as usize,
            UnitFormat::Doubles => 3,
        }
    }

    /// Returns how many numbers of a line are multiplied at once.
    fn at_once(self) -> u32 {
        match self {
            UnitFormat::Doubles => 4,
            UnitFormat::Of(Format::Tf32) => 8,
            UnitFormat::Of(Format::Bf16 | Format::F16) => 16,
        }
    }
}

/// A number that the kernel's compiler does not know.
const FIRST: u32 = 3;

/// `kernels/matrix_units_test.cl`.
static TEST: Template<Units> = Template {
    kernel: "test_matrix_units",
    definition: &kernels::MATRIX_UNITS_TEST,
    shape: |_, _, _| Shape { chunked: false, group: 32, pack: 1, packs: 1, max_groups: 1, streams: false },
};

/// The parameters of the kernel `test_matrix_units`.
#[derive(Clone, Copy, Debug, Parameters)]
struct Units {
    /// The number of the [`UnitFormat`].
    format: usize,
}

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

/// Returns whether kernels may multiply numbers by `kernels/matrix_units.cl`: on NVIDIA's Hopper GPUs, if a test gives the
/// right result. Other GPUs are not tested, because the speed of their units has not been measured.
///
/// The first call in a context may compile and run a kernel.
///
/// # Errors
/// [`Error::Driver`] if the test could not be run; the next call repeats the test.
pub(crate) fn has_matrix_units(queue: &Queue, format: UnitFormat) -> Result<bool> {
    let number = format.number();
    let item = |row, column| sum(format.at_once(), row, column);
    passes(queue, |known| &known.units[number], (&TEST, Units { format: number }), [16, 8], item)
}

/// Returns whether kernels may multiply doubles by [`DOUBLE_UNITS`](super::library::DOUBLE_UNITS): on NVIDIA's Hopper GPUs,
/// if a test gives the right result.
///
/// The first call in a context may compile and run a kernel.
///
/// # Errors
/// [`Error::Driver`] if the test could not be run; the next call repeats the test.
pub fn multiplies_doubles(queue: &Queue) -> Result<bool> {
    has_matrix_units(queue, UnitFormat::Doubles)
}

/// Returns whether kernels may multiply numbers of a format by `kernels/fragments.cl`, as [`has_matrix_units`] does.
///
/// # Errors
/// As [`has_matrix_units`].
pub(crate) fn has_fragments(queue: &Queue, format: Format) -> Result<bool> {
    let number = format as usize;
    let inner = if format == Format::Tf32 { 8 } else { 16 };
    let item = |row, column| sum(inner, row, column);
    let test = Fragments { format: number, width: 64 };
    passes(queue, |known| &known.fragments[number], (&FRAGMENTS_TEST, test), [64, 64], item)
}

/// Returns an item of the product that a test computes: `FIRST` and the sum of `inner` products.
fn sum(inner: u32, row: u32, column: u32) -> u32 {
    FIRST + (0..inner).map(|k| (FIRST + row + k) * (FIRST + column + 2 * k)).sum::<u32>()
}

/// Returns whether a test gives the product whose items a closure returns. A context remembers the answer.
fn passes<P: Parameters>(
    queue: &Queue,
    known: impl FnOnce(&Known) -> &OnceLock<bool>,
    test: (&'static Template<P>, P),
    [rows, columns]: [u32; 2],
    item: impl Fn(u32, u32) -> u32,
) -> Result<bool> {
    let attachment = queue.context().attachment::<Known>();
    let known = known(&attachment);
    if let Some(known) = known.get() {
        return Ok(*known);
    }
    if !is_likely(queue.device())? {
        return Ok(*known.get_or_init(|| false));
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
