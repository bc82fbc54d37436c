//! Every driver call of every operation fails once with each of seven codes, and every answer of a driver has
//! a wrong size. The result must always be an error of the right kind, without a panic or a leak, and
//! everything can be used afterwards. `cl_test::sweep` describes the checks; the tables below list the
//! operations.
//!
//! **A new operation** is one row: its name, and a closure that prepares its objects and returns `run` of the
//! operation itself. The operation ends with a look at its result, if it has one. `None` in place of `run`
//! says that the device cannot do the operation.
#![allow(clippy::unwrap_used, clippy::expect_used)] // the preparation is not disturbed

use crate::fault_rows::{
    cached, commands, events, handles, images, objects, programs, questions, shared, transfers, views,
};
use cl_core::{Buffer, Context, Error, Queue, Status, UserEvent};
use cl_test::faults::exclusive;
use cl_test::sweep::{Bench, Disturbance, Operation, Run, failures, findings, lies, run};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

const TABLES: [&[Operation]; 10] = [
    questions::ROWS,
    objects::ROWS,
    commands::ROWS,
    views::ROWS,
    transfers::ROWS,
    images::ROWS,
    shared::ROWS,
    events::ROWS,
    programs::ROWS,
    handles::ROWS,
];

/// The environment variable that is set in the process in which the cached builds run.
const CACHED: &str = "CL_CORE_FAULTS_CACHED";

#[test]
fn every_driver_call_may_fail() {
    let faults = exclusive();
    for device in faults.devices() {
        failures(&faults, &device, &TABLES.concat());
    }
}

#[test]
fn every_answer_may_have_a_wrong_size() {
    let faults = exclusive();
    for device in faults.devices() {
        lies(&faults, &device, &TABLES.concat());
    }
}

/// Checks cached builds in a process of their own. The folder for compiled programs is chosen once a process,
/// and this test needs a private one.
#[test]
fn builds_that_are_cached() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = cl_test::child(cached_builds_in_a_private_folder);
    // The cache makes the folder itself, so that nobody else has access to it.
    let programs = folder.path().join("programs");
    // Otherwise PoCL keeps programs by itself.
    child.env("POCL_KERNEL_CACHE", "0");
    let done = child.env("CL_CACHE", programs).env(CACHED, "1").output().unwrap();
    let (text, errors) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success() && text.contains("1 passed"), "{text}\n{errors}");
    println!("{text}");
}

/// Runs the rows of [`builds_that_are_cached`].
#[test]
fn cached_builds_in_a_private_folder() {
    if std::env::var_os(CACHED).is_none() {
        return;
    }
    let faults = exclusive();
    for device in faults.devices() {
        failures(&faults, &device, cached::ROWS);
        lies(&faults, &device, cached::ROWS);
    }
}

/// Checks that a command does not count as ended because a question about it fails.
#[test]
fn an_unanswered_question_ends_no_command() {
    let faults = exclusive();
    for device in faults.devices() {
        let event = UserEvent::new(&Context::on(&device).unwrap()).unwrap();
        let (sender, receiver) = channel();
        event.event().on_complete(move |result| drop(sender.send(result))).unwrap();
        // From here on, only the thread that asks for the event's status makes calls.
        faults.fail(1, Status::OUT_OF_RESOURCES);
        let told = receiver.recv_timeout(Duration::from_millis(200));
        assert_eq!(told, Err(RecvTimeoutError::Timeout), "it has not ended");
        assert_eq!(faults.hit(), Some("clGetEventInfo"));
        faults.forward_all();
        event.complete().unwrap();
        assert_eq!(receiver.recv_timeout(Duration::from_secs(20)), Ok(Ok(())));
    }
}

