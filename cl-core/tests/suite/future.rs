//! Events as futures, with an executor of a few lines.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::{Buffer, BuildOptions, EventStatus, Program, Queue, QueueOptions, Status, UserEvent};
use std::future::{Future, IntoFuture};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::{Duration, Instant};

struct Unpark(Thread, AtomicUsize);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.1.fetch_add(1, Ordering::SeqCst);
        self.0.unpark();
    }
}

/// Drives a future to its end, and polls only when it was woken. Returns `None` after `limit`.
fn block_on<F: IntoFuture>(future: F, limit: Duration) -> Option<F::Output> {
    let mut future = pin!(future.into_future());
    let unpark = Arc::new(Unpark(std::thread::current(), AtomicUsize::new(1)));
    let waker = Waker::from(Arc::clone(&unpark));
    let end = Instant::now() + limit;
    loop {
        if unpark.1.swap(0, Ordering::SeqCst) > 0
            && let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker))
        {
            return Some(value);
        }
        let left = end.checked_duration_since(Instant::now())?;
        std::thread::park_timeout(left);
    }
}

const SOON: Duration = Duration::from_secs(5);

#[test]
fn a_command_is_awaited_without_a_flush() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let result = block_on(
            async {
                let mut x = Buffer::filled(&queue, 1, 1000)?;
                for value in 0..20 {
                    let mut event = None;
                    x.fill(queue.signal(&mut event), value)?;
                    let event = event.expect("an event was asked for");
                    (&event).await?;
                    assert_eq!(event.status(), Ok(EventStatus::Complete));
                    event.await?; // again, of a command that has ended
                }
                x.to_vec(&queue)
            },
            SOON,
        );
        assert_eq!(result, Some(Ok(vec![19; 1000])));
    });
}

#[test]
fn it_is_pending_until_the_event_is_completed() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let go = UserEvent::new(queue.context()).unwrap();
        let mut future = pin!(go.event().into_future());
        let mut context = Context::from_waker(Waker::noop());
        for _ in 0..3 {
            assert!(future.as_mut().poll(&mut context).is_pending());
        }
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(150)); // longer than the longest interval
                go.complete().unwrap();
            });
            assert_eq!(block_on(future.as_mut(), SOON), Some(Ok(())));
        });
        // A future that is ready stays ready.
        assert_eq!(future.as_mut().poll(&mut context), Poll::Ready(Ok(())));
    });
}

#[test]
fn many_tasks_on_one_event() {
    cl_test::each_device(|device| {
        if cl_test::flushing_blocks(device) {
            return;
        }
        let queue = Queue::on(device).unwrap();
        let go = UserEvent::new(queue.context()).unwrap();
        let marker = queue.after(&[go.event()]).marker().unwrap();
        std::thread::scope(|scope| {
            let tasks: Vec<_> = (0..8).map(|_| scope.spawn(|| block_on(&marker, SOON))).collect();
            std::thread::sleep(Duration::from_millis(20));
            go.complete().unwrap();
            for task in tasks {
                assert_eq!(task.join().unwrap(), Some(Ok(())));
            }
        });
    });
}

/// Checks a case in which some drivers never call back.
#[test]
fn a_failed_dependency_is_an_error_within_a_second() {
    cl_test::each_device(|device| {
        if cl_test::flushing_blocks(device) {
            return;
        }
        let queue = Queue::on(device).unwrap();
        let source = "kernel void one(global int *x) { x[get_global_id(0)] = 1; }";
        let program = Program::build(queue.context(), source, &BuildOptions::new()).unwrap();
        let one = program.kernel("one").unwrap();
        let mut x = Buffer::filled(&queue, 0, 16).unwrap();
        queue.finish().unwrap();
        let bad = UserEvent::new(queue.context()).unwrap();
        let waits = [bad.event()];
        let launch = one.launch().arg(&mut x).global(16);
        // SAFETY: work-item i writes element i; there are as many work-items as elements.
        let event = unsafe { launch.enqueue_event(queue.after(&waits)) }.unwrap();
        let (sender, receiver) = std::sync::mpsc::channel();
        event.on_complete(move |result| sender.send(result).unwrap()).unwrap();
        let begun = Instant::now();
        let result = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(30));
                bad.fail(Status::OUT_OF_RESOURCES).unwrap();
            });
            block_on(&event, Duration::from_secs(1)).expect("within a second")
        });
        assert!(begun.elapsed() < Duration::from_secs(1));
        let called = receiver.recv_timeout(SOON).unwrap();
        match event.status().unwrap() {
            EventStatus::Failed(status) => {
                assert_eq!(result.unwrap_err().status(), Some(status));
                assert_eq!(called.unwrap_err().status(), Some(status));
                assert_eq!(event.wait().unwrap_err().status(), Some(status));
            }
            // Intel's runtime for CPUs calls back with the error, but still runs the command.
            EventStatus::Complete => {
                assert!(device.platform().name().unwrap().contains("Intel"), "{device}");
                for result in [result, called] {
                    assert!(
                        result.err().is_none_or(|error| error.status() == Some(Status::OUT_OF_RESOURCES))
                    );
                }
            }
            other => panic!("it was said to have ended: {other:?}"),
        }
    });
}

#[test]
fn a_dropped_future_lets_its_task_go() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let go = UserEvent::new(queue.context()).unwrap();
        let unpark = Arc::new(Unpark(std::thread::current(), AtomicUsize::new(0)));
        let waker = Waker::from(Arc::clone(&unpark));
        let mut future = Box::pin(go.event().into_future());
        assert!(future.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        assert_eq!(Arc::strong_count(&unpark), 3);
        drop(future);
        assert_eq!(Arc::strong_count(&unpark), 2, "ours and the waker's");
        go.complete().unwrap();
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(unpark.1.load(Ordering::SeqCst), 0, "a dropped future wakes nobody");
    });
}

#[test]
fn the_last_waker_counts() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let go = UserEvent::new(queue.context()).unwrap();
        let wakers: Vec<_> =
            (0..2).map(|_| Arc::new(Unpark(std::thread::current(), AtomicUsize::new(0)))).collect();
        let mut future = pin!(go.event().into_future());
        for unpark in &wakers {
            let waker = Waker::from(Arc::clone(unpark));
            assert!(future.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        }
        go.complete().unwrap();
        let begun = Instant::now();
        while wakers[1].1.load(Ordering::SeqCst) == 0 && begun.elapsed() < SOON {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(wakers[1].1.load(Ordering::SeqCst), 1);
        assert_eq!(wakers[0].1.load(Ordering::SeqCst), 0);
    });
}

#[test]
fn the_queue_may_be_gone() {
    cl_test::each_device(|device| {
        let context = cl_core::Context::on(device).unwrap();
        let queue = Queue::new(&context, QueueOptions::new()).unwrap();
        let event = queue.marker().unwrap();
        drop(queue);
        assert_eq!(block_on(event, SOON), Some(Ok(())));
    });
}
