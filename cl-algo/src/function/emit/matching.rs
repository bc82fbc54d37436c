//! `match`, and what patterns test and bind.

use super::control::bare;
use super::{Emitter, Value};
use crate::function::device_type::{Type, integer};
use crate::function::tree::{Arm, Binary, Local, MatchValue, Node, Pattern};
use cl_core::Result;

impl Emitter<'_> {
    /// Writes `match` as a chain of `if`s. The compiler knows that the last arm takes all the rest.
    pub(super) fn match_statement(
        &mut self,
        value: &Node,
        arms: &[Arm],
        result: Option<&str>,
    ) -> Result<bool> {
        let Some(value) = self.maybe_value(value)? else { return Ok(false) };
        let value = self.spill(value);
        let (mut goes_on, mut open) = (false, 0);
        for (at, arm) in arms.iter().enumerate() {
            let last = at + 1 == arms.len();
            let test = if last { None } else { self.test(&arm.pattern, &value)? };
            let condition = match (test, arm.guard) {
                (test, None) => test,
                (test, Some(guard)) => {
                    self.bind(&arm.pattern, &value)?;
                    Some(self.guarded(test, guard)?)
                }
            };
            if let Some(condition) = &condition {
                self.open(&format!("if ({}) {{", bare(condition)));
                open += 1;
            }
            if arm.guard.is_none() {
                self.bind(&arm.pattern, &value)?;
            }
            goes_on |= self.branch(arm.value, result)?;
            if condition.is_none() {
                break;
            }
            self.depth -= 1;
            self.open("} else {");
        }
        // Each arm lies within the `else` of the one before.
        (0..open).for_each(|_| self.close());
        Ok(goes_on)
    }

    /// A test and a guard, which is evaluated only where the test succeeds.
    fn guarded(&mut self, test: Option<String>, guard: &Node) -> Result<String> {
        let test = test.unwrap_or_else(|| "true".to_owned());
        if guard.is_simple() {
            let guard = self.maybe_value(guard)?.map_or_else(String::new, |guard| guard.text);
            return Ok(format!("({test} && {guard})"));
        }
        let matches = self.temporary_name();
        self.line(&format!("bool {matches} = {test};"));
        self.open(&format!("if ({matches}) {{"));
        if let Some(guard) = self.maybe_value(guard)? {
            self.line(&format!("{matches} = {};", guard.text));
        }
        self.close();
        Ok(matches)
    }

    /// The condition under which a value looks like a pattern; none if it always does.
    fn test(&mut self, pattern: &Pattern, value: &Value) -> Result<Option<String>> {
        Ok(match pattern {
            Pattern::Any | Pattern::Bind(_) => None,
            Pattern::Named(_, pattern) => self.test(pattern, value)?,
            Pattern::Value(bound) => Some(self.compare(Binary::Eq, value, *bound)?),
            Pattern::Range(begin, end, inclusive) => {
                let mut tests = Vec::new();
                if let Some(begin) = begin {
                    tests.push(self.compare(Binary::Ge, value, *begin)?);
                }
                if let Some(end) = end {
                    let op = if *inclusive { Binary::Le } else { Binary::Lt };
                    tests.push(self.compare(op, value, *end)?);
                }
                joined(tests, " && ")
            }
            Pattern::Or(patterns) => {
                let mut tests = Vec::new();
                for pattern in *patterns {
                    let Some(test) = self.test(pattern, value)? else { return Ok(None) };
                    tests.push(test);
                }
                joined(tests, " || ")
            }
            Pattern::Tuple(patterns) => {
                let mut tests = Vec::new();
                for (at, pattern) in patterns.iter().enumerate() {
                    let item = self.field(value, &at.to_string())?;
                    tests.extend(self.test(pattern, &item)?);
                }
                joined(tests, " && ")
            }
        })
    }

    fn compare(&mut self, op: Binary, value: &Value, bound: MatchValue) -> Result<String> {
        let text = match (bound, value.of.scalar()) {
            (MatchValue::Integer(bound), Some(of)) => integer(bound as u128, of),
            (MatchValue::Bool(bound), _) => bound.to_string(),
            (MatchValue::Constant(index), _) => self.facts.constants[index].text.clone(),
            (MatchValue::Integer(_), None) => {
                return Err(self.error("a number in a pattern has no number's type"));
            }
        };
        let bound = Value { text, of: value.of.clone() };
        Ok(self.binary(op, value, &bound)?.text)
    }

    /// Declares the variables of a pattern.
    pub(super) fn bind(&mut self, pattern: &Pattern, value: &Value) -> Result<()> {
        match pattern {
            Pattern::Bind(local) => self.declare(*local, value.of.clone(), Some(value)),
            Pattern::Named(local, pattern) => {
                self.declare(*local, value.of.clone(), Some(value));
                self.bind(pattern, value)?;
            }
            Pattern::Tuple(patterns) => {
                for (at, pattern) in patterns.iter().enumerate() {
                    let item = self.field(value, &at.to_string())?;
                    self.bind(pattern, &item)?;
                }
            }
            Pattern::Any | Pattern::Value(_) | Pattern::Range(..) | Pattern::Or(_) => {}
        }
        Ok(())
    }

    /// Declares a variable, with its first value if there is one already.
    pub(super) fn declare(&mut self, local: Local, of: Type, value: Option<&Value>) {
        let (name, of_name) = (self.local_name(local), of.c_name());
        if of != Type::Unit {
            self.holds(&of);
            let value = value.map_or_else(String::new, |value| format!(" = {}", value.text));
            self.line(&format!("{of_name} {name}{value};"));
        }
        self.uses(&of);
        self.locals[local] = super::Local::Value(of);
    }
}

fn joined(tests: Vec<String>, by: &str) -> Option<String> {
    (!tests.is_empty()).then(|| format!("({})", tests.join(by)))
}
