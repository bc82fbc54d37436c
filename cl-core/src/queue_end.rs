//! The end of a queue, where the next command is added, for objects that outlive the queue.
//!
//! Memory that was used on a queue may later have to wait for that use, even after the queue has
//! been dropped. The memory therefore holds the queue's end instead of the queue. Holding the queue
//! would keep the context alive, and the queue's own scratch memory would form a reference cycle
//! with it.

use crate::error::{Error, Result};
use crate::event::Event;
use crate::library::Library;
use crate::raw::{cl_command_queue, cl_context, cl_event};
use std::ptr::{null, null_mut};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The end of a queue.
#[derive(Debug)]
pub(crate) struct QueueEnd {
    library: Library,
    context: cl_context,
    in_order: bool,
    state: Mutex<State>,
}

#[derive(Debug)]
enum State {
    Open(cl_command_queue),
    /// The queue was released. The event, if any, completes when the queue's last command has ended.
    Closed(Option<Event>),
}

// SAFETY: OpenCL objects other than kernels may be used from any thread, and the context is only
// compared.
unsafe impl Send for QueueEnd {}
// SAFETY: as above.
unsafe impl Sync for QueueEnd {}

impl QueueEnd {
    pub(crate) fn new(
        library: Library,
        context: cl_context,
        raw: cl_command_queue,
        in_order: bool,
    ) -> QueueEnd {
        QueueEnd { library, context, in_order, state: Mutex::new(State::Open(raw)) }
    }

    pub(crate) fn is_in_order(&self) -> bool {
        self.in_order
    }

    /// Returns an event that completes when everything enqueued so far has ended, or `None` if
    /// everything has ended.
    pub(crate) fn mark(self: &Arc<Self>) -> Result<Option<Event>> {
        self.mark_after(&[])
    }

    /// Works as [`mark`](QueueEnd::mark), but waits only for `events`, unless the list is empty.
    pub(crate) fn mark_after(self: &Arc<Self>, events: &[Event]) -> Result<Option<Event>> {
        match &*self.state.lock().unwrap_or_else(PoisonError::into_inner) {
            // SAFETY: the queue is released by `close` only, which holds the lock for it.
            State::Open(raw) => unsafe { self.enqueue_marker(*raw, events, Arc::downgrade(self)) }.map(Some),
            State::Closed(last) => Ok(last.clone()),
        }
    }

    /// Returns whether the queue was released and its last command has ended.
    pub(crate) fn is_over(&self) -> bool {
        match &*self.state.lock().unwrap_or_else(PoisonError::into_inner) {
            State::Open(_) => false,
            State::Closed(last) => last.as_ref().is_none_or(Event::has_ended),
        }
    }

    /// Hands everything enqueued so far to the device. A released queue has been flushed already.
    pub(crate) fn flush(&self) -> Result<()> {
        match &*self.state.lock().unwrap_or_else(PoisonError::into_inner) {
            // SAFETY: as in `mark_after`.
            State::Open(raw) => Error::check("clFlush", unsafe { (self.library.functions().clFlush)(*raw) }),
            State::Closed(_) => Ok(()),
        }
    }

    /// Closes the end when the queue is about to be released. `remembered`: `true` if other objects
    /// may ask for the end later.
    pub(crate) fn close(&self, remembered: bool) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State::Open(raw) = *state else { return };
        let last = if remembered {
            // SAFETY: the queue has not been released yet.
            let marker = unsafe { self.enqueue_marker(raw, &[], Weak::new()) };
            if marker.is_err() {
                // SAFETY: as above. Without a marker, later commands cannot wait, so this call
                // waits now.
                let status = unsafe { (self.library.functions().clFinish)(raw) };
                crate::status::log_failed_release("clFinish", status);
            }
            marker.ok()
        } else {
            None
        };
        *state = State::Closed(last);
    }

    /// Enqueues a marker. `flushes` is the end that the marker's event flushes: this end, or an
    /// empty reference if releasing the queue flushes it anyway.
    ///
    /// # Safety
    /// `raw` is this end's queue, not yet released.
    unsafe fn enqueue_marker(
        &self,
        raw: cl_command_queue,
        events: &[Event],
        flushes: Weak<QueueEnd>,
    ) -> Result<Event> {
        let call = "clEnqueueMarkerWithWaitList";
        let waits: Vec<cl_event> = events.iter().map(Event::as_raw).collect();
        let list = if waits.is_empty() { null() } else { waits.as_ptr() };
        let mut event = null_mut();
        let mark = self.library.functions().clEnqueueMarkerWithWaitList;
        // SAFETY: a valid queue, and as many valid events as the count says; an empty list means
        // all commands.
        Error::check(call, unsafe { mark(raw, waits.len() as u32, list, &raw mut event) })?;
        // SAFETY: the call succeeded and gave us the only reference.
        Ok(unsafe { Event::owned(self.library, self.context, event, call, flushes) })
    }
}
