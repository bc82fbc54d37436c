//! Why a measurement could not be made.

/// Any error.
pub(crate) type Failure = Box<dyn std::error::Error>;
