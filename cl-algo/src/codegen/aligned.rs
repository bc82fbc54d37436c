//! Slices as outputs, whose packs begin at lines of memory.

use super::cache::streams;
use crate::device::profile;
use crate::ir::fragment::{Kind, StoreIndex};
use crate::ir::fused::Fused;
use crate::ir::graph::Graph;
use crate::ir::target::{Target, TargetIndex};
use crate::lower::body::Body;
use cl_core::{Queue, Result};

/// The number of bytes in a line of memory, and in the largest pack.
const LINE: usize = 64;

impl Fused<'_> {
    /// Lets packs of slices begin at lines of memory if the slices are long. CPUs store long slices past their caches,
    /// and can store only whole lines there. All items move to higher indices for this. Returns the index of the first
    /// item.
    ///
    /// A copy of 2^24 `f32` to a slice that is not aligned takes 1.4 times as long.
    ///
    /// # Errors
    /// As [`profile`].
    pub(crate) fn align(&mut self, queue: &Queue, len: usize) -> Result<usize> {
        if self.targets.iter().all(Target::is_in_order) {
            return Ok(0);
        }
        let Some(begin) = self.targets.first().and_then(within_line) else { return Ok(0) };
        if self.targets.iter().any(|target| within_line(target) != Some(begin))
            || !streams(&*profile(queue.context())?, &self.fragments, len)
            || begin > 0 && !self.move_up(begin)
        {
            return Ok(0);
        }
        let mut targets = self.targets.iter_mut();
        for fragment in &mut self.fragments {
            let Kind::Output { outputs, .. } = &mut fragment.kind else { continue };
            for (output, target) in outputs.iter_mut().zip(&mut targets) {
                if let TargetIndex::Line { offset, .. } = &mut target.index {
                    *offset -= begin as i64;
                    output.index =
                        if *offset == 0 { StoreIndex::Own } else { StoreIndex::Slice { aligned: true } };
                }
            }
        }
        Ok(begin)
    }

    /// Moves the present item `i` to index `i + by`, unless the moved items could not be computed in packs.
    fn move_up(&mut self, by: usize) -> bool {
        let whole = self.whole();
        let moved = whole.at(&Graph::line_at(1, -(by as i64)), whole.len, self.operation);
        // A graph that already has the maximal number of nodes has no room for the nodes that move.
        let moves = moved.failure.is_none() && Body::new(&moved, &moved.roots).is_vectorizable(LINE);
        if moves {
            self.set_whole(moved);
        }
        moves
    }
}

/// Returns the number of elements between the beginning of a line and the beginning of a slice of numbers.
fn within_line(target: &Target<'_>) -> Option<usize> {
    match target.index {
        TargetIndex::Line { stride: 1, offset } => {
            Some(offset as usize % (LINE / target.element.scalar()?.size()))
        }
        _ => None,
    }
}
