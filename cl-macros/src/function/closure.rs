//! `cl!`: a closure over recorded values, and its captures.

use super::translate::{Code, Translator};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Error, Expr, ExprClosure, Pat, Result, ReturnType, Type};

/// One parameter as the closure declares it, with the names and types in it.
struct Parameter<'c> {
    /// The parameter with `Val`s instead of its types.
    declaration: TokenStream,
    values: Vec<(&'c Ident, &'c Type)>,
}

/// Returns the closure over recorded values that `cl!` makes of a closure.
pub(crate) fn cl(closure: &ExprClosure) -> Result<TokenStream> {
    check(closure)?;
    let parameters = closure.inputs.iter().map(parameter).collect::<Result<Vec<_>>>()?;
    let values: Vec<(&Ident, &Type)> =
        parameters.iter().flat_map(|parameter| parameter.values.clone()).collect();
    let mut translator = Translator::of_closure();
    let mut declared = Vec::new();
    for (name, of) in &values {
        let local = translator.declare(name);
        let open = translator.open_type(Some((*of).clone()));
        declared.push(quote! { (#local, Declared::Value(#open)) });
    }
    let written = match &closure.output {
        ReturnType::Type(_, of) => Some((**of).clone()),
        ReturnType::Default => None,
    };
    let result = translator.open_type(written);
    let Code { tree, probe } = translator.value(&closure.body)?;
    let probe = Translator::mark(result, closure.body.span(), &probe);
    let result_name = Translator::type_name(result);

    let mut passed: Vec<TokenStream> =
        values.iter().map(|(name, _)| quote! { ::cl_algo::function::lazy::recorded(#name) }).collect();
    for (name, local, open) in translator.captures() {
        declared.push(quote! { (#local, Declared::Value(#open)) });
        let unknown = Translator::type_name(open);
        passed.push(quote! { ::cl_algo::function::lazy::captured(&#unknown, #name) });
    }

    let (locals, unknowns, body_types) =
        (translator.local_names(), translator.unknowns(), translator.body_types());
    let (constants, key) = (translator.constants(), translator.key());
    let declarations = parameters.iter().map(|parameter| &parameter.declaration);
    let typed = values.iter().map(|(name, of)| quote! { #name: #of });
    let typed_again = typed.clone();
    let names = values.iter().map(|(name, _)| name);
    let (output, body) = (&closure.output, &closure.body);
    let host = match output {
        ReturnType::Default => quote! { |#(#typed),*| #body },
        ReturnType::Type(..) => quote! { |#(#typed),*| #output #body },
    };
    Ok(quote! {
        move |#(#declarations),*| {
            static __BODY: ::cl_algo::function::tree::Body = {
                use ::cl_algo::function::tree::*;
                use ::std::option::Option::{self, None, Some};
                Body {
                    name: "closure",
                    parameters: &[#(#declared),*],
                    locals: #locals,
                    result: #result,
                    block: Block { statements: &[], tail: Some(&#tree) },
                }
            };
            #unknowns
            #constants
            #[allow(warnings, overflowing_literals, clippy::all, clippy::pedantic)]
            let _ = |#(#typed_again),*| #output { #probe };
            let __host = #host;
            #[allow(clippy::all, clippy::pedantic)]
            let __by_host = (|| ::std::option::Option::Some(
                #result_name.of(__host(#(::cl_algo::Val::value(#names)?),*))
            ))();
            ::cl_algo::function::lazy::record(
                __by_host,
                || ::cl_algo::function::intern::intern(#key, "closure", || {
                    ::cl_algo::function::Function::translate(&__BODY, &#body_types)
                }),
                || ::std::vec![#(#passed),*],
            )
        }
    })
}

fn check(closure: &ExprClosure) -> Result<()> {
    if let Some(token) = &closure.asyncness {
        return Err(Error::new(token.span(), "nothing can be awaited on a device"));
    }
    if let Some(token) = &closure.constness {
        return Err(Error::new(token.span(), "a closure for a device is not `const`"));
    }
    if let Some(lifetimes) = &closure.lifetimes {
        return Err(Error::new(lifetimes.span(), "a closure for a device takes values only"));
    }
    Ok(())
}

fn parameter(pat: &Pat) -> Result<Parameter<'_>> {
    let Pat::Type(typed) = pat else {
        return Err(Error::new(pat.span(), "write the parameter's type: `|x: f32|`"));
    };
    match (&*typed.pat, &*typed.ty) {
        (Pat::Ident(name), of) => {
            let name = plain(name)?;
            Ok(Parameter { declaration: quote! { #name: ::cl_algo::Val<#of> }, values: vec![(name, of)] })
        }
        (Pat::Tuple(names), Type::Tuple(types)) if names.elems.len() == types.elems.len() => {
            let mut values = Vec::new();
            for (name, of) in names.elems.iter().zip(&types.elems) {
                let Pat::Ident(name) = name else {
                    return Err(Error::new(name.span(), "a tuple in a parameter consists of plain names"));
                };
                values.push((plain(name)?, of));
            }
            let (names, types): (Vec<_>, Vec<_>) = values.iter().copied().unzip();
            Ok(Parameter { declaration: quote! { (#(#names,)*): (#(::cl_algo::Val<#types>,)*) }, values })
        }
        (pat, _) => {
            Err(Error::new(pat.span(), "a parameter is a name, or a tuple of names: `|(x, y): (f32, f32)|`"))
        }
    }
}

fn plain(name: &syn::PatIdent) -> Result<&Ident> {
    if name.by_ref.is_some() || name.subpat.is_some() || name.mutability.is_some() {
        return Err(Error::new(
            name.span(),
            "a parameter is a plain name: copy it with `let mut` to change it",
        ));
    }
    Ok(&name.ident)
}

/// Returns the closure in the macro's parentheses.
pub(crate) fn parse(input: &Expr) -> Result<&ExprClosure> {
    match input {
        Expr::Closure(closure) => Ok(closure),
        other => Err(Error::new_spanned(
            other.to_token_stream(),
            "`cl!` takes a closure with types: `cl!(|x: f32| x * 2.0)`",
        )),
    }
}
