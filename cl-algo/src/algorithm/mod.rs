//! Algorithms over expressions, one file a family.

mod assign;
mod launch;
mod reduce;

pub use assign::assign;
