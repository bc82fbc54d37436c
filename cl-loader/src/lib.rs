//! Finding and opening the OpenCL library, and the list of its functions.
//!
//! This crate knows no C types, so that any set of OpenCL bindings can build on it. [`open_system`] opens the
//! library, and [`Library::find`] returns addresses in it. [`for_each_function!`] hands the signatures to a
//! macro that makes a table of them, and to [`define_forwarders!`], which makes functions under C's names.

mod forward;
mod functions;
mod library;
mod privilege;
mod system;

#[doc(hidden)]
pub use forward::{Failure, INVALID_OPERATION};
pub use library::Library;
pub use privilege::is_privileged;
pub use system::{INSTALL_HINT, LoadError, VARIABLE, open, open_system};
