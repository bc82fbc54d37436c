//! Shared virtual memory on every device: values come back, host and kernels take turns, and invalid use is
//! refused before the driver sees it.
//!
//! At times, NVIDIA's driver 580 refuses even 2 KB while another context of the process allocates.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use bytemuck::Pod;
use cl_core::raw::{
    Functions, SvmFreeCallback, c_void, cl_bool, cl_command_queue, cl_context, cl_device_id, cl_event,
    cl_int, cl_svm_mem_flags, cl_uint, size_t,
};
use cl_core::{
    Atomic, Buffer, BuildOptions, Coarse, Context, Device, Error, Fine, FineSvmVec, Kernel, Library,
    Migration, Program, Queue, QueueOptions, Status, SvmCapabilities, SvmGrain, SvmVec,
};
use cl_test::{counting, each_device};
use serial_test::serial;
use std::fmt::Debug;
use std::sync::atomic::{AtomicU32, Ordering};

const LENGTHS: [usize; 7] = [0, 1, 2, 3, 255, 1000, 4097];

/// Runs a test on every device that has shared virtual memory. On other devices, checks that making a vector
/// in shared memory says that it is unsupported.
fn with_svm(needed: SvmCapabilities, test: impl Fn(&Device, &Queue)) {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        if device.svm_capabilities().unwrap().is_some_and(|has| has.contains(needed)) {
            test(device, &queue);
        } else if needed == SvmCapabilities::COARSE_GRAIN_BUFFER {
            let refused = SvmVec::<u8>::filled(&queue, 1, 1);
            assert!(matches!(refused, Err(Error::Unsupported { .. })), "{refused:?}");
        } else {
            let refused = FineSvmVec::<u8>::filled(&queue, 1, 1);
            assert!(matches!(refused, Err(Error::Unsupported { .. })), "{refused:?}");
        }
    });
}

const COARSE: SvmCapabilities = SvmCapabilities::COARSE_GRAIN_BUFFER;
const FINE: SvmCapabilities = SvmCapabilities::FINE_GRAIN_BUFFER;

const SOURCE: &str = "
kernel void twice(global const uint *x, global uint *y) {
    y[get_global_id(0)] = 2 * x[get_global_id(0)];
}
kernel void count(global volatile uint *x) {
    atomic_inc(x);
}
kernel void increment(global uint *x) {
    x[get_global_id(0)] += 1;
}
struct node { ulong next; ulong value; };
kernel void follow(global struct node *first, ulong steps, global ulong *found) {
    global struct node *node = first;
    for (ulong step = 0; step < steps; step++) node = (global struct node *)node->next;
    *found = node->value;
    node->value = 0;
}
";

fn kernel(context: &Context, name: &str) -> Kernel {
    Program::build(context, SOURCE, &BuildOptions::new()).unwrap().kernel(name).unwrap()
}

fn round_trip<T: Pod + PartialEq + Debug, G: SvmGrain>(queue: &Queue, value: impl Fn(usize) -> T) {
    for len in LENGTHS {
        let values: Vec<T> = (0..len).map(&value).collect();
        let mut vec = SvmVec::<T, G>::from_slice(queue, &values).unwrap();
        assert_eq!((vec.len(), vec.is_empty(), vec.as_ptr().is_null()), (len, len == 0, len == 0));
        assert_eq!(vec.to_vec(queue).unwrap(), values, "{vec:?}");
        assert_eq!(&*vec.map(queue).unwrap(), values);
        let mut copy = SvmVec::<T, G>::filled(queue, value(3), len).unwrap();
        assert_eq!(copy.to_vec(queue).unwrap(), vec![value(3); len], "{copy:?}");
        copy.copy_from(queue, &vec).unwrap();
        vec.fill(queue, value(5)).unwrap();
        assert_eq!(vec.to_vec(queue).unwrap(), vec![value(5); len], "{vec:?}");
        drop(vec);
        assert_eq!(&*copy.map_mut(queue).unwrap(), values);
        if let Some(last) = copy.map_mut(queue).unwrap().last_mut() {
            *last = value(9);
        }
        if len > 0 {
            let mut last = [value(0)];
            copy.read(queue, len - 1, &mut last).unwrap();
            assert_eq!(last, [value(9)]);
            copy.write(queue, 0, &[value(8)]).unwrap();
            assert_eq!(copy.map(queue).unwrap()[0], value(8));
        }
    }
}

