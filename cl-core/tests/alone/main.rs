//! Tests that need the process for themselves: every one is `#[serial]`.

mod launch_allocations;
mod svm;
