//! Invalid calls that drivers cannot be relied on to check. They are refused with a typed error before the
//! driver is called.
//!
//! The tests carry the numbers of the table in `README.md` of this folder.
#![allow(clippy::unwrap_used)] // the preparation must work

use cl_core::raw::*;
use cl_core::{
    Buffer, BuildOptions, Context, Device, Error, Event, EventStatus, Kernel, Library, Local, Program, Queue,
    QueueOptions, Result, Status,
};
use cl_test::counting::{Exclusive, devices, exclusive};
use std::io::Write;

const SOURCE: &str = "
    kernel void put(global int *x, const int value) { x[get_global_id(0)] = value; }
    kernel void with_local(global int *x, local int *t)
    {
        local int own[16];
        own[get_local_id(0) % 16] = t[0] = 1;
        x[get_global_id(0)] = own[0];
    }
    kernel void fours(global int *x) __attribute__((reqd_work_group_size(4, 1, 1)));
    kernel void fours(global int *x) { x[get_global_id(0)] = 4; }";

struct Setting {
    queue: Queue,
    program: Program,
}

impl Setting {
    fn new(device: &Device) -> Setting {
        let queue = Queue::on(device).unwrap();
        let program = Program::build(queue.context(), SOURCE, &BuildOptions::new()).unwrap();
        // The first launch asks for the device's limits; later ones know them.
        device.limits().unwrap();
        Setting { queue, program }
    }

    fn kernel(&self, name: &str) -> Kernel {
        self.program.kernel(name).unwrap()
    }
}

/// Checks that an attempt fails. Its only driver calls may be questions, for the text of the error.
fn refused<T>(counter: &Exclusive, attempt: impl FnOnce() -> Result<T>) -> Error {
    let mut result = None;
    let calls = counter.calls_during(|| result = attempt().err());
    let error = result.unwrap();
    assert!(calls.keys().all(|name| name.starts_with("clGet")), "{error}: {calls:?}");
    assert!(!error.to_string().contains("0x"), "an address in the text: {error}");
    error
}

#[test]
fn rule_1_ranges_end_inside() {
    let counter = exclusive();
    for device in devices() {
        let Setting { queue, .. } = Setting::new(&device);
        let mut x = Buffer::from_slice(&queue, &[1_u32, 2, 3]).unwrap();
        let other = Buffer::filled(&queue, 0_u32, 4).unwrap();
        for start in [2, 4, usize::MAX, usize::MAX - 1, 1 << (usize::BITS - 2)] {
            let error = refused(&counter, || x.read(&queue, start, &mut [0; 2]));
            assert!(matches!(error, Error::OutOfBounds { operation: "read", .. }), "{error}");
            let error = refused(&counter, || x.write(&queue, start, &[9; 2]));
            assert!(matches!(error, Error::OutOfBounds { operation: "write", .. }), "{error}");
        }
        let error = refused(&counter, || x.copy_from(&queue, &other));
        assert!(matches!(error, Error::LengthMismatch { left: 3, right: 4, .. }), "{error}");
        assert_eq!(x.to_vec(&queue).unwrap(), [1, 2, 3]);
    }
}

#[test]
fn rule_2_sizes_can_be_allocated() {
    let counter = exclusive();
    for device in devices() {
        let Setting { queue, .. } = Setting::new(&device);
        let limit = device.limits().unwrap().allocation;
        for len in [(limit / 8 + 1) as usize, usize::MAX, (usize::MAX >> 3) + 2] {
            let error = refused(&counter, || Buffer::filled(&queue, 0_u64, len));
            assert!(matches!(error, Error::TooLarge { .. }), "{error}");
        }
        let error = refused(&counter, || queue.scratch(usize::MAX).map(drop));
        assert!(matches!(error, Error::TooLarge { .. }), "{error}");
    }
}

