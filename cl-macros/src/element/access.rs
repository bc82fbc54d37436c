//! Access to fields in expressions, and structs made from fields.

use super::structure::Structure;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// Returns the trait of the fields, and the functions that make structs.
pub(super) fn items(of: &Structure<'_>) -> TokenStream {
    let Structure { name, fields, visibility } = of;
    let fields_trait = format_ident!("{name}Fields");
    let elements = of.elements();
    let names: Vec<_> = fields.iter().map(|field| &field.name).collect();
    let types: Vec<_> = fields.iter().map(|field| field.ty).collect();
    let numbers = 0..fields.len() as u32;
    let docs = names.iter().map(|field| format!("The field `{field}` of each `{name}`."));
    let trait_doc =
        format!("The fields of [`{name}`], of each element of an expression, or of a symbolic value.");
    let expr_doc = format!("Lazy `{name}`s of their fields, in the order of the declaration.");
    let val_doc =
        format!("A symbolic `{name}` of its fields, in the order of the declaration: for closures.");
    quote! {
        #[doc = #trait_doc]
        #[allow(dead_code, private_interfaces, trivial_bounds)]
        #visibility trait #fields_trait: ::cl_algo::Composite<#name> #elements {
            #(
                #[doc = #docs]
                #[must_use]
                fn #names(self) -> Self::Part<#types> {
                    ::cl_algo::Composite::<#name>::part::<#types>(self, ::cl_algo::PartOp::field(#numbers))
                }
            )*
        }

        #[allow(trivial_bounds)]
        impl<W: ::cl_algo::Composite<#name>> #fields_trait for W #elements {}

        #[automatically_derived]
        #[allow(dead_code, private_interfaces, trivial_bounds, clippy::too_many_arguments)]
        impl #name #elements {
            #[doc = #expr_doc]
            #visibility fn expr<'a>(
                #(#names: impl ::cl_algo::Operand<'a, #types>,)*
            ) -> ::cl_algo::Expr<'a, #name> {
                ::cl_algo::Expr::made_of([#(::cl_algo::AnyExpr::of::<#types>(#names),)*])
            }

            #[doc = #val_doc]
            #[must_use]
            #visibility fn val(#(#names: impl ::cl_algo::Symbol<#types>,)*) -> ::cl_algo::Val<#name> {
                ::cl_algo::Val::made_of(&[#(&::cl_algo::Symbol::<#types>::into_val(#names),)*])
            }
        }
    }
}
