//! Algorithms over expressions, one file a family.

mod assign;
mod reduce;
mod update;
mod update_all;
#[cfg(test)]
mod wide_index;

pub use assign::assign;
pub use reduce::*;
pub use update_all::{InPlace, assign_with};
