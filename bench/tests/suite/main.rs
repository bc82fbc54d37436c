//! The tests of this crate: a module a feature.

mod page;
mod report;
mod tune;
