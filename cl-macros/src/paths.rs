//! The path by which generated code reaches cl-algo.

use proc_macro_crate::FoundCrate;
use proc_macro2::{Group, Ident, Spacing, Span, TokenStream, TokenTree};
use quote::quote;
use syn::PathSegment;

/// Replaces `::cl_algo` by the path by which the package that is being compiled can reach cl-algo.
///
/// A package that depends on `cl` alone gets `::cl::algo`; a package that renames a dependency gets the new name.
pub(crate) fn reachable(code: TokenStream) -> TokenStream {
    match found() {
        Some(path) => replaced(code, &path),
        None => code,
    }
}

/// Returns the path, or `None` if it is `::cl_algo`. Also returns `None` if the manifest cannot be read: the
/// compiler then names the missing crate.
fn found() -> Option<TokenStream> {
    match proc_macro_crate::crate_name("cl-algo") {
        // cl-algo calls itself `cl_algo`.
        Ok(FoundCrate::Itself) => None,
        Ok(FoundCrate::Name(name)) => {
            let name = (name != "cl_algo").then(|| ident(&name))?;
            Some(quote!(::#name))
        }
        Err(_) => match proc_macro_crate::crate_name("cl") {
            Ok(FoundCrate::Name(name)) => {
                let name = ident(&name);
                Some(quote!(::#name::algo))
            }
            Ok(FoundCrate::Itself) | Err(_) => None,
        },
    }
}

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// Replaces `::cl_algo` where it begins a path: in `a::cl_algo` it does not.
fn replaced(code: TokenStream, path: &TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = Vec::new();
    for token in code {
        match token {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), replaced(group.stream(), path));
                inner.set_span(group.span());
                tokens.push(inner.into());
            }
            TokenTree::Ident(name) if name == "cl_algo" && begins_path(&tokens) => {
                tokens.truncate(tokens.len() - 2);
                tokens.extend(path.clone().into_iter().map(|mut token| {
                    token.set_span(name.span());
                    token
                }));
            }
            token => tokens.push(token),
        }
    }
    tokens.into_iter().collect()
}

/// Returns whether `tokens` end with the `::` of an absolute path.
fn begins_path(tokens: &[TokenTree]) -> bool {
    let [before @ .., TokenTree::Punct(first), TokenTree::Punct(second)] = tokens else { return false };
    let is_colons = first.as_char() == ':' && first.spacing() == Spacing::Joint && second.as_char() == ':';
    // A keyword, such as `impl`, is not a segment; `crate` and `self` are.
    let is_segment = |word: &Ident| syn::parse_str::<PathSegment>(&word.to_string()).is_ok();
    let continues = matches!(before.last(), Some(TokenTree::Ident(word)) if is_segment(word));
    is_colons && !continues
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_paths_alone_are_replaced() {
        let code = quote! {
            impl<W: ::cl_algo::Composite> ::cl_algo::Element for X where ::cl_algo::Val<W>: Copy {}
            fn f() -> ::cl_algo::Val<f32> { (::cl_algo::g(), cl_algo, cl_algo::h, crate::cl_algo::i, a::cl_algo::j) }
        };
        let expected = quote! {
            impl<W: ::cl::algo::Composite> ::cl::algo::Element for X where ::cl::algo::Val<W>: Copy {}
            fn f() -> ::cl::algo::Val<f32> { (::cl::algo::g(), cl_algo, cl_algo::h, crate::cl_algo::i, a::cl_algo::j) }
        };
        assert_eq!(replaced(code, &quote!(::cl::algo)).to_string(), expected.to_string());
    }
}
