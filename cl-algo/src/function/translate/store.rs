//! Declarations and assignments.

use super::value::constant_index;
use super::{Translator, Value};
use crate::element::ElementType;
use crate::function::methods;
use crate::function::tree::{Binary, Node, Pattern};
use crate::ir::code::{Place, Statement, Step};
use crate::ir::op::{Op, Site, Type};
use crate::lower::structs;
use cl_core::Result;

/// The target of an assignment.
struct Target {
    place: Place,
    of: Type,
    /// `true` if the target is an array of numbers, as vectors and complex numbers in structs are.
    is_array: bool,
    /// The conditions under which the target lies inside its arrays and vectors. All must hold.
    inside: Vec<Value>,
    /// The index of a component, if the target is one. The whole vector is replaced by a copy with another component.
    component: Option<Value>,
}

impl Translator<'_> {
    pub(super) fn let_pattern(&mut self, pattern: &Pattern, value: &Node) -> Result<bool> {
        let Some(value) = self.maybe_value(value)? else { return Ok(false) };
        match pattern {
            Pattern::Bind(_) => self.bind(pattern, value)?,
            _ if value.of == Type::Unit => {}
            _ => {
                let value = self.spill(value);
                self.bind(pattern, value)?;
            }
        }
        Ok(true)
    }

    /// Translates `target = value` or `target op= value`. The value is computed first, as in Rust. Nothing is written
    /// outside an array.
    pub(super) fn assign(&mut self, place: &Node, op: Option<Binary>, value: &Node) -> Result<bool> {
        let Some(mut value) = self.maybe_value(value)? else { return Ok(false) };
        if !place.is_place() {
            value = self.spill(value);
        }
        let Some(target) = self.target(place)? else { return Ok(false) };
        let inside =
            target.inside.iter().copied().reduce(|all, one| self.node(Op::And, Type::BOOL, &[all, one]));
        let ((), block) = self.within(|this| {
            let value = match op {
                Some(op) => {
                    let old = this.value_at(&target)?;
                    this.binary(op.op(), old, value)?
                }
                None => value,
            };
            this.put(&target, value)
        })?;
        match inside {
            Some(inside) => self.push(Statement::If(inside.id, block, Vec::new())),
            None => block.into_iter().for_each(|statement| self.push(statement)),
        }
        Ok(true)
    }

    fn put(&mut self, target: &Target, value: Value) -> Result<()> {
        let value = match target.component {
            Some(at) => {
                let vector = self.read_place(&target.place)?;
                self.apply("[] =", "with_lane", &[vector, at, value], |graph, of| {
                    methods::with_component(graph, of[0], of[1], of[2])
                })?
            }
            // The numbers are stored one by one, so the value is read several times.
            None if target.is_array => self.spill(value),
            None => value,
        };
        self.push(Statement::Assign(target.place.clone(), value.id));
        Ok(())
    }

    /// Returns the value at a target.
    fn value_at(&mut self, target: &Target) -> Result<Value> {
        let whole = self.read_place(&target.place)?;
        match target.component {
            Some(at) => self.component(whole, at),
            None => Ok(whole),
        }
    }

    fn read_place(&mut self, place: &Place) -> Result<Value> {
        let mut value = self.read(place.variable);
        for step in &place.steps {
            value = match *step {
                Step::Field(at) => self.part(value, Op::Field(at))?,
                Step::Component(at) => self.part(value, Op::Component(at))?,
                Step::Item(at) => {
                    let at = Value { id: at, of: self.code.nodes[at as usize].ty };
                    match value.of {
                        // The item is a component of a vector in a struct, where vectors are arrays.
                        of if of.parts().is_some() => self.component(value, at)?,
                        _ => self.item(value, at)?,
                    }
                }
            };
        }
        Ok(value)
    }

    fn target(&mut self, node: &Node) -> Result<Option<Target>> {
        match node {
            Node::Field(base, name) => {
                let Some(mut target) = self.target(base)? else { return Ok(None) };
                if target.of.scalar().is_some() {
                    // A newtype is represented by its field.
                    return Ok(Some(target));
                }
                let (at, of) = self.field_of(target.of, name)?;
                let is_complex = target.of.is_complex();
                target.is_array = matches!(target.of, Type::Element(ElementType::Struct(of))
                    if structs::numbers(of, &of.fields[at]).is_some());
                target.place.steps.push(if is_complex {
                    Step::Component(at as u32)
                } else {
                    Step::Field(at as u32)
                });
                target.of = of;
                Ok(Some(target))
            }
            Node::Index(base, index) => {
                let Some(target) = self.target(base)? else { return Ok(None) };
                let Some(at) = self.maybe_value(index)? else { return Ok(None) };
                self.item_target(target, index, at).map(Some)
            }
            Node::Local(local) => {
                let variable = self.local(*local)?;
                let of = self.code.variables[variable as usize].ty;
                let place = Place { variable, steps: Vec::new() };
                Ok(Some(Target { place, of, is_array: false, inside: Vec::new(), component: None }))
            }
            _ => Err(self.error("only variables and parts of them can be assigned to")),
        }
    }

    fn item_target(&mut self, mut target: Target, index: &Node, at: Value) -> Result<Target> {
        let (item, len) = match target.of {
            Type::Array(item, len) => (*item, len),
            of => match of.parts() {
                Some((part, count)) => (part.into(), count),
                None => {
                    return Err(
                        self.error("only items of arrays and components of vectors can be assigned to")
                    );
                }
            },
        };
        let constant = constant_index(index, len);
        let at = match constant {
            Some(_) => at,
            None => {
                let at = self.spill(at);
                let bound = self.constant(len as u64, ElementType::U64.into());
                let inside = self.node(Op::Writable(Site::Array), Type::BOOL, &[at, bound]);
                target.inside.push(inside);
                at
            }
        };
        match (target.of.parts(), constant) {
            (Some(_), Some(at)) => target.place.steps.push(Step::Component(at as u32)),
            (Some(_), None) if !target.is_array => target.component = Some(at),
            _ => target.place.steps.push(Step::Item(at.id)),
        }
        target.of = item;
        target.is_array = false;
        Ok(target)
    }
}
