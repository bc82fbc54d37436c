//! Launches on every device. Right ones give right results. Wrong ones return an error with the reason, and
//! never crash the driver.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::{
    Buffer, BuildOptions, CVersion, Context, Device, Error, EventStatus, InOut, Kernel, Launch, Local,
    Program, Queue, QueueOptions, Recording, Status,
};
use cl_test::{counting, each_device};

const SOURCE: &str = "
kernel void add(global const float *x, global const float *y, global float *sum) {
    const size_t i = get_global_id(0);
    sum[i] = x[i] + y[i];
}
kernel void table(global uint *cells, const uint width) {
    cells[get_global_id(1) * width + get_global_id(0)] = 1000 * get_global_id(1) + get_global_id(0);
}
kernel void put(global uint *x, const uint value) {
    x[get_global_id(0)] = value;
}
kernel void groups(global uint *x, const uint n) {
    if (get_global_id(0) < n) x[get_global_id(0)] = get_local_size(0);
}
kernel void reverse(global uint *x, local uint *tile) {
    const size_t i = get_local_id(0), n = get_local_size(0);
    tile[i] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_global_id(0)] = tile[n - 1 - i];
}
kernel __attribute__((reqd_work_group_size(4, 1, 1))) void fours(global uint *x) {
    x[get_global_id(0)] = get_local_size(0);
}
";

/// Returns a queue on `device` and the kernel `name` of [`SOURCE`] in its context.
fn set_up(device: &Device, name: &str) -> (Queue, Kernel) {
    let queue = Queue::on(device).unwrap();
    let kernel = kernel(queue.context(), name);
    (queue, kernel)
}

fn kernel(context: &Context, name: &str) -> Kernel {
    Program::build(context, SOURCE, &BuildOptions::new()).unwrap().kernel(name).unwrap()
}

/// Checks that `result` is [`Error::WorkSize`] and that its text contains `part`.
fn assert_work_size(result: cl_core::Result<()>, part: &str) {
    let error = result.expect_err(part);
    assert!(matches!(error, Error::WorkSize { .. }), "{error}");
    assert!(error.to_string().contains(part), "`{part}` is not in: {error}");
}

#[test]
fn a_sum_of_vectors() {
    each_device(|device| {
        let (queue, add) = set_up(device, "add");
        assert_eq!((add.name(), add.arguments()), ("add", 3));
        for len in [1, 3, 64, 1000, 65537] {
            let x: Vec<f32> = (0..len).map(|i| i as f32).collect();
            let y: Vec<f32> = (0..len).map(|i| 0.5 * i as f32).collect();
            let x = Buffer::from_slice(&queue, &x).unwrap();
            let y = Buffer::from_slice(&queue, &y).unwrap();
            let mut sum = Buffer::filled(&queue, 0.0_f32, len).unwrap();
            // SAFETY: work-item i touches element i only; all buffers have `len`.
            unsafe { add.launch().arg(&x).arg(&y).arg(&mut sum).global(len).enqueue(&queue) }.unwrap();
            let expected: Vec<f32> = (0..len).map(|i| i as f32 + 0.5 * i as f32).collect();
            assert_eq!(sum.to_vec(&queue).unwrap(), expected);
        }
    });
}

#[test]
fn two_dimensions_and_an_offset() {
    each_device(|device| {
        let (queue, table) = set_up(device, "table");
        let (width, height) = (12, 5);
        let mut cells = Buffer::filled(&queue, 0_u32, width * height).unwrap();
        let launch = table.launch().arg(&mut cells).arg(width as u32).global([width, height]).local([4, 1]);
        // SAFETY: one work-item a cell.
        unsafe { launch.enqueue(&queue) }.unwrap();
        let expected: Vec<u32> =
            (0..width * height).map(|i| (1000 * (i / width) + i % width) as u32).collect();
        assert_eq!(cells.to_vec(&queue).unwrap(), expected);

        cells.fill(&queue, 7).unwrap();
        let launch = table.launch().arg(&mut cells).arg(width as u32).offset([3, 2]).global([2, 1]);
        // SAFETY: work-items (3, 2) and (4, 2) lie inside the table.
        unsafe { launch.enqueue(&queue) }.unwrap();
        let mut expected = vec![7; width * height];
        expected[2 * width + 3] = 2003;
        expected[2 * width + 4] = 2004;
        assert_eq!(cells.to_vec(&queue).unwrap(), expected);
    });
}

