//! The tests of this crate: one module a feature.
#![allow(clippy::unwrap_used, clippy::expect_used)] // tests and their helpers may stop at the first surprise

mod bits;
mod ends;
mod faults;
mod flat_maps;
mod tables;
mod texts;