fn round_trips<G: SvmGrain>(queue: &Queue) {
    round_trip::<u8, G>(queue, |i| i as u8);
    round_trip::<u32, G>(queue, |i| i as u32 * 3);
    round_trip::<f64, G>(queue, |i| i as f64 * 0.1);
    round_trip::<[u8; 3], G>(queue, |i| [i as u8, 1, 2]); // not a pattern size that OpenCL fills with
    round_trip::<[u64; 16], G>(queue, |i| [i as u64; 16]); // the largest pattern of OpenCL
    round_trip::<[u64; 32], G>(queue, |i| [i as u64; 32]); // larger than OpenCL's patterns
}

#[test]
#[serial]
fn coarse_values_come_back_as_they_were() {
    with_svm(COARSE, |_, queue| round_trips::<Coarse>(queue));
}

#[test]
#[serial]
fn fine_values_come_back_as_they_were() {
    with_svm(FINE, |_, queue| round_trips::<Fine>(queue));
}

/// Checks that host and kernels can take turns, on queues of all kinds.
fn turns<G: SvmGrain>(queue: &Queue) {
    let context = queue.context();
    let (twice, increment) = (kernel(context, "twice"), kernel(context, "increment"));
    let mut queues = vec![queue.clone(), Queue::new(context, QueueOptions::new()).unwrap()];
    queues.extend(Queue::new(context, QueueOptions::new().out_of_order()));
    let mut x = SvmVec::<u32, G>::filled(queue, 0, 1000).unwrap();
    let mut y = Buffer::filled(queue, 0_u32, 1000).unwrap();
    for round in 0..100_u32 {
        let queue = |step: usize| &queues[(round as usize + step) % queues.len()];
        for value in x.map_mut(queue(0)).unwrap().iter_mut() {
            assert_eq!(*value, if round == 0 { 0 } else { round });
            *value = round;
        }
        // SAFETY: item i uses element i only, and there are as many items as elements.
        unsafe {
            increment.launch().arg(&mut x).global(1000).enqueue(queue(1)).unwrap();
            twice.launch().arg(&x).arg(&mut y).global(1000).enqueue(queue(2)).unwrap();
        }
        assert_eq!(y.to_vec(queue(3)).unwrap(), [2 * (round + 1); 1000]);
        let (one, other) = (x.map(queue(4)).unwrap(), x.map(queue(0)).unwrap());
        assert_eq!(*one, [round + 1; 1000]);
        drop(one);
        assert_eq!(*other, [round + 1; 1000]);
    }
}

#[test]
#[serial]
fn elements_without_bytes_are_as_many_as_they_were() {
    with_svm(COARSE, |_, queue| {
        let mut x = SvmVec::<()>::filled(queue, (), 1000).unwrap();
        assert_eq!(x.to_vec(queue).unwrap().len(), 1000);
        assert_eq!(x.map(queue).unwrap().len(), 1000);
        assert_eq!(x.map_mut(queue).unwrap().len(), 1000);
    });
}

#[test]
#[serial]
fn host_and_kernels_take_turns() {
    with_svm(COARSE, |_, queue| turns::<Coarse>(queue));
    with_svm(FINE, |_, queue| turns::<Fine>(queue));
}

#[test]
#[serial]
fn fine_grained_memory_is_used_as_it_is() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        if !device.svm_capabilities().unwrap().is_some_and(|has| has.contains(FINE)) {
            continue;
        }
        let queue = Queue::on(&device).unwrap();
        let (twice, increment) = (kernel(queue.context(), "twice"), kernel(queue.context(), "increment"));
        let calls = counter.calls_during(|| {
            let mut x = FineSvmVec::filled(&queue, 1_u32, 100).unwrap();
            let mut y = FineSvmVec::filled(&queue, 0_u32, 100).unwrap();
            for round in 1..50 {
                // SAFETY: item i uses element i only, and there are as many items as elements.
                unsafe {
                    increment.launch().arg(&mut x).global(100).enqueue(&queue).unwrap();
                    let values = x.as_slice(&queue).unwrap();
                    // A kernel that only reads may run while the host reads.
                    twice.launch().arg(&x).arg(&mut y).global(100).enqueue(&queue).unwrap();
                    assert_eq!(values, [2 * round; 100]);
                }
                for value in x.as_mut_slice(&queue).unwrap() {
                    *value += 1;
                }
                assert_eq!(y.as_slice(&queue).unwrap(), [4 * round; 100]);
            }
        });
        assert!(!calls.contains_key("clEnqueueSVMMap"), "{calls:?} on {device}");
        assert_eq!(calls["clSVMAlloc"], 2);
        assert_eq!(calls["clEnqueueSVMFree"], 2);
    }
}

