//! What drivers report about a context, other than through results.

use crate::host_thread;
use crate::raw::{c_char, c_void, size_t};
use std::collections::BTreeMap;
use std::ffi::CStr;
use std::ptr::without_provenance_mut;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

type Handler = dyn Fn(&str) + Send + Sync;

/// The handlers of contexts that live, by number. A driver is given the number and no pointer: it
/// may report for as long as its own context object lives, which may be longer than ours.
static HANDLERS: Mutex<BTreeMap<usize, Arc<Handler>>> = Mutex::new(BTreeMap::new());
static NEXT: AtomicUsize = AtomicUsize::new(1);

fn handlers() -> MutexGuard<'static, BTreeMap<usize, Arc<Handler>>> {
    HANDLERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A handler that is called until this is dropped.
pub(crate) struct Registration(usize);

impl Registration {
    pub(crate) fn new(handler: impl Fn(&str) + Send + Sync + 'static) -> Registration {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        handlers().insert(number, Arc::new(handler));
        Registration(number)
    }

    /// What [`report`] wants to be given.
    pub(crate) fn data(&self) -> *mut c_void {
        without_provenance_mut(self.0)
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let handler = handlers().remove(&self.0);
        // Its destructor is the program's code, and runs after the lock.
        host_thread::contain("dropping a context's error handler", || drop(handler));
    }
}

/// What the driver calls, on a thread of its choice: a line in the log, and the handler soon after.
pub(crate) extern "C" fn report(text: *const c_char, _: *const c_void, _: size_t, data: *mut c_void) {
    let text = if text.is_null() {
        "a driver reported an error without a text".to_owned()
    } else {
        // SAFETY: OpenCL's promise: a text that ends in NUL.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    };
    log::warn!("OpenCL context: {text}");
    let handler = handlers().get(&data.addr()).cloned();
    if let Some(handler) = handler {
        // Inside the driver's call OpenCL forbids half of what a handler might do.
        host_thread::post(Box::new(move || handler(&text)));
    }
}
