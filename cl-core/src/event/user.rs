//! Events that the host completes.

use super::Event;
use super::doubt::{Decision, Doubts};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::raw::cl_int;
use crate::status::Status;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

/// An event that the host completes: commands that wait for it start when the host completes it.
///
/// A user event that is dropped before it was completed or failed fails with
/// [`ABANDONED`](UserEvent::ABANDONED), because commands that wait for it would wait for ever.
///
/// ```
/// # use cl_core::{Buffer, Device, Queue, UserEvent};
/// # fn main() -> cl_core::Result<()> {
/// let queue = Queue::on(&Device::first()?)?;
/// let mut x = Buffer::filled(&queue, 1, 10)?;
/// let go = UserEvent::new(queue.context())?;
/// x.fill(queue.after(&[go.event()]), 2)?;
/// // The fill waits, and everything behind it in the queue.
/// go.complete()?;
/// assert_eq!(x.to_vec(&queue)?, [2; 10]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "a user event fails when it is dropped"]
pub struct UserEvent {
    event: Event,
    decision: Arc<Decision>,
    decided: AtomicBool,
}

const CREATE: &str = "clCreateUserEvent";

impl UserEvent {
    /// The status of an event that was dropped before it was completed or failed.
    pub const ABANDONED: Status = Status::INVALID_EVENT;

    /// Creates an event that commands of the context's queues can wait for.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver refuses.
    pub fn new(context: &Context) -> Result<UserEvent> {
        let library = context.library();
        let mut status = 0;
        // SAFETY: a valid context.
        let raw = unsafe { (library.functions().clCreateUserEvent)(context.as_raw(), &raw mut status) };
        Error::check(CREATE, status)?;
        let decision = Decision::open();
        let (context, doubts) = (context.as_raw(), Doubts::about(&decision));
        // SAFETY: the call succeeded and gave us the only reference.
        let event = unsafe { Event::in_doubt(library, context, raw, CREATE, Weak::new(), doubts) };
        Ok(UserEvent { event, decision, decided: AtomicBool::new(false) })
    }

    /// Returns the event. Commands wait for it by [`Queue::after`](crate::Queue::after); the host
    /// can wait for it, too.
    #[must_use]
    pub fn event(&self) -> &Event {
        &self.event
    }

    /// Returns whether the event was completed or failed.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.decided.load(Ordering::Acquire)
    }

    /// Completes the event: commands that wait for it may start.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if the event was completed or failed before, [`Error::Driver`] when
    /// the driver refuses; the event can then still be completed or failed.
    pub fn complete(&self) -> Result<()> {
        self.decide(cl_sys::CL_COMPLETE)
    }

    /// Makes the event fail, with everything that depends on it: the commands that wait for it, the
    /// commands that wait for these commands or read the memory that they write, and every read of
    /// that memory. The memory can be used again after all of it was overwritten.
    ///
    /// The driver is told that the event has completed, because some drivers cannot handle a
    /// failure. So the commands that wait for the event run, except native kernels, which are
    /// dropped without running. Later commands on the queue that use other memory succeed.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if the status is not negative, because such a status is not an
    /// error; and the errors of [`complete`](UserEvent::complete).
    pub fn fail(&self, status: Status) -> Result<()> {
        if status.0 >= 0 {
            let reason = format!("{} is not negative, so it is not an error", status.0);
            return Err(Error::InvalidInput { what: "status of a user event", reason });
        }
        self.decide(status.0)
    }

    fn decide(&self, status: cl_int) -> Result<()> {
        if self.decided.swap(true, Ordering::AcqRel) {
            let reason = "it was completed or failed before".to_owned();
            return Err(Error::InvalidInput { what: "user event", reason });
        }
        self.decision.set(status);
        let set = self.event.library().functions().clSetUserEventStatus;
        // SAFETY: a valid user event, decided for the first time.
        let set = unsafe { set(self.event.as_raw(), cl_sys::CL_COMPLETE) };
        let result = Error::check("clSetUserEventStatus", set);
        if result.is_err() {
            self.decision.reopen();
            self.decided.store(false, Ordering::Release);
        }
        result
    }
}

impl Drop for UserEvent {
    fn drop(&mut self) {
        if self.is_decided() {
            return;
        }
        if let Err(error) = self.decide(UserEvent::ABANDONED.0) {
            log::error!("a user event was dropped undecided, and failing it failed: {error}");
        }
    }
}
