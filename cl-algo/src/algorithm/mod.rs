//! Algorithms over expressions, one file a family.

mod assign;
mod reduce;
mod update;
#[cfg(test)]
mod wide_index;

pub use assign::assign;
