//! The tests of `cl-grid`, one program.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::type_complexity)] // helpers of tests may stop at the first surprise

mod derivatives;
mod errors;
mod far;
mod faults;
mod formulas;
mod host;
mod host_time;
mod kernels;
mod laws;
mod layers;
mod multigrid;
mod reductions;
mod time;
