//! From code without loops to a graph. Expressions include the graph as if its text stood there: it is computed in
//! packs, and shares common subexpressions with the rest.
//!
//! Both sides of a branch are computed, and one result is selected. So every operation of the graph must be safe to
//! compute when it is not needed. Code that records out-of-range indices stays a function, and so does code that would
//! compute a lot in vain.

use super::code::{Block, Code, Place, Statement, Step};
use super::function::Function;
use super::graph::Graph;
use super::op::FunctionRef;
use super::op::{Node, NodeId, Op, Type};
use crate::element::ElementType;

/// The maximal number of operations of a function that becomes a part of expressions.
const MOST_NODES: usize = 64;

/// The maximal number of operations in both sides of a branch. A built-in function and a division count as [`CALL`]
/// operations.
const MOST_IN_BRANCHES: usize = 32;
const CALL: usize = 8;

/// Returns the graph of a function, with its arguments as [`Op::Parameter`]s; `None` if the function must stay a
/// function.
pub(crate) fn of_code(code: &Code) -> Option<Graph<'static>> {
    // In calls a slice is two arguments, which would shift the numbers of later ones.
    if code.variables[..code.parameters].iter().any(|parameter| matches!(parameter.ty, Type::Slice(_))) {
        return None;
    }
    let mut straight = Straight { code, graph: Graph::default() };
    let mut values = vec![None; code.variables.len()];
    for (number, parameter) in code.variables[..code.parameters].iter().enumerate() {
        values[number] = Some(straight.graph.node(Op::Parameter(number as u32), parameter.ty, &[]));
    }
    let Some(Ends::Returned(root)) = straight.block(&code.body, values) else { return None };
    let graph = straight.graph.finished(root)?;
    // An argument that the result does not need must still be evaluated, because its index may be out of range.
    let used = graph.nodes.iter().filter(|node| matches!(node.op, Op::Parameter(_))).count();
    (used == code.parameters).then_some(graph)
}

/// Returns the graph of a helper, which may call functions; `None` if the helper must stay a function.
pub(crate) fn of_graph(of: &Graph<'static>) -> Option<Graph<'static>> {
    let mut graph = Graph::default();
    let mut moved = Vec::with_capacity(of.nodes.len());
    for node in &of.nodes {
        let arguments: Vec<NodeId> = node.arguments.iter().map(|&id| moved[id as usize]).collect();
        moved.push(graph.unconditional(node, &arguments)?);
    }
    graph.finished(moved[of.root() as usize])
}

/// The value of each variable.
type Values = Vec<Option<NodeId>>;

/// The end of a sequence of statements.
enum Ends {
    Returned(NodeId),
    GoOn(Values),
}

impl Graph<'static> {
    /// Returns the graph of this root alone, unless it is too long.
    fn finished(mut self, root: NodeId) -> Option<Graph<'static>> {
        self.roots.push(root);
        let graph = self.pruned();
        (graph.nodes.len() <= MOST_NODES && graph.failure.is_none()).then_some(graph)
    }

    /// Adds an operation that is safe to compute where its value is not needed; `None` for other operations.
    fn unconditional(&mut self, node: &Node, arguments: &[NodeId]) -> Option<NodeId> {
        match (node.op, node.ty) {
            (_, Type::Unit | Type::Slice(_) | Type::Array(..)) => None,
            (Op::Checked(_) | Op::Writable(_) | Op::Item | Op::Len | Op::Variable(_) | Op::OrElse(_), _) => {
                None
            }
            (Op::Function(FunctionRef(Function { straight: None, .. })), _) => None,
            (Op::And, ty) => Some(self.node(Op::BitAnd, ty, arguments)),
            (Op::Or, ty) => Some(self.node(Op::BitOr, ty, arguments)),
            (Op::Select, ty) => Some(self.select(arguments[0], arguments[1], arguments[2], ty)),
            (op, ty) => Some(self.node(op, ty, arguments)),
        }
    }

    /// Adds a selection. Tuples have no form for packs, so they are selected field by field.
    fn select(&mut self, condition: NodeId, yes: NodeId, no: NodeId, ty: Type) -> NodeId {
        let Some(fields) = ty.tuple().filter(|_| yes != no) else {
            return if yes == no { yes } else { self.node(Op::Select, ty, &[condition, yes, no]) };
        };
        let parts: Vec<NodeId> = fields
            .iter()
            .enumerate()
            .map(|(at, field)| {
                let (op, ty) = (Op::Field(at as u32), Type::from(field.element));
                let (yes, no) = (self.node(op, ty, &[yes]), self.node(op, ty, &[no]));
                self.select(condition, yes, no, ty)
            })
            .collect();
        self.node(Op::Make, ty, &parts)
    }

    /// Adds a copy of `whole` in which one part has another value.
    fn updated(&mut self, whole: NodeId, steps: &[Step], value: NodeId) -> Option<NodeId> {
        let [step, rest @ ..] = steps else { return Some(value) };
        let ty = self.ty(whole);
        let (types, is_field): (Vec<Type>, bool) = match ty {
            Type::Element(ElementType::Struct(of)) => {
                (of.fields.iter().map(|field| field.element.into()).collect(), true)
            }
            of => {
                let (part, count) = of.parts()?;
                (vec![part.into(); count], false)
            }
        };
        let (Step::Field(changed) | Step::Component(changed)) = *step else { return None };
        let mut parts = Vec::with_capacity(types.len());
        for (at, ty) in types.into_iter().enumerate() {
            let op = if is_field { Op::Field(at as u32) } else { Op::Component(at as u32) };
            let part = self.node(op, ty, &[whole]);
            parts.push(if at == changed as usize { self.updated(part, rest, value)? } else { part });
        }
        Some(self.node(Op::Make, ty, &parts))
    }
}

