//! Device functions: results on each device equal those on the host.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

#[macro_use]
mod support;

mod calls;
mod closures;
mod compositions;
mod constructs;
mod examples;
mod indices;
mod methods;
mod operators;
mod parts;
mod random;
mod structs;

#[test]
fn everything_else_is_turned_away() {
    trybuild::TestCases::new().compile_fail("tests/device_fn/refused/*.rs");
}
