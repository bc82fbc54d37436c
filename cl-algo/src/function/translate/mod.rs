//! From the tree of a body and the types of one monomorphisation to typed statements.
//!
//! | file | concept |
//! | --- | --- |
//! | `value` | expressions |
//! | `control` | `if`, loops, `break`, `continue` and `return` |
//! | `matching` | `match`: tests and bindings of patterns |
//! | `store` | declarations and assignments |
//!
//! Operands become one term if nothing depends on the order in which they are evaluated. Other operands are computed by
//! statements before, into temporaries, from left to right as in Rust.

mod control;
mod matching;
mod store;
mod value;

use super::tree::{self, Body, BodyTypes, Declared, Node, TypeIndex};
use crate::ir::code::{Block, Code, LoopId, Place, Statement, Variable, VariableId};
use crate::ir::function::{Function, c_identifier};
use crate::ir::op::{self, NodeId, Op, Type};
use cl_core::{Error, Result};

/// Returns the function for one monomorphisation of a body.
pub(super) fn function(body: &'static Body, body_types: &BodyTypes) -> Result<Function> {
    let mut translator = Translator::new(body, body_types);
    translator.parameters();
    if let Some(value) = translator.block(&body.block)?
        && value.of != Type::Unit
    {
        translator.push(Statement::Return(value.id));
    }
    let mut code = translator.code;
    code.body = translator.blocks.pop().unwrap_or_default();
    Ok(Function::of_code(body.name, body_types.types[body.result], &code))
}

/// A value without side effects.
#[derive(Clone, Copy, Debug)]
struct Value {
    id: NodeId,
    of: Type,
}

/// A loop that is being translated.
struct Loop {
    id: LoopId,
    /// The variable that `break` stores its value in.
    result: Option<VariableId>,
    /// `true` if a `break` ends it.
    ends: bool,
}

struct Translator<'t> {
    body: &'static Body,
    body_types: &'t BodyTypes,
    code: Code,
    /// The statements of each block that is being translated, the innermost last.
    blocks: Vec<Block>,
    /// The variable of each local. The local of a struct parameter is a variable other than the parameter itself.
    locals: Vec<VariableId>,
    loops: Vec<Loop>,
    temporaries: usize,
}

