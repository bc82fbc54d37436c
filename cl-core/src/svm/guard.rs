//! Access by the host: shared virtual memory as slices, for as long as a guard lives.

use super::memory::SvmMemory;
use crate::error::Result;
use crate::hazard::Access;
use crate::queue::Queue;
use crate::status::Status;
use crate::status::log_failed_release;
use crate::submission::Submission;
use bytemuck::Pod;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// The elements of shared virtual memory, for the host to read. Made by
/// [`SvmVec::map`](crate::SvmVec::map).
///
/// Dropping the guard gives the memory back. A leaked guard keeps the memory mapped, and commands
/// that write to it are refused.
#[must_use = "the memory is given back when the guard is dropped"]
pub struct SvmMap<'a, T: Pod> {
    turn: Turn,
    memory: &'a SvmMemory,
    len: usize,
    element: PhantomData<&'a [T]>,
}

/// The elements of shared virtual memory, for the host to read and write. Made by
/// [`SvmVec::map_mut`](crate::SvmVec::map_mut).
///
/// Dropping the guard gives the memory back. A leaked guard keeps the memory mapped, and all
/// commands that use it are refused.
#[must_use = "the memory is given back when the guard is dropped"]
pub struct SvmMapMut<'a, T: Pod> {
    turn: Turn,
    memory: &'a mut SvmMemory,
    len: usize,
    element: PhantomData<&'a mut [T]>,
}

/// An access of the host to memory, from [`begin`](Turn::begin) to the first [`end`](Turn::end).
struct Turn {
    /// The queue on which the access ends.
    queue: Queue,
    access: Access,
    /// `true` after the first call of `end`; later calls do nothing.
    over: bool,
}

impl Turn {
    fn begin(memory: &SvmMemory, to: Submission<'_>, access: Access) -> Result<Turn> {
        let queue = to.queue().clone();
        memory.acquire(to, access)?;
        Ok(Turn { queue, access, over: false })
    }

    fn end(&mut self, memory: &SvmMemory) -> Result<()> {
        if std::mem::replace(&mut self.over, true) {
            return Ok(());
        }
        memory.release(Submission::from(&self.queue), self.access)
    }

    fn end_logged(&mut self, memory: &SvmMemory) {
        if let Err(error) = self.end(memory) {
            log_failed_release("clEnqueueSVMUnmap", error.status().unwrap_or(Status::INVALID_OPERATION).0);
        }
    }
}

impl<'a, T: Pod> SvmMap<'a, T> {
    /// Maps `memory`, which holds `len` elements.
    pub(super) fn new(memory: &'a SvmMemory, len: usize, to: Submission<'_>) -> Result<SvmMap<'a, T>> {
        Ok(SvmMap { turn: Turn::begin(memory, to, Access::Read)?, memory, len, element: PhantomData })
    }

    /// Gives the memory back, as dropping does, and returns the error if that fails.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    pub fn unmap(mut self) -> Result<()> {
        self.turn.end(self.memory)
    }
}

impl<'a, T: Pod> SvmMapMut<'a, T> {
    /// Maps `memory`, which holds `len` elements.
    pub(super) fn new(memory: &'a mut SvmMemory, len: usize, to: Submission<'_>) -> Result<SvmMapMut<'a, T>> {
        Ok(SvmMapMut { turn: Turn::begin(memory, to, Access::Write)?, memory, len, element: PhantomData })
    }

    /// Gives the memory back, as dropping does, and returns the error if that fails.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    pub fn unmap(mut self) -> Result<()> {
        self.turn.end(self.memory)
    }
}

impl<T: Pod> Deref for SvmMap<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: the host may read the memory, which holds `len` values of `T`.
        unsafe { slice(self.memory, self.len) }
    }
}

impl<T: Pod> Deref for SvmMapMut<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: as above.
        unsafe { slice(self.memory, self.len) }
    }
}

impl<T: Pod> DerefMut for SvmMapMut<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, for writing.
        unsafe { slice_mut(self.memory, self.len) }
    }
}

/// Returns the elements as a slice.
///
/// # Safety
/// The host may read the memory as long as the slice lives. The memory holds `len` values of `T`.
pub(super) unsafe fn slice<T: Pod>(memory: &SvmMemory, len: usize) -> &[T] {
    // SAFETY: by the caller's promise; the driver aligns for its largest type.
    unsafe { std::slice::from_raw_parts(start(memory).as_ptr(), len) }
}

/// Returns the elements as a mutable slice.
///
/// # Safety
/// Only the host may use the memory as long as the slice lives. The memory holds `len` values of
/// `T`.
pub(super) unsafe fn slice_mut<T: Pod>(memory: &mut SvmMemory, len: usize) -> &mut [T] {
    // SAFETY: as above.
    unsafe { std::slice::from_raw_parts_mut(start(memory).as_ptr(), len) }
}

/// Returns the address of the elements, or a dangling pointer for an empty block.
fn start<T: Pod>(memory: &SvmMemory) -> NonNull<T> {
    NonNull::new(memory.as_ptr().cast()).unwrap_or(NonNull::dangling())
}

impl<T: Pod> Drop for SvmMap<'_, T> {
    fn drop(&mut self) {
        self.turn.end_logged(self.memory);
    }
}

impl<T: Pod> Drop for SvmMapMut<'_, T> {
    fn drop(&mut self) {
        self.turn.end_logged(self.memory);
    }
}

impl<T: Pod + fmt::Debug> fmt::Debug for SvmMap<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<T: Pod + fmt::Debug> fmt::Debug for SvmMapMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
