//! An expression as text: vectors are `x0`, `x1`…, scalars `s0`, `s1`… in order of appearance.

use super::Expr;
use super::graph::{Graph, NodeId, Op};
use crate::element::Element;
use std::fmt;

/// Deeper than this, a subexpression prints as `…`: shared nodes would make the text explode.
const MAX_DEPTH: usize = 12;

impl<T: Element> fmt::Display for Expr<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text(self.graph(), self.graph().root, 0))
    }
}

pub(crate) fn text(graph: &Graph<'_>, id: NodeId, depth: usize) -> String {
    if depth > MAX_DEPTH {
        return "…".to_owned();
    }
    let node = &graph.nodes[id as usize];
    let [first, second, third] = node.arguments;
    let of = |id: NodeId| text(graph, id, depth + 1);
    let binary = |symbol: &str| format!("({} {symbol} {})", of(first), of(second));
    match node.op {
        Op::Index => "i".to_owned(),
        Op::Load => format!("x{first}"),
        Op::Scalar => format!("s{first}"),
        Op::Neg => format!("-{}", of(first)),
        Op::Add => binary("+"),
        Op::Sub => binary("-"),
        Op::Mul => binary("*"),
        Op::Div => binary("/"),
        Op::Call(name, arity) => {
            let arguments: Vec<String> =
                [first, second, third][..usize::from(arity)].iter().map(|&id| of(id)).collect();
            format!("{name}({})", arguments.join(", "))
        }
    }
}
