//! The objects that the operations of a sweep use.

use cl_core::{Buffer, BuildOptions, Context, Device, Kernel, Program, Queue, QueueOptions, Result};
use std::sync::{Arc, OnceLock};

/// The objects that operations use. All queues belong to one context, and are new in every run.
#[derive(Debug)]
pub struct Bench {
    /// The device.
    pub device: Device,
    /// A context.
    pub context: Context,
    /// An in-order queue.
    pub queue: Queue,
    /// An in-order queue that profiles.
    pub profiling: Queue,
    /// An out-of-order queue, if the device has such queues.
    pub out_of_order: Option<Queue>,
}

impl Bench {
    pub(super) fn new(context: &Context) -> Result<Bench> {
        let device = context.device().clone();
        let out_of_order = if device.has_out_of_order_queues()? {
            Some(Queue::new(context, QueueOptions::new().out_of_order())?)
        } else {
            None
        };
        Ok(Bench {
            queue: Queue::new(context, QueueOptions::new())?,
            profiling: Queue::new(context, QueueOptions::new().profiling())?,
            out_of_order,
            context: context.clone(),
            device,
        })
    }

    /// Returns the kernels of a known program, which the context keeps.
    ///
    /// # Panics
    /// When the program does not build.
    #[must_use]
    pub fn known(&self) -> Arc<Known> {
        let known = self.context.attachment::<Known>();
        known.0.get_or_init(|| {
            Program::build(&self.context, SOURCE, &BuildOptions::new())
                .and_then(|program| Ok([program.kernel("increment")?, program.kernel("scale")?]))
                .unwrap_or_else(|error| panic!("{error}"))
        });
        known
    }

    /// Checks that the known kernel gives the right result on each queue.
    pub(super) fn check(&self) -> Result<()> {
        let known = self.known();
        for queue in
            [Some(&self.queue), Some(&self.profiling), self.out_of_order.as_ref()].into_iter().flatten()
        {
            let mut x = Buffer::from_slice(queue, &[1, 2, 3])?;
            // SAFETY: work-item i touches element i, and there are as many elements as work-items.
            unsafe { known.increment().launch().arg(&mut x).global(3).enqueue(queue)? };
            assert_eq!(x.to_vec(queue)?, [2, 3, 4], "{queue:?}");
        }
        Ok(())
    }
}

/// The source of the known program.
const SOURCE: &str = "
    kernel void increment(global int *x) { x[get_global_id(0)] += 1; }
    kernel void scale(global const int *x, global int *y, local int *t, const int factor)
    {
        const size_t i = get_global_id(0), l = get_local_id(0);
        t[l] = x[i];
        y[i] = factor * t[l];
    }";

/// The kernels of a known program. Made by [`Bench::known`].
#[derive(Debug, Default)]
pub struct Known(OnceLock<[Kernel; 2]>);

impl Known {
    /// Returns the kernel `increment(global int *x)`, which adds 1 to element i.
    #[must_use]
    pub fn increment(&self) -> &Kernel {
        &self.kernels()[0]
    }

    /// Returns the kernel `scale(global const int *x, global int *y, local int *t, int factor)`. Element i of
    /// y becomes `factor` times that of x; t has one element for each work-item of the group.
    #[must_use]
    pub fn scale(&self) -> &Kernel {
        &self.kernels()[1]
    }

    fn kernels(&self) -> &[Kernel; 2] {
        self.0.get().unwrap_or_else(|| unreachable!("Bench::known has filled it"))
    }
}
