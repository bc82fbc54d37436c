//! Folds of ranges: a loop over entries, as a function of its own.

use super::body::Body;
use super::value_type::ValueType;
use crate::element::ElementType;
pub(super) use crate::ir::fold::ENDS;
use crate::ir::graph::Graph;
use crate::ir::op::{Node, NodeId, Op};
use std::fmt::{self, Write};

/// Returns the call of a fold for a range: its first entry, the entry after its last, and their distance if it is not
/// 1.
pub(super) fn call<'t>(node: NodeId, range: impl Iterator<Item = &'t String>) -> String {
    let range: Vec<String> = range.map(|end| format!("(INDEX)({end})")).collect();
    format!("fold{node}(ARGUMENTS {})", range.join(", "))
}

/// Writes the functions of one node, if it is a fold.
pub(super) fn write(out: &mut String, graph: &Graph<'_>, id: NodeId, node: &Node) -> fmt::Result {
    let (Op::Fold { at_once, .. }, Some(element)) = (node.op, node.ty.element()) else { return Ok(()) };
    let name = ValueType::item(element).name();
    write_entry(out, graph, id, node, &name)?;
    write_combine(out, graph, id, node, element)?;
    let strided = node.arguments.len() > ENDS + 2;
    let stride = if strided { ", const INDEX stride" } else { "" };
    writeln!(
        out,
        "static inline {name} fold{id}(PARAMETERS const INDEX begin, const INDEX end{stride})\n{{"
    )?;
    let initial = Body::new(graph, &node.arguments[2..3]).write(out, 1, &[], &|_| String::new())?;
    writeln!(out, "    {name} total = {};\n    INDEX k = begin;", initial[0])?;
    let rounds = Rounds { id, strided };
    if at_once != FOUR {
        writeln!(out, "#if !CHUNKED")?;
        rounds.write(out, at_once)?;
        writeln!(out, "#endif")?;
    }
    rounds.write(out, FOUR)?;
    rounds.write(out, 1)?;
    writeln!(out, "    return total;\n}}\n")
}

/// The number of entries at once that is enough for operations not to wait for all earlier ones.
const FOUR: u8 = 4;

/// Loops over the remaining entries of a range.
struct Rounds {
    id: NodeId,
    strided: bool,
}

impl Rounds {
    /// Writes a loop over `at_once` entries at a time, while there are enough.
    fn write(&self, out: &mut String, at_once: u8) -> fmt::Result {
        let (id, ahead) = (self.id, at_once - 1);
        let behind = |count: u8| match (self.strided, count) {
            (false, count) => count.to_string(),
            (true, 1) => "stride".to_owned(),
            (true, count) => format!("{count} * (size_t)stride"),
        };
        // The condition must not compute an index that wraps around.
        let are_left = match (self.strided, ahead) {
            (_, 0) => "k < end".to_owned(),
            (false, _) => format!("end - k >= {at_once}"),
            (true, _) => format!("k < end && (end - k - 1) / {ahead} >= stride"),
        };
        // As wide as addresses: 32-bit sums may wrap around, so compilers could not compute one address as another plus
        // a constant.
        let entry = |count: u8| match count {
            0 => format!("fold{id}_entry(ARGUMENTS k)"),
            count => format!("fold{id}_entry(ARGUMENTS (size_t)k + (size_t)({}))", behind(count)),
        };
        let combine = |pair: &[String]| match pair {
            [a, b] => format!("fold{id}_combine(ARGUMENTS {a}, {b})"),
            other => other.concat(),
        };
        let mut sums: Vec<String> = (0..at_once).map(entry).collect();
        while sums.len() > 1 {
            sums = sums.chunks(2).map(combine).collect();
        }
        sums.insert(0, "total".to_owned());
        writeln!(out, "    for (; {are_left}; k += {})", behind(at_once))?;
        writeln!(out, "        total = {};", combine(&sums))
    }
}

/// Writes the function that computes an entry.
fn write_entry(out: &mut String, graph: &Graph<'_>, id: NodeId, node: &Node, name: &str) -> fmt::Result {
    let entry = graph.nodes.iter().position(|node| node.op == Op::Entry).map(|at| at as NodeId);
    let given: Vec<NodeId> = entry.into_iter().collect();
    // The graph has no `Op::Entry` node if all entries are equal.
    let parameter = entry.map_or_else(|| "k".to_owned(), |entry| format!("v{entry}"));
    writeln!(out, "static inline {name} fold{id}_entry(PARAMETERS const size_t {parameter})\n{{")?;
    write_value(out, graph, &node.arguments[..1], &given)
}

/// Writes the function that combines two values.
fn write_combine(
    out: &mut String,
    graph: &Graph<'_>,
    id: NodeId,
    node: &Node,
    element: ElementType,
) -> fmt::Result {
    let name = ValueType::item(element).name();
    let mut given = Vec::new();
    let sides = [0, 1].map(|side| {
        let is_side = |other: &Node| other.op == Op::Folded(side) && other.ty == node.ty;
        let at = graph.nodes.iter().position(is_side);
        given.extend(at.map(|at| at as NodeId));
        // The graph has no node for an operand that the operator ignores.
        format!("const {name} {}", at.map_or_else(|| format!("unused{side}"), |at| format!("v{at}")))
    });
    writeln!(out, "static inline {name} fold{id}_combine(PARAMETERS {})\n{{", sides.join(", "))?;
    write_value(out, graph, &node.arguments[1..2], &given)
}

fn write_value(out: &mut String, graph: &Graph<'_>, root: &[NodeId], given: &[NodeId]) -> fmt::Result {
    let value = Body::with_given(graph, root, given).write(out, 1, given, &|_| String::new())?;
    writeln!(out, "    return {};\n}}\n", value[0])
}
