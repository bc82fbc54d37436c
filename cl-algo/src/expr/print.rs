//! Expressions as text: vectors are `x0`, `x1`…, scalars `s0`, `s1`… in order of appearance.

use super::Expr;
use crate::expr::Item;
use crate::ir::graph::Graph;
use crate::ir::op::{Beyond, Node, NodeId, Op};
use std::fmt;

/// The largest number of terms that are printed. Further terms print as `...`, because shared nodes would make the text
/// explode. It is ASCII because the text goes into the kernel's source, too.
const MAX_TERMS: usize = 200;

impl<T: Item> fmt::Display for Expr<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let graph = self.graph();
        f.write_str(&text(&graph, &graph.roots))
    }
}

/// Returns the text of some nodes; several nodes print as a tuple in parentheses.
pub(crate) fn text(graph: &Graph<'_>, roots: &[NodeId]) -> String {
    let mut left = MAX_TERMS;
    let roots: Vec<String> = roots.iter().map(|&root| term(graph, root, &mut left)).collect();
    if let [root] = &roots[..] { root.clone() } else { format!("({})", roots.join(", ")) }
}

/// Returns the text of one node and its arguments, or `...` if no terms are left.
fn term(graph: &Graph<'_>, id: NodeId, left: &mut usize) -> String {
    if *left == 0 {
        return "...".to_owned();
    }
    *left -= 1;
    let node = &graph.nodes[id as usize];
    let arguments: Vec<String> = node.arguments.iter().map(|&id| term(graph, id, left)).collect();
    written(node, &arguments)
}

fn written(node: &Node, of: &[String]) -> String {
    let call = |name: &str| format!("{name}({})", of.join(", "));
    match (node.op, of) {
        (Op::Index, _) => "i".to_owned(),
        (Op::Scalar(slot), _) => format!("s{slot}"),
        (Op::Constant(bits), _) => format!("0x{bits:x}"),
        (Op::Vector(slot), _) => format!("x{slot}"),
        (Op::Parameter(number), _) => format!("p{number}"),
        (Op::Load(slot), [index]) if index == "i" => format!("x{slot}"),
        (Op::Load(slot), [index]) => format!("x{slot}[{index}]"),
        (Op::Affine | Op::Crossed, [index, stride, offset]) => format!("({stride} * {index} + {offset})"),
        (Op::Mirror, [index, offset]) => format!("({offset} - {index})"),
        (Op::Coordinate(axis), _) => format!("c{axis}"),
        (Op::Near(by), [index]) => format!("({index} + {by})"),
        (Op::Row(begin), _) => format!("row{}", begin.slot),
        (Op::Strided, [offset, pairs @ ..]) => {
            let terms = pairs.chunks(2).map(|pair| format!(" + {}", pair.join(" * ")));
            format!("({offset}{})", terms.collect::<String>())
        }
        (Op::Quotient(by), [index]) => format!("({index} / {by})"),
        (Op::Interleave, [parts @ .., index]) => format!("({})[{index}]", parts.join(", ")),
        (Op::Checked(_), [index, _]) => index.clone(),
        (Op::Trusted, [index]) => index.clone(),
        (Op::Entry, _) => "k".to_owned(),
        (Op::Folded(side), _) => if side == 0 { "a" } else { "b" }.to_owned(),
        (Op::Fold { .. }, [value, combined, _, _, begin, end, ..]) => {
            format!("fold({value} for k in {begin}..{end} by {combined})")
        }
        (Op::Neighbour(Beyond::Clamp), [index, offset, _]) => format!("clamp({index} + {offset})"),
        (Op::Neighbour(Beyond::Wrap), [index, offset, _]) => format!("wrap({index} + {offset})"),
        (Op::Inside, [index, offset, _]) => format!("inside({index} + {offset})"),
        (Op::Within, [_, whole, ..]) => whole.clone(),
        (Op::Select, [condition, yes, no]) => format!("({condition} ? {yes} : {no})"),
        (Op::Cast | Op::Convert(..), [value]) => format!("({})({value})", type_name(node)),
        (Op::Rounded(format), [value]) => format!("rounded_to_{}({value})", format.name()),
        (Op::Bitcast, [value]) => format!("as_{}({value})", type_name(node)),
        (Op::Call(name) | Op::Test(name) | Op::Pair(&(name, _)), _) => call(name),
        (Op::Second, [pair]) => format!("{pair}.1"),
        (Op::Function(function), _) => call(&function.0.name),
        (Op::OrElse(function), [condition, value, rest @ ..]) => {
            format!("({condition} ? {value} : {}({}))", function.0.name, rest.join(", "))
        }
        (Op::Make, _) => call(&type_name(node)),
        (Op::Field(part) | Op::Component(part), [value]) => format!("{value}.{part}"),
        (Op::Neg, [value]) => format!("-{value}"),
        (Op::Not, [value]) => format!("!{value}"),
        (op, [left, right]) => format!("({left} {} {right})", op.symbol()),
        (op, _) => format!("{op:?}"),
    }
}

fn type_name(node: &Node) -> String {
    node.ty.element().map_or_else(|| "index".to_owned(), |element| element.c_name().into_owned())
}
