//! Expressions.

use super::{Translator, Value};
use crate::element::{ElementType, ScalarType};
use crate::function::device_type::Constant;
use crate::function::tree::{Binary, Node, TypeIndex};
use crate::function::{Function, intern, methods};
use crate::ir::build::bits;
use crate::ir::code::{Head, Place, Statement, Step, VariableId};
use crate::ir::graph::{Graph, Replace};
use crate::ir::op::{FunctionRef, NodeId, Op, Site, Type};
use crate::lower::operation::{self, Operand};
use cl_core::Result;

const SIZE: Type = Type::Element(ElementType::U64);

impl Translator<'_> {
    /// Returns the value of an expression; `None` if evaluating it ends elsewhere, as by `return`.
    pub(super) fn maybe_value(&mut self, node: &Node) -> Result<Option<Value>> {
        let value = match node {
            Node::Local(local) => {
                let variable = self.local(*local)?;
                self.read(variable)
            }
            Node::Integer(value, of) => {
                let of = self.type_at(*of);
                if of.is_wide() {
                    return self.wide_constant(*value, of).map(Some);
                }
                if of.number().is_none_or(ScalarType::is_float) {
                    return Err(self.error("an integer literal has no integer type"));
                }
                self.constant(*value as u64, of)
            }
            Node::Float(text, of) => self.float(text, *of)?,
            Node::Bool(value) => self.truth(*value),
            Node::Constant(index) => self.known(&self.body_types.constants[*index]),
            Node::Unary(op, x) => {
                let Some(x) = self.maybe_value(x)? else { return Ok(None) };
                self.apply(&format!("{op:?}"), "negative", &[x], |graph, of| graph.op(op.op(), of))?
            }
            Node::Binary(op @ (Binary::And | Binary::Or), x, y) if !y.is_simple() => {
                let Some(x) = self.maybe_value(x)? else { return Ok(None) };
                self.short_circuit(x, *op == Binary::Or, y)?
            }
            Node::Binary(op, x, y) => {
                let Some(operands) = self.operands(&[x, y])? else { return Ok(None) };
                self.binary(op.op(), operands[0], operands[1])?
            }
            Node::Cast(x, to) => {
                let Some(x) = self.maybe_value(x)? else { return Ok(None) };
                let to = self.type_at(*to);
                let name = format!("to_{}", to.c_name());
                self.apply("as", &name, &[x], |graph, of| graph.converted(of[0], to))?
            }
            Node::Method(name, arguments, result) => return self.method(name, arguments, *result),
            Node::Call(callee, arguments) => return self.call(*callee, arguments),
            Node::Index(base, index) => return self.index(base, index),
            Node::Field(base, name) => {
                let Some(base) = self.maybe_value(base)? else { return Ok(None) };
                self.field(base, name)?
            }
            Node::Tuple(items, of) | Node::Array(items, of) => {
                let items: Vec<&Node> = items.iter().collect();
                let Some(items) = self.operands(&items)? else { return Ok(None) };
                self.made(&items, self.type_at(*of))?
            }
            Node::Struct(fields, of) => return self.structure(fields, *of),
            Node::Repeat(item, of) => return self.repeated(item, *of),
            Node::Block(block, Some(of)) => return self.block_value(block, *of),
            Node::If(condition, then, otherwise, Some(of)) => {
                return self.if_value(node, condition, then, *otherwise, *of);
            }
            Node::Match(value, arms, Some(of)) => {
                let result = self.result(*of);
                let goes_on = self.match_statement(value, arms, result)?;
                return Ok(self.left_in(result, goes_on));
            }
            Node::Loop(id, block, Some(of)) => {
                let result = self.result(*of);
                let goes_on = self.endless(*id, block, result)?;
                return Ok(self.left_in(result, goes_on));
            }
            Node::Block(_, None)
            | Node::If(..)
            | Node::Match(_, _, None)
            | Node::Loop(_, _, None)
            | Node::While(..)
            | Node::For(..)
            | Node::Break(..)
            | Node::Continue(_)
            | Node::Return(_)
            | Node::Let(..)
            | Node::Declare(..)
            | Node::Assign(..) => {
                let goes_on = self.statement(node)?;
                return Ok(self.left_in(None, goes_on));
            }
        };
        Ok(Some(value))
    }

    /// Returns the variable of a local.
    pub(super) fn local(&self, local: usize) -> Result<VariableId> {
        match self.locals[local] {
            VariableId::MAX => Err(self.error("a variable is used before it is declared")),
            variable => Ok(variable),
        }
    }

    /// Declares a variable for the value of a block, if the block has one.
    pub(super) fn result(&mut self, of: TypeIndex) -> Option<VariableId> {
        let of = self.type_at(of);
        (of != Type::Unit).then(|| self.declared(of, None))
    }

    /// Returns `()`. Generated code never contains its text.
    pub(super) fn unit(&mut self) -> Value {
        self.constant(0, Type::Unit)
    }

    pub(super) fn truth(&mut self, value: bool) -> Value {
        self.constant(u64::from(value), Type::BOOL)
    }

    /// Returns a constant integer of 128 bits.
    pub(super) fn wide_constant(&mut self, value: u128, of: Type) -> Result<Value> {
        let name = "constant";
        self.apply(name, name, &[], |graph, _| graph.wide_constant(value, of))
    }

    /// Returns a number or a `bool`, given by its bits.
    pub(super) fn constant(&mut self, bits: u64, of: Type) -> Value {
        self.node(Op::Constant(bits), of, &[])
    }

    /// Returns a constant host value.
    pub(super) fn known(&mut self, constant: &Constant) -> Value {
        match constant {
            Constant::Scalar(of, bits) => self.constant(*bits, (*of).into()),
            Constant::Whole(of, parts) => {
                let parts: Vec<Value> = parts.iter().map(|part| self.known(part)).collect();
                self.node(Op::Make, *of, &parts)
            }
        }
    }

    fn float(&mut self, text: &str, of: TypeIndex) -> Result<Value> {
        let of = self.type_at(of);
        // Parsed directly in the type's own precision: rounding twice can give another result.
        let value = match of.number() {
            Some(ScalarType::F32) => text.parse::<f32>().ok().map(f64::from),
            _ => text.parse::<f64>().ok(),
        };
        match value.zip(of.number().filter(|of| of.is_float())) {
            Some((value, number)) => Ok(self.constant(bits(value, number), of)),
            None => Err(self.error(&format!("`{text}` has no floating-point type"))),
        }
    }

    /// Returns operands, evaluated from left to right; `None` if one of them ends elsewhere.
    pub(super) fn operands(&mut self, nodes: &[&Node]) -> Result<Option<Vec<Value>>> {
        // An operand that is not simple adds statements. Operands before it are stored in variables, so that
        // they are computed before these statements.
        let statements = nodes.iter().rposition(|node| !node.is_simple()).unwrap_or(0);
        let mut values = Vec::new();
        for (at, node) in nodes.iter().enumerate() {
            let Some(value) = self.maybe_value(node)? else { return Ok(None) };
            let is_slice = matches!(value.of, Type::Slice(_));
            values.push(if at < statements && !is_slice { self.spill(value) } else { value });
        }
        Ok(Some(values))
    }

    /// Adds the operation that `build` makes of the operands: a term if it mentions each operand once, otherwise the
    /// call of a function. `what` is the name of the operation for errors.
    pub(super) fn apply(
        &mut self,
        what: &str,
        name: &str,
        operands: &[Value],
        build: impl FnOnce(&mut Graph<'static>, &[NodeId]) -> Option<NodeId>,
    ) -> Result<Value> {
        let mut graph = Graph::default();
        let parameters: Vec<NodeId> = operands
            .iter()
            .enumerate()
            .map(|(at, operand)| match self.code.nodes[operand.id as usize].op {
                // A constant can be built into the operation.
                op @ Op::Constant(_) => graph.node(op, operand.of, &[]),
                _ => graph.node(Op::Parameter(at as u32), operand.of, &[]),
            })
            .collect();
        let Some(root) = build(&mut graph, &parameters) else {
            let of = operands.first().map_or(Type::Unit, |operand| operand.of).rust_name();
            return Err(self.error(&format!("`{what}` does not exist for `{of}` on the device")));
        };
        graph.roots.push(root);
        let graph = graph.pruned();
        if self.is_term(&graph, operands) {
            let mut moved: Vec<Value> = Vec::new();
            for node in &graph.nodes {
                let value = match node.op {
                    Op::Parameter(number) => operands[number as usize],
                    op => {
                        let of: Vec<Value> = node.arguments.iter().map(|&id| moved[id as usize]).collect();
                        self.node(op, node.ty, &of)
                    }
                };
                moved.push(value);
            }
            return Ok(moved[graph.root() as usize]);
        }
        // The function's parameters are the operands that it needs.
        let (mut helper, mut given, mut numbers) = (Graph::default(), Vec::new(), vec![0; operands.len()]);
        for node in &graph.nodes {
            if let Op::Parameter(number) = node.op {
                numbers[number as usize] = helper.node(Op::Parameter(given.len() as u32), node.ty, &[]);
                given.push(operands[number as usize]);
            }
        }
        helper.roots = helper.absorb(&graph, Replace::Parameters(&numbers), "helper");
        let function = intern::keep(Function::of_graph(name, &helper));
        Ok(self.node(Op::Function(FunctionRef(function)), function.result, &given))
    }

    /// Returns whether the graph can be a term: it mentions nothing twice, except constants and parts of variables,
    /// which cost nothing.
    fn is_term(&self, graph: &Graph<'static>, operands: &[Value]) -> bool {
        let mut mentions = vec![0; graph.nodes.len()];
        for node in &graph.nodes {
            let of: Vec<Operand> = node
                .arguments
                .iter()
                .map(|&id| Operand::item(String::new(), graph.ty(id), graph.nodes[id as usize].op))
                .collect();
            let reads_place = matches!(node.op, Op::Field(_)) && self.code.is_place(operands[0].id);
            let times = if !reads_place && operation::repeats(node.op, node.ty, &of) { 2 } else { 1 };
            for &argument in node.arguments.iter() {
                mentions[argument as usize] += times;
            }
        }
        let is_known = |op: Op| matches!(op, Op::Constant(_));
        graph.nodes.iter().zip(mentions).all(|(node, mentions)| mentions <= 1 || is_known(node.op))
    }

    pub(super) fn binary(&mut self, op: Op, x: Value, y: Value) -> Result<Value> {
        let name = match op {
            Op::Add => "sum",
            Op::Sub => "difference",
            Op::Mul => "product",
            Op::Div => "quotient",
            Op::Rem => "remainder",
            Op::Eq => "equal",
            _ => "different",
        };
        self.apply(op.symbol(), name, &[x, y], |graph, of| graph.op(op, of))
    }

    /// Returns `first && then`, or `first || then` if `is_or`. The statements of `then` run only if `first`
    /// does not decide the result.
    pub(super) fn short_circuit(&mut self, first: Value, is_or: bool, then: &Node) -> Result<Value> {
        let result = self.declared(Type::BOOL, Some(first));
        let ((), block) = self.within(|this| {
            if let Some(then) = this.maybe_value(then)? {
                this.assigned(result, then);
            }
            Ok(())
        })?;
        let mut condition = self.read(result);
        if is_or {
            condition = self.node(Op::Not, Type::BOOL, &[condition]);
        }
        self.push(Statement::If(condition.id, block, Vec::new()));
        Ok(self.read(result))
    }

    fn method(&mut self, name: &'static str, arguments: &[Node], result: TypeIndex) -> Result<Option<Value>> {
        let nodes: Vec<&Node> = arguments.iter().collect();
        let Some(values) = self.operands(&nodes)? else { return Ok(None) };
        let result = self.type_at(result);
        let value = match (name, values[0].of) {
            ("len" | "is_empty", Type::Slice(_)) => {
                let len = self.node(Op::Len, SIZE, &values[..1]);
                let zero = self.constant(0, SIZE);
                if name == "len" { len } else { self.node(Op::Eq, Type::BOOL, &[len, zero]) }
            }
            ("len", Type::Array(_, len)) => self.constant(len as u64, SIZE),
            _ => self.apply(name, name, &values, |graph, of| methods::method(graph, name, of, result))?,
        };
        Ok(Some(value))
    }

    fn call(&mut self, callee: usize, arguments: &[Node]) -> Result<Option<Value>> {
        let function = self.body_types.callees[callee];
        let nodes: Vec<&Node> = arguments.iter().collect();
        let Some(values) = self.operands(&nodes)? else { return Ok(None) };
        let mut passed = Vec::new();
        for value in values {
            passed.push(value);
            if let Type::Slice(_) = value.of {
                passed.push(self.node(Op::Len, SIZE, &[value]));
            }
        }
        Ok(Some(self.node(Op::Function(FunctionRef(function)), function.result, &passed)))
    }

    /// Returns an item of a slice or an array, never out of bounds.
    fn index(&mut self, base: &Node, index: &Node) -> Result<Option<Value>> {
        let Some(values) = self.operands(&[base, index])? else { return Ok(None) };
        let [whole, at] = values[..] else { return Ok(None) };
        match whole.of {
            Type::Slice(_) => {
                let len = self.node(Op::Len, SIZE, &[whole]);
                let at = self.node(Op::Checked(Site::Slice), Type::Index, &[at, len]);
                self.item(whole, at).map(Some)
            }
            of if of.parts().is_some() => {
                match constant_index(index, of.parts().map_or(0, |(_, count)| count)) {
                    Some(at) => self.part(whole, Op::Component(at as u32)).map(Some),
                    None => self.component(whole, at).map(Some),
                }
            }
            Type::Array(_, 0) => Err(self.error("an array without items cannot be indexed")),
            Type::Array(_, len) => {
                // C can index only arrays that lie in memory.
                let array = if base.is_place() { whole } else { self.spill(whole) };
                let at = match constant_index(index, len) {
                    Some(_) => at,
                    None => {
                        let bound = self.constant(len as u64, SIZE);
                        self.node(Op::Checked(Site::Array), Type::Index, &[at, bound])
                    }
                };
                self.item(array, at).map(Some)
            }
            _ => Err(self.error("only arrays, slices and vectors can be indexed")),
        }
    }

    /// Returns the item at an index that is in range.
    pub(super) fn item(&mut self, whole: Value, at: Value) -> Result<Value> {
        match Op::Item.result(&[whole.of, at.of]) {
            Some(of) => Ok(self.node(Op::Item, of, &[whole, at])),
            None => Err(self.error("only arrays and slices have items")),
        }
    }

    /// Returns a component of a vector, never out of bounds.
    pub(super) fn component(&mut self, vector: Value, at: Value) -> Result<Value> {
        self.apply("[]", "lane", &[vector, at], |graph, of| methods::component(graph, of[0], of[1]))
    }

    /// Returns the number and the type of a field.
    pub(super) fn field_of(&self, of: Type, name: &str) -> Result<(usize, Type)> {
        let error = || self.error(&format!("`{}` has no field `{name}` on the device", of.rust_name()));
        of.field(name).ok_or_else(error)
    }

    /// Returns a field. A newtype is represented by its field.
    pub(super) fn field(&mut self, base: Value, name: &str) -> Result<Value> {
        if base.of.scalar().is_some() {
            return Ok(base);
        }
        let (at, _) = self.field_of(base.of, name)?;
        let at = at as u32;
        self.part(base, if base.of.is_complex() { Op::Component(at) } else { Op::Field(at) })
    }

    /// Returns a field or a component, by its number.
    pub(super) fn part(&mut self, whole: Value, op: Op) -> Result<Value> {
        self.apply("part", "part", &[whole], |graph, of| graph.op(op, of))
    }

    /// Returns a tuple, array, struct, vector or complex number, made of its parts.
    fn made(&mut self, parts: &[Value], of: Type) -> Result<Value> {
        if let Type::Array(..) = of {
            // Stored in a variable, because NVIDIA 580 reads from a wrong address when a function is given a literal
            // array and reads an item at an index that is not constant.
            let array = self.node(Op::Make, of, parts);
            let array = self.declared(of, Some(array));
            return Ok(self.read(array));
        }
        self.apply("{ .. }", "make", parts, |graph, parts| Some(graph.node(Op::Make, of, parts)))
    }

    fn structure(&mut self, fields: &[(&str, Node)], of: TypeIndex) -> Result<Option<Value>> {
        let of = self.type_at(of);
        let nodes: Vec<&Node> = fields.iter().map(|(_, value)| value).collect();
        let Some(values) = self.operands(&nodes)? else { return Ok(None) };
        if of.scalar().is_some() {
            return match values[..] {
                [value] => Ok(Some(Value { of, ..value })),
                _ => Err(self.error(&format!("`{}` is not a struct on the device", of.rust_name()))),
            };
        }
        let mut parts = Vec::new();
        for ((name, _), value) in fields.iter().zip(values) {
            parts.push((self.field_of(of, name)?.0, value));
        }
        parts.sort_by_key(|(at, _)| *at);
        let parts: Vec<Value> = parts.into_iter().map(|(_, value)| value).collect();
        self.made(&parts, of).map(Some)
    }

    fn repeated(&mut self, item: &Node, of: TypeIndex) -> Result<Option<Value>> {
        let of = self.type_at(of);
        let Some(item) = self.maybe_value(item)? else { return Ok(None) };
        let Type::Array(_, len) = of else {
            return Err(self.error("only arrays repeat a value"));
        };
        let item = self.spill(item);
        let array = self.declared(of, None);
        let (begin, end) = (self.constant(0, SIZE), self.constant(len as u64, SIZE));
        let counter = self.temporary(SIZE);
        let at = self.read(counter);
        let place = Place { variable: array, steps: vec![Step::Item(at.id)] };
        let body = vec![Statement::Assign(place, item.id)];
        // No `break` refers to this loop, so its number can be any.
        self.push(Statement::Loop(usize::MAX, Head::Range(counter, begin.id, end.id), body));
        Ok(Some(self.read(array)))
    }
}

/// Returns an index that is known to be below a bound.
pub(super) fn constant_index(index: &Node, bound: usize) -> Option<usize> {
    match index {
        Node::Integer(at, _) => usize::try_from(*at).ok().filter(|at| *at < bound),
        _ => None,
    }
}
