//! Closures that run when a command has ended.

use super::{Event, watch::watch};
use crate::error::Result;
use crate::host_thread;

impl Event {
    /// Runs `call` when the command has ended, with its result. Does not block.
    ///
    /// Closures run one after the other on one thread of this crate, and never on a driver's
    /// thread. They may use OpenCL, and may block, but then they delay each other. A closure that
    /// panics leaves a line in the log. Each closure runs once, also when the command fails because
    /// a command that it waited for failed. A closure never runs if the process ends first, or if
    /// the command never ends.
    ///
    /// ```
    /// # use cl_core::{Buffer, Device, Queue};
    /// # fn main() -> cl_core::Result<()> {
    /// let queue = Queue::on(&Device::first()?)?;
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// queue.marker()?.on_complete(move |result| drop(sender.send(result)))?;
    /// assert_eq!(receiver.recv(), Ok(Ok(())));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Thread`](crate::Error::Thread) or [`Error::Driver`](crate::Error::Driver); the
    /// closure is then dropped and never runs.
    pub fn on_complete(&self, call: impl FnOnce(Result<()>) + Send + 'static) -> Result<()> {
        // Without the flush, the command might never start.
        self.flush()?;
        self.when_ended(call)
    }

    /// Works as [`on_complete`](Event::on_complete), but does not flush the queue.
    pub(crate) fn when_ended(&self, call: impl FnOnce(Result<()>) + Send + 'static) -> Result<()> {
        host_thread::start()?;
        watch(self, Box::new(|result| host_thread::post(Box::new(|| call(result)))))
    }
}
