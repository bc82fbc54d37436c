//! Submissions: every command reaches its queue through one.

use crate::error::{Error, Result};
use crate::event::{Doubts, Event};
use crate::hazard::{Access, Hazards};
use crate::queue::Queue;
use crate::raw::{cl_event, cl_int, cl_uint};
use std::ptr::{null, null_mut};
use std::sync::Arc;

/// The queue of a command, the events that it waits for, and the variable that takes its event.
///
/// Everything that enqueues a command takes `impl Into<Submission>`, and `&queue` converts into one.
/// Wait lists are seldom needed: commands that use the same memory wait for each other by themselves.
///
/// ```
/// # use cl_core::{Buffer, Device, Queue};
/// # fn main() -> cl_core::Result<()> {
/// let queue = Queue::on(&Device::first()?)?;
/// let mut x = Buffer::filled(&queue, 1, 10)?;
/// let mut filled = None;
/// x.fill(queue.signal(&mut filled), 2)?;
/// let after: Vec<_> = filled.iter().collect();
/// x.fill(queue.after(&after), 3)?;
/// assert_eq!(x.to_vec(&queue)?, [3; 10]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Submission<'a> {
    queue: &'a Queue,
    after: &'a [&'a Event],
    signal: Option<&'a mut Option<Event>>,
    /// The command's name in recordings; by default the C function.
    label: Option<&'a str>,
}

impl<'a> From<&'a Queue> for Submission<'a> {
    fn from(queue: &'a Queue) -> Self {
        Submission { queue, after: &[], signal: None, label: None }
    }
}

