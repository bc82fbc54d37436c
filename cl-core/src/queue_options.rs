//! Options of a new queue.

use crate::context::Context;
use crate::error::{Error, Result};
use crate::raw::{self, cl_bitfield, cl_command_queue, cl_queue_properties, require};

/// Options of a new queue.
///
/// [`priority`](QueueOptions::priority) and [`throttle`](QueueOptions::throttle) are hints. They
/// never change a result, and a device that does not know them creates the queue without them.
///
/// ```
/// use cl_core::{Context, Device, Queue, QueueOptions};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let context = Context::on(&Device::first()?)?;
/// let queue = Queue::new(&context, QueueOptions::new().profiling())?;
/// assert!(queue.is_profiling());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueOptions {
    pub(crate) profiling: bool,
    pub(crate) out_of_order: bool,
    priority: Option<Priority>,
    throttle: Option<Throttle>,
    pub(crate) fresh_scratch: bool,
}

/// The urgency of a queue's commands, compared with other queues of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// Commands of other queues first.
    Low,
    /// The usual priority.
    Medium,
    /// Before commands of other queues.
    High,
}

/// The limit on the power that the device uses for a queue's commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Throttle {
    /// Little throttling: as much power as the device likes.
    Low,
    /// The usual throttling.
    Medium,
    /// Much throttling: as little power as possible.
    High,
}

impl QueueOptions {
    /// Returns the options of an in-order queue without profiling.
    #[must_use]
    pub fn new() -> QueueOptions {
        QueueOptions::default()
    }

    /// Lets the driver record when each command ran: for [`Event::profile`](crate::Event::profile),
    /// [`Queue::record`](crate::Queue::record) and [`Profiler`](crate::Profiler).
    #[must_use]
    pub fn profiling(self) -> QueueOptions {
        QueueOptions { profiling: true, ..self }
    }

    /// Lets the device run commands in any order, and several at a time. Commands that use the same
    /// memory still see each other's results, because dependent commands wait for each other.
    #[must_use]
    pub fn out_of_order(self) -> QueueOptions {
        QueueOptions { out_of_order: true, ..self }
    }

    /// Sets the priority, a hint for devices with `cl_khr_priority_hints`.
    #[must_use]
    pub fn priority(self, priority: Priority) -> QueueOptions {
        QueueOptions { priority: Some(priority), ..self }
    }

    /// Sets the throttling, a hint for devices with `cl_khr_throttle_hints`.
    #[must_use]
    pub fn throttle(self, throttle: Throttle) -> QueueOptions {
        QueueOptions { throttle: Some(throttle), ..self }
    }

    /// Allocates all scratch memory anew and in its exact size, and never uses it again. Slow: for tests that guard and
    /// poison new memory, which would not see memory that is used a second time.
    #[must_use]
    pub fn fresh_scratch(self) -> QueueOptions {
        QueueOptions { fresh_scratch: true, ..self }
    }

    /// Returns the options of a queue with these bits of `CL_QUEUE_PROPERTIES`.
    pub(crate) fn from_bits(bits: cl_bitfield) -> QueueOptions {
        QueueOptions {
            profiling: bits & cl_sys::CL_QUEUE_PROFILING_ENABLE != 0,
            out_of_order: bits & cl_sys::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE != 0,
            ..QueueOptions::new()
        }
    }

    fn bits(self) -> cl_bitfield {
        let bit = |wanted, bit| if wanted { bit } else { 0 };
        bit(self.profiling, cl_sys::CL_QUEUE_PROFILING_ENABLE)
            | bit(self.out_of_order, cl_sys::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
    }

    /// Creates a queue with these options in `context`.
    pub(crate) fn create(self, context: &Context) -> Result<cl_command_queue> {
        let device = context.device();
        if self.out_of_order && !device.has_out_of_order_queues()? {
            let feature = "out-of-order queues".to_owned();
            return Err(Error::Unsupported { feature, device: device.to_string() });
        }
        let hints = self.hints(context)?;
        if !hints.is_empty()
            && let Ok(create) = require::clCreateCommandQueueWithProperties(device)
        {
            let mut properties = vec![u64::from(raw::CL_QUEUE_PROPERTIES), self.bits()];
            properties.extend(hints);
            properties.push(0);
            let mut status = 0;
            // SAFETY: the context lives, the device is its own, and the list ends with 0.
            let queue =
                unsafe { create(context.as_raw(), device.as_raw(), properties.as_ptr(), &raw mut status) };
            Error::check("clCreateCommandQueueWithProperties", status)?;
            return Ok(queue);
        }
        let create = context.library().functions().clCreateCommandQueue;
        let mut status = 0;
        // SAFETY: the context lives, and the device is its own.
        let queue = unsafe { create(context.as_raw(), device.as_raw(), self.bits(), &raw mut status) };
        Error::check("clCreateCommandQueue", status)?;
        Ok(queue)
    }

    /// Returns the names and values of the hints that the device knows.
    fn hints(self, context: &Context) -> Result<Vec<cl_queue_properties>> {
        let mut hints = Vec::new();
        if let Some(priority) = self.priority
            && context.device().has_extension("cl_khr_priority_hints")?
        {
            let value = match priority {
                Priority::Low => raw::CL_QUEUE_PRIORITY_LOW_KHR,
                Priority::Medium => raw::CL_QUEUE_PRIORITY_MED_KHR,
                Priority::High => raw::CL_QUEUE_PRIORITY_HIGH_KHR,
            };
            hints.extend([raw::CL_QUEUE_PRIORITY_KHR, value]);
        }
        if let Some(throttle) = self.throttle
            && context.device().has_extension("cl_khr_throttle_hints")?
        {
            let value = match throttle {
                Throttle::Low => raw::CL_QUEUE_THROTTLE_LOW_KHR,
                Throttle::Medium => raw::CL_QUEUE_THROTTLE_MED_KHR,
                Throttle::High => raw::CL_QUEUE_THROTTLE_HIGH_KHR,
            };
            hints.extend([raw::CL_QUEUE_THROTTLE_KHR, value]);
        }
        Ok(hints)
    }
}
