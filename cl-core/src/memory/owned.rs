//! Transfers that do not block and that own their host memory.

use super::buffer::Buffer;
use super::slice::within;
use crate::error::{Error, Result};
use crate::event::Event;
use crate::hazard::Access;
use crate::submission::{Blocking, Submission};
use bytemuck::Pod;
use std::fmt;
use std::ops::RangeBounds;
use std::time::Duration;

/// A write in flight. Waiting for it returns the values. Made by [`Buffer::write_owned`].
///
/// Dropping it waits for the end of the transfer, because the device reads the values until then.
/// Leaking it leaks the values.
#[must_use = "dropping it waits for the transfer"]
pub struct PendingWrite<T: Pod>(Pending<T>);

/// A read in flight. Waiting for it returns the values. Made by [`Buffer::read_owned`].
///
/// Dropping it waits for the end of the transfer, because the device writes the values until then.
/// Leaking it leaks the values.
#[must_use = "dropping it waits for the transfer"]
pub struct PendingRead<T: Pod>(Pending<T>);

/// The error of a write that was refused or failed, with the values that were not written.
///
/// The `?` operator converts it to the [`Error`] alone.
#[derive(Clone, PartialEq)]
pub struct NotWritten<T> {
    /// The error.
    pub error: Box<Error>,
    /// The values that were not written.
    pub values: Vec<T>,
}

/// Host memory that a command in flight uses.
struct Pending<T> {
    values: Vec<T>,
    /// `None` for an empty transfer, and after waiting.
    event: Option<Event>,
}

impl<T: Pod> Buffer<T> {
    /// Enqueues writing `values` to the elements from `start` on. Does not block.
    ///
    /// ```
    /// # use cl_core::{Buffer, Device, Queue};
    /// # fn main() -> cl_core::Result<()> {
    /// let queue = Queue::on(&Device::first()?)?;
    /// let mut x = Buffer::filled(&queue, 0, 4)?;
    /// let write = x.write_owned(&queue, 1, vec![7, 8])?;
    /// let read = x.read_owned(&queue, ..)?; // runs after the write
    /// assert_eq!(read.wait()?, [0, 7, 8, 0]);
    /// let values = write.wait()?; // to be used again
    /// assert_eq!(values, [7, 8]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The values, with [`Error::OutOfBounds`], [`Error::ForeignObject`], [`Error::InvalidInput`]
    /// when the host may not write the buffer, or [`Error::Driver`].
    pub fn write_owned<'q>(
        &mut self,
        to: impl Into<Submission<'q>>,
        start: usize,
        values: Vec<T>,
    ) -> Result<PendingWrite<T>, NotWritten<T>> {
        match self.enqueue_write(to.into(), start, &values) {
            Ok(event) => Ok(PendingWrite(Pending { values, event })),
            Err(error) => Err(NotWritten { error: Box::new(error), values }),
        }
    }

    fn enqueue_write(&mut self, to: Submission<'_>, start: usize, values: &[T]) -> Result<Option<Event>> {
        let offset = self.offset("write", start, values.len())?;
        let (memory, bytes) = (self.memory(), bytemuck::cast_slice::<T, u8>(values));
        memory.check_write(&to, offset, bytes.len())?;
        if bytes.is_empty() {
            return to.skip().map(|()| None);
        }
        let uses = memory.replaced(bytes.len());
        // SAFETY: the range was checked; the caller keeps the values until the event has completed.
        let enqueue = |to: Submission<'_>| unsafe {
            memory.enqueue_write(to, uses, Blocking::No, offset, bytes.as_ptr(), bytes.len())
        };
        to.with_event(enqueue).map(Some)
    }

    /// Enqueues reading the elements in `range`. Does not block.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`], [`Error::ForeignObject`], [`Error::InvalidInput`] when the host may
    /// not read the buffer, or [`Error::Driver`].
    pub fn read_owned<'q>(
        &self,
        to: impl Into<Submission<'q>>,
        range: impl RangeBounds<usize>,
    ) -> Result<PendingRead<T>> {
        let (start, len) = within("read", &range, self.len())?;
        let (to, memory) = (to.into(), self.memory());
        let (offset, size) = (start * size_of::<T>(), len * size_of::<T>());
        memory.check_read(&to, offset, size)?;
        let mut values = vec![T::zeroed(); len];
        if size == 0 {
            to.skip()?;
            return Ok(PendingRead(Pending { values, event: None }));
        }
        let (host, uses) = (values.as_mut_ptr().cast(), memory.used(Access::Read));
        // SAFETY: the range was checked; the values are kept until the event has completed.
        let enqueue =
            |to: Submission<'_>| unsafe { memory.enqueue_read(to, uses, Blocking::No, offset, host, size) };
        let event = Some(to.with_event(enqueue)?);
        Ok(PendingRead(Pending { values, event }))
    }
}

