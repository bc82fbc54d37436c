//! Staging: large transfers of ordinary host memory, through pinned memory.
//!
//! Drivers move ordinary memory at a fraction of the bus rate, because the device cannot reach it
//! directly. Here several threads copy chunks between ordinary and pinned memory, while the device
//! moves other chunks.

use super::owned::wait_for_end;
use super::pinned::{PinnedBlock, PinnedRanges};
use super::untyped::Memory;
use crate::device::DeviceKind;
use crate::error::Result;
use crate::event::Event;
use crate::hazard::Access;
use crate::queue::Queue;
use crate::submission::{Blocking, Submission};
use std::panic::resume_unwind;
use std::slice;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

/// The settings with which a queue moves large ordinary slices between host and device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Staging {
    /// The smallest transfer, in bytes, that is staged. Smaller ones go directly to the driver.
    pub threshold: usize,
    /// The number of bytes in a chunk, at least 1.
    pub chunk: usize,
    /// The number of threads that copy on the host, including the calling thread, at least 1.
    pub threads: usize,
}

impl Staging {
    /// The default of queues on devices with memory of their own.
    pub const DEFAULT: Staging = Staging { threshold: 8 << 20, chunk: 4 << 20, threads: 4 };

    /// No staging: every transfer goes directly to the driver. The default of queues on CPUs, and
    /// on devices that share the host's memory.
    pub const OFF: Staging = Staging { threshold: usize::MAX, ..Staging::DEFAULT };

    /// Returns the default for the queue's device.
    fn suiting(queue: &Queue) -> Staging {
        let device = queue.device();
        let far = device.kind().is_ok_and(|kind| !kind.contains(DeviceKind::CPU))
            && device.shares_host_memory().is_ok_and(|shares| !shares);
        if far { Staging::DEFAULT } else { Staging::OFF }
    }
}

/// The number of chunks that a thread has in flight: it copies one while the device moves the
/// other.
const CHUNKS_OF_A_THREAD: usize = 2;

/// A queue's staging settings, and its pinned blocks.
#[derive(Default)]
struct Stage {
    chosen: Mutex<Option<Staging>>,
    suiting: OnceLock<Staging>,
    idle: Mutex<Vec<PinnedBlock>>,
}

