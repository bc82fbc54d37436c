//! What `#[derive(Element)]` accepts, and what it writes.
//!
//! | file | concept |
//! | --- | --- |
//! | `refusal` | what cannot cross, and why |
//! | `newtype` | `#[repr(transparent)]`: what the field is |
//! | `structure` | `#[repr(C)]`: a struct on the device, its layout and its stored form |
//! | `access` | fields in expressions, and structs made of fields |

mod access;
mod newtype;
mod refusal;
mod structure;

use proc_macro2::TokenStream;
use refusal::Layout;
use syn::{DeriveInput, Result};

/// The impls for `input`, or the reason why there are none.
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
