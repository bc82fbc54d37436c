//! Queues that kernels fill (OpenCL 2.0).

use crate::context::Context;
use crate::device::QueueCapabilities;
use crate::error::{Error, Result};
use crate::raw::{self, cl_command_queue, require};
use crate::status::log_failed_release;
use std::fmt;

/// The default queue on a device: kernels get it from `get_default_queue()`, and enqueue blocks on
/// it. The host cannot enqueue commands on it, and cannot wait for it. A kernel that enqueues child
/// kernels counts as complete when the children have ended, too. The flags of an enqueued child say
/// when the child may start.
///
/// Keep the queue as long as kernels that use it may run.
pub struct DeviceQueue {
    raw: cl_command_queue,
    // The last field, so that it outlives the queue.
    context: Context,
}

// SAFETY: OpenCL queues may be used from any thread.
unsafe impl Send for DeviceQueue {}
// SAFETY: as above.
unsafe impl Sync for DeviceQueue {}

impl DeviceQueue {
    /// Returns the context's default queue on its device, with room for `bytes` of commands, or for the
    /// size that the driver prefers. A second call returns the first queue again, whatever the size.
    ///
    /// ```
    /// # use cl_core::{Context, Device, DeviceQueue, Error};
    /// # fn main() -> cl_core::Result<()> {
    /// match DeviceQueue::new(&Context::on(&Device::first()?)?, None) {
    ///     Ok(queue) => println!("{queue:?}"),
    ///     Err(Error::Unsupported { feature, device, .. }) => println!("{device} has no {feature}"),
    ///     Err(error) => return Err(error),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Unsupported`] on a device whose kernels cannot enqueue, [`Error::TooLarge`] for
    /// more bytes than [`device_queue_max_size`](crate::Device::device_queue_max_size),
    /// [`Error::Driver`] when the driver refuses.
    pub fn new(context: &Context, bytes: Option<u32>) -> Result<DeviceQueue> {
        let device = context.device();
        // Drivers without such queues do not answer the query, or answer 0.
        let capable = device.device_queue_capabilities()?.is_some_and(|capabilities| {
            // All of OpenCL's queues on devices are out of order.
            capabilities.contains(QueueCapabilities::OUT_OF_ORDER)
        });
        if !capable {
            let feature = "queues that kernels fill".to_owned();
            return Err(Error::Unsupported { feature, device: device.to_string() });
        }
        let limit = device.device_queue_max_size()?.unwrap_or(u32::MAX);
        if let Some(bytes) = bytes.filter(|bytes| *bytes > limit) {
            let (bytes, limit) = (bytes.into(), limit.into());
            return Err(Error::TooLarge { bytes, limit, device: device.to_string() });
        }
        let create = require::clCreateCommandQueueWithProperties(device)?;
        let bits = cl_sys::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE
            | raw::CL_QUEUE_ON_DEVICE
            | raw::CL_QUEUE_ON_DEVICE_DEFAULT;
        let mut properties = vec![u64::from(raw::CL_QUEUE_PROPERTIES), bits];
        if let Some(bytes) = bytes {
            properties.extend([u64::from(raw::CL_QUEUE_SIZE), bytes.into()]);
        }
        properties.push(0);
        let mut status = 0;
        // SAFETY: the context lives, the device is its own, and the list ends with 0.
        let raw = unsafe { create(context.as_raw(), device.as_raw(), properties.as_ptr(), &raw mut status) };
        Error::check("clCreateCommandQueueWithProperties", status)?;
        Ok(DeviceQueue { raw, context: context.clone() })
    }

    /// Returns the context.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Returns the C handle. It stays valid as long as this `DeviceQueue` lives; call
    /// `clRetainCommandQueue` to keep it for longer.
    #[must_use]
    pub fn as_raw(&self) -> cl_command_queue {
        self.raw
    }
}

impl Drop for DeviceQueue {
    fn drop(&mut self) {
        let release = self.context.library().functions().clReleaseCommandQueue;
        // SAFETY: the reference is owned and released once.
        log_failed_release("clReleaseCommandQueue", unsafe { release(self.raw) });
    }
}

impl fmt::Debug for DeviceQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeviceQueue").field("device", self.context.device()).finish_non_exhaustive()
    }
}
