//! Numbers rounded to formats of fewer bits, as matrix units multiply them.

use super::{Expr, Val, extend};
use crate::ir::format::Format;
use crate::ir::graph::Graph;
use crate::ir::op::Op;

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
