//! Recordings: the time that commands of a section of host code took on the device.

use crate::error::{Error, Result};
use crate::event::{Event, Profile};
use crate::queue::Queue;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The recording state of a queue: the commands recorded so far.
#[derive(Default)]
pub(crate) struct Recorder {
    /// The number of the live recording, or 0.
    live: AtomicU64,
    /// The number of recordings begun so far.
    begun: AtomicU64,
    commands: Mutex<Vec<Recorded>>,
}

/// A command that was recorded.
#[derive(Debug)]
pub(crate) struct Recorded {
    pub(crate) event: Event,
    /// The kernel's name, for launches.
    pub(crate) label: Option<Box<str>>,
    /// The time at which the call that enqueued the command returned.
    pub(crate) noted: Instant,
}

impl Recorder {
    /// Returns the number of the live recording.
    pub(crate) fn live(&self) -> Option<u64> {
        Some(self.live.load(Ordering::Relaxed)).filter(|&number| number != 0)
    }

    /// Adds a command to the recording with this number. Does nothing if the recording has ended
    /// since its number was read.
    pub(crate) fn note(&self, number: u64, event: &Event, label: Option<&str>) {
        let noted = Instant::now();
        // A recording ends under the lock, so it cannot end between the comparison and the push.
        let mut commands = self.lock();
        if self.live() == Some(number) {
            commands.push(Recorded { event: event.clone(), label: label.map(Box::from), noted });
        }
    }

    /// Ends the recording with this number and returns its commands. Returns an empty list if it
    /// has ended already.
    fn end(&self, number: u64) -> Vec<Recorded> {
        let mut commands = self.lock();
        let ended = self.live.compare_exchange(number, 0, Ordering::Relaxed, Ordering::Relaxed);
        if ended.is_ok() { std::mem::take(&mut *commands) } else { Vec::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Recorded>> {
        self.commands.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Collects every command that is enqueued on a queue while the recording is live. Made by
/// [`Queue::record`].
///
/// ```
/// # use cl_core::{Buffer, Context, Device, Queue, QueueOptions};
/// # fn main() -> cl_core::Result<()> {
/// let context = Context::on(&Device::first()?)?;
/// let queue = Queue::new(&context, QueueOptions::new().profiling())?;
/// let recording = queue.record()?;
/// let x = Buffer::filled(&queue, 1.0_f32, 1000)?;
/// let commands = recording.finish()?;
/// assert_eq!(commands.len(), 1); // the fill
/// println!("{:?} on the device", cl_core::Recording::span(&commands));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "a recording ends when it is dropped"]
pub struct Recording<'q> {
    queue: &'q Queue,
    number: u64,
}

impl Queue {
    /// Starts to record this queue's commands.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if the queue was not made with
    /// [`QueueOptions::profiling`](crate::QueueOptions::profiling), or is being recorded already. A
    /// leaked [`Recording`] goes on; [`end_recording`](Queue::end_recording) ends it.
    pub fn record(&self) -> Result<Recording<'_>> {
        let refuse = |reason: &str| Err(Error::InvalidInput { what: "recording", reason: reason.to_owned() });
        if !self.is_profiling() {
            return refuse("create the queue with QueueOptions::profiling");
        }
        let recorder = self.recorder();
        let number = recorder.begun.fetch_add(1, Ordering::Relaxed) + 1;
        if recorder.live.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed).is_err() {
            return refuse("this queue is being recorded already; `Queue::end_recording` ends that");
        }
        Ok(Recording { queue: self, number })
    }

    /// Ends this queue's recording and drops the recorded commands. The [`Recording`] is then
    /// empty. Needed only for a leaked recording, which otherwise grows for ever.
    pub fn end_recording(&self) {
        let recorder = self.recorder();
        recorder.end(recorder.live.load(Ordering::Relaxed));
    }
}

impl Recording<'_> {
    /// Ends the recording, waits for the recorded commands, and returns the profile of each
    /// command, in the order in which they were enqueued.
    ///
    /// # Errors
    /// [`Error::Driver`] when a command failed.
    pub fn finish(self) -> Result<Vec<Profile>> {
        self.take().iter().map(|command| command.event.profile()).collect()
    }

    pub(crate) fn queue(&self) -> &Queue {
        self.queue
    }

    /// Returns the number of commands recorded so far.
    pub(crate) fn len(&self) -> usize {
        self.queue.recorder().lock().len()
    }

    /// Ends the recording and returns its commands.
    pub(crate) fn take(self) -> Vec<Recorded> {
        self.queue.recorder().end(self.number)
    }

    /// Returns the time from the first start to the last end: gaps between commands count.
    #[must_use]
    pub fn span(commands: &[Profile]) -> Duration {
        let start = commands.iter().map(|command| command.started).min().unwrap_or(0);
        let end = commands.iter().map(|command| command.ended).max().unwrap_or(0);
        Duration::from_nanos(end.saturating_sub(start))
    }
}

impl Drop for Recording<'_> {
    fn drop(&mut self) {
        self.queue.recorder().end(self.number);
    }
}
