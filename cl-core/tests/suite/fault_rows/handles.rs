//! Contexts, queues, buffers and devices that other code made or holds.

use super::RELEASE;
use cl_core::{Buffer, Context, Priority, Queue, QueueOptions, Throttle};
use cl_test::sweep::{Operation, run};

pub(crate) const ROWS: &[Operation] = &[
    Operation::new("Context::with_error_handler", |bench| {
        run(|| Context::with_error_handler(&bench.device, |_| {}).map(drop))
    }),
    Operation::new("Context::from_raw", |bench| {
        let (library, raw) = (bench.device.library(), bench.context.as_raw());
        // SAFETY: the context is alive.
        assert_eq!(unsafe { (library.functions().clRetainContext)(raw) }, 0);
        run(move || {
            // SAFETY: as above; the reference is taken over, or released after an error.
            let taken = unsafe {
                Context::from_raw(&bench.device, raw).inspect_err(|_| {
                    (library.functions().clReleaseContext)(raw);
                })
            };
            taken.map(drop)
        })
    }),
    Operation::new("Context::devices_of", |bench| {
        run(|| {
            // SAFETY: the context is alive.
            unsafe { Context::devices_of(bench.device.library(), bench.context.as_raw()) }.map(drop)
        })
    }),
    Operation::new("Queue::from_raw", |bench| {
        let (library, raw) = (bench.device.library(), bench.queue.as_raw());
        // SAFETY: the queue is alive.
        assert_eq!(unsafe { (library.functions().clRetainCommandQueue)(raw) }, 0);
        run(move || {
            // SAFETY: as above; the reference is taken over, or released after an error.
            let taken = unsafe {
                Queue::from_raw(&bench.context, raw).inspect_err(|_| {
                    (library.functions().clReleaseCommandQueue)(raw);
                })
            }?;
            Buffer::filled(&taken, 1, 4)?.to_vec(&taken).map(drop)
        })
    })
    .ignores_failures_of(&[RELEASE]),
    Operation::new("Queue::new with hints", |bench| {
        let hints = QueueOptions::new().priority(Priority::Low).throttle(Throttle::Low);
        run(move || Queue::new(&bench.context, hints).map(drop))
    })
    .ignores_failures_of(&[RELEASE]),
    Operation::new("Buffer::into_raw, from_raw", |bench| {
        let x = Buffer::from_slice(&bench.queue, &[1, 2, 3]).unwrap();
        run(move || {
            let raw = x.into_raw();
            // SAFETY: the buffer's only reference, which is taken over.
            let x = unsafe { Buffer::<i32>::from_raw(&bench.context, raw) }.inspect_err(|_| {
                // SAFETY: after an error it is still ours, and released once.
                unsafe { (bench.device.library().functions().clReleaseMemObject)(raw) };
            })?;
            assert_eq!(x.to_vec(&bench.queue)?, [1, 2, 3]);
            Ok(())
        })
    }),
    Operation::new("Device::try_exclusive", |bench| run(|| bench.device.try_exclusive().map(drop))),
];
