//! Slices as outputs, whose packs begin where lines of memory do.

use super::cache::streams;
use crate::device::profile;
use crate::ir::fragment::{Kind, Place};
use crate::ir::fused::Fused;
use crate::ir::graph::Graph;
use crate::ir::target::{Placement, Target};
use crate::lower::body::Body;
use cl_core::{Queue, Result};

/// Bytes of a line of memory, and of the largest pack.
const LINE: usize = 64;

impl Fused<'_> {
    /// Lets packs of slices begin where lines of memory do, if the slices are so long that CPUs store them past their
    /// caches, where they can store whole lines only. To that end all items move to higher indices. Returns the index of
    /// the first item.
    ///
    /// A copy of 2^24 `f32` takes 1.4 times as long otherwise.
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
                if let Placement::Line { offset, .. } = &mut target.place {
                    *offset -= begin as i64;
                    output.place = if *offset == 0 { Place::Own } else { Place::Slice { aligned: true } };
                }
            }
        }
        Ok(begin)
    }

    /// Makes item `i + by` of what was item `i`, unless it would have no form for packs.
    fn move_up(&mut self, by: usize) -> bool {
        let whole = self.whole();
        let moved = whole.at(&Graph::line_at(1, -(by as i64)), whole.len, self.operation);
        // A graph with as many nodes as there may be has no room for those that move.
        let moves = moved.failure.is_none() && Body::new(&moved, &moved.roots).is_vectorizable(LINE);
        if moves {
            self.set_whole(moved);
        }
        moves
    }
}

/// How many elements behind the beginning of a line a slice of numbers begins.
fn within_line(target: &Target<'_>) -> Option<usize> {
    match target.place {
        Placement::Line { stride: 1, offset } => {
            Some(offset as usize % (LINE / target.element.scalar()?.size()))
        }
        _ => None,
    }
}
