//! The sweep: every driver call of an operation fails once with each of several codes.
//!
//! An operation is one row of a table: a name, and a function that prepares its objects and returns the
//! operation as a closure. The sweep makes the closure's first driver call fail, then its second, and so on
//! until a run has no call left to fail. After each run it checks that
//!
//! - the operation returned an error that names the call and carries its status. A failed release is only
//!   logged, and a row names the calls whose failure it can ignore;
//! - nothing panicked, and nothing took longer than [`PATIENCE`];
//! - a known kernel gives the right result on every queue, and the operation succeeds when it runs again. The
//!   second run takes as long as the first. For most operations it is therefore made only after failures with
//!   the first code;
//! - as many objects were released as were made.
//!
//! `CL_TEST_SWEEP=part of a name` narrows the sweep to some rows. `CL_TEST_SWEEP_PART=3/8` narrows it to the
//! third of every eight rows, so that eight processes can share a slow sweep.

mod bench;

pub use bench::{Bench, Known};

use crate::faults::{Faults, Ledger};
use crate::known_faults::skips;
use cl_core::{Context, Device, Error, Result, Status};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// The codes: no memory for an object, no resources, no memory on the host, no device, and three that blame
/// the arguments.
pub const CODES: [Status; 7] = [
    Status::MEM_OBJECT_ALLOCATION_FAILURE,
    Status::OUT_OF_RESOURCES,
    Status::OUT_OF_HOST_MEMORY,
    Status::DEVICE_NOT_AVAILABLE,
    Status::INVALID_COMMAND_QUEUE,
    Status::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
    Status::INVALID_BUFFER_SIZE,
];

/// Wrong numbers, which a driver reports as the size of an answer or as the number of answers.
pub const SIZES: [usize; 5] = [0, 1, 3, 1 << 40, usize::MAX];

/// The time after which a run counts as hanging. A run may compile, which takes seconds on a quiet machine
/// and a minute on a busy one.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// The variable that narrows a sweep to the rows whose names contain its value.
const ONLY: &str = "CL_TEST_SWEEP";

/// The variable that narrows a sweep to one row in every `n`.
const PART: &str = "CL_TEST_SWEEP_PART";

/// A number of calls that is larger than any operation makes.
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
    in_turns: bool,
}

impl Operation {
    /// Creates an operation. `prepare` makes its objects undisturbed, and passes the calls to disturb to
    /// [`run`]. It returns `None` if the device does not support the operation.
    #[must_use]
    pub const fn new(name: &'static str, prepare: for<'b> fn(&'b Bench) -> Option<Run<'b>>) -> Operation {
        Operation { name, prepare, optional: &[], own_context: false, in_turns: false }
    }

    /// Names functions that may fail without an error from the operation.
    #[must_use]
    pub const fn ignores_failures_of(self, functions: &'static [&'static str]) -> Operation {
        Operation { optional: functions, ..self }
    }

    /// Gives each run a new, empty context. Use it for operations that compile a kernel once and keep it with
    /// the context. The second run of the operation then replaces the check by a known kernel.
    #[must_use]
    pub const fn in_own_context(self) -> Operation {
        Operation { own_context: true, ..self }
    }

    /// Disturbs each call only once, with the codes in turn. Use it for operations that call the same few
    /// functions very often: each function still fails with each of the codes.
    #[must_use]
    pub const fn in_turns(self) -> Operation {
        Operation { in_turns: true, ..self }
    }

    /// Returns whether the sweep disturbs call number `call` by disturbance `index`, of `count`
    /// disturbances.
    fn is_disturbed(&self, call: usize, index: usize, count: usize) -> bool {
        !self.in_turns || (call - 1) % count == index
    }
}

/// Boxes an operation, in the form that the `prepare` function of a row returns.
pub fn run<'b>(operation: impl FnOnce() -> Result<()> + 'b) -> Option<Run<'b>> {
    Some(Box::new(operation))
}

/// A disturbance of a call.
#[derive(Clone, Copy, Debug)]
pub enum Disturbance {
    /// The call fails with this status.
    Fails(Status),
    /// The call succeeds, but reports this number as the size of its answer or as the number of its answers.
    Lies(usize),
}

/// Makes each driver call of each operation fail with each of [`CODES`].
///
/// # Panics
/// With a list of all findings, if there are any.
pub fn failures(faults: &Faults, device: &Device, operations: &[Operation]) {
    report(&findings(faults, device, operations, &CODES.map(Disturbance::Fails)));
}