#[test]
#[serial]
fn host_and_kernel_count_at_the_same_time() {
    with_svm(FINE, |device, queue| {
        if !device.svm_capabilities().unwrap().is_some_and(|has| has.contains(SvmCapabilities::ATOMICS)) {
            let refused = SvmVec::<u32, Atomic>::filled(queue, 1, 1);
            assert!(matches!(refused, Err(Error::Unsupported { .. })), "{refused:?}");
            return;
        }
        let count = kernel(queue.context(), "count");
        let mut numbers: SvmVec<u32, Atomic> = SvmVec::filled(queue, 5, 2).unwrap();
        let atomics = numbers.atomics(queue).unwrap();
        // SAFETY: the items use the first number only, by atomic operations.
        unsafe { count.launch().arg(&atomics).global(100_000).enqueue(queue) }.unwrap();
        queue.flush().unwrap();
        for _ in 0..100_000 {
            atomics[0].fetch_add(1, Ordering::Relaxed);
        }
        assert_eq!(atomics.len(), 2);
        assert_eq!(numbers.as_slice(queue).unwrap(), [200_005, 5], "{device}");
        let other = Queue::new(queue.context(), QueueOptions::new()).unwrap();
        assert_eq!(numbers.to_vec(&other).unwrap(), [200_005, 5]);
        let mut empty: SvmVec<i64, Atomic> = SvmVec::filled(queue, 5, 0).unwrap();
        assert!(empty.atomics(queue).unwrap().is_empty());
    });
}

#[test]
#[serial]
fn memory_is_freed_after_the_commands_that_use_it() {
    with_svm(COARSE, |_, queue| {
        let context = queue.context();
        let twice = kernel(context, "twice");
        let mut queues = vec![queue.clone(), Queue::new(context, QueueOptions::new()).unwrap()];
        queues.extend(Queue::new(context, QueueOptions::new().out_of_order()));
        for round in 0..200_u32 {
            let queue = |step: usize| &queues[(round as usize + step) % queues.len()];
            let x: SvmVec<u32> = SvmVec::filled(queue(0), round, 5000).unwrap();
            let mut y = Buffer::filled(queue(2), 0_u32, 5000).unwrap();
            // SAFETY: item i uses element i only, and there are as many items as elements.
            unsafe { twice.launch().arg(&x).arg(&mut y).global(5000).enqueue(queue(1)) }.unwrap();
            drop(x);
            // This vector may get the same memory.
            let other: SvmVec<u32> = SvmVec::filled(queue(2), 7, 5000).unwrap();
            assert_eq!(y.to_vec(queue(1)).unwrap(), [2 * round; 5000], "round {round}");
            assert_eq!(other.to_vec(queue(0)).unwrap(), [7; 5000]);
        }
    });
}

#[test]
#[serial]
fn kernels_follow_addresses_in_shared_memory() {
    with_svm(COARSE, |device, queue| {
        let follow = kernel(queue.context(), "follow");
        let mut last: SvmVec<[u64; 2]> = SvmVec::from_slice(queue, &[[0, 33]]).unwrap();
        let middle: SvmVec<[u64; 2]> = SvmVec::from_slice(queue, &[[last.as_ptr() as u64, 22]]).unwrap();
        let first: SvmVec<[u64; 2]> = SvmVec::from_slice(queue, &[[middle.as_ptr() as u64, 11]]).unwrap();
        let mut found = Buffer::filled(queue, 0_u64, 1).unwrap();
        let launch =
            follow.launch().arg(&first).arg(2_u64).arg(&mut found).reaches(&middle).reaches(&mut last);
        // SAFETY: one item follows two links, to memory that the launch names as reached, and writes to the last.
        unsafe { launch.global(1).enqueue(queue) }.unwrap();
        drop(middle); // freed after the launch
        let launch = follow.launch().arg(&first).arg(0_u64).arg(&mut found).global(1);
        // SAFETY: refused.
        let refused = unsafe { launch.enqueue(queue) };
        assert!(matches!(refused, Err(Error::InvalidInput { what: "reached memory", .. })), "{refused:?}");
        drop(first);
        assert_eq!(found.to_vec(queue).unwrap(), [33], "{device}");
        let other = Queue::new(queue.context(), QueueOptions::new()).unwrap();
        assert_eq!(last.to_vec(&other).unwrap(), [[0, 0]], "waits for the launch on another queue");
    });
}

