//! The profiler: the time that a program takes, by named regions.
//!
//! | file | concept |
//! | --- | --- |
//! | this one | regions that are being measured |
//! | `report` | the tree of regions, and its table |
//! | `trace` | the file that ui.perfetto.dev opens |

mod report;
mod trace;

pub use report::{ProfilerReport, RegionSummary};

use crate::error::Result;
use crate::queue::Queue;
use crate::recording::Recording;
use std::cell::RefCell;
use std::time::{Duration, Instant};

/// A profiler of named regions of the host's code, and of the commands that they enqueue.
///
/// A command belongs to the regions that are open when it is enqueued. A region's device time is
/// the sum of its commands' times from start to end, even if the region has ended by then. Commands
/// that other threads enqueue on the same queues in the meantime count as well. The profiler keeps
/// the events of all commands until it finishes.
///
/// ```
/// # use cl_core::{Buffer, Context, Device, Profiler, Queue, QueueOptions};
/// # fn main() -> cl_core::Result<()> {
/// let context = Context::on(&Device::first()?)?;
/// let queue = Queue::new(&context, QueueOptions::new().profiling())?;
/// let profiler = Profiler::new(&[&queue])?;
/// for _ in 0..3 {
///     let _step = profiler.enter("step");
///     let mut x = profiler.region("make", || Buffer::filled(&queue, 1.0_f32, 1000))?;
///     profiler.region("change", || x.fill(&queue, 2.0))?;
/// }
/// let report = profiler.finish();
/// println!("{report}");
/// let step = report.find(&["step"]).expect("it was measured");
/// assert_eq!((step.count, step.commands, step.children.len()), (3, 6, 2));
/// # let mut file = Vec::new();
/// report.write_trace(&mut file).expect("a vector takes everything"); // for ui.perfetto.dev
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "a profiler tells what it measured when it finishes"]
pub struct Profiler<'q> {
    recordings: Vec<Recording<'q>>,
    begun: Instant,
    regions: RefCell<Regions>,
}

#[derive(Debug, Default)]
struct Regions {
    /// All spans, in the order in which they were entered.
    spans: Vec<Span>,
    /// The indices of the open spans, outermost first.
    open: Vec<usize>,
}

/// One passage through a region.
#[derive(Debug)]
struct Span {
    name: String,
    parent: Option<usize>,
    /// The time since the profiler began.
    begin: Duration,
    end: Duration,
    /// For each queue, its number of commands when the region was entered and when it was left.
    commands: Vec<(usize, usize)>,
}

/// An open region, which ends when this guard is dropped. Made by [`Profiler::enter`].
#[derive(Debug)]
#[must_use = "the region ends when this is dropped"]
pub struct Region<'p> {
    profiler: &'p Profiler<'p>,
    index: usize,
}

impl<'q> Profiler<'q> {
    /// Begins to measure, including the commands of these queues.
    ///
    /// # Errors
    /// The first error of [`Queue::record`] for one of the queues.
    pub fn new(queues: &[&'q Queue]) -> Result<Profiler<'q>> {
        let begun = Instant::now();
        let recordings = queues.iter().map(|queue| queue.record()).collect::<Result<_>>()?;
        Ok(Profiler { recordings, begun, regions: RefCell::default() })
    }

    /// Measures `work` as a region of this name, inside the open regions.
    pub fn region<R>(&self, name: &str, work: impl FnOnce() -> R) -> R {
        let _region = self.enter(name);
        work()
    }

    /// Enters a region of this name, inside the open regions. Dropping the guard leaves the region,
    /// and all regions that are still open inside it.
    pub fn enter(&self, name: &str) -> Region<'_> {
        let mut regions = self.regions.borrow_mut();
        let (index, parent) = (regions.spans.len(), regions.open.last().copied());
        let commands = self.recordings.iter().map(|recording| (recording.len(), 0)).collect();
        let begin = self.begun.elapsed();
        regions.spans.push(Span { name: name.to_owned(), parent, begin, end: begin, commands });
        regions.open.push(index);
        Region { profiler: self, index }
    }

    /// Leaves a region and the regions inside it. Does nothing if the region was left before.
    fn leave(&self, index: usize) {
        let end = self.begun.elapsed();
        let regions = &mut *self.regions.borrow_mut();
        let Some(depth) = regions.open.iter().position(|&open| open == index) else { return };
        for left in regions.open.drain(depth..) {
            let span = &mut regions.spans[left];
            span.end = end;
            for (range, recording) in span.commands.iter_mut().zip(&self.recordings) {
                range.1 = recording.len();
            }
        }
    }

    /// Leaves all regions, waits for the commands, and returns the measurements. A command that
    /// failed is listed in [`ProfilerReport::failures`] and counts no time.
    #[must_use]
    pub fn finish(self) -> ProfilerReport {
        let outermost = self.regions.borrow().open.first().copied();
        if let Some(index) = outermost {
            self.leave(index);
        }
        ProfilerReport::new(self.recordings, self.begun, self.regions.into_inner().spans)
    }
}

impl Drop for Region<'_> {
    fn drop(&mut self) {
        self.profiler.leave(self.index);
    }
}
