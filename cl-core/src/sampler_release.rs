//! Releasing a sampler, with a workaround for drivers.
//!
//! OpenCL keeps a released sampler until the commands that use it have ended. PoCL (3.1) frees it at once,
//! and a kernel that runs later reads whatever has been stored in the freed memory. With PoCL, a sampler
//! remembers the queues of its launches, and is released when those launches have ended.

use crate::context::Context;
use crate::device::Quirk;
use crate::host_thread;
use crate::library::Library;
use crate::queue_end::QueueEnd;
use crate::raw::cl_sampler;
use crate::status::log_failed_release;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// The time that a release waits for the last launches. Then the caller continues and the release goes on in
/// the background, because a launch may wait for an event that the program has yet to complete.
const PATIENCE: Duration = Duration::from_millis(100);

/// The number of attempts to enqueue a marker on a queue.
const TRIES: u32 = 100;
/// The pause after a failed attempt.
const PAUSE: Duration = Duration::from_millis(10);

/// The smallest number of queues at which [`Users::add`] forgets queues that have ended. `add` does so again
/// at each larger power of two.
const FIRST_PRUNE: usize = 16;

/// `true` if the driver frees samplers that are in use. Determined once for each context.
#[derive(Default)]
struct FreedInUse(OnceLock<bool>);

/// The queues that may still use a sampler; `None` if the driver keeps samplers that are in use.
#[derive(Debug)]
pub(crate) struct Users(Option<Mutex<Vec<Arc<QueueEnd>>>>);

impl Users {
    pub(crate) fn new(context: &Context) -> Users {
        let freed_in_use = *context.attachment::<FreedInUse>().0.get_or_init(|| {
            // A driver that does not report its name counts as one without this quirk.
            context.device().has_quirk(Quirk::FreesSamplersInUse).unwrap_or(false)
        });
        Users(freed_in_use.then(Mutex::default))
    }

    /// Remembers `queue`, before a launch on it.
    pub(crate) fn add(&self, queue: &Arc<QueueEnd>) {
        let Some(queues) = &self.0 else { return };
        let mut queues = queues.lock().unwrap_or_else(PoisonError::into_inner);
        if queues.iter().any(|known| Arc::ptr_eq(known, queue)) {
            return;
        }
        if queues.len() >= FIRST_PRUNE && queues.len().is_power_of_two() {
            queues.retain(|queue| !queue.is_over());
        }
        queues.push(Arc::clone(queue));
    }

    /// Releases a reference to the sampler when its launches have ended.
    ///
    /// # Safety
    /// The reference belongs to the caller, who gives it up, and these are the sampler's users.
    pub(crate) unsafe fn release(&mut self, library: Library, raw: cl_sampler) {
        let reference = Reference { library, raw };
        let queues = self
            .0
            .as_mut()
            .map(|queues| std::mem::take(queues.get_mut().unwrap_or_else(PoisonError::into_inner)));
        match queues {
            Some(queues) if !queues.is_empty() => reference.release_behind(queues),
            _ => reference.release(),
        }
    }
}

/// A reference to a sampler that is to be released.
struct Reference {
    library: Library,
    raw: cl_sampler,
}

// SAFETY: OpenCL samplers may be used from any thread.
unsafe impl Send for Reference {}

impl Reference {
    fn release(self) {
        // SAFETY: this object owns the reference and gives it up once.
        let status = unsafe { (self.library.functions().clReleaseSampler)(self.raw) };
        log_failed_release("clReleaseSampler", status);
    }

    /// Releases the sampler when everything that the queues hold now has ended.
    fn release_behind(self, queues: Vec<Arc<QueueEnd>>) {
        let (sender, receiver) = channel::<()>();
        let work = move || {
            if queues.iter().all(passes) {
                self.release();
            } else {
                // A sampler that may still be in use is leaked instead of freed.
                log::warn!("a sampler is kept for ever: its queue does not report its progress");
            }
            drop(sender);
        };
        match host_thread::spawn("cl-core release", work) {
            // The release continues in either case, so the result does not matter.
            Ok(()) => drop(receiver.recv_timeout(PATIENCE)),
            Err(error) => log::warn!("a sampler is kept for ever: {error}"),
        }
    }
}

/// Blocks until everything that the queue holds now has ended. Returns `false` if the driver cannot report it.
fn passes(queue: &Arc<QueueEnd>) -> bool {
    (0..TRIES).any(|again| {
        if again > 0 {
            std::thread::sleep(PAUSE);
        }
        match queue.mark() {
            Ok(None) => true,
            Ok(Some(last)) => {
                // A command that failed has ended as well.
                let _ = last.wait();
                last.has_ended()
            }
            Err(_) => false,
        }
    })
}