#[test]
#[serial]
fn memory_moves_where_it_is_told_to() {
    with_svm(COARSE, |device, queue| {
        let x: SvmVec<u32> = SvmVec::filled(queue, 5, 100).unwrap();
        match x.migrate(queue, Migration::ToDevice) {
            Err(Error::Unsupported { feature, .. }) => {
                assert!(feature.contains("clEnqueueSVMMigrateMem"), "{feature} on {device}");
                return;
            }
            moved => moved.unwrap(),
        }
        x.migrate(queue, Migration::ToHost).unwrap();
        assert_eq!(x.to_vec(queue).unwrap(), [5; 100], "{device}");
    });
}

#[test]
#[serial]
fn bad_input_is_refused_before_the_driver_sees_it() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        if !device.svm_capabilities().unwrap().is_some_and(|has| has.contains(COARSE)) {
            continue;
        }
        let queue = Queue::on(&device).unwrap();
        let elsewhere = Queue::on(&device).unwrap();
        let limit = device.limits().unwrap().allocation;
        let (twice, follow) = (kernel(queue.context(), "twice"), kernel(queue.context(), "follow"));
        let mut x: SvmVec<u32> = SvmVec::filled(&queue, 1, 3).unwrap();
        let four: SvmVec<u32> = SvmVec::filled(&queue, 1, 4).unwrap();
        let foreign: SvmVec<u32> = SvmVec::filled(&elsewhere, 1, 3).unwrap();
        let mut y = Buffer::filled(&queue, 1_u32, 3).unwrap();
        let mut found = Buffer::filled(&queue, 1_u64, 1).unwrap();
        let calls = counter.calls_during(|| {
            for start in [2, 3, 4, usize::MAX, usize::MAX - 1, 1 << (usize::BITS - 2)] {
                let end = start.saturating_add(2);
                let refused = |operation| Err(Error::out_of_bounds(operation, start, end, 3));
                assert_eq!(x.read(&queue, start, &mut [0; 2]), refused("read"));
                assert_eq!(x.write(&queue, start, &[9; 2]), refused("write"));
            }
            let unequal = Error::length_mismatch("copy", 3, 4);
            assert_eq!(x.copy_from(&queue, &four), Err(unequal));
            // SAFETY: refused.
            let launched = unsafe { twice.launch().arg(&foreign).arg(&mut y).global(3).enqueue(&queue) };
            for refused in [
                launched,
                x.read(&elsewhere, 0, &mut [0]),
                x.write(&elsewhere, 0, &[0]),
                x.fill(&elsewhere, 0),
                x.copy_from(&queue, &foreign),
                x.migrate(&elsewhere, Migration::ToDevice),
                x.map(&elsewhere).map(drop),
                x.map_mut(&elsewhere).map(drop),
            ] {
                assert!(matches!(refused, Err(Error::ForeignObject { .. })), "{refused:?}");
            }
            let launch = follow.launch().arg(&x).arg(2_u64).arg(&mut found).reaches(&y);
            // SAFETY: refused.
            let refused = unsafe { launch.global(1).enqueue(&queue) };
            assert!(
                matches!(refused, Err(Error::InvalidInput { what: "reached memory", .. })),
                "{refused:?}"
            );
            let launch = follow.launch().arg(&x).arg(2_u64).arg(&mut found).reaches(&foreign);
            // SAFETY: refused.
            let refused = unsafe { launch.global(1).enqueue(&queue) };
            assert!(matches!(refused, Err(Error::ForeignObject { .. })), "{refused:?}");
            // Commands without elements make no driver call.
            let mut empty = SvmVec::<u32>::from_slice(&queue, &[]).unwrap();
            empty.fill(&queue, 1).unwrap();
            empty.copy_from(&queue, &SvmVec::<u32>::filled(&queue, 1, 0).unwrap()).unwrap();
            assert!(empty.map(&queue).unwrap().is_empty() && empty.map_mut(&queue).unwrap().is_empty());
            x.read(&queue, 3, &mut []).unwrap();
            x.write(&queue, 3, &[]).unwrap();
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");
        let calls = counter.calls_during(|| {
            for len in [(limit / 4 + 1) as usize, usize::MAX, (usize::MAX >> 2) + 2] {
                let refused = SvmVec::<u32>::filled(&queue, 1, len);
                assert!(matches!(refused, Err(Error::TooLarge { .. })), "{refused:?}");
            }
        });
        assert!(calls.keys().all(|call| call.ends_with("Info")), "only the device's name: {calls:?}");
        assert_eq!(x.to_vec(&queue).unwrap(), [1; 3]);
    }
}

