//! The statements of a device function as OpenCL C.

use super::operation::{self, Operand};
use super::structs;
use super::value_type::ValueType;
use crate::element::{ElementType, ScalarType};
use crate::ir::code::{Code, Head, LoopId, Place, Statement, Step, VariableId, is_left_from_within};
use crate::ir::op::{NodeId, Op, Type};
use std::fmt::Write;

/// Returns the statements of a function's body, each on its own line.
pub(crate) fn write(code: &Code) -> String {
    let mut writer = Writer { code, text: String::new(), depth: 1, loops: Vec::new() };
    writer.block(&code.body);
    writer.text
}

/// Returns whether parentheses enclose the whole term.
fn is_enclosed(term: &str) -> bool {
    let mut depth = 0_usize;
    for (at, c) in term.bytes().enumerate() {
        match c {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return c == b')' && at + 1 == term.len();
        }
    }
    false
}

/// Returns a term that can stand beside any operator: a name, a number, a call, a member or an item of one of these,
/// or a term in parentheses.
fn tight(term: String) -> String {
    let mut depth = 0_usize;
    let is_loose = term.bytes().any(|c| {
        match c {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && !(c.is_ascii_alphanumeric() || b"_.)]".contains(&c))
    });
    // Text after a closing parenthesis makes it a cast.
    if is_loose || term.starts_with('(') && !is_enclosed(&term) { format!("({term})") } else { term }
}

/// Returns a term without the parentheses around it.
fn bare(term: &str) -> &str {
    if is_enclosed(term) { &term[1..term.len() - 1] } else { term }
}

struct Writer<'c> {
    code: &'c Code,
    text: String,
    depth: usize,
    /// The loops around the statement. Each has a list of the outer loops that statements within it break or continue.
    loops: Vec<(LoopId, Vec<LoopId>)>,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", 4 * self.depth); // writing to a String cannot fail
    }

    /// Writes a line that begins a block, the block, and its end.
    fn within(&mut self, line: &str, block: &[Statement]) {
        self.line(line);
        self.depth += 1;
        self.block(block);
        self.depth -= 1;
        self.line("}");
    }

    fn block(&mut self, block: &[Statement]) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Declare(variable, value) => {
                let line = self.declaration(*variable, *value);
                self.line(&line);
            }
            Statement::Keep(variable, value) => {
                let line = self.declaration(*variable, Some(*value));
                self.line(&format!("const {line}"));
            }
            Statement::Assign(place, value) => self.assign(place, *value),
            Statement::If(condition, then, otherwise) => self.branch(*condition, then, otherwise),
            Statement::Loop(id, head, body) => self.repeat(*id, head, body),
            Statement::Break(target) => self.jump(*target, "break;", 1),
            Statement::Continue(target) => self.jump(*target, "continue;", 2),
            Statement::Return(value) => {
                let value = self.value(*value);
                self.line(&format!("return {value};"));
            }
            Statement::Scope(block) => self.within("{", block),
        }
    }

    fn name(&self, variable: VariableId) -> &str {
        &self.code.variables[variable as usize].name
    }

    fn declaration(&self, variable: VariableId, value: Option<NodeId>) -> String {
        let (ty, name) = (self.code.variables[variable as usize].ty.c_name(), self.name(variable));
        let Some(value) = value else { return format!("{ty} {name};") };
        let value = self.value(value);
        // The initial value of an array, written without a second array to copy from.
        let initial = bare(&value);
        let initial = initial.strip_prefix(&format!("({ty}){{{{")).map(|items| format!("{{{{{items}"));
        format!("{ty} {name} = {};", initial.unwrap_or(value))
    }

    fn assign(&mut self, place: &Place, value: NodeId) {
        let (target, array) = self.place(place);
        let text = self.value(value);
        match array {
            None => self.line(&format!("{target} = {text};")),
            // `value` is a variable here, so its name can be repeated.
            Some(count) => {
                (0..count).for_each(|at| self.line(&format!("{target}[{at}] = {text}.s{at:x};")));
            }
        }
    }

    /// Returns the term of an assignment's target. If the target is a vector or a complex number in a struct, it is an
    /// array there, and the array's length is returned, too.
    fn place(&self, place: &Place) -> (String, Option<usize>) {
        let mut text = self.name(place.variable).to_owned();
        let (mut ty, mut is_array) = (self.code.variables[place.variable as usize].ty, false);
        for step in &place.steps {
            let was_array = std::mem::take(&mut is_array);
            match (*step, ty) {
                (Step::Field(at), Type::Element(ElementType::Struct(of))) => {
                    let Some(field) = of.fields.get(at as usize) else { continue };
                    let _ = write!(text, ".{}", field.c_name());
                    (ty, is_array) = (field.element.into(), structs::numbers(of, field).is_some());
                }
                (Step::Field(at) | Step::Component(at), of) => {
                    let _ = if was_array { write!(text, "[{at}]") } else { write!(text, ".s{at:x}") };
                    ty = of.parts().map_or(ty, |(part, _)| part.into());
                }
                (Step::Item(at), of) => {
                    let (at, array) = (self.value(at), if was_array { "" } else { ".v" });
                    let _ = write!(text, "{array}[{at}]");
                    ty = match of {
                        Type::Array(item, _) => *item,
                        of => of.parts().map_or(of, |(part, _)| part.into()),
                    };
                }
            }
        }
        (text, is_array.then(|| ty.parts().map_or(0, |(_, count)| count)))
    }

    /// Writes an `if`; an `if` in an `else` becomes an `else if`.
    fn branch(&mut self, condition: NodeId, then: &[Statement], otherwise: &[Statement]) {
        let mut line = format!("if ({}) {{", bare(&self.value(condition)));
        let (mut then, mut otherwise) = (then, otherwise);
        loop {
            self.line(&line);
            self.depth += 1;
            self.block(then);
            self.depth -= 1;
            match otherwise {
                [] => break,
                [Statement::If(condition, next, last)] => {
                    line = format!("}} else if ({}) {{", bare(&self.value(*condition)));
                    (then, otherwise) = (next, last);
                }
                last => {
                    "} else {".clone_into(&mut line);
                    (then, otherwise) = (last, &[]);
                }
            }
        }
        self.line("}");
    }

    fn repeat(&mut self, id: LoopId, head: &Head, body: &[Statement]) {
        if is_left_from_within(id, body) {
            self.line(&format!("uint leave{id} = 0;"));
        }
        let head = match *head {
            Head::Never => "while (true) {".to_owned(),
            Head::While(condition) => format!("while ({}) {{", bare(&self.value(condition))),
            Head::Range(counter, begin, end) => {
                let (name, ty) = (self.name(counter), self.code.variables[counter as usize].ty.c_name());
                let (begin, end) = (self.value(begin), self.value(end));
                format!("for ({ty} {name} = {begin}; {name} < {end}; ++{name}) {{")
            }
            Head::Inclusive(counter, more, end) => {
                let (name, more, end) = (self.name(counter), self.name(more), self.value(end));
                format!("for (; {more}; {more} = {name} != {end}, {name} += {more}) {{")
            }
        };
        self.loops.push((id, Vec::new()));
        self.within(&head, body);
        let leaves = self.loops.pop().map_or_else(Vec::new, |(_, leaves)| leaves);
        for target in leaves {
            match self.loops.last_mut() {
                Some((around, _)) if *around == target => {
                    self.line(&format!("if (leave{target} == 1) break;"));
                    self.line(&format!("if (leave{target} == 2) {{ leave{target} = 0; continue; }}"));
                }
                Some((_, leaves)) => {
                    if !leaves.contains(&target) {
                        leaves.push(target);
                    }
                    self.line(&format!("if (leave{target}) break;"));
                }
                None => {}
            }
        }
    }

    /// Writes a `break` or `continue`. In C these leave only the innermost loop. For an outer loop, the variable
    /// `leave` tells each loop on the way out whether to break or to continue. No local of the function can have its
    /// name, because locals end in an underscore and a number.
    fn jump(&mut self, target: LoopId, inner: &str, how: u32) {
        match self.loops.last_mut() {
            Some((innermost, leaves)) if *innermost != target => {
                if !leaves.contains(&target) {
                    leaves.push(target);
                }
                self.line(&format!("leave{target} = {how};"));
                self.line("break;");
            }
            _ => self.line(inner),
        }
    }

    /// Returns a value as a term that can stand beside any operator, and that also has its type in C.
    fn value(&self, id: NodeId) -> String {
        let node = &self.code.nodes[id as usize];
        if let Op::Variable(variable) = node.op {
            return self.name(variable).to_owned();
        }
        let operands: Vec<Operand> = node
            .arguments
            .iter()
            .map(|&id| {
                Operand::item(
                    self.value(id),
                    self.code.nodes[id as usize].ty,
                    self.code.nodes[id as usize].op,
                )
            })
            .collect();
        let term = tight(operation::apply(node.op, ValueType::item(node.ty), &operands));
        // C widens narrow types to `int`. An overloaded function would then be chosen for `int` instead of the value's
        // type.
        let widened =
            matches!(node.op, Op::BitAnd | Op::BitOr | Op::BitXor | Op::Not | Op::Div | Op::Rem | Op::Select);
        match node.ty.number().filter(|of| widened && !of.is_float() && of.size() < 4) {
            Some(of) => format!("(({}){term})", ScalarType::c_name(of)),
            None => term,
        }
    }
}
