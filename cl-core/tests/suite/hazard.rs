//! Commands that use the same memory wait for each other: out of order and across queues. The memory of the
//! bookkeeping stays bounded.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::raw::*;
use cl_core::{Access, Buffer, BuildOptions, Context, Device, Kernel, Library, Program, Queue, QueueOptions};
use cl_test::counting::{self, Calls};
use serial_test::serial;
use std::sync::atomic::{AtomicU32, Ordering};

const SOURCE: &str = "
    kernel void add(global const int *a, global const int *b, global int *c)
    {
        const size_t i = get_global_id(0);
        c[i] = a[i] + b[i];
    }
    kernel void twice(global const int *x, global int *y)
    {
        const size_t i = get_global_id(0);
        y[i] = 2 * x[i];
    }
    kernel void increment(global int *x) { x[get_global_id(0)] += 1; }";

struct Kernels {
    add: Kernel,
    twice: Kernel,
    increment: Kernel,
}

impl Kernels {
    fn new(context: &Context) -> Kernels {
        let program = Program::build(context, SOURCE, &BuildOptions::new()).unwrap();
        let kernel = |name| program.kernel(name).unwrap();
        Kernels { add: kernel("add"), twice: kernel("twice"), increment: kernel("increment") }
    }

    fn add(&self, queue: &Queue, a: &Buffer<i32>, b: &Buffer<i32>, c: &mut Buffer<i32>) {
        let n = c.len();
        // SAFETY: work-item i touches element i only; the buffers have one element for each work-item.
        unsafe { self.add.launch().arg(a).arg(b).arg(c).global(n).enqueue(queue) }.unwrap();
    }

    fn twice(&self, queue: &Queue, x: &Buffer<i32>, y: &mut Buffer<i32>) {
        let n = y.len();
        // SAFETY: as above.
        unsafe { self.twice.launch().arg(x).arg(y).global(n).enqueue(queue) }.unwrap();
    }

    fn increment(&self, queue: &Queue, x: &mut Buffer<i32>) {
        let n = x.len();
        // SAFETY: as above.
        unsafe { self.increment.launch().arg(x).global(n).enqueue(queue) }.unwrap();
    }
}

fn out_of_order(context: &Context) -> Option<Queue> {
    context.device().has_out_of_order_queues().unwrap().then(|| {
        let queue = Queue::new(context, QueueOptions::new().out_of_order()).unwrap();
        assert!(!queue.is_in_order());
        queue
    })
}

fn count(calls: &Calls, name: &str) -> u64 {
    calls.get(name).copied().unwrap_or(0)
}

/// Checks `C = A + B; A = 2 * B;`, after which A is dropped at once.
#[test]
fn ten_thousand_times_out_of_order() {
    const N: usize = 64;
    cl_test::each_device(|device| {
        let context = Context::on(device).unwrap();
        let Some(queue) = out_of_order(&context) else { return };
        let kernels = Kernels::new(&context);
        let b = Buffer::from_slice(&queue, &[10; N]).unwrap();
        for round in 0..10_000 {
            let mut a = Buffer::filled(&queue, round, N).unwrap();
            let mut c = Buffer::filled(&queue, -1, N).unwrap();
            kernels.add(&queue, &a, &b, &mut c);
            kernels.twice(&queue, &b, &mut a);
            drop(a);
            assert_eq!(c.to_vec(&queue).unwrap(), [round + 10; N], "round {round}");
        }
    });
}

#[test]
fn four_threads_on_four_queues_of_one_context() {
    const N: usize = 1000;
    const ROUNDS: i32 = 200;
    cl_test::known_faults::each_device("hazard::four_threads_on_four_queues_of_one_context", |device| {
        let context = Context::on(device).unwrap();
        let kernels = Kernels::new(&context);
        let home = Queue::new(&context, QueueOptions::new()).unwrap();
        let shared = Buffer::from_slice(&home, &[7; N]).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (context, kernels, shared) = (&context, &kernels, &shared);
                scope.spawn(move || {
                    let own = if thread % 2 == 0 { None } else { out_of_order(context) };
                    let queue = own.unwrap_or_else(|| Queue::new(context, QueueOptions::new()).unwrap());
                    let mut total = Buffer::filled(&queue, thread, N).unwrap();
                    for _ in 0..ROUNDS {
                        let mut next = Buffer::filled(&queue, -1, N).unwrap();
                        kernels.add(&queue, shared, &total, &mut next);
                        total = next;
                    }
                    assert_eq!(total.to_vec(&queue).unwrap(), [thread + 7 * ROUNDS; N]);
                });
            }
        });
    });
}

#[test]
fn memory_goes_from_queue_to_queue() {
    const N: usize = 10_000;
    cl_test::each_device(|device| {
        let context = Context::on(device).unwrap();
        let kernels = Kernels::new(&context);
        let mut queues: Vec<Queue> =
            (0..3).map(|_| Queue::new(&context, QueueOptions::new()).unwrap()).collect();
        queues.extend(out_of_order(&context));
        let mut x = Buffer::filled(&queues[0], 0, N).unwrap();
        for round in 0..400 {
            kernels.increment(&queues[round % queues.len()], &mut x);
        }
        assert_eq!(x.to_vec(&queues[0]).unwrap(), [400; N]);
        // Each launch has a queue that is dropped before the next launch.
        for _ in 0..100 {
            kernels.increment(&Queue::new(&context, QueueOptions::new()).unwrap(), &mut x);
        }
        let last = Queue::new(&context, QueueOptions::new()).unwrap();
        assert_eq!(x.to_vec(&last).unwrap(), [500; N]);
    });
}

