//! Commands behind one that has failed, or is going to: an error, never a hang, and never a success
//! that nothing was done for; and memory that a failed command should have written can be used again.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::raw::*;
use cl_core::{Buffer, Context, Device, Event, Library, Queue, QueueOptions, Result, Status, UserEvent};
use cl_test::{counting, known_faults};
use std::sync::atomic::{AtomicU32, Ordering};

fn queues(device: &Device) -> Vec<Queue> {
    let context = Context::on(device).unwrap();
    let mut queues = vec![Queue::new(&context, QueueOptions::new()).unwrap()];
    if device.has_out_of_order_queues().unwrap() {
        queues.push(Queue::new(&context, QueueOptions::new().out_of_order()).unwrap());
    }
    queues
}

fn failed(queue: &Queue) -> Event {
    let user = UserEvent::new(queue.context()).unwrap();
    user.fail(Status::OUT_OF_RESOURCES).unwrap();
    user.event().clone()
}

#[test]
fn what_has_failed_is_not_waited_for() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        for queue in queues(&device) {
            let mut x = Buffer::filled(&queue, 1, 10).unwrap();
            let event = failed(&queue);
            let calls = counter.calls_during(|| {
                for refused in [
                    x.to_vec(queue.after(&[&event])).map(drop),
                    x.write(queue.after(&[&event]), 0, &[2]),
                    x.fill(queue.after(&[&event]), 2),
                    queue.after(&[&event]).marker().map(drop),
                ] {
                    assert_eq!(refused.unwrap_err().status(), Some(Status::OUT_OF_RESOURCES), "{device}");
                }
            });
            assert!(calls.keys().eq(["clGetEventInfo"].iter()), "{calls:?} on {device}");
            assert_eq!(x.to_vec(&queue).unwrap(), [1; 10]);
        }
    }
}

/// The commands that are said to have failed: `CL_COMMAND_READ_BUFFER` and the like, or none.
static FAILING: AtomicU32 = AtomicU32::new(0);

/// As the driver's, but says that commands of one kind have failed, as PoCL 3.1 does after it called
/// them a success.
unsafe extern "system" fn status_of_failed(
    event: cl_event,
    name: cl_event_info,
    size: size_t,
    value: *mut c_void,
    written: *mut size_t,
) -> cl_int {
    let ask = Library::load().unwrap().functions().clGetEventInfo;
    let mut kind: cl_uint = 0;
    // SAFETY: the caller's event and arguments, and room for a number.
    let status = unsafe {
        ask(event, CL_EVENT_COMMAND_TYPE, size_of::<cl_uint>(), (&raw mut kind).cast(), std::ptr::null_mut());
        ask(event, name, size, value, written)
    };
    if name == CL_EVENT_COMMAND_EXECUTION_STATUS && kind == FAILING.load(Ordering::Relaxed) {
        // SAFETY: the caller asks for this number and so has room for it.
        unsafe { value.cast::<cl_int>().write(CL_OUT_OF_RESOURCES) };
    }
    status
}

#[test]
fn a_blocking_command_that_fails_is_no_success() {
    let functions = Functions { clGetEventInfo: status_of_failed, ..*Library::load().unwrap().functions() };
    // SAFETY: one entry sometimes gives another answer, the others are the system's.
    let library = unsafe { Library::from_functions(functions) };
    let wanted = cl_test::devices();
    for device in Device::all_of(library).unwrap() {
        if !wanted.iter().any(|other| other.as_raw() == device.as_raw()) {
            continue;
        }
        for queue in queues(&device) {
            let mut x = Buffer::filled(&queue, 1, 10).unwrap();
            queue.finish().unwrap();
            let done = queue.marker().unwrap();
            done.wait().unwrap();
            let after = [&done];
            let failing = |command, result: &mut dyn FnMut() -> Result<()>| {
                FAILING.store(command, Ordering::Relaxed);
                let result = result();
                FAILING.store(0, Ordering::Relaxed);
                assert_eq!(result.unwrap_err().status(), Some(Status::OUT_OF_RESOURCES), "{device}");
            };
            failing(CL_COMMAND_READ_BUFFER, &mut || x.to_vec(queue.after(&after)).map(drop));
            failing(CL_COMMAND_WRITE_BUFFER, &mut || x.write(queue.after(&after), 0, &[2; 10]));
            failing(CL_COMMAND_MAP_BUFFER, &mut || x.map(queue.after(&after), ..).map(drop));
            failing(CL_COMMAND_MAP_BUFFER, &mut || x.map_mut(queue.after(&after), ..).map(drop));
            x.write(&queue, 0, &[3; 10]).unwrap();
            assert_eq!(x.to_vec(&queue).unwrap(), [3; 10], "it can be used again on {device}");
            assert_eq!(x.memory().info().unwrap().maps, 0, "{device}");
        }
    }
}

#[test]
fn memory_that_a_failed_command_should_have_written() {
    known_faults::each_device("memory_that_a_failed_command_should_have_written", |device| {
        for queue in queues(device) {
            let mut x = Buffer::filled(&queue, 1, 10).unwrap();
            // PoCL 3.1 aborts when a command fails while another one that it waits for runs.
            queue.finish().unwrap();
            let user = UserEvent::new(queue.context()).unwrap();
            let mut fill = None;
            x.fill(queue.after(&[user.event()]).signal(&mut fill), 2).unwrap();
            user.fail(Status::OUT_OF_RESOURCES).unwrap();
            let ended = fill.unwrap().wait();
            let read = x.to_vec(&queue);
            // On a queue in order there is nothing to wait for.
            assert!(queue.is_in_order() || read.is_err() == ended.is_err(), "{ended:?} {read:?} on {device}");
            x.fill(&queue, 3).unwrap();
            assert_eq!(x.to_vec(&queue).unwrap(), [3; 10], "{device}");
        }
    });
}
