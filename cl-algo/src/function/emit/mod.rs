//! From the tree of a body and the types of one monomorphisation to OpenCL C.
//!
//! | file | concept |
//! | --- | --- |
//! | `value` | expressions |
//! | `control` | `if`, loops and what leaves them |
//! | `matching` | `match`, and what patterns test and bind |
//! | `store` | declarations and assignments |
//!
//! Operands become one C expression where nothing depends on the order in which they are evaluated;
//! the rest is computed by statements before, into temporaries, from left to right as Rust does.

mod control;
mod matching;
mod store;
mod value;

use super::device_type::Type;
use super::operators::Text;
use super::tree::{Block, Body, Declared, Facts, LoopId, Node, TypeIndex};
use super::{Function, Parameter, c_identifier, helpers};
use crate::element::ElementType;
use cl_core::{Error, Result};
use std::fmt::Write;

/// The function of one monomorphisation of a body.
pub(super) fn function(body: &'static Body, facts: &Facts) -> Result<Function> {
    let mut emitter = Emitter::new(body, facts);
    let result = emitter.type_at(body.result);
    emitter.uses(&result);
    let parameters = emitter.parameters();
    let signature = emitter.signature(&parameters);
    if let Some(value) = emitter.block(&body.block)? {
        emitter.line(&format!("return {};", value.text));
    }
    let Emitter { text, callees, types, array_bytes, .. } = emitter;
    let hidden = if callees.iter().any(|callee| callee.checks_indices) { " FAULT_PARAMETER" } else { "" };
    let definition = format!("({signature}{hidden})\n{{\n{text}}}\n");
    let function = Function::new(body.name, parameters, result, &definition, callees, types);
    Ok(Function { array_bytes: function.array_bytes.saturating_add(array_bytes), ..function })
}

/// A C expression without side effects.
#[derive(Clone, Debug)]
struct Value {
    text: String,
    of: Type,
}

/// A local variable: its type becomes known when it is declared.
#[derive(Clone, Debug)]
enum Local {
    Undeclared,
    Value(Type),
    Slice(Type),
}

/// A loop that is being written.
struct Loop {
    id: LoopId,
    /// Where `break` puts its value.
    result: Option<String>,
    /// Whether a `break` ends it.
    ends: bool,
    /// Outer loops that a `break` or `continue` in here wants to reach.
    leaves: Vec<LoopId>,
}

struct Emitter<'t> {
    body: &'static Body,
    facts: &'t Facts,
    text: String,
    depth: usize,
    temporaries: usize,
    locals: Vec<Local>,
    loops: Vec<Loop>,
    callees: Vec<&'static Function>,
    types: Vec<ElementType>,
    /// Of all variables and temporaries.
    array_bytes: usize,
}

