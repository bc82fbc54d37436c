//! Queues and contexts: options, hints, barriers, closures in order, foreign handles, reports.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::raw::*;
use cl_core::{
    Buffer, Context, Device, Error, EventStatus, Library, Priority, Queue, QueueOptions, Throttle, UserEvent,
};
use cl_test::counting;
use serial_test::serial;
use std::ffi::CString;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_secs(5);

/// Returns the system's library with other entries, and its devices that are tested.
fn with_functions(change: impl FnOnce(&mut Functions)) -> (Library, Vec<Device>) {
    let mut functions = Functions { ..*Library::load().unwrap().functions() };
    change(&mut functions);
    // SAFETY: the tests' functions do the work of the originals, and record something in addition.
    let library = unsafe { Library::from_functions(functions) };
    let wanted: Vec<_> = cl_test::devices().iter().map(Device::as_raw).collect();
    let mut devices = Device::all_of(library).unwrap();
    devices.retain(|device| wanted.contains(&device.as_raw()));
    (library, devices)
}

#[test]
fn a_barrier_holds_back_what_comes_after_it() {
    cl_test::each_device(|device| {
        if cl_test::flushing_blocks(device) {
            return;
        }
        let context = Context::on(device).unwrap();
        if !device.has_out_of_order_queues().unwrap() {
            let refused = Queue::new(&context, QueueOptions::new().out_of_order());
            assert!(matches!(refused, Err(Error::Unsupported { .. })), "{refused:?}");
            return;
        }
        let queue = Queue::new(&context, QueueOptions::new().out_of_order()).unwrap();
        let go = UserEvent::new(&context).unwrap();
        let barrier = queue.after(&[go.event()]).barrier().unwrap();
        assert_eq!(barrier.command(), "clEnqueueBarrierWithWaitList");
        let mut filled = None;
        let mut x =
            Buffer::<i32>::from_slice(&Queue::new(&context, QueueOptions::new()).unwrap(), &[1]).unwrap();
        x.fill(queue.signal(&mut filled), 2).unwrap();
        let filled = filled.expect("an event was asked for");
        queue.flush().unwrap();
        std::thread::sleep(Duration::from_millis(50));
        assert_ne!(filled.status(), Ok(EventStatus::Complete));
        go.complete().unwrap();
        filled.wait().unwrap();
        assert_eq!(barrier.status(), Ok(EventStatus::Complete));
        queue.barrier().unwrap().wait().unwrap();
    });
}

#[test]
fn a_marker_waits_for_its_list_only() {
    cl_test::each_device(|device| {
        if cl_test::flushing_blocks(device) {
            return;
        }
        if !device.has_out_of_order_queues().unwrap() {
            return;
        }
        let context = Context::on(device).unwrap();
        let queue = Queue::new(&context, QueueOptions::new().out_of_order()).unwrap();
        let (slow, quick) = (UserEvent::new(&context).unwrap(), UserEvent::new(&context).unwrap());
        let behind_slow = queue.after(&[slow.event()]).marker().unwrap();
        let mut signal = None;
        let behind_quick = queue.after(&[quick.event()]).signal(&mut signal).marker().unwrap();
        assert_eq!(signal.as_ref(), Some(&behind_quick));
        queue.flush().unwrap();
        quick.complete().unwrap();
        let begun = Instant::now();
        while behind_quick.status() != Ok(EventStatus::Complete) && begun.elapsed() < SOON / 10 {
            std::thread::sleep(Duration::from_millis(1));
        }
        if behind_quick.status() != Ok(EventStatus::Complete) {
            // Some drivers' markers also wait for everything before them.
            let platform = device.platform().name().unwrap();
            assert!(
                ["Portable Computing Language", "NVIDIA CUDA"].contains(&platform.as_str()),
                "{platform}"
            );
        }
        assert_ne!(behind_slow.status(), Ok(EventStatus::Complete));
        slow.complete().unwrap();
        behind_quick.wait().unwrap();
        queue.marker().unwrap().wait().unwrap();
        assert_eq!(behind_slow.status(), Ok(EventStatus::Complete));
    });
}

#[test]
fn closures_run_in_the_order_of_the_queue() {
    cl_test::each_device(|device| {
        if cl_test::flushing_blocks(device) {
            return;
        }
        let queue = Queue::on(device).unwrap();
        let mut x = Buffer::filled(&queue, 0, 1 << 16).unwrap();
        let go = UserEvent::new(queue.context()).unwrap();
        queue.after(&[go.event()]).marker().unwrap();
        let order = Arc::new(Mutex::new(Vec::new()));
        let (sender, receiver) = mpsc::channel();
        for number in 0..200 {
            x.fill(&queue, number).unwrap();
            let (order, sender) = (Arc::clone(&order), sender.clone());
            let note = move |result: cl_core::Result<()>| {
                order.lock().unwrap().push((number, result));
                drop(sender);
            };
            queue.then(note).unwrap();
        }
        drop(sender);
        assert_eq!(*order.lock().unwrap(), [], "nothing has run yet, and nothing has blocked");
        go.complete().unwrap();
        assert_eq!(receiver.recv_timeout(SOON), Err::<(), _>(mpsc::RecvTimeoutError::Disconnected));
        let expected: Vec<_> = (0..200).map(|number| (number, Ok(()))).collect();
        assert_eq!(*order.lock().unwrap(), expected);
    });
}

