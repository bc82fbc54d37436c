//! The published `ocl`, built with the original `cl-sys` and with ours.

pub(crate) mod build;
pub(crate) mod linked;
pub(crate) mod outcome;
pub(crate) mod sources;
pub(crate) mod surface;
