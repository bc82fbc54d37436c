//! Memory, commands and events.

use super::{NAMES, RELEASE, lacking};
use cl_core::{
    Buffer, BuildOptions, CVersion, Event, EventStatus, Kernel, Local, Program, Queue, Recording, Result,
};
use cl_test::sweep::{Bench, Operation, run};

const VALUES: [i32; 4] = [1, 2, 3, 4];

fn values(queue: &Queue) -> Buffer<i32> {
    Buffer::from_slice(queue, &VALUES).unwrap()
}

fn filled(queue: &Queue) -> (Buffer<i32>, Event) {
    let (mut x, mut event) = (values(queue), None);
    x.fill(queue.signal(&mut event), 7).unwrap();
    (x, event.unwrap())
}

/// Runs all kinds of commands, one after the other, on memory of their own.
fn everything(queue: &Queue, bench: &Bench) -> Result<()> {
    let known = bench.known();
    let mut x = Buffer::from_slice(queue, &VALUES)?;
    let mut y = Buffer::filled(queue, 0, 4)?;
    y.copy_from(queue, &x)?;
    x.fill(queue, 5)?;
    x.write(queue, 1, &[6, 7])?;
    // SAFETY: four work-items, each of which touches its own elements only.
    unsafe {
        let scale = known.scale().launch().arg(&x).arg(&mut y).arg(Local::<i32>::new(2)).arg(10);
        scale.global(4).local(2).enqueue(queue)?;
        known.increment().launch().arg(&mut x).global(4).enqueue(queue)?;
    }
    assert_eq!(x.to_vec(queue)?, [6, 7, 8, 6]);
    assert_eq!(y.to_vec(queue)?, [50, 60, 70, 50]);
    Ok(())
}

/// Returns whether one launch can have work-groups of several sizes: always in OpenCL 2, and if the device
/// says so in 3.
fn has_non_uniform(bench: &Bench) -> bool {
    let answer = bench.device.has_non_uniform_groups().unwrap();
    answer.unwrap_or(bench.device.opencl_version().unwrap().major == 2)
}

/// Returns the known kernel that increments, in a language in which groups may have several sizes.
fn non_uniform(bench: &Bench) -> Kernel {
    let source = "kernel void increment(global int *x) { x[get_global_id(0)] += 1; }";
    let options = BuildOptions::new().language(CVersion::C20);
    Program::build(&bench.context, source, &options).unwrap().kernel("increment").unwrap()
}

