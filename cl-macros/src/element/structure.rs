//! `#[repr(C)]`: a struct on the device, with the layout of the host.

use super::refusal;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{DeriveInput, Field, Ident, Index, Member, Result, Type, Visibility};

/// A struct that can be an element.
pub(super) struct Structure<'i> {
    pub(super) name: &'i Ident,
    pub(super) fields: Vec<StructField<'i>>,
    /// The visibility of generated items: the narrowest among the struct and its fields.
    pub(super) visibility: &'i Visibility,
}

/// A field.
pub(super) struct StructField<'i> {
    /// The name on the device and of the generated methods: `_0` for the first field of a tuple struct.
    pub(super) name: Ident,
    pub(super) ty: &'i Type,
    pub(super) member: Member,
    span: Span,
}

impl<'i> Structure<'i> {
    pub(super) fn new(input: &'i DeriveInput, fields: &[&'i Field]) -> Result<Structure<'i>> {
        let narrower = |a: &'i Visibility, b: &'i Visibility| if reach(b) < reach(a) { b } else { a };
        let visibility = fields.iter().map(|field| &field.vis).fold(&input.vis, narrower);
        let part = |(at, field): (usize, &&'i Field)| {
            if let Some(name) = &field.ident {
                refusal::name(name)?;
            }
            let name = field.ident.clone().unwrap_or_else(|| format_ident!("_{at}", span = field.span()));
            let member = field.ident.clone().map_or(Member::Unnamed(Index::from(at)), Member::Named);
            Ok(StructField { name, ty: &field.ty, member, span: field.span() })
        };
        let fields = fields.iter().enumerate().map(part).collect::<Result<_>>()?;
        Ok(Structure { name: &input.ident, fields, visibility })
    }

    pub(super) fn impls(&self) -> TokenStream {
        let Structure { name, fields, .. } = self;
        let elements = self.elements();
        let checks = self.checks();
        let device_names = fields.iter().map(|field| field.name.unraw().to_string());
        let members: Vec<_> = fields.iter().map(|field| &field.member).collect();
        let names: Vec<_> = fields.iter().map(|field| &field.name).collect();
        let types: Vec<_> = fields.iter().map(|field| field.ty).collect();
        quote! {
            const _: () = {
                #checks

                /// The stored form of the struct, for which any bytes are valid.
                #[repr(C)]
                #[allow(trivial_bounds)]
                pub struct __Stored #elements {
                    #(#names: <#types as ::cl_algo::Element>::Stored,)*
                }

                #[allow(trivial_bounds)]
                impl ::core::clone::Clone for __Stored #elements {
                    fn clone(&self) -> __Stored {
                        *self
                    }
                }

                #[allow(trivial_bounds)]
                impl ::core::marker::Copy for __Stored #elements {}

                // SAFETY: all fields are plain old data. The checks above rule out padding
                // between or behind them, since the stored form of each field has the size
                // and alignment of the field.
                #[allow(trivial_bounds)]
                unsafe impl ::cl_algo::bytemuck::Zeroable for __Stored #elements {}
                // SAFETY: as above.
                #[allow(trivial_bounds)]
                unsafe impl ::cl_algo::bytemuck::Pod for __Stored #elements {}

                // SAFETY: the struct on the device has the same fields at the same offsets.
                #[automatically_derived]
                #[allow(trivial_bounds)]
                unsafe impl ::cl_algo::Element for #name #elements {
                    type Stored = __Stored;
                    const TYPE: ::cl_algo::ElementType = ::cl_algo::ElementType::Struct(
                        &::cl_algo::StructType {
                            name: ::core::concat!(::core::module_path!(), "::", ::core::stringify!(#name)),
                            size: ::core::mem::size_of::<#name>(),
                            fields: &[#(::cl_algo::Field {
                                name: #device_names,
                                offset: ::core::mem::offset_of!(#name, #members),
                                element: <#types as ::cl_algo::Element>::TYPE,
                            },)*],
                        },
                    );
                    fn as_stored(values: &[#name]) -> &[__Stored] {
                        // SAFETY: the layout is the same, and no byte is padding.
                        unsafe { ::core::slice::from_raw_parts(values.as_ptr().cast::<__Stored>(), values.len()) }
                    }
                    fn from_stored(stored: __Stored) -> #name {
                        #name {
                            #(#members: <#types as ::cl_algo::Element>::from_stored(stored.#names),)*
                        }
                    }
                }
            };
        }
    }

    /// Returns the where clause of all generated items, which demands that all fields are elements.
    /// If a field is not an element, the compiler reports it once instead of wherever the field occurs.
    pub(super) fn elements(&self) -> TokenStream {
        let bounds = self.fields.iter().map(|field| {
            let ty = field.ty;
            quote_spanned!(ty.span()=> #ty: ::cl_algo::Element,)
        });
        quote!(where #(#bounds)*)
    }

    /// Returns checks that every byte belongs to a field, and that host and device agree on the
    /// fields' offsets.
    fn checks(&self) -> TokenStream {
        let (name, elements) = (self.name, self.elements());
        let mut end = quote!(0);
        let (mut padding, mut places) = (TokenStream::new(), TokenStream::new());
        for StructField { name: field, ty, member, span } in &self.fields {
            let offset = quote!(::core::mem::offset_of!(#name, #member));
            let reason = format!(
                "there is padding before field `{field}` of `{name}`, which no device should see: put the fields \
                 of the largest numbers first, or fill the gap with fields of its size"
            );
            padding.extend(quote_spanned! {*span=>
                const _: () = ::core::assert!(#offset == #end, #reason);
            });
            let reason = format!(
                "field `{field}` of `{name}` is at an offset that no device can read it from: put the fields of \
                 the largest numbers first"
            );
            places.extend(quote! {
                ::core::assert!(
                    #offset % <#ty as ::cl_algo::Element>::TYPE.alignment_in_struct() == 0,
                    #reason
                );
                // The stored form of a type has its size and alignment.
                ::core::assert!(
                    ::core::mem::size_of::<#ty>()
                        == ::core::mem::size_of::<<#ty as ::cl_algo::Element>::Stored>()
                        && ::core::mem::align_of::<#ty>()
                            == ::core::mem::align_of::<<#ty as ::cl_algo::Element>::Stored>()
                        && ::core::mem::size_of::<#ty>() == <#ty as ::cl_algo::Element>::TYPE.size()
                );
            });
            end = quote!((#offset + ::core::mem::size_of::<#ty>()));
        }
        let reason = format!(
            "there is padding behind the last field of `{name}`, which no device should see: fill it with fields \
             of its size, such as `unused: u32`"
        );
        padding.extend(quote_spanned! {name.span()=>
            const _: () = ::core::assert!(::core::mem::size_of::<#name>() == #end, #reason);
        });
        quote! {
            #padding

            trait __Layout {
                const CHECKED: ();
            }

            #[allow(trivial_bounds)]
            impl __Layout for #name #elements {
                const CHECKED: () = { #places };
            }

            const _: () = <#name as __Layout>::CHECKED;
        }
    }
}

/// Returns a rough rank of visibility: wider visibility has a larger rank.
fn reach(visibility: &Visibility) -> u8 {
    match visibility {
        Visibility::Inherited => 0,
        Visibility::Restricted(restricted) if restricted.path.is_ident("self") => 0,
        Visibility::Restricted(restricted) if restricted.path.is_ident("crate") => 2,
        Visibility::Restricted(_) => 1,
        Visibility::Public(_) => 3,
    }
}