#[test]
#[serial]
fn memory_that_a_leaked_guard_maps_is_refused() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        if !device.svm_capabilities().unwrap().is_some_and(|has| has.contains(COARSE)) {
            continue;
        }
        let queue = Queue::on(&device).unwrap();
        let increment = kernel(queue.context(), "increment");
        let mut x: SvmVec<u32> = SvmVec::filled(&queue, 1, 3).unwrap();
        let mapped = |refused: cl_core::Result<()>| {
            let what = "use of shared virtual memory";
            assert!(
                matches!(&refused, Err(Error::InvalidInput { what: named, .. }) if *named == what),
                "{refused:?}"
            );
        };
        std::mem::forget(x.map(&queue).unwrap());
        let calls = counter.calls_during(|| {
            // SAFETY: refused.
            mapped(unsafe { increment.launch().arg(&mut x).global(3).enqueue(&queue) });
            mapped(x.fill(&queue, 2));
            mapped(x.map_mut(&queue).map(drop));
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");
        assert_eq!(x.to_vec(&queue).unwrap(), [1; 3], "readers are allowed");

        let mut x: SvmVec<u32> = SvmVec::filled(&queue, 1, 3).unwrap();
        std::mem::forget(x.map_mut(&queue).unwrap());
        let calls = counter.calls_during(|| {
            mapped(x.to_vec(&queue).map(drop));
            mapped(x.map(&queue).map(drop));
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");
    }
}

unsafe extern "system" fn hang(_: cl_context, _: cl_svm_mem_flags, _: size_t, _: cl_uint) -> *mut c_void {
    panic!("clSVMAlloc was called on a device that has no shared virtual memory")
}

/// Answers as a driver whose devices have no shared virtual memory.
unsafe extern "system" fn without_svm(
    device: cl_device_id,
    name: cl_uint,
    size: size_t,
    value: *mut c_void,
    written: *mut size_t,
) -> cl_int {
    // SAFETY: the caller's arguments, unchanged.
    let status =
        unsafe { (Library::load().unwrap().functions().clGetDeviceInfo)(device, name, size, value, written) };
    if name == cl_core::raw::CL_DEVICE_SVM_CAPABILITIES && status == 0 && !value.is_null() {
        // SAFETY: the driver has just written a value of this size there.
        unsafe { value.cast::<u64>().write_unaligned(0) };
    }
    status
}

#[test]
#[serial]
fn nothing_is_allocated_on_a_device_that_has_none() {
    let functions = Functions {
        clSVMAlloc: Some(hang),
        clGetDeviceInfo: without_svm,
        ..*Library::load().unwrap().functions()
    };
    // SAFETY: one entry answers as some drivers do, the other is never called.
    let library = unsafe { Library::from_functions(functions) };
    for device in Device::all_of(library).unwrap() {
        let queue = Queue::on(&device).unwrap();
        let coarse = SvmVec::<u8>::filled(&queue, 1, 1).map(drop);
        let fine = FineSvmVec::<u8>::filled(&queue, 1, 1).map(drop);
        for (refused, grain) in [(coarse, "coarse"), (fine, "fine")] {
            match refused {
                Err(Error::Unsupported { feature, .. }) => assert!(feature.starts_with(grain), "{feature}"),
                other => panic!("{other:?}"),
            }
        }
    }
}

static FREED: AtomicU32 = AtomicU32::new(0);

unsafe extern "system" fn refuse_to_enqueue(
    _: cl_command_queue,
    _: cl_uint,
    _: *const *const c_void,
    _: Option<SvmFreeCallback>,
    _: *mut c_void,
    _: cl_uint,
    _: *const cl_event,
    _: *mut cl_event,
) -> cl_int {
    Status::OUT_OF_HOST_MEMORY.0
}

unsafe extern "system" fn free(context: cl_context, pointer: *mut c_void) {
    FREED.fetch_add(1, Ordering::Relaxed);
    let free = Library::load().unwrap().functions().clSVMFree.unwrap();
    // SAFETY: the caller's arguments, unchanged.
    unsafe { free(context, pointer) };
}

#[test]
#[serial]
fn memory_is_freed_when_the_queue_refuses_to() {
    let system = Library::load().unwrap().functions();
    let functions = Functions { clEnqueueSVMFree: Some(refuse_to_enqueue), clSVMFree: Some(free), ..*system };
    // SAFETY: one entry fails as drivers may, the other does what the original does.
    let library = unsafe { Library::from_functions(functions) };
    for device in Device::all_of(library).unwrap() {
        if !device.svm_capabilities().unwrap().is_some_and(|has| has.contains(COARSE)) {
            continue;
        }
        let queue = Queue::on(&device).unwrap();
        let before = FREED.load(Ordering::Relaxed);
        drop(SvmVec::<u32>::filled(&queue, 1, 5).unwrap());
        assert_eq!(FREED.load(Ordering::Relaxed), before + 1, "{device}");
        drop(SvmVec::<u32>::filled(&queue, 1, 0).unwrap());
        assert_eq!(FREED.load(Ordering::Relaxed), before + 1, "{device}");
    }
}

static WAITS: AtomicU32 = AtomicU32::new(0);

/// Records the number of events that a copy waits for.
unsafe extern "system" fn watched_copy(
    queue: cl_command_queue,
    blocking: cl_bool,
    to: *mut c_void,
    from: *const c_void,
    size: size_t,
    waits: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    WAITS.store(waits, Ordering::Relaxed);
    let copy = Library::load().unwrap().functions().clEnqueueSVMMemcpy.unwrap();
    // SAFETY: the caller's arguments, unchanged.
    unsafe { copy(queue, blocking, to, from, size, waits, list, event) }
}

#[test]
#[serial]
fn memory_that_a_kernel_reaches_is_tracked() {
    let functions =
        Functions { clEnqueueSVMMemcpy: Some(watched_copy), ..*Library::load().unwrap().functions() };
    // SAFETY: one entry does what the original does, the others are the system's.
    let library = unsafe { Library::from_functions(functions) };
    for device in Device::all_of(library).unwrap() {
        if !device.svm_capabilities().unwrap().is_some_and(|has| has.contains(COARSE)) {
            continue;
        }
        let queue = Queue::on(&device).unwrap();
        let other = Queue::new(queue.context(), QueueOptions::new()).unwrap();
        let follow = kernel(queue.context(), "follow");
        let mut last: SvmVec<[u64; 2]> = SvmVec::from_slice(&queue, &[[0, 33]]).unwrap();
        let first: SvmVec<[u64; 2]> = SvmVec::from_slice(&queue, &[[last.as_ptr() as u64, 11]]).unwrap();
        let mut found = Buffer::filled(&queue, 0_u64, 1).unwrap();
        let launch = follow.launch().arg(&first).arg(1_u64).arg(&mut found).reaches(&mut last);
        // SAFETY: one item follows a link, to memory that the launch names as reached, and writes there.
        unsafe { launch.global(1).enqueue(&queue) }.unwrap();
        assert_eq!(last.to_vec(&queue).unwrap(), [[0, 0]]);
        assert_eq!(WAITS.load(Ordering::Relaxed), 0, "the queue's order is enough");
        assert_eq!(last.to_vec(&other).unwrap(), [[0, 0]]);
        assert_eq!(WAITS.load(Ordering::Relaxed), 1, "for the launch on another queue");
        // Now `last` is shared. A launch that writes to it makes the launch's queue its home again.
        let launch = follow.launch().arg(&first).arg(1_u64).arg(&mut found).reaches(&mut last);
        // SAFETY: as above.
        unsafe { launch.global(1).enqueue(&other) }.unwrap();
        assert_eq!(last.to_vec(&other).unwrap(), [[0, 0]]);
        assert_eq!(WAITS.load(Ordering::Relaxed), 0, "the launch was the last to write");
    }
}