#[test]
fn later_commands_do_not_wait_for_a_closure() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let (release, blocked) = mpsc::channel::<()>();
        let (sender, receiver) = mpsc::channel();
        queue
            .then(move |_| {
                blocked.recv_timeout(SOON).unwrap();
                sender.send(()).unwrap();
            })
            .unwrap();
        let x = Buffer::filled(&queue, 4, 10).unwrap();
        assert_eq!(x.to_vec(&queue).unwrap(), [4; 10]);
        assert_eq!(receiver.try_recv(), Err(mpsc::TryRecvError::Empty));
        release.send(()).unwrap();
        assert_eq!(receiver.recv_timeout(SOON), Ok(()));
    });
}

static ASKED_FOR: Mutex<Vec<cl_queue_properties>> = Mutex::new(Vec::new());

/// Answers as the original, for a device that also knows both hints.
unsafe extern "system" fn hinting_device_info(
    device: cl_device_id,
    name: cl_device_info,
    size: size_t,
    value: *mut c_void,
    size_ret: *mut size_t,
) -> cl_int {
    let answer = match name {
        CL_DEVICE_EXTENSIONS => "cl_khr_priority_hints cl_khr_throttle_hints",
        CL_DEVICE_VERSION => "OpenCL 2.0 test",
        // SAFETY: the caller's arguments, unchanged.
        _ => return unsafe { clGetDeviceInfo(device, name, size, value, size_ret) },
    };
    let answer = CString::new(answer).unwrap();
    let bytes = answer.as_bytes_with_nul();
    // SAFETY: the caller's pointers, to memory of the size that the caller says.
    unsafe {
        if !size_ret.is_null() {
            *size_ret = bytes.len();
        }
        if !value.is_null() {
            assert!(size >= bytes.len());
            value.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
    }
    CL_SUCCESS
}

/// Records the properties, and makes a queue without the hints.
unsafe extern "system" fn hinted_queue(
    context: cl_context,
    device: cl_device_id,
    properties: *const cl_queue_properties,
    status: *mut cl_int,
) -> cl_command_queue {
    let mut noted = Vec::new();
    // SAFETY: the list ends with 0 instead of a name; the rest are the caller's arguments.
    unsafe {
        while *properties.add(noted.len()) != 0 {
            let pair = properties.add(noted.len());
            noted.extend([*pair, *pair.add(1)]);
        }
        let queue = clCreateCommandQueue(context, device, noted[1], status);
        *ASKED_FOR.lock().unwrap() = noted;
        queue
    }
}

#[test]
fn hints_reach_a_device_that_knows_them() {
    let (_, devices) = with_functions(|functions| {
        functions.clGetDeviceInfo = hinting_device_info;
        functions.clCreateCommandQueueWithProperties = Some(hinted_queue);
    });
    for device in devices {
        let context = Context::on(&device).unwrap();
        let options = QueueOptions::new().profiling().priority(Priority::High).throttle(Throttle::Low);
        let queue = Queue::new(&context, options).unwrap();
        assert!(queue.is_profiling());
        let wanted = [
            u64::from(CL_QUEUE_PROPERTIES),
            CL_QUEUE_PROFILING_ENABLE,
            CL_QUEUE_PRIORITY_KHR,
            CL_QUEUE_PRIORITY_HIGH_KHR,
            CL_QUEUE_THROTTLE_KHR,
            CL_QUEUE_THROTTLE_LOW_KHR,
        ];
        assert_eq!(*ASKED_FOR.lock().unwrap(), wanted);
    }
}

#[test]
fn hints_change_nothing_else() {
    cl_test::each_device(|device| {
        let context = Context::on(device).unwrap();
        for priority in [Priority::Low, Priority::Medium, Priority::High] {
            for throttle in [Throttle::Low, Throttle::Medium, Throttle::High] {
                let options = QueueOptions::new().priority(priority).throttle(throttle);
                let queue = Queue::new(&context, options).unwrap();
                assert!(queue.is_in_order() && !queue.is_profiling());
                assert_eq!(Buffer::filled(&queue, 1, 3).unwrap().to_vec(&queue).unwrap(), [1; 3]);
            }
        }
    });
}

/// The queue whose recording ends while its next marker is enqueued.
static ENDING: Mutex<Option<Queue>> = Mutex::new(None);

/// Ends the recording of the queue in [`ENDING`] on another thread, and enqueues the marker.
unsafe extern "system" fn marker_during_the_end(
    queue: cl_command_queue,
    waits: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    let ending = ENDING.lock().unwrap().take();
    if let Some(ending) = ending {
        std::thread::spawn(move || ending.end_recording()).join().unwrap();
    }
    // SAFETY: the caller's arguments, unchanged.
    unsafe { clEnqueueMarkerWithWaitList(queue, waits, list, event) }
}

#[test]
fn a_recording_that_ends_during_a_command_leaves_nothing_to_the_next() {
    let (_, devices) =
        with_functions(|functions| functions.clEnqueueMarkerWithWaitList = marker_during_the_end);
    for device in devices {
        let context = Context::on(&device).unwrap();
        let queue = Queue::new(&context, QueueOptions::new().profiling()).unwrap();
        let ended = queue.record().unwrap();
        *ENDING.lock().unwrap() = Some(queue.clone());
        queue.marker().unwrap();
        let next = queue.record().expect("the first recording has ended");
        queue.marker().unwrap();
        assert_eq!(ended.finish().unwrap(), []);
        assert_eq!(next.finish().unwrap().len(), 1, "the first marker belongs to neither recording");
    }
}

/// Returns a context on one device, and a queue with these properties, made only with C's functions.
fn by_other_code(device: &Device, properties: cl_command_queue_properties) -> (cl_context, cl_command_queue) {
    let (id, mut status) = (device.as_raw(), 0);
    // SAFETY: one device, no properties, no callback; then the new context with its device.
    unsafe {
        let context = clCreateContext(null(), 1, &raw const id, None, null_mut(), &raw mut status);
        assert_eq!(status, 0);
        let queue = clCreateCommandQueue(context, id, properties, &raw mut status);
        assert_eq!(status, 0);
        (context, queue)
    }
}

fn context_references(context: cl_context) -> u32 {
    let mut count = 0_u32;
    let name = CL_CONTEXT_REFERENCE_COUNT;
    // SAFETY: a live context, and memory of the size that is given.
    assert_eq!(unsafe { clGetContextInfo(context, name, 4, (&raw mut count).cast(), null_mut()) }, 0);
    count
}

#[test]
fn contexts_and_queues_of_other_code_are_adopted() {
    let library = Library::load().unwrap();
    cl_test::each_device(|device| {
        let (raw_context, raw_queue) = by_other_code(device, CL_QUEUE_PROFILING_ENABLE);
        // SAFETY: the context and the queue are ours to give; the context is given twice.
        let queue = unsafe {
            let devices = Context::devices_of(library, raw_context).unwrap();
            assert_eq!(devices, std::slice::from_ref(device));
            assert_eq!(clRetainContext(raw_context), 0);
            let context = Context::from_raw(device, raw_context).unwrap();
            Queue::from_raw(&context, raw_queue).unwrap()
        };
        assert!(queue.is_profiling() && queue.is_in_order());
        assert_eq!(queue.as_raw(), raw_queue);
        let x = Buffer::filled(&queue, 6, 100).unwrap();
        assert_eq!(x.to_vec(&queue).unwrap(), [6; 100]);
        queue.marker().unwrap().wait().unwrap();
        drop((x, queue));
        // The test's own reference, and perhaps some of objects that the driver has not released yet.
        assert!(context_references(raw_context) >= 1);
        // SAFETY: the reference that was not given away.
        assert_eq!(unsafe { clReleaseContext(raw_context) }, 0);
    });
}

#[test]
fn references_balance_and_wrong_handles_stay_the_callers() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let (raw_context, raw_queue) = by_other_code(&device, 0);
        let elsewhere = Context::on(&device).unwrap();
        // SAFETY: live handles, or null; a refused handle is not given away.
        let refused = counter.calls_during(|| unsafe {
            let error = Queue::from_raw(&elsewhere, raw_queue).unwrap_err();
            assert!(matches!(error, Error::ForeignObject { .. }), "{error}");
            let error = Queue::from_raw(&elsewhere, null_mut()).unwrap_err();
            assert!(matches!(error, Error::InvalidInput { what: "queue handle", .. }), "{error}");
            let error = Context::from_raw(&device, null_mut()).unwrap_err();
            assert!(matches!(error, Error::InvalidInput { what: "context handle", .. }), "{error}");
            let error = Context::devices_of(device.library(), null_mut()).unwrap_err();
            assert!(matches!(error, Error::InvalidInput { what: "context handle", .. }), "{error}");
        });
        assert_eq!(refused.keys().copied().collect::<Vec<_>>(), ["clGetCommandQueueInfo"]);
        // SAFETY: both references are ours to give.
        let adopted = counter.calls_during(|| unsafe {
            let context = Context::from_raw(&device, raw_context).unwrap();
            drop(Queue::from_raw(&context, raw_queue).unwrap());
        });
        assert_eq!((adopted["clReleaseContext"], adopted["clReleaseCommandQueue"]), (1, 1), "{adopted:?}");
        assert!(!adopted.contains_key("clRetainContext") && !adopted.contains_key("clRetainCommandQueue"));
    }
}

