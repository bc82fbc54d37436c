//! What the host has mapped of a block of memory.
//!
//! While memory is mapped, commands that write to it, or read what the host may be writing, are
//! undefined. Borrowing rules that out as long as map guards live; a guard that was leaked leaves
//! its count here, and the memory is refused from then on.
//!
//! Drivers tell the maps of an object apart by the host pointer alone: PoCL 3.1 and Oclgrind 21.10 crash
//! when two maps have the same pointer and one of them is taken back twice. So guards that read the
//! same range share one map of the driver's, maps and unmaps of a block take turns, and maps with the
//! same pointer are taken back one after the other, when no guard uses the pointer any more.

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

/// What all objects over one block of memory share: a buffer, its parts, and an image over it.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) hazards: Hazards,
    pub(super) mapped: Mapped,
}

/// How many guards map a block, and what the driver has mapped of it.
#[derive(Debug, Default)]
pub(super) struct Mapped {
    reading: AtomicU32,
    writing: AtomicU32,
    live: Mutex<Vec<Live>>,
}

/// Where the driver has mapped a range, or a box of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) pointer: NonNull<u8>,
    /// Bytes from one row to the next along y and along z; 0 for a range.
    pub(super) pitches: [usize; 2],
}

/// What is mapped: origin and size of a box of pixels, or of a range in bytes.
pub(super) type Extent = [[usize; 3]; 2];

/// A map of the driver's.
#[derive(Debug)]
struct Live {
    object: cl_mem,
    extent: Extent,
    place: Place,
    /// The guards that use it; none when it waits for other maps with the same pointer.
    guards: usize,
}

// SAFETY: the handle is only compared, and the pointer is used by guards only.
unsafe impl Send for Live {}

impl Mapped {
    fn count(&self, access: Access) -> &AtomicU32 {
        match access {
            Access::Read => &self.reading,
            Access::Write | Access::Overwrite => &self.writing,
        }
    }

    /// The host mapped the block, to use it like that.
    fn begin(&self, access: Access) {
        self.count(access).fetch_add(1, Ordering::Relaxed);
    }

    /// The host gave it back.
    fn end(&self, access: Access) {
        self.count(access).fetch_sub(1, Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Live>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the host has it, so that no command may use it like that.
    #[inline]
    pub(super) fn is_busy(&self, access: Access) -> bool {
        let busy = |count: &AtomicU32| count.load(Ordering::Relaxed) > 0;
        busy(&self.writing) || (access.writes() && busy(&self.reading))
    }

    /// That a command may use the block like that.
    pub(super) fn check(&self, operation: &'static str, access: Access) -> Result<()> {
        if self.is_busy(access) {
            let reason = "the memory is still mapped: a map guard was leaked, or could not unmap".to_owned();
            return Err(Error::InvalidInput { what: operation, reason });
        }
        Ok(())
    }
}

impl Memory {
    /// Maps a part of the block for a guard, by `map`, unless other guards read the same part.
    pub(super) fn begin_map<'s>(
        &self,
        to: Submission<'s>,
        access: Access,
        extent: Extent,
        map: impl FnOnce(Submission<'s>) -> Result<Place>,
    ) -> Result<Place> {
        let (mapped, object) = (self.mapped(), self.as_raw());
        let mut live = mapped.lock();
        let mut same = live.iter_mut().filter(|map| map.object == object && map.extent == extent);
        // Whoever writes is alone, because the guard borrows the memory exclusively.
        let place = match same.find(|map| map.guards > 0 && access == Access::Read) {
            Some(map) => {
                let begun = to.first_part().with_event(|to| self.mark(to, access))?;
                begun.wait()?;
                to.queue().waited()?;
                to.mark()?;
                map.guards += 1;
                map.place
            }
            None => {
                let place = map(to)?;
                live.push(Live { object, extent, place, guards: 1 });
                place
            }
        };
        mapped.begin(access);
        Ok(place)
    }

    /// Takes back what a guard has mapped.
    ///
    /// # Safety
    /// [`begin_map`](Memory::begin_map) returned the place for this extent and access, nobody uses it
    /// on behalf of that call any more, and it was not taken back before.
    pub(super) unsafe fn end_map(
        &self,
        queue: &Queue,
        access: Access,
        extent: Extent,
        place: Place,
    ) -> Result<()> {
        let (mapped, object) = (self.mapped(), self.as_raw());
        let mut live = mapped.lock();
        let here = |map: &Live| map.object == object && map.place.pointer == place.pointer;
        if let Some(map) = live.iter_mut().find(|map| here(map) && map.extent == extent && map.guards > 0) {
            map.guards -= 1;
        }
        if !live.iter().any(|map| here(map) && map.guards > 0) {
            let mut last: Option<Event> = None;
            while let Some(index) = live.iter().position(here) {
                // The driver must have forgotten a map before it is told of the pointer again.
                last.take().map_or(Ok(()), |event| event.wait())?;
                let several = live.iter().filter(|map| here(map)).count() > 1;
                let mut to = Submission::from(queue);
                if several {
                    to = to.signal(&mut last);
                }
                // The next map of the pointer waits for this on any queue: that makes it a write.
                // SAFETY: mapped as often as there are entries, each of which is taken back once; no
                // guard uses the pointer.
                unsafe { self.enqueue_unmap(to, Access::Write, place.pointer.as_ptr()) }?;
                live.swap_remove(index);
            }
        }
        mapped.end(access);
        Ok(())
    }

    /// Enqueues a marker that takes a place in the order of the commands that use the block.
    pub(super) fn mark(&self, to: Submission<'_>, access: Access) -> Result<()> {
        let mark = to.queue().functions().clEnqueueMarkerWithWaitList;
        to.run("clEnqueueMarkerWithWaitList", self.used(access), Blocking::No, |queue, waits, event| {
            // SAFETY: a valid queue; `run` passes a matching list and a place for the event.
            unsafe { mark(queue.as_raw(), waits.count, waits.list, event) }
        })
    }
}
