//! The tests of this crate: one module a feature.
#![allow(clippy::unwrap_used, clippy::expect_used)] // tests and their helpers may stop at the first surprise

mod accuracy;
mod arrays;
mod convolution;
mod fusion;
mod layouts;
mod programs;
mod recipes;
mod reference;
mod refused;
mod tuning;
