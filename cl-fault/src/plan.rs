//! The plan: the call that will fail or lie.

use cl_core::raw::{c_char, cl_int};
use std::ptr::null;
use std::sync::{Mutex, PoisonError};

/// The treatment of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is forwarded.
    Forwarded,
    /// It fails with this status.
    Fails(cl_int),
    /// It is forwarded, and the size or the number of its answers that it reports is replaced.
    Lies(usize),
}

/// A plan, and the calls since it was made.
#[derive(Clone, Copy)]
struct Plan {
    /// The number of calls so far.
    calls: u64,
    /// The number of the call that meets the fate, from 1; 0 if no call does.
    target_call: u64,
    fate: Fate,
    /// The name of the function that met its fate, as a C string; null until then.
    hit: *const c_char,
}

// SAFETY: `hit` points to constants.
unsafe impl Send for Plan {}

const NO_PLAN: Plan = Plan { calls: 0, target_call: 0, fate: Fate::Forwarded, hit: null() };

static PLAN: Mutex<Plan> = Mutex::new(NO_PLAN);

fn with_plan<T>(work: impl FnOnce(&mut Plan) -> T) -> T {
    work(&mut PLAN.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Counts a call, and returns its fate. `asks` is true if the call reports the size or the number of its
/// answers. While a lie is planned, other calls are not counted.
pub(crate) fn fate_of(function: &'static std::ffi::CStr, asks: bool) -> Fate {
    with_plan(|plan| {
        if matches!(plan.fate, Fate::Lies(_)) && !asks {
            return Fate::Forwarded;
        }
        plan.calls += 1;
        if plan.calls != plan.target_call {
            return Fate::Forwarded;
        }
        plan.hit = function.as_ptr();
        plan.fate
    })
}

/// Makes call number `call` from now on, from 1, fail with `status`; 0 plans no failure. The count begins
/// anew.
#[unsafe(no_mangle)]
extern "C" fn cl_fault_fail(call: u64, status: cl_int) {
    with_plan(|plan| *plan = Plan { target_call: call, fate: Fate::Fails(status), ..NO_PLAN });
}

/// Makes call number `call` from now on, from 1, report `size` as the size of an answer or the number of
/// answers; 0 plans no lie. Only calls that report such a number count. The count begins anew.
#[unsafe(no_mangle)]
extern "C" fn cl_fault_lie(call: u64, size: usize) {
    with_plan(|plan| *plan = Plan { target_call: call, fate: Fate::Lies(size), ..NO_PLAN });
}

/// Returns the number of calls that were counted since the last plan was made.
#[unsafe(no_mangle)]
extern "C" fn cl_fault_calls() -> u64 {
    with_plan(|plan| plan.calls)
}

/// Returns the name of the function that met its fate since the last plan was made, or null. The string lives
/// as long as the library.
#[unsafe(no_mangle)]
extern "C" fn cl_fault_hit() -> *const c_char {
    with_plan(|plan| plan.hit)
}
