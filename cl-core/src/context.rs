//! Contexts: the object that the buffers, programs and queues of one device share.

use crate::attachments::Attachments;
use crate::context_errors::{Registration, report};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::host_thread;
use crate::info;
use crate::library::Library;
use crate::raw::cl_context;
use crate::status::log_failed_release;
use std::any::Any;
use std::fmt;
use std::ptr::{null_mut, with_exposed_provenance_mut};
use std::sync::Arc;

/// An OpenCL context on one device. Cheap to clone; the last clone releases it.
///
/// A context has one device, because in a context of several devices drivers migrate whole buffers
/// between them without the program's knowledge, at a hundredth of the speed of an explicit exchange.
///
/// ```
/// use cl_core::{Buffer, Context, Device, Queue, QueueOptions};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let context = Context::on(&Device::first()?)?;
/// let queues = [Queue::new(&context, QueueOptions::new())?, Queue::new(&context, QueueOptions::new())?];
/// let x = Buffer::filled(&queues[0], 1, 10)?;
/// assert_eq!(x.to_vec(&queues[1])?, [1; 10]); // memory is the context's
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Context(Arc<Inner>);

struct Inner {
    // Dropped before the handle is released, because attached caches hold kernels of the context.
    attachments: Attachments,
    handle: Handle,
    device: Device,
    // The last field, because releasing the context may still report an error.
    _reports: Option<Registration>,
}

/// The C handle, released on drop.
struct Handle {
    library: Library,
    raw: cl_context,
}

// SAFETY: OpenCL objects other than kernels may be used from any thread.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the handle is owned and released once.
        let status = unsafe { (self.library.functions().clReleaseContext)(self.raw) };
        log_failed_release("clReleaseContext", status);
    }
}

impl Context {
    /// Creates a context on `device`. A driver may also report errors to the context's callback;
    /// these reports become warnings in the log.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver refuses.
    pub fn on(device: &Device) -> Result<Context> {
        Context::create(device, None)
    }

    /// Creates a context as [`on`](Context::on) does, and passes each report of the driver to
    /// `handler`, until the context is dropped.
    ///
    /// The handler runs soon after the report. It runs on the thread that also runs the closures of
    /// [`Event::on_complete`](crate::Event::on_complete), and the same rules apply. Drivers differ in
    /// the errors that they report: NVIDIA's driver reports failed launches, PoCL reports nothing.
    ///
    /// # Errors
    /// [`Error::Thread`], or [`Error::Driver`] when the driver refuses.
    pub fn with_error_handler(
        device: &Device,
        handler: impl Fn(&str) + Send + Sync + 'static,
    ) -> Result<Context> {
        host_thread::start()?;
        Context::create(device, Some(Registration::new(handler)))
    }

    fn create(device: &Device, reports: Option<Registration>) -> Result<Context> {
        let library = device.library();
        let id = device.as_raw();
        let platform = device.platform().as_raw();
        let properties = [cl_sys::CL_CONTEXT_PLATFORM as isize, platform as isize, 0];
        let data = reports.as_ref().map_or(null_mut(), Registration::data);
        let mut status = 0;
        // SAFETY: the property list ends with 0, and the device belongs to the platform in it.
        // `report` never dereferences `data`, which is null or the number of a registration.
        let raw = unsafe {
            (library.functions().clCreateContext)(
                properties.as_ptr(),
                1,
                &raw const id,
                Some(report),
                data,
                &raw mut status,
            )
        };
        Error::check("clCreateContext", status).map_err(|error| error.note(format!("on {device}")))?;
        // SAFETY: the driver has just created this context on this device, and no other code knows it.
        Ok(unsafe { Context::owned(device, raw, reports) })
    }

    /// Takes over a context that other code created, to use it with one of its devices.
    ///
    /// *One reference* is taken over, and released with the last clone. Call `clRetainContext`
    /// first if the other code keeps and releases its own reference. To use several devices of a
    /// context, adopt the context once for each device, each time with a reference of its own. Each
    /// `Context` then builds programs for its own device, creates queues on it, and applies its
    /// limits. Memory may be used with all of these `Context`s; the driver migrates the memory
    /// between their devices. [`Context::devices_of`] lists the devices.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for null, [`Error::ForeignObject`] if the context is not on this
    /// device, [`Error::Driver`] if the driver does not know the context. After an error the
    /// reference is still the caller's.
    ///
    /// # Safety
    /// `raw` is null or a live context of the device's library, and one of its references belongs
    /// to the caller.
    pub unsafe fn from_raw(device: &Device, raw: cl_context) -> Result<Context> {
        // SAFETY: by the caller's promise.
        let devices = unsafe { device_ids(device.library(), raw)? };
        if !device.is_among(&devices) {
            let reason = "the context is not on this device";
            return Err(Error::ForeignObject { operation: "Context::from_raw", reason });
        }
        // SAFETY: the reference is the caller's to give.
        Ok(unsafe { Context::owned(device, raw, None) })
    }