/// Checks two parts of a device in one context that C made: there is one `Context` for each part.
#[test]
fn a_context_of_several_devices_is_adopted_once_for_each() {
    cl_test::each_device(|device| {
        let parts = match device.partition(&cl_core::Partition::Equally(1)) {
            Ok(parts) if parts.len() >= 2 => parts,
            _ => return,
        };
        let ids = [parts[0].as_raw(), parts[1].as_raw()];
        let mut status = 0;
        // SAFETY: two devices of one platform.
        let raw = unsafe { clCreateContext(null(), 2, ids.as_ptr(), None, null_mut(), &raw mut status) };
        assert_eq!(status, 0);
        // SAFETY: the context lives; two references are given away, of which one is made here.
        let contexts = unsafe {
            let devices = Context::devices_of(device.library(), raw).unwrap();
            // PoCL lists the whole device instead of its parts.
            let whole = devices == std::slice::from_ref(device);
            assert!(whole || devices == parts[..2], "{devices:?}");
            if !whole {
                let refused = Context::from_raw(device, raw);
                assert!(matches!(refused, Err(Error::ForeignObject { .. })), "{refused:?}");
            }
            assert_eq!(clRetainContext(raw), 0);
            [0, 1].map(|k| Context::from_raw(&parts[k], raw).unwrap())
        };
        let queues = [0, 1].map(|k| Queue::new(&contexts[k], QueueOptions::new()).unwrap());
        assert_eq!(queues[1].device(), &parts[1]);
        let x = Buffer::filled(&queues[0], 8, 1000).unwrap();
        assert_eq!(x.to_vec(&queues[1]).unwrap(), [8; 1000]);
    });
}

