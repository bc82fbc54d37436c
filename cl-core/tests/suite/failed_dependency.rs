//! Commands that wait for a command that has failed or will fail. They return an error: they neither hang nor
//! succeed without doing their work. The memory that a failed command should have written can be used again.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::raw::*;
use cl_core::{
    Buffer, BuildOptions, Context, Device, Event, Kernel, Library, Program, Queue, QueueOptions, Result,
    Status, UserEvent,
};
use cl_test::{counting, known_faults};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

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

/// The type of `clGetEventInfo`.
type AskEvent =
    unsafe extern "system" fn(cl_event, cl_event_info, size_t, *mut c_void, *mut size_t) -> cl_int;

/// The kind of the commands that are said to have failed, such as `CL_COMMAND_READ_BUFFER`; 0 for no
/// commands.
static FAILING: AtomicU32 = AtomicU32::new(0);

/// Answers as the driver, but says that commands of one kind have failed. PoCL 3.1 does so after it has
/// reported their success.
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

/// Returns the devices, with another function to ask about events.
fn devices_with(ask: AskEvent) -> Vec<Device> {
    let functions = Functions { clGetEventInfo: ask, ..*Library::load().unwrap().functions() };
    // SAFETY: one entry sometimes gives another answer, the others are the system's.
    let library = unsafe { Library::from_functions(functions) };
    let wanted = cl_test::devices();
    let all = Device::all_of(library).unwrap();
    all.into_iter().filter(|device| wanted.iter().any(|other| other.as_raw() == device.as_raw())).collect()
}

#[test]
fn a_blocking_command_that_fails_is_no_success() {
    for device in devices_with(status_of_failed) {
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
            queue.finish().unwrap(); // also the command that ends the failed map
            assert_eq!(x.memory().info().unwrap().maps, 0, "{device}");
        }
    }
}

#[test]
fn memory_that_a_failed_command_should_have_written() {
    known_faults::each_device(
        "failed_dependency::memory_that_a_failed_command_should_have_written",
        |device| {
            for queue in queues(device) {
                let mut x = Buffer::filled(&queue, 1, 10).unwrap();
                let user = UserEvent::new(queue.context()).unwrap();
                let mut fill = None;
                x.fill(queue.after(&[user.event()]).signal(&mut fill), 2).unwrap();
                user.fail(Status::OUT_OF_RESOURCES).unwrap();
                for refused in [fill.unwrap().wait(), x.to_vec(&queue).map(drop)] {
                    assert_eq!(refused.unwrap_err().status(), Some(Status::OUT_OF_RESOURCES), "{device}");
                }
                x.fill(&queue, 3).unwrap();
                assert_eq!(x.to_vec(&queue).unwrap(), [3; 10], "{device}");
            }
        },
    );
}

/// The source of a kernel that takes a while.
const SLOW: &str = "kernel void slow(global int *x, const int steps)
    { for (int i = 0; i < steps; i++) x[0] = x[0] * 1664525 + i; }";

/// Fails a user event while `transfer` blocks for this event and for a kernel that is still running.
fn fail_during(
    queue: &Queue,
    slow: &Kernel,
    busy: &mut Buffer<i32>,
    transfer: impl FnOnce(&[&Event]) -> Result<()>,
) -> Result<()> {
    // SAFETY: one work-item, which touches the only element.
    let running = unsafe { slow.launch().arg(busy).arg(20_000_000).global(1).enqueue_event(queue) }.unwrap();
    let user = UserEvent::new(queue.context()).unwrap();
    let event = user.event().clone();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(20));
            user.fail(Status::OUT_OF_RESOURCES).unwrap();
        });
        transfer(&[&event, &running])
    })
}

/// Answers as the driver, but says that failed transfers are complete. Intel's runtime 2026 does so when an
/// event that they waited for fails.
unsafe extern "system" fn status_of_complete(
    event: cl_event,
    name: cl_event_info,
    size: size_t,
    value: *mut c_void,
    written: *mut size_t,
) -> cl_int {
    const TRANSFERS: [cl_uint; 3] = [CL_COMMAND_READ_BUFFER, CL_COMMAND_WRITE_BUFFER, CL_COMMAND_MAP_BUFFER];
    let ask = Library::load().unwrap().functions().clGetEventInfo;
    let mut kind: cl_uint = 0;
    // SAFETY: the caller's event and arguments, and room for a number.
    let status = unsafe {
        ask(event, CL_EVENT_COMMAND_TYPE, size_of::<cl_uint>(), (&raw mut kind).cast(), std::ptr::null_mut());
        ask(event, name, size, value, written)
    };
    if name == CL_EVENT_COMMAND_EXECUTION_STATUS && TRANSFERS.contains(&kind) {
        let value = value.cast::<cl_int>();
        // SAFETY: the caller asks for this number and so has room for it.
        unsafe { value.write((*value).max(0)) };
    }
    status
}

#[test]
fn a_transfer_whose_dependency_fails_meanwhile() {
    const NAME: &str = "failed_dependency::a_transfer_whose_dependency_fails_meanwhile";
    const N: usize = 100_000;
    for device in devices_with(status_of_complete) {
        if known_faults::skips(NAME, &device) {
            continue;
        }
        let queue = Queue::on(&device).unwrap();
        let elsewhere = Queue::new(queue.context(), QueueOptions::new()).unwrap();
        let program = Program::build(queue.context(), SLOW, &BuildOptions::new()).unwrap();
        let slow = program.kernel("slow").unwrap();
        let mut busy = Buffer::filled(&elsewhere, 0, 1).unwrap();
        let mut x = Buffer::filled(&queue, 5, N).unwrap();
        queue.finish().unwrap();

        let mut host = vec![1; N];
        let read = fail_during(&elsewhere, &slow, &mut busy, |after| {
            x.read(queue.after(after), 0, &mut host) //
        });
        read.expect_err("nothing was read");
        // From here on the host's memory belongs to its owner again, even if the driver still has other commands to
        // run.
        host.fill(2);
        elsewhere.finish().unwrap();
        queue.finish().unwrap();
        std::thread::sleep(Duration::from_millis(20));
        assert!(host == [2; N], "the driver wrote after the read had failed on {device}");

        let map = fail_during(&elsewhere, &slow, &mut busy, |after| x.map(queue.after(after), ..).map(drop));
        map.expect_err("nothing was mapped");

        let write = fail_during(&elsewhere, &slow, &mut busy, |after| x.write(queue.after(after), 0, &host));
        write.expect_err("nothing was written");
        host.fill(3);
        elsewhere.finish().unwrap();
        queue.finish().unwrap();
        x.to_vec(&queue).expect_err("what the write left cannot be told");
        x.fill(&queue, 6).unwrap();
        assert_eq!(x.to_vec(&queue).unwrap(), [6; N], "{device}");
    }
}