#[test]
fn rule_3_work_sizes_can_be_launched() {
    let counter = exclusive();
    for device in devices() {
        let setting = Setting::new(&device);
        let (queue, put, fours) = (&setting.queue, setting.kernel("put"), setting.kernel("fours"));
        let mut x = Buffer::filled(queue, 0, 4).unwrap();
        let most = put.work_group_size();
        let shapes = [([4, 1, 1], [0, 1, 1]), ([4, 1, 1], [3, 1, 1]), ([most + 1, 1, 1], [most + 1, 1, 1])]
            .into_iter()
            .chain([([4, 4, 4], [usize::MAX, 2, 1]), ([4, 4, 1], [4, 3, 1])]);
        for (global, local) in shapes {
            let launch = put.launch().arg(&mut x).arg(1).global(global).local(local);
            // SAFETY: never launched.
            let error = refused(&counter, || unsafe { launch.enqueue(queue) });
            assert!(matches!(error, Error::WorkSize { .. }), "{global:?} {local:?}: {error}");
        }
        for (offset, global) in [(usize::MAX, 2), (2, usize::MAX)] {
            let launch = put.launch().arg(&mut x).arg(1).offset(offset).global(global);
            // SAFETY: never launched.
            let error = refused(&counter, || unsafe { launch.enqueue(queue) });
            assert!(matches!(error, Error::WorkSize { .. }), "{error}");
        }
        for local in [None, Some(2)] {
            let launch = fours.launch().arg(&mut x).global(8);
            let launch = if let Some(local) = local { launch.local(local) } else { launch };
            // SAFETY: never launched.
            let error = refused(&counter, || unsafe { launch.enqueue(queue) });
            assert!(matches!(error, Error::WorkSize { .. }), "{error}");
        }
    }
}

#[test]
fn rule_4_arguments_are_all_there_and_local_memory_suffices() {
    let counter = exclusive();
    for device in devices() {
        let setting = Setting::new(&device);
        let (queue, put, with_local) = (&setting.queue, setting.kernel("put"), setting.kernel("with_local"));
        let mut x = Buffer::filled(queue, 0, 4).unwrap();
        // SAFETY: never launched.
        let error = refused(&counter, || unsafe { put.launch().arg(&mut x).global(4).enqueue(queue) });
        assert!(matches!(error, Error::ArgumentCount { expected: 2, given: 1, .. }), "{error}");
        // The kernel's own local memory counts as well: without it, `all - 4` bytes would fit.
        let all = device.local_memory().unwrap() as usize;
        for bytes in [0, all - 4, all + 1, usize::MAX] {
            let launch = with_local.launch().arg(&mut x).arg(Local::<u8>::new(bytes)).global(4);
            // SAFETY: never launched.
            let error = refused(&counter, || unsafe { launch.enqueue(queue) });
            assert!(error.to_string().contains("local memory"), "{bytes} bytes: {error}");
        }
    }
}

#[test]
fn rule_5_objects_belong_together() {
    let counter = exclusive();
    for device in devices() {
        let (here, there) = (Setting::new(&device), Setting::new(&device));
        let (put, foreign_put) = (here.kernel("put"), there.kernel("put"));
        let (queue, elsewhere) = (&here.queue, &there.queue);
        let mut x = Buffer::filled(queue, 0, 4).unwrap();
        let mut foreign = Buffer::filled(elsewhere, 0, 4).unwrap();
        let event = elsewhere.marker().unwrap();
        // SAFETY: none of the launches takes place.
        let errors = unsafe {
            [
                refused(&counter, || put.launch().arg(&mut foreign).arg(1).global(4).enqueue(queue)),
                refused(&counter, || foreign_put.launch().arg(&mut x).arg(1).global(4).enqueue(queue)),
                refused(&counter, || put.launch().arg(&mut x).arg(1).global(4).enqueue(elsewhere)),
                refused(&counter, || x.copy_from(queue, &foreign)),
                refused(&counter, || foreign.read(queue, 0, &mut [0])),
                refused(&counter, || foreign.write(queue, 0, &[0])),
                refused(&counter, || foreign.fill(queue, 0)),
                refused(&counter, || x.fill(queue.after(&[&event]), 0)),
                refused(&counter, || x.write(queue.after(&[&event]), 0, &[])),
            ]
        };
        for error in errors {
            assert!(matches!(error, Error::ForeignObject { .. }), "{error}");
        }
    }
}

