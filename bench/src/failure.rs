//! The error type of this program.

/// Any error.
pub(crate) type Failure = Box<dyn std::error::Error>;
