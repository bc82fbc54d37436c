//! Contexts: what buffers, programs and queues of one device share.

use crate::attachments::Attachments;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::library::Library;
use crate::raw::cl_context;
use std::any::Any;
use std::fmt;
use std::ptr::null_mut;
use std::sync::Arc;

/// An OpenCL context on one device. Cheap to clone; released with its last clone.
///
/// One context a device: in a context of several devices drivers migrate whole buffers between
/// them behind the program's back, at a hundredth of the speed of an explicit exchange.
#[derive(Clone)]
pub struct Context(Arc<Inner>);

struct Inner {
    // Dropped before the handle is released, because attached caches hold kernels of the context.
    attachments: Attachments,
    handle: Handle,
    device: Device,
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
        crate::event::log_failed_release("clReleaseContext", status);
    }
}

impl Context {
    /// A new context on `device`.
    ///
    /// # Errors
    /// [`Error::Driver`] when the driver refuses.
    pub fn on(device: &Device) -> Result<Context> {
        let library = device.library();
        let id = device.as_raw();
        let platform = device.platform().as_raw();
        let properties = [cl_sys::CL_CONTEXT_PLATFORM as isize, platform as isize, 0];
        let mut status = 0;
        // SAFETY: the property list ends with 0, and the device belongs to the platform in it.
        let raw = unsafe {
            (library.functions().clCreateContext)(
                properties.as_ptr(),
                1,
                &raw const id,
                None,
                null_mut(),
                &raw mut status,
            )
        };
        Error::check("clCreateContext", status).map_err(|error| error.note(format!("on {device}")))?;
        let handle = Handle { library, raw };
        Ok(Context(Arc::new(Inner { attachments: Attachments::default(), handle, device: device.clone() })))
    }

    /// The device.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.0.device
    }

    /// The library that the context lives in.
    #[must_use]
    pub fn library(&self) -> Library {
        self.0.handle.library
    }

    /// The C handle.
    #[must_use]
    pub fn as_raw(&self) -> cl_context {
        self.0.handle.raw
    }

    /// State that a library keeps for as long as the context lives, one value a type: compiled
    /// kernels, tables. Created by `Default` on first use.
    ///
    /// The value must not hold a [`Context`] or a [`Queue`](crate::Queue), or the context would
    /// keep itself alive; kernels, programs and buffers may be held.
    #[must_use]
    pub fn attachment<T: Any + Default + Send + Sync>(&self) -> Arc<T> {
        self.0.attachments.get()
    }
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
