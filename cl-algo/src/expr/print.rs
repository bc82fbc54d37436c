//! An expression as text: vectors are `x0`, `x1`…, scalars `s0`, `s1`… in order of appearance.

use super::Expr;
use super::graph::{Graph, NodeId, Op};
use crate::element::Element;
use std::fmt;

/// What comes after so many terms prints as `...`: shared nodes would make the text explode. ASCII,
/// because the text goes into the kernel's source, too.
const MAX_TERMS: usize = 200;

impl<T: Element> fmt::Display for Expr<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text(self.graph()))
    }
}

pub(crate) fn text(graph: &Graph<'_>) -> String {
    let mut left = MAX_TERMS;
    term(graph, graph.root, &mut left)
}

/// One node with what it works on, as long as terms are left.
fn term(graph: &Graph<'_>, id: NodeId, left: &mut usize) -> String {
    if *left == 0 {
        return "...".to_owned();
    }
    *left -= 1;
    let node = &graph.nodes[id as usize];
    let [first, second, third] = node.arguments;
    let mut of = |id: NodeId| term(graph, id, left);
    let mut binary = |symbol: &str| format!("({} {symbol} {})", of(first), of(second));
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
