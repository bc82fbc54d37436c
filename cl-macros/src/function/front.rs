//! `#[device_fn]`: the signature, and the items that the function becomes.
//!
//! | item | purpose |
//! | --- | --- |
//! | a function of the same name | the function that users call, with arguments of any kind |
//! | a struct of the same name | a type for each monomorphisation; a function and a struct can share a name |
//! | `__host`, `__device` on the struct | the function as written; the call in probes, where the function is known |
//! | `DeviceFunction` for the struct | the translation |

use super::translate::Translator;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{Error, FnArg, GenericParam, ItemFn, Pat, PatIdent, Result, ReturnType, Safety, Signature, Type};

/// A parameter.
struct Parameter<'f> {
    name: &'f PatIdent,
    /// The type as written.
    of: &'f Type,
    /// The item type, for a slice.
    item: Option<&'f Type>,
}

/// Returns the items that `#[device_fn]` makes of a function.
pub(crate) fn device_fn(arguments: &TokenStream, function: &ItemFn) -> Result<TokenStream> {
    if !arguments.is_empty() {
        return Err(Error::new(arguments.span(), "#[device_fn] takes no arguments"));
    }
    let signature = &function.sig;
    check_signature(signature)?;
    let parameters = signature.inputs.iter().map(parameter).collect::<Result<Vec<_>>>()?;
    let ReturnType::Type(_, result) = &signature.output else {
        return Err(Error::new(
            signature.ident.span(),
            "a device function has a result: what it computes is all that it does",
        ));
    };
    let translation = translation(function, &parameters, result)?;
    let front = front(function, &parameters, result);
    let name = &signature.ident;
    let vis = &function.vis;
    let (impl_generics, type_generics, where_clause) = signature.generics.split_for_impl();
    let parameter_names = signature.generics.type_params().map(|parameter| &parameter.ident);
    let struct_generics = bare_generics(&signature.generics);
    let inputs = &signature.inputs;
    let block = &function.block;
    let text = name.to_string();
    let types = parameters.iter().map(|parameter| parameter.of);
    Ok(quote! {
        #front

        #[doc(hidden)]
        #[allow(non_camel_case_types, missing_docs, missing_debug_implementations, unreachable_pub)]
        #vis struct #name #struct_generics {
            marker: ::std::marker::PhantomData<fn() -> (#(#parameter_names,)*)>,
        }

        #[allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]
        impl #impl_generics #name #type_generics #where_clause {
            #[inline]
            fn __host(#inputs) -> #result #block

            #[doc(hidden)]
            #vis fn __device(#(_: #types),*) -> ::cl_algo::function::probe::Called<Self, #result> {
                ::cl_algo::function::probe::Called::new()
            }
        }

        #[automatically_derived]
        impl #impl_generics ::cl_algo::function::probe::DeviceFunction for #name #type_generics #where_clause {
            fn function() -> ::cl_algo::function::Outcome<&'static ::cl_algo::function::Function> {
                ::cl_algo::function::intern::intern(::std::any::TypeId::of::<Self>(), #text, || { #translation })
            }
        }
    })
}

fn check_signature(signature: &Signature) -> Result<()> {
    let offence = |span: Span, reason: &str| Err(Error::new(span, reason));
    if let Some(token) = &signature.constness {
        return offence(
            token.span(),
            "a device function cannot be `const`: what users call takes device vectors, too",
        );
    }
    if let Some(token) = &signature.asyncness {
        return offence(token.span(), "nothing can be awaited on a device");
    }
    if let Safety::Unsafe(token) = &signature.safety {
        return offence(
            token.span(),
            "a device function is safe code: use a raw OpenCL function for what is not",
        );
    }
    if let Some(abi) = &signature.abi {
        return offence(abi.span(), "a device function has no ABI for other languages");
    }
    if let Some(dots) = &signature.variadic {
        return offence(dots.span(), "a device function has a fixed number of parameters");
    }
    if let Some(lifetime) = signature.generics.lifetimes().next() {
        return offence(lifetime.span(), "lifetimes need no names in device functions: slices are only read");
    }
    Ok(())
}

fn parameter(input: &FnArg) -> Result<Parameter<'_>> {
    let typed = match input {
        FnArg::Typed(typed) => typed,
        FnArg::Receiver(receiver) => {
            let reason = "a device function cannot be a method: make it a free function that takes the value";
            return Err(Error::new(receiver.span(), reason));
        }
    };
    let name = match &*typed.pat {
        Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => name,
        pat => return Err(Error::new(pat.span(), "a parameter is a plain name: take it apart with `let`")),
    };
    let item = match &*typed.ty {
        Type::Reference(reference) => Some(slice_item(reference)?),
        Type::ImplTrait(of) => {
            return Err(Error::new(of.span(), "give the type a name: `fn f<T: Float>(x: T)`"));
        }
        _ => None,
    };
    Ok(Parameter { name, of: &typed.ty, item })
}

