//! Kernel templates: `.cl` files that read items through `LOAD(i)` and write them by `STORE(i, item)`.

use crate::device_profile::{DeviceProfile, Shape};
use cl_core::BuildOptions;

/// A kernel template: OpenCL C text in which the names of fragments, tuning values and the shape
/// stand for what [`Fused`](super::Fused) fills in.
///
/// The text defines one kernel, whose parameters begin with `PARAMETERS OUTPUTS`; each of these is a
/// list that ends in a comma, or nothing. It can use, besides what its fragments give it:
///
/// | name | what |
/// | --- | --- |
/// | `INDEX` | `uint`, or `ulong` where vectors are long; `SIGNED_INDEX` likewise |
/// | `GROUP`, `PACK`, `PACKS`, `CHUNKED`, `TILE`, `FOR_EACH_TILE` | the shape; see `kernels/shape.cl` |
/// | `ARGUMENTS`, `OUTPUT_ARGUMENTS` | to pass the lists on to a function that takes them |
/// | the names in `values` | the tuning values |
/// | `KERNEL_NUMBER` | which kernel of its program it is, from 0 on |
///
/// Several kernels may become one program ([`Fused::compile_all`](super::Fused::compile_all)), in which the
/// second one's names end in `_1`, and so on. For that, macros are `#define`d in lines of their own; functions
/// are `static inline`, at the beginning of a line; types and `constant` tables begin in the first column, and
/// structs end there, as `} name;`. Names that a macro pastes together are made different by `KERNEL_NUMBER`.
#[derive(Debug)]
pub struct Template {
    /// The name of the kernel.
    pub kernel: &'static str,
    /// The text, usually by `include_str!`.
    pub text: &'static str,
    /// The names of the tuning values, which are numbers in the source.
    pub values: &'static [&'static str],
    /// How it divides its work on a device: given the size in bytes of the largest part of its
    /// items, and the tuning values.
    pub shape: fn(&DeviceProfile, usize, &[i64]) -> Shape,
    /// What it adds to the compiler's options.
    pub options: fn(BuildOptions, &[i64]) -> BuildOptions,
}
