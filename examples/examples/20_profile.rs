//! Finds where the time goes: named regions of the host's code, and the commands that they enqueue.
//!
//! `cargo run --release --example 20_profile`. The host only enqueues commands, so its time says little about
//! the time on the device. A profiler records both. Prints a table, and writes a trace beside the executable,
//! which <https://ui.perfetto.dev> shows as a timeline.

use cl_core::{Buffer, BuildOptions, Context, Device, Profiler, Program, Queue, QueueOptions};
use std::error::Error;

const SOURCE: &str = include_str!("../kernels/vector_add.cl");

const LEN: usize = 1 << 18;
const ROUNDS: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let context = Context::on(&Device::first()?)?;
    // The driver records times only on queues that ask for it.
    let queue = Queue::new(&context, QueueOptions::new().profiling())?;
    let vector_add = Program::build(&context, SOURCE, &BuildOptions::new())?.kernel("vector_add")?;

    let profiler = Profiler::new(&[&queue])?;
    for _ in 0..ROUNDS {
        let _round = profiler.enter("round"); // lasts until the end of the block
        let (x, y, mut sum) = profiler.region("make", || -> cl_core::Result<_> {
            let filled = |value| Buffer::filled(&queue, value, LEN);
            Ok((filled(1.0_f32)?, filled(2.0)?, filled(0.0)?))
        })?;
        profiler.region("add", || {
            let launch = vector_add.launch().arg(&x).arg(&y).arg(&mut sum).global(LEN);
            // SAFETY: work-item i accesses only element i, and there are as many work-items as
            // elements.
            unsafe { launch.enqueue(&queue) }
        })?;
        let sums = profiler.region("read", || sum.to_vec(&queue))?;
        assert_eq!(sums, [3.0; LEN]);
    }
    let report = profiler.finish();

    println!("{report}");
    assert!(report.failures().is_empty(), "{:?}", report.failures());
    let add = report.find(&["round", "add"]).ok_or("the region was not measured")?;
    assert_eq!((add.count, add.commands), (ROUNDS, ROUNDS));

    let trace = std::env::current_exe()?.with_extension("json");
    report.save_trace(&trace)?;
    println!("open {} in https://ui.perfetto.dev", trace.display());
    Ok(())
}
