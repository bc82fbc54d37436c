//! Device functions: `#[device_fn]` and `cl!`.
//!
//! A body is translated twice at once: into a tree, which cl-algo turns into OpenCL C, and into a
//! probe, which is the body again with a mark around each expression whose type the tree must know.
//! The probe is type-checked and never run; the compiler infers the types by Rust's own rules.
//!
//! | file | concept |
//! | --- | --- |
//! | `front` | `#[device_fn]`: the signature, and the items that the function becomes |
//! | `closure` | `cl!`: a closure over recorded values, and what it captures |
//! | `translate` | what a translation knows: names, loops, open types |
//! | `statement` | blocks, declarations, assignments |
//! | `expression` | expressions |
//! | `control` | `if`, `match`, loops |
//! | `call` | calls of device functions and of methods |
//! | `pattern` | patterns |
//! | `refusal` | what is not in the subset, and what to do instead |
//! | `methods` | the methods of primitive types that devices have |

mod call;
mod closure;
mod control;
mod expression;
mod front;
mod methods;
mod pattern;
mod refusal;
mod statement;
mod translate;

pub(crate) use closure::{cl, parse as closure};
pub(crate) use front::device_fn;
