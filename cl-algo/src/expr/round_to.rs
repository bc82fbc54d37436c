//! Numbers rounded to formats of fewer bits, as matrix units multiply them.

use super::{Expr, Val, extend, record};
use crate::ir::format::Format;
use crate::ir::graph::Graph;
use crate::ir::op::Op;

const SIGN: u32 = 1 << 31;

impl Expr<'_, f32> {
    /// Rounds each number to the nearest number of a shorter format, ties to even. The results are `f32`.
    ///
    /// A product of matrices that are both rounded to the same format, neither small nor triangular, is computed by the matrix units
    /// of NVIDIA's Hopper GPUs, up to eleven times as fast as a product of `f32`. They multiply exactly, and add in `f32`, but cut
    /// off digits of sums that other devices round.
    ///
    /// ```
    /// use cl_algo::prelude::*;
    /// use cl_algo::Format;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let x = DeviceVec::from_slice(&queue, &[1.0_f32, 0.1, 70000.0])?;
    /// assert_eq!(x.iter().round_to(Format::Bf16).collect()?.to_vec()?, [1.0, 0.100_097_656, 70144.0]);
    /// assert_eq!(x.iter().round_to(Format::F16).collect()?.to_vec()?, [1.0, 0.099_975_586, f32::INFINITY]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias("bfloat16", "half", "f16", "tensor cores"))]
    pub fn round_to(self, format: Format) -> Self {
        self.map(|x| x.round_to(format))
    }
}

impl Val<f32> {
    /// Rounds the number to a shorter format; see [`Expr::round_to`].
    #[must_use]
    pub fn round_to(self, format: Format) -> Val<f32> {
        extend(|recording| {
            let argument = self.node(recording);
            recording.apply(Op::Rounded(format), <f32 as crate::Element>::TYPE, &[argument])
        })
    }
}

/// Returns the format that the only result of a graph is rounded to.
pub(crate) fn format_of(graph: &Graph<'_>) -> Option<Format> {
    match graph.roots[..] {
        [root] => match graph.nodes[root as usize].op {
            Op::Rounded(format) => Some(format),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the function of the 16 bits of a number that is rounded to [`Format::Bf16`] or [`Format::F16`].
pub(crate) fn sixteen_bits(format: Format) -> Graph<'static> {
    record::<f32, _>(|x| {
        let bits = x.bitcast::<u32>();
        let wide = match format {
            Format::Tf32 | Format::Bf16 => bits >> 16,
            Format::F16 => {
                let size = x.abs();
                let normal = ((bits & !SIGN) >> 13) - (112 << 10);
                let subnormal = (size * Format::SUBNORMALS_F16).cast::<u32>();
                let finite = size.lt(Format::LEAST_NORMAL_F16).select(subnormal, normal);
                let any = size.gt(Format::LARGEST_F16).select(0x7c00, finite);
                x.ne(x).select(0x7e00, any) | ((bits & SIGN) >> 16)
            }
        };
        wide.cast::<u16>()
    })
}
