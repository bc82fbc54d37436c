//! Graph operations whose result types follow from the types of their operands.

use super::graph::Graph;
use super::op::{NodeId, Op, Type};
use crate::element::ScalarType;

impl Graph<'_> {
    /// Returns the type of a node.
    pub(crate) fn ty(&self, id: NodeId) -> Type {
        self.nodes[id as usize].ty
    }

    /// Adds an operation; `None` if it is not defined for the operands.
    pub(crate) fn op(&mut self, op: Op, of: &[NodeId]) -> Option<NodeId> {
        let types: Vec<Type> = of.iter().map(|&id| self.ty(id)).collect();
        if types.first().is_some_and(|first| first.is_wide()) {
            return self.wide_op(op, of);
        }
        let ty = op.result(&types)?;
        Some(self.node(op, ty, of))
    }

    /// Adds a number, rounded to the type.
    pub(crate) fn number(&mut self, value: f64, of: ScalarType) -> NodeId {
        self.node(Op::Constant(bits(value, of)), Type::from(of), &[])
    }

    /// Adds `x as to`, with the meaning that Rust gives it; `None` if Rust does not allow it.
    pub(crate) fn converted(&mut self, x: NodeId, to: Type) -> Option<NodeId> {
        let from = self.ty(x);
        if from == to {
            return Some(x);
        }
        if from.is_wide() || to.is_wide() {
            return self.wide_converted(x, to);
        }
        (from.scalar().is_some() && to.number().is_some()).then(|| self.node(Op::Cast, to, &[x]))
    }

    /// Adds the signed integer by which a float is compared in the total order. Returns a number of another type
    /// unchanged.
    pub(crate) fn total_key(&mut self, x: NodeId) -> Option<NodeId> {
        let of = self.ty(x).scalar()?;
        if !of.is_float() {
            return Some(x);
        }
        let key = of.signed();
        let (last, greatest) = (8 * key.size() - 1, u64::MAX >> (65 - 8 * key.size()));
        let bits = self.node(Op::Bitcast, Type::from(key), &[x]);
        let last = self.number(last as f64, key);
        let sign = self.op(Op::Shr, &[bits, last])?;
        let greatest = self.node(Op::Constant(greatest), Type::from(key), &[]);
        let rest = self.op(Op::BitAnd, &[sign, greatest])?;
        self.op(Op::BitXor, &[bits, rest])
    }
}

/// Returns the bits of a number of this type.
pub(crate) fn bits(value: f64, of: ScalarType) -> u64 {
    match of {
        ScalarType::F16 => half::f16::from_f64(value).to_bits().into(),
        ScalarType::F32 => (value as f32).to_bits().into(),
        ScalarType::F64 => value.to_bits(),
        // The integers here are small.
        _ => value as i64 as u64,
    }
}
