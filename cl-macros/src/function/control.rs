//! `if`, `match`, loops, and the jumps out of them.

use super::refusal::refuse;
use super::translate::{Code, Translator};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::spanned::Spanned;
use syn::{
    Error, Expr, ExprArray, ExprBlock, ExprBreak, ExprForLoop, ExprIf, ExprLoop, ExprMatch, ExprRange,
};
use syn::{ExprWhile, Label, Pat, RangeLimits, Result};

fn optional(part: Option<TokenStream>) -> TokenStream {
    part.map_or_else(|| quote! { None }, |part| quote! { Some(#part) })
}

impl Translator {
    /// Translates control flow; `None` for other expressions.
    pub(super) fn control(&mut self, expr: &Expr, wanted: bool) -> Option<Result<Code>> {
        Some(match expr {
            Expr::Block(block) => match &block.label {
                Some(label) => Err(Error::new(label.span(), "blocks have no labels here: label a loop")),
                None => self.block(&block.block, wanted).map(|code| {
                    let block = code.tree;
                    let (open, probe) = self.if_wanted(expr.span(), wanted, code.probe);
                    Code::new(quote! { Node::Block(#block, #open) }, probe)
                }),
            },
            Expr::If(chosen) => self.if_else(chosen, wanted),
            Expr::Match(matching) => self.matching(matching, wanted),
            Expr::Loop(endless) => self.endless(endless, wanted),
            Expr::While(repeated) => self.while_loop(repeated),
            Expr::ForLoop(run) => self.for_loop(run),
            Expr::Break(leave) => self.break_loop(leave),
            Expr::Continue(next) => {
                let target = self.target(next.label.as_ref(), next.span(), false);
                target.map(|target| Code::new(quote! { Node::Continue(#target) }, next))
            }
            Expr::Return(leave) => match &leave.expr {
                Some(value) => self.value(value).map(|Code { tree, probe }| {
                    Code::new(quote! { Node::Return(&#tree) }, quote! { return #probe })
                }),
                None => {
                    Err(Error::new(leave.span(), "a device function always has a result: return a value"))
                }
            },
            _ => return None,
        })
    }

    /// Adds an open type for a value, and marks its probe with the type, if the value is used.
    fn if_wanted(&mut self, span: Span, wanted: bool, probe: TokenStream) -> (TokenStream, TokenStream) {
        if !wanted {
            return (quote! { None }, probe);
        }
        let (open, probe) = self.probed(span, &probe);
        (quote! { Some(#open) }, probe)
    }

    fn condition(&mut self, condition: &Expr) -> Result<Code> {
        match refuse::binding_condition(condition) {
            Some(error) => Err(error),
            None => self.value(condition),
        }
    }

    fn if_else(&mut self, chosen: &ExprIf, wanted: bool) -> Result<Code> {
        let condition = self.condition(&chosen.cond)?;
        let wanted = wanted && chosen.else_branch.is_some();
        let then = self.block(&chosen.then_branch, wanted)?;
        let otherwise = match &chosen.else_branch {
            Some((_, otherwise)) => Some(self.branch(otherwise, wanted)?),
            None => None,
        };
        let (if_probe, then_probe) = (condition.probe, then.probe);
        let else_probe = otherwise.as_ref().map(|code| {
            let probe = &code.probe;
            quote! { else { #probe } }
        });
        let probe = quote! { if #if_probe #then_probe #else_probe };
        let (open, probe) = self.if_wanted(chosen.span(), wanted, probe);
        let (condition, then) = (condition.tree, then.tree);
        let otherwise = optional(otherwise.map(|code| {
            let tree = code.tree;
            quote! { &#tree }
        }));
        Ok(Code::new(quote! { Node::If(&#condition, #then, #otherwise, #open) }, probe))
    }

    /// Translates the code after `else` or `=>`. Its type is the type of the whole `if` or `match`.
    fn branch(&mut self, expr: &Expr, wanted: bool) -> Result<Code> {
        self.expr(expr, wanted)
    }

    fn matching(&mut self, matching: &ExprMatch, wanted: bool) -> Result<Code> {
        let value = self.value(&matching.expr)?;
        let (mut arms, mut probes) = (Vec::new(), Vec::new());
        for arm in &matching.arms {
            let mark = self.enter();
            let (pat, guard) = match &arm.pat {
                Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
                pat => (pat, None),
            };
            let pattern = self.pattern(pat)?;
            let guard = guard.map(|guard| self.condition(guard)).transpose()?;
            let body = self.branch(&arm.body, wanted)?;
            self.leave(mark);
            let guard_probe = guard.as_ref().map(|guard| {
                let probe = &guard.probe;
                quote! { if #probe }
            });
            let guard = optional(guard.map(|guard| {
                let tree = guard.tree;
                quote! { &#tree }
            }));
            let (body, body_probe) = (body.tree, body.probe);
            arms.push(quote! { Arm { pattern: #pattern, guard: #guard, value: &#body } });
            probes.push(quote! { #pat #guard_probe => #body_probe, });
        }
        let (value, value_probe) = (value.tree, value.probe);
        let probe = quote! { match #value_probe { #(#probes)* } };
        let (open, probe) = self.if_wanted(matching.span(), wanted, probe);
        Ok(Code::new(quote! { Node::Match(&#value, &[#(#arms),*], #open) }, probe))
    }

    fn endless(&mut self, endless: &ExprLoop, wanted: bool) -> Result<Code> {
        let label = &endless.label;
        let id = self.enter_loop(label.as_ref().map(|label| &label.name));
        let body = self.block(&endless.body, false);
        let has_value = self.leave_loop();
        let Code { tree, probe } = body?;
        let probe = quote! { #label loop #probe };
        let (open, probe) = self.if_wanted(endless.span(), wanted && has_value, probe);
        Ok(Code::new(quote! { Node::Loop(#id, #tree, #open) }, probe))
    }

    fn while_loop(&mut self, repeated: &ExprWhile) -> Result<Code> {
        let label = &repeated.label;
        let condition = self.condition(&repeated.cond)?;
        let id = self.enter_loop(label.as_ref().map(|label| &label.name));
        let body = self.block(&repeated.body, false);
        self.leave_loop();
        let body = body?;
        let (condition, while_probe) = (condition.tree, condition.probe);
        let (block, probe) = (body.tree, body.probe);
        Ok(Code::new(
            quote! { Node::While(#id, &#condition, #block) },
            quote! { #label while #while_probe #probe },
        ))
    }

    fn for_loop(&mut self, run: &ExprForLoop) -> Result<Code> {
        if let Expr::Array(items) = &*run.expr {
            return self.for_items(run, items);
        }
        let range = self.range(&run.expr)?;
        let mark = self.enter();
        let code = self.for_body(run, range);
        self.leave(mark);
        code
    }

    /// Translates `for x in [a, b, c]` to a variable for the array, and a loop over its indices.
    fn for_items(&mut self, run: &ExprForLoop, items: &ExprArray) -> Result<Code> {
        let (label, pat, statements, len) = (&run.label, &run.pat, &run.body.stmts, items.elems.len());
        let (array, at) = (Ident::new("items", Span::mixed_site()), Ident::new("at", Span::mixed_site()));
        let all: ExprBlock = syn::parse_quote! { {
            let #array = #items;
            #label for #at in 0..#len {
                let #pat = #array[#at];
                #(#statements)*
            }
        } };
        self.block(&all.block, false).map(|code| {
            let block = code.tree;
            Code::new(quote! { Node::Block(#block, None) }, code.probe)
        })
    }

    fn for_body(&mut self, run: &ExprForLoop, range: Code) -> Result<Code> {
        let variable = match &*run.pat {
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                Some(self.declare(&name.ident))
            }
            Pat::Wild(_) => None,
            pat => return Err(Error::new(pat.span(), "a loop over a range counts with one plain name")),
        };
        let variable = optional(variable.map(|local| quote! { #local }));
        let label: &Option<Label> = &run.label;
        let id = self.enter_loop(label.as_ref().map(|label| &label.name));
        let body = self.block(&run.body, false);
        self.leave_loop();
        let (block, body_probe) = body.map(|body| (body.tree, body.probe))?;
        let (fields, range, pat) = (range.tree, range.probe, &run.pat);
        Ok(Code::new(
            quote! { Node::For(#id, For { variable: #variable, #fields, block: #block }) },
            quote! { #label for #pat in #range #body_probe },
        ))
    }

    /// Returns the fields of a `For` that give its range.
    fn range(&mut self, expr: &Expr) -> Result<Code> {
        let (mut adapters, mut calls) = (Vec::new(), Vec::new());
        let mut inner = expr;
        let range = loop {
            match inner {
                Expr::Paren(paren) => inner = &paren.expr,
                Expr::Range(range) => break range,
                Expr::MethodCall(call) if call.method == "rev" && call.args.is_empty() => {
                    adapters.push(quote! { Adapter::Rev });
                    calls.push(quote! { .rev() });
                    inner = &call.receiver;
                }
                Expr::MethodCall(call) if call.method == "step_by" && call.args.len() == 1 => {
                    let Code { tree, probe } = self.value(&call.args[0])?;
                    adapters.push(quote! { Adapter::StepBy(&#tree) });
                    calls.push(quote! { .step_by(#probe) });
                    inner = &call.receiver;
                }
                _ => {
                    let reason = "loops run over `[a, b]` and ranges only, `a..b` or `a..=b`, with `.rev()` and `.step_by(k)`: \
                                  index what you want to visit";
                    return Err(Error::new(expr.span(), reason));
                }
            }
        };
        adapters.reverse();
        calls.reverse();
        self.bounds(range, &adapters, &calls)
    }

    fn bounds(&mut self, range: &ExprRange, adapters: &[TokenStream], calls: &[TokenStream]) -> Result<Code> {
        let (Some(begin), Some(end)) = (&range.start, &range.end) else {
            return Err(Error::new(range.span(), "a range on a device has two ends: use `loop` to run on"));
        };
        let (begin, end) = (self.value(begin)?, self.value(end)?);
        let inclusive = matches!(range.limits, RangeLimits::Closed(_));
        let (limits, first, last) = (&range.limits, begin.probe, end.probe);
        let (begin, end) = (begin.tree, end.tree);
        Ok(Code::new(
            quote! { begin: &#begin, end: &#end, inclusive: #inclusive, adapters: &[#(#adapters),*] },
            quote! { (#first #limits #last) #(#calls)* },
        ))
    }

    fn break_loop(&mut self, leave: &ExprBreak) -> Result<Code> {
        let value = leave.expr.as_ref().map(|value| self.value(value)).transpose()?;
        let target = self.target(leave.label.as_ref(), leave.span(), value.is_some())?;
        let (label, probe) = (&leave.label, value.as_ref().map(|value| &value.probe));
        let probe = quote! { break #label #probe };
        let value = optional(value.map(|value| {
            let tree = value.tree;
            quote! { &#tree }
        }));
        Ok(Code::new(quote! { Node::Break(#target, #value) }, probe))
    }
}
