//! Command queues: where work for a device is handed in.

use crate::attachments::Attachments;
use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::event::{Event, log_failed_release};
use crate::library::Library;
use crate::raw::{cl_command_queue, cl_event, cl_int};
use crate::recording::Recorder;
use crate::scratch::Pool;
use std::any::Any;
use std::fmt;
use std::ptr::null_mut;
use std::sync::Arc;

/// How a queue is to be made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueOptions {
    profiling: bool,
}

impl QueueOptions {
    /// An in-order queue without profiling.
    #[must_use]
    pub fn new() -> QueueOptions {
        QueueOptions::default()
    }

    /// Lets the driver note when each command ran: for [`Event::profile`](crate::Event::profile)
    /// and [`Queue::record`].
    #[must_use]
    pub fn profiling(self) -> QueueOptions {
        QueueOptions { profiling: true }
    }
}

/// An in-order command queue: commands run one after the other, in the order they were enqueued.
/// Cheap to clone; clones are the same queue.
#[derive(Clone)]
pub struct Queue(Arc<Inner>);

struct Inner {
    attachments: Attachments,
    pool: Pool,
    recorder: Recorder,
    // Released before the context, which is the last field.
    handle: Handle,
    options: QueueOptions,
    context: Context,
}

/// The C handle, released on drop.
struct Handle {
    library: Library,
    raw: cl_command_queue,
}

// SAFETY: OpenCL queues may be used from any thread.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the handle is owned and released once; commands in flight still complete.
        let status = unsafe { (self.library.functions().clReleaseCommandQueue)(self.raw) };
        log_failed_release("clReleaseCommandQueue", status);
    }
}

impl Queue {
    /// A queue with a context of its own on `device`.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver refuses.
    pub fn on(device: &Device) -> Result<Queue> {
        Queue::new(&Context::on(device)?, QueueOptions::new())
    }

    /// A queue in an existing context.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver refuses.
    pub fn new(context: &Context, options: QueueOptions) -> Result<Queue> {
        let library = context.library();
        let properties = if options.profiling { cl_sys::CL_QUEUE_PROFILING_ENABLE } else { 0 };
        let mut status = 0;
        // SAFETY: the context lives, and the device is its own.
        let raw = unsafe {
            (library.functions().clCreateCommandQueue)(
                context.as_raw(),
                context.device().as_raw(),
                properties,
                &raw mut status,
            )
        };
        Error::check("clCreateCommandQueue", status)?;
        Ok(Queue(Arc::new(Inner {
            attachments: Attachments::default(),
            pool: Pool::default(),
            recorder: Recorder::default(),
            handle: Handle { library, raw },
            options,
            context: context.clone(),
        })))
    }

    /// The context.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// The device.
    #[must_use]
    pub fn device(&self) -> &Device {
        self.0.context.device()
    }

    /// Whether the driver notes when commands run.
    #[must_use]
    pub fn is_profiling(&self) -> bool {
        self.0.options.profiling
    }

    /// Hands everything enqueued so far to the device, without waiting.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver reports one.
    pub fn flush(&self) -> Result<()> {
        // SAFETY: a valid queue.
        Error::check("clFlush", unsafe { (self.functions().clFlush)(self.as_raw()) })
    }

    /// Blocks until everything enqueued so far has ended.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver reports one.
    pub fn finish(&self) -> Result<()> {
        // SAFETY: a valid queue.
        Error::check("clFinish", unsafe { (self.functions().clFinish)(self.as_raw()) })
    }

    /// An event that completes when everything enqueued so far has ended.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver reports one.
    pub fn marker(&self) -> Result<Event> {
        let mark = self.functions().clEnqueueMarkerWithWaitList;
        let mut raw = null_mut();
        // SAFETY: a valid queue; an empty wait list means all earlier commands.
        let status = unsafe { mark(self.as_raw(), 0, std::ptr::null(), &raw mut raw) };
        Error::check("clEnqueueMarkerWithWaitList", status)?;
        // SAFETY: the call succeeded and gave us the only reference.
        Ok(unsafe { Event::from_raw(self.library(), raw, "clEnqueueMarkerWithWaitList") })
    }

    /// State that a library keeps for as long as the queue lives, one value a type; as
    /// [`Context::attachment`], and with the same rule.
    #[must_use]
    pub fn attachment<T: Any + Default + Send + Sync>(&self) -> Arc<T> {
        self.0.attachments.get()
    }

    /// The C handle.
    #[must_use]
    pub fn as_raw(&self) -> cl_command_queue {
        self.0.handle.raw
    }

    pub(crate) fn library(&self) -> Library {
        self.0.handle.library
    }

    pub(crate) fn functions(&self) -> &'static crate::raw::Functions {
        self.0.handle.library.functions()
    }

    pub(crate) fn pool(&self) -> &Pool {
        &self.0.pool
    }

    pub(crate) fn recorder(&self) -> &Recorder {
        &self.0.recorder
    }

    /// Runs one enqueue call. An event is created only when the caller wants it or a recording is
    /// live: it costs a tenth of a launch.
    pub(crate) fn enqueue(
        &self,
        call: &'static str,
        wants_event: bool,
        submit: impl FnOnce(*mut cl_event) -> cl_int,
    ) -> Result<Option<Event>> {
        let recording = self.0.recorder.is_live();
        if !wants_event && !recording {
            return Error::check(call, submit(null_mut())).map(|()| None);
        }
        let mut raw = null_mut();
        Error::check(call, submit(&raw mut raw))?;
        // SAFETY: the call succeeded and gave us the only reference.
        let event = unsafe { Event::from_raw(self.library(), raw, call) };
        if recording {
            self.0.recorder.note(&event);
        }
        Ok(Some(event))
    }
}

impl PartialEq for Queue {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Queue {}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue")
            .field("device", self.device())
            .field("profiling", &self.is_profiling())
            .finish_non_exhaustive()
    }
}
