//! The sweep: every driver call of an operation fails once with each of several codes.
//!
//! An operation is one row of a table: a name, and a function that sets up what it works on and
//! returns the operation as a closure. The sweep lets the closure's first driver call fail, then its
//! second, and so on until a run in which none is left to fail, and after each asks:
//!
//! - the operation returned an error that names the call and carries its status. A failed release is
//!   logged only, and a row names the calls that it can do without;
//! - nothing panicked, and nothing took longer than [`PATIENCE`];
//! - the operation, done again, succeeds, and a known kernel gives the right result on every queue;
//! - as many objects were released as were made.

use crate::faults::{Faults, Ledger};
use cl_core::{
    Buffer, BuildOptions, Context, Device, Error, Kernel, Program, Queue, QueueOptions, Result, Status,
};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The codes: no memory for an object, no resources, no memory on the host, no device, and three that
/// blame the arguments.
pub const CODES: [Status; 7] = [
    Status::MEM_OBJECT_ALLOCATION_FAILURE,
    Status::OUT_OF_RESOURCES,
    Status::OUT_OF_HOST_MEMORY,
    Status::DEVICE_NOT_AVAILABLE,
    Status::INVALID_COMMAND_QUEUE,
    Status::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
    Status::INVALID_BUFFER_SIZE,
];

/// Sizes and numbers of answers that no driver should tell.
pub const SIZES: [usize; 5] = [0, 1, 3, 1 << 40, usize::MAX];

/// How long one run may take, which may compile: a run that takes longer hangs.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// More calls than any operation makes.
const MOST_CALLS: u64 = 2000;

/// An operation, ready to run.
pub type Run<'b> = Box<dyn FnOnce() -> Result<()> + 'b>;

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    name: &'static str,
    prepare: for<'b> fn(&'b Bench) -> Option<Run<'b>>,
    optional: &'static [&'static str],
    own_context: bool,
}

impl Operation {
    /// An operation. `prepare` is not disturbed; it returns [`run`] of what is, or `None` where the
    /// device cannot do it.
    #[must_use]
    pub const fn new(name: &'static str, prepare: for<'b> fn(&'b Bench) -> Option<Run<'b>>) -> Operation {
        Operation { name, prepare, optional: &[], own_context: false }
    }

    /// These functions may fail without the operation failing.
    #[must_use]
    pub const fn can_do_without(self, functions: &'static [&'static str]) -> Operation {
        Operation { optional: functions, ..self }
    }

    /// Each run has a new context, in which nothing has been left: for operations that compile a kernel
    /// once and keep it with the context. Done again afterwards, it has to show itself that all works.
    #[must_use]
    pub const fn in_own_context(self) -> Operation {
        Operation { own_context: true, ..self }
    }
}

/// What a row returns: the operation.
pub fn run<'b>(operation: impl FnOnce() -> Result<()> + 'b) -> Option<Run<'b>> {
    Some(Box::new(operation))
}

/// What operations work on. All queues belong to one context, and are new in every run.
#[derive(Debug)]
pub struct Bench {
    /// The device.
    pub device: Device,
    /// A context.
    pub context: Context,
    /// An in-order queue.
    pub queue: Queue,
    /// An in-order queue that profiles.
    pub profiling: Queue,
    /// An out-of-order queue, where the device has such.
    pub out_of_order: Option<Queue>,
}

impl Bench {
    fn new(context: &Context) -> Result<Bench> {
        let device = context.device().clone();
        let out_of_order = if device.has_out_of_order_queues()? {
            Some(Queue::new(context, QueueOptions::new().out_of_order())?)
        } else {
            None
        };
        Ok(Bench {
            queue: Queue::new(context, QueueOptions::new())?,
            profiling: Queue::new(context, QueueOptions::new().profiling())?,
            out_of_order,
            context: context.clone(),
            device,
        })
    }

    /// A known program's kernels, kept with the context.
    ///
    /// # Panics
    /// When the program does not build.
    #[must_use]
    pub fn known(&self) -> Arc<Known> {
        let known = self.context.attachment::<Known>();
        known.0.get_or_init(|| {
            Program::build(&self.context, SOURCE, &BuildOptions::new())
                .and_then(|program| Ok([program.kernel("increment")?, program.kernel("scale")?]))
                .unwrap_or_else(|error| panic!("{error}"))
        });
        known
    }

