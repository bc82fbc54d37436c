//! Patterns.

use super::translate::Translator;
use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned;
use syn::{Error, Expr, ExprLit, ExprUnary, Lit, Pat, PatIdent, RangeLimits, Result, UnOp};

impl Translator {
    /// Returns the tree of a pattern, and declares its variables.
    pub(super) fn pattern(&mut self, pat: &Pat) -> Result<TokenStream> {
        match pat {
            Pat::Wild(_) => Ok(quote! { Pattern::Any }),
            Pat::Paren(inner) => self.pattern(&inner.pat),
            Pat::Type(typed) => self.pattern(&typed.pat),
            Pat::Ident(name) => self.name(name),
            Pat::Lit(literal) => self.pattern_value(&Expr::Lit(literal.clone())),
            Pat::Path(path) => self.pattern_value(&Expr::Path(path.clone())),
            Pat::Range(range) => {
                let begin = self.pattern_bound(range.start.as_deref())?;
                let end = self.pattern_bound(range.end.as_deref())?;
                let inclusive = matches!(range.limits, RangeLimits::Closed(_));
                Ok(quote! { Pattern::Range(#begin, #end, #inclusive) })
            }
            Pat::Or(or) => {
                let patterns = or.cases.iter().map(|case| self.pattern(case)).collect::<Result<Vec<_>>>()?;
                Ok(quote! { Pattern::Or(&[#(#patterns),*]) })
            }
            Pat::Tuple(tuple) => {
                let patterns =
                    tuple.elems.iter().map(|item| self.pattern(item)).collect::<Result<Vec<_>>>()?;
                Ok(quote! { Pattern::Tuple(&[#(#patterns),*]) })
            }
            _ => Err(Error::new(
                pat.span(),
                "devices match numbers, `bool`s, ranges and tuples of these, joined by `|`: test the rest with `if`",
            )),
        }
    }

    fn name(&mut self, name: &PatIdent) -> Result<TokenStream> {
        if let Some(by_ref) = &name.by_ref {
            return Err(Error::new(by_ref.span(), "there are no references on a device: values are copied"));
        }
        // A name in capitals is a constant, as in rustc's own lints.
        let text = name.ident.to_string();
        if name.subpat.is_none() && text.starts_with(char::is_uppercase) && !text.contains(char::is_lowercase)
        {
            let index = self.constant(&name.ident.clone().into());
            return Ok(quote! { Pattern::Value(MatchValue::Constant(#index)) });
        }
        let local = self.declare(&name.ident);
        match &name.subpat {
            None => Ok(quote! { Pattern::Bind(#local) }),
            Some((_, pat)) => {
                let pattern = self.pattern(pat)?;
                Ok(quote! { Pattern::Named(#local, &#pattern) })
            }
        }
    }

    fn pattern_bound(&mut self, bound: Option<&Expr>) -> Result<TokenStream> {
        match bound {
            None => Ok(quote! { None }),
            Some(bound) => {
                let value = self.match_value(bound)?;
                Ok(quote! { Some(#value) })
            }
        }
    }

    fn pattern_value(&mut self, expr: &Expr) -> Result<TokenStream> {
        let value = self.match_value(expr)?;
        Ok(quote! { Pattern::Value(#value) })
    }

    /// Returns the tree of a literal or a constant. It has the type of the value that it is
    /// compared with, so that it needs no probe.
    fn match_value(&mut self, expr: &Expr) -> Result<TokenStream> {
        let reason = "devices match whole numbers, `bool`s and constants: test the rest with `if`";
        match expr {
            Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => {
                let value: i128 = int.base10_parse()?;
                Ok(quote! { MatchValue::Integer(#value) })
            }
            Expr::Lit(ExprLit { lit: Lit::Bool(truth), .. }) => {
                let value = truth.value;
                Ok(quote! { MatchValue::Bool(#value) })
            }
            Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr: inner, .. }) => match &**inner {
                Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => {
                    let value = -int.base10_parse::<i128>()?;
                    Ok(quote! { MatchValue::Integer(#value) })
                }
                _ => Err(Error::new(expr.span(), reason)),
            },
            Expr::Path(path) => {
                let index = self.constant(&path.path);
                Ok(quote! { MatchValue::Constant(#index) })
            }
            _ => Err(Error::new(expr.span(), reason)),
        }
    }
}
