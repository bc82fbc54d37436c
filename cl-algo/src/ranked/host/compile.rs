//! From the graph of a recorded closure to a program over rows.
//!
//! Operations on constants alone are computed here. Sums are one step together with the products of their terms and
//! constants: `((a * x + b * y) - z) * c` is read once and stored once. A step adds from the left to the right as the
//! graph does, and negates factors, which is exact. So its results are those of the single operations.

use super::link::{Action, Planned, link, name, position, unsupported};
use super::rows::{MOST_TERMS, Operand, Program, evaluate};
use crate::element::ScalarType;
use crate::expr::Rounding;
use crate::ir::graph::Graph;
use crate::ir::op::{Node, NodeId, Op};
use cl_core::Result;
use smallvec::SmallVec;
use std::mem;

/// Returns the program that computes the only result of a graph.
pub(super) fn compile(graph: &Graph<'_>) -> Result<Program> {
    graph.check()?;
    let needed = graph.needed(&graph.roots);
    let mut uses = vec![0; graph.nodes.len()];
    let used = graph.nodes.iter().zip(&needed).filter(|(_, needed)| **needed);
    used.flat_map(|(node, _)| &node.arguments).chain(&graph.roots).for_each(|id| uses[*id as usize] += 1);
    let values = Vec::with_capacity(graph.nodes.len());
    let mut compiler = Compiler { graph, uses, values, steps: Vec::new(), constants: Vec::new() };
    for (node, needed) in graph.nodes.iter().zip(needed) {
        let value = if needed { compiler.value(node)? } else { Value::Row(Operand::Constant(0)) };
        compiler.values.push(value);
    }
    let root = *graph.roots.first().ok_or_else(|| unsupported("a closure without a result"))?;
    let result = scalar(&graph.nodes[root as usize])?;
    let mut row = compiler.row(root);
    if !matches!(row, Operand::Register(_)) {
        let action = Action::Apply(Op::Bitcast, SmallVec::from_slice(&[result]));
        row = compiler.push(Planned { action, result, operands: SmallVec::from_slice(&[row]) });
    }
    let Operand::Register(output) = row else { return Err(unsupported("a closure without a result")) };
    link(&compiler.steps, output, &compiler.constants)
}

/// The value of a node.
enum Value {
    Row(Operand),
    /// A sum that is not computed yet, because the node that uses it may become a part of it.
    Sum(Sum),
}

/// The sum of products of factors and rows, added from the left to the right, times `scale`. Sums of integers have
/// factors of 1.
struct Sum {
    terms: SmallVec<[(f64, Operand); MOST_TERMS]>,
    scale: f64,
    /// `true` if the last term is added after the others are multiplied by `scale`.
    last: bool,
}

impl Sum {
    fn of(factor: f64, row: Operand) -> Sum {
        Sum { terms: SmallVec::from_slice(&[(factor, row)]), scale: 1.0, last: false }
    }
}

struct Compiler<'g> {
    graph: &'g Graph<'g>,
    /// The number of uses of each node.
    uses: Vec<u32>,
    /// The values of the nodes so far.
    values: Vec<Value>,
    steps: Vec<Planned>,
    /// The bits and the sizes of the constants.
    constants: Vec<(u64, usize)>,
}

