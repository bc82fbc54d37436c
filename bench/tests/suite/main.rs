//! The tests of this crate, one module for each feature.

mod page;
mod report;
mod tune;
