//! Where the values of a graph go.

use super::graph::Graph;
use super::op::NodeId;
use crate::element::ElementType;
use cl_core::{Access, Error, Memory, Queue};
use smallvec::SmallVec;

/// Values, and where they go.
#[doc(hidden)]
#[allow(missing_debug_implementations)] // nobody outside of this crate has one
pub struct Placing<'p, 't> {
    pub(crate) values: &'p mut Graph<'t>,
    pub(crate) targets: &'p mut Vec<Target<'t>>,
    /// The values that go to the last of the targets, as many as there are.
    pub(crate) roots: SmallVec<[NodeId; 2]>,
}

impl<'t> Placing<'_, 't> {
    /// Stores the value of a node in a target.
    pub(crate) fn put(&mut self, root: NodeId, target: Target<'t>) {
        self.roots.push(root);
        self.targets.push(target);
    }
}

/// Where one value goes.
#[doc(hidden)]
#[allow(missing_debug_implementations)] // nobody outside of this crate has one
pub struct Target<'t> {
    pub(crate) memory: &'t Memory,
    pub(crate) queue: &'t Queue,
    pub(crate) element: ElementType,
    /// How many values it takes.
    pub(crate) len: usize,
    pub(crate) place: Placement<'t>,
    pub(crate) failure: Option<Box<Error>>,
}

/// Where in the vector the value of index i goes.
pub(crate) enum Placement<'t> {
    Line { stride: i64, offset: i64 },
    Scatter { indices: Box<Graph<'t>>, bound: usize },
}

impl<'t> Target<'t> {
    /// Whether it is the first elements of a vector, or all, in order.
    pub(crate) fn is_in_order(&self) -> bool {
        self.line() == Some((1, 0))
    }

    /// What a kernel does with the memory. One that also reads the vector has it among its inputs, too.
    pub(crate) fn access(&self) -> Access {
        let whole = self.len.checked_mul(self.element.size()) == Some(self.memory.bytes());
        if self.is_in_order() && whole { Access::Overwrite } else { Access::Write }
    }

    /// Stride and offset, of what is no scatter.
    pub(crate) fn line(&self) -> Option<(i64, i64)> {
        match self.place {
            Placement::Line { stride, offset } => Some((stride, offset)),
            Placement::Scatter { .. } => None,
        }
    }

    /// How far indices go, at most.
    pub(crate) fn reach(&self) -> usize {
        match self.place {
            Placement::Line { stride, offset } => {
                let last = stride.unsigned_abs() as usize * self.len;
                last.saturating_add(offset.unsigned_abs() as usize)
            }
            Placement::Scatter { bound, .. } => bound,
        }
    }
}
