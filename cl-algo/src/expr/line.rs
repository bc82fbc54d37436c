//! Gathers whose indices lie on a line, such as `index() * 32 + 5`.
//!
//! Once the length is known, the host knows whether all indices are in range. Then they need no check on the device,
//! and the items are read as the items of a strided view are.

use crate::element::ScalarType;
use crate::ir::graph::{Graph, Replace};
use crate::ir::leaf::Scalar;
use crate::ir::op::{NodeId, Op, Site, Type};

/// Numbers of the form `stride * i + offset`.
#[derive(Clone, Copy)]
struct Line {
    stride: i128,
    offset: i128,
}

impl Line {
    fn new(stride: i128, offset: i128) -> Line {
        Line { stride, offset }
    }

    fn plus(self, other: Line) -> Option<Line> {
        let (stride, offset) =
            (self.stride.checked_add(other.stride)?, self.offset.checked_add(other.offset)?);
        Some(Line { stride, offset })
    }

    fn times(self, factor: i128) -> Option<Line> {
        Some(Line { stride: self.stride.checked_mul(factor)?, offset: self.offset.checked_mul(factor)? })
    }

    /// Returns whether all of the first `len` numbers lie in a range that includes both ends.
    fn is_within(self, len: usize, [least, greatest]: [i128; 2]) -> bool {
        let last = self.stride.checked_mul(len as i128 - 1).and_then(|far| far.checked_add(self.offset));
        last.is_some_and(|last| least <= last.min(self.offset) && last.max(self.offset) <= greatest)
    }
}

/// Returns the smallest and the largest integer of a type.
fn limits(of: ScalarType) -> Option<[i128; 2]> {
    let bits = 8 * of.size() as u32;
    match of {
        ScalarType::Bool => None,
        of if of.is_float() => None,
        of if of.is_signed() => Some([-(1 << (bits - 1)), (1 << (bits - 1)) - 1]),
        _ => Some([0, (1 << bits) - 1]),
    }
}

/// Returns the integer of the given bits.
fn integer(bits: u64, of: ScalarType) -> i128 {
    let unused = 64 - 8 * of.size() as u32;
    let bits = bits << unused;
    if of.is_signed() { (bits as i64 >> unused).into() } else { (bits >> unused).into() }
}

impl<'a> Graph<'a> {
    /// Returns the graph for its first `len` items, in which lines replace the gathers' indices that lie on a line.
    pub(crate) fn with_lines(self, len: usize) -> Graph<'a> {
        let is_gather = |op: Op| op == Op::Checked(Site::Gather);
        if len == 0 || !self.nodes.iter().any(|node| is_gather(node.op)) {
            return self;
        }
        let mut graph = Graph::default();
        (graph.len, graph.on) = (self.len, self.on.clone());
        graph.failure.clone_from(&self.failure);
        let own = graph.node(Op::Index, Type::Index, &[]);
        let mut moved = Vec::with_capacity(self.nodes.len());
        let mut lines: Vec<Option<Line>> = Vec::with_capacity(self.nodes.len());
        for (node, id) in self.nodes.iter().zip(0..) {
            lines.push(self.integers(id, len, &lines));
            let line = if is_gather(node.op) { self.line_below(&node.arguments, len, &lines) } else { None };
            moved.push(match line {
                // The same index for all items becomes a scalar, so that nodes without an index, such as an entry of a
                // fold, need none.
                Some((0, offset)) => graph.scalar_node(Scalar::index(offset)),
                Some((stride, offset)) => graph.affine(own, stride, offset),
                None => graph.adopt(&self, node, &moved, Replace::Index(own)),
            });
        }
        if graph.failure.is_some() && self.failure.is_none() {
            // The graph has no room for the additional nodes of lines.
            return self;
        }
        graph.roots = self.roots.iter().map(|&root| moved[root as usize]).collect();
        graph.pruned()
    }

    /// Returns stride and offset of a gather's index, if the first `len` indices are a line below the bound.
    fn line_below(&self, arguments: &[NodeId], len: usize, lines: &[Option<Line>]) -> Option<(i64, i64)> {
        let &[index, bound] = arguments else { return None };
        let line = lines[index as usize]?;
        let last = i128::from(self.launched(bound)) - 1;
        // A value that wraps around becomes another number, so all values must fit the type.
        let greatest =
            self.ty(index).number().and_then(limits).map_or(last, |[_, greatest]| last.min(greatest));
        line.is_within(len, [0, greatest]).then_some(())?;
        Some((line.stride.try_into().ok()?, line.offset.try_into().ok()?))
    }

    /// Returns a node's values for the first `len` items, if they are a line modulo the width of their type. `lines`
    /// are the results for the nodes before it.
    fn integers(&self, id: NodeId, len: usize, lines: &[Option<Line>]) -> Option<Line> {
        let node = &self.nodes[id as usize];
        if let Some((stride, offset)) = self.line_of(id) {
            return Some(Line::new(stride.into(), offset.into()));
        }
        let of = node.ty.number()?;
        limits(of)?;
        let line = |at: usize| lines[node.arguments[at] as usize];
        match node.op {
            Op::Scalar(slot) => Some(Line::new(0, integer(self.scalars[slot as usize].bits()?, of))),
            Op::Constant(bits) => Some(Line::new(0, integer(bits, of))),
            Op::Cast => match self.ty(node.arguments[0]) {
                Type::Index => line(0),
                from => {
                    let limits = limits(from.number()?)?;
                    line(0).filter(|line| line.is_within(len, limits))
                }
            },
            Op::Neg => line(0)?.times(-1),
            Op::Add => line(0)?.plus(line(1)?),
            Op::Sub => line(0)?.plus(line(1)?.times(-1)?),
            Op::Mul => match (line(0)?, line(1)?) {
                (line, Line { stride: 0, offset }) | (Line { stride: 0, offset }, line) => line.times(offset),
                _ => None,
            },
            _ => None,
        }
    }
}