/// Returns a launch of two groups of four work-items, each of which reverses its part of `x` through a tile
/// of `elements`.
fn reversed<'a>(reverse: &'a Kernel, x: &'a mut Buffer<u32>, elements: usize) -> Launch<'a> {
    reverse.launch().arg(x).arg(Local::<u32>::new(elements)).global(8).local(4)
}

#[test]
fn local_memory() {
    each_device(|device| {
        let (queue, reverse) = set_up(device, "reverse");
        let mut x = Buffer::from_slice(&queue, &[0_u32, 1, 2, 3, 4, 5, 6, 7]).unwrap();
        // SAFETY: four work-items share a tile of four.
        unsafe { reversed(&reverse, &mut x, 4).enqueue(&queue) }.unwrap();
        assert_eq!(x.to_vec(&queue).unwrap(), [3, 2, 1, 0, 7, 6, 5, 4]);

        let limit = device.limits().unwrap().local_memory as usize;
        for elements in [limit / 4 + 1, usize::MAX / 4, usize::MAX] {
            // SAFETY: never launched.
            let refused = unsafe { reversed(&reverse, &mut x, elements).enqueue(&queue) };
            assert_work_size(refused, &format!("of local memory, the device has {limit}"));
        }
        // SAFETY: never launched.
        assert_work_size(unsafe { reversed(&reverse, &mut x, 0).enqueue(&queue) }, "local memory of 0 bytes");
        assert_eq!(x.to_vec(&queue).unwrap(), [3, 2, 1, 0, 7, 6, 5, 4]);
    });
}

#[test]
fn a_wrong_number_of_arguments() {
    each_device(|device| {
        let (queue, put) = set_up(device, "put");
        let mut x = Buffer::filled(&queue, 0_u32, 4).unwrap();
        let refused = |result: cl_core::Result<()>, wanted: usize| {
            assert!(
                matches!(
                    &result,
                    Err(Error::ArgumentCount { kernel, expected: 2, given, .. })
                        if kernel == "put" && given == &wanted
                ),
                "{result:?}"
            );
        };
        // SAFETY: never launched.
        refused(unsafe { put.launch().arg(&mut x).global(4).enqueue(&queue) }, 1);
        let launch = put.launch().arg(&mut x).arg(1_u32).arg(2_u32).global(4);
        // SAFETY: never launched.
        refused(unsafe { launch.enqueue(&queue) }, 3);
        // SAFETY: never launched.
        let none = unsafe { put.launch().global(0).enqueue(&queue) };
        refused(none, 0); // also a launch of zero work-items
    });
}

#[test]
fn local_sizes_that_cannot_be() {
    each_device(|device| {
        let (queue, put) = set_up(device, "put");
        let mut x = Buffer::filled(&queue, 0_u32, 12).unwrap();
        for (local, part) in
            [(5, "is not a multiple of the work-group [5, 1, 1]"), (0, "work-group [0, 1, 1]")]
        {
            let refused = put.launch().arg(&mut x).arg(1_u32).global(12).local(local);
            // SAFETY: never launched.
            assert_work_size(unsafe { refused.enqueue(&queue) }, part);
        }

        let most = put.work_group_size().min(device.limits().unwrap().work_group_size);
        let refused = put.launch().arg(&mut x).arg(1_u32).global(2 * (most + 1)).local(most + 1);
        // SAFETY: never launched.
        assert_work_size(unsafe { refused.enqueue(&queue) }, &format!("it can have 1 to {most} work-items"));
        let refused = put.launch().arg(&mut x).arg(1_u32).global([12, 1, 1]).local([2, usize::MAX, 2]);
        // SAFETY: never launched.
        assert_work_size(unsafe { refused.enqueue(&queue) }, &format!("it can have 1 to {most} work-items"));
        let refused = put.launch().arg(&mut x).arg(1_u32).global(12).local([4, 1]);
        // SAFETY: never launched.
        assert_work_size(unsafe { refused.enqueue(&queue) }, "local size has 2 dimensions, global size 1");
        // SAFETY: never launched.
        assert_work_size(unsafe { put.launch().arg(&mut x).arg(1_u32).enqueue(&queue) }, "no global size");
        assert_eq!(x.to_vec(&queue).unwrap(), [0; 12]);
    });
}

