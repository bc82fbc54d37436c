//! Transfers that do not block: transfers that own their host memory, and transfers of a scope.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::{Buffer, Context, Device, Error, HostAccess, Queue, QueueOptions};
use cl_test::{counting, each_device};
use std::panic::{AssertUnwindSafe, catch_unwind};

const N: usize = 1 << 16;

fn queues(device: &Device) -> Vec<Queue> {
    let context = Context::on(device).unwrap();
    let mut queues = vec![Queue::new(&context, QueueOptions::new()).unwrap()];
    if device.has_out_of_order_queues().unwrap() {
        queues.push(Queue::new(&context, QueueOptions::new().out_of_order()).unwrap());
    }
    queues
}

#[test]
fn owned_values_come_back() {
    each_device(|device| {
        for queue in queues(device) {
            let mut x = Buffer::filled(&queue, 0_u32, N).unwrap();
            let mut values: Vec<u32> = (0..N as u32).collect();
            for round in 0..20 {
                values[0] = round;
                let address = values.as_ptr();
                let mut event = None;
                let write = x.write_owned(queue.signal(&mut event), 0, values).unwrap();
                assert_eq!(event.as_ref(), write.event(), "the event goes where it was wanted, too");
                let read = x.read_owned(&queue, ..).unwrap();
                let part = x.read_owned(&queue, N - 2..).unwrap();
                assert_eq!(part.wait().unwrap(), [N as u32 - 2, N as u32 - 1]);
                let got = read.wait().unwrap();
                values = write.wait().unwrap();
                assert_eq!(got, values);
                assert_eq!(values.as_ptr(), address, "the same memory");
            }
        }
    });
}

/// Checks that dropped and leaked transfers do no harm. The device reads and writes the values until the
/// command has ended, so they are kept until then.
#[test]
fn owned_transfers_may_be_dropped_or_leaked_at_once() {
    each_device(|device| {
        for queue in queues(device) {
            let mut x = Buffer::filled(&queue, 0_u32, N).unwrap();
            for round in 0..200_u32 {
                drop(x.write_owned(&queue, 0, vec![round; N]).unwrap());
                // This vector takes the freed memory, if the memory was freed too early.
                let other = vec![u32::MAX; N];
                drop(x.read_owned(&queue, ..).unwrap());
                let fresh = vec![7_u32; N];
                assert_eq!(x.to_vec(&queue).unwrap(), vec![round; N]);
                assert!(
                    other.iter().all(|&value| value == u32::MAX) && fresh.iter().all(|&value| value == 7)
                );
            }
            std::mem::forget(x.write_owned(&queue, 0, vec![1; N]).unwrap());
            std::mem::forget(x.read_owned(&queue, ..).unwrap());
            assert_eq!(x.to_vec(&queue).unwrap(), [1; N]);
        }
    });
}

#[test]
fn dropping_waits_for_the_command() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let mut x = Buffer::filled(&queue, 0_u8, 8).unwrap();
        let write = x.write_owned(&queue, 0, vec![1; 8]).unwrap();
        let read = x.read_owned(&queue, 2..).unwrap();
        let calls = counter.calls_during(|| {
            drop(write);
            drop(read);
        });
        assert_eq!(calls["clWaitForEvents"], 2, "{calls:?} on {device}");
        assert_eq!(calls["clReleaseEvent"], 2, "{calls:?} on {device}");
    }
}

#[test]
fn owned_transfers_do_not_block() {
    use cl_core::raw::{clCreateUserEvent, clReleaseEvent, clSetUserEventStatus};
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let mut status = 0;
        // SAFETY: a valid context.
        let user = unsafe { clCreateUserEvent(queue.context().as_raw(), &mut status) };
        assert_eq!(status, 0);
        let x = Buffer::filled(&queue, 1_u8, 8).unwrap();
        queue.finish().unwrap();
        // A barrier that waits for the user event: commands after it wait, too.
        let (list, mark) = ([user], device.library().functions().clEnqueueBarrierWithWaitList);
        // SAFETY: a valid queue and one valid event.
        assert_eq!(unsafe { mark(queue.as_raw(), 1, list.as_ptr(), std::ptr::null_mut()) }, 0);
        let read = x.read_owned(&queue, ..).unwrap();
        assert!(!matches!(read.event().unwrap().status(), Ok(cl_core::EventStatus::Complete)));
        // SAFETY: a user event whose status was not set before.
        unsafe { clSetUserEventStatus(user, 0) };
        assert_eq!(read.wait().unwrap(), [1; 8]);
        // SAFETY: the reference that was made above.
        unsafe { clReleaseEvent(user) };
    });
}

