//! The code that the derive generates, and the structs that it rejects.

use super::*;
use syn::parse_quote;

fn rejects(input: &DeriveInput, reason: &str) {
    let error = derive(input).expect_err("this should be rejected").to_string();
    assert!(error.contains(reason), "{error}");
}

fn accepts(input: &DeriveInput) -> String {
    let code = derive(input).unwrap();
    let _: syn::File = syn::parse2(code.clone()).unwrap();
    code.to_string()
}

#[test]
fn newtypes_take_the_type_of_their_field() {
    let inputs: [DeriveInput; 3] = [
        parse_quote! { #[repr(transparent)] struct Metres(f32); },
        parse_quote! { #[repr(transparent)] pub(crate) struct Metres { pub value: f32 } },
        parse_quote! { /** Far. */ #[repr(transparent,)] struct Metres(#[doc(hidden)] pub f32); },
    ];
    for input in inputs {
        let code = accepts(&input);
        let constant = quote::quote! { <f32 as ::cl_algo::Element>::TYPE }.to_string();
        assert!(code.contains(&constant), "{code}");
        assert!(!code.contains("Pod"), "a newtype of bool is not plain old data: {code}");
    }
}

#[test]
fn structs_have_accessors_as_visible_as_their_fields() {
    let visible = |code: String, expected: &str| assert!(code.contains(expected), "{expected} in {code}");
    let code = accepts(&parse_quote! { #[repr(C)] pub struct Body { pub mass: f32, pub at: F32x4 } });
    visible(code, "pub trait BodyFields");
    let code = accepts(&parse_quote! { #[repr(C)] pub struct Body { pub mass: f32, pub(crate) at: F32x4 } });
    visible(code, "pub (crate) trait BodyFields");
    let code = accepts(&parse_quote! { #[repr(C)] pub struct Body { pub mass: f32, at: F32x4 } });
    assert!(!code.contains("pub trait"), "{code}");
    let code = accepts(&parse_quote! { #[repr(C)] struct Pair(f32, i32); });
    visible(code, "fn _1 (self)");
}

#[test]
fn only_structs() {
    rejects(&parse_quote! { #[repr(u8)] enum Axis { X, Y } }, "enums cannot cross");
    rejects(&parse_quote! { #[repr(C)] union Bits { float: f32, bits: u32 } }, "unions cannot cross");
}

#[test]
fn at_least_one_field() {
    rejects(&parse_quote! { struct Unit; }, "without a field");
    rejects(&parse_quote! { #[repr(transparent)] struct Empty(); }, "without a field");
    rejects(&parse_quote! { #[repr(C)] struct Empty {} }, "without a field");
}

#[test]
fn no_parameters() {
    rejects(&parse_quote! { #[repr(transparent)] struct Of<T>(T); }, "generic structs");
    rejects(&parse_quote! { #[repr(C)] struct Of<const N: usize>(f32); }, "generic structs");
    rejects(&parse_quote! { #[repr(C)] struct Of<'a>(&'a f32); }, "cannot borrow");
    rejects(&parse_quote! { #[repr(C)] struct Of(f32) where f32: Copy; }, "no conditions");
}

#[test]
fn a_layout_is_promised() {
    rejects(&parse_quote! { struct Metres(f32); }, "needs #[repr(transparent)]");
    rejects(&parse_quote! { struct Pair(f32, f32); }, "needs #[repr(C)]");
    rejects(&parse_quote! { #[repr(C, align(16))] struct Metres(f32); }, "and nothing else");
    rejects(&parse_quote! { #[repr(C, packed)] struct Pair(u8, f32); }, "and nothing else");
    rejects(&parse_quote! { #[transparent] struct Metres(f32); }, "needs #[repr(transparent)]");
    rejects(&parse_quote! { #[repr(transparent)] struct Pair(f32, ()); }, "tuples have no fixed layout");
    rejects(&parse_quote! { #[repr(transparent)] struct Pair(f32, Nothing); }, "has one field");
}

#[test]
fn fields_that_cannot_cross() {
    rejects(&parse_quote! { #[repr(C)] struct Of(f32, &'static f32); }, "cannot point");
    rejects(&parse_quote! { #[repr(C)] struct Of(f32, *const f32); }, "cannot point");
    rejects(&parse_quote! { #[repr(C)] struct Of { x: [f32; 5] } }, "arrays cannot be elements");
    rejects(&parse_quote! { #[repr(C)] struct Of(f32, (f32, f32)); }, "tuples have no fixed layout");
}

#[test]
fn names_that_c_can_have() {
    for name in ["größe", "π"] {
        let name: syn::Ident = syn::parse_str(name).unwrap();
        rejects(&parse_quote! { #[repr(C)] struct Of { #name: f32 } }, "name");
    }
    for name in
        ["mass", "x", "r#type", "_private", "points2", "float", "int4", "r#struct", "image2d_t", "__x"]
    {
        let name: syn::Ident = syn::parse_str(name).unwrap();
        let _ = accepts(&parse_quote! { #[repr(C)] struct Of { #name: f32 } });
    }
}
