//! The tests of this crate: one module a feature.
#![allow(clippy::unwrap_used, clippy::expect_used)] // tests and their helpers may stop at the first surprise

mod driver_calls;
mod gamma;
mod host;
mod known_answers;
mod own;
mod permutations;
mod refused;
mod sequences;
mod statistics;
mod streams;
mod tally;