#[test]
fn one_queue_in_order_needs_no_events() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let kernels = Kernels::new(queue.context());
        let x = Buffer::filled(&queue, 1, 100).unwrap();
        let mut y = Buffer::filled(&queue, 1, 100).unwrap();
        let calls = counter.calls_during(|| {
            for _ in 0..100 {
                kernels.twice(&queue, &x, &mut y);
                kernels.increment(&queue, &mut y);
            }
            y.fill(&queue, 3).unwrap();
            y.copy_from(&queue, &x).unwrap();
            assert_eq!(y.to_vec(&queue).unwrap(), [1; 100]);
        });
        for absent in
            ["clEnqueueMarkerWithWaitList", "clReleaseEvent", "clGetEventInfo", "clFlush", "clFinish"]
        {
            assert_eq!(count(&calls, absent), 0, "{calls:?}");
        }
    }
}

/// Checks the number of live events after many readers of one buffer on several queues.
#[test]
fn bookkeeping_stays_bounded() {
    const LAUNCHES: u64 = if cfg!(debug_assertions) { 20_000 } else { 1_000_000 };
    let counter = counting::exclusive();
    for device in counting::devices() {
        if cl_test::known_faults::skips("hazard::bookkeeping_stays_bounded", &device) {
            continue;
        }
        let context = Context::on(&device).unwrap();
        let kernels = Kernels::new(&context);
        let home = Queue::new(&context, QueueOptions::new()).unwrap();
        let mut queues = vec![Queue::new(&context, QueueOptions::new()).unwrap()];
        queues.extend(out_of_order(&context));
        let x = Buffer::filled(&home, 5, 1).unwrap();
        let mut targets: Vec<_> = queues.iter().map(|queue| Buffer::filled(queue, 0, 1).unwrap()).collect();
        let mut calls = counter.calls_during(|| {
            for launch in 0..LAUNCHES {
                let k = launch as usize % queues.len();
                kernels.twice(&queues[k], &x, &mut targets[k]);
                if launch % 1000 == 999 {
                    queues[k].finish().unwrap(); // drivers keep every command that was not waited for
                }
            }
        });
        let created = count(&calls, "clEnqueueNDRangeKernel") + count(&calls, "clEnqueueMarkerWithWaitList");
        assert!(count(&calls, "clEnqueueNDRangeKernel") == LAUNCHES);
        let released = count(&calls, "clReleaseEvent");
        assert!(released + 1000 > created, "{created} events, {released} released");
        calls.clear();
        for (queue, target) in queues.iter().zip(&targets) {
            assert_eq!(target.to_vec(queue).unwrap(), [10]);
        }
    }
}

static WAITS: AtomicU32 = AtomicU32::new(0);

/// Records the number of events that a launch waits for.
unsafe extern "system" fn watched_launch(
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
    WAITS.store(waits, Ordering::Relaxed);
    let enqueue = Library::load().unwrap().functions().clEnqueueNDRangeKernel;
    // SAFETY: the caller's arguments, unchanged.
    unsafe { enqueue(queue, kernel, dimensions, offset, global, local, waits, wait_list, event) }
}

#[test]
#[serial(hazard)] // the records belong to the process
fn a_writer_waits_for_all_readers_and_readers_do_not_wait_for_each_other() {
    let functions =
        Functions { clEnqueueNDRangeKernel: watched_launch, ..*Library::load().unwrap().functions() };
    // SAFETY: one entry does what the original does, the others are the system's.
    let library = unsafe { Library::from_functions(functions) };
    let wanted = cl_test::devices();
    for device in Device::all_of(library).unwrap() {
        if !wanted.iter().any(|other| other.as_raw() == device.as_raw()) {
            continue;
        }
        let context = Context::on(&device).unwrap();
        let Some(queue) = out_of_order(&context) else { continue };
        let kernels = Kernels::new(&context);
        let mut x = Buffer::filled(&queue, 1, 8).unwrap();
        let mut targets: Vec<_> = (0..3).map(|_| Buffer::filled(&queue, 0, 8).unwrap()).collect();
        queue.finish().unwrap();
        kernels.increment(&queue, &mut x);
        assert_eq!(WAITS.load(Ordering::Relaxed), 1, "for the fill");
        for target in &mut targets {
            kernels.twice(&queue, &x, target);
            assert_eq!(WAITS.load(Ordering::Relaxed), 2, "for the increment, and the target's fill");
        }
        kernels.increment(&queue, &mut x);
        assert_eq!(WAITS.load(Ordering::Relaxed), 4, "for the increment and three readers");
        kernels.increment(&queue, &mut x);
        assert_eq!(WAITS.load(Ordering::Relaxed), 1, "for the last increment");
        assert_eq!(x.to_vec(&queue).unwrap(), [4; 8]);
        assert!(targets.iter().all(|target| target.to_vec(&queue).unwrap() == [4; 8]));
        // A command that uses the same memory twice does not wait for itself.
        let launch =
            kernels.add.launch().arg(&x).arg(&x).arg(cl_core::Arg::Memory(x.memory(), Access::Write));
        // SAFETY: item i touches element i only, and reads it before it writes it.
        unsafe { launch.global(8).enqueue(&queue) }.unwrap();
        assert_eq!(x.to_vec(&queue).unwrap(), [8; 8]);
    }
}
