//! The body of a device function: typed statements around the nodes that expressions consist of.

use super::op::{Node, NodeId, Op, Type};

/// Number of a variable, which [`Op::Variable`] reads.
pub(crate) type VariableId = u32;
/// Number of a loop.
pub(crate) type LoopId = usize;
/// Statements, one after the other.
pub(crate) type Block = Vec<Statement>;

/// A function's body.
///
/// A node is computed where a statement mentions it, and mentioned once: a value that is needed twice is a variable.
#[derive(Debug, Default)]
pub(crate) struct Code {
    /// The variables, the parameters before the others.
    pub(crate) variables: Vec<Variable>,
    pub(crate) parameters: usize,
    pub(crate) nodes: Vec<Node>,
    pub(crate) body: Block,
}

/// A parameter, a variable of the function's text, or a temporary one.
#[derive(Debug)]
pub(crate) struct Variable {
    /// The name in OpenCL C.
    pub(crate) name: String,
    /// [`Type::Unit`] while it is not declared.
    pub(crate) ty: Type,
}

#[derive(Debug)]
pub(crate) enum Statement {
    /// Declares a variable, which has no value yet or this one.
    Declare(VariableId, Option<NodeId>),
    /// Declares a variable that keeps its value.
    Keep(VariableId, NodeId),
    Assign(Place, NodeId),
    If(NodeId, Block, Block),
    Loop(LoopId, Head, Block),
    Break(LoopId),
    Continue(LoopId),
    Return(NodeId),
    /// Statements with variables of their own.
    Scope(Block),
}

/// When a loop ends, besides by [`Statement::Break`].
#[derive(Debug)]
pub(crate) enum Head {
    Never,
    While(NodeId),
    /// The variable goes from the first number to the one before the second.
    Range(VariableId, NodeId, NodeId),
    /// The first variable goes to the number, which belongs to the range; the second, a truth value, is whether it has
    /// not come there yet. Both are declared before.
    Inclusive(VariableId, VariableId, NodeId),
}

/// A variable or a part of one.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) variable: VariableId,
    pub(crate) steps: Vec<Step>,
}

/// From a value to a part of it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Field(u32),
    Component(u32),
    /// The item at this index, which is in range.
    Item(NodeId),
}

impl Code {
    /// Whether the node reads a variable or a part of one, so that reading it again costs nothing.
    pub(crate) fn is_place(&self, id: NodeId) -> bool {
        let node = &self.nodes[id as usize];
        match (node.op, &node.arguments[..]) {
            (Op::Variable(_), _) => true,
            (Op::Field(_) | Op::Component(_), [whole]) => self.is_place(*whole),
            (Op::Item, [whole, at]) => self.is_place(*whole) && self.nodes[*at as usize].arguments.is_empty(),
            _ => false,
        }
    }

    /// Bytes of the arrays among its variables.
    pub(crate) fn array_bytes(&self) -> usize {
        self.variables.iter().fold(0, |sum, variable| sum.saturating_add(variable.ty.array_bytes()))
    }
}

/// Whether there is a loop in a block.
pub(crate) fn has_loops(block: &[Statement]) -> bool {
    block.iter().any(|statement| match statement {
        Statement::Loop(..) => true,
        Statement::If(_, then, otherwise) => has_loops(then) || has_loops(otherwise),
        Statement::Scope(block) => has_loops(block),
        _ => false,
    })
}

/// Whether statements leave this loop, or go on with it, out of a loop within it.
pub(crate) fn is_left_from_within(id: LoopId, block: &[Statement]) -> bool {
    fn leaves(id: LoopId, block: &[Statement], within: bool) -> bool {
        block.iter().any(|statement| match statement {
            Statement::Break(target) | Statement::Continue(target) => within && *target == id,
            Statement::If(_, then, otherwise) => leaves(id, then, within) || leaves(id, otherwise, within),
            Statement::Loop(_, _, body) => leaves(id, body, true),
            Statement::Scope(body) => leaves(id, body, within),
            _ => false,
        })
    }
    leaves(id, block, false)
}
