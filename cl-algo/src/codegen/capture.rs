//! Launches that are captured while they are enqueued, and enqueued again with other vectors.
//!
//! Building an expression, finding its kernel and preparing the arguments takes many times as long as enqueueing the
//! kernel. A program that evaluates the same expressions again and again, as the cycles of an iterative solver, does that
//! once. CUDA calls this a stream capture.

use super::cache::Compiled;
use crate::element::ElementType;
use crate::fault::Faults;
use crate::ir::leaf::Vector;
use cl_core::{Access, Arg, Error, Memory, Queue, Result, Scratch};
use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::sync::Arc;

/// The kernels that can be enqueued again: they keep nothing in memory from one launch to the next, as counters of finished
/// work-groups and messages of tiles are kept.
const REPEATABLE: [&str; 14] = [
    "assign",
    "assign_slice",
    "assign_rows",
    "assign_tiles",
    "assign_blocks",
    "assign_layers",
    "fold_axes",
    "fold_parts",
    "contract",
    "contract_small",
    "contract_tiles",
    "contract_fragments",
    "pack_panels",
    "pack_fragments",
];

/// A vector that captured launches use. Vectors of the same description may take its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Used {
    /// The number of elements, of the vector and of its memory.
    len: usize,
    bytes: usize,
    element: ElementType,
}

/// The vectors that take the places of those that launches were captured with.
pub(crate) trait Vectors {
    fn input(&self, number: usize) -> &Memory;

    fn output(&self) -> &Memory;
}

/// Captured launches, in the order in which they were enqueued.
pub(crate) struct Launches {
    queue: Queue,
    launches: Vec<Launch>,
    /// The numbers of bytes of temporary memory.
    scratch: Vec<usize>,
}

/// One launch.
struct Launch {
    compiled: Arc<Compiled>,
    arguments: Box<[Argument]>,
    groups: usize,
    group: usize,
}

