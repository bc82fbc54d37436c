//! The tests of `cl-array`, one program.

#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

mod against_ndarray;
mod along;
mod convolutions;
mod driver_calls;
mod edges;
mod elementwise;
mod faults;
mod host_time;
mod interop;
mod joined;
mod language;
mod large;
mod matrices;
mod npy;
mod ordered;
mod owned;
mod print;
mod products;
mod rearranged;
mod reductions;
mod scans;
mod softmax;
mod sorts;
mod stencils;
mod transfers;
mod transposed;
mod trees;
mod vectors;
mod windows;