#[test]
fn each_dimension_of_a_work_group_has_its_limit() {
    each_device(|device| {
        let (queue, put) = set_up(device, "put");
        let limits = device.limits().unwrap();
        let most = limits.work_group_size.min(put.work_group_size());
        let z = limits.work_item_sizes[2] + 1;
        if z > most {
            return; // the size of the whole group is the tighter limit
        }
        let mut x = Buffer::filled(&queue, 0_u32, 1).unwrap();
        let refused = put.launch().arg(&mut x).arg(1_u32).global([1, 1, z]).local([1, 1, z]);
        // SAFETY: never launched.
        assert_work_size(unsafe { refused.enqueue(&queue) }, "along dimension 2");
    });
}

#[test]
fn required_work_groups() {
    each_device(|device| {
        let (queue, fours) = set_up(device, "fours");
        let mut x = Buffer::filled(&queue, 0_u32, 8).unwrap();
        // SAFETY: never launched.
        let refused = unsafe { fours.launch().arg(&mut x).global(8).enqueue(&queue) };
        assert_work_size(
            refused,
            "requires work-groups of [4, 1, 1], no local size was given: add .local([4, 1, 1])",
        );
        // SAFETY: never launched.
        let refused = unsafe { fours.launch().arg(&mut x).global(8).local(2).enqueue(&queue) };
        assert_work_size(refused, "requires work-groups of [4, 1, 1], local size is [2, 1, 1]");
        // SAFETY: one work-item an element.
        unsafe { fours.launch().arg(&mut x).global(8).local(4).enqueue(&queue) }.unwrap();
        assert_eq!(x.to_vec(&queue).unwrap(), [4; 8]);
    });
}

#[test]
fn offsets_that_overflow() {
    each_device(|device| {
        let (queue, put) = set_up(device, "put");
        let mut x = Buffer::filled(&queue, 0_u32, 4).unwrap();
        for (offset, global) in [(usize::MAX, 2), (2, usize::MAX), (usize::MAX, usize::MAX)] {
            let launch = put.launch().arg(&mut x).arg(1_u32).offset(offset).global(global);
            // SAFETY: never launched.
            assert_work_size(unsafe { launch.enqueue(&queue) }, "overflows");
        }
        assert_eq!(x.to_vec(&queue).unwrap(), [0; 4]);
    });
}

#[test]
fn more_work_items_than_can_be_counted() {
    each_device(|device| {
        let (queue, put) = set_up(device, "put");
        let mut x = Buffer::filled(&queue, 0_u32, 4).unwrap();
        let half = 1 << (usize::BITS / 2);
        let launch = put.launch().arg(&mut x).arg(1_u32).global([half, half, 2]);
        // SAFETY: never launched.
        assert_work_size(unsafe { launch.enqueue(&queue) }, "overflows");
        let launch = put.launch().arg(&mut x).arg(1_u32).global([usize::MAX, 0, usize::MAX]);
        // SAFETY: no work-item runs.
        unsafe { launch.enqueue(&queue) }.unwrap();
    });
}

