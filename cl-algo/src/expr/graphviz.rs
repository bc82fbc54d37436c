//! Expressions as Graphviz graphs, which show shared nodes.

use super::Expr;
use crate::expr::Item;
use crate::ir::graph::Graph;
use crate::ir::op::{Node, Op, Type};
use std::fmt::Write;

impl<T: Item> Expr<'_, T> {
    /// Returns the expression as a graph in Graphviz's language, for `dot -Tsvg`.
    ///
    /// A box is an operation, which is computed once. An ellipse is a leaf. A double frame marks a result.
    #[must_use]
    pub fn graphviz(&self) -> String {
        let mut text = String::from("digraph expression {\n    rankdir=BT\n");
        // Writing to a String cannot fail.
        let _ = write(&mut text, &self.graph());
        text.push_str("}\n");
        text
    }
}

fn write(out: &mut String, graph: &Graph<'_>) -> std::fmt::Result {
    let needed = graph.needed(&graph.roots);
    for (id, node) in graph.nodes.iter().enumerate().filter(|(id, _)| needed[*id]) {
        let shape = if node.arguments.is_empty() { "ellipse" } else { "box" };
        let frames = if graph.roots.contains(&(id as u32)) { 2 } else { 1 };
        writeln!(out, "    n{id} [label=\"{}\" shape={shape} peripheries={frames}]", label(node))?;
        for (at, argument) in node.arguments.iter().enumerate() {
            // The number of the argument matters if there are several.
            let number = if node.arguments.len() > 1 { format!(" [label=\"{at}\"]") } else { String::new() };
            writeln!(out, "    n{argument} -> n{id}{number}")?;
        }
    }
    Ok(())
}

fn label(node: &Node) -> String {
    let what = match node.op {
        Op::Scalar(slot) => format!("s{slot}"),
        Op::Load(slot) | Op::Vector(slot) => format!("x{slot}"),
        Op::Parameter(number) => format!("p{number}"),
        Op::Constant(bits) => format!("0x{bits:x}"),
        Op::Call(name) | Op::Test(name) => name.to_owned(),
        Op::Function(function) | Op::OrElse(function) => function.0.name.clone(),
        Op::Field(part) | Op::Component(part) => format!("part {part}"),
        op => format!("{op:?}"),
    };
    match node.ty {
        Type::Element(element) => format!("{what}: {}", element.c_name()),
        Type::Slice(element) => format!("{what}: {} *", element.c_name()),
        Type::Index | Type::Unit | Type::Array(..) => what,
    }
}
