//! Algorithms over expressions, one file a family.

mod assign;
mod reduce;
#[cfg(test)]
mod wide_index;

pub use assign::assign;