/// Makes each driver call that reports a size or a number of answers report each of [`SIZES`]. The operation
/// may then succeed or fail. The other checks of the sweep stay the same.
///
/// # Panics
/// The same as [`failures`].
pub fn lies(faults: &Faults, device: &Device, operations: &[Operation]) {
    report(&findings(faults, device, operations, &SIZES.map(Disturbance::Lies)));
}

fn report(findings: &[String]) {
    assert!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n"));
}

/// Returns the findings when the calls of operations are disturbed.
///
/// # Panics
/// If a context cannot be made without any disturbance.
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
    // A part of the names of the rows to run.
    let wanted = std::env::var(ONLY).unwrap_or_default();
    let (part, parts) = part();
    let rows = operations.iter().skip(part).step_by(parts);
    for operation in rows.filter(|operation| operation.name.contains(&wanted)) {
        if skips(operation.name, device) {
            continue;
        }
        let (start, mut runs) = (Instant::now(), 0);
        // The watchdog ends with this function.
        let watch = |place: &str| drop(watchdog.send(place.to_owned()));
        watch(&format!("{}, undisturbed", operation.name));
        if !operation.own_context {
            warm_up(faults, &shared, operation);
        }
        for (index, &disturbance) in disturbances.iter().enumerate() {
            let is_disturbed = |call: &u64| operation.is_disturbed(*call as usize, index, disturbances.len());
            for call in (1..).filter(is_disturbed) {
                let place = format!("{}: {disturbance:?}, call {call}", operation.name);
                watch(&place);
                let again = index == 0 || operation.own_context || operation.in_turns;
                let Some(seen) = disturbed(faults, &shared, operation, disturbance, call, again) else {
                    break;
                };
                runs += 1;
                let function = seen.hit.unwrap_or("none");
                findings.extend(seen.complaints.iter().map(|what| format!("{place}, {function}: {what}")));
                if seen.hit.is_none() {
                    if call == 1 && matches!(disturbance, Disturbance::Fails(_)) {
                        findings.push(format!("{place}: it makes no driver call that could fail"));
                    }
                    break;
                }
                if call >= MOST_CALLS {
                    findings.push(format!("{place}: it makes more than {MOST_CALLS} calls"));
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

/// Returns the index of the first row to run, and the step from this row to the next one. Without [`PART`],
/// all rows run.
fn part() -> (usize, usize) {
    let Ok(text) = std::env::var(PART) else { return (0, 1) };
    let numbers = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    match numbers {
        Some((part, of)) if (1..=of).contains(&part) => (part - 1, of),
        _ => panic!("{PART}={text} is not a part such as 3/8"),
    }
}

/// Runs an operation once before objects are counted, so that objects that it leaves with the context, such
/// as a compiled kernel, are already there.
fn warm_up(faults: &Faults, shared: &Context, operation: &Operation) {
    let before = faults.ledger();
    let bench = Bench::new(shared).unwrap_or_else(|error| panic!("{error}"));
    if let Some(run) = (operation.prepare)(&bench) {
        // If the operation fails or panics, the following runs will report it.
        let _ = catch_unwind(AssertUnwindSafe(run));
    }
    drop(bench);
    // Callbacks may release objects later.
    let _ = settled(faults, &before);
}

/// The findings of one run.
struct Seen {
    /// The function that was disturbed; `None` if the operation has fewer calls.
    hit: Option<&'static str>,
    complaints: Vec<String>,
}

/// Runs an operation with its call number `call` disturbed, and then, if `again` is set, undisturbed. Returns
/// `None` if the device does not support the operation.
fn disturbed(
    faults: &Faults,
    shared: &Context,
    operation: &Operation,
    how: Disturbance,
    call: u64,
    again: bool,
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
    faults.forward_all();

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
        if again && let Some(operation) = (operation.prepare)(&bench) {
            operation()?;
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

/// Returns an error unless the operation answers the failure of a call with an error that says so.
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
        // `clSVMAlloc` returns null instead of a status.
        Err(Error::Driver(facts)) if facts.call == function && function == "clSVMAlloc" => Ok(()),
        Err(error) => Err(format!("it returned another error: {error}")),
    }
}

/// Waits until all references made since `before` are released, but not longer than callbacks may need to
/// release theirs. Returns the references that are not in balance.
fn settled(faults: &Faults, before: &Ledger) -> Ledger {
    let start = Instant::now();
    loop {
        let left = faults.ledger().since(before);
        if left.is_balanced() || start.elapsed() > Duration::from_millis(500) {
            return left;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn text_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no text")
}

/// Ends the process when nothing is sent for longer than [`PATIENCE`], because a call that hangs cannot be
/// interrupted. The last text that was sent names the call that hangs.
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
