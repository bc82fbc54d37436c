//! Checks that the loads of an index space stay inside their vectors.

use super::graph::Graph;
use super::op::{Node, Op};
use super::rows::Affine;
use cl_core::{Error, Result};

/// The least and the greatest value of an index.
type Range = [i128; 2];

impl Graph<'_> {
    /// Returns an error unless all loads in a space with these axes read elements of their vectors. `forms` are the
    /// forms of the nodes that are affine indices.
    ///
    /// Returns a bound of the absolute values of all indices that are computed from checked indices.
    pub(super) fn loads_within(
        &self,
        forms: &[Option<Affine>],
        axes: &[usize],
        operation: &'static str,
    ) -> Result<i128> {
        if self.nodes.iter().any(|node| node.op == Op::Index) {
            let reason =
                "it reads the items of a vector, and an index space has coordinates: use `ranked::load`";
            return Err(Error::invalid_input(operation, reason));
        }
        let mut ranges: Vec<Option<Range>> = Vec::with_capacity(self.nodes.len());
        let mut reach = 0;
        for (node, form) in self.nodes.iter().zip(forms) {
            let range = match form {
                Some(form) => Some(form.range(axes)),
                None => self.computed_range(node, forms, &ranges),
            };
            if let (Op::Strided, Some([least, last])) = (node.op, range) {
                reach = reach.max(least.saturating_abs()).max(last.saturating_abs());
            }
            if let (Op::Neighbour(_), Some([_, last])) = (node.op, range)
                && last < 0
            {
                let reason = "it reads an expression that has zero items";
                return Err(Error::invalid_input(operation, reason));
            }
            if let Op::Load(slot) = node.op {
                let index = node.arguments[0] as usize;
                let vector = &self.vectors[slot as usize];
                let len = vector.bytes / vector.element.size().max(1);
                match ranges[index] {
                    Some(range) => within(range, len, operation)?,
                    None if self.nodes[index].op == Op::Strided => {
                        let reason = "it reads an array at coordinates that nothing keeps inside the array";
                        return Err(Error::invalid_input(operation, reason));
                    }
                    // Other indices are made by unsafe functions, whose callers know that they are in range.
                    None => {}
                }
            }
            ranges.push(range);
        }
        Ok(reach)
    }

    /// Returns the range of an index that is not affine: one that kernels keep in range, or one computed from these.
    fn computed_range(
        &self,
        node: &Node,
        forms: &[Option<Affine>],
        ranges: &[Option<Range>],
    ) -> Option<Range> {
        let of = |at: usize| ranges[node.arguments[at] as usize];
        let constant = |at: usize| forms[node.arguments[at] as usize].and_then(Affine::as_constant);
        match node.op {
            Op::Checked(_) => Some([0, i128::from(constant(1)?) - 1]),
            Op::Neighbour(_) => Some([0, i128::from(constant(2)?) - 1]),
            Op::Strided => {
                let [mut least, mut last] = of(0)?;
                for at in (1..node.arguments.len()).step_by(2) {
                    let stride = i128::from(constant(at + 1)?);
                    let ends = of(at)?.map(|end| end.saturating_mul(stride));
                    least = least.saturating_add(ends[0].min(ends[1]));
                    last = last.saturating_add(ends[0].max(ends[1]));
                }
                Some([least, last])
            }
            _ => None,
        }
    }
}

/// Returns an error unless a range of indices lies in a vector of `len` elements.
fn within([least, last]: Range, len: usize, operation: &'static str) -> Result<()> {
    if least < 0 || last >= len as i128 {
        let clamped = |index: i128| usize::try_from(index.max(0)).unwrap_or(usize::MAX);
        return Err(Error::out_of_bounds(operation, clamped(least), clamped(last + 1), len));
    }
    Ok(())
}
