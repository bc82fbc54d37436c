//! Transfers that own or borrow their host memory, and pinned memory.

use super::RELEASE;
use cl_core::{Buffer, PinnedVec, Queue, QueueOptions, Staging};
use cl_test::known_faults;
use cl_test::sweep::{Bench, Operation, run};

/// A length of several chunks of the staging below.
const MANY: usize = 100;

/// A staging by two threads that already starts at a few bytes.
const STAGING: Staging = Staging { threshold: 32, chunk: 64, threads: 2 };

fn many(queue: &Queue) -> (Buffer<i32>, Vec<i32>) {
    (Buffer::filled(queue, 0, MANY).unwrap(), (0..MANY as i32).collect())
}

/// Returns `Some` if the threads that stage do not break the driver.
fn bears_threads(bench: &Bench) -> Option<()> {
    (!known_faults::skips("transfer_faults::staged_transfers", &bench.device)).then_some(())
}

/// Copies values to the device and back, staged.
fn stage(queue: &Queue) -> cl_core::Result<()> {
    queue.set_staging(STAGING);
    let values: Vec<i32> = (0..MANY as i32).collect();
    let mut x = Buffer::filled(queue, 0, MANY)?;
    x.write(queue, 0, &values)?;
    assert_eq!(x.to_vec(queue)?, values);
    Ok(())
}

pub(crate) const ROWS: &[Operation] = &[
    Operation::new("write_owned, read_owned", |bench| {
        let (mut x, values) = many(&bench.queue);
        run(move || {
            let write = x.write_owned(&bench.queue, 0, values)?;
            let read = x.read_owned(&bench.queue, 1..3)?;
            assert_eq!(read.wait()?, [1, 2]);
            assert_eq!(write.wait()?.len(), MANY);
            Ok(())
        })
    }),
    // The transfers wait when they are dropped, and ask again until they know that they have ended.
    Operation::new("owned transfers that are dropped", |bench| {
        let (mut x, values) = many(&bench.queue);
        run(move || {
            let _write = x.write_owned(&bench.queue, 0, values)?;
            drop(x.read_owned(&bench.profiling, ..)?);
            Ok(())
        })
    })
    .ignores_failures_of(&["clWaitForEvents", "clGetEventInfo"]),
    Operation::new("Queue::scope", |bench| {
        let ((mut x, values), (y, mut read)) = (many(&bench.queue), many(&bench.queue));
        run(move || {
            bench.queue.scope(|scope| {
                scope.write(&mut x, &values)?;
                scope.read(&y, &mut read)
            })?;
            assert_eq!((x.to_vec(&bench.queue)?, read), (values, vec![0; MANY]));
            Ok(())
        })
    }),
    // A pinned vector that is dropped can only log that it is still mapped.
    Operation::new("PinnedVec", |bench| {
        let (mut x, values) = many(&bench.queue);
        run(move || {
            let mut pinned = PinnedVec::from_slice(&bench.queue, &values)?;
            x.write(&bench.queue, 0, &pinned)?;
            pinned.fill(0);
            x.read(&bench.queue, 0, &mut pinned)?;
            assert_eq!(*pinned, values);
            Ok(())
        })
    })
    .ignores_failures_of(&["clEnqueueUnmapMemObject", RELEASE]),
    Operation::new("staged transfers", |bench| {
        bears_threads(bench)?;
        run(|| stage(&bench.queue))
    }),
    Operation::new("staged transfers, out of order", |bench| {
        bears_threads(bench)?;
        let queue = bench.out_of_order.as_ref()?;
        run(|| stage(queue))
    }),
    // The blocks that the queue keeps are released with the queue.
    Operation::new("staged transfers of a queue that is dropped", |bench| {
        bears_threads(bench)?;
        run(|| stage(&Queue::new(&bench.context, QueueOptions::new())?))
    })
    .ignores_failures_of(&["clEnqueueUnmapMemObject", "clEnqueueMarkerWithWaitList", RELEASE]),
];
