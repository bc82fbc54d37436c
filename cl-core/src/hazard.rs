//! Hazard tracking: commands on different queues, or on an out-of-order queue, see each other's
//! results without a wait list in the program.
//!
//! Device memory remembers who used it last. As long as that is one in-order queue it is the
//! memory's *home*: the queue's own order is enough, and all that is paid is one comparison before
//! and one after a command. When another queue comes, or the queue is out of order, the memory is
//! *shared* and keeps events: a writer waits for the last writer and for every reader since, a
//! reader for the last writer, and readers do not wait for each other. A write on an in-order queue
//! makes that queue the home again.
//!
//! A command that failed is waited for by nobody. Until the memory is written again, commands that
//! would have to wait for what it should have written get its error.
//!
//! Memory also remembers the user events that its contents depend on, until each of them has
//! completed. Such memory is not at home anywhere, so that every command looks at them: a command
//! depends on what the memory that it reads depends on, and reading is an error once one of the user
//! events has failed. Only a command that overwrites all of the memory frees it from that.

use crate::error::Result;
use crate::event::{Doubts, Event};
use crate::queue_end::QueueEnd;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a command does with memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads only. Other readers may run at the same time.
    Read,
    /// Writes, and may read as well.
    Write,
    /// Writes whatever is read later, and depends on nothing that the memory held before. After a
    /// user event has failed that the contents depended on, this makes the memory usable again.
    Overwrite,
}

impl Access {
    /// Whether the memory's contents change.
    #[must_use]
    pub fn writes(self) -> bool {
        self != Access::Read
    }
}

/// Who used a block of memory last. Sub-buffers share their parent's.
#[derive(Debug, Default)]
pub(crate) struct Hazards {
    /// The queue that is the memory's home, or null. The pointer is only compared; `state` keeps
    /// what it points to alive, so that no other queue can have the same one. Null while there are
    /// doubts about the contents.
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
        /// From how many readers on it is worth looking which of them have finished.
        prune_at: usize,
    },
}

/// A command that used the memory, and the queue it is on.
#[derive(Clone, Debug)]
struct Use {
    event: Event,
    queue: Arc<QueueEnd>,
}

/// Readers that are remembered one by one; more are gathered behind one marker.
const MOST_READERS: usize = 256;
/// The first number of readers at which the finished ones are dropped.
const FIRST_PRUNE: usize = 16;

impl Hazards {
    /// Whether `queue`'s own order is all that a command on it needs.
    pub(crate) fn is_home(&self, queue: &Arc<QueueEnd>) -> bool {
        // Sequentially consistent, because this is asked before and after enqueueing: whoever takes
        // the home away in between either is seen by the second question, or sees the command.
        std::ptr::eq(self.home.load(Ordering::SeqCst), Arc::as_ptr(queue))
    }

    fn lock(&self) -> MutexGuard<'_, Tracked> {
        self.tracked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The memory for a command after which the host has it: to write, the host also reads it.
    pub(crate) fn by_host(&self, access: Access) -> impl Iterator<Item = (&Hazards, Access)> + Clone {
        let read = (access == Access::Write).then_some((self, Access::Read));
        read.into_iter().chain([(self, access)])
    }

    /// Forgets the user events that the contents depend on, because nobody will read the contents.
    pub(crate) fn forget_doubts(&self) {
        let mut tracked = self.lock();
        tracked.doubts = Doubts::NONE;
        self.publish(&tracked);
    }

    /// Before a command on `queue` is enqueued: adds what it must wait for to `waits`, and what its
    /// success depends on to `doubts`.
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
                // First nobody may take the short way any more, then the marker goes behind those
                // that did.
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
                // A command on one queue may wait for another queue's only after a flush.
                earlier.queue.flush()?;
            }
            if waits.contains(&earlier.event) {
                continue;
            }
            match earlier.event.driver_failure()? {
                // Some drivers never end a command that waits for one that has failed.
                Some(error) if access == Access::Read => return Err(error),
                Some(_) => {}
                None => waits.push(earlier.event.clone()),
            }
        }
        Ok(())
    }

    /// Whether a command needs an event, so that others can wait for it.
    pub(crate) fn needs_event(&self, queue: &Arc<QueueEnd>, access: Access) -> bool {
        !(queue.is_in_order() && (access.writes() || self.is_home(queue)))
    }

    /// After a command was enqueued: remembers it. `event` is the command's, unless
    /// [`needs_event`](Hazards::needs_event) said that none is needed. `doubts`: what its success
    /// depends on.
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
            // The write waited for all that came before: from here on the queue's order is enough.
            self.settle(&mut tracked, queue);
            return Ok(());
        }
        let event = match event {
            Some(event) => event.clone(),
            // The memory was shared by somebody else meanwhile.
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
                        gather(readers, queue)?;
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

    /// Tells those who take the short way where the home is.
    fn publish(&self, tracked: &Tracked) {
        let home = match &tracked.state {
            State::Home(queue) if tracked.doubts.is_empty() => Arc::as_ptr(queue).cast_mut(),
            _ => null_mut(),
        };
        self.home.store(home, Ordering::SeqCst);
    }
}

/// Replaces many readers by one marker on `queue` that waits for all of them.
fn gather(readers: &mut Vec<Use>, queue: &Arc<QueueEnd>) -> Result<()> {
    for reader in readers.iter().filter(|reader| !Arc::ptr_eq(&reader.queue, queue)) {
        reader.queue.flush()?;
    }
    let events: Vec<Event> = readers.iter().map(|reader| reader.event.clone()).collect();
    if let Some(event) = queue.mark_after(&events)? {
        *readers = vec![Use { event, queue: Arc::clone(queue) }];
    }
    Ok(())
}
