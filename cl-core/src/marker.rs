//! Markers and barriers: commands that do nothing but wait.

use crate::error::Result;
use crate::event::Event;
use crate::queue::Queue;
use crate::submission::{Blocking, Submission};

impl Queue {
    /// An event that completes when everything enqueued so far has ended.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) when the driver reports one.
    pub fn marker(&self) -> Result<Event> {
        Submission::from(self).marker()
    }

    /// As [`marker`](Queue::marker); besides, no later command of this queue starts before it. On an
    /// in-order queue none would anyway.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) when the driver reports one.
    pub fn barrier(&self) -> Result<Event> {
        Submission::from(self).barrier()
    }
}

impl Submission<'_> {
    /// An event that completes when all events of the wait list have; without any, when everything
    /// enqueued so far has ended. (PoCL 3.1 waits for the latter in either case.)
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
    /// [`Error::Driver`](crate::Error::Driver) when the driver reports one.
    pub fn marker(self) -> Result<Event> {
        let mark = self.queue().functions().clEnqueueMarkerWithWaitList;
        self.run_event("clEnqueueMarkerWithWaitList", [], Blocking::No, |queue, waits, event| {
            // SAFETY: a valid queue; `run` passes a matching list and a place for the event.
            unsafe { mark(queue.as_raw(), waits.count, waits.list, event) }
        })
    }

    /// As [`marker`](Submission::marker); besides, no later command of the queue starts before it.
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
