//! `match`: tests and bindings of patterns.

use super::{Translator, Value};
use crate::function::tree::{Arm, Local, MatchValue, Node, Pattern};
use crate::ir::code::{Statement, VariableId};
use crate::ir::op::{Op, Type};
use cl_core::Result;

impl Translator<'_> {
    /// Translates `match` to a chain of `if`s. The compiler has checked that the last arm takes all remaining values.
    pub(super) fn match_statement(
        &mut self,
        value: &Node,
        arms: &[Arm],
        result: Option<VariableId>,
    ) -> Result<bool> {
        let Some(value) = self.maybe_value(value)? else { return Ok(false) };
        let value = if value.of == Type::Unit { None } else { Some(self.kept(value)) };
        self.arms(value, arms, result)
    }

    /// Translates arms, each within the `else` of the one before.
    fn arms(&mut self, value: Option<VariableId>, arms: &[Arm], result: Option<VariableId>) -> Result<bool> {
        let [arm, rest @ ..] = arms else { return Ok(false) };
        let value_of = |this: &mut Self| match value {
            Some(value) => this.read(value),
            None => this.unit(),
        };
        let whole = value_of(self);
        let test = if rest.is_empty() { None } else { self.test(&arm.pattern, whole)? };
        let condition = match (test, arm.guard) {
            (test, None) => test,
            (test, Some(guard)) => {
                let whole = value_of(self);
                self.bind(&arm.pattern, whole)?;
                Some(self.guarded(test, guard)?)
            }
        };
        let translate = |this: &mut Self| {
            if arm.guard.is_none() {
                let whole = value_of(this);
                this.bind(&arm.pattern, whole)?;
            }
            this.branch(arm.value, result)
        };
        let Some(condition) = condition else { return translate(self) };
        let (goes_on, then) = self.within(translate)?;
        let (others_go_on, otherwise) = self.within(|this| this.arms(value, rest, result))?;
        self.push(Statement::If(condition.id, then, otherwise));
        Ok(goes_on || others_go_on)
    }

    /// Returns the conjunction of a test and a guard, which is evaluated only if the test succeeds.
    fn guarded(&mut self, test: Option<Value>, guard: &Node) -> Result<Value> {
        if guard.is_simple() {
            let Some(guard) = self.maybe_value(guard)? else { return Ok(self.truth(false)) };
            return Ok(match test {
                Some(test) => self.node(Op::And, Type::BOOL, &[test, guard]),
                None => guard,
            });
        }
        let test = test.unwrap_or_else(|| self.truth(true));
        self.short_circuit(test, false, guard)
    }

    /// Returns the condition under which a value matches a pattern; `None` if it always does.
    fn test(&mut self, pattern: &Pattern, value: Value) -> Result<Option<Value>> {
        Ok(match pattern {
            Pattern::Any | Pattern::Bind(_) => None,
            Pattern::Named(_, pattern) => self.test(pattern, value)?,
            Pattern::Value(bound) => Some(self.compare(Op::Eq, value, *bound)?),
            Pattern::Range(begin, end, inclusive) => {
                let mut tests = Vec::new();
                if let Some(begin) = begin {
                    tests.push(self.compare(Op::Ge, value, *begin)?);
                }
                if let Some(end) = end {
                    tests.push(self.compare(if *inclusive { Op::Le } else { Op::Lt }, value, *end)?);
                }
                self.joined(tests, Op::And)
            }
            Pattern::Or(patterns) => {
                let mut tests = Vec::new();
                for pattern in *patterns {
                    let Some(test) = self.test(pattern, value)? else { return Ok(None) };
                    tests.push(test);
                }
                self.joined(tests, Op::Or)
            }
            Pattern::Tuple(patterns) => {
                let mut tests = Vec::new();
                for (at, pattern) in patterns.iter().enumerate() {
                    let item = self.field(value, &at.to_string())?;
                    tests.extend(self.test(pattern, item)?);
                }
                self.joined(tests, Op::And)
            }
        })
    }

    fn joined(&mut self, tests: Vec<Value>, by: Op) -> Option<Value> {
        tests.into_iter().reduce(|all, test| self.node(by, Type::BOOL, &[all, test]))
    }

    fn compare(&mut self, op: Op, value: Value, bound: MatchValue) -> Result<Value> {
        let bound = match (bound, value.of.number()) {
            (MatchValue::Integer(bound), _) if value.of.is_wide() => {
                self.wide_constant(bound.cast_unsigned(), value.of)?
            }
            (MatchValue::Integer(bound), Some(_)) => self.constant(bound as u64, value.of),
            (MatchValue::Bool(bound), _) => self.truth(bound),
            (MatchValue::Constant(index), _) => self.known(&self.body_types.constants[index]),
            (MatchValue::Integer(_), None) => {
                return Err(self.error("the type of a number in a pattern is not a number"));
            }
        };
        self.binary(op, value, bound)
    }

    /// Declares the variables of a pattern.
    pub(super) fn bind(&mut self, pattern: &Pattern, value: Value) -> Result<()> {
        match pattern {
            Pattern::Bind(local) => self.declare(*local, value.of, Some(value)),
            Pattern::Named(local, pattern) => {
                self.declare(*local, value.of, Some(value));
                self.bind(pattern, value)?;
            }
            Pattern::Tuple(patterns) => {
                for (at, pattern) in patterns.iter().enumerate() {
                    let item = self.field(value, &at.to_string())?;
                    self.bind(pattern, item)?;
                }
            }
            Pattern::Any | Pattern::Value(_) | Pattern::Range(..) | Pattern::Or(_) => {}
        }
        Ok(())
    }

    /// Declares a variable, with its first value if it has one already.
    pub(super) fn declare(&mut self, local: Local, of: Type, value: Option<Value>) {
        let variable = self.variable(self.local_name(local), of);
        self.locals[local] = variable;
        if of != Type::Unit {
            self.push(Statement::Declare(variable, value.map(|value| value.id)));
        }
    }
}
