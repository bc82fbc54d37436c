//! Events: status, waiting, callbacks, times, foreign handles.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::raw::*;
use cl_core::{
    Buffer, Context, Device, Error, Event, EventStatus, Library, Queue, QueueOptions, Status, UserEvent,
};
use cl_test::counting;
use std::future::{Future, IntoFuture};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::task::Waker;
use std::time::{Duration, Instant};

/// The longest time that a callback may take.
const SOON: Duration = Duration::from_secs(5);

fn filled(queue: &Queue, x: &mut Buffer<i32>) -> Event {
    let mut event = None;
    x.fill(queue.signal(&mut event), 7).unwrap();
    event.expect("an event was asked for")
}

#[test]
fn all_of_several_contexts_are_waited_for() {
    cl_test::each_device(|device| {
        let queues = [Queue::on(device).unwrap(), Queue::on(device).unwrap()];
        let mut buffers: Vec<_> =
            queues.iter().map(|queue| Buffer::filled(queue, 1, 1 << 20).unwrap()).collect();
        let events: Vec<Event> = (0..4).map(|k| filled(&queues[k % 2], &mut buffers[k % 2])).collect();
        Event::wait_all(&events.iter().collect::<Vec<_>>()).unwrap();
        assert!(events.iter().all(|event| event.status() == Ok(EventStatus::Complete)));
    });
}

#[test]
fn waiting_for_none_calls_no_driver() {
    let counter = counting::exclusive();
    assert!(counter.calls_during(|| Event::wait_all(&[]).unwrap()).is_empty());
}

/// Waits as a driver that gives up as soon as one of several events has failed, which OpenCL allows.
unsafe extern "system" fn impatient_wait(count: cl_uint, events: *const cl_event) -> cl_int {
    if count > 1 {
        return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    }
    // SAFETY: the caller's arguments, unchanged.
    unsafe { clWaitForEvents(count, events) }
}

#[test]
fn waiting_for_all_reports_the_failure_and_waits_for_the_others() {
    let functions = Functions { clWaitForEvents: impatient_wait, ..*Library::load().unwrap().functions() };
    // SAFETY: one entry does what a driver may do, the others are the system's.
    let impatient = unsafe { Library::from_functions(functions) };
    let tested = cl_test::devices();
    let mut devices = Device::all_of(impatient).unwrap();
    devices.retain(|device| tested.iter().any(|other| other.as_raw() == device.as_raw()));
    for device in tested.iter().chain(&devices) {
        let queue = Queue::on(device).unwrap();
        let (bad, good) =
            (UserEvent::new(queue.context()).unwrap(), UserEvent::new(queue.context()).unwrap());
        bad.fail(Status::OUT_OF_RESOURCES).unwrap();
        let done = Arc::new(AtomicBool::new(false));
        let setter = Arc::clone(&done);
        let good_event = good.event().clone();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            setter.store(true, Ordering::SeqCst);
            good.complete().unwrap();
        });
        let error = Event::wait_all(&[bad.event(), &good_event]).unwrap_err();
        assert_eq!(error.status(), Some(Status::OUT_OF_RESOURCES), "{error}");
        assert!(done.load(Ordering::SeqCst), "it did not wait for the other one");
        thread.join().unwrap();
    }
}

#[test]
fn a_callback_runs_once_with_the_result() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let mut x = Buffer::filled(&queue, 1, 1000).unwrap();
        let event = filled(&queue, &mut x);
        let (sender, receiver) = mpsc::channel();
        // Two callbacks on one event: both run. The channel closes when both are gone.
        for number in 0..2 {
            let sender = sender.clone();
            event.on_complete(move |result| sender.send((number, result)).unwrap()).unwrap();
        }
        drop(sender);
        // The test neither flushes nor finishes the queue here.
        let mut heard: Vec<_> = (0..2).map(|_| receiver.recv_timeout(SOON).unwrap()).collect();
        heard.sort_by_key(|(number, _)| *number);
        assert_eq!(heard, [(0, Ok(())), (1, Ok(()))]);
        assert_eq!(receiver.recv_timeout(SOON), Err(mpsc::RecvTimeoutError::Disconnected));
        // A callback on a command that has ended already.
        let (sender, receiver) = mpsc::channel();
        event.on_complete(move |result| sender.send(result).unwrap()).unwrap();
        assert_eq!(receiver.recv_timeout(SOON), Ok(Ok(())));
    });
}

#[test]
fn a_callback_may_block_and_use_opencl() {
    cl_test::known_faults::each_device("event::a_callback_may_block_and_use_opencl", |device| {
        let queue = Queue::on(device).unwrap();
        let (sender, receiver) = mpsc::channel();
        let inside = queue.clone();
        let read = move |result: cl_core::Result<()>| {
            let x = result.and_then(|()| Buffer::filled(&inside, 3, 10));
            sender.send(x.and_then(|x| x.to_vec(&inside))).unwrap();
        };
        queue.marker().unwrap().on_complete(read).unwrap();
        assert_eq!(receiver.recv_timeout(SOON), Ok(Ok(vec![3; 10])));
    });
}

#[test]
fn a_panic_in_a_callback_harms_nobody() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        queue.marker().unwrap().on_complete(|_| panic!("on purpose")).unwrap();
        queue.then(|_| panic!("on purpose, too")).unwrap();
        let (sender, receiver) = mpsc::channel();
        queue.then(move |result| sender.send(result).unwrap()).unwrap();
        assert_eq!(receiver.recv_timeout(SOON), Ok(Ok(())));
        queue.finish().unwrap();
    });
}

