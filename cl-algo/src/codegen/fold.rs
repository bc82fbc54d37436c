//! Folds of ranges: a loop over entries, as a function of its own.

use super::body::Body;
use super::lanes::Lanes;
use crate::element::ElementType;
use crate::expr::graph::Graph;
use crate::expr::op::{Node, NodeId, Op};
use std::fmt::{self, Write};

/// What a fold of a range is called: of its first entry, the one behind its last, and their distance if it is not 1.
pub(super) fn call<'t>(node: NodeId, range: impl Iterator<Item = &'t String>) -> String {
    let range: Vec<String> = range.map(|end| format!("(INDEX)({end})")).collect();
    format!("fold{node}(ARGUMENTS {})", range.join(", "))
}

/// Writes the function of one node, if it is a fold.
pub(super) fn write(out: &mut String, graph: &Graph<'_>, id: NodeId, node: &Node) -> fmt::Result {
    let (Op::Fold, Some(element)) = (node.op, node.ty.element()) else { return Ok(()) };
    let name = Lanes::item(element).name();
    write_entry(out, graph, id, node, &name)?;
    write_combine(out, graph, id, node, element)?;
    let strided = node.arguments.len() > 5;
    let by = |count: usize| match (strided, count) {
        (false, count) => count.to_string(),
        (true, 1) => "stride".to_owned(),
        (true, count) => format!("{count} * stride"),
    };
    let stride = if strided { ", const INDEX stride" } else { "" };
    writeln!(
        out,
        "static inline {name} fold{id}(PARAMETERS const INDEX begin, const INDEX end{stride})\n{{"
    )?;
    let initial = Body::new(graph, &node.arguments[2..3]).write(out, 1, &[], &|_| String::new())?;
    let combine = |a: &str, b: &str| format!("fold{id}_combine(ARGUMENTS {a}, {b})");
    let entry = |at: &str| format!("fold{id}_entry(ARGUMENTS {at})");
    writeln!(out, "    {name} total = {};\n    INDEX k = begin;", initial[0])?;
    // Four at a time, so that no operation waits for all those before it.
    let are_four = if strided { "k < end && (end - k - 1) / 3 >= stride" } else { "end - k >= 4" };
    writeln!(out, "    for (; {are_four}; k += {}) {{", by(4))?;
    let at = |count: usize| entry(&format!("k + {}", by(count)));
    writeln!(out, "        const {name} low = {};", combine(&entry("k"), &at(1)))?;
    writeln!(out, "        const {name} high = {};", combine(&at(2), &at(3)))?;
    writeln!(out, "        total = {};\n    }}", combine("total", &combine("low", "high")))?;
    writeln!(out, "    for (; k < end; k += {})\n        total = {};", by(1), combine("total", &entry("k")))?;
    writeln!(out, "    return total;\n}}\n")
}

/// What an entry is.
fn write_entry(out: &mut String, graph: &Graph<'_>, id: NodeId, node: &Node, name: &str) -> fmt::Result {
    let entry = graph.nodes.iter().position(|node| node.op == Op::Entry).map(|at| at as NodeId);
    let given: Vec<NodeId> = entry.into_iter().collect();
    // None, where all entries are the same.
    let parameter = entry.map_or_else(|| "k".to_owned(), |entry| format!("v{entry}"));
    writeln!(out, "static inline {name} fold{id}_entry(PARAMETERS const INDEX {parameter})\n{{")?;
    write_value(out, graph, &node.arguments[..1], &given)
}

/// What two values are combined to.
fn write_combine(
    out: &mut String,
    graph: &Graph<'_>,
    id: NodeId,
    node: &Node,
    element: ElementType,
) -> fmt::Result {
    let name = Lanes::item(element).name();
    let mut given = Vec::new();
    let sides = [0, 1].map(|side| {
        let is_side = |other: &Node| other.op == Op::Folded(side) && other.ty == node.ty;
        let at = graph.nodes.iter().position(is_side);
        given.extend(at.map(|at| at as NodeId));
        // None, where the operator does not look at it.
        format!("const {name} {}", at.map_or_else(|| format!("unused{side}"), |at| format!("v{at}")))
    });
    writeln!(out, "static inline {name} fold{id}_combine(PARAMETERS {})\n{{", sides.join(", "))?;
    write_value(out, graph, &node.arguments[1..2], &given)
}

fn write_value(out: &mut String, graph: &Graph<'_>, root: &[NodeId], given: &[NodeId]) -> fmt::Result {
    let value = Body::beyond(graph, root, given).write(out, 1, given, &|_| String::new())?;
    writeln!(out, "    return {};\n}}\n", value[0])
}
