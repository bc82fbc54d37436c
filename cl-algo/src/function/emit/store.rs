//! Declarations and assignments.

use super::value::constant_index;
use super::{Emitter, Value};
use crate::codegen::structs;
use crate::element::{ElementType, ScalarType};
use crate::function::device_type::Type;
use crate::function::operators::Text;
use crate::function::tree::{Binary, Node, Pattern};
use crate::function::{helpers, parts};
use cl_core::Result;

/// What can be assigned to.
struct Place {
    /// What is there, and what is assigned to where that is one C expression.
    target: Value,
    /// Conditions without which the place lies outside an array or a vector.
    inside: Vec<String>,
    kind: Kind,
}

/// How a value comes to a place.
enum Kind {
    /// As C assigns.
    Plain,
    /// Number by number: a vector or a complex number in a struct, which is this array there.
    Numbers(String),
    /// As another vector: one lane of this one, by this index.
    Lane(Value, String),
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
        let inside = place.inside.join(" && ");
        if !inside.is_empty() {
            self.open(&format!("if ({inside}) {{"));
        }
        if let Some(op) = op {
            value = self.binary(op, &place.target, &value)?;
        }
        self.put(&place, value)?;
        if !inside.is_empty() {
            self.close();
        }
        Ok(true)
    }

    fn put(&mut self, place: &Place, value: Value) -> Result<()> {
        match &place.kind {
            Kind::Plain => self.line(&format!("{} = {};", place.target.text, value.text)),
            Kind::Numbers(array) => {
                let value = self.spill(value);
                for at in 0..value.of.parts().map_or(0, |(_, count)| count) {
                    self.line(&format!("{array}[{at}] = {};", parts::lane(&value.text, at)));
                }
            }
            Kind::Lane(vector, at) => {
                let call = parts::with_lane(&vector.of)
                    .and_then(|with_lane| Text::call(with_lane, &[&vector.text, at, &value.text]));
                let text = self.use_text(call, "[] =", &vector.of)?;
                self.line(&format!("{} = {text};", vector.text));
            }
        }
        Ok(())
    }

    fn place(&mut self, node: &Node) -> Result<Option<Place>> {
        match node {
            Node::Field(base, name) => {
                let Some(base) = self.place(base)? else { return Ok(None) };
                self.field_place(base, name).map(Some)
            }
            Node::Index(base, index) => {
                let Some(base) = self.place(base)? else { return Ok(None) };
                let Some(at) = self.maybe_value(index)? else { return Ok(None) };
                self.item_place(base, index, at).map(Some)
            }
            _ => {
                let Some(target) = self.maybe_value(node)? else { return Ok(None) };
                Ok(Some(Place { target, inside: Vec::new(), kind: Kind::Plain }))
            }
        }
    }

    fn field_place(&mut self, base: Place, name: &str) -> Result<Place> {
        if let (Kind::Numbers(array), Some((part, _))) = (&base.kind, base.target.of.parts()) {
            // A part of a complex number.
            let text = format!("{array}[{}]", u8::from(name == "im"));
            let target = Value { text, of: Type::Scalar(part) };
            return Ok(Place { target, kind: Kind::Plain, ..base });
        }
        let mut target = self.field(&base.target, name)?;
        let mut kind = Kind::Plain;
        if let (Type::Element(ElementType::Struct(of)), Some((at, ..))) =
            (&base.target.of, base.target.of.field(name))
            && let Some(known) = of.fields.get(at)
            && structs::numbers(of, known).is_some()
        {
            kind = Kind::Numbers(target.text);
            target.text = self.read_field(&base.target, name, true)?.text;
        }
        Ok(Place { target, kind, ..base })
    }

    fn item_place(&mut self, mut base: Place, index: &Node, at: Value) -> Result<Place> {
        let (item, len) = match &base.target.of {
            Type::Array(item, len) => ((**item).clone(), *len),
            of => match of.parts() {
                Some((part, count)) => (Type::Scalar(part), count),
                None => {
                    return Err(self.error("only items of arrays and lanes of vectors can be assigned to"));
                }
            },
        };
        let constant = constant_index(index, len);
        let at = match constant {
            Some(_) => at,
            None => self.spill(Value { of: Type::Scalar(ScalarType::U64), ..at }),
        };
        if constant.is_none() {
            let helper = helpers::is_index();
            self.calls(helper);
            base.inside.push(format!("{}({}, {len} FAULT_ARGUMENT)", helper.name, at.text));
        }
        let is_vector = base.target.of.parts().is_some();
        let (text, kind) = match (base.kind, constant) {
            (Kind::Numbers(array), _) => (format!("{array}[{}]", at.text), Kind::Plain),
            (_, Some(at)) if is_vector => (parts::lane(&base.target.text, at), Kind::Plain),
            (_, None) if is_vector => {
                let lane = self.lane(&base.target, index, &at.text)?.text;
                (lane, Kind::Lane(base.target, at.text))
            }
            _ => (format!("{}.v[{}]", base.target.text, at.text), Kind::Plain),
        };
        Ok(Place { target: Value { text, of: item }, inside: base.inside, kind })
    }
}
