//! What `#[derive(Element)]` accepts, and what it writes.

use proc_macro2::TokenStream;
use quote::quote;
use syn::punctuated::Punctuated;
use syn::{Data, DataStruct, DeriveInput, Error, Field, GenericParam, Generics, Meta, Result, Token};

/// The impls for `input`, or the reason why there are none.
pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let field = &only_field(input, structure(&input.data)?)?.ty;
    no_generics(&input.generics)?;
    transparent(input)?;

    let name = &input.ident;
    let where_clause = &input.generics.where_clause;
    Ok(quote! {
        // SAFETY: the struct is transparent around a field that is an Element, as the constant
        // proves: it has the field's bytes, and the field is Pod.
        #[automatically_derived]
        unsafe impl ::cl_algo::bytemuck::Zeroable for #name #where_clause {}
        #[automatically_derived]
        unsafe impl ::cl_algo::bytemuck::Pod for #name #where_clause {}
        #[automatically_derived]
        unsafe impl ::cl_algo::Element for #name #where_clause {
            type Stored = #name;
            const TYPE: ::cl_algo::ElementType = <#field as ::cl_algo::Element>::TYPE;
            fn as_stored(values: &[#name]) -> &[#name] {
                values
            }
            fn from_stored(stored: #name) -> #name {
                stored
            }
        }
    })
}

fn structure(data: &Data) -> Result<&DataStruct> {
    match data {
        Data::Struct(data) => Ok(data),
        Data::Enum(data) => Err(Error::new_spanned(
            data.enum_token,
            "enums cannot cross to a device: a kernel may write bytes that are none of the variants",
        )),
        Data::Union(data) => Err(Error::new_spanned(
            data.union_token,
            "unions cannot cross to a device: an element must have one type there",
        )),
    }
}

fn only_field<'i>(input: &'i DeriveInput, data: &'i DataStruct) -> Result<&'i Field> {
    let mut fields = data.fields.iter();
    let Some(field) = fields.next() else {
        return Err(Error::new_spanned(
            &input.ident,
            "a struct without a field has no bytes to send to a device",
        ));
    };
    match fields.next() {
        None => Ok(field),
        Some(second) => Err(Error::new_spanned(
            second,
            "structs of several fields cannot cross to a device yet: give each field a vector of its own",
        )),
    }
}

fn no_generics(generics: &Generics) -> Result<()> {
    let Some(param) = generics.params.first() else {
        return Ok(());
    };
    let reason = match param {
        GenericParam::Lifetime(_) => "an element cannot borrow: nothing on the host is there on the device",
        _ => "generic structs cannot be elements: each must be one known type on the device",
    };
    Err(Error::new_spanned(param, reason))
}

/// Checks for `#[repr(transparent)]`. Blames another `repr`, if there is one, else the name.
fn transparent(input: &DeriveInput) -> Result<()> {
    const REASON: &str =
        "an element needs #[repr(transparent)]: the device sees the field's bytes and nothing else";

    let mut error = Error::new_spanned(&input.ident, REASON);
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        let hints = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)?;
        if hints.iter().any(|hint| hint.path().is_ident("transparent")) {
            return Ok(());
        }
        error = Error::new_spanned(attribute, REASON);
    }
    Err(error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    fn rejects(input: &DeriveInput, reason: &str) {
        let error = derive(input).expect_err("this should be rejected").to_string();
        assert!(error.contains(reason), "{error}");
    }

    #[test]
    fn tuple_and_named_structs_take_the_type_of_their_field() {
        let inputs: [DeriveInput; 3] = [
            parse_quote! { #[repr(transparent)] struct Metres(f32); },
            parse_quote! { #[repr(transparent)] pub(crate) struct Metres { pub value: f32 } },
            parse_quote! { /** Far. */ #[repr(transparent,)] struct Metres(#[doc(hidden)] pub f32); },
        ];
        for input in inputs {
            let code = derive(&input).unwrap();
            let file: syn::File = syn::parse2(code.clone()).unwrap();
            assert_eq!(file.items.len(), 3);
            let constant = quote! { <f32 as ::cl_algo::Element>::TYPE }.to_string();
            assert!(code.to_string().contains(&constant), "{code}");
        }
    }

    #[test]
    fn where_clauses_are_repeated() {
        let input = parse_quote! { #[repr(transparent)] struct Metres(f32) where f32: Copy; };
        let code = derive(&input).unwrap().to_string();
        assert_eq!(code.matches("where f32 : Copy").count(), 3, "{code}");
    }

    #[test]
    fn only_structs() {
        rejects(&parse_quote! { #[repr(u8)] enum Axis { X, Y } }, "enums cannot cross");
        rejects(&parse_quote! { #[repr(C)] union Bits { float: f32, bits: u32 } }, "unions cannot cross");
    }

    #[test]
    fn exactly_one_field() {
        rejects(&parse_quote! { struct Unit; }, "without a field");
        rejects(&parse_quote! { #[repr(transparent)] struct Empty(); }, "without a field");
        rejects(&parse_quote! { #[repr(transparent)] struct Empty {} }, "without a field");
        rejects(&parse_quote! { #[repr(C)] struct Pair(f32, f32); }, "structs of several fields");
        let tagged = parse_quote! { #[repr(transparent)] struct Tagged(f32, PhantomData<u8>); };
        rejects(&tagged, "structs of several fields");
    }

    #[test]
    fn no_parameters() {
        rejects(&parse_quote! { #[repr(transparent)] struct Of<T>(T); }, "generic structs");
        rejects(&parse_quote! { #[repr(transparent)] struct Of<const N: usize>(f32); }, "generic structs");
        rejects(&parse_quote! { #[repr(transparent)] struct Of<'a>(&'a f32); }, "cannot borrow");
    }

    #[test]
    fn only_transparent() {
        rejects(&parse_quote! { struct Metres(f32); }, "needs #[repr(transparent)]");
        rejects(&parse_quote! { #[repr(C, align(16))] struct Metres(f32); }, "needs #[repr(transparent)]");
        rejects(&parse_quote! { #[transparent] struct Metres(f32); }, "needs #[repr(transparent)]");
    }
}