/// Code that becomes a graph.
struct Straight<'c> {
    code: &'c Code,
    graph: Graph<'static>,
}

impl Straight<'_> {
    fn block(&mut self, block: &Block, mut values: Values) -> Option<Ends> {
        self.statements(block.iter(), &mut values)
    }

    fn statements<'s>(
        &mut self,
        mut statements: impl Iterator<Item = &'s Statement> + Clone,
        values: &mut Values,
    ) -> Option<Ends> {
        while let Some(statement) = statements.next() {
            match statement {
                Statement::Declare(variable, None) => values[*variable as usize] = None,
                Statement::Declare(variable, Some(value)) | Statement::Keep(variable, value) => {
                    values[*variable as usize] = Some(self.value(*value, values)?);
                }
                Statement::Assign(Place { variable, steps }, value) => {
                    let value = self.value(*value, values)?;
                    values[*variable as usize] = Some(match &steps[..] {
                        [] => value,
                        steps => self.graph.updated(values[*variable as usize]?, steps, value)?,
                    });
                }
                Statement::Return(value) => return Some(Ends::Returned(self.value(*value, values)?)),
                Statement::Scope(block) => match self.block(block, values.clone())? {
                    Ends::GoOn(changed) => *values = changed,
                    returned => return Some(returned),
                },
                Statement::If(condition, then, otherwise) => {
                    let condition = self.value(*condition, values)?;
                    let before = self.graph.nodes.len();
                    let ends = (self.block(then, values.clone())?, self.block(otherwise, values.clone())?);
                    let (yes, no) = match ends {
                        (Ends::GoOn(yes), Ends::GoOn(no)) => {
                            self.is_cheap_since(before).then_some(())?;
                            *values = self.merged(condition, &yes, &no);
                            continue;
                        }
                        (Ends::Returned(yes), Ends::Returned(no)) => (yes, no),
                        (Ends::Returned(yes), Ends::GoOn(mut rest)) => {
                            (yes, self.returned(statements, &mut rest)?)
                        }
                        (Ends::GoOn(mut rest), Ends::Returned(no)) => {
                            (self.returned(statements, &mut rest)?, no)
                        }
                    };
                    self.is_cheap_since(before).then_some(())?;
                    let ty = self.graph.ty(yes);
                    return Some(Ends::Returned(self.graph.select(condition, yes, no, ty)));
                }
                Statement::Loop(..) | Statement::Break(_) | Statement::Continue(_) => return None,
            }
        }
        Some(Ends::GoOn(std::mem::take(values)))
    }

    /// Returns the value that the statements return.
    fn returned<'s>(
        &mut self,
        statements: impl Iterator<Item = &'s Statement> + Clone,
        values: &mut Values,
    ) -> Option<NodeId> {
        match self.statements(statements, values)? {
            Ends::Returned(value) => Some(value),
            Ends::GoOn(_) => None,
        }
    }

    /// Returns the values of variables after a branch. A variable that has no value on one side is not read afterwards.
    fn merged(&mut self, condition: NodeId, yes: &Values, no: &Values) -> Values {
        let pairs = yes.iter().zip(no);
        pairs
            .map(|(yes, no)| match (*yes, *no) {
                (Some(yes), Some(no)) => Some(self.graph.select(condition, yes, no, self.graph.ty(yes))),
                _ => None,
            })
            .collect()
    }

    /// Returns whether the nodes added since are cheap enough to compute when they are not needed.
    fn is_cheap_since(&self, before: usize) -> bool {
        let cost = |node: &Node| match node.op {
            Op::Call(_) | Op::Test(_) | Op::Div | Op::Rem => CALL,
            _ => usize::from(!node.arguments.is_empty()),
        };
        self.graph.nodes[before..].iter().map(cost).sum::<usize>() <= MOST_IN_BRANCHES
    }

    fn value(&mut self, id: NodeId, values: &Values) -> Option<NodeId> {
        let code = self.code;
        let node = &code.nodes[id as usize];
        if let Op::Variable(variable) = node.op {
            return values[variable as usize];
        }
        let before = self.graph.nodes.len();
        let arguments: Option<Vec<NodeId>> =
            node.arguments.iter().map(|&argument| self.value(argument, values)).collect();
        let is_branch = matches!(node.op, Op::Select | Op::And | Op::Or);
        if is_branch && !self.is_cheap_since(before) {
            return None;
        }
        self.graph.unconditional(node, &arguments?)
    }
}
