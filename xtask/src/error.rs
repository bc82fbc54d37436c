//! The error type of this program: a message for the user.

use std::error::Error;

/// The result of every command; `main` prints the error and exits with 1.
pub(crate) type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;
