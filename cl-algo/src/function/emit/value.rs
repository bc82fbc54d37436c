//! Expressions.

use super::{Emitter, Local, Value};
use crate::codegen::structs;
use crate::element::{ElementType, ScalarType};
use crate::function::device_type::{Type, float, integer};
use crate::function::operators::Text;
use crate::function::tree::{Binary, Node, TypeIndex};
use crate::function::{helpers, methods, operators, parts};
use cl_core::Result;

impl Emitter<'_> {
    /// The value of an expression; none if evaluating it leads elsewhere, by `return` or the like.
    pub(super) fn maybe_value(&mut self, node: &Node) -> Result<Option<Value>> {
        let value = match node {
            Node::Local(local) => {
                let of = match &self.locals[*local] {
                    Local::Value(of) | Local::Slice(of) => of.clone(),
                    Local::Undeclared => return Err(self.error("a variable is used before it is declared")),
                };
                Value { text: self.local_name(*local), of }
            }
            Node::Integer(value, of) => {
                let of = self.mention(*of);
                let text = match of.scalar() {
                    Some(element) if !element.is_float() => integer(*value, element),
                    _ => return Err(self.error("an integer literal has no integer type")),
                };
                Value { text, of }
            }
            Node::Float(text, of) => self.float(text, *of)?,
            Node::Bool(value) => Value { text: value.to_string(), of: Type::Bool },
            Node::Constant(index) => {
                let constant = &self.facts.constants[*index];
                self.uses(&constant.of);
                Value { text: constant.text.clone(), of: constant.of.clone() }
            }
            Node::Unary(op, x) => {
                let Some(x) = self.maybe_value(x)? else { return Ok(None) };
                let text = operators::unary(*op, &x.of, &x.text);
                let text = self.use_text(text, &format!("{op:?}"), &x.of)?;
                Value { text, of: x.of }
            }
            Node::Binary(op @ (Binary::And | Binary::Or), x, y) if !y.is_simple() => {
                return self.short_circuit(*op, x, y);
            }
            Node::Binary(op, x, y) => {
                let Some(operands) = self.operands(&[x, y])? else { return Ok(None) };
                match (op, y) {
                    (Binary::Div | Binary::Rem, Node::Integer(by, _))
                        if operands[0].of == operands[1].of && is_positive(*by, &operands[1].of) =>
                    {
                        Emitter::divide_by(*op, &operands[0], &operands[1])
                    }
                    _ => self.binary(*op, &operands[0], &operands[1])?,
                }
            }
            Node::Cast(x, to) => {
                let Some(x) = self.maybe_value(x)? else { return Ok(None) };
                let to = self.mention(*to);
                let text = operators::cast(&x.of, &to, &x.text);
                let text = self.use_text(text, "as", &x.of)?;
                Value { text, of: to }
            }
            Node::Method(name, arguments, result) => return self.method(name, arguments, *result),
            Node::Call(callee, arguments) => return self.call(*callee, arguments),
            Node::Index(base, index) => return self.index(base, index),
            Node::Field(base, name) => {
                let is_place = base.is_place();
                let Some(base) = self.maybe_value(base)? else { return Ok(None) };
                self.read_field(&base, name, is_place)?
            }
            Node::Tuple(items, of) | Node::Array(items, of) => {
                let items: Vec<&Node> = items.iter().collect();
                return self.aggregate(&items, *of);
            }
            Node::Struct(fields, of) => return self.structure(fields, *of),
            Node::Repeat(item, of) => return self.repeat(item, *of),
            Node::Block(block, Some(of)) => return self.block_value(block, *of),
            Node::If(condition, then, otherwise, Some(of)) => {
                return self.if_value(node, condition, then, *otherwise, *of);
            }
            Node::Match(value, arms, Some(of)) => {
                let of = self.mention(*of);
                let result = self.result(&of);
                let goes_on = self.match_statement(value, arms, result.as_deref())?;
                return Ok(goes_on.then(|| Value { text: result.unwrap_or_default(), of }));
            }
            Node::Loop(id, block, Some(of)) => {
                let of = self.mention(*of);
                let result = self.result(&of);
                let goes_on = self.endless(*id, block, result.clone())?;
                return Ok(goes_on.then(|| Value { text: result.unwrap_or_default(), of }));
            }
            _ => {
                let goes_on = self.statement(node)?;
                return Ok(goes_on.then(|| Value { text: String::new(), of: Type::Unit }));
            }
        };
        Ok(Some(value))
    }

    /// A variable for the value of a block, if it has one.
    pub(super) fn result(&mut self, of: &Type) -> Option<String> {
        (*of != Type::Unit).then(|| self.temporary(of))
    }

    /// Operands from left to right; none if one of them leads elsewhere.
    pub(super) fn operands(&mut self, nodes: &[&Node]) -> Result<Option<Vec<Value>>> {
        // What stands before an operand that takes statements must be computed before these.
        let statements = nodes.iter().rposition(|node| !node.is_simple()).unwrap_or(0);
        let mut values = Vec::new();
        for (at, node) in nodes.iter().enumerate() {
            let Some(value) = self.maybe_value(node)? else { return Ok(None) };
            let is_slice =
                matches!(node, Node::Local(local) if matches!(self.locals[*local], Local::Slice(_)));
            values.push(if at < statements && !is_slice { self.spill(value) } else { value });
        }
        Ok(Some(values))
    }

    pub(super) fn binary(&mut self, op: Binary, x: &Value, y: &Value) -> Result<Value> {
        let text = operators::binary(op, &x.of, &y.of, &x.text, &y.text);
        let text = self.use_text(text, operators::symbol(op), &x.of)?;
        Ok(Value { text, of: operators::result(op, &x.of, &y.of) })
    }

    /// Division by a literal above zero, where nothing can trap.
    fn divide_by(op: Binary, x: &Value, y: &Value) -> Value {
        let text = format!("(({})({} {} {}))", x.of.c_name(), x.text, operators::symbol(op), y.text);
        Value { text, of: x.of.clone() }
    }

    fn float(&mut self, text: &str, of: TypeIndex) -> Result<Value> {
        let of = self.mention(of);
        // Directly to the type's own precision: rounding twice is not the same.
        let value = match of.scalar() {
            Some(ScalarType::F32) => text.parse::<f32>().ok().map(f64::from),
            _ => text.parse::<f64>().ok(),
        };
        match value.zip(of.scalar()).and_then(|(value, element)| float(value, element)) {
            Some(text) => Ok(Value { text, of }),
            None => Err(self.error(&format!("`{text}` has no floating-point type"))),
        }
    }

    /// `&&` and `||` where the right side takes statements.
    fn short_circuit(&mut self, op: Binary, x: &Node, y: &Node) -> Result<Option<Value>> {
        let Some(x) = self.maybe_value(x)? else { return Ok(None) };
        let result = self.temporary_name();
        self.line(&format!("bool {result} = {};", x.text));
        let not = if op == Binary::Or { "!" } else { "" };
        self.open(&format!("if ({not}{result}) {{"));
        if let Some(y) = self.maybe_value(y)? {
            self.line(&format!("{result} = {};", y.text));
        }
        self.close();
        Ok(Some(Value { text: result, of: Type::Bool }))
    }

    fn method(&mut self, name: &str, arguments: &[Node], result: TypeIndex) -> Result<Option<Value>> {
        let result = self.mention(result);
        if let [receiver] = arguments
            && let Some((slice, _)) = self.slice(receiver)
        {
            let text = if name == "len" { format!("{slice}_len") } else { format!("({slice}_len == 0)") };
            return Ok(Some(Value { text, of: result }));
        }
        let nodes: Vec<&Node> = arguments.iter().collect();
        let Some(values) = self.operands(&nodes)? else { return Ok(None) };
        let of = values[0].of.clone();
        if let ("len", Type::Array(_, len)) = (name, &of) {
            return Ok(Some(Value { text: integer(*len as u128, ScalarType::U64), of: result }));
        }
        let texts: Vec<&str> = values.iter().map(|value| value.text.as_str()).collect();
        let text = methods::method(name, &of, &result, &texts);
        let text = self.use_text(text, name, &of)?;
        Ok(Some(Value { text, of: result }))
    }

    /// The name of a slice and the type of its items, if the expression names one.
    fn slice(&self, node: &Node) -> Option<(String, Type)> {
        match node {
            Node::Local(local) => match &self.locals[*local] {
                Local::Slice(of) => Some((self.local_name(*local), of.clone())),
                _ => None,
            },
            _ => None,
        }
    }

    fn call(&mut self, callee: usize, arguments: &[Node]) -> Result<Option<Value>> {
        let function = self.facts.callees[callee];
        self.calls(function);
        let nodes: Vec<&Node> = arguments.iter().collect();
        let Some(values) = self.operands(&nodes)? else { return Ok(None) };
        let mut texts = Vec::new();
        for (node, value) in nodes.iter().zip(values) {
            let is_slice = self.slice(node).is_some();
            texts.push(if is_slice { format!("{0}, {0}_len", value.text) } else { value.text });
        }
        let hidden = if function.checks_indices { " FAULT_ARGUMENT" } else { "" };
        let text = format!("{}({}{hidden})", function.name, texts.join(", "));
        Ok(Some(Value { text, of: function.result.clone() }))
    }

    /// An item of a slice or an array, never out of bounds.
    fn index(&mut self, base: &Node, index: &Node) -> Result<Option<Value>> {
        if let Some((slice, of)) = self.slice(base) {
            let Some(index) = self.maybe_value(index)? else { return Ok(None) };
            let helper = helpers::element(&of);
            self.calls(helper);
            self.uses(&of);
            let text = format!("{}({slice}, {slice}_len, {} FAULT_ARGUMENT)", helper.name, index.text);
            return Ok(Some(Value { text, of }));
        }
        let Some(mut values) = self.operands(&[base, index])? else { return Ok(None) };
        // C indexes only what lies in memory.
        let array = if base.is_place() { values.swap_remove(0) } else { self.spill(values[0].clone()) };
        let place = values.pop().map_or_else(String::new, |value| value.text);
        if array.of.parts().is_some() {
            return self.lane(&array, index, &place).map(Some);
        }
        let Type::Array(item, len) = &array.of else {
            return Err(self.error("only arrays, slices and vectors can be indexed"));
        };
        if *len == 0 {
            return Err(self.error("an array without items has none to read"));
        }
        if !matches!(index, Node::Integer(at, _) if *at < *len as u128) {
            let helper = helpers::checked_index();
            self.calls(helper);
            let text = format!("{}.v[{}({place}, {len} FAULT_ARGUMENT)]", array.text, helper.name);
            return Ok(Some(Value { text, of: (**item).clone() }));
        }
        Ok(Some(Value { text: format!("{}.v[{place}]", array.text), of: (**item).clone() }))
    }

    /// A lane of a vector, never out of bounds.
    pub(super) fn lane(&mut self, vector: &Value, index: &Node, at: &str) -> Result<Value> {
        let Some((part, count)) = vector.of.parts() else {
            return Err(self.error("only vectors have lanes"));
        };
        let of = Type::Scalar(part);
        if let Some(at) = constant_index(index, count) {
            return Ok(Value { text: parts::lane(&vector.text, at), of });
        }
        let call = parts::lane_at(&vector.of)
            .and_then(|lane| Text::call(lane, &[&vector.text, &format!("{at} FAULT_ARGUMENT")]));
        let text = self.use_text(call, "[]", &vector.of)?;
        Ok(Value { text, of })
    }

    /// A field. A newtype is what its field is.
    pub(super) fn field(&mut self, base: &Value, name: &str) -> Result<Value> {
        if let Type::Scalar(_) | Type::Bool = base.of {
            return Ok(base.clone());
        }
        match base.of.field(name) {
            Some((_, field, of)) => {
                self.uses(&of);
                let text = match base.of.parts() {
                    Some(_) => format!("({}).{field}", base.text),
                    None => format!("{}.{field}", base.text),
                };
                Ok(Value { text, of })
            }
            None => {
                Err(self.error(&format!("`{}` has no field `{name}` on the device", base.of.rust_name())))
            }
        }
    }

    /// A field's value: what it is called, but for what is stored as something else.
    pub(super) fn read_field(&mut self, base: &Value, name: &str, is_place: bool) -> Result<Value> {
        let place = self.field(base, name)?;
        let (Type::Element(ElementType::Struct(of)), Some((at, ..))) = (&base.of, base.of.field(name)) else {
            return Ok(place);
        };
        let text = match place.of.parts() {
            // A call would be written several times.
            Some(_) if !is_place => {
                let call = parts::field(of, at).and_then(|field| Text::call(field, &[&base.text]));
                self.use_text(call, name, &base.of)?
            }
            Some(_) => format!("({})", structs::read(of, at, &base.text)),
            None => structs::read(of, at, &base.text),
        };
        Ok(Value { text, of: place.of })
    }

    fn aggregate(&mut self, items: &[&Node], of: TypeIndex) -> Result<Option<Value>> {
        let of = self.mention(of);
        let Some(values) = self.operands(items)? else { return Ok(None) };
        let texts: Vec<String> = values.into_iter().map(|value| value.text).collect();
        let (name, items) = (of.c_name(), texts.join(", "));
        if let Type::Array(..) = of {
            // A variable, because NVIDIA 580 reads from nowhere when a function is given a literal
            // array and finds an item by an index that is no constant.
            self.holds(&of);
            let array = self.temporary_name();
            self.line(&format!("{name} {array} = {{{{{items}}}}};"));
            return Ok(Some(Value { text: array, of }));
        }
        Ok(Some(Value { text: format!("(({name}){{{items}}})"), of }))
    }

    fn structure(&mut self, fields: &[(&str, Node)], of: TypeIndex) -> Result<Option<Value>> {
        let of = self.mention(of);
        let nodes: Vec<&Node> = fields.iter().map(|(_, value)| value).collect();
        let Some(mut values) = self.operands(&nodes)? else { return Ok(None) };
        if let Type::Scalar(_) | Type::Bool = of {
            let only = values.pop().filter(|_| values.is_empty());
            return match only {
                Some(value) => Ok(Some(Value { text: value.text, of })),
                None => Err(self.error(&format!("`{}` is no struct on the device", of.rust_name()))),
            };
        }
        let mut texts = Vec::new();
        for ((name, _), value) in fields.iter().zip(&values) {
            let Some((_, field, _)) = of.field(name) else {
                return Err(self.error(&format!("`{}` has no field `{name}` on the device", of.rust_name())));
            };
            texts.push((field, value.text.as_str()));
        }
        let text = match of {
            Type::Element(ElementType::Struct(known)) if parts::has_parts(known) => {
                let value =
                    |name: String| texts.iter().find(|(field, _)| *field == name).map(|(_, value)| *value);
                let values: Option<Vec<&str>> =
                    known.fields.iter().map(|field| value(field.c_name())).collect();
                let call = values.and_then(|values| Text::call(parts::make(known), &values));
                self.use_text(call, "{ .. }", &of)?
            }
            _ if of.parts().is_some() => {
                texts.sort_unstable();
                let values: Vec<&str> = texts.into_iter().map(|(_, value)| value).collect();
                format!("(({})({}))", of.c_name(), values.join(", "))
            }
            _ => {
                let values: Vec<String> =
                    texts.into_iter().map(|(field, value)| format!(".{field} = {value}")).collect();
                format!("(({}){{{}}})", of.c_name(), values.join(", "))
            }
        };
        Ok(Some(Value { text, of }))
    }

    fn repeat(&mut self, item: &Node, of: TypeIndex) -> Result<Option<Value>> {
        let of = self.mention(of);
        let Some(item) = self.maybe_value(item)? else { return Ok(None) };
        let Type::Array(_, len) = of else {
            return Err(self.error("only arrays repeat a value"));
        };
        let item = self.spill(item);
        let array = self.temporary(&of);
        self.line(&format!("for (uint k = 0; k < {len}; ++k) {array}.v[k] = {};", item.text));
        Ok(Some(Value { text: array, of }))
    }
}

/// An index that is known to be below a bound.
pub(super) fn constant_index(index: &Node, bound: usize) -> Option<usize> {
    match index {
        Node::Integer(at, _) => usize::try_from(*at).ok().filter(|at| *at < bound),
        _ => None,
    }
}

/// Whether a literal is above zero whatever integer type it is read as: not -1, nor 0, where it is larger
/// than the type.
fn is_positive(literal: u128, of: &Type) -> bool {
    of.scalar().is_some_and(|of| (1..1 << (8 * of.size() - 1)).contains(&literal))
}
