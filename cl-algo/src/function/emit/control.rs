//! `if`, loops, and what leaves them.

use super::{Emitter, Loop, Value};
use crate::function::device_type::Type;
use crate::function::tree::{Adapter, Block, For, LoopId, Node, TypeIndex};
use cl_core::Result;

/// A condition without the parentheses around it, which `if` and `while` bring.
pub(super) fn bare(condition: &str) -> &str {
    let Some(inner) = condition.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return condition;
    };
    let mut depth = 0;
    for c in inner.chars() {
        match c {
            '(' => depth += 1,
            // The first parenthesis is closed before the end.
            ')' if depth == 0 => return condition,
            ')' => depth -= 1,
            _ => {}
        }
    }
    inner
}

impl Emitter<'_> {
    /// Writes a branch: its value goes to `result`. False if nothing after it is reached.
    pub(super) fn branch(&mut self, node: &Node, result: Option<&str>) -> Result<bool> {
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
        self.line(&format!("{result} = {};", value.text));
        Ok(true)
    }

    fn block_branch(&mut self, block: &Block, result: Option<&str>) -> Result<bool> {
        let Some(result) = result else {
            return self.block_goes_on(block);
        };
        let Some(value) = self.block(block)? else { return Ok(false) };
        self.line(&format!("{result} = {};", value.text));
        Ok(true)
    }

    pub(super) fn block_value(&mut self, block: &Block, of: TypeIndex) -> Result<Option<Value>> {
        let of = self.mention(of);
        if block.statements.is_empty() {
            return block.tail.map_or(Ok(None), |tail| self.maybe_value(tail));
        }
        let result = self.result(&of);
        self.open("{");
        let goes_on = self.block_branch(block, result.as_deref())?;
        self.close();
        Ok(goes_on.then(|| Value { text: result.unwrap_or_default(), of }))
    }

    pub(super) fn if_value(
        &mut self,
        node: &Node,
        condition: &Node,
        then: &Block,
        otherwise: Option<&'static Node>,
        of: TypeIndex,
    ) -> Result<Option<Value>> {
        let of = self.mention(of);
        if let (true, Some(yes), Some(no)) = (node.is_simple(), then.tail, otherwise) {
            let condition = self.maybe_value(condition)?;
            let (yes, no) = (self.maybe_value(yes)?, self.maybe_value(no)?);
            return Ok(condition.zip(yes).zip(no).map(|((condition, yes), no)| Value {
                text: format!("({} ? {} : {})", condition.text, yes.text, no.text),
                of,
            }));
        }
        let result = self.result(&of);
        let goes_on = self.if_statement(condition, then, otherwise, result.as_deref())?;
        Ok(goes_on.then(|| Value { text: result.unwrap_or_default(), of }))
    }

    pub(super) fn if_statement(
        &mut self,
        condition: &Node,
        then: &Block,
        otherwise: Option<&'static Node>,
        result: Option<&str>,
    ) -> Result<bool> {
        let Some(condition) = self.maybe_value(condition)? else { return Ok(false) };
        self.open(&format!("if ({}) {{", bare(&condition.text)));
        let mut goes_on = self.block_branch(then, result)?;
        let mut otherwise = otherwise;
        // What is an `else if` in Rust stays one, where its condition takes no statements.
        while let Some(Node::If(condition, then, next, _)) = otherwise
            && condition.is_simple()
        {
            let condition = self.maybe_value(condition)?.map_or_else(String::new, |value| value.text);
            self.depth -= 1;
            self.open(&format!("}} else if ({}) {{", bare(&condition)));
            goes_on |= self.block_branch(then, result)?;
            otherwise = *next;
        }
        match otherwise {
            Some(otherwise) => {
                self.depth -= 1;
                self.open("} else {");
                goes_on |= self.branch(otherwise, result)?;
            }
            None => goes_on = true,
        }
        self.close();
        Ok(goes_on)
    }

    /// Writes a loop around `body`, and what follows it for breaks out of several loops. Whether a
    /// `break` ends it.
    fn repeat_body(
        &mut self,
        id: LoopId,
        head: &str,
        result: Option<String>,
        body: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<bool> {
        self.open(head);
        self.loops.push(Loop { id, result, ends: false, leaves: Vec::new() });
        let outcome = body(self);
        let done = self.loops.pop();
        outcome?;
        self.close();
        let (ends, leaves) = done.map_or_else(Default::default, |done| (done.ends, done.leaves));
        for target in leaves {
            match self.loops.last_mut() {
                Some(around) if around.id == target => {
                    self.line(&format!("if (leave{target} == 1) break;"));
                    self.line(&format!("if (leave{target} == 2) {{ leave{target} = 0; continue; }}"));
                }
                Some(around) => {
                    if !around.leaves.contains(&target) {
                        around.leaves.push(target);
                    }
                    self.line(&format!("if (leave{target}) break;"));
                }
                None => {}
            }
        }
        Ok(ends)
    }

    /// Writes a loop. Whether it has inner loops that jump to it shows only when it is written.
    fn with_leave(&mut self, id: LoopId, write: impl FnOnce(&mut Self) -> Result<bool>) -> Result<bool> {
        let before = self.text.len();
        let goes_on = write(self)?;
        if self.text[before..].contains(&format!("leave{id} = ")) {
            let declaration = format!("{:1$}uint leave{id} = 0;\n", "", 4 * self.depth);
            self.text.insert_str(before, &declaration);
        }
        Ok(goes_on)
    }

    /// `loop`.
    pub(super) fn endless(&mut self, id: LoopId, block: &Block, result: Option<String>) -> Result<bool> {
        self.with_leave(id, |this| {
            this.repeat_body(id, "while (true) {", result, |this| this.block_goes_on(block).map(drop))
        })
    }

    /// `while`.
    pub(super) fn while_loop(&mut self, id: LoopId, condition: &Node, block: &Block) -> Result<bool> {
        if condition.is_simple() {
            let Some(condition) = self.maybe_value(condition)? else { return Ok(false) };
            let head = format!("while ({}) {{", bare(&condition.text));
            return self.with_leave(id, |this| {
                this.repeat_body(id, &head, None, |this| this.block_goes_on(block).map(drop)).map(|_| true)
            });
        }
        self.with_leave(id, |this| {
            this.repeat_body(id, "while (true) {", None, |this| {
                if let Some(condition) = this.maybe_value(condition)? {
                    this.line(&format!("if (!{}) break;", condition.text));
                    this.block_goes_on(block)?;
                }
                Ok(())
            })
            .map(|_| true)
        })
    }

    /// `for` over a range.
    pub(super) fn for_loop(&mut self, id: LoopId, run: &For) -> Result<bool> {
        self.open("{");
        let goes_on = self.with_leave(id, |this| this.range_loop(id, run))?;
        self.close();
        Ok(goes_on)
    }

    fn range_loop(&mut self, id: LoopId, run: &For) -> Result<bool> {
        let Some(bounds) = self.operands(&[run.begin, run.end])? else { return Ok(false) };
        let [begin, end] = &bounds[..] else { return Ok(false) };
        let Type::Scalar(element) = begin.of else {
            return Err(self.error("ranges are ranges of integers"));
        };
        let of = begin.of.clone();
        let name = of.c_name();
        let end = self.spill(end.clone()).text;
        let begin = if run.adapters.is_empty() { begin.text.clone() } else { self.spill(begin.clone()).text };
        let counter = self.temporary_name();
        let (head, index) = if !run.adapters.is_empty() {
            self.strided(run, &begin, &end, &counter, name.as_str())?
        } else if run.inclusive {
            // The last index may be the largest that there is: no step beyond it.
            self.line(&format!("{name} {counter} = {begin};"));
            let more = self.temporary_name();
            self.line(&format!("bool {more} = {counter} <= {end};"));
            let step = format!("{more} = {counter} != {end}, {counter} += {more}");
            (format!("for (; {more}; {step}) {{"), counter)
        } else {
            (format!("for ({name} {counter} = {begin}; {counter} < {end}; ++{counter}) {{"), counter)
        };
        self.repeat_body(id, &head, None, |this| {
            if let Some(variable) = run.variable {
                let value = Value { text: index, of: Type::Scalar(element) };
                this.declare(variable, of, Some(&value));
            }
            this.block_goes_on(&run.block).map(drop)
        })
        .map(|_| true)
    }

    /// A range with adapters: counted, with the index as a function of the count, modulo 2^64.
    fn strided(
        &mut self,
        run: &For,
        begin: &str,
        end: &str,
        counter: &str,
        name: &str,
    ) -> Result<(String, String)> {
        let (count, first, stride) = (self.temporary_name(), self.temporary_name(), self.temporary_name());
        let (test, more) = if run.inclusive { ("<=", " + 1") } else { ("<", "") };
        let length = format!("(ulong){end} - (ulong){begin}{more}");
        self.line(&format!("ulong {count} = {begin} {test} {end} ? {length} : 0;"));
        self.line(&format!("ulong {first} = (ulong){begin}, {stride} = 1;"));
        for adapter in run.adapters {
            match adapter {
                Adapter::Rev => {
                    self.line(&format!("{first} += ({count} - 1) * {stride};"));
                    self.line(&format!("{stride} = -{stride};"));
                }
                Adapter::StepBy(step) => {
                    let Some(step) = self.maybe_value(step)? else { continue };
                    // A step of zero would never end; on the host it panics.
                    let step =
                        self.spill(Value { text: format!("max({}, 1UL)", step.text), of: step.of }).text;
                    self.line(&format!("{count} = {count} == 0 ? 0 : ({count} - 1) / {step} + 1;"));
                    self.line(&format!("{stride} *= {step};"));
                }
            }
        }
        let head = format!("for (ulong {counter} = 0; {counter} < {count}; ++{counter}) {{");
        Ok((head, format!("({name})({first} + {counter} * {stride})")))
    }

    pub(super) fn break_loop(&mut self, target: LoopId, value: Option<&'static Node>) -> Result<bool> {
        if let Some(around) = self.loops.iter_mut().find(|around| around.id == target) {
            around.ends = true;
        }
        if let Some(value) = value {
            let Some(value) = self.maybe_value(value)? else { return Ok(false) };
            let result =
                self.loops.iter().find(|around| around.id == target).and_then(|it| it.result.clone());
            if let Some(result) = result {
                self.line(&format!("{result} = {};", value.text));
            }
        }
        self.jump(target, "break;", 1);
        Ok(false)
    }

    pub(super) fn continue_loop(&mut self, target: LoopId) -> Result<bool> {
        self.jump(target, "continue;", 2);
        Ok(false)
    }

    /// C leaves only the innermost loop: the others learn by a variable where to go, whose name no local
    /// of the function can have, for these end in an underscore and a number.
    fn jump(&mut self, target: LoopId, inner: &str, how: u32) {
        match self.loops.last_mut() {
            Some(innermost) if innermost.id != target => {
                if !innermost.leaves.contains(&target) {
                    innermost.leaves.push(target);
                }
                self.line(&format!("leave{target} = {how};"));
                self.line("break;");
            }
            _ => self.line(inner),
        }
    }
}
