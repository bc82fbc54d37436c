//! Hazard tracking: commands on different queues, or on an out-of-order queue, see each other's
//! results without a wait list in the program.
//!
//! Device memory remembers the commands that used it last. As long as one in-order queue uses the
//! memory, that queue is the memory's *home*: the queue's own order is enough, and the only cost is
//! one comparison before and one after a command. When another queue uses the memory, or the queue
//! is out of order, the memory is *shared* and keeps events. A writer waits for the last writer and
//! for every reader since, a reader waits for the last writer, and readers do not wait for each
//! other. A write on an in-order queue makes that queue the home again.
//!
//! No command waits for a command that failed. Until the memory is written again, commands that
//! would have to wait for the failed write return its error.
//!
//! Memory also remembers the user events that its contents depend on, until each of them has
//! completed. Such memory has no home, so that every command looks at these events. A command
//! depends on the user events of the memory that it reads, and reading is an error once one of the
//! events has failed. Only a command that overwrites all of the memory ends this dependence.

use crate::error::Result;
use crate::event::{Doubts, Event};
use crate::queue_end::QueueEnd;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The kind of a command's access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads only. Other readers may run at the same time.
    Read,
    /// Writes, and may read as well.
    Write,
    /// Writes every element that is read later, and reads none of the old elements. The memory's
    /// contents then no longer depend on user events of earlier commands, not even on failed ones.
    Overwrite,
}

impl Access {
    /// Returns whether the memory's contents change.
    #[must_use]
    pub fn writes(self) -> bool {
        self != Access::Read
    }
}

/// The commands that used a block of memory last. Sub-buffers share the record of their parent.
#[derive(Debug, Default)]
pub(crate) struct Hazards {
    /// The queue that is the memory's home, or null. The pointer is only compared. `state` keeps
    /// the queue's end alive, so that no other queue can have the same address. Null while the
    /// contents depend on user events.
    home: AtomicPtr<QueueEnd>,
    tracked: Mutex<Tracked>,
}

#[derive(Debug, Default)]
struct Tracked {
    state: State,
    /// The user events that the contents depend on.
    doubts: Doubts,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Unused,
    Home(Arc<QueueEnd>),
    Shared {
        writer: Option<Use>,
        readers: Vec<Use>,
        /// The number of readers at which finished readers are searched for and dropped.
        prune_at: usize,
    },
}

/// A command that used the memory, and the queue of the command.
#[derive(Clone, Debug)]
struct Use {
    event: Event,
    queue: Arc<QueueEnd>,
}

/// The number of readers that are remembered one by one; more are merged into one marker.
const MOST_READERS: usize = 256;
/// The first number of readers at which the finished readers are dropped.
const FIRST_PRUNE: usize = 16;

impl Hazards {
    /// Returns whether the order of `queue` is enough for a command on it.
    pub(crate) fn is_home(&self, queue: &Arc<QueueEnd>) -> bool {
        // Sequentially consistent, because the home is compared before and after enqueueing. If
        // another thread takes the home away in between, either the second comparison sees the
        // change, or the other thread sees the command.
        std::ptr::eq(self.home.load(Ordering::SeqCst), Arc::as_ptr(queue))
    }

    fn lock(&self) -> MutexGuard<'_, Tracked> {
        self.tracked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the uses for a command that gives the memory to the host. A host that gets
    /// [`Access::Write`] may also read, so the list then has [`Access::Read`], too. With it, hazard
    /// tracking refuses memory whose contents depend on a failed user event.
    pub(crate) fn by_host(&self, access: Access) -> impl Iterator<Item = (&Hazards, Access)> + Clone {
        let read = (access == Access::Write).then_some((self, Access::Read));
        read.into_iter().chain([(self, access)])
    }

    /// Drops the user events that the contents depend on, because the contents will not be read.
    pub(crate) fn forget_doubts(&self) {
        let mut tracked = self.lock();
        tracked.doubts = Doubts::NONE;
        self.publish(&tracked);
    }