pub(crate) const ROWS: &[Operation] = &[
    Operation::new("Buffer::from_slice", |bench| run(|| Buffer::from_slice(&bench.queue, &VALUES).map(drop))),
    Operation::new("Buffer::filled", |bench| run(|| Buffer::filled(&bench.queue, 7, 5).map(drop))),
    Operation::new("Buffer::filled, by doubling", |bench| {
        run(|| {
            let x = Buffer::filled(&bench.queue, [1_u8, 2, 3], 5)?;
            assert_eq!(x.to_vec(&bench.queue)?, [[1, 2, 3]; 5]);
            Ok(())
        })
    }),
    Operation::new("Buffer::uninit", |bench| {
        // SAFETY: nobody reads it.
        run(|| unsafe { Buffer::<u8>::uninit(&bench.queue, 5) }.map(drop))
    }),
    Operation::new("Buffer::read", |bench| {
        let x = values(&bench.queue);
        run(move || {
            let mut two = [0; 2];
            x.read(&bench.queue, 1, &mut two)?;
            assert_eq!(two, [2, 3]);
            Ok(())
        })
    }),
    Operation::new("Buffer::write", |bench| {
        let mut x = values(&bench.queue);
        run(move || {
            x.write(&bench.queue, 2, &[8, 9])?;
            assert_eq!(x.to_vec(&bench.queue)?, [1, 2, 8, 9]);
            Ok(())
        })
    }),
    Operation::new("Buffer::copy_from", |bench| {
        let (mut x, y) = (values(&bench.queue), filled(&bench.queue).0);
        run(move || {
            x.copy_from(&bench.queue, &y)?;
            assert_eq!(x.to_vec(&bench.queue)?, [7; 4]);
            Ok(())
        })
    }),
    Operation::new("Buffer::fill with an event", |bench| {
        let mut x = values(&bench.queue);
        run(move || {
            let mut event = None;
            x.fill(bench.queue.signal(&mut event), 9)?;
            event.iter().try_for_each(Event::wait)?;
            assert_eq!(x.to_vec(&bench.queue)?, [9; 4]);
            Ok(())
        })
    }),
    Operation::new("a command after events", |bench| {
        let (mut x, event) = filled(&bench.queue);
        run(move || {
            let mut last = None;
            x.write(bench.profiling.after(&[&event]).signal(&mut last), 0, &[1])?;
            x.fill(bench.queue.after(&last.iter().collect::<Vec<_>>()), 3)?;
            assert_eq!(x.to_vec(&bench.queue)?, [3; 4]);
            Ok(())
        })
    }),
    Operation::new("commands that are none", |bench| {
        let mut x = values(&bench.queue);
        run(move || {
            let mut event = None;
            x.write(bench.queue.signal(&mut event), 0, &[])?;
            event.iter().try_for_each(Event::wait)
        })
    }),
    Operation::new("all commands, in order", |bench| run(|| everything(&bench.queue, bench))),
    Operation::new("all commands, out of order", |bench| {
        let queue = bench.out_of_order.as_ref()?;
        run(|| everything(queue, bench))
    }),
    Operation::new("all commands, recorded", |bench| {
        run(|| {
            let recording = bench.profiling.record()?;
            everything(&bench.profiling, bench)?;
            let commands = recording.finish()?;
            assert_eq!(commands.len(), 9);
            let _ = Recording::span(&commands);
            Ok(())
        })
    }),
    Operation::new("memory that goes from queue to queue", |bench| {
        let mut x = values(&bench.queue);
        run(move || {
            let queues = [Some(&bench.profiling), bench.out_of_order.as_ref(), Some(&bench.queue)];
            for (value, queue) in queues.into_iter().flatten().enumerate() {
                x.fill(queue, value as i32)?;
            }
            let last = 1 + i32::from(bench.out_of_order.is_some());
            assert_eq!(x.to_vec(&bench.profiling)?, [last; 4]);
            Ok(())
        })
    }),
    // The dropped queue leaves a marker behind. If the marker fails, the queue is finished, and the failure is
    // only logged.
    Operation::new("memory that outlives its queue", |bench| {
        let mut x = values(&bench.queue);
        run(move || {
            let short = Queue::new(&bench.context, cl_core::QueueOptions::new())?;
            x.fill(&short, 9)?;
            drop(short);
            assert_eq!(x.to_vec(&bench.queue)?, [9; 4]);
            Ok(())
        })
    })
    .ignores_failures_of(&["clEnqueueMarkerWithWaitList", RELEASE]),
    Operation::new("Launch::enqueue_event", |bench| {
        let mut x = values(&bench.queue);
        run(move || {
            let known = bench.known();
            let launch = known.increment().launch().arg(&mut x).global(4);
            // SAFETY: four work-items, each of which touches its own element only.
            let event = unsafe { launch.enqueue_event(&bench.queue) }?;
            event.wait()?;
            assert_eq!(event.status()?, EventStatus::Complete);
            Ok(())
        })
    }),
    Operation::new("Launch of none, with an event", |bench| {
        let mut x = values(&bench.queue);
        run(move || {
            let known = bench.known();
            // SAFETY: no work-item.
            unsafe { known.increment().launch().arg(&mut x).global(0).enqueue_event(&bench.queue) }?.wait()
        })
    }),
    Operation::new("Launch::suggested_local", |bench| {
        let mut x = values(&bench.queue);
        run(move || {
            let known = bench.known();
            known.increment().launch().arg(&mut x).global(4).suggested_local(&bench.queue).map(drop)
        })
    })
    // If the function is missing, the driver does not tell.
    .ignores_failures_of(&["clGetExtensionFunctionAddressForPlatform"]),
    Operation::new("Launch::non_uniform", |bench| {
        has_non_uniform(bench).then_some(())?;
        let (kernel, mut x) = (non_uniform(bench), values(&bench.queue));
        run(move || {
            let launch = kernel.launch().arg(&mut x).global(4).local(3).non_uniform();
            // SAFETY: four work-items, each of which touches its own element only.
            unsafe { launch.enqueue(&bench.queue) }?;
            assert_eq!(x.to_vec(&bench.queue)?, [2, 3, 4, 5]);
            Ok(())
        })
    }),
    // The error may lack the device's name.
    Operation::new("Launch::non_uniform where there is none", |bench| {
        (!has_non_uniform(bench)).then_some(())?;
        let mut x = values(&bench.queue);
        run(move || {
            let known = bench.known();
            let launch = known.increment().launch().arg(&mut x).global(4).local(3).non_uniform();
            // SAFETY: four work-items, each of which touches its own element only.
            lacking(unsafe { launch.enqueue(&bench.queue) }).map(drop)
        })
    })
    .ignores_failures_of(&NAMES),
    Operation::new("Event::profile", |bench| {
        let (x, event) = filled(&bench.profiling);
        run(move || {
            let _kept = x;
            event.profile().map(drop)
        })
    }),
    Operation::new("text of an event", |bench| {
        let (_, event) = filled(&bench.queue);
        run(move || {
            let _ = format!("{event:?}");
            Ok(())
        })
    })
    .ignores_failures_of(&["clGetEventInfo"]),
    Operation::new("Queue::flush, finish, marker", |bench| {
        let (x, _) = filled(&bench.queue);
        run(move || {
            let _kept = x;
            bench.queue.flush()?;
            bench.queue.marker()?.wait()?;
            bench.queue.finish()
        })
    }),
    Operation::new("Queue::scratch", |bench| {
        run(|| {
            let known = bench.known();
            let block = bench.queue.scratch(16)?;
            let zeros = Buffer::filled(&bench.queue, 0, 4)?;
            let launch = known.scale().launch().arg(&zeros).arg(&block).arg(Local::<i32>::new(4)).arg(1);
            // SAFETY: four work-items, each of which touches its own elements only; then the first
            // element is there.
            unsafe {
                launch.global(4).enqueue(&bench.queue)?;
                assert_eq!(block.read_first::<i32>()?, 0);
            }
            drop(block);
            drop(bench.queue.scratch(16)?);
            bench.queue.trim_scratch();
            Ok(())
        })
    }),
];