/// Checks that a failed release releases the object all the same. The driver would keep the object, and
/// nobody tries again. The fault-injecting library therefore carries such a call out before it reports the
/// failure.
#[test]
fn what_could_not_be_given_back_is_gone_all_the_same() {
    let faults = exclusive();
    for device in faults.devices() {
        let queue = Queue::on(&device).unwrap();
        let before = faults.ledger();
        let x = Buffer::from_slice(&queue, &[1, 2, 3]).unwrap();

        let map = x.map(&queue, ..).unwrap();
        faults.fail(1, Status::OUT_OF_RESOURCES);
        assert_eq!(map.unmap().unwrap_err().status(), Some(Status::OUT_OF_RESOURCES));
        assert_eq!(faults.hit(), Some("clEnqueueUnmapMemObject"));
        faults.forward_all();
        queue.finish().unwrap();
        assert_eq!(x.memory().info().unwrap().maps, 0, "{device}");

        // With a second reference, the buffer can be asked after the first reference was released.
        let raw = x.as_raw();
        // SAFETY: a valid buffer of that library.
        assert_eq!(unsafe { (faults.library().functions().clRetainMemObject)(raw) }, 0);
        faults.fail(1, Status::OUT_OF_RESOURCES);
        drop(x);
        assert_eq!(faults.hit(), Some("clReleaseMemObject"));
        faults.forward_all();
        // SAFETY: the second reference; nothing else uses the buffer.
        let x = unsafe { Buffer::<i32>::from_raw(queue.context(), raw) }.unwrap();
        assert_eq!(cl_test::settled_references(x.memory()), 1, "{device}");
        drop(x);
        let left = faults.ledger().since(&before);
        assert!(left.is_balanced(), "{left:?}");
    }
}

/// Checks the sweep itself: it must find each of the bugs that are planted here.
#[test]
fn the_sweep_finds_what_is_wrong() {
    let operations = [
        Operation::new("swallows", |bench| {
            run(|| {
                let _ = bench.queue.flush();
                Ok(())
            })
        }),
        Operation::new("panics", |bench| {
            run(|| {
                bench.queue.flush().expect("planted");
                Ok(())
            })
        }),
        Operation::new("loses", |bench| run(|| bench.queue.marker().map(std::mem::forget))),
        Operation::new("translates", |bench| {
            run(|| {
                let invalid = |_| Error::invalid_input("flush", "planted");
                bench.queue.flush().map_err(invalid)
            })
        }),
        Operation::new("never works", |_| run(|| Err(Error::invalid_input("operation", "planted")))),
    ];
    let faults = exclusive();
    let device = &faults.devices()[0];
    let fails = [Disturbance::Fails(Status::OUT_OF_RESOURCES)];
    let found = findings(&faults, device, &operations, &fails);
    for (operation, complaint) in [
        ("swallows", "clFlush: it succeeded nevertheless"),
        ("panics", "clFlush: it panicked: planted"),
        ("loses", "not balanced: {\"Event\": "),
        ("translates", "clFlush: it returned another error: invalid flush"),
        ("never works", "none: it failed undisturbed: invalid operation"),
        ("never works", "it makes no driver call that could fail"),
        ("never works", "none: afterwards nothing works: invalid operation"),
        ("in the end", "not balanced"),
    ] {
        let is_it = |line: &&String| line.starts_with(operation) && line.contains(complaint);
        assert!(found.iter().any(|line| is_it(&line)), "{operation}: {complaint}\n{}", found.join("\n"));
    }
}

/// Checks that codes in turns disturb each call of a row once, so that a bug in any call is found.
#[test]
fn codes_that_take_turns_reach_every_call() {
    /// Flushes four times, and ignores the failure of one flush.
    fn careless<const ABOUT: usize>(bench: &Bench) -> Option<Run<'_>> {
        run(|| {
            (0..4).try_for_each(|k| match bench.queue.flush() {
                Err(_) if k == ABOUT => Ok(()),
                flushed => flushed,
            })
        })
    }
    let faults = exclusive();
    let device = &faults.devices()[0];
    let fails = [Status::OUT_OF_RESOURCES, Status::OUT_OF_HOST_MEMORY].map(Disturbance::Fails);
    let rows = [careless::<0>, careless::<1>, careless::<2>, careless::<3>];
    for (about, prepare) in rows.into_iter().enumerate() {
        let found = findings(&faults, device, &[Operation::new("flushes", prepare).in_turns()], &fails);
        let place = format!("flushes: {:?}, call {}", fails[about % 2], about + 1);
        assert_eq!(found, [format!("{place}, clFlush: it succeeded nevertheless")]);
    }
}
