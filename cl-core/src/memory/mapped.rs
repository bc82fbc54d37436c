//! The parts of a block of memory that the host has mapped.
//!
//! While memory is mapped, commands that write to it, or that read elements the host may be
//! writing, are undefined. As long as a map guard lives, its borrow of the memory prevents such
//! commands. A leaked guard stays counted here, so commands on the memory are refused from then on.
//!
//! Drivers distinguish the maps of an object by the host pointer alone: PoCL 3.1 and Oclgrind 21.10
//! crash when two maps have the same pointer and one of them is unmapped twice. Three rules avoid
//! this. Guards that read the same range share one map of the driver. Maps and unmaps of a block
//! take turns. Maps with the same pointer are unmapped one after the other, when no guard uses the
//! pointer any more.

use super::untyped::Memory;
use crate::error::{Error, Result};
use crate::event::Event;
use crate::hazard::{Access, Hazards};
use crate::queue::Queue;
use crate::raw::cl_mem;
use crate::submission::{Blocking, Submission};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The state that all objects over one block of memory share: a buffer, its sub-buffers, and an
/// image over it.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) hazards: Hazards,
    pub(super) mapped: Mapped,
}

/// The number of guards that map a block, and the driver's maps of it.
#[derive(Debug, Default)]
pub(super) struct Mapped {
    reading: AtomicU32,
    writing: AtomicU32,
    live: Mutex<Vec<Live>>,
}

/// The host address of a mapped range, or of a mapped box of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HostAddress {
    pub(super) pointer: NonNull<u8>,
    /// Bytes from one row to the next along y and along z; 0 for a range.
    pub(super) pitches: [usize; 2],
}

/// The origin and the size of a mapped box in pixels, or of a mapped range in bytes.
pub(super) type MappedRegion = [[usize; 3]; 2];

/// A map that the driver has made.
#[derive(Debug)]
struct Live {
    object: cl_mem,
    region: MappedRegion,
    address: HostAddress,
    /// The number of guards that use this map; zero while it waits for other maps with the same
    /// pointer.
    guards: usize,
}

// SAFETY: the handle is only compared, and only guards use the pointer.
unsafe impl Send for Live {}

impl Mapped {
    fn count(&self, access: Access) -> &AtomicU32 {
        match access {
            Access::Read => &self.reading,
            Access::Write | Access::Overwrite => &self.writing,
        }
    }

    /// Counts a map of the block by the host with this access.
    fn begin(&self, access: Access) {
        self.count(access).fetch_add(1, Ordering::Relaxed);
    }

    /// Counts an unmap of the block by the host with this access.
    fn end(&self, access: Access) {
        self.count(access).fetch_sub(1, Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Live>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns `true` if the host has mapped the block in a way that excludes commands with this
    /// access.
    #[inline]
    pub(super) fn is_busy(&self, access: Access) -> bool {
        let busy = |count: &AtomicU32| count.load(Ordering::Relaxed) > 0;
        busy(&self.writing) || (access.writes() && busy(&self.reading))
    }

    /// Returns an error unless a command may use the block with this access.
    pub(super) fn check(&self, operation: &'static str, access: Access) -> Result<()> {
        if self.is_busy(access) {
            let reason = "the memory is still mapped: a map guard was leaked, or could not unmap".to_owned();
            return Err(Error::InvalidInput { what: operation, reason });
        }
        Ok(())
    }
}

impl Memory {
    /// Maps a part of the block for a guard by calling `map`, or shares the map of other guards
    /// that read the same part.
    pub(super) fn begin_map<'s>(
        &self,
        to: Submission<'s>,
        access: Access,
        region: MappedRegion,
        map: impl FnOnce(Submission<'s>) -> Result<HostAddress>,
    ) -> Result<HostAddress> {
        let (mapped, object) = (self.mapped(), self.as_raw());
        let mut live = mapped.lock();
        let mut same = live.iter_mut().filter(|map| map.object == object && map.region == region);
        // A guard that writes is alone, because it borrows the memory exclusively.
        let address = match same.find(|map| map.guards > 0 && access == Access::Read) {
            Some(map) => {
                let begun = to.first_of_several().with_event(|to| self.mark(to, access))?;
                begun.wait()?;
                to.queue().waited()?;
                to.mark()?;
                map.guards += 1;
                map.address
            }
            None => {
                let address = map(to)?;
                live.push(Live { object, region, address, guards: 1 });
                address
            }
        };
        mapped.begin(access);
        Ok(address)
    }

    /// Unmaps the part that a guard has mapped.
    ///
    /// # Safety
    /// [`begin_map`](Memory::begin_map) returned `address` for this region and access. Nobody uses
    /// `address` on behalf of that call any more, and it was not unmapped before.
    pub(super) unsafe fn end_map(
        &self,
        queue: &Queue,
        access: Access,
        region: MappedRegion,
        address: HostAddress,
    ) -> Result<()> {
        let (mapped, object) = (self.mapped(), self.as_raw());
        let mut live = mapped.lock();
        let here = |map: &Live| map.object == object && map.address.pointer == address.pointer;
        if let Some(map) = live.iter_mut().find(|map| here(map) && map.region == region && map.guards > 0) {
            map.guards -= 1;
        }
        if !live.iter().any(|map| here(map) && map.guards > 0) {
            let mut last: Option<Event> = None;
            while let Some(index) = live.iter().position(here) {
                // The driver must have ended one unmap of a pointer before it gets the next.
                last.take().map_or(Ok(()), |event| event.wait())?;
                let several = live.iter().filter(|map| here(map)).count() > 1;
                let mut to = Submission::from(queue);
                if several {
                    to = to.signal(&mut last);
                }
                // The next map of the pointer waits for this unmap on any queue, so the unmap
                // counts as a write.
                // SAFETY: the pointer is mapped once for each entry, each entry is unmapped once,
                // and no guard uses the pointer.
                unsafe { self.enqueue_unmap(to, Access::Write, address.pointer.as_ptr()) }?;
                live.swap_remove(index);
            }
        }
        mapped.end(access);
        Ok(())
    }

    /// Enqueues a marker, which is ordered like a command that uses the block with this access.
    pub(super) fn mark(&self, to: Submission<'_>, access: Access) -> Result<()> {
        let mark = to.queue().functions().clEnqueueMarkerWithWaitList;
        to.run("clEnqueueMarkerWithWaitList", self.used(access), Blocking::No, |queue, waits, event| {
            // SAFETY: a valid queue; `run` passes a matching list and a pointer for the event.
            unsafe { mark(queue.as_raw(), waits.count, waits.list, event) }
        })
    }
}