    /// That each queue gives the right result of the known kernel.
    fn check(&self) -> Result<()> {
        let known = self.known();
        for queue in
            [Some(&self.queue), Some(&self.profiling), self.out_of_order.as_ref()].into_iter().flatten()
        {
            let mut x = Buffer::from_slice(queue, &[1, 2, 3])?;
            // SAFETY: work-item i touches element i, and there are as many.
            unsafe { known.increment().launch().arg(&mut x).global(3).enqueue(queue)? };
            assert_eq!(x.to_vec(queue)?, [2, 3, 4], "{queue:?}");
        }
        Ok(())
    }
}

/// The known program.
const SOURCE: &str = "
    kernel void increment(global int *x) { x[get_global_id(0)] += 1; }
    kernel void scale(global const int *x, global int *y, local int *t, const int factor)
    {
        const size_t i = get_global_id(0), l = get_local_id(0);
        t[l] = x[i];
        y[i] = factor * t[l];
    }";

/// The kernels of a known program. Made by [`Bench::known`].
#[derive(Debug, Default)]
pub struct Known(OnceLock<[Kernel; 2]>);

impl Known {
    /// `increment(global int *x)`: adds 1 to element i.
    #[must_use]
    pub fn increment(&self) -> &Kernel {
        &self.kernels()[0]
    }

    /// `scale(global const int *x, global int *y, local int *t, int factor)`: element i of y becomes
    /// `factor` times that of x; t has one element a work-item of the group.
    #[must_use]
    pub fn scale(&self) -> &Kernel {
        &self.kernels()[1]
    }

    fn kernels(&self) -> &[Kernel; 2] {
        self.0.get().unwrap_or_else(|| unreachable!("Bench::known has filled it"))
    }
}

/// How a call is disturbed.
#[derive(Clone, Copy, Debug)]
pub enum Disturbance {
    /// It fails with this status.
    Fails(Status),
    /// The size or the number of its answers is told as this.
    Lies(usize),
}

/// Lets each driver call of each operation fail with each of [`CODES`].
///
/// # Panics
/// With a list of everything that did not go as it must.
pub fn failures(faults: &Faults, device: &Device, operations: &[Operation]) {
    report(&findings(faults, device, operations, &CODES.map(Disturbance::Fails)));
}

/// Lets each answer of each operation that has a size tell each of [`SIZES`]. The operation may then
/// succeed or fail; all else that the sweep asks for holds.
///
/// # Panics
/// As [`failures`].
pub fn lies(faults: &Faults, device: &Device, operations: &[Operation]) {
    report(&findings(faults, device, operations, &SIZES.map(Disturbance::Lies)));
}

fn report(findings: &[String]) {
    assert!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n"));
}

/// What does not go as it must when the calls of operations are disturbed.
#[must_use]
pub fn findings(
    faults: &Faults,
    device: &Device,
    operations: &[Operation],
    disturbances: &[Disturbance],
) -> Vec<String> {
    let watchdog = watchdog();
    let before = faults.ledger();
    let mut findings = Vec::new();
    let shared = Context::on(device).unwrap_or_else(|error| panic!("{error}"));
    // Builds the known program, which the context keeps, before objects are counted.
    Bench::new(&shared).and_then(|bench| bench.check()).unwrap_or_else(|error| panic!("{error}"));
    for operation in operations {
        let (start, mut runs) = (Instant::now(), 0);
        if !operation.own_context {
            leave_what_stays(&shared, operation);
        }
        for &disturbance in disturbances {
            for call in 1..=MOST_CALLS {
                let place = format!("{}: {disturbance:?}, call {call}", operation.name);
                // The watchdog ends with this function.
                let _ = watchdog.send(place.clone());
                let Some(seen) = disturbed(faults, &shared, operation, disturbance, call) else { break };
                runs += 1;
                let function = seen.hit.unwrap_or("none");
                findings.extend(seen.complaints.iter().map(|what| format!("{place}, {function}: {what}")));
                if seen.hit.is_none() {
                    break;
                }
            }
        }
        println!("{:7.2} s, {runs:5} runs of {}", start.elapsed().as_secs_f32(), operation.name);
    }
    drop(shared);
    let left = settled(faults, &before);
    if !left.is_balanced() {
        findings.push(format!("in the end: not balanced: {left:?}"));
    }
    findings
}