static NOTIFY: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static DATA: AtomicUsize = AtomicUsize::new(0);

/// Records the callback.
unsafe extern "system" fn reporting_context(
    properties: *const cl_context_properties,
    count: cl_uint,
    devices: *const cl_device_id,
    notify: Option<ContextCallback>,
    data: *mut c_void,
    status: *mut cl_int,
) -> cl_context {
    NOTIFY.store(notify.map_or(null_mut(), |notify| notify as *mut c_void), Ordering::SeqCst);
    DATA.store(data.addr(), Ordering::SeqCst);
    // SAFETY: the caller's arguments, unchanged.
    unsafe { clCreateContext(properties, count, devices, notify, data, status) }
}

/// Calls the callback from a thread of its own, as a driver does.
fn report(text: *const c_char) {
    // SAFETY: the pointer was made from a function of this type.
    let notify: ContextCallback = unsafe { std::mem::transmute(NOTIFY.load(Ordering::SeqCst)) };
    let data = DATA.load(Ordering::SeqCst);
    let text = text.addr();
    let call = move || {
        notify(std::ptr::with_exposed_provenance(text), null(), 0, std::ptr::without_provenance_mut(data));
    };
    std::thread::spawn(call).join().unwrap();
}

#[test]
#[serial(queue)] // the records belong to the process
fn reports_of_the_driver_reach_the_handler() {
    let (_, devices) = with_functions(|functions| functions.clCreateContext = reporting_context);
    let text = CString::new("something is odd").unwrap();
    text.as_ptr().expose_provenance();
    for device in devices {
        let (sender, receiver) = mpsc::channel();
        let handler = move |text: &str| {
            sender.send(text.to_owned()).unwrap();
            assert!(!text.contains("odd"), "on purpose: the driver must not notice");
        };
        let context = Context::with_error_handler(&device, handler).unwrap();
        for _ in 0..2 {
            report(text.as_ptr());
            assert_eq!(receiver.recv_timeout(SOON).as_deref(), Ok("something is odd"));
        }
        report(null());
        assert!(receiver.recv_timeout(SOON).unwrap().contains("without a text"));
        // Late reports, after the context is gone, only go to the log.
        drop(context);
        report(text.as_ptr());
        assert_eq!(receiver.recv_timeout(SOON), Err(mpsc::RecvTimeoutError::Disconnected));
        // A report without a handler does no harm.
        let _context = Context::on(&device).unwrap();
        report(text.as_ptr());
    }
}
