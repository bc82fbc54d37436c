//! The tests of this crate: a module a feature.

mod accuracy;
mod convolution;
mod fusion;
mod layouts;
mod programs;
mod recipes;
mod reference;
mod refused;
mod tuning;
