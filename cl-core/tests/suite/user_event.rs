//! Events that the host completes, fails or forgets.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::{Buffer, Error, EventStatus, Queue, Status, UserEvent};
use cl_test::counting;
use std::sync::mpsc;
use std::time::Duration;

const SOON: Duration = Duration::from_secs(5);

#[test]
fn commands_start_when_the_host_says_so() {
    cl_test::each_device(|device| {
        if cl_test::flushing_blocks(device) {
            return;
        }
        let queue = Queue::on(device).unwrap();
        let mut x = Buffer::filled(&queue, 1, 100).unwrap();
        queue.finish().unwrap();
        let go = UserEvent::new(queue.context()).unwrap();
        assert_eq!(go.event().command(), "clCreateUserEvent");
        let mut filled = None;
        x.fill(queue.after(&[go.event()]).signal(&mut filled), 2).unwrap();
        queue.flush().unwrap();
        std::thread::sleep(Duration::from_millis(50));
        let filled = filled.expect("an event was asked for");
        assert_ne!(filled.status(), Ok(EventStatus::Complete));
        assert_ne!(go.event().status(), Ok(EventStatus::Complete));
        assert!(!go.is_decided());
        go.complete().unwrap();
        assert!(go.is_decided());
        assert_eq!(go.event().status(), Ok(EventStatus::Complete));
        filled.wait().unwrap();
        assert_eq!(x.to_vec(&queue).unwrap(), [2; 100]);
    });
}

#[test]
fn it_is_decided_once() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let event = UserEvent::new(queue.context()).unwrap();
        for status in [0, 1, 3] {
            let calls = counter.calls_during(|| {
                let error = event.fail(Status(status)).unwrap_err();
                assert!(
                    matches!(error, Error::InvalidInput { what: "status of a user event", .. }),
                    "{error}"
                );
            });
            assert!(calls.is_empty(), "{calls:?}");
        }
        assert!(!event.is_decided(), "a refused status decides nothing");
        event.fail(Status(-5)).unwrap();
        let calls = counter.calls_during(|| {
            for result in [event.complete(), event.fail(Status(-6))] {
                assert!(matches!(result, Err(Error::InvalidInput { what: "user event", .. })), "{result:?}");
            }
        });
        assert!(calls.is_empty(), "{calls:?}");
        assert_eq!(event.event().status(), Ok(EventStatus::Failed(Status(-5))));
        let error = event.event().wait().unwrap_err();
        assert_eq!(error.status(), Some(Status::OUT_OF_RESOURCES), "{error}");
        assert!(counter.calls_during(|| drop(event)).keys().eq(["clReleaseEvent"].iter()));
    }
}

#[test]
fn one_that_is_dropped_fails() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let event = UserEvent::new(queue.context()).unwrap();
        let left = event.event().clone();
        let (sender, receiver) = mpsc::channel();
        left.on_complete(move |result| sender.send(result).unwrap()).unwrap();
        drop(event);
        assert_eq!(left.status(), Ok(EventStatus::Failed(UserEvent::ABANDONED)));
        assert_eq!(left.wait().unwrap_err().status(), Some(UserEvent::ABANDONED));
        let heard = receiver.recv_timeout(SOON).unwrap().unwrap_err();
        assert_eq!(heard.status(), Some(UserEvent::ABANDONED));
    });
}

#[test]
fn it_may_be_completed_by_another_thread() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let event = UserEvent::new(queue.context()).unwrap();
        let marker = queue.after(&[event.event()]).marker().unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(20));
                event.complete().unwrap();
            });
            marker.wait().unwrap();
        });
        assert!(event.is_decided());
    });
}

/// Checks two events on two queues, neither of which is flushed by the test.
#[test]
fn a_command_waits_for_an_unflushed_queue() {
    cl_test::each_device(|device| {
        let first = Queue::on(device).unwrap();
        let second = Queue::new(first.context(), cl_core::QueueOptions::new()).unwrap();
        let marker = first.marker().unwrap();
        second.after(&[&marker]).marker().unwrap().wait().unwrap();
        assert_eq!(marker.status(), Ok(EventStatus::Complete));
    });
}

#[test]
fn waiting_for_another_queue_flushes_it() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let first = Queue::on(&device).unwrap();
        let second = Queue::new(first.context(), cl_core::QueueOptions::new()).unwrap();
        let marker = first.marker().unwrap();
        let calls = counter.calls_during(|| drop(second.after(&[&marker]).marker().unwrap()));
        assert_eq!(calls["clFlush"], 1);
        let calls = counter.calls_during(|| drop(first.after(&[&marker]).marker().unwrap()));
        assert!(!calls.contains_key("clFlush"), "the queue's own order is enough: {calls:?}");
    }
}

/// Checks that a wait can be given up. A command that never ends cannot be stopped, but whoever waits for it
/// can stop waiting.
#[test]
fn rule_15_a_wait_can_be_bounded() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let never = UserEvent::new(queue.context()).unwrap();
        let (sender, receiver) = mpsc::channel();
        never.event().on_complete(move |result| drop(sender.send(result))).unwrap();
        let gave_up = receiver.recv_timeout(Duration::from_millis(20));
        assert_eq!(gave_up, Err(mpsc::RecvTimeoutError::Timeout));
        never.complete().unwrap();
        assert_eq!(receiver.recv_timeout(SOON), Ok(Ok(())), "the callback is still there");
    });
}
