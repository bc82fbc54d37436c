//! The operations of the sweep: one row each.

pub(crate) mod commands;
pub(crate) mod objects;
pub(crate) mod questions;
