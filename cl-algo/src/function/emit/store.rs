//! Declarations and assignments.

use super::{Emitter, Value};
use crate::element::{ElementType, ScalarType};
use crate::function::device_type::Type;
use crate::function::helpers;
use crate::function::tree::{Binary, Node, Pattern};
use cl_core::Result;

/// What can be assigned to.
struct Place {
    target: Value,
    /// Conditions without which the place lies outside an array.
    inside: Vec<String>,
}

impl Emitter<'_> {
    pub(super) fn let_pattern(&mut self, pattern: &Pattern, value: &Node) -> Result<bool> {
        let Some(value) = self.maybe_value(value)? else { return Ok(false) };
        match pattern {
            Pattern::Bind(_) => self.bind(pattern, &value)?,
            _ if value.of == Type::Unit => {}
            _ => {
                let value = self.spill(value);
                self.bind(pattern, &value)?;
            }
        }
        Ok(true)
    }

    /// `place = value` or `place op= value`: the value first, as Rust does. Nothing is written
    /// outside an array.
    pub(super) fn assign(&mut self, place: &Node, op: Option<Binary>, value: &Node) -> Result<bool> {
        let Some(mut value) = self.maybe_value(value)? else { return Ok(false) };
        if !place.is_place() {
            value = self.spill(value);
        }
        let Some(place) = self.place(place)? else { return Ok(false) };
        if let Some(op) = op {
            value = self.binary(op, &place.target, &value)?;
        }
        let assignment = format!("{} = {};", place.target.text, value.text);
        if place.inside.is_empty() {
            self.line(&assignment);
        } else {
            self.line(&format!("if ({}) {assignment}", place.inside.join(" && ")));
        }
        Ok(true)
    }

    fn place(&mut self, node: &Node) -> Result<Option<Place>> {
        match node {
            Node::Field(base, name) => {
                let Some(base) = self.place(base)? else { return Ok(None) };
                let target = self.field(&base.target, name)?;
                if let Type::Element(ElementType::Vector(..) | ElementType::Complex(_)) = target.of {
                    return Err(
                        self.error("vectors in structs cannot be assigned to: assign the whole struct")
                    );
                }
                Ok(Some(Place { target, ..base }))
            }
            Node::Index(base, index) => {
                let Some(mut base) = self.place(base)? else { return Ok(None) };
                let Type::Array(item, len) = base.target.of.clone() else {
                    return Err(self.error("only items of arrays can be assigned to"));
                };
                let Some(at) = self.maybe_value(index)? else { return Ok(None) };
                let in_bounds = matches!(index, Node::Integer(at, _) if *at < len as u128);
                let at = if in_bounds {
                    at
                } else {
                    self.spill(Value { of: Type::Scalar(ScalarType::U64), ..at })
                };
                if !in_bounds {
                    let helper = helpers::is_index();
                    self.calls(helper);
                    base.inside.push(format!("{}({}, {len} FAULT_ARGUMENT)", helper.name, at.text));
                }
                let text = format!("{}.v[{}]", base.target.text, at.text);
                Ok(Some(Place { target: Value { text, of: (*item).clone() }, ..base }))
            }
            _ => {
                let Some(target) = self.maybe_value(node)? else { return Ok(None) };
                Ok(Some(Place { target, inside: Vec::new() }))
            }
        }
    }
}
