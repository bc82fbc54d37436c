//! The tests of `cl-array`, one program.

#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

mod against_ndarray;
mod convolutions;
mod driver_calls;
mod elementwise;
mod interop;
mod joined;
mod print;
mod products;
mod rearranged;
mod reductions;
mod softmax;
mod stencils;
mod windows;
