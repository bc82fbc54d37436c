//! Events: four ways to wait for a command, and the times at which it ran.
//!
//! | file | concept |
//! | --- | --- |
//! | `callback` | a closure that runs when the command has ended |
//! | `future` | `event.await` |
//! | `profile` | the times at which the command ran |
//! | `user` | events that the host completes |
//! | `doubt` | failed user events, which the driver is told have completed |
//! | `foreign` | events that other code created |
//! | `watch` | noticing the end of a command with any driver |

mod callback;
mod doubt;
mod foreign;
mod future;
mod profile;
mod user;
mod watch;

pub(crate) use doubt::Doubts;
pub use future::EventFuture;
pub use profile::Profile;
pub use user::UserEvent;

use crate::error::{Error, Result};
use crate::info;
use crate::library::Library;
use crate::queue_end::QueueEnd;
use crate::raw::{cl_context, cl_event, cl_int};
use crate::status::{Status, log_failed_release};
use std::fmt;
use std::sync::{Arc, Weak};

/// A command that was enqueued. Cheap to clone.
///
/// A program can block until the command ends ([`wait`](Event::wait)), await its end
/// (`event.await`, on any executor), register a closure ([`on_complete`](Event::on_complete)), or
/// let the device wait: pass the event to [`Queue::after`](crate::Queue::after). A command that
/// fails is an `Err` in each of these.
///
/// ```
/// use cl_core::{Buffer, Device, Queue};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let mut x = Buffer::filled(&queue, 0, 100)?;
/// let mut filled = None;
/// x.fill(queue.signal(&mut filled), 7)?;
/// if let Some(filled) = filled {
///     filled.wait()?; // or `filled.await`, or `filled.on_complete(..)`
///     println!("{} has ended", filled.command());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Event(Arc<Inner>);

struct Inner {
    library: Library,
    raw: cl_event,
    /// The command's context. It is only compared, never used.
    context: cl_context,
    command: &'static str,
    /// The end of the command's queue, for flushing. The reference is weak, because a queue's end
    /// may hold the event of its last command. It refers to nothing if this crate does not know the
    /// queue.
    queue: Weak<QueueEnd>,
    /// The user events that the command depends on.
    doubts: Doubts,
}

/// The state of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventStatus {
    /// Waiting in the host's queue.
    Queued,
    /// Handed to the device.
    Submitted,
    /// Running.
    Running,
    /// Finished without error.
    Complete,
    /// Ended with an error.
    Failed(Status),
}

// SAFETY: OpenCL events may be used from any thread.
unsafe impl Send for Inner {}
// SAFETY: as above.
unsafe impl Sync for Inner {}

impl Event {
    /// Takes over the reference that an enqueue call returned. `queue` is the end of the command's
    /// queue, which [`flush`](Event::flush) flushes.
    ///
    /// # Safety
    /// `raw` is an event of `library` and `context`, and no other code releases its reference.
    pub(crate) unsafe fn owned(
        library: Library,
        context: cl_context,
        raw: cl_event,
        command: &'static str,
        queue: Weak<QueueEnd>,
    ) -> Event {
        // SAFETY: by the caller's promise.
        unsafe { Event::in_doubt(library, context, raw, command, queue, Doubts::NONE) }
    }

    /// Works as [`owned`](Event::owned), for a command that depends on user events.
    ///
    /// # Safety
    /// The conditions of [`owned`](Event::owned).
    pub(crate) unsafe fn in_doubt(
        library: Library,
        context: cl_context,
        raw: cl_event,
        command: &'static str,
        queue: Weak<QueueEnd>,
        doubts: Doubts,
    ) -> Event {
        Event(Arc::new(Inner { library, raw, context, command, queue, doubts }))
    }

    /// Adds the user events that this command depends on to `doubts`.
    pub(crate) fn add_doubts_to(&self, doubts: &mut Doubts) {
        doubts.add(&self.0.doubts);
    }

    /// Returns the context, for comparing.
    pub(crate) fn context(&self) -> cl_context {
        self.0.context
    }

    pub(crate) fn library(&self) -> Library {
        self.0.library
    }

    /// Returns whether the command is known to have ended, with or without an error.
    pub(crate) fn has_ended(&self) -> bool {
        matches!(self.status(), Ok(EventStatus::Complete | EventStatus::Failed(_)))
    }

    /// Returns whether the command was enqueued on another queue than the one of this end.
    pub(crate) fn is_elsewhere(&self, queue: &Arc<QueueEnd>) -> bool {
        !std::ptr::eq(self.0.queue.as_ptr(), Arc::as_ptr(queue))
    }

    /// Hands the command to the device, with everything else in its queue. A released queue has
    /// been flushed already.
    pub(crate) fn flush(&self) -> Result<()> {
        self.0.queue.upgrade().map_or(Ok(()), |queue| queue.flush())
    }

    /// Blocks until the command has ended.
    ///
    /// # Errors
    /// [`Error::Driver`] with the command's own status, if the command failed.
    pub fn wait(&self) -> Result<()> {
        // SAFETY: one valid event.
        let waited = unsafe { (self.0.library.functions().clWaitForEvents)(1, &raw const self.0.raw) };
        // If the command failed, its own status says more than the status of the wait.
        match self.status()? {
            EventStatus::Failed(status) => Err(self.failed(status)),
            _ => Error::check("clWaitForEvents", waited),
        }
    }