#[test]
fn global_sizes_rounded_up() {
    each_device(|device| {
        let (queue, groups) = set_up(device, "groups");
        for (n, local) in [(1, 4), (4, 4), (5, 4), (7, 1), (10, 3)] {
            let mut x = Buffer::filled(&queue, 0_u32, n).unwrap();
            let launch = groups.launch().arg(&mut x).arg(n as u32).global_at_least(n).local(local);
            // SAFETY: the kernel ignores indices from n on.
            unsafe { launch.enqueue(&queue) }.unwrap();
            assert_eq!(x.to_vec(&queue).unwrap(), vec![local as u32; n]);
        }
        let x = Buffer::filled(&queue, 0_u32, 4).unwrap();
        let launch = |n: usize| groups.launch().arg(InOut(x.memory())).arg(4_u32).global_at_least(n);
        // SAFETY: never launched.
        assert_work_size(unsafe { launch(5).enqueue(&queue) }, "give their size with `local`");
        // SAFETY: never launched.
        assert_work_size(unsafe { launch(usize::MAX).local(4).enqueue(&queue) }, "overflows");
        // SAFETY: never launched.
        assert_work_size(unsafe { launch(5).local(0).enqueue(&queue) }, "work-group [0, 1, 1]");
        // SAFETY: no work-item runs.
        unsafe { launch(0).local(4).enqueue(&queue) }.unwrap();
        // SAFETY: never launched, as `global` again sets the exact size.
        assert_work_size(unsafe { launch(4).global(5).local(4).enqueue(&queue) }, "is not a multiple");
    });
}

#[test]
fn non_uniform_work_groups() {
    cl_test::known_faults::each_device("launch::non_uniform_work_groups", |device| {
        let queue = Queue::on(device).unwrap();
        let offered = match device.has_non_uniform_groups().unwrap() {
            Some(offered) => offered,
            None => device.opencl_version().unwrap().major == 2,
        };
        let language =
            if device.opencl_version().unwrap().major == 2 { CVersion::C20 } else { CVersion::C30 };
        let options = if offered { BuildOptions::new().language(language) } else { BuildOptions::new() };
        let groups = Program::build(queue.context(), SOURCE, &options).unwrap().kernel("groups").unwrap();
        let mut x = Buffer::filled(&queue, 0_u32, 10).unwrap();
        let launch = groups.launch().arg(&mut x).arg(10_u32).global(10).local(4).non_uniform();
        // SAFETY: one work-item an element.
        let result = unsafe { launch.enqueue(&queue) };
        if offered {
            result.unwrap();
            assert_eq!(x.to_vec(&queue).unwrap(), [4, 4, 4, 4, 4, 4, 4, 4, 2, 2]);
        } else {
            let error = result.unwrap_err();
            assert!(matches!(error, Error::Unsupported { .. }), "{error}");
            assert!(error.to_string().contains("non-uniform work-groups, for kernel `groups`"), "{error}");
        }
    });
}

#[test]
fn what_the_driver_would_choose() {
    each_device(|device| {
        let (queue, put) = set_up(device, "put");
        let mut x = Buffer::filled(&queue, 0_u32, 64).unwrap();
        let launch = put.launch().arg(&mut x).arg(1_u32).global([32, 2]);
        let suggested = launch.suggested_local(&queue).unwrap();
        let offered = device.has_extension("cl_khr_suggested_local_work_size").unwrap();
        assert_eq!(suggested.is_some(), offered);
        if let Some(local) = suggested {
            assert_eq!(local.dimensions(), 2);
            assert!(32 % local.sizes()[0] == 0 && 2 % local.sizes()[1] == 0, "{local:?}");
        }
        assert!(matches!(put.launch().suggested_local(&queue), Err(Error::ArgumentCount { .. })));
    });
}

#[test]
fn a_launch_of_none_does_nothing() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let (queue, put) = set_up(&device, "put");
        let mut x = Buffer::filled(&queue, 0_u32, 4).unwrap();
        let calls = counter.calls_during(|| {
            for global in [[0, 1, 1], [4, 0, 1], [1, 1, 0]] {
                // SAFETY: no work-item runs.
                unsafe { put.launch().arg(&mut x).arg(1_u32).global(global).enqueue(&queue) }.unwrap();
            }
            // SAFETY: no work-item runs.
            unsafe { put.launch().arg(&mut x).arg(1_u32).global(0).local(4).enqueue(&queue) }.unwrap();
        });
        assert!(calls.is_empty(), "{calls:?} on {device}");
        // SAFETY: no work-item runs.
        let event = unsafe { put.launch().arg(&mut x).arg(1_u32).global(0).enqueue_event(&queue) }.unwrap();
        event.wait().unwrap();
        assert_eq!(event.status().unwrap(), EventStatus::Complete);
        assert_eq!(x.to_vec(&queue).unwrap(), [0; 4]);
    }
}

