//! Tests that need the process for themselves: every one is `#[serial]`, and begins with [`keep_no_programs`].

mod beyond_32_bits;
mod fault_rows;
mod faults;

use std::sync::Once;

/// Makes the process keep no programs on disk, so that every program is compiled, and none is found there.
fn keep_no_programs() {
    static ONCE: Once = Once::new();
    // SAFETY: each test of this program calls this first, one at a time, so no driver is loaded yet and no other thread
    // reads variables.
    ONCE.call_once(|| unsafe { std::env::set_var("CL_CACHE", "off") });
}
