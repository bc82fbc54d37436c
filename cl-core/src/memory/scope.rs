//! Scopes: transfers that do not block and borrow their host memory.

use super::owned::wait_for_end;
use super::slice::{Slice, SliceMut};
use crate::error::{Error, Result};
use crate::event::Event;
use crate::hazard::Access;
use crate::queue::Queue;
use crate::submission::{Blocking, Submission};
use bytemuck::Pod;
use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;

/// A scope for transfers between a queue's device and borrowed host memory. Made by
/// [`Queue::scope`], which returns only when all transfers of the scope have ended.
pub struct TransferScope<'scope, 'env: 'scope> {
    queue: &'scope Queue,
    pending: &'scope InFlight,
    // As in `std::thread::scope`, neither lifetime may be made shorter or longer.
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

/// The events of a scope's transfers. The program cannot reach or leak this value, so it is dropped
/// even when unwinding.
#[derive(Default)]
struct InFlight(RefCell<Vec<Event>>);

impl Queue {
    /// Runs `work`, which may enqueue transfers between the device and host memory that it borrows.
    /// Then waits for all transfers, even when `work` panics.
    ///
    /// Many drivers move ordinary memory before the enqueuing call returns. Only transfers of a
    /// [`PinnedVec`](crate::PinnedVec) run while the host goes on.
    ///
    /// ```
    /// # use cl_core::{Buffer, Device, Queue};
    /// # fn main() -> cl_core::Result<()> {
    /// let queue = Queue::on(&Device::first()?)?;
    /// let (mut a, mut b) = (Buffer::filled(&queue, 0, 2)?, Buffer::filled(&queue, 5, 2)?);
    /// let (input, mut output) = ([1, 2], [0; 2]);
    /// queue.scope(|scope| {
    ///     scope.write(&mut a, &input)?;
    ///     scope.read(&b, &mut output)?; // both are under way
    ///     b.fill(&queue, 6) // after the read
    /// })?;
    /// assert_eq!(output, [5, 5]);
    /// assert_eq!(a.to_vec(&queue)?, [1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The error of `work`, or else the first error of a transfer.
    pub fn scope<'env, R>(
        &self,
        work: impl for<'scope> FnOnce(&'scope TransferScope<'scope, 'env>) -> Result<R>,
    ) -> Result<R> {
        let pending = InFlight::default();
        let scope = TransferScope { queue: self, pending: &pending, scope: PhantomData, env: PhantomData };
        let result = work(&scope);
        let ended = pending.wait();
        let result = result?;
        ended.map(|()| result)
    }
}

impl<'scope, 'env: 'scope> TransferScope<'scope, 'env> {
    /// Enqueues reading a buffer or a view into `into`, which must have the same length.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::ForeignObject`], [`Error::InvalidInput`] when the host
    /// may not read the buffer, or [`Error::Driver`].
    pub fn read<'s, T: Pod>(&self, from: impl Into<Slice<'s, T>>, into: &'scope mut [T]) -> Result<()> {
        let from = from.into();
        let (left, right) = (into.len(), from.len());
        if left != right {
            return Err(Error::LengthMismatch { operation: "read", left, right });
        }
        let (to, memory) = (Submission::from(self.queue), from.memory());
        memory.check_read(&to, from.offset(), from.bytes())?;
        if from.bytes() == 0 {
            return to.skip();
        }
        let (host, uses) = (into.as_mut_ptr().cast(), memory.used(Access::Read));
        // SAFETY: the range was checked; `into` is borrowed until the scope has waited.
        let event = to.with_event(|to| unsafe {
            memory.enqueue_read(to, uses, Blocking::No, from.offset(), host, from.bytes())
        })?;
        self.pending.0.borrow_mut().push(event);
        Ok(())
    }

    /// Enqueues writing `from` to a buffer or a view, which must have the same length.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::ForeignObject`], [`Error::InvalidInput`] when the host
    /// may not write the buffer, or [`Error::Driver`].
    pub fn write<'s, T: Pod>(&self, at: impl Into<SliceMut<'s, T>>, from: &'scope [T]) -> Result<()> {
        let at = at.into();
        let at = at.as_slice();
        let (left, right) = (at.len(), from.len());
        if left != right {
            return Err(Error::LengthMismatch { operation: "write", left, right });
        }
        let (to, memory) = (Submission::from(self.queue), at.memory());
        memory.check_write(&to, at.offset(), at.bytes())?;
        if at.bytes() == 0 {
            return to.skip();
        }
        let (host, uses) = (from.as_ptr().cast(), memory.replaced(at.bytes()));
        // SAFETY: the range was checked; `from` is borrowed until the scope has waited.
        let event = to.with_event(|to| unsafe {
            memory.enqueue_write(to, uses, Blocking::No, at.offset(), host, at.bytes())
        })?;
        self.pending.0.borrow_mut().push(event);
        Ok(())
    }
}

impl InFlight {
    /// Waits for all transfers, and returns the first error.
    fn wait(&self) -> Result<()> {
        let mut first = Ok(());
        let events = std::mem::take(&mut *self.0.borrow_mut());
        for event in events {
            let ended = event.wait();
            if ended.is_err() && !wait_for_end(&event) {
                // The borrow is about to end, and the device may still write, so the program cannot
                // continue.
                log::error!("the driver does not tell when a scoped transfer ends: aborting");
                std::process::abort();
            }
            first = first.and(ended);
        }
        first
    }
}

impl Drop for InFlight {
    /// Waits for the transfers when the scope panics.
    fn drop(&mut self) {
        if let Err(error) = self.wait() {
            log::error!("a scoped transfer failed: {error}");
        }
    }
}

impl fmt::Debug for TransferScope<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TransferScope")
            .field("pending", &self.pending.0.borrow().len())
            .finish_non_exhaustive()
    }
}