#[test]
fn a_launch_is_its_arguments_and_one_call() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let (queue, put) = set_up(&device, "put");
        let mut x = Buffer::filled(&queue, 0_u32, 4).unwrap();
        let launch = |x: &mut Buffer<u32>| {
            // SAFETY: one work-item an element.
            unsafe { put.launch().arg(x).arg(1_u32).global(4).enqueue(&queue) }.unwrap();
        };
        launch(&mut x); // asks for the device's limits, which later launches know
        let calls = counter.calls_during(|| launch(&mut x));
        let expected = counting::Calls::from([("clEnqueueNDRangeKernel", 1), ("clSetKernelArg", 2)]);
        assert_eq!(calls, expected, "on {device}");
        queue.finish().unwrap();
    }
}

#[test]
fn objects_of_another_context() {
    each_device(|device| {
        let (queue, put) = set_up(device, "put");
        let (elsewhere, _) = set_up(device, "put");
        let mut foreign = Buffer::filled(&elsewhere, 0_u32, 4).unwrap();
        // SAFETY: never launched.
        let refused = unsafe { put.launch().arg(&mut foreign).arg(1_u32).global(4).enqueue(&queue) };
        assert!(matches!(refused, Err(Error::ForeignObject { .. })), "{refused:?}");
        // SAFETY: never launched.
        let refused = unsafe { put.launch().arg(&mut foreign).arg(1_u32).global(4).enqueue(&elsewhere) };
        assert!(matches!(refused, Err(Error::ForeignObject { .. })), "{refused:?}");
        assert_eq!(foreign.to_vec(&elsewhere).unwrap(), [0; 4]);
    });
}

#[test]
fn scratch_memory_as_an_argument() {
    each_device(|device| {
        let (queue, put) = set_up(device, "put");
        let block = queue.scratch(16).unwrap();
        // SAFETY: four work-items write the first 16 bytes.
        unsafe { put.launch().arg(&block).arg(7_u32).global(4).enqueue(&queue) }.unwrap();
        // SAFETY: written by the launch above.
        assert_eq!(unsafe { block.read_first::<u32>() }.unwrap(), 7);
    });
}

#[test]
fn profiles_and_recordings() {
    cl_test::known_faults::each_device("launch::profiles_and_recordings", |device| {
        let context = Context::on(device).unwrap();
        let queue = Queue::new(&context, QueueOptions::new().profiling()).unwrap();
        let put = kernel(&context, "put");
        let mut x = Buffer::filled(&queue, 0_u32, 1 << 16).unwrap();
        // SAFETY: one work-item an element.
        let event =
            unsafe { put.launch().arg(&mut x).arg(1_u32).global(1 << 16).enqueue_event(&queue) }.unwrap();
        let times = event.profile().unwrap();
        assert!(times.queued <= times.submitted, "{times:?}");
        assert!(times.submitted <= times.started, "{times:?}");
        assert!(times.started < times.ended, "{times:?}");
        assert_eq!(event.status().unwrap(), EventStatus::Complete);
        assert_eq!(event.command(), "clEnqueueNDRangeKernel");

        let recording = queue.record().unwrap();
        assert!(matches!(queue.record(), Err(Error::InvalidInput { what: "recording", .. })));
        for value in 0..5_u32 {
            // SAFETY: one work-item an element.
            unsafe { put.launch().arg(&mut x).arg(value).global(1 << 16).enqueue(&queue) }.unwrap();
        }
        let commands = recording.finish().unwrap();
        assert_eq!(commands.len(), 5);
        let busy = commands.iter().map(cl_core::Profile::duration).sum();
        assert!(Recording::span(&commands) >= busy, "commands of an in-order queue do not overlap");

        // A new recording begins empty, also after a recording that was dropped unfinished.
        drop(queue.record().unwrap());
        assert_eq!(queue.record().unwrap().finish().unwrap(), []);
        assert_eq!(Recording::span(&[]), std::time::Duration::ZERO);

        // A leaked recording can be ended by others.
        std::mem::forget(queue.record().unwrap());
        assert!(queue.record().is_err());
        queue.marker().unwrap();
        queue.end_recording();
        let recording = queue.record().unwrap();
        queue.marker().unwrap();
        assert_eq!(recording.finish().unwrap().len(), 1);
        let ended = queue.record().unwrap();
        queue.end_recording();
        let next = queue.record().unwrap();
        queue.marker().unwrap();
        assert_eq!(ended.finish().unwrap(), [], "the commands of the next one are not its own");
        assert_eq!(next.finish().unwrap().len(), 1);
    });
}

