//! The tests of `cl-linalg`, one program.

#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

mod factors;
mod scalars;
mod triangular;
