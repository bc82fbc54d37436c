//! Command queues: where work for a device is handed in.

use crate::attachments::Attachments;
use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::event::{Event, log_failed_release};
use crate::library::Library;
use crate::queue_end::QueueEnd;
use crate::raw::cl_command_queue;
use crate::recording::Recorder;
use crate::scratch::Pool;
use crate::submission::Submission;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// How a queue is to be made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueOptions {
    profiling: bool,
    out_of_order: bool,
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
        QueueOptions { profiling: true, ..self }
    }

    /// Lets the device run commands in any order, and several at a time. Commands that use the same
    /// memory still see each other's results: those that must wait for each other do.
    #[must_use]
    pub fn out_of_order(self) -> QueueOptions {
        QueueOptions { out_of_order: true, ..self }
    }
}

/// A command queue: in order, unless it was made [out of order](QueueOptions::out_of_order).
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
    end: Arc<QueueEnd>,
}

// SAFETY: OpenCL queues may be used from any thread.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

impl Drop for Handle {
    fn drop(&mut self) {
        self.end.close(Arc::strong_count(&self.end) > 1);
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
        let mut properties = 0;
        if options.profiling {
            properties |= cl_sys::CL_QUEUE_PROFILING_ENABLE;
        }
        if options.out_of_order {
            properties |= cl_sys::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
            if !context.device().has_out_of_order_queues()? {
                let feature = "out-of-order queues".to_owned();
                return Err(Error::Unsupported { feature, device: context.device().to_string() });
            }
        }
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
        let end = Arc::new(QueueEnd::new(library, context.as_raw(), raw, !options.out_of_order));
        Ok(Queue(Arc::new(Inner {
            attachments: Attachments::default(),
            pool: Pool::default(),
            recorder: Recorder::default(),
            handle: Handle { library, raw, end },
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

    /// Whether commands run one after the other, in the order they were enqueued.
    #[must_use]
    pub fn is_in_order(&self) -> bool {
        !self.0.options.out_of_order
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
        self.end().mark()?.ok_or_else(|| unreachable!("the queue is open as long as it exists"))
    }

    /// The next command on this queue starts when all of these have completed.
    pub fn after<'a>(&'a self, events: &'a [&'a Event]) -> Submission<'a> {
        Submission::from(self).after(events)
    }

    /// The next command on this queue puts its event here.
    pub fn signal<'a>(&'a self, event: &'a mut Option<Event>) -> Submission<'a> {
        Submission::from(self).signal(event)
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

    /// Its end, for those who may have to wait for its commands later.
    pub(crate) fn end(&self) -> &Arc<QueueEnd> {
        &self.0.handle.end
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