    /// Blocks until all of these commands have ended. They may belong to different queues and
    /// contexts. An empty list makes no driver call.
    ///
    /// ```
    /// # use cl_core::{Buffer, Device, Event, Queue};
    /// # fn main() -> cl_core::Result<()> {
    /// let queue = Queue::on(&Device::first()?)?;
    /// let (first, second) = (queue.marker()?, queue.marker()?);
    /// Event::wait_all(&[&first, &second])?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The error of [`Event::wait`], for the first of the commands that failed; the call still
    /// waits for the other commands.
    pub fn wait_all(events: &[&Event]) -> Result<()> {
        let mut result = Ok(());
        let mut left = events.to_vec();
        while let Some(first) = left.first() {
            // One call takes events of one context only.
            let here =
                |event: &&Event| event.context() == first.context() && event.library() == first.library();
            let (group, others): (Vec<&Event>, Vec<&Event>) = left.iter().copied().partition(here);
            let raw: Vec<cl_event> = group.iter().map(|event| event.as_raw()).collect();
            let wait = first.library().functions().clWaitForEvents;
            // SAFETY: as many valid events as the count says.
            unsafe { wait(raw.len() as u32, raw.as_ptr()) };
            left = others;
        }
        // A wait that meets a failure may return before the other commands have ended, and does not
        // say which command failed. For commands that have ended, this loop only reads their status.
        for event in events {
            let ended = match event.status() {
                Ok(EventStatus::Complete) => Ok(()),
                _ => event.wait(),
            };
            result = result.and(ended);
        }
        result
    }

    /// Returns the state of the command.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn status(&self) -> Result<EventStatus> {
        Ok(self.judged(self.driver_status()?))
    }

    /// Returns `status`, or a failure if a user event that the command depends on has failed.
    fn judged(&self, status: EventStatus) -> EventStatus {
        match (status, self.0.doubts.failed()) {
            (EventStatus::Complete, Some(failed)) => EventStatus::Failed(failed),
            _ => status,
        }
    }

    /// Returns the state of the command according to the driver.
    fn driver_status(&self) -> Result<EventStatus> {
        let get = self.0.library.functions().clGetEventInfo;
        let name = cl_sys::CL_EVENT_COMMAND_EXECUTION_STATUS;
        let status: cl_int = info::value("clGetEventInfo", |size, value, ret| {
            // SAFETY: a valid event; `info` passes matching pointers and sizes.
            unsafe { get(self.0.raw, name, size, value, ret) }
        })?;
        Ok(EventStatus::from_raw(status))
    }

    /// Returns the result of the command, if it is known to have ended. If the driver fails to
    /// answer, the state of the command stays unknown.
    pub(crate) fn outcome(&self) -> Option<Result<()>> {
        self.outcome_of(self.status().ok()?)
    }

    /// Returns the error of the command, if it has failed or is certain to fail.
    pub(crate) fn failure(&self) -> Result<Option<Error>> {
        let failed = self.driver_failure()?;
        Ok(failed.or_else(|| self.0.doubts.failed().map(|status| self.failed(status))))
    }

    /// Returns the error of the command, if the driver says that it has failed.
    pub(crate) fn driver_failure(&self) -> Result<Option<Error>> {
        Ok(match self.driver_status()? {
            EventStatus::Failed(status) => Some(self.failed(status)),
            _ => None,
        })
    }

    /// Returns the result for a driver's `status` of this command; `None` if the command has not ended.
    fn outcome_of(&self, status: EventStatus) -> Option<Result<()>> {
        match self.judged(status) {
            EventStatus::Complete => Some(Ok(())),
            EventStatus::Failed(status) => Some(Err(self.failed(status))),
            EventStatus::Queued | EventStatus::Submitted | EventStatus::Running => None,
        }
    }

    /// Returns the error of a command that ended with `status`.
    fn failed(&self, status: Status) -> Error {
        Error::driver(self.0.command, status).note("reported after the command was enqueued")
    }

    /// Returns the C function that enqueued the command.
    #[must_use]
    pub fn command(&self) -> &'static str {
        self.0.command
    }

    /// Returns the C handle. It stays valid as long as this `Event` or a clone of it lives; call
    /// `clRetainEvent` to keep it for longer.
    #[must_use]
    pub fn as_raw(&self) -> cl_event {
        self.0.raw
    }
}

impl EventStatus {
    fn from_raw(status: cl_int) -> EventStatus {
        match status {
            cl_sys::CL_COMPLETE => EventStatus::Complete,
            cl_sys::CL_RUNNING => EventStatus::Running,
            cl_sys::CL_SUBMITTED => EventStatus::Submitted,
            code if code < 0 => EventStatus::Failed(Status(code)),
            _ => EventStatus::Queued,
        }
    }
}

impl PartialEq for Event {
    fn eq(&self, other: &Self) -> bool {
        self.0.raw == other.0.raw
    }
}

impl Eq for Event {}

impl Drop for Inner {
    fn drop(&mut self) {
        // SAFETY: the reference is owned and released once.
        let status = unsafe { (self.library.functions().clReleaseEvent)(self.raw) };
        log_failed_release("clReleaseEvent", status);
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event").field("command", &self.0.command).field("status", &self.status()).finish()
    }
}
