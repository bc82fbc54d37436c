//! The ends of commands: user events, callbacks, futures, markers, native kernels, the profiler.

use super::{NAMES, RELEASE, block_on, lacking};
use cl_core::{Buffer, Event, EventStatus, Profiler, Queue, QueueOptions, Result, Status, UserEvent};
use cl_test::sweep::{Bench, Operation, run};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// The function that a thread of the crate also calls for events with callbacks. It may do so when the driver
/// has already called back.
const ASKED_TWICE: &[&str] = &["clGetEventInfo"];

/// The longest time that a callback may take.
const SOON: Duration = Duration::from_secs(20);

fn filled(queue: &Queue) -> Event {
    let mut event = None;
    Buffer::filled(queue, 1, 4).and_then(|mut x| x.fill(queue.signal(&mut event), 7)).unwrap();
    event.unwrap()
}

/// Returns a queue for commands that may fail.
fn own_queue(bench: &Bench) -> Queue {
    Queue::new(&bench.context, QueueOptions::new()).unwrap()
}

/// Returns the argument of a callback.
fn told<T>(receiver: &Receiver<Result<T>>) -> Result<T> {
    receiver.recv_timeout(SOON).unwrap_or_else(|error| panic!("no callback: {error}"))
}

pub(crate) const ROWS: &[Operation] = &[
    // The fill waits for one event only, because PoCL 3.1 crashes when one of two events fails that a command
    // waits for.
    Operation::new("UserEvent::complete", |bench| {
        let queue = own_queue(bench);
        let mut x = Buffer::filled(&queue, 0, 4).unwrap();
        queue.finish().unwrap();
        run(move || {
            let go = UserEvent::new(&bench.context)?;
            x.fill(queue.after(&[go.event()]), 2)?;
            go.complete()?;
            assert_eq!(x.to_vec(&queue)?, [2; 4]);
            Ok(())
        })
    })
    .ignores_failures_of(&[RELEASE]),
    Operation::new("UserEvent::fail", |bench| {
        run(|| {
            let go = UserEvent::new(&bench.context)?;
            go.fail(Status::OUT_OF_RESOURCES)?;
            assert_eq!(go.event().status()?, EventStatus::Failed(Status::OUT_OF_RESOURCES));
            Ok(())
        })
    }),
    // An event that is dropped undecided is only logged.
    Operation::new("UserEvent, dropped", |bench| run(|| UserEvent::new(&bench.context).map(drop)))
        .ignores_failures_of(&["clSetUserEventStatus"]),
    // After a failed wait, the events are asked. After a failed question, they are waited for again.
    Operation::new("Event::wait_all", |bench| {
        let events = [filled(&bench.queue), filled(&bench.profiling)];
        run(move || Event::wait_all(&[&events[0], &events[1]]))
    })
    .ignores_failures_of(&["clWaitForEvents", "clGetEventInfo"]),
    Operation::new("Event::status", |bench| {
        let event = filled(&bench.queue);
        bench.queue.finish().unwrap();
        run(move || {
            assert_eq!(event.status()?, EventStatus::Complete);
            Ok(())
        })
    }),
    Operation::new("Event::on_complete", |bench| {
        let event = filled(&bench.queue);
        run(move || {
            let (sender, receiver) = channel();
            event.on_complete(move |result| drop(sender.send(result)))?;
            told(&receiver)
        })
    })
    .ignores_failures_of(ASKED_TWICE),
    Operation::new("Event as a future", |bench| {
        let event = filled(&bench.queue);
        run(move || block_on(event, SOON).unwrap_or_else(|| panic!("it does not end")))
    })
    .ignores_failures_of(ASKED_TWICE),
    Operation::new("Queue::then", |bench| {
        run(|| {
            let (sender, receiver) = channel();
            for number in 0..2 {
                let sender = sender.clone();
                bench.queue.then(move |result| drop(sender.send(result.map(|()| number))))?;
            }
            for number in 0..2 {
                assert_eq!(told(&receiver)?, number);
            }
            Ok(())
        })
    })
    .ignores_failures_of(ASKED_TWICE),
    Operation::new("Queue::marker, barrier, after others", |bench| {
        let event = filled(&bench.profiling);
        run(move || {
            let marker = bench.queue.after(&[&event]).marker()?;
            let barrier = bench.queue.barrier()?;
            bench.profiling.after(&[&marker, &barrier]).barrier()?.wait()
        })
    }),
    Operation::new("Queue::barrier, out of order", |bench| {
        let queue = bench.out_of_order.as_ref()?;
        run(move || {
            let mut x = Buffer::filled(queue, 1, 4)?;
            queue.barrier()?;
            x.fill(queue, 2)?;
            queue.marker()?.wait()
        })
    }),
    Operation::new("Event::from_raw", |bench| {
        let event = filled(&bench.queue);
        let (library, raw) = (bench.device.library(), event.as_raw());
        // SAFETY: the event is alive.
        assert_eq!(unsafe { (library.functions().clRetainEvent)(raw) }, 0);
        run(move || {
            // SAFETY: as above; the reference is taken over, or released after an error.
            let taken = unsafe {
                Event::from_raw(library, raw).inspect_err(|_| {
                    (library.functions().clReleaseEvent)(raw);
                })
            }?;
            assert_eq!(taken.command(), event.command());
            taken.wait()
        })
    }),
    // The event is asked for one thing only: whether the closure can be dropped.
    Operation::new("Queue::native", |bench| {
        let (x, mut y) =
            (Buffer::filled(&bench.queue, 3, 4).unwrap(), Buffer::filled(&bench.queue, 0, 4).unwrap());
        run(move || {
            let copied = bench.queue.native((&x, &mut y), |(x, y)| y.copy_from_slice(x));
            let Some(copied) = lacking(copied)? else { return Ok(()) };
            copied.wait()?;
            assert_eq!(y.to_vec(&bench.queue)?, [3; 4]);
            Ok(())
        })
    })
    // The error of a device without native kernels names the device.
    .ignores_failures_of(&[
        "clSetEventCallback",
        "clGetEventInfo",
        "clGetDeviceInfo",
        "clGetPlatformInfo",
    ]),
    Operation::new("Profiler", |bench| {
        run(|| {
            let profiler = Profiler::new(&[&bench.profiling])?;
            let mut x = profiler.region("make", || Buffer::filled(&bench.profiling, 1, 4))?;
            profiler.region("change", || x.fill(&bench.profiling, 2))?;
            let report = profiler.finish();
            assert_eq!(report.root().commands, 2);
            report.failures().first().cloned().map_or(Ok(()), Err)
        })
    })
    .ignores_failures_of(&NAMES),
];
