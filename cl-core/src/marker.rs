//! Markers and barriers: commands that only wait.

use crate::error::Result;
use crate::event::Event;
use crate::queue::Queue;
use crate::submission::{Blocking, Submission};

impl Queue {
    /// Returns an event that completes when everything enqueued so far has ended.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) when the driver reports an error.
    pub fn marker(&self) -> Result<Event> {
        Submission::from(self).marker()
    }

    /// Enqueues a [`marker`](Queue::marker) that also holds up later commands: later commands of
    /// this queue start only after the marker has completed. An in-order queue keeps this order anyway.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) when the driver reports an error.
    pub fn barrier(&self) -> Result<Event> {
        Submission::from(self).barrier()
    }
}

impl Submission<'_> {
    /// Returns an event that completes when all events of the wait list have completed. If the wait
    /// list is empty, the event completes when everything enqueued so far has ended. (PoCL 3.1
    /// always waits for everything enqueued so far.)
    ///
    /// ```
    /// # use cl_core::{Device, Queue, UserEvent};
    /// # fn main() -> cl_core::Result<()> {
    /// let queue = Queue::on(&Device::first()?)?;
    /// let (left, right) = (UserEvent::new(queue.context())?, UserEvent::new(queue.context())?);
    /// let both = queue.after(&[left.event(), right.event()]).marker()?;
    /// left.complete()?;
    /// right.complete()?;
    /// both.wait()?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::ForeignObject`](crate::Error::ForeignObject) for an event of another context,
    /// [`Error::Driver`](crate::Error::Driver) when the driver reports an error.
    pub fn marker(self) -> Result<Event> {
        let mark = self.queue().functions().clEnqueueMarkerWithWaitList;
        self.run_event("clEnqueueMarkerWithWaitList", [], Blocking::No, |queue, waits, event| {
            // SAFETY: a valid queue; `run` passes a matching list and a valid pointer for the event.
            unsafe { mark(queue.as_raw(), waits.count, waits.list, event) }
        })
    }

    /// Enqueues a [`marker`](Submission::marker) that also holds up later commands: later commands
    /// of the queue start only after the marker has completed.
    ///
    /// # Errors
    /// As [`marker`](Submission::marker).
    pub fn barrier(self) -> Result<Event> {
        let bar = self.queue().functions().clEnqueueBarrierWithWaitList;
        self.run_event("clEnqueueBarrierWithWaitList", [], Blocking::No, |queue, waits, event| {
            // SAFETY: as above.
            unsafe { bar(queue.as_raw(), waits.count, waits.list, event) }
        })
    }
}