/// Runs an operation once, so that what it leaves with the context, a compiled kernel perhaps, is there
/// before objects are counted.
fn leave_what_stays(shared: &Context, operation: &Operation) {
    let bench = Bench::new(shared).unwrap_or_else(|error| panic!("{error}"));
    if let Some(run) = (operation.prepare)(&bench) {
        // If it fails, or panics, the runs that follow will say so.
        let _ = catch_unwind(AssertUnwindSafe(run));
    }
}

/// What one run showed.
struct Seen {
    /// The function that was disturbed; none when the operation has fewer calls.
    hit: Option<&'static str>,
    complaints: Vec<String>,
}

/// Runs an operation with its call number `call` disturbed; `None` where the device cannot do it.
fn disturbed(
    faults: &Faults,
    shared: &Context,
    operation: &Operation,
    how: Disturbance,
    call: u64,
) -> Option<Seen> {
    let before = faults.ledger();
    let own = operation.own_context.then(|| Context::on(shared.device()));
    let own = own.map(|context| context.unwrap_or_else(|error| panic!("{error}")));
    let bench = Bench::new(own.as_ref().unwrap_or(shared)).unwrap_or_else(|error| panic!("{error}"));
    let armed = (operation.prepare)(&bench)?;
    match how {
        Disturbance::Fails(status) => faults.fail(call, status),
        Disturbance::Lies(size) => faults.lie(call, size),
    }
    let result = catch_unwind(AssertUnwindSafe(armed));
    let hit = faults.hit();
    faults.forgive();

    let mut complaints = Vec::new();
    match (hit, how, result) {
        (_, _, Err(panic)) => complaints.push(format!("it panicked: {}", text_of(&*panic))),
        (None, _, Ok(Err(error))) => complaints.push(format!("it failed undisturbed: {error}")),
        (Some(function), Disturbance::Fails(status), Ok(result)) => {
            complaints.extend(judge(operation, function, status, result).err());
        }
        _ => {}
    }
    let after = catch_unwind(AssertUnwindSafe(|| {
        if let Some(again) = (operation.prepare)(&bench) {
            again()?;
        }
        if operation.own_context { Ok(()) } else { bench.check() }
    }));
    match after {
        Err(panic) => complaints.push(format!("afterwards it panicked: {}", text_of(&*panic))),
        Ok(Err(error)) => complaints.push(format!("afterwards nothing works: {error}")),
        Ok(Ok(())) => {}
    }
    drop(bench);
    drop(own);
    let left = settled(faults, &before);
    if !left.is_balanced() {
        complaints.push(format!("not balanced: {left:?}"));
    }
    Some(Seen { hit, complaints })
}

/// That the operation answers the failure of a call with an error that says so.
fn judge(
    operation: &Operation,
    function: &str,
    status: Status,
    result: Result<()>,
) -> std::result::Result<(), String> {
    match result {
        Ok(()) if function.starts_with("clRelease") || operation.optional.contains(&function) => Ok(()),
        Ok(()) => Err("it succeeded nevertheless".to_owned()),
        Err(Error::Driver(facts)) if facts.call == function && facts.status == status => Ok(()),
        Err(error) => Err(format!("its error is another: {error}")),
    }
}

/// What is not in balance since `before`, after the time that callbacks may need to let go.
fn settled(faults: &Faults, before: &Ledger) -> Ledger {
    let start = Instant::now();
    loop {
        let left = faults.ledger().since(before);
        if left.is_balanced() || start.elapsed() > Duration::from_secs(2) {
            return left;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn text_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no text")
}

/// Ends the process when nothing is sent for longer than [`PATIENCE`]: a call that hangs cannot be
/// interrupted. What was sent last says what hangs.
fn watchdog() -> Sender<String> {
    let (sender, receiver) = channel::<String>();
    std::thread::spawn(move || {
        let mut last = String::new();
        loop {
            match receiver.recv_timeout(PATIENCE) {
                Ok(next) => last = next,
                Err(RecvTimeoutError::Timeout) => {
                    eprintln!("no end after {PATIENCE:?}: {last}");
                    std::process::abort();
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    });
    sender
}
