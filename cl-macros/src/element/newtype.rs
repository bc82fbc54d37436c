//! `#[repr(transparent)]`: on the device, a newtype has the type of its field.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Field, Index, Member};

pub(super) fn impls(name: &Ident, only: &Field) -> TokenStream {
    let field = &only.ty;
    let member = only.ident.clone().map_or(Member::Unnamed(Index::from(0)), Member::Named);
    quote! {
        // SAFETY: the struct is transparent around a field that is an Element, as the constant
        // proves. It has the field's bytes, and is stored like the field.
        #[automatically_derived]
        unsafe impl ::cl_algo::Element for #name {
            type Stored = <#field as ::cl_algo::Element>::Stored;
            const TYPE: ::cl_algo::ElementType = <#field as ::cl_algo::Element>::TYPE;
            fn as_stored(values: &[#name]) -> &[Self::Stored] {
                // SAFETY: the struct is transparent, so that a slice of structs is a slice of as
                // many fields.
                let fields = unsafe {
                    ::core::slice::from_raw_parts(values.as_ptr().cast::<#field>(), values.len())
                };
                <#field as ::cl_algo::Element>::as_stored(fields)
            }
            fn from_stored(stored: Self::Stored) -> #name {
                #name { #member: <#field as ::cl_algo::Element>::from_stored(stored) }
            }
        }
    }
}
