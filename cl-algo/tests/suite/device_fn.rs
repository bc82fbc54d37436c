//! Device functions: what they compute on each device is what they compute on the host.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

#[path = "device_fn/support.rs"]
#[macro_use]
mod support;

#[path = "device_fn/calls.rs"]
mod calls;
#[path = "device_fn/closures.rs"]
mod closures;
#[path = "device_fn/constructs.rs"]
mod constructs;
#[path = "device_fn/examples.rs"]
mod examples;
#[path = "device_fn/indices.rs"]
mod indices;
#[path = "device_fn/methods.rs"]
mod methods;
#[path = "device_fn/operators.rs"]
mod operators;
#[path = "device_fn/parts.rs"]
mod parts;
#[path = "device_fn/random.rs"]
mod random;
#[path = "device_fn/structs.rs"]
mod structs;

#[test]
fn everything_else_is_turned_away() {
    trybuild::TestCases::new().compile_fail("tests/device_fn/refused/*.rs");
}