#[test]
fn owned_transfers_that_cannot_be_lose_nothing() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let (queue, elsewhere) = (Queue::on(&device).unwrap(), Queue::on(&device).unwrap());
        let mut x = Buffer::filled(&queue, 1_u16, 4).unwrap();
        let closed = cl_core::BufferOptions::new().host(HostAccess::None);
        let mut closed = closed.filled(&queue, 1_u16, 4).unwrap();
        let calls = counter.calls_during(|| {
            let refused = x.write_owned(&queue, 3, vec![8, 9]).unwrap_err();
            assert_eq!(refused.values, [8, 9]);
            assert_eq!(*refused.error, Error::out_of_bounds("write", 3, 5, 4));
            assert_eq!(refused.to_string(), {
                "2 values were not written: write: elements 3..5 of a buffer that has 4"
            });
            let refused = x.write_owned(&elsewhere, 0, vec![8]).unwrap_err();
            assert_eq!(refused.values, [8]);
            assert!(matches!(Error::from(refused), Error::ForeignObject { .. }));
            assert_eq!(closed.write_owned(&queue, 0, vec![5]).unwrap_err().values, [5]);

            assert!(matches!(x.read_owned(&queue, 3..5).unwrap_err(), Error::OutOfBounds { .. }));
            assert!(matches!(x.read_owned(&elsewhere, ..).unwrap_err(), Error::ForeignObject { .. }));
            assert!(closed.read_owned(&queue, ..).is_err());

            assert!(x.write_owned(&queue, 4, vec![]).unwrap().wait().unwrap().is_empty());
            assert!(x.read_owned(&queue, 2..2).unwrap().wait().unwrap().is_empty());
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");
        assert_eq!(x.to_vec(&queue).unwrap(), [1; 4]);
    }
}

#[test]
fn scopes_wait_for_their_transfers() {
    each_device(|device| {
        for queue in queues(device) {
            let mut x = Buffer::filled(&queue, 0_u32, N).unwrap();
            for round in 0..50 {
                let input = vec![round; N];
                let (mut all, mut part) = (vec![0; N], [0; 3]);
                let result = queue
                    .scope(|scope| {
                        scope.write(&mut x, &input)?;
                        scope.read(&x, &mut all)?;
                        scope.read(x.slice(5..8)?, &mut part)?;
                        x.fill(&queue, u32::MAX)?;
                        scope.write(x.slice_mut(..2)?, &input[..2])?;
                        Ok(5)
                    })
                    .unwrap();
                assert_eq!((result, &all, part), (5, &input, [round; 3]));
                assert_eq!(x.slice(..3).unwrap().to_vec(&queue).unwrap(), [round, round, u32::MAX]);
            }
        }
    });
}

#[test]
fn scopes_wait_after_errors_and_panics() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let x = Buffer::filled(&queue, 3_u32, N).unwrap();
        let mut host = vec![0; N];
        let calls = counter.calls_during(|| {
            let refused = queue.scope(|scope| {
                scope.read(&x, &mut host)?;
                x.slice(N + 1..).map(drop)
            });
            assert!(matches!(refused, Err(Error::OutOfBounds { .. })), "{refused:?}");
        });
        assert_eq!((calls["clWaitForEvents"], &host), (1, &vec![3; N]));
        let mut host = vec![0; N];
        let calls = counter.calls_during(|| {
            let panicked = catch_unwind(AssertUnwindSafe(|| {
                queue.scope(|scope| -> cl_core::Result<()> {
                    scope.read(&x, &mut host)?;
                    panic!("on purpose");
                })
            }));
            assert!(panicked.is_err());
        });
        assert_eq!((calls["clWaitForEvents"], host), (1, vec![3; N]));
    }
}

#[test]
fn scoped_transfers_that_cannot_be_are_refused_before_the_driver() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let (queue, elsewhere) = (Queue::on(&device).unwrap(), Queue::on(&device).unwrap());
        let mut x = Buffer::filled(&queue, 1_u16, 4).unwrap();
        let (mut three, mut four) = ([0; 3], [0; 4]);
        let calls = counter.calls_during(|| {
            let refused = queue.scope(|scope| scope.read(&x, &mut three));
            assert_eq!(refused, Err(Error::length_mismatch("read", 3, 4)));
            let refused = queue.scope(|scope| scope.write(&mut x, &three));
            assert_eq!(refused, Err(Error::length_mismatch("write", 4, 3)));
            let refused = elsewhere.scope(|scope| scope.read(&x, &mut four));
            assert!(matches!(refused, Err(Error::ForeignObject { .. })), "{refused:?}");
            let refused = elsewhere.scope(|scope| scope.write(&mut x, &four));
            assert!(matches!(refused, Err(Error::ForeignObject { .. })), "{refused:?}");
            queue.scope(|scope| scope.read(x.slice(1..1)?, &mut [])).unwrap();
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");
    }
}
