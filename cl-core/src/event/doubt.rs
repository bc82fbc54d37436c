//! Doubts: the user events that commands and memory depend on. A failure of a user event is kept on
//! the host, and is hidden from the driver.
//!
//! Drivers differ when an event that a command waits for fails. PoCL 3.1 also fails later commands
//! on the queue, or ends the process. Intel's runtime for CPUs runs the command. An error may
//! arrive long after the call. So the driver is told that a failed user event has completed, every
//! command runs, and the failure is kept here: each event and each block of memory has a list of
//! the user events that it depends on.

use crate::error::Error;
use crate::status::Status;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

/// The host's decision about a user event.
#[derive(Debug)]
pub(super) struct Decision(AtomicI32);

impl Decision {
    /// An undecided event. The statuses of a decision are 0 or negative.
    const OPEN: i32 = 1;

    pub(super) fn open() -> Arc<Decision> {
        Arc::new(Decision(AtomicI32::new(Decision::OPEN)))
    }

    /// Records the decision. Called before the driver is told, so that a thread that sees a command
    /// end also sees the cause.
    pub(super) fn set(&self, status: i32) {
        self.0.store(status, Ordering::Release);
    }

    /// Takes the decision back, after the driver has refused it.
    pub(super) fn reopen(&self) {
        self.set(Decision::OPEN);
    }

    fn has_succeeded(&self) -> bool {
        self.0.load(Ordering::Acquire) == cl_sys::CL_COMPLETE
    }

    fn failure(&self) -> Option<Status> {
        Some(self.0.load(Ordering::Acquire)).filter(|&status| status < 0).map(Status)
    }
}

/// The user events that a command or the contents of memory depend on, without the events that have
/// completed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Doubts(Vec<Arc<Decision>>);

impl Doubts {
    pub(crate) const NONE: Doubts = Doubts(Vec::new());

    /// Returns the dependence on one user event.
    pub(super) fn about(decision: &Arc<Decision>) -> Doubts {
        Doubts(vec![Arc::clone(decision)])
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the user events in `other`: the doubts of a command or of memory that this command or
    /// memory depends on.
    pub(crate) fn add(&mut self, other: &Doubts) {
        for cause in &other.0 {
            if !self.0.iter().any(|own| Arc::ptr_eq(own, cause)) && !cause.has_succeeded() {
                self.0.push(cause.clone());
            }
        }
    }

    /// Drops the user events that have completed.
    pub(crate) fn settle(&mut self) {
        self.0.retain(|cause| !cause.has_succeeded());
    }

    /// Returns the status of the first user event that has failed.
    pub(crate) fn failed(&self) -> Option<Status> {
        self.0.iter().find_map(|cause| cause.failure())
    }

    /// Returns the error for reading memory with these doubts, if a user event has failed.
    pub(crate) fn unreadable(&self) -> Option<Error> {
        let note = "a command that should have written the memory depended on a user event that failed; \
                    overwrite all of the memory to use it again";
        self.failed().map(|status| Error::driver("clCreateUserEvent", status).note(note))
    }
}
