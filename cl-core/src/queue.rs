//! Command queues: commands for a device are enqueued here.

use crate::attachments::Attachments;
use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::event::Event;
use crate::host_function::HostFunctions;
use crate::info;
use crate::library::Library;
use crate::queue_end::QueueEnd;
use crate::queue_options::QueueOptions;
use crate::queue_release::{Release, must_be_idle};
use crate::raw::{self, cl_command_queue};
use crate::recording::Recorder;
use crate::scratch::Pool;
use crate::submission::Submission;
use crate::wait_checks::WaitChecks;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// A command queue. It is in order, unless it was created [out of
/// order](QueueOptions::out_of_order). Cheap to clone; clones are the same queue.
///
/// When the last clone is dropped, commands in flight still complete. With PoCL, a process that
/// ends waits up to ten seconds for them, because PoCL would crash otherwise.
///
/// ```
/// use cl_core::{Buffer, Device, Queue};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// assert!(queue.is_in_order());
/// let mut x = Buffer::filled(&queue, 0, 100)?;
/// x.fill(&queue, 7)?; // enqueued
/// queue.finish()?; // done
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Queue(Arc<Inner>);

struct Inner {
    attachments: Attachments,
    wait_checks: WaitChecks,
    pool: Pool,
    recorder: Recorder,
    host_functions: Arc<HostFunctions>,
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
    must_be_idle: bool,
}

// SAFETY: OpenCL queues may be used from any thread.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

impl Drop for Handle {
    fn drop(&mut self) {
        self.end.close(Arc::strong_count(&self.end) > 1);
        let release = Release { library: self.library, raw: self.raw };
        // SAFETY: the handle is owned and released once.
        unsafe { if self.must_be_idle { release.when_idle() } else { release.now() } }
    }
}

impl Queue {
    /// Creates a queue on `device`, with a context of its own.
    ///
    /// NVIDIA's driver takes at least 0.12 s to create a context and 0.06 s to release it on an H200's host, and programs are
    /// loaded once for each context. Create further queues by [`Queue::new`] with this queue's [`Queue::context`].
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver refuses.
    pub fn on(device: &Device) -> Result<Queue> {
        Queue::new(&Context::on(device)?, QueueOptions::new())
    }

    /// Creates a queue in an existing context.
    ///
    /// ```
    /// use cl_core::{Context, Device, Queue, QueueOptions};
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let context = Context::on(&Device::first()?)?;
    /// let compute = Queue::new(&context, QueueOptions::new().profiling())?;
    /// let transfer = Queue::new(&context, QueueOptions::new())?; // works beside it
    /// assert!(compute.is_profiling() && !transfer.is_profiling());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the options ask for an out-of-order queue and the device does not
    /// support one, [`Error::Driver`] when the driver refuses.
    pub fn new(context: &Context, options: QueueOptions) -> Result<Queue> {
        let raw = options.create(context)?;
        // SAFETY: the driver has just created the queue in this context, and no other code knows it.
        Ok(unsafe { Queue::owned(context, raw, options) })
    }

    /// Takes over a queue that other code created in `context` for its device.
    ///
    /// *One reference* is taken over, and released with the last clone. Call `clRetainCommandQueue`
    /// first if the other code keeps and releases its own reference. Commands that other code
    /// enqueues are not tracked: only the order of the queue makes later commands wait for them.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for null, [`Error::ForeignObject`] if the queue belongs to another
    /// context or another device, [`Error::Driver`] if the driver does not know the queue. After an
    /// error the reference is still the caller's.
    ///
    /// # Safety
    /// `raw` is null or a live queue of the context's library. The host, not a kernel, enqueues on
    /// it, and one of its references belongs to the caller.
    pub unsafe fn from_raw(context: &Context, raw: cl_command_queue) -> Result<Queue> {
        if raw.is_null() {
            return Err(Error::InvalidInput { what: "queue handle", reason: "it is null".to_owned() });
        }
        let get = context.library().functions().clGetCommandQueueInfo;
        // SAFETY: a live queue by the caller's promise; `info` passes matching pointers and sizes.
        let ask = |name| move |size, value, ret| unsafe { get(raw, name, size, value, ret) };
        let call = "clGetCommandQueueInfo";
        let foreign = |reason| Err(Error::ForeignObject { operation: "Queue::from_raw", reason });
        if info::value::<usize>(call, ask(raw::CL_QUEUE_CONTEXT))? != context.as_raw().addr() {
            return foreign("the queue belongs to another context");
        }
        if !context.device().is_among(&[info::value(call, ask(raw::CL_QUEUE_DEVICE))?]) {
            return foreign("the queue belongs to another device");
        }
        let options = QueueOptions::from_bits(info::value(call, ask(raw::CL_QUEUE_PROPERTIES))?);
        // SAFETY: the reference is the caller's to give, and the context is the queue's.
        Ok(unsafe { Queue::owned(context, raw, options) })
    }

