//! Device functions: `#[device_fn]` and `cl!`.
//!
//! A body is translated into two things at once: a tree, which cl-algo turns into OpenCL C, and a
//! probe. The probe is the body again, with a mark around each expression whose type the tree must
//! know. It is type-checked and never run, so that the compiler infers the types by Rust's own
//! rules.
//!
//! | file | concept |
//! | --- | --- |
//! | `front` | `#[device_fn]`: the signature, and the items that the function becomes |
//! | `closure` | `cl!`: a closure over recorded values, and its captures |
//! | `translate` | the state of a translation: names, loops, open types |
//! | `statement` | blocks, declarations, assignments |
//! | `expression` | expressions |
//! | `control` | `if`, `match`, loops |
//! | `call` | calls of device functions and of methods |
//! | `pattern` | patterns |
//! | `refusal` | errors for code outside of the subset, with alternatives |
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
