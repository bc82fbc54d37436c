//! `#[derive(Parameters)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Error, Fields, Result, Variant};

/// Returns the impl for `input`, or an error at the refused token.
pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    if !input.generics.params.is_empty() {
        return Err(Error::new_spanned(&input.generics, "parameters of kernels cannot be generic"));
    }
    let name = &input.ident;
    let methods = match &input.data {
        Data::Struct(of) => methods_of_struct(input, &of.fields)?,
        Data::Enum(of) => {
            let has_fields = |variant: &&Variant| !variant.fields.is_empty();
            if let Some(variant) = of.variants.iter().find(has_fields) {
                return Err(Error::new_spanned(
                    variant,
                    "a parameter is a number: its variants cannot have fields",
                ));
            }
            quote! {
                fn each(
                    &self,
                    name: ::cl_algo::codegen::Macro,
                    define: &mut dyn FnMut(::cl_algo::codegen::Macro, i64),
                ) {
                    define(name, *self as i64);
                }
            }
        }
        Data::Union(_) => return Err(Error::new_spanned(name, "parameters are a struct or an enum")),
    };
    Ok(quote! {
        impl ::cl_algo::codegen::Parameters for #name {
            #methods
        }
    })
}

fn methods_of_struct(input: &DeriveInput, fields: &Fields) -> Result<TokenStream> {
    let Fields::Named(fields) = fields else {
        return Err(Error::new_spanned(
            &input.ident,
            "parameters need names: use a struct with named fields",
        ));
    };
    let fields: Vec<_> = fields.named.iter().filter_map(|field| field.ident.as_ref()).collect();
    let macros = fields.iter().map(|field| field.unraw().to_string().to_uppercase());
    Ok(quote! {
        fn each(
            &self,
            name: ::cl_algo::codegen::Macro,
            define: &mut dyn FnMut(::cl_algo::codegen::Macro, i64),
        ) {
            #(::cl_algo::codegen::Parameters::each(
                &self.#fields,
                name.field(#macros),
                define,
            );)*
        }

        fn fence(&self) -> ::core::option::Option<::cl_algo::DeviceFence> {
            ::core::option::Option::None #(.or(::cl_algo::codegen::Parameters::fence(&self.#fields)))*
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn fields_are_macros_by_their_names_in_capitals() {
        let input = parse_quote! { struct Tile { group_items: usize, r#final: bool } };
        let code = derive(&input).unwrap().to_string();
        let place = |text: &str| code.find(text).unwrap_or_else(|| panic!("{text}: {code}"));
        assert!(place("\"GROUP_ITEMS\"") < place("\"FINAL\""), "{code}");
    }

    #[test]
    fn other_types_are_refused() {
        let refused: [(DeriveInput, &str); 5] = [
            (parse_quote! { struct Tile<T> { rows: T } }, "cannot be generic"),
            (parse_quote! { struct Tile(usize); }, "use a struct with named fields"),
            (parse_quote! { struct Tile; }, "use a struct with named fields"),
            (parse_quote! { enum Way { Short, Long(usize) } }, "its variants cannot have fields"),
            (parse_quote! { union Way { a: u32, b: u32 } }, "are a struct or an enum"),
        ];
        for (input, reason) in refused {
            let error = derive(&input).expect_err("this should be refused").to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