impl Compiler<'_> {
    /// Returns the value of a node whose arguments have values.
    fn value(&mut self, node: &Node) -> Result<Value> {
        let result = scalar(node)?;
        let (op, arguments) = match (node.op, &node.arguments[..]) {
            (Op::Constant(bits), _) => return Ok(Value::Row(self.constant(bits, result))),
            (Op::Scalar(slot), _) => {
                let bits = self.graph.scalars[slot as usize].bits().unwrap_or(0);
                return Ok(Value::Row(self.constant(bits, result)));
            }
            (Op::Parameter(number), _) => return Ok(Value::Row(Operand::Input(number as usize))),
            (Op::Bitcast, &[same]) => return Ok(Value::Row(self.row(same))),
            (Op::Select, &[condition, yes, no]) => match self.known(condition) {
                Some(0) => return Ok(Value::Row(self.row(no))),
                Some(_) => return Ok(Value::Row(self.row(yes))),
                None => (Op::Select, &node.arguments[..]),
            },
            (Op::Pair(&(name, _)), arguments) => (Op::Call(name), arguments),
            (Op::Second, &[pair]) => {
                let pair = &self.graph.nodes[pair as usize];
                let second = match pair.op {
                    Op::Pair(("sincos", _)) => "cos",
                    Op::Pair(("fract", _)) => "floor",
                    Op::Pair(("modf", _)) => "trunc",
                    op => return Err(unsupported(&format!("the second result of {}", name(op)))),
                };
                (Op::Call(second), &pair.arguments[..])
            }
            (op, arguments) => (op, arguments),
        };
        if let Some(sum) = self.sum(op, result, arguments) {
            return Ok(Value::Sum(sum));
        }
        let nodes = arguments.iter().map(|argument| &self.graph.nodes[*argument as usize]);
        let mut of = nodes.map(scalar).collect::<Result<SmallVec<[_; 3]>>>()?;
        let mut operands: SmallVec<[_; 3]> = arguments.iter().map(|argument| self.row(*argument)).collect();
        match (op, &of[..]) {
            // The lowest bits of the count matter.
            (Op::Shl | Op::Shr, &[first, count]) if first != count => {
                operands[1] = self.apply(Op::Cast, &[count], first, &operands[1..])?;
                of[1] = first;
            }
            (Op::Convert(rounding, saturated), &[from]) => {
                if let Some(function) = rounding_function(rounding, saturated, from, result)? {
                    operands[0] = self.apply(Op::Call(function), &of, from, &operands)?;
                }
                return self.apply(Op::Cast, &of, result, &operands).map(Value::Row);
            }
            _ => {}
        }
        self.apply(op, &of, result, &operands).map(Value::Row)
    }

    /// Returns the row of an operation. The value of an operation on constants alone is a constant.
    fn apply(
        &mut self,
        op: Op,
        of: &[ScalarType],
        result: ScalarType,
        operands: &[Operand],
    ) -> Result<Operand> {
        if (op, of) == (Op::Cast, &[result]) {
            return Ok(operands[0]);
        }
        let action = Action::Apply(op, SmallVec::from_slice(of));
        let planned = Planned { action, result, operands: SmallVec::from_slice(operands) };
        if operands.iter().all(|operand| matches!(operand, Operand::Constant(_))) {
            let bits: Vec<u64> = self.constants.iter().map(|constant| constant.0).collect();
            return Ok(self.constant(evaluate(&planned.step(operands)?, &bits), result));
        }
        Ok(self.push(planned))
    }

    /// Adds a step. Returns the row that it writes.
    fn push(&mut self, planned: Planned) -> Operand {
        self.steps.push(planned);
        Operand::Register(self.steps.len() - 1)
    }

    fn constant(&mut self, bits: u64, of: ScalarType) -> Operand {
        let constant = (bits & u64::MAX >> (64 - 8 * of.size()), of.size());
        Operand::Constant(position(&mut self.constants, constant))
    }

    /// Returns the bits of a node that is a constant.
    fn known(&self, node: NodeId) -> Option<u64> {
        match self.values[node as usize] {
            Value::Row(Operand::Constant(at)) => Some(self.constants[at].0),
            _ => None,
        }
    }

    /// Returns the row of a node, which is computed if it was not yet.
    fn row(&mut self, node: NodeId) -> Operand {
        let sum = match &mut self.values[node as usize] {
            Value::Row(row) => return *row,
            Value::Sum(sum) => mem::replace(sum, Sum::of(1.0, Operand::Constant(0))),
        };
        let (factors, operands): (SmallVec<_>, SmallVec<_>) = sum.terms.into_iter().unzip();
        let result = self.graph.nodes[node as usize].ty.scalar().unwrap_or(ScalarType::F64);
        let action = match factors[..] {
            // The sign of a NaN changes, too.
            [-1.0] if sum.scale == 1.0 => Action::Apply(Op::Neg, SmallVec::from_slice(&[result])),
            _ => Action::Sum(factors, sum.scale, sum.last),
        };
        let row = self.push(Planned { action, result, operands });
        self.values[node as usize] = Value::Row(row);
        row
    }

    /// Returns the sum that an operation on rows is, if it is one.
    fn sum(&mut self, op: Op, of: ScalarType, arguments: &[NodeId]) -> Option<Sum> {
        if arguments.iter().all(|argument| self.known(*argument).is_some()) {
            return None;
        }
        match (op, arguments) {
            (Op::Add, &[a, b]) => {
                // The longer sum goes on: a + b is b + a.
                let (a, b) = if self.terms(b) > self.terms(a) { (b, a) } else { (a, b) };
                let mut sum = self.opened(a);
                sum.last = sum.scale != 1.0;
                sum.terms.push(self.term(b));
                Some(sum)
            }
            (Op::Sub, &[a, b]) if of.is_float() => {
                // a - s * b is -s * b + a.
                let is_mirrored = self.is_scaled(b) && self.terms(b) > self.terms(a);
                let mut sum = self.opened(if is_mirrored { b } else { a });
                sum.last = sum.scale != 1.0;
                if is_mirrored {
                    sum.scale = -sum.scale;
                    sum.terms.push(self.term(a));
                } else {
                    let (factor, row) = self.term(b);
                    sum.terms.push((-factor, row));
                }
                Some(sum)
            }
            (Op::Neg, &[a]) if of.is_float() => Some(self.scaled(a, -1.0)),
            (Op::Mul, &[a, b]) if of.is_float() => {
                let (a, factor) = match (self.known(a), self.known(b)) {
                    (Some(bits), _) => (b, bits),
                    (_, Some(bits)) => (a, bits),
                    _ => return None,
                };
                let factor = if of == ScalarType::F32 {
                    f64::from(f32::from_bits(factor as u32))
                } else {
                    f64::from_bits(factor)
                };
                Some(self.scaled(a, factor))
            }
            _ => None,
        }
    }

    /// Returns the number of terms of a node that is a sum to which one more term can be added; else 0.
    fn terms(&self, node: NodeId) -> usize {
        match &self.values[node as usize] {
            Value::Sum(sum) if self.uses[node as usize] == 1 && !sum.last && sum.terms.len() < MOST_TERMS => {
                sum.terms.len()
            }
            _ => 0,
        }
    }

    fn is_scaled(&self, node: NodeId) -> bool {
        matches!(&self.values[node as usize], Value::Sum(sum) if sum.scale != 1.0 && !sum.last)
    }

    /// Returns the node as a sum to which one more term can be added.
    fn opened(&mut self, node: NodeId) -> Sum {
        if let (1.., Value::Sum(sum)) = (self.terms(node), &mut self.values[node as usize]) {
            return mem::replace(sum, Sum::of(1.0, Operand::Constant(0)));
        }
        Sum::of(1.0, self.row(node))
    }

    /// Returns the node as the factor and the row of a term.
    fn term(&mut self, node: NodeId) -> (f64, Operand) {
        if self.terms(node) == 1 && !self.is_scaled(node) {
            return self.opened(node).terms[0];
        }
        (1.0, self.row(node))
    }

    /// Returns the product of a node and a factor.
    fn scaled(&mut self, node: NodeId, factor: f64) -> Sum {
        let mut sum = if self.is_scaled(node) { Sum::of(1.0, self.row(node)) } else { self.opened(node) };
        match &mut sum.terms[..] {
            // Both products are exact.
            [(one, _)] if *one == 1.0 || *one == -1.0 => *one *= factor,
            _ => sum.scale = factor,
        }
        sum
    }
}

/// Returns the function to call before Rust's `as`, if any, for a conversion with a rounding mode.
fn rounding_function(
    rounding: Rounding,
    saturated: bool,
    from: ScalarType,
    to: ScalarType,
) -> Result<Option<&'static str>> {
    match (rounding, from.is_float(), to.is_float()) {
        (Rounding::Default | Rounding::TowardsZero, true, false) => Ok(None),
        (Rounding::NearestEven, true, false) => Ok(Some("rint")),
        (Rounding::Up, true, false) => Ok(Some("ceil")),
        (Rounding::Down, true, false) => Ok(Some("floor")),
        (_, false, false) if !saturated => Ok(None),
        (Rounding::Default | Rounding::NearestEven, _, true) => Ok(None),
        _ => Err(unsupported(&format!("the conversion {rounding:?} from {from:?} to {to:?}"))),
    }
}

/// Returns the type of a node's value.
fn scalar(node: &Node) -> Result<ScalarType> {
    let scalar = node.ty.scalar().filter(|scalar| *scalar != ScalarType::F16);
    scalar.ok_or_else(|| unsupported(&format!("{} of type {}", name(node.op), node.ty.rust_name())))
}