#[test]
fn rule_6_commands_keep_what_they_use() {
    cl_test::each_device(|device| {
        let setting = Setting::new(device);
        let queue = setting.queue.clone();
        for round in 0..100 {
            let mut x = Buffer::filled(&queue, -1, 1000).unwrap();
            let mut y = Buffer::filled(&queue, -2, 1000).unwrap();
            let put = setting.kernel("put");
            // SAFETY: one work-item an element.
            unsafe { put.launch().arg(&mut x).arg(round).global(1000).enqueue(&queue) }.unwrap();
            y.copy_from(&queue, &x).unwrap();
            drop((put, x));
            assert_eq!(y.to_vec(&queue).unwrap(), [round; 1000]);
        }
        let mut x = Buffer::filled(&queue, -1, 1000).unwrap();
        let put = setting.kernel("put");
        // SAFETY: one work-item an element.
        let event = unsafe { put.launch().arg(&mut x).arg(7).global(1000).enqueue_event(&queue) }.unwrap();
        queue.flush().unwrap();
        drop((put, setting, x, queue));
        event.wait().unwrap();
    });
}

#[test]
fn rule_10_text_for_the_compiler_is_checked() {
    let counter = exclusive();
    for device in devices() {
        let Setting { queue, .. } = Setting::new(&device);
        let context = queue.context();
        let plain = "kernel void f(global int *x) { x[0] = 1; }";
        let sources = [format!("{plain}\0"), format!("\0{plain}"), " ".repeat((64 << 20) + 1)];
        for source in sources {
            let error = refused(&counter, || Program::build(context, &source, &BuildOptions::new()));
            assert!(matches!(error, Error::InvalidInput { what: "program source", .. }), "{error}");
        }
        for name in ["", "A B", "A\0", "A=1 -I/", "-D", "\"A\"", "@file", "1A", "Ä"] {
            let options = BuildOptions::new().define(name, 1);
            let error = refused(&counter, || Program::build(context, plain, &options));
            assert!(matches!(error, Error::InvalidInput { what: "build option", .. }), "{name:?}: {error}");
        }
    }
}

/// Checks that memory for safe code holds the requested values, whatever was there before.
#[test]
fn rule_13_memory_is_initialised() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for _ in 0..80 {
            drop(Buffer::filled(&queue, 0x5EC2_E700_u32, 64).unwrap());
            let zeros = Buffer::filled(&queue, 0_u32, 64).unwrap();
            assert_eq!(zeros.to_vec(&queue).unwrap(), [0; 64]);
            drop(zeros);
            let odd = Buffer::filled(&queue, [0_u8; 3], 85).unwrap();
            assert_eq!(odd.to_vec(&queue).unwrap(), [[0; 3]; 85]);
        }
    });
}

// The system's functions, behind checks of their arguments: rules 7 and 14.

fn system() -> &'static Functions {
    Library::load().unwrap().functions()
}

/// Ends the process unless `holds`, because a panic cannot unwind out of a C function.
fn must(holds: bool, what: &str) {
    if !holds {
        // Written past the test runner, which keeps printed text until the test ends.
        let _ = writeln!(std::io::stderr(), "{what}");
        std::process::abort();
    }
}

fn look_at_list(count: cl_uint, list: *const cl_event) {
    must((count == 0) == list.is_null(), "a wait list of no events is not null, or the other way round");
    for index in 0..count as usize {
        // SAFETY: OpenCL's caller gives `count` events.
        must(!unsafe { *list.add(index) }.is_null(), "an event to wait for is null");
    }
}

unsafe extern "system" fn looking_read(
    queue: cl_command_queue,
    memory: cl_mem,
    blocking: cl_bool,
    offset: size_t,
    size: size_t,
    host: *mut c_void,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    must(blocking != 0, "a borrowed slice is read into without blocking");
    look_at_list(count, list);
    // SAFETY: the caller's arguments, unchanged.
    unsafe { (system().clEnqueueReadBuffer)(queue, memory, blocking, offset, size, host, count, list, event) }
}