#[test]
fn callbacks_of_many_threads_all_run() {
    const EACH: usize = 500;
    cl_test::known_faults::each_device("event::callbacks_of_many_threads_all_run", |device| {
        let queue = Queue::on(device).unwrap();
        let count = Arc::new(AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..EACH {
                        let count = Arc::clone(&count);
                        let add = move |result: cl_core::Result<()>| {
                            count.fetch_add(usize::from(result.is_ok()), Ordering::SeqCst);
                        };
                        queue.marker().unwrap().on_complete(add).unwrap();
                    }
                });
            }
        });
        let begun = Instant::now();
        while count.load(Ordering::SeqCst) < 4 * EACH && begun.elapsed() < SOON {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(count.load(Ordering::SeqCst), 4 * EACH);
    });
}

/// Checks that callbacks and futures flush the queue. Without a flush the command might never start, because
/// drivers may wait for one.
#[test]
fn callbacks_and_futures_flush_the_queue() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        if cl_test::flushing_blocks(&device) {
            continue;
        }
        let queue = Queue::on(&device).unwrap();
        let go = UserEvent::new(queue.context()).unwrap();
        let event = queue.after(&[go.event()]).marker().unwrap();
        let calls = counter.calls_during(|| event.on_complete(|_| ()).unwrap());
        assert_eq!(calls["clFlush"], 1, "{calls:?}");
        let mut future = pin!((&event).into_future());
        let mut poll = || {
            let waker = &mut std::task::Context::from_waker(Waker::noop());
            assert!(future.as_mut().poll(waker).is_pending());
        };
        let calls = counter.calls_during(&mut poll);
        assert_eq!(calls["clFlush"], 1, "{calls:?}");
        let calls = counter.calls_during(poll);
        assert!(!calls.contains_key("clFlush"), "once is enough: {calls:?}");
        go.complete().unwrap();
        event.wait().unwrap();
        // The thread that watches events drops them before the next test counts.
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn callbacks_and_futures_release_their_events() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let calls = counter.calls_during(|| {
            let failing = UserEvent::new(queue.context()).unwrap();
            let (sender, receiver) = mpsc::channel::<()>();
            for event in [queue.marker().unwrap(), failing.event().clone()] {
                let sender = sender.clone();
                event.on_complete(move |_| drop(sender)).unwrap();
            }
            drop((sender, failing));
            assert_eq!(receiver.recv_timeout(SOON), Err(mpsc::RecvTimeoutError::Disconnected));
            std::thread::sleep(Duration::from_millis(200));
        });
        assert_eq!(calls["clReleaseEvent"], 2, "{calls:?}");
    }
}

#[test]
fn times_are_in_order() {
    cl_test::each_device(|device| {
        let context = Context::on(device).unwrap();
        let queue = Queue::new(&context, QueueOptions::new().profiling()).unwrap();
        let mut x = Buffer::filled(&queue, 1, 1 << 20).unwrap();
        for event in [filled(&queue, &mut x), queue.marker().unwrap(), queue.barrier().unwrap()] {
            let profile = match event.profile() {
                Ok(profile) => profile,
                // On some drivers markers have no times.
                Err(error) if event.command() != "clEnqueueFillBuffer" => {
                    assert_eq!(error.status(), Some(Status::PROFILING_INFO_NOT_AVAILABLE), "{error}");
                    continue;
                }
                Err(error) => panic!("{error}"),
            };
            assert!(profile.queued <= profile.submitted, "{profile:?}");
            assert!(profile.submitted <= profile.started, "{profile:?}");
            assert!(profile.started <= profile.ended, "{profile:?}");
            assert_eq!(profile.queueing() + profile.waiting() + profile.running(), profile.total());
            assert_eq!(profile.running(), profile.duration());
            assert_eq!(profile.total().as_nanos(), u128::from(profile.ended - profile.queued));
        }
    });
}

#[test]
fn an_event_goes_out_and_comes_back() {
    let library = Library::load().unwrap();
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let mut x = Buffer::filled(&queue, 1, 1000).unwrap();
        let event = filled(&queue, &mut x);
        let raw = event.as_raw();
        // SAFETY: the event lives; this is the reference that `from_raw` takes over.
        let back = unsafe {
            assert_eq!(clRetainEvent(raw), 0);
            Event::from_raw(library, raw).unwrap()
        };
        assert_eq!(back, event);
        assert_eq!(back.command(), "clEnqueueFillBuffer");
        drop(event);
        back.wait().unwrap();
        // A command of the same context may wait for it.
        queue.after(&[&back]).marker().unwrap().wait().unwrap();
        let mut count = 0_u32;
        let name = CL_EVENT_REFERENCE_COUNT;
        // SAFETY: the event lives, and `count` has the size that is given.
        let status = unsafe { clGetEventInfo(raw, name, 4, (&raw mut count).cast(), std::ptr::null_mut()) };
        assert_eq!(status, 0);
        assert!(count >= 1);
        // SAFETY: null is allowed.
        let error = unsafe { Event::from_raw(library, std::ptr::null_mut()) }.unwrap_err();
        assert!(matches!(error, Error::InvalidInput { what: "event handle", .. }), "{error}");
    });
}

#[test]
fn an_event_of_another_context_is_refused() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let (here, there) = (Queue::on(&device).unwrap(), Queue::on(&device).unwrap());
        let event = there.marker().unwrap();
        let calls = counter.calls_during(|| {
            for result in [here.after(&[&event]).marker(), here.after(&[&event]).barrier()] {
                assert!(matches!(result, Err(Error::ForeignObject { .. })), "{result:?}");
            }
        });
        assert!(calls.is_empty(), "{calls:?}");
    }
}
