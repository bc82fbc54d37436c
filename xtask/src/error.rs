//! The one error type of this program: a message for the person at the keyboard.

use std::error::Error;

/// What every command returns; `main` prints the error and exits with 1.
pub(crate) type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;
