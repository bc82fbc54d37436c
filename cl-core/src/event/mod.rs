//! Events: waiting for a command, in any of four ways, and asking when it ran.
//!
//! | file | concept |
//! | --- | --- |
//! | `callback` | a closure that runs when the command has ended |
//! | `future` | `event.await` |
//! | `profile` | when the command ran |
//! | `user` | events that the host completes |
//! | `doubt` | failures of user events that the driver is not told of |
//! | `foreign` | events that other code made |
//! | `watch` | how the end of a command is noticed, whatever the driver does |

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
/// Its end can be waited for ([`wait`](Event::wait)), awaited (`event.await`, from any executor),
/// called back ([`on_complete`](Event::on_complete)), or left to the device: give the event to
/// [`Queue::after`](crate::Queue::after). A command that fails is an `Err` in each of them.
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
    /// Only compared, never used.
    context: cl_context,
    command: &'static str,
    /// For flushing; weak, because a queue's end may hold the event of its last command. Empty for
    /// events without a queue of ours.
    queue: Weak<QueueEnd>,
    /// The user events that the command depends on.
    doubts: Doubts,
}

/// How far a command has come.
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
    /// Takes over the reference that an enqueue call returned. `queue` is where the command waits,
    /// until that is flushed.
    ///
    /// # Safety
    /// `raw` is an event of `library` and `context` whose reference nobody else releases.
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

    /// As [`owned`](Event::owned), for a command that depends on user events.
    ///
    /// # Safety
    /// As [`owned`](Event::owned).
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

    /// Adds the user events that this command depends on.
    pub(crate) fn add_doubts_to(&self, doubts: &mut Doubts) {
        doubts.add(&self.0.doubts);
    }

    /// The context, for comparing.
    pub(crate) fn context(&self) -> cl_context {
        self.0.context
    }

    pub(crate) fn library(&self) -> Library {
        self.0.library
    }

    /// Whether the command is known to have ended, with or without an error.
    pub(crate) fn has_ended(&self) -> bool {
        matches!(self.status(), Ok(EventStatus::Complete | EventStatus::Failed(_)))
    }

    /// Whether the command was enqueued on another queue than the one that ends there.
    pub(crate) fn is_elsewhere(&self, queue: &Arc<QueueEnd>) -> bool {
        !std::ptr::eq(self.0.queue.as_ptr(), Arc::as_ptr(queue))
    }

    /// Hands the command to the device, with all that its queue holds. A queue that was released
    /// has done so.
    pub(crate) fn flush(&self) -> Result<()> {
        self.0.queue.upgrade().map_or(Ok(()), |queue| queue.flush())
    }

    /// Blocks until the command has ended.
    ///
    /// # Errors
    /// [`Error::Driver`] with the command's own status when it failed.
    pub fn wait(&self) -> Result<()> {
        // SAFETY: one valid event.
        let waited = unsafe { (self.0.library.functions().clWaitForEvents)(1, &raw const self.0.raw) };
        // When the command failed, its own status says more than the wait's.
        match self.status()? {
            EventStatus::Failed(status) => Err(self.failed(status)),
            _ => Error::check("clWaitForEvents", waited),
        }
    }

    /// Blocks until every one of these commands has ended; they may be of different queues and
    /// contexts. Waiting for none calls no driver.
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
    /// As [`Event::wait`], for the first of them that failed; the others are waited for
    /// nevertheless.
    pub fn wait_all(events: &[&Event]) -> Result<()> {
        let mut result = Ok(());
        let mut left = events.to_vec();
        while let Some(first) = left.first() {
            // One call takes events of one context.
            let here =
                |event: &&Event| event.context() == first.context() && event.library() == first.library();
            let (group, others): (Vec<&Event>, Vec<&Event>) = left.iter().copied().partition(here);
            let raw: Vec<cl_event> = group.iter().map(|event| event.as_raw()).collect();
            let wait = first.library().functions().clWaitForEvents;
            // SAFETY: as many valid events as we say.
            unsafe { wait(raw.len() as u32, raw.as_ptr()) };
            left = others;
        }
        // A wait that meets a failure may return before the other commands have ended, and does not
        // say which one failed. For those that have ended this asks for their status only.
        for event in events {
            let ended = match event.status() {
                Ok(EventStatus::Complete) => Ok(()),
                _ => event.wait(),
            };
            result = result.and(ended);
        }
        result
    }

    /// How far the command has come.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn status(&self) -> Result<EventStatus> {
        Ok(self.judged(self.driver_status()?))
    }

    /// `status`, unless a user event has failed that the command depends on.
    fn judged(&self, status: EventStatus) -> EventStatus {
        match (status, self.0.doubts.failed()) {
            (EventStatus::Complete, Some(failed)) => EventStatus::Failed(failed),
            _ => status,
        }
    }

    /// How far the command has come, for the driver.
    fn driver_status(&self) -> Result<EventStatus> {
        let get = self.0.library.functions().clGetEventInfo;
        let name = cl_sys::CL_EVENT_COMMAND_EXECUTION_STATUS;
        let status: cl_int = info::value("clGetEventInfo", |size, value, ret| {
            // SAFETY: a valid event; `info` passes matching pointers and sizes.
            unsafe { get(self.0.raw, name, size, value, ret) }
        })?;
        Ok(EventStatus::from_raw(status))
    }

    /// The result of the command, if it is known to have ended. A question that the driver fails to
    /// answer says nothing about the command.
    pub(crate) fn outcome(&self) -> Option<Result<()>> {
        self.outcome_of(self.status().ok()?)
    }

    /// Why the command failed, if it has, or is going to.
    pub(crate) fn failure(&self) -> Result<Option<Error>> {
        let failed = self.driver_failure()?;
        Ok(failed.or_else(|| self.0.doubts.failed().map(|status| self.failed(status))))
    }

    /// Why the command failed, if the driver says that it has.
    pub(crate) fn driver_failure(&self) -> Result<Option<Error>> {
        Ok(match self.driver_status()? {
            EventStatus::Failed(status) => Some(self.failed(status)),
            _ => None,
        })
    }

    /// What a driver's `status` means for this command; `None` if it has not ended.
    fn outcome_of(&self, status: EventStatus) -> Option<Result<()>> {
        match self.judged(status) {
            EventStatus::Complete => Some(Ok(())),
            EventStatus::Failed(status) => Some(Err(self.failed(status))),
            EventStatus::Queued | EventStatus::Submitted | EventStatus::Running => None,
        }
    }

    /// The error of a command that ended with `status`.
    fn failed(&self, status: Status) -> Error {
        Error::driver(self.0.command, status).note("reported after the command was enqueued")
    }

    /// The C function that enqueued the command.
    #[must_use]
    pub fn command(&self) -> &'static str {
        self.0.command
    }

    /// The C handle. It stays valid as long as this `Event` or a clone of it lives; whoever keeps it
    /// for longer calls `clRetainEvent`.
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
