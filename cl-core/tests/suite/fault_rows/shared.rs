//! Shared virtual memory, pipes, and queues that kernels fill.

use super::{NAMES, lacking};
use cl_core::{
    Atomic, Buffer, BuildOptions, Coarse, Context, DeviceQueue, Fine, Kernel, Local, Migration, Pipe,
    Program, SvmCapabilities, SvmVec,
};
use cl_test::sweep::{Bench, Operation, run};
use std::sync::atomic::Ordering;

const VALUES: [i32; 4] = [1, 2, 3, 4];

/// Returns `Some` if the device has all of these capabilities.
fn has(bench: &Bench, wanted: SvmCapabilities) -> Option<()> {
    bench.device.svm_capabilities().unwrap().is_some_and(|has| has.contains(wanted)).then_some(())
}

fn coarse(bench: &Bench) -> Option<SvmVec<i32, Coarse>> {
    has(bench, SvmCapabilities::COARSE_GRAIN_BUFFER)?;
    Some(SvmVec::from_slice(&bench.queue, &VALUES).unwrap())
}

/// Returns a kernel that follows an address.
fn following(context: &Context) -> Kernel {
    let source = "kernel void follow(global const ulong *addresses, global int *sum) {
        sum[0] = ((global const int *)addresses[0])[3];
    }";
    Program::build(context, source, &BuildOptions::new())
        .and_then(|program| program.kernel("follow"))
        .unwrap()
}

