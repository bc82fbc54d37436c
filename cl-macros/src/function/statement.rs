//! Blocks, declarations and assignments.

use super::refusal::refuse;
use super::translate::{Code, Translator, gate};
use quote::quote;
use syn::spanned::Spanned;
use syn::{BinOp, Block, Error, Expr, ExprAssign, ExprBinary, Local, Pat, Result, Stmt};

impl Translator {
    /// Translates a block with a scope of its own. `wanted` is true if the value of its tail is used.
    pub(super) fn block(&mut self, block: &Block, wanted: bool) -> Result<Code> {
        let mark = self.enter();
        let code = self.block_in_scope(block, wanted);
        self.leave(mark);
        code
    }

    fn block_in_scope(&mut self, block: &Block, wanted: bool) -> Result<Code> {
        let (mut trees, mut probes) = (Vec::new(), Vec::new());
        let mut tail = quote! { None };
        let mut errors: Option<Error> = None;
        for (at, statement) in block.stmts.iter().enumerate() {
            let is_tail = at + 1 == block.stmts.len() && matches!(statement, Stmt::Expr(_, None));
            match self.statement(statement, is_tail && wanted) {
                Ok(Code { tree, probe }) => {
                    probes.push(probe);
                    match is_tail {
                        true => tail = quote! { Some(&#tree) },
                        false => trees.push(tree),
                    }
                }
                // All errors of a block are reported at once.
                Err(error) => match &mut errors {
                    Some(errors) => errors.combine(error),
                    None => errors = Some(error),
                },
            }
        }
        match errors {
            Some(error) => Err(error),
            None => Ok(Code::new(
                quote! { Block { statements: &[#(#trees),*], tail: #tail } },
                quote! { { #(#probes)* } },
            )),
        }
    }

    fn statement(&mut self, statement: &Stmt, wanted: bool) -> Result<Code> {
        match statement {
            Stmt::Local(local) => self.local(local),
            Stmt::Expr(expr, semicolon) => {
                let code = self.expr(expr, wanted)?;
                let probe = code.probe;
                Ok(Code::new(code.tree, quote! { #probe #semicolon }))
            }
            Stmt::Item(item) => Err(Error::new(
                item.span(),
                "items cannot be declared here: put the item outside of the device function",
            )),
            Stmt::Macro(statement) => Err(refuse::macros(&statement.mac)),
        }
    }

    fn local(&mut self, local: &Local) -> Result<Code> {
        let pat = &local.pat;
        let Some(init) = &local.init else {
            return self.declaration(pat);
        };
        if let Some((token, _)) = &init.diverge {
            return Err(Error::new(
                token.span(),
                "`let … else` is not possible on a device: use `match` or `if`",
            ));
        }
        // The value is translated before the new name is in scope.
        let value = self.value(&init.expr)?;
        let pattern = self.pattern(pat)?;
        let (tree, probe) = (value.tree, value.probe);
        Ok(Code::new(quote! { Node::Let(#pattern, &#tree) }, quote! { let #pat = #probe; }))
    }

    /// Translates `let x;`
    fn declaration(&mut self, pat: &Pat) -> Result<Code> {
        let inner = if let Pat::Type(typed) = pat { &*typed.pat } else { pat };
        let Pat::Ident(name) = inner else {
            return Err(Error::new(pat.span(), "only a plain name can be declared without a value"));
        };
        let (local, open) = self.declare_open(&name.ident);
        Ok(Code::new(quote! { Node::Declare(#local, #open) }, quote! { let #pat; }))
    }

    pub(super) fn assign(&mut self, assign: &ExprAssign) -> Result<Code> {
        self.store(&assign.left, None, &assign.right, &quote! { = })
    }

    /// Translates `a += b` and similar operators; `None` for other operators.
    pub(super) fn compound(&mut self, binary: &ExprBinary) -> Option<Result<Code>> {
        let op = match &binary.op {
            BinOp::AddAssign(_) => quote! { Add },
            BinOp::SubAssign(_) => quote! { Sub },
            BinOp::MulAssign(_) => quote! { Mul },
            BinOp::DivAssign(_) => quote! { Div },
            BinOp::RemAssign(_) => quote! { Rem },
            BinOp::BitXorAssign(_) => quote! { BitXor },
            BinOp::BitAndAssign(_) => quote! { BitAnd },
            BinOp::BitOrAssign(_) => quote! { BitOr },
            BinOp::ShlAssign(_) => quote! { Shl },
            BinOp::ShrAssign(_) => quote! { Shr },
            _ => return None,
        };
        let symbol = &binary.op;
        Some(self.store(&binary.left, Some(op), &binary.right, &quote! { #symbol }))
    }

    fn store(
        &mut self,
        left: &Expr,
        op: Option<proc_macro2::TokenStream>,
        right: &Expr,
        symbol: &proc_macro2::TokenStream,
    ) -> Result<Code> {
        let value = self.value(right)?;
        let place = self.place(left)?;
        let probe = match self.find_expr(left) {
            Some(local) if op.is_none() => self.assigned(local, right.span(), value.probe),
            _ => value.probe,
        };
        let (target, target_probe, value) = (place.tree, place.probe, value.tree);
        let mut stored = quote! { #target_probe #symbol #probe };
        if op.is_some() {
            let (place, value) =
                (gate("operand", left.span(), &target_probe), gate("operand", right.span(), &probe));
            stored = quote! { { let _ = #place; #target_probe #symbol #value; } };
        }
        let op = op.map_or_else(|| quote! { None }, |op| quote! { Some(Binary::#op) });
        Ok(Code::new(quote! { Node::Assign(&#target, #op, &#value) }, stored))
    }

    /// Translates a variable or a part of one. Its probe must be a place expression.
    pub(super) fn place(&mut self, expr: &Expr) -> Result<Code> {
        match expr {
            Expr::Paren(inner) => self.place(&inner.expr),
            Expr::Group(inner) => self.place(&inner.expr),
            Expr::Path(path) => match self.find_expr(expr) {
                Some(local) => Ok(Code::new(quote! { Node::Local(#local) }, path)),
                None => {
                    Err(Error::new(expr.span(), "only variables of the function itself can be assigned to"))
                }
            },
            Expr::Field(field) => {
                let base = self.place(&field.base)?;
                Ok(Translator::field(field, base))
            }
            Expr::Index(index) => {
                let base = self.place(&index.expr)?;
                self.index(index, base)
            }
            _ => Err(Error::new(
                expr.span(),
                "only variables, their fields and items of arrays can be assigned to on a device",
            )),
        }
    }
}