#[test]
fn a_queue_without_profiling_says_so() {
    cl_test::known_faults::each_device("launch::a_queue_without_profiling_says_so", |device| {
        let (queue, put) = set_up(device, "put");
        let mut x = Buffer::filled(&queue, 0_u32, 4).unwrap();
        assert!(matches!(queue.record(), Err(Error::InvalidInput { what: "recording", .. })));
        // SAFETY: one work-item an element.
        let event = unsafe { put.launch().arg(&mut x).arg(1_u32).global(4).enqueue_event(&queue) }.unwrap();
        let error = event.profile().unwrap_err();
        assert_eq!(error.status(), Some(Status::PROFILING_INFO_NOT_AVAILABLE), "{error}");
        assert!(error.to_string().contains("QueueOptions::profiling"), "{error}");
    });
}

#[test]
fn threads_share_a_kernel() {
    const LEN: usize = 256;
    cl_test::known_faults::each_device("launch::threads_share_a_kernel", |device| {
        let context = Context::on(device).unwrap();
        let put = kernel(&context, "put");
        std::thread::scope(|threads| {
            for thread in 0..4_u32 {
                let (context, put) = (&context, &put);
                threads.spawn(move || {
                    let queue = Queue::new(context, QueueOptions::new()).unwrap();
                    let mut x = Buffer::filled(&queue, u32::MAX, LEN).unwrap();
                    for round in 0..200 {
                        let value = 1000 * thread + round;
                        // SAFETY: one work-item an element.
                        unsafe { put.launch().arg(&mut x).arg(value).global(LEN).enqueue(&queue) }.unwrap();
                        assert_eq!(x.to_vec(&queue).unwrap(), [value; LEN]);
                    }
                });
            }
        });
    });
}

#[test]
fn nothing_leaks() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let calls = counter.calls_during(|| {
            let context = Context::on(&device).unwrap();
            let queue = Queue::new(&context, QueueOptions::new().profiling()).unwrap();
            let put = kernel(&context, "put");
            assert!(Program::build(&context, "kernel void f() { x; }", &BuildOptions::new()).is_err());
            let recording = queue.record().unwrap();
            let mut x = Buffer::filled(&queue, [1_u32, 2, 3], 100).unwrap();
            // SAFETY: 300 work-items for 300 numbers.
            let event = unsafe { put.launch().arg(&mut x).arg(1_u32).global(300).enqueue_event(&queue) };
            drop(queue.scratch(100).unwrap());
            let queue_kept_by_clone = queue.clone();
            assert!(!recording.finish().unwrap().is_empty());
            drop((queue, context, event));
            assert_eq!(x.to_vec(&queue_kept_by_clone).unwrap(), [[1; 3]; 100]);
        });
        for (create, release) in [
            ("clCreateContext", "clReleaseContext"),
            ("clCreateCommandQueue", "clReleaseCommandQueue"),
            ("clCreateBuffer", "clReleaseMemObject"),
            ("clCreateKernel", "clReleaseKernel"),
        ] {
            assert_eq!(calls[create], calls[release], "{calls:?} on {device}");
        }
        // If the cache on disk has an entry, the program comes from a binary.
        let created = ["clCreateProgramWithSource", "clCreateProgramWithBinary"];
        let created: u64 = created.iter().filter_map(|name| calls.get(name)).sum();
        assert_eq!(created, calls["clReleaseProgram"], "{calls:?} on {device}");
        // Every command that was enqueued during the recording made one event.
        assert!(calls["clReleaseEvent"] >= 4, "{calls:?} on {device}");
        assert!(!calls.keys().any(|name| name.starts_with("clRetain")), "{calls:?} on {device}");
    }
}
