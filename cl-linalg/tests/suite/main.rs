//! The tests of `cl-linalg`, one program.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::type_complexity)] // helpers of tests may stop at the first surprise

mod batch;
mod extremes;
mod factors;
mod faults;
mod hosts;
mod iterations;
mod products;
mod scalars;
mod spectra;
mod structure;
mod triangular;