pub(crate) const ROWS: &[Operation] = &[
    Operation::new("SvmVec, the first of a context", |bench| {
        has(bench, SvmCapabilities::COARSE_GRAIN_BUFFER)?;
        run(|| SvmVec::<i32>::filled(&bench.queue, 1, 4).map(drop))
    })
    .in_own_context()
    .ignores_failures_of(FREEING),
    // The error may lack the device's name.
    Operation::new("SvmVec where there is none", |bench| {
        if has(bench, SvmCapabilities::COARSE_GRAIN_BUFFER).is_some() {
            return None;
        }
        run(|| lacking(SvmVec::<i32>::filled(&bench.queue, 1, 4)).map(drop))
    })
    .in_own_context()
    .ignores_failures_of(&NAMES),
    Operation::new("SvmVec::from_slice, filled", |bench| {
        has(bench, SvmCapabilities::COARSE_GRAIN_BUFFER)?;
        run(|| {
            let x: SvmVec<i32> = SvmVec::from_slice(&bench.queue, &VALUES)?;
            let y: SvmVec<[u8; 3]> = SvmVec::filled(&bench.queue, [1, 2, 3], 5)?;
            assert_eq!(x.to_vec(&bench.queue)?, VALUES);
            assert_eq!(y.to_vec(&bench.queue)?, [[1, 2, 3]; 5]);
            Ok(())
        })
    })
    .ignores_failures_of(FREEING),
    Operation::new("commands of SvmVec", |bench| {
        let (mut x, y) = (coarse(bench)?, coarse(bench)?);
        run(move || {
            let mut two = [0; 2];
            x.fill(&bench.queue, 7)?;
            x.write(&bench.queue, 1, &[8])?;
            x.read(&bench.queue, 0, &mut two)?;
            assert_eq!(two, [7, 8]);
            x.copy_from(&bench.queue, &y)?;
            assert_eq!(x.to_vec(&bench.queue)?, VALUES);
            Ok(())
        })
    })
    .ignores_failures_of(FREEING),
    Operation::new("SvmVec::map, map_mut", |bench| {
        let mut x = coarse(bench)?;
        run(move || {
            let mut map = x.map_mut(&bench.queue)?;
            map[0] = 9;
            map.unmap()?;
            let (first, second) = (x.map(&bench.queue)?, x.map(&bench.queue)?);
            assert_eq!((first[0], second[3]), (9, 4));
            first.unmap()?;
            second.unmap()
        })
    })
    .ignores_failures_of(FREEING),
    Operation::new("SvmVec::migrate", |bench| {
        let x = coarse(bench)?;
        run(move || {
            lacking(x.migrate(&bench.queue, Migration::ToHost))?;
            lacking(x.migrate(&bench.queue, Migration::ToDevice)).map(drop)
        })
    })
    .ignores_failures_of(FREEING),
    Operation::new("shared memory that goes from queue to queue", |bench| {
        let mut x = coarse(bench)?;
        run(move || {
            x.fill(&bench.profiling, 1)?;
            for queue in [bench.out_of_order.as_ref(), Some(&bench.queue)].into_iter().flatten() {
                let mut map = x.map_mut(queue)?;
                map[0] += 1;
                map.unmap()?;
            }
            let first = 2 + i32::from(bench.out_of_order.is_some());
            assert_eq!(x.to_vec(&bench.profiling)?, [first, 1, 1, 1]);
            Ok(())
        })
    })
    .ignores_failures_of(FREEING),
    // Freeing the memory waits for the other queue. If the first way to wait fails, another one is used.
    Operation::new("shared memory that another queue used last", |bench| {
        let mut x = coarse(bench)?;
        x.fill(&bench.profiling, 1).unwrap();
        run(move || {
            drop(x);
            Ok(())
        })
    })
    .ignores_failures_of(&[
        "clEnqueueSVMFree",
        "clEnqueueMarkerWithWaitList",
        "clFlush",
        "clGetEventInfo",
    ]),
    Operation::new("Launch with shared memory", |bench| {
        let (x, mut y) = (coarse(bench)?, coarse(bench)?);
        run(move || {
            let known = bench.known();
            let launch = known.scale().launch().arg(&x).arg(&mut y).arg(Local::<i32>::new(4)).arg(2);
            // SAFETY: four work-items, each of which touches its own elements only.
            unsafe { launch.global(4).local(4).enqueue(&bench.queue)? };
            assert_eq!(y.to_vec(&bench.queue)?, [2, 4, 6, 8]);
            Ok(())
        })
    })
    .ignores_failures_of(FREEING),
    Operation::new("Launch::reaches", |bench| {
        let (x, follow) = (coarse(bench)?, following(&bench.context));
        run(move || {
            let addresses = Buffer::from_slice(&bench.queue, &[x.as_ptr().expose_provenance() as u64])?;
            let mut sum = Buffer::filled(&bench.queue, 0, 1)?;
            let launch = follow.launch().arg(&addresses).arg(&mut sum).reaches(&x);
            // SAFETY: one work-item, which reads the last of four elements.
            unsafe { launch.global(1).enqueue(&bench.queue)? };
            assert_eq!(sum.to_vec(&bench.queue)?, [4]);
            Ok(())
        })
    })
    .ignores_failures_of(FREEING),
    Operation::new("SvmVec::as_slice, as_mut_slice", |bench| {
        has(bench, SvmCapabilities::FINE_GRAIN_BUFFER)?;
        let mut x: SvmVec<i32, Fine> = SvmVec::from_slice(&bench.queue, &VALUES).unwrap();
        run(move || {
            x.as_mut_slice(&bench.queue)?[0] = 9;
            assert_eq!(x.as_slice(&bench.queue)?, [9, 2, 3, 4]);
            Ok(())
        })
    })
    .ignores_failures_of(FREEING),
    Operation::new("SvmVec::atomics", |bench| {
        has(bench, SvmCapabilities::FINE_GRAIN_BUFFER.union(SvmCapabilities::ATOMICS))?;
        let mut x: SvmVec<i32, Atomic> = SvmVec::from_slice(&bench.queue, &VALUES).unwrap();
        run(move || {
            assert_eq!(x.atomics(&bench.queue)?[0].fetch_add(1, Ordering::SeqCst), 1);
            Ok(())
        })
    })
    .ignores_failures_of(FREEING),
    Operation::new("Pipe::new", |bench| run(|| lacking(Pipe::<i32>::new(&bench.context, 10)).map(drop)))
        .ignores_failures_of(&NAMES),
    Operation::new("Pipe::from_raw", |bench| {
        let pipe = lacking(Pipe::<i32>::new(&bench.context, 10)).unwrap()?;
        let (library, raw) = (bench.device.library(), pipe.as_raw());
        // SAFETY: the pipe is alive.
        assert_eq!(unsafe { (library.functions().clRetainMemObject)(raw) }, 0);
        run(move || {
            let _kept = pipe;
            // SAFETY: as above; the reference is taken over, or released after an error.
            let taken = unsafe {
                Pipe::<i32>::from_raw(&bench.context, raw).inspect_err(|_| {
                    (library.functions().clReleaseMemObject)(raw);
                })
            };
            taken.map(drop)
        })
    }),
    Operation::new("DeviceQueue::new", |bench| {
        run(|| lacking(DeviceQueue::new(&bench.context, None)).map(drop))
    })
    .ignores_failures_of(&NAMES),
];

/// The function that may fail when a block is dropped. The drop then waits and frees the block by another
/// function, and the failure is only logged.
const FREEING: &[&str] = &["clEnqueueSVMFree"];