impl Stage {
    /// Returns the settings that the program has chosen, if any.
    fn chosen(&self) -> Option<Staging> {
        *self.chosen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    /// Sets how this queue moves large ordinary slices. The default suits the queue's device, so
    /// this is rarely needed. Frees the pinned memory that the queue holds: twice `chunk` bytes a
    /// thread.
    pub fn set_staging(&self, staging: Staging) {
        let staging = Staging { chunk: staging.chunk.max(1), threads: staging.threads.max(1), ..staging };
        let stage = self.attachment::<Stage>();
        *stage.chosen.lock().unwrap_or_else(PoisonError::into_inner) = Some(staging);
        stage.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Returns the settings with which this queue moves large ordinary slices.
    #[must_use]
    pub fn staging(&self) -> Staging {
        let stage = self.attachment::<Stage>();
        stage.chosen().unwrap_or_else(|| *stage.suiting.get_or_init(|| Staging::suiting(self)))
    }
}

/// A chunk of the host memory of a transfer.
pub(super) trait Chunk: Send {
    /// The transfer's access to the device's memory.
    const ACCESS: Access;

    /// Returns the size of the chunk in bytes.
    fn bytes(&self) -> usize;

    /// Prepares `pinned` before the device moves the chunk.
    fn before(&self, pinned: &mut [u8]);

    /// Finishes the chunk after the device has moved it.
    fn after(self, pinned: &[u8]);
}

/// A chunk that moves to the device.
impl Chunk for &[u8] {
    const ACCESS: Access = Access::Write;

    fn bytes(&self) -> usize {
        self.len()
    }

    fn before(&self, pinned: &mut [u8]) {
        pinned.copy_from_slice(self);
    }

    fn after(self, _: &[u8]) {}
}

/// A chunk that moves from the device.
impl Chunk for &mut [u8] {
    const ACCESS: Access = Access::Read;

    fn bytes(&self) -> usize {
        self.len()
    }

    fn before(&self, _: &mut [u8]) {}

    fn after(self, pinned: &[u8]) {
        self.copy_from_slice(pinned);
    }
}

/// Returns the settings for a transfer of `bytes` at `host`, or `None` if it goes directly to the
/// driver.
pub(super) fn wanted(queue: &Queue, host: *const u8, bytes: usize) -> Option<Staging> {
    // Small transfers return here, without a question to the device.
    let chosen = queue.attachment::<Stage>().chosen();
    if bytes < chosen.unwrap_or(Staging::DEFAULT).threshold {
        return None;
    }
    let staging = queue.staging();
    let staged = bytes >= staging.threshold && !PinnedRanges::of(queue.context()).contain(host, bytes);
    staged.then_some(staging)
}

/// Moves chunks between the host and the `size` bytes of memory from `offset` on. Blocks. The
/// caller has checked the range.
pub(super) fn transfer<C: Chunk>(
    to: Submission<'_>,
    memory: &Memory,
    offset: usize,
    size: usize,
    staging: Staging,
    chunks: impl ExactSizeIterator<Item = C> + Send,
) -> Result<()> {
    let queue = to.queue();
    // A marker stands for the transfer in the order of commands: it waits for all commands that the
    // transfer must wait for. Until this function returns, the borrow of the memory keeps other
    // commands away.
    let mark = queue.functions().clEnqueueMarkerWithWaitList;
    let access = if C::ACCESS.writes() { memory.replacing(size) } else { C::ACCESS };
    let begin = to.first_of_several().with_event(|to| {
        to.run("clEnqueueMarkerWithWaitList", memory.used(access), Blocking::No, |queue, waits, event| {
            // SAFETY: a valid queue; `run` passes a matching list and a pointer for the event.
            unsafe { mark(queue.as_raw(), waits.count, waits.list, event) }
        })
    })?;
    let threads = staging.threads.clamp(1, chunks.len().div_ceil(CHUNKS_OF_A_THREAD).max(1));
    let mut blocks = Blocks::take(queue, threads * CHUNKS_OF_A_THREAD, staging.chunk)?;
    let source = Mutex::new(chunks.enumerate());
    let next = || {
        let (index, chunk) = source.lock().unwrap_or_else(PoisonError::into_inner).next()?;
        Some((offset + index * staging.chunk, chunk))
    };
    let begin_alone = [&begin];
    let after = if queue.is_in_order() { &[] } else { begin_alone.as_slice() };
    let work = |blocks: Vec<PinnedBlock>| Worker { queue, memory, after }.run(blocks, &next);
    let mut results = Vec::new();
    thread::scope(|scope| {
        let mut helpers = Vec::new();
        for _ in 1..threads {
            let own = blocks.0.split_off(blocks.0.len() - CHUNKS_OF_A_THREAD);
            // If the system cannot start a thread, the other threads do its share.
            helpers.extend(thread::Builder::new().spawn_scoped(scope, || work(own)).ok());
        }
        results.push(work(std::mem::take(&mut blocks.0)));
        for helper in helpers {
            results.push(helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
    });
    let mut first = Ok(());
    for (ended, own) in results {
        first = first.and(ended);
        blocks.0.extend(own);
    }
    blocks.give_back(queue);
    first?;
    // The commands that the transfer waited for may have failed, too.
    begin.wait()?;
    to.mark()
}

/// Pinned blocks of one size, taken from a queue.
struct Blocks(Vec<PinnedBlock>);

impl Blocks {
    fn take(queue: &Queue, count: usize, bytes: usize) -> Result<Blocks> {
        let stage = queue.attachment::<Stage>();
        let mut idle = stage.idle.lock().unwrap_or_else(PoisonError::into_inner);
        // Blocks of another size are left over from earlier settings.
        idle.retain(|block| block.bytes() == bytes);
        let kept = idle.len().saturating_sub(count);
        let mut blocks = idle.split_off(kept);
        drop(idle);
        while blocks.len() < count {
            blocks.push(PinnedBlock::zeroed(queue, bytes)?);
        }
        Ok(Blocks(blocks))
    }

    fn give_back(self, queue: &Queue) {
        let stage = queue.attachment::<Stage>();
        stage.idle.lock().unwrap_or_else(PoisonError::into_inner).extend(self.0);
    }
}

/// A thread that moves chunks.
struct Worker<'t> {
    queue: &'t Queue,
    memory: &'t Memory,
    /// The events that every chunk waits for.
    after: &'t [&'t Event],
}

impl Worker<'_> {
    /// Moves chunks until none are left, and returns the blocks.
    fn run<C: Chunk>(
        &self,
        mut blocks: Vec<PinnedBlock>,
        next: &impl Fn() -> Option<(usize, C)>,
    ) -> (Result<()>, Vec<PinnedBlock>) {
        let mut under_way: Vec<Option<(Event, C)>> = blocks.iter().map(|_| None).collect();
        let result = self.move_all(&mut blocks, &mut under_way, next);
        // After an error the device may still be moving the other chunks.
        for (index, slot) in under_way.into_iter().enumerate().rev() {
            if slot.is_some_and(|(event, _)| !wait_for_end(&event)) {
                log::error!("the driver does not tell when a transfer ends: its pinned memory is leaked");
                std::mem::forget(blocks.swap_remove(index));
            }
        }
        (result, blocks)
    }

    fn move_all<C: Chunk>(
        &self,
        blocks: &mut [PinnedBlock],
        under_way: &mut [Option<(Event, C)>],
        next: &impl Fn() -> Option<(usize, C)>,
    ) -> Result<()> {
        loop {
            for (block, slot) in blocks.iter_mut().zip(under_way.iter_mut()) {
                if let Some((event, chunk)) = slot.take() {
                    if let Err(error) = event.wait() {
                        *slot = Some((event, chunk));
                        return Err(error);
                    }
                    // SAFETY: the block is at least as large as any chunk, and the device has
                    // finished with it.
                    let pinned = unsafe { slice::from_raw_parts(block.as_ptr(), chunk.bytes()) };
                    chunk.after(pinned);
                }
                let Some((offset, chunk)) = next() else { continue };
                // SAFETY: as above, and nobody else uses this block.
                let pinned = unsafe { slice::from_raw_parts_mut(block.as_mut_ptr(), chunk.bytes()) };
                chunk.before(pinned);
                *slot = Some((self.enqueue::<C>(offset, pinned)?, chunk));
                self.queue.flush()?;
            }
            if under_way.iter().all(Option::is_none) {
                return Ok(());
            }
        }
    }

    fn enqueue<C: Chunk>(&self, offset: usize, pinned: &mut [u8]) -> Result<Event> {
        let (host, bytes) = (pinned.as_mut_ptr(), pinned.len());
        Submission::from(self.queue).after(self.after).with_event(|to| {
            // SAFETY: the range was checked; the block is kept until the event has completed.
            unsafe {
                match C::ACCESS {
                    Access::Read => self.memory.enqueue_read(to, None, Blocking::No, offset, host, bytes),
                    Access::Write | Access::Overwrite => {
                        self.memory.enqueue_write(to, None, Blocking::No, offset, host, bytes)
                    }
                }
            }
        })
    }
}