/// An argument of a captured launch.
enum Argument {
    Value(Arg<'static>),
    Bytes(Box<[u8]>),
    Input(usize, Access),
    Output(Access),
    /// Memory that a kernel overwrites before any reads it.
    Scratch(usize, Access),
    /// A vector that was moved into an expression.
    Owned(Vector<'static>, Access),
    /// The record of indices out of range.
    Faults(Access),
}

/// The launches so far of a thread that captures them.
struct Capture {
    queue: Queue,
    /// The handles of the memory of the inputs.
    inputs: Vec<usize>,
    output: usize,
    /// The handles of temporary memory, and its numbers of bytes.
    scratch: Vec<(usize, usize)>,
    /// `None` if one of the launches cannot be enqueued again.
    launches: Option<Vec<Launch>>,
}

thread_local! {
    /// The current captures. It owns memory only while there are captures, and is never dropped, so that destructors of other
    /// thread-locals can launch kernels, too.
    static CAPTURES: ManuallyDrop<RefCell<Vec<Capture>>> =
        const { ManuallyDrop::new(RefCell::new(Vec::new())) };
}

impl Used {
    pub(crate) fn of(memory: &Memory, element: ElementType, len: usize) -> Used {
        Used { len, bytes: memory.bytes(), element }
    }

    /// Returns an error unless a vector may take the place of this one.
    pub(crate) fn check(self, other: Used) -> Result<()> {
        if self != other {
            let reason = format!(
                "a vector of {} elements and {} bytes takes the place of one of {} elements and {} bytes",
                other.len, other.bytes, self.len, self.bytes
            );
            return Err(Error::invalid_input("captured launches", reason));
        }
        Ok(())
    }
}

/// Returns the identity of a block of memory that exists.
fn identity(memory: &Memory) -> usize {
    memory.as_raw() as usize
}

/// Calls a closure, and captures the launches that it enqueues on a queue. Also returns the result of the closure.
///
/// Memory that is overwritten before it is read, and is neither an input nor the output, counts as temporary: the launches get
/// other memory when they are enqueued again. Returns no launches if they cannot be enqueued again: if a kernel is not one of
/// [`REPEATABLE`], uses other memory or writes an input, if two inputs are the same memory, or if the closure captures launches
/// itself or enqueues captured ones.
pub(crate) fn capture<R>(
    queue: &Queue,
    inputs: &[&Memory],
    output: &Memory,
    run: impl FnOnce() -> R,
) -> (R, Option<Launches>) {
    let inputs: Vec<usize> = inputs.iter().map(|memory| identity(memory)).collect();
    // A kernel has one argument for both of two equal inputs.
    let are_distinct = (1..inputs.len()).all(|at| !inputs[..at].contains(&inputs[at]));
    let capture = Capture {
        queue: queue.clone(),
        inputs,
        output: identity(output),
        scratch: Vec::new(),
        launches: are_distinct.then(Vec::new),
    };
    CAPTURES.with(|captures| captures.borrow_mut().push(capture));
    let capturing = Capturing;
    let result = run();
    let captured = capturing.end();
    let launches = captured.and_then(|Capture { queue, scratch, launches, .. }| {
        let scratch = scratch.into_iter().map(|(_, bytes)| bytes).collect();
        Some(Launches { queue, launches: launches?, scratch })
    });
    (result, launches)
}

/// A guard that ends the current capture, also if the closure panics.
struct Capturing;

impl Capturing {
    fn end(self) -> Option<Capture> {
        std::mem::forget(self);
        last()
    }
}

impl Drop for Capturing {
    fn drop(&mut self) {
        drop(last());
    }
}

/// Removes and returns the capture that began last.
fn last() -> Option<Capture> {
    CAPTURES.with(|captures| {
        let mut captures = captures.borrow_mut();
        let last = captures.pop();
        match captures.last_mut() {
            // The outer capture has not seen the launches of the inner one.
            Some(outer) => outer.launches = None,
            None => *captures = Vec::new(),
        }
        last
    })
}

/// Adds a launch that was enqueued to the current capture of the thread, if there is one. `vectors` are the vectors that the
/// kernel reads, `faults` is the record of indices out of range.
pub(super) fn note(
    queue: &Queue,
    compiled: &Arc<Compiled>,
    vectors: &[Vector<'_>],
    faults: Option<&Memory>,
    arguments: &[Arg<'_>],
    [groups, group]: [usize; 2],
) {
    CAPTURES.with(|captures| {
        let mut captures = captures.borrow_mut();
        let Some(capture) = captures.last_mut() else { return };
        if capture.launches.is_none() {
            return;
        }
        let kept = |argument: &Arg<'_>| capture.kept(*argument, vectors, faults);
        let arguments: Option<Box<[Argument]>> = arguments.iter().map(kept).collect();
        let is_repeatable = *queue == capture.queue && REPEATABLE.contains(&compiled.template);
        match arguments.filter(|_| is_repeatable) {
            Some(arguments) => {
                let launch = Launch { compiled: Arc::clone(compiled), arguments, groups, group };
                capture.launches.get_or_insert_default().push(launch);
            }
            None => capture.launches = None,
        }
    });
}

impl Capture {
    /// Returns an argument that outlives its launch.
    fn kept(
        &mut self,
        argument: Arg<'_>,
        vectors: &[Vector<'_>],
        faults: Option<&Memory>,
    ) -> Option<Argument> {
        let (memory, access) = match argument {
            Arg::Value(bytes, len) => return Some(Argument::Value(Arg::Value(bytes, len))),
            Arg::Wide(bytes) => return Some(Argument::Value(Arg::Wide(bytes))),
            Arg::Local(bytes) => return Some(Argument::Value(Arg::Local(bytes))),
            Arg::Bytes(bytes) => return Some(Argument::Bytes(bytes.into())),
            Arg::Memory(memory, access) => (memory, access),
            _ => return None,
        };
        if faults.is_some_and(|faults| std::ptr::eq(faults, memory)) {
            return Some(Argument::Faults(access));
        }
        let of = identity(memory);
        if of == self.output {
            return Some(Argument::Output(access));
        }
        if let Some(input) = self.inputs.iter().position(|&input| input == of) {
            return (access == Access::Read).then_some(Argument::Input(input, access));
        }
        let vector = vectors.iter().find(|vector| std::ptr::eq(vector.memory(), memory));
        let known = self.scratch.iter().position(|&(known, _)| known == of);
        if known.is_none()
            && let Some(owned) = vector.filter(|_| access == Access::Read).and_then(Vector::shared)
        {
            return Some(Argument::Owned(owned, access));
        }
        match known {
            Some(known) => {
                let is_same = self.scratch[known].1 == memory.bytes();
                is_same.then_some(Argument::Scratch(known, access))
            }
            None if access == Access::Overwrite => {
                self.scratch.push((of, memory.bytes()));
                Some(Argument::Scratch(self.scratch.len() - 1, access))
            }
            None => None,
        }
    }
}

impl Launches {
    /// Returns the queue.
    pub(crate) fn queue(&self) -> &Queue {
        &self.queue
    }

    /// Returns the number of launches.
    pub(crate) fn count(&self) -> usize {
        self.launches.len()
    }

    /// Enqueues the launches again.
    ///
    /// # Safety
    /// The vectors are those of the capture, or each is as its [`Used`] describes and belongs to the same queue.
    pub(crate) unsafe fn enqueue(&self, vectors: &impl Vectors) -> Result<()> {
        // A capture of this thread does not see these launches.
        CAPTURES.with(|captures| {
            if let Some(capture) = captures.borrow_mut().last_mut() {
                capture.launches = None;
            }
        });
        let scratch = self.scratch.iter().map(|&bytes| self.queue.scratch(bytes));
        let scratch = scratch.collect::<Result<Vec<Scratch>>>()?;
        // SAFETY: by the caller's promise.
        self.launches.iter().try_for_each(|launch| unsafe { launch.enqueue(&self.queue, vectors, &scratch) })
    }
}

impl Launch {
    /// Enqueues the launch.
    ///
    /// # Safety
    /// As [`Launches::enqueue`].
    unsafe fn enqueue(&self, queue: &Queue, vectors: &impl Vectors, scratch: &[Scratch]) -> Result<()> {
        let Launch { compiled, arguments, groups, group } = self;
        let faults = compiled.has_faults.then(|| queue.attachment::<Faults>());
        let record = faults.as_ref().map(|faults| faults.arm(queue)).transpose()?;
        let mut launch = compiled.kernel.launch();
        for argument in arguments {
            let argument = match argument {
                Argument::Value(value) => *value,
                Argument::Bytes(bytes) => Arg::Bytes(bytes),
                Argument::Input(number, access) => Arg::Memory(vectors.input(*number), *access),
                Argument::Output(access) => Arg::Memory(vectors.output(), *access),
                Argument::Scratch(number, access) => Arg::Memory(&scratch[*number], *access),
                Argument::Owned(vector, access) => Arg::Memory(vector.memory(), *access),
                Argument::Faults(access) => match &record {
                    Some(record) => Arg::Memory(record.memory(), *access),
                    None => continue,
                },
            };
            launch = launch.arg(argument);
        }
        // SAFETY: the same kernel was launched with these values, and with vectors of the same lengths and types.
        let launched = unsafe { launch.global(groups * group).local(*group).enqueue(queue) };
        launched.map_err(|error| compiled.described(error))
    }
}
