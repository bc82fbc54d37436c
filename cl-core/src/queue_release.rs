//! Releasing a queue, also where a driver does not do it well.
//!
//! When a command is the last to let go of an out-of-order queue, Intel's runtime for CPUs (2026.22)
//! waits, inside that command, until all commands of the queue have ended, its own included: it hangs.
//! PoCL (3.1) compiles kernels in threads of its own, after they were enqueued, and a process that ends
//! meanwhile takes the compiler away from under them: of 60 such programs 6 crashed on their way out.
//! There, such a queue is released when it is idle, and the process waits for that when it ends.

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

/// How long a release waits for the queue's last commands. Then it goes on without its caller, because
/// one of them may wait for an event that the program has yet to decide.
const PATIENCE: Duration = Duration::from_millis(100);

/// How long the process waits for them when it ends.
const LAST_PATIENCE: Duration = Duration::from_secs(10);

/// Releases that wait for their queue's last commands.
static WAITING: Mutex<usize> = Mutex::new(0);

/// Told when there is one less.
static ONE_LESS: Condvar = Condvar::new();

/// Which queues must be idle before their release. Asked once a context.
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
        // A driver that does not tell its name is another one.
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
    /// Releases it now.
    ///
    /// # Safety
    /// The reference is the caller's, who gives it up.
    pub(crate) unsafe fn now(self) {
        // SAFETY: the caller's promise; commands in flight still complete.
        let status = unsafe { (self.library.functions().clReleaseCommandQueue)(self.raw) };
        log_failed_release("clReleaseCommandQueue", status);
    }

    /// Releases it when its commands have ended.
    ///
    /// # Safety
    /// As for [`now`](Release::now).
    pub(crate) unsafe fn when_idle(self) {
        let Release { library, raw } = self;
        let (sender, receiver) = channel::<()>();
        let work = move || {
            // SAFETY: the reference is this closure's. Whatever the answer, it is given up next.
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
            // SAFETY: the closure has not run, and the reference is the caller's still.
            return unsafe { Release { library, raw }.now() };
        }
        if receiver.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            // Anew each time: what the driver's libraries have registered meanwhile comes after it.
            // SAFETY: the function may be called at any time, and does not unwind.
            unsafe { atexit(wait_for_all) };
        }
    }
}

fn waiting() -> MutexGuard<'static, usize> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

unsafe extern "C" {
    /// Of the C library: calls the function when the process ends, before those that were given earlier.
    fn atexit(function: extern "C" fn()) -> c_int;
}

extern "C" fn wait_for_all() {
    let _ = ONE_LESS.wait_timeout_while(waiting(), LAST_PATIENCE, |count| *count > 0);
}
