//! The targets of a graph's values: the memory and indices that they are stored to.

use super::graph::Graph;
use super::op::NodeId;
use super::rows::RowBegin;
use crate::element::ElementType;
use cl_core::{Access, Error, Memory, Queue};
use smallvec::SmallVec;

/// The values of an output, and their targets.
#[doc(hidden)]
#[allow(missing_debug_implementations)] // only this crate has one
pub struct Stores<'p, 't> {
    pub(crate) values: &'p mut Graph<'t>,
    pub(crate) targets: &'p mut Vec<Target<'t>>,
    /// The values that are stored to the last targets, one for each.
    pub(crate) roots: SmallVec<[NodeId; 2]>,
}

impl<'t> Stores<'_, 't> {
    /// Stores the value of a node in a target.
    pub(crate) fn put(&mut self, root: NodeId, target: Target<'t>) {
        self.roots.push(root);
        self.targets.push(target);
    }
}

/// The target of one value.
#[doc(hidden)]
#[allow(missing_debug_implementations)] // only this crate has one
pub struct Target<'t> {
    pub(crate) memory: &'t Memory,
    pub(crate) queue: &'t Queue,
    pub(crate) element: ElementType,
    /// The number of values that it has room for.
    pub(crate) len: usize,
    /// The number of the vector's elements. Its memory may have room for more, which nothing reads before it is written.
    pub(crate) elements: usize,
    pub(crate) index: TargetIndex<'t>,
    pub(crate) failure: Option<Box<Error>>,
}

/// The index in the vector that the value at index `i` is stored to.
pub(crate) enum TargetIndex<'t> {
    Line {
        stride: i64,
        offset: i64,
    },
    /// `stride * i` after the begin of the row.
    Row {
        stride: i64,
        begin: RowBegin,
    },
    /// The first root of `indices` is checked to be less than `bound`. The last root is the index in the vector, which is
    /// less than `reach`.
    Scatter {
        indices: Box<Graph<'t>>,
        bound: usize,
        reach: usize,
    },
}

impl<'t> Target<'t> {
    /// Returns whether the target is the first elements of a vector, or all of them, in order.
    pub(crate) fn is_in_order(&self) -> bool {
        self.line() == Some((1, 0))
    }

    /// Returns the kernel's access to the memory. If the kernel also reads the vector, it is among the inputs, too.
    pub(crate) fn access(&self) -> Access {
        if self.is_in_order() && self.len == self.elements { Access::Overwrite } else { Access::Write }
    }

    /// Returns stride and offset, unless the target is a scatter or has rows.
    pub(crate) fn line(&self) -> Option<(i64, i64)> {
        match self.index {
            TargetIndex::Line { stride, offset } => Some((stride, offset)),
            TargetIndex::Row { .. } | TargetIndex::Scatter { .. } => None,
        }
    }

    /// Returns a bound of the indices.
    pub(crate) fn reach(&self) -> usize {
        match self.index {
            TargetIndex::Line { stride, offset } => {
                let last = stride.unsigned_abs() as usize * self.len;
                last.saturating_add(offset.unsigned_abs() as usize)
            }
            // The reach of the whole space is known.
            TargetIndex::Row { .. } => 0,
            TargetIndex::Scatter { reach, .. } => reach,
        }
    }
}