impl<'t> Translator<'t> {
    fn new(body: &'static Body, body_types: &'t BodyTypes) -> Translator<'t> {
        Translator {
            body,
            body_types,
            code: Code::default(),
            blocks: vec![Block::new()],
            locals: vec![VariableId::MAX; body.locals.len()],
            loops: Vec::new(),
            temporaries: 0,
        }
    }

    /// Declares the parameters.
    fn parameters(&mut self) {
        for (local, declared) in self.body.parameters {
            let (Declared::Value(of) | Declared::Slice(of)) = *declared;
            let of = match (declared, self.type_at(of)) {
                (Declared::Slice(_), Type::Element(element)) => Type::Slice(element),
                (_, of) => of,
            };
            let name = self.local_name(*local);
            // On Mesa 22 a struct parameter shares its memory with the caller's variable, so only a copy of it may
            // change.
            let name = if of.is_struct() { format!("{name}_given") } else { name };
            self.locals[*local] = self.variable(name, of);
        }
        self.code.parameters = self.code.variables.len();
        for (local, _) in self.body.parameters {
            let given = self.read(self.locals[*local]);
            if given.of.is_struct() {
                let own = self.variable(self.local_name(*local), given.of);
                self.push(Statement::Declare(own, Some(given.id)));
                self.locals[*local] = own;
            }
        }
    }

    /// Returns a local's name in C. The number makes it unique. `local_` keeps it apart from words and macros: `M_PI`
    /// with the number 2 would be the macro `M_PI_2`.
    fn local_name(&self, local: usize) -> String {
        format!("local_{}_{local}", c_identifier(self.body.locals[local]))
    }

    fn type_at(&self, index: TypeIndex) -> Type {
        self.body_types.types[index]
    }

    fn push(&mut self, statement: Statement) {
        if let Some(block) = self.blocks.last_mut() {
            block.push(statement);
        }
    }

    /// Translates into a new block.
    fn within<R>(&mut self, translate: impl FnOnce(&mut Self) -> Result<R>) -> Result<(R, Block)> {
        self.blocks.push(Block::new());
        let outcome = translate(self);
        let block = self.blocks.pop().unwrap_or_default();
        Ok((outcome?, block))
    }

    /// Adds an operation.
    fn node(&mut self, op: Op, of: Type, operands: &[Value]) -> Value {
        let operands: Vec<NodeId> = operands.iter().map(|operand| operand.id).collect();
        self.code.nodes.push(op::Node::new(op, of, &operands));
        Value { id: self.code.nodes.len() as NodeId - 1, of }
    }

    fn variable(&mut self, name: String, ty: Type) -> VariableId {
        self.code.variables.push(Variable { name, ty });
        self.code.variables.len() as VariableId - 1
    }

    /// Returns a temporary variable, which the caller must declare.
    fn temporary(&mut self, of: Type) -> VariableId {
        self.temporaries += 1;
        self.variable(format!("t{}", self.temporaries), of)
    }

    /// Returns the value of a variable.
    fn read(&mut self, variable: VariableId) -> Value {
        let of = self.code.variables[variable as usize].ty;
        self.node(Op::Variable(variable), of, &[])
    }

    /// Declares a new variable with this value, or without one.
    fn declared(&mut self, of: Type, value: Option<Value>) -> VariableId {
        let variable = self.temporary(of);
        self.push(Statement::Declare(variable, value.map(|value| value.id)));
        variable
    }

    fn assigned(&mut self, variable: VariableId, value: Value) {
        self.push(Statement::Assign(Place { variable, steps: Vec::new() }, value.id));
    }

    /// Computes a value now; returns its variable.
    fn kept(&mut self, value: Value) -> VariableId {
        let variable = self.temporary(value.of);
        self.push(Statement::Keep(variable, value.id));
        variable
    }

    /// Computes a value now; returns the value of its variable.
    fn spill(&mut self, value: Value) -> Value {
        let variable = self.kept(value);
        self.read(variable)
    }

    fn error(&self, reason: &str) -> Error {
        Error::invalid_input("device function", format!("in `{}`: {reason}", self.body.name))
    }

    /// Translates statements. Returns the value of the tail; `None` if there is no tail or it is never reached.
    fn block(&mut self, block: &tree::Block) -> Result<Option<Value>> {
        for statement in block.statements {
            if !self.statement(statement)? {
                return Ok(None);
            }
        }
        block.tail.map_or(Ok(None), |tail| self.maybe_value(tail))
    }

    /// Translates a statement. Returns `false` if the code after it is never reached.
    fn statement(&mut self, node: &Node) -> Result<bool> {
        match node {
            Node::Let(pattern, value) => self.let_pattern(pattern, value),
            Node::Declare(local, of) => {
                self.declare(*local, self.type_at(*of), None);
                Ok(true)
            }
            Node::Assign(place, op, value) => self.assign(place, *op, value),
            Node::Return(value) => {
                if let Some(value) = self.maybe_value(value)? {
                    self.push(Statement::Return(value.id));
                }
                Ok(false)
            }
            Node::Break(target, value) => self.break_loop(*target, *value),
            Node::Continue(target) => {
                self.push(Statement::Continue(*target));
                Ok(false)
            }
            Node::Block(block, None) => {
                let (goes_on, block) = self.within(|this| this.block_goes_on(block))?;
                self.push(Statement::Scope(block));
                Ok(goes_on)
            }
            Node::If(condition, then, otherwise, None) => {
                self.if_statement(condition, then, *otherwise, None)
            }
            Node::Match(value, arms, None) => self.match_statement(value, arms, None),
            Node::Loop(id, block, None) => self.endless(*id, block, None),
            Node::While(id, condition, block) => self.while_loop(*id, condition, block),
            Node::For(id, run) => self.for_loop(*id, run),
            _ => Ok(self.maybe_value(node)?.is_some()),
        }
    }

    /// Translates a block for its effects. Returns `false` if the code after it is never reached.
    fn block_goes_on(&mut self, block: &tree::Block) -> Result<bool> {
        for statement in block.statements.iter().chain(block.tail) {
            if !self.statement(statement)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
