//! The inputs, operators and outputs that fill a kernel template, as data.

use super::fragment::Fragment;
use super::graph::Graph;
use super::rows::Rows;
use super::target::Target;
use smallvec::SmallVec;

/// The inputs, operators and outputs that fill a kernel template: expressions for inputs, closures for operators and
/// sinks for outputs. Every algorithm is made with it, here and in the crates built on this one.
///
/// ```
/// use cl_algo::codegen::{Definition, Fused, Template};
/// use cl_algo::prelude::*;
/// use cl_core::Arg;
///
/// /// The sums of neighbouring pairs of whatever is put in.
/// static PAIRS: Template = Template {
///     kernel: "pairs",
///     definition: &Definition::new(
///         "kernel void pairs(PARAMETERS OUTPUTS const uint count) {
///              const uint i = get_global_id(0);
///              if (i < count)
///                  STORE(i, ADD(LOAD(2 * i), LOAD(2 * i + 1)));
///              RETURN;
///          }",
///     ),
///     shape: |profile, size, ()| profile.elementwise(size),
/// };
///
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 2.0, 3.0, 4.0])?;
/// let mut sums = DeviceVec::filled(&queue, 0.0_f32, 2)?;
/// let pairs = Fused::new("pairs")
///     .input("", &x * &x)
///     .operator("ADD", "", |(a, b): (Val<f32>, Val<f32>)| a + b)
///     .output::<f32>("", "", &mut sums);
/// let ready = pairs.by(&PAIRS, ()).compile(&queue, x.len())?;
/// // SAFETY: two work-items, each of which reads two of four elements and writes one of two.
/// unsafe { ready.launch(&[Arg::value(2_u32)], 2, 1)? };
/// assert_eq!(sums.to_vec()?, [5.0, 25.0]);
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing happens until it is compiled and launched"]
#[allow(missing_debug_implementations)] // shown by the source
pub struct Fused<'a> {
    /// The function that the user called, which errors name.
    pub(crate) operation: &'static str,
    pub(crate) graph: Graph<'a>,
    pub(crate) fragments: SmallVec<[Fragment; 2]>,
    pub(crate) targets: Vec<Target<'a>>,
    /// The rows of an index space with several axes.
    pub(crate) rows: Option<Rows>,
    /// `true` if outputs keep their old elements where nothing is stored.
    pub(crate) keeps: bool,
}