impl<'t> Emitter<'t> {
    fn new(body: &'static Body, facts: &'t Facts) -> Emitter<'t> {
        Emitter {
            body,
            facts,
            text: String::new(),
            depth: 1,
            temporaries: 0,
            locals: vec![Local::Undeclared; body.locals.len()],
            loops: Vec::new(),
            callees: Vec::new(),
            types: Vec::new(),
            array_bytes: 0,
        }
    }

    /// Declares the parameters.
    fn parameters(&mut self) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        for (local, declared) in self.body.parameters {
            let (kind, parameter) = match *declared {
                Declared::Value(of) => {
                    let of = self.type_at(of);
                    (Local::Value(of.clone()), Parameter::Value(of))
                }
                Declared::Slice(of) => {
                    let of = self.type_at(of);
                    (Local::Slice(of.clone()), Parameter::Slice(of))
                }
            };
            self.locals[*local] = kind;
            parameters.push(parameter);
        }
        parameters
    }

    /// The parameters in C.
    fn signature(&mut self, parameters: &[Parameter]) -> String {
        let mut texts = Vec::new();
        for ((local, _), parameter) in self.body.parameters.iter().zip(parameters) {
            let name = self.local_name(*local);
            match parameter {
                Parameter::Value(of) => {
                    self.uses(of);
                    self.holds(of);
                    let of_c = of.c_name();
                    // On Mesa 22 a parameter that is a struct shares its memory with the caller's variable: only a
                    // copy of it may change.
                    if of.is_struct() {
                        texts.push(format!("const {of_c} {name}_given"));
                        self.line(&format!("{of_c} {name} = {name}_given;"));
                    } else {
                        texts.push(format!("{of_c} {name}"));
                    }
                }
                Parameter::Slice(of) => {
                    self.uses(of);
                    texts.push(format!("global const {} *{name}, ulong {name}_len", of.in_memory()));
                }
            }
        }
        texts.join(", ")
    }

    /// Returns a local's name in C. The number makes it unique. `local_` keeps it apart from words and macros: `M_PI`
    /// with the number 2 would be the macro `M_PI_2`.
    fn local_name(&self, local: usize) -> String {
        format!("local_{}_{local}", c_identifier(self.body.locals[local]))
    }

    fn type_at(&self, index: TypeIndex) -> Type {
        self.facts.types[index].clone()
    }

    /// A type that the text is about to mention.
    fn mention(&mut self, index: TypeIndex) -> Type {
        let of = self.type_at(index);
        self.uses(&of);
        of
    }

    /// Remembers that the text mentions a type.
    fn uses(&mut self, of: &Type) {
        match of {
            Type::Array(item, _) => self.calls(helpers::array(item, of)),
            of => self.types.extend(of.element().filter(|element| !self.types.contains(element))),
        }
    }

    /// Writes one line.
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", 4 * self.depth);
    }

    /// Writes a line that begins a block.
    fn open(&mut self, line: &str) {
        self.line(line);
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    fn temporary_name(&mut self) -> String {
        self.temporaries += 1;
        format!("t{}", self.temporaries)
    }

    /// Counts what a variable takes.
    fn holds(&mut self, of: &Type) {
        self.array_bytes = self.array_bytes.saturating_add(of.array_bytes());
    }

    /// A new variable without a value yet.
    fn temporary(&mut self, of: &Type) -> String {
        self.holds(of);
        let name = self.temporary_name();
        self.line(&format!("{} {name};", of.c_name()));
        name
    }

    /// Computes a value now.
    fn spill(&mut self, value: Value) -> Value {
        self.holds(&value.of);
        let name = self.temporary_name();
        self.line(&format!("const {} {name} = {};", value.of.c_name(), value.text));
        Value { text: name, of: value.of }
    }

    /// Remembers that the text calls a function.
    fn calls(&mut self, function: &'static Function) {
        if !self.callees.iter().any(|known| std::ptr::eq(*known, function)) {
            self.callees.push(function);
        }
    }

    /// The text of an operation, if the type has it.
    fn use_text(&mut self, text: Option<Text>, what: &str, of: &Type) -> Result<String> {
        let Some(Text(text, helper)) = text else {
            return Err(self.error(&format!("`{what}` is not there for `{}` on the device", of.rust_name())));
        };
        if let Some(function) = helper {
            self.calls(function);
        }
        Ok(text)
    }

    fn error(&self, reason: &str) -> Error {
        Error::InvalidInput { what: "device function", reason: format!("in `{}`: {reason}", self.body.name) }
    }

    /// Writes statements. The value is that of the tail; none if there is no tail, or no way to it.
    fn block(&mut self, block: &Block) -> Result<Option<Value>> {
        for statement in block.statements {
            if !self.statement(statement)? {
                return Ok(None);
            }
        }
        block.tail.map_or(Ok(None), |tail| self.maybe_value(tail))
    }

    /// Writes a statement; false if nothing after it is reached.
    fn statement(&mut self, node: &Node) -> Result<bool> {
        match node {
            Node::Let(pattern, value) => self.let_pattern(pattern, value),
            Node::Declare(local, of) => {
                let of = self.mention(*of);
                self.declare(*local, of, None);
                Ok(true)
            }
            Node::Assign(place, op, value) => self.assign(place, *op, value),
            Node::Return(value) => {
                if let Some(value) = self.maybe_value(value)? {
                    self.line(&format!("return {};", value.text));
                }
                Ok(false)
            }
            Node::Break(target, value) => self.break_loop(*target, *value),
            Node::Continue(target) => self.continue_loop(*target),
            Node::Block(block, None) => {
                self.open("{");
                let goes_on = self.block_goes_on(block)?;
                self.close();
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

    /// Writes a block for its effects; false if nothing after it is reached.
    fn block_goes_on(&mut self, block: &Block) -> Result<bool> {
        for statement in block.statements.iter().chain(block.tail) {
            if !self.statement(statement)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
