//! Closures in the order of a queue.

use crate::error::Result;
use crate::event::Event;
use crate::host_thread;
use crate::queue::Queue;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The closures that wait for commands of a queue, oldest first.
///
/// Markers of one queue complete in order, but drivers may call back in another one. So whichever
/// marker is heard of first, all closures up to the first whose marker has not ended are run.
#[derive(Default)]
pub(crate) struct HostFunctions(Mutex<VecDeque<HostFunction>>);

struct HostFunction {
    marker: Event,
    /// What the driver has called back with.
    told: Option<Result<()>>,
    work: Box<dyn FnOnce(Result<()>) + Send>,
}

impl HostFunctions {
    fn lock(&self) -> MutexGuard<'_, VecDeque<HostFunction>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the oldest closure, if its turn has come, with the result to give to it.
    fn next(&self) -> Option<(HostFunction, Result<()>)> {
        let mut waiting = self.lock();
        let oldest = waiting.front()?;
        let outcome = oldest.told.clone().or_else(|| oldest.marker.outcome())?;
        Some((waiting.pop_front()?, outcome))
    }

    /// Runs all closures whose turn has come, now that this marker has ended.
    fn run(&self, marker: &Event, outcome: Result<()>) {
        if let Some(function) = self.lock().iter_mut().find(|function| function.marker == *marker) {
            function.told = Some(outcome);
        }
        while let Some((function, outcome)) = self.next() {
            host_thread::contain("a callback", || (function.work)(outcome));
        }
    }
}

impl Queue {
    /// Runs `work` on the host when everything enqueued so far has ended, with the result of that.
    /// Neither this call blocks nor the queue: later commands do not wait for `work`.
    ///
    /// Closures of one queue run one after the other, in the order in which they were given. For
    /// all else see [`Event::on_complete`]. Which drivers tell a later command that an earlier one
    /// failed differs; the event of that command is certain.
    ///
    /// ```
    /// # use cl_core::{Buffer, Device, Queue};
    /// # fn main() -> cl_core::Result<()> {
    /// let queue = Queue::on(&Device::first()?)?;
    /// let x = Buffer::filled(&queue, 1.0_f32, 1000)?;
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// queue.then(move |result| drop(sender.send(result)))?;
    /// assert_eq!(receiver.recv(), Ok(Ok(()))); // the fill has ended
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Thread`](crate::Error::Thread) or [`Error::Driver`](crate::Error::Driver); the
    /// closure is dropped and never runs.
    pub fn then(&self, work: impl FnOnce(Result<()>) + Send + 'static) -> Result<()> {
        let functions = Arc::clone(self.host_functions());
        let mut waiting = functions.lock();
        // Under the lock, so that the list has the markers in their order.
        let marker = self.marker()?;
        let (called, ended) = (Arc::clone(&functions), marker.clone());
        marker.on_complete(move |outcome| called.run(&ended, outcome))?;
        waiting.push_back(HostFunction { marker, told: None, work: Box::new(work) });
        Ok(())
    }
}
