//! Releasing a sampler, also where a driver does not do it well.
//!
//! OpenCL keeps a released sampler until the commands that use it have ended. PoCL (3.1) frees it at
//! once, and a kernel that runs later reads what has taken its place. There, a sampler remembers the
//! queues of its launches, and is released when they have passed them.

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

/// How long a release waits for the last launches. Then it goes on without its caller, because one of
/// them may wait for an event that the program has yet to decide.
const PATIENCE: Duration = Duration::from_millis(100);

/// How often a queue is asked where it is, and how long after a failure.
const TRIES: u32 = 100;
const PAUSE: Duration = Duration::from_millis(10);

/// The first number of queues at which those that are gone are forgotten.
const FIRST_PRUNE: usize = 16;

/// Whether the driver frees samplers that are in use. Asked once a context.
#[derive(Default)]
struct FreedInUse(OnceLock<bool>);

/// The queues that may still use a sampler; none is remembered where the driver keeps its samplers.
#[derive(Debug)]
pub(crate) struct Users(Option<Mutex<Vec<Arc<QueueEnd>>>>);

impl Users {
    pub(crate) fn new(context: &Context) -> Users {
        let freed_in_use = *context.attachment::<FreedInUse>().0.get_or_init(|| {
            // A driver that does not tell its name is another one.
            context.device().has_quirk(Quirk::FreesSamplersInUse).unwrap_or(false)
        });
        Users(freed_in_use.then(Mutex::default))
    }

    /// Before a launch on `queue`.
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

    /// Gives up a reference to the sampler when its launches have ended.
    ///
    /// # Safety
    /// The reference is the caller's, who gives it up, and whose users these are.
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
        // SAFETY: the reference is this one's, and is given up once.
        let status = unsafe { (self.library.functions().clReleaseSampler)(self.raw) };
        log_failed_release("clReleaseSampler", status);
    }

    /// Releases it when the queues have passed what they hold now.
    fn release_behind(self, queues: Vec<Arc<QueueEnd>>) {
        let (sender, receiver) = channel::<()>();
        let work = move || {
            if queues.iter().all(passes) {
                self.release();
            } else {
                // What may still be in use is rather leaked than freed.
                log::warn!("a sampler is kept for ever: its queue does not tell where it is");
            }
            drop(sender);
        };
        match host_thread::spawn("cl-core release", work) {
            // Either way it goes on; there is nothing to be told.
            Ok(()) => drop(receiver.recv_timeout(PATIENCE)),
            Err(error) => log::warn!("a sampler is kept for ever: {error}"),
        }
    }
}

/// Blocks until the queue has passed what it holds now; false when the driver cannot say so.
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
