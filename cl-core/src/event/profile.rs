//! The times at which a command ran.

use super::Event;
use crate::error::Result;
use crate::info;
use crate::raw::cl_uint;
use std::time::Duration;

/// The times at which a command was enqueued, submitted, started and ended, in nanoseconds on the
/// device's clock. The driver chooses the clock's zero.
///
/// Drivers keep only one promise about these times: `queued <= submitted <= started <= ended`. A
/// duration may be zero, or a multiple of a coarse clock's tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// The C function that enqueued the command.
    pub command: &'static str,
    /// `CL_PROFILING_COMMAND_QUEUED`.
    pub queued: u64,
    /// `CL_PROFILING_COMMAND_SUBMIT`.
    pub submitted: u64,
    /// `CL_PROFILING_COMMAND_START`.
    pub started: u64,
    /// `CL_PROFILING_COMMAND_END`.
    pub ended: u64,
}

impl Profile {
    /// Returns the time from start to end on the device; the same as [`running`](Profile::running).
    #[must_use]
    pub fn duration(&self) -> Duration {
        self.running()
    }

    /// Returns the time in the host's queue: until the command was submitted to the device.
    #[must_use]
    pub fn queueing(&self) -> Duration {
        between(self.queued, self.submitted)
    }

    /// Returns the time on the device before the command started.
    #[must_use]
    pub fn waiting(&self) -> Duration {
        between(self.submitted, self.started)
    }

    /// Returns the time from start to end on the device.
    #[must_use]
    pub fn running(&self) -> Duration {
        between(self.started, self.ended)
    }

    /// Returns the time from enqueueing to the end.
    #[must_use]
    pub fn total(&self) -> Duration {
        between(self.queued, self.ended)
    }
}

/// Returns the time from `start` to `end`, or zero if a driver reports `end` before `start`.
fn between(start: u64, end: u64) -> Duration {
    Duration::from_nanos(end.saturating_sub(start))
}

impl Event {
    /// Returns the times at which the command ran. Waits for its end first.
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) with `CL_PROFILING_INFO_NOT_AVAILABLE` if the queue
    /// does not profile, and the errors of [`Event::wait`].
    pub fn profile(&self) -> Result<Profile> {
        self.wait()?;
        Ok(Profile {
            command: self.command(),
            queued: self.time(cl_sys::CL_PROFILING_COMMAND_QUEUED)?,
            submitted: self.time(cl_sys::CL_PROFILING_COMMAND_SUBMIT)?,
            started: self.time(cl_sys::CL_PROFILING_COMMAND_START)?,
            ended: self.time(cl_sys::CL_PROFILING_COMMAND_END)?,
        })
    }

    fn time(&self, name: cl_uint) -> Result<u64> {
        let get = self.library().functions().clGetEventProfilingInfo;
        info::value("clGetEventProfilingInfo", |size, value, ret| {
            // SAFETY: a valid event; `info` passes matching pointers and sizes.
            unsafe { get(self.as_raw(), name, size, value, ret) }
        })
        .map_err(|error| error.note("create the queue with QueueOptions::profiling"))
    }
}
