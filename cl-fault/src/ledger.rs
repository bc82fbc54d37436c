//! The ledger: references made and released, by kind of object.

use cl_core::raw::{c_char, cl_event};
use std::ffi::CStr;
use std::sync::atomic::{AtomicI64, Ordering};

/// The kinds, by the word in the names of their `clRetain` and `clRelease` functions. `SVM` is blocks of
/// shared virtual memory.
const KINDS: [&str; 9] =
    ["Context", "CommandQueue", "MemObject", "Sampler", "Program", "Kernel", "Event", "Device", "SVM"];

static REFERENCES: [AtomicI64; KINDS.len()] = [const { AtomicI64::new(0) }; KINDS.len()];

/// Adds references of a kind; a negative number releases references.
fn add(kind: &str, references: i64) {
    if let Some(index) = KINDS.iter().position(|known| *known == kind) {
        REFERENCES[index].fetch_add(references, Ordering::SeqCst);
    }
}

/// Counts the reference that a successful call of `function` has made or released.
pub(crate) fn enter(function: &str) {
    if let Some(kind) = function.strip_prefix("clRetain") {
        add(kind, 1);
    } else if let Some(kind) = function.strip_prefix("clRelease") {
        add(kind, -1);
    } else {
        add(made_by(function), 1);
    }
}

/// Counts several objects of a successful call: sub-devices or kernels that it stored in an array, or blocks
/// of shared virtual memory that it allocated. The number of freed blocks is negative.
pub(crate) fn enter_many(function: &str, count: i64) {
    match function {
        "clCreateSubDevices" => add("Device", count),
        "clCreateKernelsInProgram" => add("Kernel", count),
        "clSVMAlloc" | "clSVMFree" | "clEnqueueSVMFree" => add("SVM", count),
        _ => {}
    }
}

/// Counts the event that a command has stored.
pub(crate) fn enter_event(event: cl_event) {
    if !event.is_null() {
        add("Event", 1);
    }
}

/// Returns the kind of object that a function returns; an empty text if it does not return an object.
fn made_by(function: &str) -> &'static str {
    let Some(what) = ["clCreate", "clLink", "clClone"].iter().find_map(|verb| function.strip_prefix(verb))
    else {
        return "";
    };
    let starts = [
        ("Context", "Context"),
        ("CommandQueue", "CommandQueue"),
        ("Buffer", "MemObject"),
        ("SubBuffer", "MemObject"),
        ("Image", "MemObject"),
        ("Pipe", "MemObject"),
        ("FromGL", "MemObject"),
        ("Sampler", "Sampler"),
        ("Program", "Program"),
        // The kernels come in an array.
        ("KernelsInProgram", ""),
        ("Kernel", "Kernel"),
        ("UserEvent", "Event"),
    ];
    starts.iter().find(|(start, _)| what.starts_with(start)).map_or("", |(_, kind)| kind)
}

/// Returns the number of references of a kind, as `clRelease...` names it, that were made and not yet
/// released since the library was loaded. Returns `i64::MIN` for an unknown kind.
///
/// # Safety
/// `kind` is a C string.
#[unsafe(no_mangle)]
unsafe extern "C" fn cl_fault_references(kind: *const c_char) -> i64 {
    // SAFETY: by the caller's promise.
    let kind = unsafe { CStr::from_ptr(kind) };
    let index = KINDS.iter().position(|known| known.as_bytes() == kind.to_bytes());
    index.map_or(i64::MIN, |index| REFERENCES[index].load(Ordering::SeqCst))
}
