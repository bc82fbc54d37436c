//! Closures in the order of a queue.

use crate::error::Result;
use crate::event::Event;
use crate::host_thread;
use crate::queue::Queue;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The closures that wait for commands of a queue, oldest first.
///
/// Markers of one queue complete in order, but drivers may call back in another order. So each
/// callback runs all closures up to the first closure whose marker has not ended.
#[derive(Default)]
pub(crate) struct HostFunctions(Mutex<VecDeque<HostFunction>>);

struct HostFunction {
    marker: Event,
    /// The result that the driver has called back with.
    told: Option<Result<()>>,
    work: Box<dyn FnOnce(Result<()>) + Send>,
}

impl HostFunctions {
    fn lock(&self) -> MutexGuard<'_, VecDeque<HostFunction>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the oldest closure and the result to pass to it, if the closure's marker has ended.
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
    /// Runs `work` on the host when everything enqueued so far has ended, and passes it the result.
    /// Neither this call nor the queue blocks: later commands do not wait for `work`.
    ///
    /// Closures of one queue run one after the other, in the order in which they were given. For
    /// all other properties see [`Event::on_complete`]. The result may miss a failure: drivers
    /// differ in whether a later command reports that an earlier command failed. The event of the
    /// failed command always reports it.
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
    /// closure is then dropped and never runs.
    pub fn then(&self, work: impl FnOnce(Result<()>) + Send + 'static) -> Result<()> {
        let functions = Arc::clone(self.host_functions());
        let mut waiting = functions.lock();
        // Enqueued under the lock, so that the list has the markers in their order.
        let marker = self.marker()?;
        let (called, ended) = (Arc::clone(&functions), marker.clone());
        marker.on_complete(move |outcome| called.run(&ended, outcome))?;
        waiting.push_back(HostFunction { marker, told: None, work: Box::new(work) });
        Ok(())
    }
}