    /// Returns the devices of a context that other code created. Takes over no reference to the
    /// context. For a sub-device PoCL lists the whole device; [`from_raw`](Context::from_raw)
    /// accepts both.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for null, [`Error::Driver`] if the driver does not know the context.
    ///
    /// # Safety
    /// `raw` is null or a live context of `library`.
    pub unsafe fn devices_of(library: Library, raw: cl_context) -> Result<Vec<Device>> {
        // SAFETY: by the caller's promise.
        let ids = unsafe { device_ids(library, raw)? };
        let adopt = |id: usize| {
            let id = with_exposed_provenance_mut(id);
            // SAFETY: the context keeps its devices alive. This call adds the reference that
            // `Device::from_raw` takes over; for a device that is not a sub-device it does nothing.
            Error::check("clRetainDevice", unsafe { (library.functions().clRetainDevice)(id) })?;
            // SAFETY: as above.
            unsafe { Device::from_raw(library, id) }.inspect_err(|_| {
                // SAFETY: releases the reference that was not taken over.
                let status = unsafe { (library.functions().clReleaseDevice)(id) };
                log_failed_release("clReleaseDevice", status);
            })
        };
        ids.into_iter().map(adopt).collect()
    }

    /// Takes over one reference to a context.
    ///
    /// # Safety
    /// `raw` is a context on `device`, and no other code releases its reference.
    unsafe fn owned(device: &Device, raw: cl_context, reports: Option<Registration>) -> Context {
        let handle = Handle { library: device.library(), raw };
        let attachments = Attachments::default();
        Context(Arc::new(Inner { attachments, handle, device: device.clone(), _reports: reports }))
    }

    /// Returns the device.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.0.device
    }

    /// Returns the library of the context.
    #[must_use]
    pub fn library(&self) -> Library {
        self.0.handle.library
    }

    /// Returns the C handle. It stays valid as long as this `Context` or a clone of it lives; call
    /// `clRetainContext` to keep it for longer.
    #[must_use]
    pub fn as_raw(&self) -> cl_context {
        self.0.handle.raw
    }

    /// Returns state that a library keeps as long as the context lives, one value for each type:
    /// compiled kernels, tables. `Default` creates the value on first use. Threads that ask at the
    /// same time may each create a value; one of the values is kept.
    ///
    /// The value must not hold a [`Context`] or a [`Queue`](crate::Queue), or the context would
    /// keep itself alive. It may hold kernels, programs and buffers.
    #[must_use]
    pub fn attachment<T: Any + Default + Send + Sync>(&self) -> Arc<T> {
        self.0.attachments.get()
    }
}

impl Device {
    /// Returns whether one of these addresses is the address of this device or of a device that it
    /// is part of. PoCL names the whole device where other drivers name the sub-device for which a
    /// context or a queue was created.
    pub(crate) fn is_among(&self, addresses: &[usize]) -> bool {
        std::iter::successors(Some(self), |part| part.parent())
            .any(|device| addresses.contains(&device.as_raw().addr()))
    }
}

/// Returns the addresses of a context's devices.
///
/// # Safety
/// `raw` is null or a live context of `library`.
unsafe fn device_ids(library: Library, raw: cl_context) -> Result<Vec<usize>> {
    if raw.is_null() {
        return Err(Error::InvalidInput { what: "context handle", reason: "it is null".to_owned() });
    }
    let get = library.functions().clGetContextInfo;
    info::list("clGetContextInfo", |size, value, ret| {
        // SAFETY: by the caller's promise; `info` passes matching pointers and sizes.
        unsafe { get(raw, cl_sys::CL_CONTEXT_DEVICES, size, value, ret) }
    })
}

impl PartialEq for Context {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Context {}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("device", &self.0.device).finish_non_exhaustive()
    }
}