impl<T: Pod> PendingWrite<T> {
    /// Blocks until the values are written, and returns them.
    ///
    /// # Errors
    /// The values, with the [`Error::Driver`] of a command that failed.
    pub fn wait(self) -> Result<Vec<T>, NotWritten<T>> {
        let (ended, values) = self.0.wait();
        match ended {
            Ok(()) => Ok(values),
            Err(error) => Err(NotWritten { error: Box::new(error), values }),
        }
    }

    /// Returns the command's event; `None` for an empty write.
    #[must_use]
    pub fn event(&self) -> Option<&Event> {
        self.0.event.as_ref()
    }
}

impl<T: Pod> PendingRead<T> {
    /// Blocks until the values are read, and returns them.
    ///
    /// # Errors
    /// [`Error::Driver`] when this or an earlier command failed.
    pub fn wait(self) -> Result<Vec<T>> {
        let (ended, values) = self.0.wait();
        ended.map(|()| values)
    }

    /// Returns the command's event; `None` for an empty read.
    #[must_use]
    pub fn event(&self) -> Option<&Event> {
        self.0.event.as_ref()
    }
}

impl<T> Pending<T> {
    /// Waits for the command, and returns the values, or an empty vector if the driver may still
    /// use them.
    fn wait(mut self) -> (Result<()>, Vec<T>) {
        let Some(event) = self.event.take() else { return (Ok(()), std::mem::take(&mut self.values)) };
        let result = event.wait();
        if result.is_err() && !wait_for_end(&event) {
            // Dropping `self` waits once more, and leaks the values if that fails too.
            self.event = Some(event);
            return (result, Vec::new());
        }
        (result, std::mem::take(&mut self.values))
    }
}

impl<T> Drop for Pending<T> {
    fn drop(&mut self) {
        if self.event.take().is_some_and(|event| !wait_for_end(&event)) {
            log::error!("the driver does not tell when a transfer ends: its host memory is leaked");
            std::mem::forget(std::mem::take(&mut self.values));
        }
    }
}

/// Blocks until the command has ended, with or without an error. Returns `false` when the driver
/// still reports no end after `QUESTIONS` questions.
pub(super) fn wait_for_end(event: &Event) -> bool {
    const QUESTIONS: u32 = 100;
    const PAUSE: Duration = Duration::from_millis(1);
    for question in 0..QUESTIONS {
        // An error of the command itself still means that it has ended. If the wait failed, the
        // loop asks again.
        if event.wait().is_ok() || event.has_ended() {
            return true;
        }
        if question > 0 {
            std::thread::sleep(PAUSE);
        }
    }
    false
}

impl<T> From<NotWritten<T>> for Error {
    fn from(refused: NotWritten<T>) -> Error {
        *refused.error
    }
}

impl<T> fmt::Display for NotWritten<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} values were not written: {}", self.values.len(), self.error)
    }
}

/// Formats as `Display`, because there may be many values.
impl<T> fmt::Debug for NotWritten<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<T> std::error::Error for NotWritten<T> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&*self.error)
    }
}

impl<T: Pod> fmt::Debug for PendingWrite<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PendingWrite({} elements)", self.0.values.len())
    }
}

impl<T: Pod> fmt::Debug for PendingRead<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PendingRead({} elements)", self.0.values.len())
    }
}