    /// Takes over one reference to a queue.
    ///
    /// # Safety
    /// `raw` is a queue of the context for its device, made with these options. No other code
    /// releases its reference.
    unsafe fn owned(context: &Context, raw: cl_command_queue, options: QueueOptions) -> Queue {
        let library = context.library();
        let end = Arc::new(QueueEnd::new(library, context.as_raw(), raw, !options.out_of_order));
        Queue(Arc::new(Inner {
            attachments: Attachments::default(),
            wait_checks: WaitChecks::default(),
            pool: Pool::default(),
            recorder: Recorder::default(),
            host_functions: Arc::default(),
            handle: Handle { library, raw, end, must_be_idle: must_be_idle(context, options.out_of_order) },
            options,
            context: context.clone(),
        }))
    }

    /// Returns whether the queue must be idle before its last reference is released.
    pub(crate) fn must_be_idle(&self) -> bool {
        self.0.handle.must_be_idle
    }

    /// Returns the context.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// Returns the device.
    #[must_use]
    pub fn device(&self) -> &Device {
        self.0.context.device()
    }

    /// Returns whether commands run one after the other, in the order in which they were enqueued.
    #[must_use]
    pub fn is_in_order(&self) -> bool {
        !self.0.options.out_of_order
    }

    /// Returns whether the driver records when commands run.
    #[must_use]
    pub fn is_profiling(&self) -> bool {
        self.0.options.profiling
    }

    /// Returns whether scratch memory is used again: see [`QueueOptions::fresh_scratch`].
    #[must_use]
    pub fn reuses_scratch(&self) -> bool {
        !self.0.options.fresh_scratch
    }

    /// Hands everything enqueued so far to the device, without waiting.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver reports an error.
    pub fn flush(&self) -> Result<()> {
        // SAFETY: a valid queue.
        Error::check("clFlush", unsafe { (self.functions().clFlush)(self.as_raw()) })
    }

    /// Blocks until everything enqueued so far has ended.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver reports an error.
    pub fn finish(&self) -> Result<()> {
        // SAFETY: a valid queue.
        Error::check("clFinish", unsafe { (self.functions().clFinish)(self.as_raw()) })?;
        self.waited()
    }

    /// Registers `check` for the next call that waits for the queue: [`finish`](Queue::finish), or a
    /// transfer or map that blocks. The call runs `check` after the wait, and returns the error of
    /// `check`. A check that was registered several times by then runs only one time. This is for
    /// libraries whose kernels report errors by writing to memory.
    pub fn check_when_waited(&self, check: fn(&Queue) -> Result<()>) {
        self.0.wait_checks.add(check);
    }

    /// Runs the registered checks, after everything enqueued so far has ended.
    pub(crate) fn waited(&self) -> Result<()> {
        self.0.wait_checks.make(self)
    }

    /// Makes the next command on this queue wait until all of these events have completed.
    pub fn after<'a>(&'a self, events: &'a [&'a Event]) -> Submission<'a> {
        Submission::from(self).after(events)
    }

    /// Stores the event of the next command on this queue in `event`.
    pub fn signal<'a>(&'a self, event: &'a mut Option<Event>) -> Submission<'a> {
        Submission::from(self).signal(event)
    }

    /// Returns state that a library keeps as long as the queue lives, one value for each type. The
    /// rules are those of [`Context::attachment`].
    #[must_use]
    pub fn attachment<T: Any + Default + Send + Sync>(&self) -> Arc<T> {
        self.0.attachments.get()
    }

    /// Returns the C handle. It stays valid as long as this `Queue` or a clone of it lives; call
    /// `clRetainCommandQueue` to keep it for longer.
    #[must_use]
    pub fn as_raw(&self) -> cl_command_queue {
        self.0.handle.raw
    }

    pub(crate) fn library(&self) -> Library {
        self.0.handle.library
    }

    pub(crate) fn functions(&self) -> &'static raw::Functions {
        self.0.handle.library.functions()
    }

    pub(crate) fn pool(&self) -> &Pool {
        &self.0.pool
    }

    pub(crate) fn recorder(&self) -> &Recorder {
        &self.0.recorder
    }

    pub(crate) fn host_functions(&self) -> &Arc<HostFunctions> {
        &self.0.host_functions
    }

    /// Returns the queue's end, for objects that may have to wait for its commands later.
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
