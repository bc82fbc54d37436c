//! Errors that drivers report about a context, other than through results.

use crate::host_thread;
use crate::raw::{c_char, c_void, size_t};
use std::collections::BTreeMap;
use std::ffi::CStr;
use std::ptr::without_provenance_mut;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

type Handler = dyn Fn(&str) + Send + Sync;

/// The handlers of live contexts, by number. A driver gets the number instead of a pointer, because
/// the driver's context object can outlive this crate's `Context`, and can report until its end.
static HANDLERS: Mutex<BTreeMap<usize, Arc<Handler>>> = Mutex::new(BTreeMap::new());
static NEXT: AtomicUsize = AtomicUsize::new(1);

fn handlers() -> MutexGuard<'static, BTreeMap<usize, Arc<Handler>>> {
    HANDLERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A registered handler. It is called until the registration is dropped.
pub(crate) struct Registration(usize);

impl Registration {
    pub(crate) fn new(handler: impl Fn(&str) + Send + Sync + 'static) -> Registration {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        handlers().insert(number, Arc::new(handler));
        Registration(number)
    }

    /// Returns the `data` argument for [`report`].
    pub(crate) fn data(&self) -> *mut c_void {
        without_provenance_mut(self.0)
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let handler = handlers().remove(&self.0);
        // The handler's destructor is the program's code, so it runs after the lock is released.
        host_thread::contain("dropping a context's error handler", || drop(handler));
    }
}

/// Receives a report from the driver, on a thread of the driver's choice. Writes the report to the
/// log at once and calls the handler soon after.
pub(crate) extern "C" fn report(text: *const c_char, _: *const c_void, _: size_t, data: *mut c_void) {
    let text = if text.is_null() {
        "a driver reported an error without a text".to_owned()
    } else {
        // SAFETY: OpenCL promises a text that ends in NUL.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    };
    log::warn!("OpenCL context: {text}");
    let handler = handlers().get(&data.addr()).cloned();
    if let Some(handler) = handler {
        // OpenCL forbids many calls inside a driver's callback, so the handler runs on another thread.
        host_thread::post(Box::new(move || handler(&text)));
    }
}
