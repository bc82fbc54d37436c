//! Expressions.

use super::refusal::refuse;
use super::translate::{Code, Translator, gate};
use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{
    BinOp, Error, Expr, ExprBinary, ExprField, ExprIndex, ExprLit, ExprPath, ExprStruct, ExprUnary, Lit,
};
use syn::{Member, Result, UnOp};

impl Translator {
    /// Translates an expression whose value is used.
    pub(super) fn value(&mut self, expr: &Expr) -> Result<Code> {
        self.expr(expr, true)
    }

    /// Translates an expression. `wanted` is true if its value is used.
    pub(super) fn expr(&mut self, expr: &Expr, wanted: bool) -> Result<Code> {
        match expr {
            Expr::Lit(literal) => self.literal(literal),
            Expr::Path(path) => self.path(path),
            Expr::Paren(inner) => {
                let Code { tree, probe } = self.expr(&inner.expr, wanted)?;
                Ok(Code::new(tree, quote! { (#probe) }))
            }
            Expr::Group(inner) => self.expr(&inner.expr, wanted),
            Expr::Unary(unary) => self.unary(unary),
            Expr::Binary(binary) => self.compound(binary).unwrap_or_else(|| self.binary(binary)),
            Expr::Assign(assign) => self.assign(assign),
            Expr::Cast(cast) => {
                let Code { tree, probe } = self.value(&cast.expr)?;
                let to = &cast.ty;
                let (open, probe) = self.probed(expr.span(), &quote! { (#probe as #to) });
                Ok(Code::new(quote! { Node::Cast(&#tree, #open) }, probe))
            }
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(call) => self.method_call(call),
            Expr::Field(field) => {
                let base = self.value(&field.base)?;
                Ok(Translator::field(field, base))
            }
            Expr::Index(index) => {
                let base = self.value(&index.expr)?;
                self.index(index, base)
            }
            Expr::Tuple(tuple) if !tuple.elems.is_empty() => self.items(expr, "Tuple", &tuple.elems),
            Expr::Array(array) => self.items(expr, "Array", &array.elems),
            Expr::Repeat(repeat) => {
                let Code { tree, probe } = self.value(&repeat.expr)?;
                let len = &repeat.len;
                let (open, probe) = self.probed(expr.span(), &quote! { [#probe; #len] });
                Ok(Code::new(quote! { Node::Repeat(&#tree, #open) }, probe))
            }
            Expr::Struct(literal) => self.struct_literal(literal),
            _ => self.control(expr, wanted).unwrap_or_else(|| Err(refuse::expression(expr))),
        }
    }

    fn literal(&mut self, literal: &ExprLit) -> Result<Code> {
        let span = literal.span();
        match &literal.lit {
            Lit::Int(int) => {
                let value: u128 = int.base10_parse()?;
                let (open, probe) = self.probed(span, &quote! { #literal });
                Ok(Code::new(quote! { Node::Integer(#value, #open) }, probe))
            }
            Lit::Float(float) => {
                let digits = float.base10_digits();
                let (open, probe) = self.probed(span, &quote! { #literal });
                Ok(Code::new(quote! { Node::Float(#digits, #open) }, probe))
            }
            Lit::Byte(byte) => {
                let value = u128::from(byte.value());
                let (open, probe) = self.probed(span, &quote! { #literal });
                Ok(Code::new(quote! { Node::Integer(#value, #open) }, probe))
            }
            Lit::Bool(truth) => {
                let value = truth.value;
                Ok(Code::new(quote! { Node::Bool(#value) }, literal))
            }
            _ => Err(Error::new(span, "only numbers, bytes, `true` and `false` can be literals on a device")),
        }
    }

    fn path(&mut self, path: &ExprPath) -> Result<Code> {
        let name = path.path.get_ident();
        let local = name.and_then(|name| self.find(name).or_else(|| self.capture(name)));
        if let Some(local) = local {
            return Ok(Code::new(quote! { Node::Local(#local) }, path));
        }
        if path.qself.is_some() {
            return Err(Error::new(
                path.span(),
                "write this constant as `Type::NAME`, or give it a name of its own",
            ));
        }
        let index = self.constant(&path.path);
        Ok(Code::new(quote! { Node::Constant(#index) }, path))
    }

    fn unary(&mut self, unary: &ExprUnary) -> Result<Code> {
        // The sign and the number become one probe, because the smallest number of a type is out of
        // range without its sign.
        if let (UnOp::Neg(_), Expr::Lit(ExprLit { lit: Lit::Int(int), .. })) = (&unary.op, &*unary.expr) {
            let value: u128 = int.base10_parse()?;
            let (open, probe) = self.probed(unary.span(), &quote! { #unary });
            return Ok(Code::new(quote! { Node::Unary(Unary::Neg, &Node::Integer(#value, #open)) }, probe));
        }
        let op = match &unary.op {
            UnOp::Neg(_) => quote! { Neg },
            UnOp::Not(_) => quote! { Not },
            op => {
                let reason = "there are no references to follow on a device: name the value itself";
                return Err(Error::new(op.span(), reason));
            }
        };
        let Code { tree, probe } = self.value(&unary.expr)?;
        let (symbol, probe) = (&unary.op, gate("operand", unary.expr.span(), &probe));
        Ok(Code::new(quote! { Node::Unary(Unary::#op, &#tree) }, quote! { #symbol #probe }))
    }

    fn binary(&mut self, binary: &ExprBinary) -> Result<Code> {
        let op = match &binary.op {
            BinOp::Add(_) => quote! { Add },
            BinOp::Sub(_) => quote! { Sub },
            BinOp::Mul(_) => quote! { Mul },
            BinOp::Div(_) => quote! { Div },
            BinOp::Rem(_) => quote! { Rem },
            BinOp::And(_) => quote! { And },
            BinOp::Or(_) => quote! { Or },
            BinOp::BitXor(_) => quote! { BitXor },
            BinOp::BitAnd(_) => quote! { BitAnd },
            BinOp::BitOr(_) => quote! { BitOr },
            BinOp::Shl(_) => quote! { Shl },
            BinOp::Shr(_) => quote! { Shr },
            BinOp::Eq(_) => quote! { Eq },
            BinOp::Lt(_) => quote! { Lt },
            BinOp::Le(_) => quote! { Le },
            BinOp::Ne(_) => quote! { Ne },
            BinOp::Ge(_) => quote! { Ge },
            BinOp::Gt(_) => quote! { Gt },
            op => return Err(Error::new(op.span(), "devices do not have this operator")),
        };
        let (left, right) = (self.value(&binary.left)?, self.value(&binary.right)?);
        let (mut a, mut b, symbol) = (left.probe, right.probe, &binary.op);
        // Operands of `&&` and `||` need no gate, because they are `bool`s in any case. They may contain
        // jumps.
        if !matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) {
            a = gate("operand", binary.left.span(), &a);
            b = gate("operand", binary.right.span(), &b);
        }
        let (left, right) = (left.tree, right.tree);
        Ok(Code::new(quote! { Node::Binary(Binary::#op, &#left, &#right) }, quote! { #a #symbol #b }))
    }

    /// Translates a list of expressions. Returns their trees and probes.
    pub(super) fn values<'e>(
        &mut self,
        exprs: impl IntoIterator<Item = &'e Expr>,
    ) -> Result<(Vec<TokenStream>, Vec<TokenStream>)> {
        let (mut trees, mut probes) = (Vec::new(), Vec::new());
        for expr in exprs {
            let Code { tree, probe } = self.value(expr)?;
            trees.push(tree);
            probes.push(probe);
        }
        Ok((trees, probes))
    }

    fn items<'e>(
        &mut self,
        expr: &Expr,
        kind: &str,
        items: impl IntoIterator<Item = &'e Expr>,
    ) -> Result<Code> {
        let (trees, probes) = self.values(items)?;
        let kind = proc_macro2::Ident::new(kind, proc_macro2::Span::mixed_site());
        let probe = if kind == "Tuple" {
            quote! { (#(#probes,)*) }
        } else {
            quote! { [#(#probes),*] }
        };
        let (open, probe) = self.probed(expr.span(), &probe);
        Ok(Code::new(quote! { Node::#kind(&[#(#trees),*], #open) }, probe))
    }

    fn struct_literal(&mut self, literal: &ExprStruct) -> Result<Code> {
        if let Some(rest) = &literal.dot2_token {
            return Err(Error::new(
                rest.span(),
                "write out all fields: a device function cannot take the rest from another struct",
            ));
        }
        let mut fields = Vec::new();
        let mut probes = Vec::new();
        for field in &literal.fields {
            let Code { tree, probe } = self.value(&field.expr)?;
            let (name, member) = (member_name(&field.member), &field.member);
            fields.push(quote! { (#name, #tree) });
            probes.push(quote! { #member: #probe });
        }
        let path = &literal.path;
        let (open, probe) = self.probed(literal.span(), &quote! { #path { #(#probes),* } });
        Ok(Code::new(quote! { Node::Struct(&[#(#fields),*], #open) }, probe))
    }

    pub(super) fn field(field: &ExprField, base: Code) -> Code {
        let (tree, probe, member) = (base.tree, base.probe, &field.member);
        let name = member_name(member);
        Code::new(quote! { Node::Field(&#tree, #name) }, quote! { #probe.#member })
    }

    pub(super) fn index(&mut self, index: &ExprIndex, base: Code) -> Result<Code> {
        if let Expr::Range(range) = &*index.index {
            return Err(Error::new(
                range.span(),
                "a part of a slice is not a value on a device: pass the slice and an offset",
            ));
        }
        let (tree, probe) = (base.tree, base.probe);
        let at = self.value(&index.index)?;
        let (at, at_probe) = (at.tree, at.probe);
        Ok(Code::new(quote! { Node::Index(&#tree, &#at) }, quote! { #probe[#at_probe] }))
    }
}

/// Returns the name of a field on the device: `type` for `r#type`.
fn member_name(member: &Member) -> String {
    match member {
        Member::Named(name) => name.unraw().to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}