    /// Prepares a command on `queue`, before it is enqueued: adds the events that it must wait for
    /// to `waits`, and the user events that its success depends on to `doubts`.
    pub(crate) fn before(
        &self,
        queue: &Arc<QueueEnd>,
        access: Access,
        waits: &mut Vec<Event>,
        doubts: &mut Doubts,
    ) -> Result<()> {
        let mut tracked = self.lock();
        tracked.doubts.settle();
        if access == Access::Read {
            tracked.doubts.unreadable().map_or(Ok(()), Err)?;
            doubts.add(&tracked.doubts);
        }
        match &tracked.state {
            State::Unused if queue.is_in_order() => {
                self.settle(&mut tracked, queue);
                return Ok(());
            }
            State::Home(home) if Arc::ptr_eq(home, queue) => {
                self.publish(&tracked);
                return Ok(());
            }
            State::Unused => {
                tracked.state = State::Shared { writer: None, readers: vec![], prune_at: FIRST_PRUNE };
            }
            State::Home(home) => {
                let home = Arc::clone(home);
                // First closes the fast path for other threads, then enqueues the marker behind the
                // commands that took the fast path.
                self.home.store(null_mut(), Ordering::SeqCst);
                let writer = match home.mark() {
                    Ok(event) => event.map(|event| Use { event, queue: home }),
                    Err(error) => {
                        self.publish(&tracked);
                        return Err(error);
                    }
                };
                tracked.state = State::Shared { writer, readers: vec![], prune_at: FIRST_PRUNE };
            }
            State::Shared { .. } => {}
        }
        let State::Shared { writer, readers, .. } = &tracked.state else { return Ok(()) };
        let readers = if access.writes() { readers.as_slice() } else { &[] };
        for earlier in writer.iter().chain(readers) {
            if Arc::ptr_eq(&earlier.queue, queue) {
                if queue.is_in_order() {
                    continue;
                }
            } else {
                // A command may wait for a command of another queue only after that queue was flushed.
                earlier.queue.flush()?;
            }
            if waits.contains(&earlier.event) {
                continue;
            }
            match earlier.event.driver_failure()? {
                // With some drivers a command that waits for a failed command never ends.
                Some(error) if access == Access::Read => return Err(error),
                Some(_) => {}
                None => waits.push(earlier.event.clone()),
            }
        }
        Ok(())
    }

    /// Returns whether a command needs an event, so that other commands can wait for it.
    pub(crate) fn needs_event(&self, queue: &Arc<QueueEnd>, access: Access) -> bool {
        !(queue.is_in_order() && (access.writes() || self.is_home(queue)))
    }

    /// Records a command after it was enqueued. `event` is the command's event, or `None` if
    /// [`needs_event`](Hazards::needs_event) returned `false`. `doubts` are the user events that
    /// its success depends on.
    pub(crate) fn after(
        &self,
        queue: &Arc<QueueEnd>,
        access: Access,
        event: Option<&Event>,
        doubts: &Doubts,
    ) -> Result<()> {
        let mut tracked = self.lock();
        if access == Access::Overwrite {
            tracked.doubts = Doubts::NONE;
        }
        if access.writes() {
            tracked.doubts.add(doubts);
        }
        if matches!(&tracked.state, State::Home(home) if Arc::ptr_eq(home, queue)) {
            self.publish(&tracked);
            return Ok(());
        }
        if access.writes() && queue.is_in_order() {
            // The write waited for all earlier commands: from now on the queue's order is enough.
            self.settle(&mut tracked, queue);
            return Ok(());
        }
        let event = match event {
            Some(event) => event.clone(),
            // Another thread has shared the memory meanwhile.
            None => match queue.mark()? {
                Some(event) => event,
                None => return Ok(()),
            },
        };
        let new = Use { event, queue: Arc::clone(queue) };
        match &mut tracked.state {
            State::Shared { readers, prune_at, .. } if access == Access::Read => {
                // On an in-order queue the later reader ends last.
                readers.retain(|reader| !(queue.is_in_order() && Arc::ptr_eq(&reader.queue, queue)));
                readers.push(new);
                if readers.len() >= *prune_at {
                    readers.retain(|reader| !reader.event.has_ended());
                    if readers.len() >= MOST_READERS {
                        merge_readers(readers, queue)?;
                    }
                    *prune_at = (2 * readers.len()).max(FIRST_PRUNE);
                }
            }
            State::Unused | State::Home(_) | State::Shared { .. } => {
                let (writer, readers) = if access.writes() { (Some(new), vec![]) } else { (None, vec![new]) };
                self.home.store(null_mut(), Ordering::SeqCst);
                tracked.state = State::Shared { writer, readers, prune_at: FIRST_PRUNE };
            }
        }
        Ok(())
    }

    /// Makes an in-order queue the home.
    fn settle(&self, tracked: &mut Tracked, queue: &Arc<QueueEnd>) {
        tracked.state = State::Home(Arc::clone(queue));
        self.publish(tracked);
    }

    /// Publishes the home for threads that take the fast path.
    fn publish(&self, tracked: &Tracked) {
        let home = match &tracked.state {
            State::Home(queue) if tracked.doubts.is_empty() => Arc::as_ptr(queue).cast_mut(),
            _ => null_mut(),
        };
        self.home.store(home, Ordering::SeqCst);
    }
}

/// Replaces many readers by one marker on `queue` that waits for all of them.
fn merge_readers(readers: &mut Vec<Use>, queue: &Arc<QueueEnd>) -> Result<()> {
    for reader in readers.iter().filter(|reader| !Arc::ptr_eq(&reader.queue, queue)) {
        reader.queue.flush()?;
    }
    let events: Vec<Event> = readers.iter().map(|reader| reader.event.clone()).collect();
    if let Some(event) = queue.mark_after(&events)? {
        *readers = vec![Use { event, queue: Arc::clone(queue) }];
    }
    Ok(())
}
