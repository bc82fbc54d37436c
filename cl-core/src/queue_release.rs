//! Releasing a queue, with workarounds for drivers.
//!
//! Intel's runtime for CPUs (2026.22) hangs when a command holds the last reference to an out-of-order queue:
//! inside that command it waits until all commands of the queue have ended, including the command itself.
//! PoCL (3.1) compiles kernels in threads of its own, after they were enqueued. If the process ends
//! meanwhile, the compiler is destroyed while it works: of 60 such programs 6 crashed at their end. With
//! these drivers, such a queue is released when it is idle, and a process that ends waits for the release.

use crate::context::Context;
use crate::device::Quirk;
use crate::host_thread;
use crate::library::Library;
use crate::raw::cl_command_queue;
use crate::status::log_failed_release;
use std::ffi::c_int;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// The time that a release waits for the queue's last commands. Then the caller continues and the release
/// goes on in the background, because a command may wait for an event that the program has yet to complete.
const PATIENCE: Duration = Duration::from_millis(100);

/// The time that an ending process waits for the releases that go on in the background.
const LAST_PATIENCE: Duration = Duration::from_secs(10);

/// The number of releases that wait for their queue's last commands.
static WAITING: Mutex<usize> = Mutex::new(0);

/// Notified when the number falls.
static ONE_LESS: Condvar = Condvar::new();

/// The queues that must be idle before their release. Determined once for each context.
#[derive(Default)]
struct MustBeIdle(OnceLock<Which>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    None,
    OutOfOrder,
    All,
}

pub(crate) fn must_be_idle(context: &Context, is_out_of_order: bool) -> bool {
    let which = *context.attachment::<MustBeIdle>().0.get_or_init(|| {
        // A driver that does not report its name counts as one without these quirks.
        let platform = context.device().platform().name().unwrap_or_default();
        if Quirk::CompilesBehindQueues.is_of(&platform) {
            Which::All
        } else if Quirk::HangsReleasingOutOfOrderQueues.is_of(&platform) {
            Which::OutOfOrder
        } else {
            Which::None
        }
    });
    which == Which::All || (which == Which::OutOfOrder && is_out_of_order)
}

/// A reference to a queue that is to be released.
pub(crate) struct Release {
    pub(crate) library: Library,
    pub(crate) raw: cl_command_queue,
}

// SAFETY: OpenCL queues may be used from any thread.
unsafe impl Send for Release {}

impl Release {
    /// Releases the queue now.
    ///
    /// # Safety
    /// The reference belongs to the caller, who gives it up.
    pub(crate) unsafe fn now(self) {
        // SAFETY: the caller's promise; commands in flight still complete.
        let status = unsafe { (self.library.functions().clReleaseCommandQueue)(self.raw) };
        log_failed_release("clReleaseCommandQueue", status);
    }

    /// Releases the queue when its commands have ended.
    ///
    /// # Safety
    /// As for [`now`](Release::now).
    pub(crate) unsafe fn when_idle(self) {
        let Release { library, raw } = self;
        let (sender, receiver) = channel::<()>();
        let work = move || {
            // SAFETY: the reference is this closure's. It is released next, whatever the status.
            unsafe { (self.library.functions().clFinish)(self.raw) };
            // SAFETY: as above.
            unsafe { self.now() };
            *waiting() -= 1;
            ONE_LESS.notify_all();
            drop(sender);
        };
        *waiting() += 1;
        if let Err(error) = host_thread::spawn("cl-core release", work) {
            log::warn!("a queue is released before it is idle: {error}");
            *waiting() -= 1;
            // SAFETY: the closure has not run, so the reference is still the caller's.
            return unsafe { Release { library, raw }.now() };
        }
        if receiver.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            // Registered anew each time: handlers that the driver's libraries have registered meanwhile run
            // after this one.
            // SAFETY: the function may be called at any time, and does not unwind.
            unsafe { atexit(wait_for_all) };
        }
    }
}

fn waiting() -> MutexGuard<'static, usize> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

unsafe extern "C" {
    /// Registers a function with the C library, which calls it when the process ends. Functions that were
    /// registered earlier are called later.
    fn atexit(function: extern "C" fn()) -> c_int;
}

extern "C" fn wait_for_all() {
    let _ = ONE_LESS.wait_timeout_while(waiting(), LAST_PATIENCE, |count| *count > 0);
}
