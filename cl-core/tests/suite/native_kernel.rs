//! Closures that run as commands of a CPU device.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::{
    Buffer, Context, Device, Error, EventStatus, ExecutionCapabilities, Queue, QueueOptions, Status,
    UserEvent,
};
use cl_test::counting;
use std::sync::mpsc;
use std::time::Duration;

const SOON: Duration = Duration::from_secs(5);

fn supports(device: &Device) -> bool {
    device.execution_capabilities().unwrap().contains(ExecutionCapabilities::NATIVE_KERNELS)
}

/// Runs `test` on every device that has native kernels. Checks that other devices refuse them.
fn each_native_device(test: impl Fn(&Device, &Queue)) {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        if supports(device) {
            test(device, &queue);
        } else {
            let refused = queue.native((), |()| ());
            assert!(matches!(refused, Err(Error::Unsupported { .. })), "{refused:?}");
        }
    });
}

#[test]
fn it_reads_and_writes_buffers() {
    each_native_device(|_, queue| {
        let x = Buffer::from_slice(queue, &[1.0_f64, 2.0, 3.0]).unwrap();
        let n = Buffer::from_slice(queue, &[10_u8, 20, 30, 40]).unwrap();
        let empty = Buffer::<u64>::from_slice(queue, &[]).unwrap();
        let mut y = Buffer::filled(queue, 0.0_f64, 3).unwrap();
        let sum = move |(x, empty, n, y): (&[f64], &[u64], &[u8], &mut [f64])| {
            assert!(empty.is_empty());
            for i in 0..y.len() {
                y[i] = x[i] + f64::from(n[i + 1]);
            }
        };
        let event = queue.native((&x, &empty, &n, &mut y), sum).unwrap();
        assert_eq!(event.command(), "clEnqueueNativeKernel");
        assert_eq!(y.to_vec(queue).unwrap(), [21.0, 32.0, 43.0]);
        assert_eq!(x.to_vec(queue).unwrap(), [1.0, 2.0, 3.0]);
        event.wait().unwrap();

        // A shorter buffer keeps its memory, which the closure does not see.
        let mut n = n;
        n.truncate(2);
        y.truncate(0);
        let lengths = move |(n, y): (&[u8], &mut [f64])| assert!((n.len(), y.len()) == (2, 0));
        queue.native((&n, &mut y), lengths).unwrap().wait().unwrap();
        let mut ends = Buffer::filled(queue, 0_u8, 2).unwrap();
        queue.native((&n, &mut ends), |(n, ends)| ends.copy_from_slice(n)).unwrap();
        assert_eq!(ends.to_vec(queue).unwrap(), [10, 20]);
    });
}

#[test]
fn it_runs_once_without_memory() {
    each_native_device(|_, queue| {
        let (sender, receiver) = mpsc::channel();
        let mut signal = None;
        let event = queue.signal(&mut signal).native((), move |()| sender.send(1).unwrap()).unwrap();
        event.wait().unwrap();
        assert_eq!(signal, Some(event));
        assert_eq!(receiver.recv_timeout(SOON), Ok(1));
        assert_eq!(receiver.recv_timeout(SOON), Err(mpsc::RecvTimeoutError::Disconnected));
    });
}

/// Checks a chain over two queues that is ordered only by the memory.
#[test]
fn other_commands_wait_for_it() {
    each_native_device(|device, queue| {
        let context = queue.context();
        let other = Queue::new(context, QueueOptions::new()).unwrap();
        let out_of_order = device.has_out_of_order_queues().unwrap();
        let third = if out_of_order { QueueOptions::new().out_of_order() } else { QueueOptions::new() };
        let queues = [queue.clone(), other, Queue::new(context, third).unwrap()];
        let mut x = Buffer::filled(queue, 0_u32, 1000).unwrap();
        for round in 0..300 {
            let add = |(x,): (&mut [u32],)| x.iter_mut().for_each(|x| *x += 1);
            queues[round % 3].native((&mut x,), add).unwrap();
        }
        assert_eq!(x.to_vec(queue).unwrap(), [300; 1000]);
    });
}