unsafe extern "system" fn looking_write(
    queue: cl_command_queue,
    memory: cl_mem,
    blocking: cl_bool,
    offset: size_t,
    size: size_t,
    host: *const c_void,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    must(blocking != 0, "a borrowed slice is written from without blocking");
    look_at_list(count, list);
    // SAFETY: the caller's arguments, unchanged.
    unsafe {
        (system().clEnqueueWriteBuffer)(queue, memory, blocking, offset, size, host, count, list, event)
    }
}

unsafe extern "system" fn looking_launch(
    queue: cl_command_queue,
    kernel: cl_kernel,
    dimensions: cl_uint,
    offset: *const size_t,
    global: *const size_t,
    local: *const size_t,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    look_at_list(count, list);
    let enqueue = system().clEnqueueNDRangeKernel;
    // SAFETY: the caller's arguments, unchanged.
    unsafe { enqueue(queue, kernel, dimensions, offset, global, local, count, list, event) }
}

/// Answers that every command has failed with -5, an answer that the system would not give here.
unsafe extern "system" fn failed_events(
    _: cl_event,
    _: cl_event_info,
    size: size_t,
    value: *mut c_void,
    size_ret: *mut size_t,
) -> cl_int {
    must(size == size_of::<cl_int>(), "the size of a status");
    // SAFETY: there is room for a status, and for its size unless that is null.
    unsafe {
        value.cast::<cl_int>().write(-5);
        if !size_ret.is_null() {
            *size_ret = size;
        }
    }
    CL_SUCCESS
}

/// Returns the machine's devices in a library of these functions.
fn devices_with(functions: Functions) -> Vec<Device> {
    // SAFETY: the entries are the system's, behind others that keep to OpenCL's rules.
    let library = unsafe { Library::from_functions(functions) };
    let wanted = cl_test::devices();
    let mut devices = Device::all_of(library).unwrap();
    devices.retain(|device| wanted.iter().any(|wanted| wanted.as_raw() == device.as_raw()));
    devices
}

#[test]
fn rules_7_and_14_borrowed_slices_block_and_wait_lists_are_well_formed() {
    let functions = Functions {
        clEnqueueReadBuffer: looking_read,
        clEnqueueWriteBuffer: looking_write,
        clEnqueueNDRangeKernel: looking_launch,
        ..*system()
    };
    for device in devices_with(functions) {
        let setting = Setting::new(&device);
        let other = Queue::new(setting.queue.context(), QueueOptions::new()).unwrap();
        let put = setting.kernel("put");
        let mut x = Buffer::from_slice(&setting.queue, &[1, 2, 3, 4]).unwrap();
        let none: [&Event; 0] = [];
        for queue in [&setting.queue, &other, &setting.queue] {
            let mut event = None;
            x.write(queue.after(&none).signal(&mut event), 0, &[5]).unwrap();
            let events: Vec<&Event> = event.iter().collect();
            let launch = put.launch().arg(&mut x).arg(9).global(4);
            // SAFETY: one work-item an element.
            unsafe { launch.enqueue(queue.after(&events)) }.unwrap();
            assert_eq!(x.to_vec(queue.after(&events)).unwrap(), [9; 4]);
        }
    }
}

#[test]
fn rule_14_a_failed_command_is_an_error() {
    for device in devices_with(Functions { clGetEventInfo: failed_events, ..*system() }) {
        let context = Context::on(&device).unwrap();
        let queue = Queue::new(&context, QueueOptions::new().profiling()).unwrap();
        let recording = queue.record().unwrap();
        let event = queue.marker().unwrap();
        Buffer::filled(&queue, 1, 4).map(drop).unwrap();
        assert_eq!(event.status(), Ok(EventStatus::Failed(Status::OUT_OF_RESOURCES)));
        for error in [event.wait().unwrap_err(), event.profile().map(drop).unwrap_err()] {
            assert_eq!(error.status(), Some(Status::OUT_OF_RESOURCES), "{error}");
            assert!(error.to_string().contains("clEnqueueMarkerWithWaitList"), "{error}");
        }
        let error = recording.finish().unwrap_err();
        assert_eq!(error.status(), Some(Status::OUT_OF_RESOURCES), "{error}");
    }
}
