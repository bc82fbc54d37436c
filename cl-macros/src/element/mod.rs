//! The structs that `#[derive(Element)]` accepts, and the code that it generates.
//!
//! | file | concept |
//! | --- | --- |
//! | `refusal` | structs that cannot be elements, and the reasons |
//! | `newtype` | `#[repr(transparent)]`: the type of the field |
//! | `structure` | `#[repr(C)]`: a struct on the device, its layout and its stored form |
//! | `access` | access to fields in expressions, and structs made from fields |

mod access;
mod newtype;
mod refusal;
mod structure;

use proc_macro2::TokenStream;
use refusal::Layout;
use syn::{DeriveInput, Result};

/// Returns the impls for `input`, or an error if it cannot be an element.
pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let fields = refusal::fields(input)?;
    match refusal::layout(input, &fields)? {
        Layout::Transparent => Ok(newtype::impls(&input.ident, fields[0])),
        Layout::C => {
            let of = structure::Structure::new(input, &fields)?;
            let mut code = of.impls();
            code.extend(access::items(&of));
            Ok(code)
        }
    }
}

#[cfg(test)]
mod tests;
