//! Releasing a queue, also where a driver does not do it well.
//!
//! When a command is the last to let go of an out-of-order queue, Intel's runtime for CPUs (2026.22)
//! waits, inside that command, until all commands of the queue have ended, its own included: it hangs.
//! There, such a queue is released when it is idle.

use crate::context::Context;
use crate::event::log_failed_release;
use crate::host_thread;
use crate::library::Library;
use crate::raw::cl_command_queue;
use std::sync::OnceLock;
use std::sync::mpsc::channel;
use std::time::Duration;

/// How long a release waits for the queue's last commands. Then it goes on without its caller, because
/// one of them may wait for an event that the program has yet to decide.
const PATIENCE: Duration = Duration::from_millis(100);

/// Whether out-of-order queues must be idle before their release. Asked once a context.
#[derive(Default)]
struct MustBeIdle(OnceLock<bool>);

pub(crate) fn must_be_idle(context: &Context) -> bool {
    *context.attachment::<MustBeIdle>().0.get_or_init(|| {
        // A driver that does not tell its name is another one.
        context.device().platform().name().is_ok_and(|name| name.contains("Intel(R) OpenCL"))
    })
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
            drop(sender);
        };
        if let Err(error) = host_thread::spawn("cl-core release", work) {
            log::warn!("a queue is released before it is idle: {error}");
            // SAFETY: the closure has not run, and the reference is the caller's still.
            return unsafe { Release { library, raw }.now() };
        }
        // Either way it goes on; there is nothing to be told.
        let _ = receiver.recv_timeout(PATIENCE);
    }
}
