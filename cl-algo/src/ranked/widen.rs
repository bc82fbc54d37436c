//! Closures over 32-bit numbers, as closures over 64-bit numbers.

use super::stencil::Neighbourhood;
use crate::element::Element;
use crate::expr::Item;
use crate::ir::graph::{Graph, Replace};
use crate::ir::op::{Node, NodeId, Op, Type};
use smallvec::SmallVec;

impl<R: Item, K: Copy> Neighbourhood<i32, R, K> {
    /// Returns the closure that reads `i64`: what it computes from the items in `i32` and `u32`, it computes in 64 bits. So
    /// the results are those of the closure, also where the items or what is computed from them exceed 32 bits. A result of
    /// 32 bits keeps its lowest bits, as Rust's `as` does.
    ///
    /// Returns `None` if a device function, or an operation that depends on the number of bits, takes one of these numbers.
    ///
    /// ```
    /// use cl_algo::ranked::{HostScratch, Neighbourhood};
    /// # fn main() -> cl_core::Result<()> {
    /// let last = Neighbourhood::<i32, i64, ()>::record(|at| (at(()) + 7).cast());
    /// let Some(wide) = last.widened() else { unreachable!() };
    /// let mut out = [0];
    /// wide.on_host()?.run(&mut HostScratch::default(), &[&[i64::from(i32::MAX)]], &mut out)?;
    /// assert_eq!(out, [i64::from(i32::MAX) + 7]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn widened(&self) -> Option<Neighbourhood<i64, R, K>> {
        let mut graph = Graph::default();
        graph.failure.clone_from(&self.graph.failure);
        let mut moved = Moved::default();
        for node in &self.graph.nodes {
            moved.add(&self.graph, node, &mut graph)?;
        }
        graph.roots = (self.graph.roots.iter())
            .map(|&root| match (moved.ids[root as usize], moved.is_wide[root as usize]) {
                (id, true) => graph.node(Op::Cast, self.graph.nodes[root as usize].ty, &[id]),
                (id, false) => id,
            })
            .collect();
        Some(Neighbourhood::from_parts(self.reads.clone(), graph))
    }
}

/// Returns the integer type of 64 bits that takes the place of a type; the type itself if it is another one.
fn wide(ty: Type) -> Type {
    match ty {
        ty if ty == i32::TYPE.into() => i64::TYPE.into(),
        ty if ty == u32::TYPE.into() => u64::TYPE.into(),
        ty => ty,
    }
}

/// The nodes that take the places of the closure's.
#[derive(Default)]
struct Moved {
    ids: Vec<NodeId>,
    /// `true` for those of 64 bits in place of 32.
    is_wide: Vec<bool>,
}

impl Moved {
    /// Adds a node of the closure. Returns `None` if its operation is not the same for wider arguments.
    fn add(&mut self, from: &Graph<'static>, node: &Node, graph: &mut Graph<'static>) -> Option<()> {
        let takes_wide = node.arguments.iter().any(|&argument| self.is_wide[argument as usize]);
        let is_wide = match node.op {
            Op::Parameter(_) => true,
            _ if !takes_wide => {
                self.ids.push(graph.adopt(from, node, &self.ids, Replace::Nothing));
                self.is_wide.push(false);
                return Some(());
            }
            Op::Cast | Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => false,
            Op::Neg | Op::Not | Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem | Op::Select => true,
            Op::BitAnd | Op::BitOr | Op::BitXor | Op::Shl | Op::Shr => true,
            Op::Call("min" | "max" | "clamp" | "abs" | "abs_diff") => true,
            _ => return None,
        };
        let arguments: SmallVec<[NodeId; 4]> = (node.arguments.iter())
            .map(|&argument| {
                let (id, old) = (self.ids[argument as usize], from.nodes[argument as usize].ty);
                let is_cast = !self.is_wide[argument as usize] && wide(old) != old;
                if is_cast { graph.node(Op::Cast, wide(old), &[id]) } else { id }
            })
            .collect();
        self.ids.push(graph.node(node.op, if is_wide { wide(node.ty) } else { node.ty }, &arguments));
        self.is_wide.push(is_wide);
        Some(())
    }
}
