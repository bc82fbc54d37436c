//! Making contexts, queues, sub-devices, programs and kernels, and asking for their properties.

use super::{NAMES, RELEASE};
use cl_core::{
    AffinityDomains, BuildOptions, Context, Device, Error, Partition, PartitionKinds, Program, Queue,
    QueueOptions,
};
use cl_test::sweep::{Bench, Operation, Run, run};

const SOURCE: &str = "kernel void k(global int *x, const float f) { x[get_global_id(0)] = (int)f; }";

fn build(bench: &Bench) -> Program {
    Program::build(&bench.context, SOURCE, &BuildOptions::new()).unwrap()
}

/// Divides the device, and uses the first part.
fn divide(bench: &Bench, kind: PartitionKinds, how: Partition) -> Option<Run<'_>> {
    bench.device.partition_kinds().unwrap().contains(kind).then_some(())?;
    if let Partition::ByAffinity(domain) = &how {
        bench.device.affinity_domains().unwrap().contains(*domain).then_some(())?;
    }
    run(move || {
        let parts = bench.device.partition(&how)?;
        assert_eq!(parts[0].parent(), Some(&bench.device));
        parts[0].partition_type()?;
        Queue::on(&parts[0]).map(drop)
    })
}

pub(crate) const ROWS: &[Operation] = &[
    Operation::new("Context::on", |bench| run(|| Context::on(&bench.device).map(drop))),
    Operation::new("Queue::on", |bench| run(|| Queue::on(&bench.device).map(drop)))
        .ignores_failures_of(&[NAMES[1], RELEASE]),
    Operation::new("Queue::new", |bench| {
        run(|| Queue::new(&bench.context, QueueOptions::new().profiling()).map(drop))
    })
    .ignores_failures_of(&[RELEASE]),
    Operation::new("Queue::new, out of order", |bench| {
        bench.out_of_order.as_ref()?;
        run(|| Queue::new(&bench.context, QueueOptions::new().out_of_order()).map(drop))
    })
    .ignores_failures_of(&[RELEASE]),
    Operation::new("Device::partition, equally", |bench| {
        divide(bench, PartitionKinds::EQUALLY, Partition::Equally(1))
    })
    .ignores_failures_of(&[NAMES[1], RELEASE]),
    Operation::new("Device::partition, by counts", |bench| {
        divide(bench, PartitionKinds::BY_COUNTS, Partition::ByCounts(vec![1]))
    })
    .ignores_failures_of(&[NAMES[1], RELEASE]),
    Operation::new("Device::partition, by affinity", |bench| {
        let domain = AffinityDomains::NEXT_PARTITIONABLE;
        divide(bench, PartitionKinds::BY_AFFINITY, Partition::ByAffinity(domain))
    })
    .ignores_failures_of(&[NAMES[1], RELEASE]),
    Operation::new("Device::from_raw of a sub-device", |bench| {
        bench.device.partition_kinds().unwrap().contains(PartitionKinds::EQUALLY).then_some(())?;
        let parts = bench.device.partition(&Partition::Equally(1)).unwrap();
        let (library, raw) = (bench.device.library(), parts[0].as_raw());
        // SAFETY: the part is alive.
        assert_eq!(unsafe { (library.functions().clRetainDevice)(raw) }, 0);
        run(move || {
            let _kept = parts;
            // SAFETY: the part is alive, and the reference made above is taken over.
            let taken = unsafe { Device::from_raw(library, raw) };
            if taken.is_err() {
                // SAFETY: the reference is still ours.
                unsafe { (library.functions().clReleaseDevice)(raw) };
            }
            taken.map(drop)
        })
    }),
    Operation::new("Program::build", |bench| {
        run(|| Program::build(&bench.context, SOURCE, &BuildOptions::new().uncached()).map(drop))
    }),
    // The texts around the compiler's message may be missing.
    Operation::new("Program::build of a mistake", |bench| {
        run(|| match Program::build(&bench.context, "kernel void k( {", &BuildOptions::new()) {
            Err(Error::Build(_)) => Ok(()),
            other => other.map(|_| panic!("it was built")),
        })
    })
    .ignores_failures_of(&["clGetDeviceInfo", "clGetPlatformInfo", "clGetProgramBuildInfo"]),
    Operation::new("questions to a program", |bench| {
        let program = build(bench);
        run(move || {
            program.log()?;
            program.kernel_names().map(drop)
        })
    }),
    Operation::new("Program::kernel", |bench| {
        let program = build(bench);
        run(move || program.kernel("k")?.preferred_multiple().map(drop))
    }),
    // The list of the program's kernels may be missing.
    Operation::new("Program::kernel, unknown", |bench| {
        let program = build(bench);
        run(move || match program.kernel("none") {
            Err(Error::UnknownKernel { .. }) => Ok(()),
            other => other.map(|_| panic!("there is such a kernel")),
        })
    })
    .ignores_failures_of(&["clGetProgramInfo"]),
];
