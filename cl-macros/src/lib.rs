//! `#[derive(Element)]`, which cl-algo re-exports: depend on that crate, not on this one.
//!
//! The macro makes a newtype around a device scalar an element of device vectors, so that metres
//! and seconds stay apart on the host and are plain floats on the device:
//!
//! ```ignore
//! use cl_algo::Element;
//!
//! #[derive(Clone, Copy, Element)]
//! #[repr(transparent)]
//! struct Metres(f32);
//! ```
//!
//! It generates paths into `::cl_algo`, bytemuck's traits included, so cl-algo must be a dependency
//! under its own name; bytemuck need not be one at all.
//!
//! [`Element`](macro@Element) tells what it accepts. It rejects everything else at the token that is
//! to blame, and leaves to the compiler what only the compiler knows: whether the field's type is an
//! `Element`, and whether the struct is `Copy`.

mod element;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Implements `cl_algo::Element`, and the bytemuck traits below it, for a newtype.
///
/// The type must be a struct, tuple or named, with
///
/// - exactly one field, whose type is itself an `Element`;
/// - `#[repr(transparent)]`, since the device sees the field's bytes and nothing else;
/// - no generic parameters;
/// - `Copy`.
///
/// Kernels and copies from the device write any bytes they like, whatever the field's visibility. Do
/// not derive `Element` for a newtype that promises more than its field does, as a `NonNegative(f32)`
/// would.
///
/// The newtype gets no arithmetic: which operators make sense is for its author to say, by
/// implementing `cl_algo::Number` and its kin.
#[proc_macro_derive(Element)]
pub fn derive_element(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    element::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}
