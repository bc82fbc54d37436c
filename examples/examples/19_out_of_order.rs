//! Commands that overlap: two chains of kernels, without a list of the commands that each one waits for.
//!
//! `cargo run --release --example 19_out_of_order`. On an ordinary queue commands run one after the other. An
//! out-of-order queue may run them at the same time, and a C program must list for each command the commands
//! that it waits for. Here commands wait for each other by the memory that they use: a command that reads
//! memory waits for the command that wrote it. This holds across queues, too.

use cl_core::{Buffer, BuildOptions, Context, Device, Error, Program, Queue, QueueOptions};

const SOURCE: &str = include_str!("../kernels/out_of_order.cl");

const LEN: usize = 1 << 16;
const STEPS: u32 = 20;

fn main() -> cl_core::Result<()> {
    let context = Context::on(&Device::first()?)?;
    let queue = match Queue::new(&context, QueueOptions::new().out_of_order()) {
        Err(Error::Unsupported { device, .. }) => {
            println!("{device} has no out-of-order queues: the same program runs in order");
            Queue::new(&context, QueueOptions::new())?
        }
        queue => queue?,
    };
    let other = Queue::new(&context, QueueOptions::new())?;

    let program = Program::build(&context, SOURCE, &BuildOptions::new())?;
    let (next, add) = (program.kernel("next")?, program.kernel("add")?);
    let mut a = Buffer::filled(&queue, 1_u32, LEN)?;
    let mut b = Buffer::filled(&queue, 2_u32, LEN)?;
    let mut sum = Buffer::filled(&queue, 0_u32, LEN)?;

    for step in 0..STEPS {
        // Each launch waits for the launch before it that wrote the same buffer. Launches on `a` and
        // launches on `b` can run at the same time.
        for x in [&mut a, &mut b] {
            // SAFETY: work-item i accesses only element i, and there are as many work-items as
            // elements.
            unsafe { next.launch().arg(x).arg(step).global(LEN).enqueue(&queue)? };
        }
    }
    // This launch is on another queue, and still waits for both chains.
    // SAFETY: as above.
    unsafe { add.launch().arg(&a).arg(&b).arg(&mut sum).global(LEN).enqueue(&other)? };
    // The next step of `a` waits until `add` has read it.
    // SAFETY: as above.
    unsafe { next.launch().arg(&mut a).arg(STEPS).global(LEN).enqueue(&queue)? };

    let chain = |first: u32, steps: u32| (0..steps).fold(first, |x, c| x.wrapping_mul(5).wrapping_add(c));
    let expected = chain(1, STEPS).wrapping_add(chain(2, STEPS));
    assert_eq!(sum.to_vec(&other)?, vec![expected; LEN]);
    assert_eq!(a.to_vec(&other)?, vec![chain(1, STEPS + 1); LEN]);
    println!("two chains of {STEPS} steps on {}: all right, the sum is {expected}", queue.device());
    Ok(())
}
