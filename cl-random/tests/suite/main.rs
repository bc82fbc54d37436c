//! The tests of this crate: a module a feature.

mod driver_calls;
mod gamma;
mod host;
mod known_answers;
mod own;
mod permutations;
mod refused;
mod sequences;
mod statistics;
mod tally;