impl<'a> Submission<'a> {
    /// Makes the command wait until all of these events have completed. If one has failed already,
    /// enqueueing returns an error, and nothing is enqueued. If one fails later, the command's
    /// event fails, and reading the memory that the command writes is an error; see
    /// [`UserEvent::fail`](crate::UserEvent::fail).
    #[must_use]
    pub fn after(self, events: &'a [&'a Event]) -> Submission<'a> {
        Submission { after: events, ..self }
    }

    /// Stores the command's event in `event`, once the command has been enqueued.
    #[must_use]
    pub fn signal(self, event: &'a mut Option<Event>) -> Submission<'a> {
        Submission { signal: Some(event), ..self }
    }

    /// Returns the queue.
    #[must_use]
    pub fn queue(&self) -> &'a Queue {
        self.queue
    }

    /// Sets the command's name in recordings: the name of a kernel.
    pub(crate) fn label(&mut self, label: &'a str) {
        self.label = Some(label);
    }

    /// Returns a submission with the same queue and wait list, for the first of several commands.
    /// Call [`mark`](Submission::mark) after the last command: it makes the event for all of them.
    pub(crate) fn first_of_several(&self) -> Submission<'a> {
        Submission { queue: self.queue, after: self.after, signal: None, label: self.label }
    }

    /// Enqueues one command by `enqueue`. Returns its event, and also stores it where
    /// [`signal`](Submission::signal) asked for it.
    pub(crate) fn with_event(self, enqueue: impl FnOnce(Submission<'_>) -> Result<()>) -> Result<Event> {
        let Submission { queue, after, signal, label } = self;
        let mut event = None;
        enqueue(Submission { queue, after, signal: Some(&mut event), label })?;
        let event = event.map_or_else(|| queue.marker(), Ok)?;
        if let Some(signal) = signal {
            *signal = Some(event.clone());
        }
        Ok(event)
    }

    /// Handles a command that has nothing to do: makes no driver call, unless an event is wanted.
    pub(crate) fn skip(self) -> Result<()> {
        if self.signal.is_none() { self.check_events() } else { self.mark() }
    }

    /// Enqueues a marker, if an event is wanted.
    pub(crate) fn mark(self) -> Result<()> {
        if self.signal.is_some() { self.marker().map(drop) } else { Ok(()) }
    }

    /// Returns an error unless the events may be waited for on this queue.
    fn check_events(&self) -> Result<()> {
        for event in self.after {
            if event.context() != self.queue.context().as_raw() {
                let reason = "an event to wait for belongs to another context";
                return Err(Error::ForeignObject { operation: "wait list", reason });
            }
            event.failure()?.map_or(Ok(()), Err)?;
        }
        Ok(())
    }

    /// Works as [`run`](Submission::run), and returns the command's event, even if the program did
    /// not ask for it.
    pub(crate) fn run_event<'m>(
        self,
        call: &'static str,
        uses: impl IntoIterator<Item = (&'m Hazards, Access), IntoIter: Clone>,
        blocking: Blocking,
        submit: impl FnOnce(&Queue, Waits<'_>, *mut cl_event) -> cl_int,
    ) -> Result<Event> {
        self.with_event(|to| to.run(call, uses, blocking, submit))
    }

    /// Enqueues a command that uses the memory in `uses`. `submit` makes the call `call`, and
    /// passes on the wait list and the pointer for the event unchanged.
    pub(crate) fn run<'m>(
        self,
        call: &'static str,
        uses: impl IntoIterator<Item = (&'m Hazards, Access), IntoIter: Clone>,
        blocking: Blocking,
        submit: impl FnOnce(&Queue, Waits<'_>, *mut cl_event) -> cl_int,
    ) -> Result<()> {
        let (queue, uses) = (self.queue, uses.into_iter());
        let at_home = || uses.clone().all(|(memory, _)| memory.is_home(queue.end()));
        let home = at_home();
        if home && self.after.is_empty() && self.signal.is_none() && queue.recorder().live().is_none() {
            // The fast path, which nearly all commands take: no event is wanted, and the queue's
            // own order is enough.
            Error::check(call, submit(queue, Waits::NONE, null_mut()))?;
            if !at_home() {
                remember(queue, uses, blocking, None, &Doubts::NONE)?;
            }
        } else {
            self.run_tracked(call, uses, home, blocking, submit)?;
        }
        if blocking == Blocking::Command { queue.waited() } else { Ok(()) }
    }

    /// Enqueues a command like [`run`](Submission::run), but not on the fast path. `home` is `true`
    /// if the queue's own order is enough.
    fn run_tracked<'m>(
        self,
        call: &'static str,
        uses: impl Iterator<Item = (&'m Hazards, Access)> + Clone,
        home: bool,
        blocking: Blocking,
        submit: impl FnOnce(&Queue, Waits<'_>, *mut cl_event) -> cl_int,
    ) -> Result<()> {
        self.check_events()?;
        let Submission { queue, after, signal, label } = self;
        let end = queue.end();
        let at_home = || uses.clone().all(|(memory, _)| memory.is_home(end));

        let mut list: Vec<cl_event> = Vec::new();
        // Keeps the events alive until the call is over.
        let mut earlier: Vec<Event> = Vec::new();
        let mut doubts = Doubts::NONE;
        for event in after {
            event.add_doubts_to(&mut doubts);
        }
        if !home {
            for (memory, access) in uses.clone() {
                memory.before(end, access, &mut earlier, &mut doubts)?;
            }
        }
        if !(after.is_empty() && earlier.is_empty()) {
            for event in after {
                // A command may wait for a command of another queue only after that queue was flushed.
                if event.is_elsewhere(end) {
                    event.flush()?;
                }
                list.push(event.as_raw());
            }
            list.extend(earlier.iter().map(Event::as_raw));
        }
        let waits = Waits::of(&list, &doubts);

        let recording = queue.recorder().live();
        let tracked = !home
            && uses
                .clone()
                .any(|(memory, access)| blocking.leaves(access) && memory.needs_event(end, access));
        // PoCL 3.1 reports success for a blocking command that failed because an event in its wait
        // list failed.
        let doubtful = blocking != Blocking::No && (waits.count > 0 || !doubts.is_empty());
        let event = if signal.is_some() || recording.is_some() || tracked || doubtful {
            let mut raw = null_mut();
            Error::check(call, submit(queue, waits, &raw mut raw))?;
            let (library, context) = (queue.library(), queue.context().as_raw());
            // SAFETY: the call succeeded and gave us the only reference.
            Some(unsafe { Event::in_doubt(library, context, raw, call, Arc::downgrade(end), doubts.clone()) })
        } else {
            Error::check(call, submit(queue, waits, null_mut()))?;
            None
        };
        if let (Some(number), Some(event)) = (recording, &event) {
            queue.recorder().note(number, event, label);
        }
        if !(home && at_home() && doubts.is_empty()) {
            remember(queue, uses, blocking, event.as_ref(), &doubts)?;
        }
        // Reports the failures that drivers hide (see `doubtful`). Intel's runtime 2026 even gives
        // the failed command's own event the status complete, although the command did nothing.
        let failed = if doubtful {
            let own = event.iter().chain(after.iter().copied()).map(Event::failure);
            let mut failures = own.chain(earlier.iter().map(Event::driver_failure));
            failures.find_map(Result::transpose).transpose()
        } else {
            Ok(None)
        };
        if let Some(signal) = signal {
            *signal = event;
        }
        failed?.map_or(Ok(()), Err)
    }
}

/// Records a command in the memory that it uses.
fn remember<'m>(
    queue: &Queue,
    uses: impl Iterator<Item = (&'m Hazards, Access)>,
    blocking: Blocking,
    event: Option<&Event>,
    doubts: &Doubts,
) -> Result<()> {
    for (memory, access) in uses {
        if !blocking.leaves(access) {
            continue;
        }
        if let Err(error) = memory.after(queue.end(), access, event, doubts) {
            // The command runs, but other commands could not wait for it, so this call waits for it now.
            queue.finish()?;
            return Err(error);
        }
    }
    Ok(())
}

/// The point that a call waits for before it returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blocking {
    /// The end of its command.
    Command,
    /// The end of the command's use of host memory: the command may run later.
    Host,
    /// Nothing.
    No,
}

impl Blocking {
    /// Returns whether other commands may have to wait for this command after the call has
    /// returned. They do not have to wait for a read that has ended.
    fn leaves(self, access: Access) -> bool {
        !(self == Blocking::Command && access == Access::Read)
    }
}

/// A wait list in OpenCL's form, and the host's knowledge about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waits<'w> {
    pub(crate) count: cl_uint,
    pub(crate) list: *const cl_event,
    /// The user events that the command's success depends on.
    pub(crate) doubts: &'w Doubts,
}

static NO_DOUBTS: Doubts = Doubts::NONE;

impl<'w> Waits<'w> {
    const NONE: Waits<'static> = Waits { count: 0, list: null(), doubts: &NO_DOUBTS };

    fn of(list: &[cl_event], doubts: &'w Doubts) -> Waits<'w> {
        // An empty list must be a null pointer: drivers refuse anything else.
        let pointer = if list.is_empty() { null() } else { list.as_ptr() };
        Waits { count: list.len() as cl_uint, list: pointer, doubts }
    }
}
