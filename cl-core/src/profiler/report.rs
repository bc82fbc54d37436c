//! The measurements of a profiler.

use super::Span;
use crate::error::Error;
use crate::event::Profile;
use crate::recording::Recording;
use std::fmt;
use std::time::{Duration, Instant};

/// The measurements of a [`Profiler`](crate::Profiler). Displays as a table, with one line for each
/// region.
#[derive(Debug)]
pub struct ProfilerReport {
    root: RegionSummary,
    failures: Vec<Error>,
    pub(super) spans: Vec<Span>,
    pub(super) tracks: Vec<Track>,
}

/// The sums over all times that a region was entered from the same path of outer regions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RegionSummary {
    /// The name with which the region was entered; the name of the root is `total`.
    pub name: String,
    /// The number of times that the region was entered.
    pub count: usize,
    /// The time that the host spent in the region.
    pub host: Duration,
    /// The sum of the times that its commands ran on devices. Commands that overlap all count in
    /// full.
    pub device: Duration,
    /// The number of commands that were enqueued in the region.
    pub commands: usize,
    /// The regions inside it, in the order in which they were first entered.
    pub children: Vec<RegionSummary>,
}

/// The commands of one queue.
#[derive(Debug)]
pub(super) struct Track {
    /// The number and the device of the queue.
    pub(super) name: String,
    pub(super) commands: Vec<Command>,
    /// The offset in nanoseconds that converts the device's clock to the time since the profiler
    /// began.
    pub(super) offset: i128,
}

#[derive(Debug)]
pub(super) struct Command {
    pub(super) label: Option<Box<str>>,
    /// `None` when the command failed.
    pub(super) profile: Option<Profile>,
}

impl Track {
    /// Waits for the commands of a queue, and collects their times.
    fn new(number: usize, recording: Recording<'_>, begun: Instant, failures: &mut Vec<Error>) -> Track {
        let name = format!("queue {number}: {}", recording.queue().device());
        let mut offset = None;
        let mut commands = Vec::new();
        for recorded in recording.take() {
            let profile = recorded.event.profile().map_err(|error| failures.push(error)).ok();
            if let Some(profile) = &profile {
                // `queued`, by the device's clock, is before `noted`, by the host's clock, when the
                // enqueue call had returned. So each difference is at least the offset of the clocks,
                // and the smallest one, of the quickest call, is the best estimate.
                let noted = recorded.noted.saturating_duration_since(begun).as_nanos() as i128;
                let bound = noted - i128::from(profile.queued);
                offset = Some(offset.map_or(bound, |offset: i128| offset.min(bound)));
            }
            commands.push(Command { label: recorded.label, profile });
        }
        Track { name, commands, offset: offset.unwrap_or(0) }
    }
}

impl ProfilerReport {
    pub(super) fn new(recordings: Vec<Recording<'_>>, begun: Instant, spans: Vec<Span>) -> ProfilerReport {
        let mut failures = Vec::new();
        let tracks: Vec<Track> = recordings
            .into_iter()
            .enumerate()
            .map(|(number, recording)| Track::new(number, recording, begun, &mut failures))
            .collect();
        let mut root = RegionSummary { name: "total".to_owned(), ..RegionSummary::default() };
        root.add(begun.elapsed(), tracks.iter().map(|track| track.commands.as_slice()));
        for span in &spans {
            let commands = tracks.iter().zip(&span.commands).map(|(track, &(from, to))| {
                // A driver that failed may have left fewer commands than were counted.
                track.commands.get(from..to).unwrap_or(&[])
            });
            root.descend(&path(&spans, span)).add(span.end - span.begin, commands);
        }
        ProfilerReport { root, failures, spans, tracks }
    }

    /// Returns the total: from the profiler's beginning to its end, with all commands and all
    /// regions.
    #[must_use]
    pub fn root(&self) -> &RegionSummary {
        &self.root
    }

    /// Returns the region with this path of names, outermost first.
    #[must_use]
    pub fn find(&self, path: &[&str]) -> Option<&RegionSummary> {
        path.iter()
            .try_fold(&self.root, |region, name| region.children.iter().find(|child| child.name == *name))
    }

    /// Returns the errors of the commands that failed.
    #[must_use]
    pub fn failures(&self) -> &[Error] {
        &self.failures
    }
}

impl RegionSummary {
    /// Returns this region's fraction of the parent's device time, from 0 to 1; 0 if the parent's
    /// device time is zero.
    #[must_use]
    pub fn share_of(&self, parent: &RegionSummary) -> f64 {
        if parent.device.is_zero() { 0.0 } else { self.device.as_secs_f64() / parent.device.as_secs_f64() }
    }

    fn add<'c>(&mut self, host: Duration, tracks: impl Iterator<Item = &'c [Command]>) {
        self.count += 1;
        self.host += host;
        for commands in tracks {
            self.commands += commands.len();
            let times = commands.iter().filter_map(|command| command.profile.as_ref());
            self.device += times.map(Profile::running).sum::<Duration>();
        }
    }

    /// Returns the region with this path below this one, and inserts regions that are missing.
    fn descend(&mut self, path: &[&str]) -> &mut RegionSummary {
        let Some((name, rest)) = path.split_first() else { return self };
        let known = self.children.iter().position(|child| child.name == *name);
        let index = known.unwrap_or_else(|| {
            self.children.push(RegionSummary { name: (*name).to_owned(), ..RegionSummary::default() });
            self.children.len() - 1
        });
        self.children[index].descend(rest)
    }

    /// Returns the length of the longest name with its indentation, in characters.
    fn width(&self, depth: usize) -> usize {
        let own = 2 * depth + self.name.chars().count();
        self.children.iter().map(|child| child.width(depth + 1)).fold(own, usize::max)
    }

    fn line(&self, f: &mut fmt::Formatter<'_>, width: usize, depth: usize, share: f64) -> fmt::Result {
        let (name, milliseconds) = (&self.name, |time: Duration| 1e3 * time.as_secs_f64());
        let (indent, room) = (2 * depth, width - 2 * depth);
        write!(f, "{:indent$}{name:room$} {:>8} {:>12.3}", "", self.count, milliseconds(self.host))?;
        writeln!(f, " {:>12.3} {:>6.1}% {:>9}", milliseconds(self.device), 100.0 * share, self.commands)?;
        self.children.iter().try_for_each(|child| child.line(f, width, depth + 1, child.share_of(self)))
    }
}

/// Returns the names from the outermost region to this one.
fn path<'s>(spans: &'s [Span], span: &'s Span) -> Vec<&'s str> {
    let parent = |span: &&'s Span| span.parent.map(|index| &spans[index]);
    let mut path: Vec<&str> =
        std::iter::successors(Some(span), parent).map(|span| span.name.as_str()).collect();
    path.reverse();
    path
}

impl fmt::Display for ProfilerReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.root.width(0).max("region".len());
        write!(f, "{:width$} {:>8} {:>12}", "region", "count", "host ms")?;
        writeln!(f, " {:>12} {:>7} {:>9}", "device ms", "share", "commands")?;
        self.root.line(f, width, 0, 1.0)?;
        for failure in &self.failures {
            writeln!(f, "failed: {failure}")?;
        }
        Ok(())
    }
}