fn slice_item(reference: &syn::TypeReference) -> Result<&Type> {
    if let Some(token) = &reference.mutability {
        let reason = "device functions change nothing outside: return the value, and assign the expression";
        return Err(Error::new(token.span(), reason));
    }
    match &*reference.elem {
        Type::Slice(slice) => Ok(&slice.elem),
        _ => {
            Err(Error::new(reference.span(), "devices take values and slices, `&[T]`: pass the value itself"))
        }
    }
}

/// Returns the generic parameters without bounds, for the struct.
fn bare_generics(generics: &syn::Generics) -> TokenStream {
    let parameters = generics.params.iter().map(|parameter| match parameter {
        GenericParam::Const(constant) => {
            let (name, of) = (&constant.ident, &constant.ty);
            quote! { const #name: #of }
        }
        GenericParam::Type(of) => {
            let name = &of.ident;
            quote! { #name }
        }
        GenericParam::Lifetime(_) => TokenStream::new(),
    });
    quote! { <#(#parameters),*> }
}

/// Returns the code that translates the body to a `Function`. It runs once for each monomorphisation.
fn translation(function: &ItemFn, parameters: &[Parameter<'_>], result: &Type) -> Result<TokenStream> {
    let name = function.sig.ident.to_string();
    let mut translator = Translator::of_function(&name);
    let mut declared = Vec::new();
    for parameter in parameters {
        let local = translator.declare(&parameter.name.ident);
        let of = parameter.item.unwrap_or(parameter.of);
        let open = translator.open_type(Some(of.clone()));
        declared.push(match parameter.item {
            Some(_) => quote! { (#local, Declared::Slice(#open)) },
            None => quote! { (#local, Declared::Value(#open)) },
        });
    }
    let result_type = translator.open_type(Some(result.clone()));
    let body = translator.block(&function.block, true)?;
    let (block, probe) = (body.tree, body.probe);
    let (locals, unknowns, body_types) =
        (translator.local_names(), translator.unknowns(), translator.body_types());
    let constants = translator.constants();
    let inputs = &function.sig.inputs;
    Ok(quote! {
        static __BODY: ::cl_algo::function::tree::Body = {
            use ::cl_algo::function::tree::*;
            use ::std::option::Option::{self, None, Some};
            Body {
                name: #name,
                parameters: &[#(#declared),*],
                locals: #locals,
                result: #result_type,
                block: #block,
            }
        };
        #unknowns
        #constants
        #[allow(warnings, overflowing_literals, clippy::all, clippy::pedantic)]
        let _ = |#inputs| -> #result #probe;
        ::cl_algo::function::Function::translate(&__BODY, &#body_types)
    })
}

/// Returns the function that users call.
fn front(function: &ItemFn, parameters: &[Parameter<'_>], result: &Type) -> TokenStream {
    let signature = &function.sig;
    let (name, vis, attributes) = (&signature.ident, &function.vis, &function.attrs);
    let names: Vec<&Ident> = parameters.iter().map(|parameter| &parameter.name.ident).collect();
    let kinds: Vec<Ident> = (0..parameters.len()).map(|at| format_ident!("A{at}")).collect();
    let bounds: Vec<TokenStream> = parameters
        .iter()
        .map(|parameter| match (parameter.item, parameter.of) {
            (Some(item), _) => quote! { ::cl_algo::function::call::SliceArgument<#item> },
            (None, of) => quote! { ::cl_algo::function::call::Argument<#of> },
        })
        .collect();
    let mut modes = quote! { () };
    let mut passed = quote! { () };
    let mut passed_types = quote! { () };
    for ((name, kind), bound) in names.iter().zip(&kinds).zip(&bounds) {
        let mode = quote! { <#kind as #bound>::Mode };
        modes = quote! { (#modes, #mode) };
        passed_types = quote! { (#passed_types, <#mode as ::cl_algo::function::call::Mode>::Passed) };
        passed = quote! { (#passed, <#kind as #bound>::pass(#name)) };
    }
    let generics = signature.generics.params.iter();
    let where_clause = signature.generics.where_clause.as_ref();
    let conditions = where_clause.into_iter().flat_map(|clause| &clause.predicates);
    let type_generics = signature.generics.split_for_impl().1;
    quote! {
        #(#attributes)*
        #[inline]
        #vis fn #name<#(#generics,)* #(#kinds: #bounds),*>(#(#names: #kinds),*)
            -> ::cl_algo::function::call::Output<#modes, #name #type_generics, #result>
        where
            #modes: ::cl_algo::function::call::Modes<Passed = #passed_types>,
            #(#conditions,)*
        {
            #[allow(clippy::all, clippy::pedantic)]
            let __by_host = (|| ::std::option::Option::Some(
                <#name #type_generics>::__host(#(<#kinds as #bounds>::known(&#names)?),*)
            ))();
            ::cl_algo::function::call::evaluate::<#modes, #name #type_generics, #result>(__by_host, || #passed)
        }
    }
}
