//! Events: waiting for a command and asking when it ran.

use crate::error::{Error, Result};
use crate::info;
use crate::library::Library;
use crate::raw::{cl_context, cl_event, cl_int, cl_uint};
use crate::status::Status;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A command that was enqueued. Cheap to clone.
#[derive(Clone)]
pub struct Event(Arc<Inner>);

struct Inner {
    library: Library,
    raw: cl_event,
    /// Only compared, never used.
    context: cl_context,
    command: &'static str,
}

/// How far a command has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventStatus {
    /// Waiting in the host's queue.
    Queued,
    /// Handed to the device.
    Submitted,
    /// Running.
    Running,
    /// Finished without error.
    Complete,
    /// Ended with an error.
    Failed(Status),
}

/// When a command was enqueued, submitted, started and ended: nanoseconds on the device's clock,
/// whose zero is the driver's.
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
    /// Time from start to end on the device.
    #[must_use]
    pub fn duration(&self) -> Duration {
        Duration::from_nanos(self.ended.saturating_sub(self.started))
    }
}

// SAFETY: OpenCL events may be used from any thread.
unsafe impl Send for Inner {}
// SAFETY: as above.
unsafe impl Sync for Inner {}

impl Event {
    /// Takes over the reference that an enqueue call returned.
    ///
    /// # Safety
    /// `raw` is an event of `library` and `context` whose reference nobody else releases.
    pub(crate) unsafe fn from_raw(
        library: Library,
        context: cl_context,
        raw: cl_event,
        command: &'static str,
    ) -> Event {
        Event(Arc::new(Inner { library, raw, context, command }))
    }

    /// The context, for comparing.
    pub(crate) fn context(&self) -> cl_context {
        self.0.context
    }

    /// Whether the command is known to have ended, with or without an error.
    pub(crate) fn has_ended(&self) -> bool {
        matches!(self.status(), Ok(EventStatus::Complete | EventStatus::Failed(_)))
    }

    /// Blocks until the command has ended.
    ///
    /// # Errors
    /// [`Error::Driver`] with the command's own status when it failed.
    pub fn wait(&self) -> Result<()> {
        // SAFETY: one valid event.
        let waited = unsafe { (self.0.library.functions().clWaitForEvents)(1, &raw const self.0.raw) };
        // When the command failed, its own status says more than the wait's.
        if let EventStatus::Failed(status) = self.status()? {
            return Err(Error::driver(self.0.command, status).note("reported after the command was enqueued"));
        }
        Error::check("clWaitForEvents", waited)
    }

    /// How far the command has come.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver fails to answer.
    pub fn status(&self) -> Result<EventStatus> {
        let get = self.0.library.functions().clGetEventInfo;
        let name = cl_sys::CL_EVENT_COMMAND_EXECUTION_STATUS;
        let status: cl_int = info::value("clGetEventInfo", |size, value, ret| {
            // SAFETY: a valid event; `info` passes matching pointers and sizes.
            unsafe { get(self.0.raw, name, size, value, ret) }
        })?;
        Ok(match status {
            cl_sys::CL_COMPLETE => EventStatus::Complete,
            cl_sys::CL_RUNNING => EventStatus::Running,
            cl_sys::CL_SUBMITTED => EventStatus::Submitted,
            code if code < 0 => EventStatus::Failed(Status(code)),
            _ => EventStatus::Queued,
        })
    }

    /// When the command ran. Waits for its end first.
    ///
    /// # Errors
    /// [`Error::Driver`] with `CL_PROFILING_INFO_NOT_AVAILABLE` when the queue does not profile,
    /// and those of [`Event::wait`].
    pub fn profile(&self) -> Result<Profile> {
        self.wait()?;
        Ok(Profile {
            command: self.0.command,
            queued: self.time(cl_sys::CL_PROFILING_COMMAND_QUEUED)?,
            submitted: self.time(cl_sys::CL_PROFILING_COMMAND_SUBMIT)?,
            started: self.time(cl_sys::CL_PROFILING_COMMAND_START)?,
            ended: self.time(cl_sys::CL_PROFILING_COMMAND_END)?,
        })
    }

    fn time(&self, name: cl_uint) -> Result<u64> {
        let get = self.0.library.functions().clGetEventProfilingInfo;
        info::value("clGetEventProfilingInfo", |size, value, ret| {
            // SAFETY: a valid event; `info` passes matching pointers and sizes.
            unsafe { get(self.0.raw, name, size, value, ret) }
        })
        .map_err(|error| error.note("create the queue with QueueOptions::profiling"))
    }

    /// The C function that enqueued the command.
    #[must_use]
    pub fn command(&self) -> &'static str {
        self.0.command
    }

    /// The C handle.
    #[must_use]
    pub fn as_raw(&self) -> cl_event {
        self.0.raw
    }
}

impl PartialEq for Event {
    fn eq(&self, other: &Self) -> bool {
        self.0.raw == other.0.raw
    }
}

impl Eq for Event {}

impl Drop for Inner {
    fn drop(&mut self) {
        // SAFETY: the reference is owned and released once.
        let status = unsafe { (self.library.functions().clReleaseEvent)(self.raw) };
        log_failed_release("clReleaseEvent", status);
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event").field("command", &self.0.command).field("status", &self.status()).finish()
    }
}

/// Destructors never panic: a release that fails is worth a line in the log.
pub(crate) fn log_failed_release(call: &'static str, status: cl_int) {
    if status != 0 {
        log::error!("{call} failed: {}", Status(status));
    }
}
