//! Memory whose home queue is taken away while a command on that queue is being enqueued. The test has a file
//! of its own, because the interruption affects the whole process.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::raw::*;
use cl_core::{Buffer, BuildOptions, Context, Device, Library, Program, Queue, QueueOptions};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

/// The actions of another thread while a launch is on its way into the driver.
static MEANWHILE: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);
static MARKERS: AtomicU32 = AtomicU32::new(0);

unsafe extern "system" fn interrupted_launch(
    queue: cl_command_queue,
    kernel: cl_kernel,
    dimensions: cl_uint,
    offset: *const size_t,
    global: *const size_t,
    local: *const size_t,
    waits: cl_uint,
    wait_list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    let meanwhile = MEANWHILE.lock().unwrap().take();
    if let Some(meanwhile) = meanwhile {
        meanwhile();
    }
    let enqueue = Library::load().unwrap().functions().clEnqueueNDRangeKernel;
    // SAFETY: the caller's arguments, unchanged.
    unsafe { enqueue(queue, kernel, dimensions, offset, global, local, waits, wait_list, event) }
}

unsafe extern "system" fn counted_marker(
    queue: cl_command_queue,
    waits: cl_uint,
    wait_list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    MARKERS.fetch_add(1, Ordering::Relaxed);
    let mark = Library::load().unwrap().functions().clEnqueueMarkerWithWaitList;
    // SAFETY: the caller's arguments, unchanged.
    unsafe { mark(queue, waits, wait_list, event) }
}

#[test]
fn a_launch_is_remembered_when_its_memory_is_shared_meanwhile() {
    let functions = Functions {
        clEnqueueNDRangeKernel: interrupted_launch,
        clEnqueueMarkerWithWaitList: counted_marker,
        ..*Library::load().unwrap().functions()
    };
    // SAFETY: two entries end in the original, the others are the system's.
    let library = unsafe { Library::from_functions(functions) };
    let wanted = cl_test::devices();
    for device in Device::all_of(library).unwrap() {
        if !wanted.iter().any(|other| other.as_raw() == device.as_raw()) {
            continue;
        }
        let context = Context::on(&device).unwrap();
        let queue = |_| Queue::new(&context, QueueOptions::new()).unwrap();
        let [home, other] = [0, 1].map(queue);
        let source = "kernel void increment(global int *x) { x[get_global_id(0)] += 1; }";
        let increment =
            Program::build(&context, source, &BuildOptions::new()).unwrap().kernel("increment").unwrap();
        let x = Arc::new(Buffer::filled(&home, 1, 8).unwrap());
        let markers_of_a_read = |expected: [i32; 8]| {
            let before = MARKERS.load(Ordering::Relaxed);
            assert_eq!(x.to_vec(&other).unwrap(), expected);
            MARKERS.load(Ordering::Relaxed) - before
        };

        let (shared, elsewhere) = (Arc::clone(&x), other.clone());
        *MEANWHILE.lock().unwrap() = Some(Box::new(move || {
            assert_eq!(shared.to_vec(&elsewhere).unwrap(), [1; 8]);
        }));
        let before = MARKERS.load(Ordering::Relaxed);
        // SAFETY: each work-item touches its own element; the other queue has finished reading.
        unsafe { increment.launch().arg(&*x).global(8).enqueue(&home) }.unwrap();
        assert_eq!(MARKERS.load(Ordering::Relaxed) - before, 1, "by the other queue, for the fill");
        assert!(MEANWHILE.lock().unwrap().is_none());

        // A new marker behind the launch is needed: an earlier marker would not include the launch.
        assert_eq!(markers_of_a_read([2; 8]), 1, "for the launch");
        assert_eq!(markers_of_a_read([2; 8]), 0, "nothing was written since");
    }
}
