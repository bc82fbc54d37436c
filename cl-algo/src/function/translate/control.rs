//! `if`, loops, `break`, `continue` and `return`.

use super::{Loop, Translator, Value};
use crate::element::{ElementType, ScalarType};
use crate::function::tree::{Adapter, Block, For, Node, TypeIndex};
use crate::ir::code::{Head, LoopId, Statement, VariableId};
use crate::ir::op::{Op, Type};
use cl_core::Result;

const SIZE: Type = Type::Element(ElementType::U64);

impl Translator<'_> {
    /// Translates a branch, whose value is stored in `result`. Returns `false` if the code after it is never reached.
    pub(super) fn branch(&mut self, node: &Node, result: Option<VariableId>) -> Result<bool> {
        match node {
            Node::Block(block, _) => return self.block_branch(block, result),
            Node::If(condition, then, otherwise, _) if result.is_none() || !node.is_simple() => {
                return self.if_statement(condition, then, *otherwise, result);
            }
            _ => {}
        }
        let Some(result) = result else {
            return self.statement(node);
        };
        let Some(value) = self.maybe_value(node)? else { return Ok(false) };
        self.assigned(result, value);
        Ok(true)
    }

    fn block_branch(&mut self, block: &Block, result: Option<VariableId>) -> Result<bool> {
        let Some(result) = result else {
            return self.block_goes_on(block);
        };
        let Some(value) = self.block(block)? else { return Ok(false) };
        self.assigned(result, value);
        Ok(true)
    }

    /// Returns the value that a statement left in `result`, or `()`; `None` if the code after it is never reached.
    pub(super) fn left_in(&mut self, result: Option<VariableId>, goes_on: bool) -> Option<Value> {
        goes_on.then(|| match result {
            Some(result) => self.read(result),
            None => self.unit(),
        })
    }

    /// Returns the value of a block; `None` if the code after it is never reached.
    pub(super) fn block_value(&mut self, block: &Block, of: TypeIndex) -> Result<Option<Value>> {
        if block.statements.is_empty() {
            return match block.tail {
                Some(tail) => self.maybe_value(tail),
                None => Ok(Some(self.unit())),
            };
        }
        let result = self.result(of);
        let (goes_on, block) = self.within(|this| this.block_branch(block, result))?;
        self.push(Statement::Scope(block));
        Ok(self.left_in(result, goes_on))
    }

    pub(super) fn if_value(
        &mut self,
        node: &Node,
        condition: &Node,
        then: &Block,
        otherwise: Option<&'static Node>,
        of: TypeIndex,
    ) -> Result<Option<Value>> {
        if let (true, Some(yes), Some(no)) = (node.is_simple(), then.tail, otherwise) {
            let condition = self.maybe_value(condition)?;
            let (yes, no) = (self.maybe_value(yes)?, self.maybe_value(no)?);
            let of = self.type_at(of);
            return Ok(condition
                .zip(yes)
                .zip(no)
                .map(|((condition, yes), no)| self.node(Op::Select, of, &[condition, yes, no])));
        }
        let result = self.result(of);
        let goes_on = self.if_statement(condition, then, otherwise, result)?;
        Ok(self.left_in(result, goes_on))
    }

    pub(super) fn if_statement(
        &mut self,
        condition: &Node,
        then: &Block,
        otherwise: Option<&'static Node>,
        result: Option<VariableId>,
    ) -> Result<bool> {
        let Some(condition) = self.maybe_value(condition)? else { return Ok(false) };
        let (then_goes_on, then) = self.within(|this| this.block_branch(then, result))?;
        let (goes_on, otherwise) = self.within(|this| match otherwise {
            Some(otherwise) => this.branch(otherwise, result),
            None => Ok(true),
        })?;
        self.push(Statement::If(condition.id, then, otherwise));
        Ok(goes_on || then_goes_on)
    }

    /// Translates a loop around `body`. Returns whether a `break` ends it.
    fn repeat(
        &mut self,
        id: LoopId,
        head: Head,
        result: Option<VariableId>,
        body: impl FnOnce(&mut Self) -> Result<bool>,
    ) -> Result<bool> {
        self.loops.push(Loop { id, result, ends: false });
        let outcome = self.within(body);
        let done = self.loops.pop();
        let (_, body) = outcome?;
        self.push(Statement::Loop(id, head, body));
        Ok(done.is_some_and(|done| done.ends))
    }

    /// Translates `loop`.
    pub(super) fn endless(&mut self, id: LoopId, block: &Block, result: Option<VariableId>) -> Result<bool> {
        self.repeat(id, Head::Never, result, |this| this.block_goes_on(block))
    }

    /// Translates `while`.
    pub(super) fn while_loop(&mut self, id: LoopId, condition: &Node, block: &Block) -> Result<bool> {
        if condition.is_simple() {
            let Some(condition) = self.maybe_value(condition)? else { return Ok(false) };
            self.repeat(id, Head::While(condition.id), None, |this| this.block_goes_on(block))?;
            return Ok(true);
        }
        self.repeat(id, Head::Never, None, |this| {
            let Some(condition) = this.maybe_value(condition)? else { return Ok(false) };
            let ended = this.node(Op::Not, Type::BOOL, &[condition]);
            this.push(Statement::If(ended.id, vec![Statement::Break(id)], Vec::new()));
            this.block_goes_on(block)
        })?;
        Ok(true)
    }

    /// Translates `for` over a range.
    pub(super) fn for_loop(&mut self, id: LoopId, run: &For) -> Result<bool> {
        let (goes_on, block) = self.within(|this| this.range_loop(id, run))?;
        self.push(Statement::Scope(block));
        Ok(goes_on)
    }

    fn range_loop(&mut self, id: LoopId, run: &For) -> Result<bool> {
        let Some(bounds) = self.operands(&[run.begin, run.end])? else { return Ok(false) };
        let [begin, end] = bounds[..] else { return Ok(false) };
        let of = begin.of;
        if of.number().is_none_or(ScalarType::is_float) {
            return Err(self.error("ranges are ranges of integers"));
        }
        let end = self.kept(end);
        let (head, index) = if !run.adapters.is_empty() {
            let begin = self.kept(begin);
            self.strided(run, begin, end)?
        } else if run.inclusive {
            // The last index may be the largest number of its type, so the loop must not step beyond it.
            let counter = self.declared(of, Some(begin));
            let values = [self.read(counter), self.read(end)];
            let more = self.node(Op::Le, Type::BOOL, &values);
            let more = self.declared(Type::BOOL, Some(more));
            (Head::Inclusive(counter, more, self.read(end).id), self.read(counter))
        } else {
            let counter = self.temporary(of);
            (Head::Range(counter, begin.id, self.read(end).id), self.read(counter))
        };
        self.repeat(id, head, None, |this| {
            if let Some(variable) = run.variable {
                let value = if index.of == of { index } else { this.node(Op::Cast, of, &[index]) };
                this.declare(variable, of, Some(value));
            }
            this.block_goes_on(&run.block)
        })?;
        Ok(true)
    }

    /// Translates a range with adapters: a counting loop, with the index as a function of the count, modulo 2^64.
    ///
    /// `count` is the number of items, or, for an inclusive range, the number of steps from the first item to the last:
    /// an inclusive range can have 2^64 items.
    fn strided(&mut self, run: &For, begin: VariableId, end: VariableId) -> Result<(Head, Value)> {
        let one = self.constant(1, SIZE);
        let zero = self.constant(0, SIZE);
        let (from, to) = (self.read(begin), self.read(end));
        let test = if run.inclusive { Op::Le } else { Op::Lt };
        let is_there = self.node(test, Type::BOOL, &[from, to]);
        let (from, to) = (self.read(begin), self.read(end));
        let (from, to) = (self.wide(from), self.wide(to));
        let mut length = self.node(Op::Sub, SIZE, &[to, from]);
        if !run.inclusive {
            length = self.node(Op::Select, SIZE, &[is_there, length, zero]);
        }
        let count = self.declared(SIZE, Some(length));
        let from = self.read(begin);
        let from = self.wide(from);
        let first = self.declared(SIZE, Some(from));
        let stride = self.declared(SIZE, Some(one));
        for adapter in run.adapters {
            let (many, at, by) = (self.read(count), self.read(first), self.read(stride));
            // The number of steps from the first item to the last.
            let steps = if run.inclusive { many } else { self.node(Op::Sub, SIZE, &[many, one]) };
            match adapter {
                Adapter::Rev => {
                    let distance = self.node(Op::Mul, SIZE, &[steps, by]);
                    let last = self.node(Op::Add, SIZE, &[at, distance]);
                    self.assigned(first, last);
                    let by = self.read(stride);
                    let back = self.node(Op::Neg, SIZE, &[by]);
                    self.assigned(stride, back);
                }
                Adapter::StepBy(step) => {
                    let Some(step) = self.maybe_value(step)? else { continue };
                    // A step of zero would never end; on the host it panics.
                    let step = self.node(Op::Call("max"), SIZE, &[step, one]);
                    let step = self.spill(step);
                    let mut steps = self.binary(Op::Div, steps, step)?;
                    if !run.inclusive {
                        let more = self.node(Op::Add, SIZE, &[steps, one]);
                        let none = self.node(Op::Eq, Type::BOOL, &[many, zero]);
                        steps = self.node(Op::Select, SIZE, &[none, zero, more]);
                    }
                    self.assigned(count, steps);
                    let stride_of_steps = self.node(Op::Mul, SIZE, &[by, step]);
                    self.assigned(stride, stride_of_steps);
                }
            }
        }
        let (counter, head) = if run.inclusive {
            let counter = self.declared(SIZE, Some(zero));
            let more = self.declared(Type::BOOL, Some(is_there));
            (counter, Head::Inclusive(counter, more, self.read(count).id))
        } else {
            let counter = self.temporary(SIZE);
            (counter, Head::Range(counter, zero.id, self.read(count).id))
        };
        let (at, index, by) = (self.read(first), self.read(counter), self.read(stride));
        let distance = self.node(Op::Mul, SIZE, &[index, by]);
        let index = self.node(Op::Add, SIZE, &[at, distance]);
        Ok((head, index))
    }

    /// Returns an integer as a 64-bit one.
    fn wide(&mut self, value: Value) -> Value {
        if value.of == SIZE { value } else { self.node(Op::Cast, SIZE, &[value]) }
    }

    pub(super) fn break_loop(&mut self, target: LoopId, value: Option<&'static Node>) -> Result<bool> {
        if let Some(around) = self.loops.iter_mut().find(|around| around.id == target) {
            around.ends = true;
        }
        if let Some(value) = value {
            let Some(value) = self.maybe_value(value)? else { return Ok(false) };
            let result = self.loops.iter().find(|around| around.id == target).and_then(|it| it.result);
            if let Some(result) = result {
                self.assigned(result, value);
            }
        }
        self.push(Statement::Break(target));
        Ok(false)
    }
}
