//! The body of a device function: typed statements around the nodes that expressions consist of.

use super::op::{Node, NodeId, Op, Type};

/// The number of a variable, which [`Op::Variable`] reads.
pub(crate) type VariableId = u32;
/// The number of a loop.
pub(crate) type LoopId = usize;
/// Statements, one after the other.
pub(crate) type Block = Vec<Statement>;

/// A function's body.
///
/// A node is computed where a statement mentions it, and mentioned once. A value that is needed twice is a variable.
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
    /// The type; [`Type::Unit`] until the variable is declared.
    pub(crate) ty: Type,
}

#[derive(Debug)]
pub(crate) enum Statement {
    /// Declares a variable, without a value or with this one.
    Declare(VariableId, Option<NodeId>),
    /// Declares a constant variable.
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

/// The condition under which a loop ends, besides by [`Statement::Break`].
#[derive(Debug)]
pub(crate) enum Head {
    Never,
    While(NodeId),
    /// The variable goes from the first number to the one before the second.
    Range(VariableId, NodeId, NodeId),
    /// The first variable goes up to the number, which belongs to the range. The second variable, a `bool`, is `true`
    /// until the number is reached. Both are declared before.
    Inclusive(VariableId, VariableId, NodeId),
}

/// A variable or a part of one, as the target of an assignment.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) variable: VariableId,
    pub(crate) steps: Vec<Step>,
}

/// A step from a value to a part of it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Field(u32),
    Component(u32),
    /// The item at this index, which is in range.
    Item(NodeId),
}

impl Code {
    /// Returns whether the node reads a variable or a part of one, so that reading it again costs nothing.
    pub(crate) fn is_place(&self, id: NodeId) -> bool {
        let node = &self.nodes[id as usize];
        match (node.op, &node.arguments[..]) {
            (Op::Variable(_), _) => true,
            (Op::Field(_) | Op::Component(_), [whole]) => self.is_place(*whole),
            (Op::Item, [whole, at]) => self.is_place(*whole) && self.nodes[*at as usize].arguments.is_empty(),
            _ => false,
        }
    }

    /// Returns the number of bytes of the arrays among its variables.
    pub(crate) fn array_bytes(&self) -> usize {
        self.variables.iter().fold(0, |sum, variable| sum.saturating_add(variable.ty.array_bytes()))
    }
}

/// Returns whether a block contains a loop.
pub(crate) fn has_loops(block: &[Statement]) -> bool {
    block.iter().any(|statement| match statement {
        Statement::Loop(..) => true,
        Statement::If(_, then, otherwise) => has_loops(then) || has_loops(otherwise),
        Statement::Scope(block) => has_loops(block),
        _ => false,
    })
}

/// Returns whether a statement in an inner loop breaks or continues this loop.
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