#[test]
fn it_waits_for_those_that_use_the_same_memory() {
    each_native_device(|device, queue| {
        if cl_test::flushing_blocks(device) {
            return;
        }
        let other = Queue::new(queue.context(), QueueOptions::new()).unwrap();
        let mut x = Buffer::filled(queue, 1, 10).unwrap();
        let go = UserEvent::new(queue.context()).unwrap();
        let waits = [go.event()];
        queue.after(&waits).native((&mut x,), |(x,): (&mut [i32],)| x.fill(7)).unwrap();
        let read = other.native((&x,), |(x,): (&[i32],)| assert_eq!(x, [7; 10])).unwrap();
        let twice =
            other.native((&mut x,), |(x,): (&mut [i32],)| x.iter_mut().for_each(|x| *x *= 2)).unwrap();
        other.flush().unwrap();
        std::thread::sleep(Duration::from_millis(50));
        for event in [&read, &twice] {
            assert_ne!(event.status(), Ok(EventStatus::Complete), "it did not wait");
        }
        go.complete().unwrap();
        assert_eq!(x.to_vec(queue).unwrap(), [14; 10]);
        // A writer waits for a reader on another queue.
        let go = UserEvent::new(queue.context()).unwrap();
        let (sender, receiver) = mpsc::channel();
        let see = move |(x,): (&[i32],)| sender.send(x[0]).unwrap();
        other.after(&[go.event()]).native((&x,), see).unwrap();
        let write = queue.native((&mut x,), |(x,): (&mut [i32],)| x.fill(3)).unwrap();
        queue.flush().unwrap();
        std::thread::sleep(Duration::from_millis(50));
        assert_ne!(write.status(), Ok(EventStatus::Complete), "it did not wait");
        go.complete().unwrap();
        assert_eq!(receiver.recv_timeout(SOON), Ok(14));
        assert_eq!(x.to_vec(queue).unwrap(), [3; 10]);
    });
}

#[test]
fn a_panic_stays_inside() {
    each_native_device(|_, queue| {
        let mut x = Buffer::filled(queue, 1, 10).unwrap();
        let fail = |(x,): (&mut [i32],)| {
            x[0] = 5;
            // This panic prints nothing, because the test's output cannot capture another thread's.
            std::panic::resume_unwind(Box::new("on purpose"));
        };
        queue.native((&mut x,), fail).unwrap().wait().unwrap();
        assert_eq!(x.to_vec(queue).unwrap(), [5, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    });
}

#[test]
fn one_that_never_runs_is_dropped() {
    each_native_device(|device, queue| {
        if cl_test::flushing_blocks(device) {
            return;
        }
        let bad = UserEvent::new(queue.context()).unwrap();
        let (sender, receiver) = mpsc::channel();
        let event = queue.after(&[bad.event()]).native((), move |()| sender.send(()).unwrap()).unwrap();
        queue.flush().unwrap();
        bad.fail(Status::OUT_OF_RESOURCES).unwrap();
        event.wait().unwrap_err();
        // Intel's runtime for CPUs runs the closure anyway.
        if !device.platform().name().unwrap().contains("Intel") {
            let heard = receiver.recv_timeout(SOON);
            assert_eq!(
                heard,
                Err(mpsc::RecvTimeoutError::Disconnected),
                "the closure is gone, and did not run"
            );
        }
    });
}

/// A value whose destructor sends a message, and panics.
struct PanicsWhenDropped(mpsc::Sender<()>);

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        self.0.send(()).unwrap();
        // Prints nothing, as in `a_panic_stays_inside`.
        std::panic::resume_unwind(Box::new("on purpose"));
    }
}

#[test]
fn a_panic_of_a_closure_that_is_dropped_stays_inside() {
    each_native_device(|device, queue| {
        if cl_test::flushing_blocks(device) {
            return;
        }
        let bad = UserEvent::new(queue.context()).unwrap();
        let (sender, receiver) = mpsc::channel();
        let captured = PanicsWhenDropped(sender);
        let event = queue.after(&[bad.event()]).native((), move |()| drop(captured)).unwrap();
        queue.flush().unwrap();
        bad.fail(Status::OUT_OF_RESOURCES).unwrap();
        event.wait().unwrap_err();
        assert_eq!(receiver.recv_timeout(SOON), Ok(()));
        assert_eq!(Buffer::filled(queue, 1, 3).unwrap().to_vec(queue).unwrap(), [1; 3]);
    });
}

#[test]
fn what_is_wrong_never_reaches_the_driver() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let (queue, elsewhere) = (Queue::on(&device).unwrap(), Queue::on(&device).unwrap());
        let foreign = Buffer::filled(&elsewhere, 1, 10).unwrap();
        let event = Context::on(&device).and_then(|context| UserEvent::new(&context)).unwrap();
        let calls = counter.calls_during(|| {
            let refused = queue.native((&foreign,), |_| ());
            let waits = queue.after(&[event.event()]).native((), |()| ());
            if supports(&device) {
                assert!(matches!(refused, Err(Error::ForeignObject { .. })), "{refused:?}");
                assert!(matches!(waits, Err(Error::ForeignObject { .. })), "{waits:?}");
            }
        });
        assert!(calls.keys().all(|name| name.starts_with("clGet")), "{calls:?}");
    }
}
