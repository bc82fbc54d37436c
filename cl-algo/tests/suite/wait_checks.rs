//! Checks that wait for commands: none is lost, and none waits for itself.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::prelude::*;
use cl_core::Error;
use cl_test::{each_device, known_faults};
use std::sync::atomic::{AtomicUsize, Ordering};

static CALLS: AtomicUsize = AtomicUsize::new(0);

/// Requests another check, as another thread might while this one runs.
fn asks_again(queue: &Queue) -> cl_core::Result<()> {
    if CALLS.fetch_add(1, Ordering::Relaxed) < 100 {
        queue.check_when_waited(asks_again);
    }
    queue.finish()?;
    queue.finish()
}

#[test]
fn a_look_that_waits_does_not_look_again() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        CALLS.store(0, Ordering::Relaxed);
        queue.check_when_waited(asks_again);
        queue.finish().unwrap();
        assert_eq!(CALLS.load(Ordering::Relaxed), 1);
        // A check that was requested meanwhile runs at the next wait.
        queue.finish().unwrap();
        assert_eq!(CALLS.load(Ordering::Relaxed), 2);
    });
}

fn panics(_: &Queue) -> cl_core::Result<()> {
    panic!("on purpose")
}

#[test]
fn a_look_that_panics_is_not_the_last() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        queue.check_when_waited(panics);
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| queue.finish())).is_err());
        let x = DeviceVec::from_slice(&queue, &[1_u32, 7]).unwrap();
        let gathered = x.iter().gather(&x).collect().unwrap();
        assert!(matches!(gathered.to_vec(), Err(Error::IndexOutOfRange { index: 7, .. })));
        assert_eq!(gathered.to_vec().unwrap(), [7, 7]);
    });
}

#[test]
fn every_thread_of_a_queue_may_meet_and_look_for_faults() {
    known_faults::each_device(
        "wait_checks::every_thread_of_a_queue_may_meet_and_look_for_faults",
        |device| {
            let queue = Queue::on(device).unwrap();
            let x = DeviceVec::from_slice(&queue, &[1_u32, 7]).unwrap();
            let reported = AtomicUsize::new(0);
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        for _ in 0..100 {
                            let gathered = x.iter().gather(&x).collect().unwrap();
                            match gathered.to_vec() {
                                Ok(values) => assert_eq!(values, [7, 7]),
                                Err(Error::IndexOutOfRange { operation, index, bound, .. }) => {
                                    assert_eq!((operation, index, bound), ("gather", 7, 2));
                                    reported.fetch_add(1, Ordering::Relaxed);
                                }
                                Err(error) => panic!("{error}"),
                            }
                        }
                    });
                }
            });
            // It is not specified which thread reports, but one does.
            assert!(reported.load(Ordering::Relaxed) > 0);
            let _ = queue.finish();
            queue.finish().unwrap();
            assert_eq!(x.to_vec().unwrap(), [1, 7]);
        },
    );
}
