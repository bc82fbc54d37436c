//! The search for the best shapes of kernels. The candidates of each tunable shape are timed and compared with
//! the present choice, each in its own process, after their results were verified.

mod record;
mod targets;

use crate::options::{Options, Size};
use crate::process::Message;
use crate::process::{self, WorkerLine};
use crate::report::{Row, time};
use crate::worker;
use crate::{answers, failure::Failure, progress::progress, session};
use cl_algo::{DeviceProfile, Tuning};
use cl_core::{Device, DeviceKind};
use comfy_table::{CellAlignment, LineStyle, Table, presets};
use indicatif::ProgressBar;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use targets::{ALL, Target, by_value};

/// The environment variable that names the user's tuning table. When a candidate is measured, the rows of
/// this table follow the candidate's row, so that the candidate takes precedence.
const VARIABLE: &str = "CL_TUNING";

/// The number of candidates of a target in a quick search.
const QUICK: usize = 2;

/// The measured row, or the reason why it failed.
type Outcome = Result<Row, String>;

/// The time that must be left for another target, and the part of its time by which a shape may be behind the best one.
const LEAST: Duration = Duration::from_secs(10);
const CONFIRMED: f64 = 0.03;

/// The results for a target.
struct Found {
    target: &'static Target,
    present: Row,
    tried: Vec<(Tuning, Outcome)>,
    /// The index of the candidate that beats the present choice.
    winner: Option<usize>,
    /// `true` if a row of a tuning table decides the present choice, and not a rule.
    is_row: bool,
    /// `true` if time was left for all candidates.
    is_complete: bool,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    if options.sizes.len() > 1 {
        return Err("--tune takes one of --sizes".into());
    }
    let mut wanted = by_value();
    wanted.retain(|target| options.is_wanted(&target.label()));
    if wanted.is_empty() {
        let labels: Vec<String> = ALL.iter().map(Target::label).collect();
        return Err(format!(
            "nothing to tune matches {:?}; there are: {}",
            options.filter,
            labels.join("; ")
        )
        .into());
    }
    let path = match &options.record {
        Some(path) => path.clone(),
        None => beside_the_program()?,
    };
    // The file is checked first, because the search may take an hour.
    session::can_write(&path)?;
    let (mut text, mut failed) = (record::HEAD.to_owned(), 0);
    for (number, device) in options.devices()? {
        println!("{device}, driver {}", device.driver_version()?);
        let search = Search::new(options, number, &device, &wanted)?;
        let (found, failures) = search.run()?;
        failed += failures;
        println!("{}\n", table(&found));
        let rows = record::of_device(&device, &found)?;
        println!("{}\n{rows}", summary(&found, &search.plan));
        text += &rows;
        // The table is written after each device, because the next one may take long.
        std::fs::write(&path, &text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    println!("the table is {}: {VARIABLE} can name it", std::path::absolute(&path)?.display());
    if failed > 0 {
        return Err(format!("{failed} case(s) failed with the present shape, see above").into());
    }
    Ok(())
}

/// Returns the path of `tuning.tsv` in the folder that contains the folders of cargo's profiles.
fn beside_the_program() -> Result<PathBuf, Failure> {
    let program = std::env::current_exe()?;
    let target = program.parent().and_then(std::path::Path::parent);
    Ok(target.ok_or("the program is not in a target folder: use --record")?.join("tuning.tsv"))
}

/// The search on one device.
struct Search<'o> {
    options: &'o Options,
    number: usize,
    start: Instant,
    is_gpu: bool,
    profile: DeviceProfile,
    /// The seed of the data. Each case has the same data in all processes, so that its result is compared with the host's
    /// only once.
    seed: u64,
    name: String,
    /// The targets, and their candidates.
    plan: Vec<(&'static Target, Vec<Tuning>)>,
    size: Size,
    /// The text of the user's table.
    own: String,
    folder: tempfile::TempDir,
    bar: ProgressBar,
}

impl<'o> Search<'o> {
    fn new(
        options: &'o Options,
        number: usize,
        device: &Device,
        wanted: &[&'static Target],
    ) -> Result<Search<'o>, Failure> {
        // `DeviceProfile::of` reads the user's table. An error in the table therefore ends the search here.
        let profile = DeviceProfile::of(device)?;
        let chunked = profile.chunked;
        let own = match std::env::var_os(VARIABLE).filter(|path| !path.is_empty()) {
            Some(path) => std::fs::read_to_string(path)?,
            None => String::new(),
        };
        let size = match options.sizes.first() {
            Some(&size) => size,
            None => worker::usual_size(device)?,
        };
        let (mut plan, has_fp64) = (Vec::new(), device.has_fp64()?);
        for target in wanted {
            if target.case.ends_with(" f64") && !has_fp64 {
                continue;
            }
            let axes = if chunked { target.chunked } else { target.tiled };
            // With a limit of time, each axis is tried alone.
            let mut candidates = match options.within {
                Some(_) => axes.single_values().concat(),
                None => axes.candidates(),
            };
            if options.quick {
                candidates.truncate(QUICK);
            }
            if !candidates.is_empty() {
                plan.push((*target, candidates));
            }
        }
        // Each target measures the present choice and its candidates.
        let steps: usize = plan.iter().map(|(_, candidates)| 1 + candidates.len()).sum();
        let bar = progress(steps as u64)?;
        let (name, folder) = (device.name()?, tempfile::tempdir()?);
        let is_gpu = device.kind()?.contains(DeviceKind::GPU);
        let (start, seed) = (Instant::now(), answers::fresh_seed());
        Ok(Search { options, number, start, is_gpu, profile, seed, name, plan, size, own, folder, bar })
    }

    /// Returns whether so much time is left.
    fn has_left(&self, time: Duration) -> bool {
        self.options.within.is_none_or(|limit| self.start.elapsed() + time <= Duration::from_secs(limit))
    }

    /// Returns the results of each target, and the number of targets that could not be measured at all. A target for which
    /// no time is left has no result.
    fn run(&self) -> Result<(Vec<Found>, usize), Failure> {
        let (mut all, mut failed) = (Vec::new(), 0);
        for (target, candidates) in &self.plan {
            if !self.has_left(LEAST) {
                break;
            }
            match self.find(target, candidates)? {
                Ok(found) => all.push(found),
                Err(reason) => {
                    failed += 1;
                    self.say(&format!("  {} failed with the present shape: {reason}", target.label()));
                    self.bar.inc(candidates.len() as u64);
                }
            }
        }
        self.bar.finish_and_clear();
        Ok((all, failed))
    }

    fn find(&self, target: &'static Target, candidates: &[Tuning]) -> Result<Result<Found, String>, Failure> {
        let begin = Instant::now();
        let present = match self.measure(target, None, None)? {
            Ok(present) => present,
            Err(reason) => return Ok(Err(reason)),
        };
        // A bad shape may take ten times as long, or never end.
        let mut longest = begin.elapsed();
        let limit = Some(match self.options.within {
            Some(_) => Duration::from_secs(10) + 3 * longest,
            None => Duration::from_secs(60) + 10 * longest,
        });
        let (mut tried, mut rest) = (Vec::new(), candidates.iter().copied());
        // The time of two more is kept for the comparison with the best one.
        while self.has_left(3 * longest) {
            let is_complete = tried.len() >= candidates.len();
            let both = || self.options.within.and_then(|_| best_of_each(&tried, &present));
            let next =
                if is_complete { both().filter(|_| tried.len() == candidates.len()) } else { rest.next() };
            let Some(candidate) = next else { break };
            if is_complete {
                self.bar.inc_length(1);
            }
            let begin = Instant::now();
            let outcome = self.measure(target, Some(candidate), limit)?;
            longest = longest.max(begin.elapsed());
            if let Err(reason) = &outcome {
                self.say(&format!("  {}: {} failed: {reason}", target.label(), words(candidate)));
            }
            tried.push((candidate, outcome));
        }
        let is_complete = tried.len() >= candidates.len();
        let mut winner = best(&tried).filter(|&at| beats(&tried[at].1, &present));
        if let Some(at) = winner {
            // Both are measured again, because a disturbance may have changed one of the first two times.
            self.bar.inc_length(2);
            let again = self.measure(target, None, None)?;
            let outcome = self.measure(target, Some(tried[at].0), limit)?;
            winner = again.is_ok_and(|present| beats(&outcome, &present)).then_some(at);
        }
        let is_row = self.profile.tuning(target.tunable, target.element_bytes) != Tuning::default();
        Ok(Ok(Found { target, present, tried, winner, is_row, is_complete }))
    }

    /// Times a target's case with a candidate, or with the present shape.
    fn measure(
        &self,
        target: &Target,
        candidate: Option<Tuning>,
        limit: Option<Duration>,
    ) -> Result<Outcome, Failure> {
        let size = self.size.min(target.most);
        let is_full = !self.options.quick && self.options.within.is_none();
        let mut command = process::worker(self.number, is_full, &[size])?;
        command.args(["--only", target.case, "--seed", &self.seed.to_string()]);
        command.arg("--answers").arg(self.folder.path().join("answers"));
        if self.is_gpu {
            process::keep_memory(&mut command);
        }
        if let Some(candidate) = candidate {
            let path = self.folder.path().join("candidate.tsv");
            std::fs::write(&path, format!("{}{}", record::row(&self.name, target, candidate), self.own))?;
            command.env(VARIABLE, path);
        }
        let step = format!("{}: {}", target.label(), candidate.map_or("as it is".to_owned(), words));
        if self.bar.is_hidden() {
            println!("  {step}");
        }
        self.bar.set_message(step);
        let mut outcome = Err("this device does not have the case".to_owned());
        let end = process::listen(command, limit, |line| match line {
            WorkerLine::Message(Message::Starting { .. } | Message::Prepared { .. }) => {}
            WorkerLine::Message(Message::Measured(row)) => outcome = Ok(*row),
            WorkerLine::Message(Message::Failed { reason, .. }) => outcome = Err(reason),
            WorkerLine::Output(text) => self.say(&text),
        });
        self.bar.inc(1);
        Ok(end.map_err(|reason| format!("its process {reason}")).and(outcome))
    }

    fn say(&self, line: &str) {
        self.bar.suspend(|| eprintln!("{line}"));
    }
}

/// Returns the best values of all axes together, if the best ones of two axes or more beat the present choice.
fn best_of_each(tried: &[(Tuning, Outcome)], present: &Row) -> Option<Tuning> {
    let winners = |has: fn(&Tuning) -> bool| {
        let on_axis = |(tuning, outcome): &&(Tuning, Outcome)| has(tuning) && beats(outcome, present);
        let times = tried.iter().filter(on_axis);
        let times =
            times.filter_map(|(tuning, outcome)| Some((tuning, outcome.as_ref().ok()?.median_seconds)));
        times.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(tuning, _)| *tuning)
    };
    let best = [
        winners(|tuning| tuning.group.is_some()),
        winners(|tuning| tuning.bytes.is_some()),
        winners(|tuning| tuning.groups.is_some()),
    ];
    let both = best.into_iter().flatten().fold(Tuning::default(), |both, one| Tuning {
        group: both.group.or(one.group),
        bytes: both.bytes.or(one.bytes),
        groups: both.groups.or(one.groups),
    });
    (best.iter().flatten().count() > 1).then_some(both)
}

/// Returns the lines that tell which present shapes are as good as all that were tried, within [`CONFIRMED`].
fn summary(found: &[Found], plan: &[(&Target, Vec<Tuning>)]) -> String {
    let name = |found: &Found| {
        let kind = if found.is_row { "row" } else { "rule" };
        format!("{} ({kind}, {:.3})", found.target.label(), found.gain())
    };
    let list = |is_in: &dyn Fn(&Found) -> bool| {
        let names: Vec<String> = found.iter().filter(|found| is_in(found)).map(name).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    let good = |found: &Found| found.gain() <= 1.0 + CONFIRMED && !found.is_undecided();
    let measured: Vec<String> = found.iter().map(|found| found.target.label()).collect();
    let labels = plan.iter().map(|(target, _)| target.label()).filter(|label| !measured.contains(label));
    let rest = labels.collect::<Vec<_>>().join(", ");
    format!(
        "The present time over the best one is in brackets.\nwithin 3 %: {}\nwithin 3 %, but not all was tried: {}\n\
         beaten by more: {}\nnot decided: {}\nnot measured: {}\n",
        list(&|found| good(found) && found.is_complete),
        list(&|found| good(found) && !found.is_complete),
        list(&|found| found.gain() > 1.0 + CONFIRMED),
        list(&|found| found.gain() <= 1.0 + CONFIRMED && found.is_undecided()),
        if rest.is_empty() { "none" } else { &rest }
    )
}

impl Found {
    /// Returns the present time over the best one, at least 1. A candidate that did not win twice is not better.
    fn gain(&self) -> f64 {
        let best = self.winner.and_then(|at| self.tried[at].1.as_ref().ok());
        best.map_or(1.0, |best| self.present.median_seconds / best.median_seconds).max(1.0)
    }

    /// Returns whether no candidate could be timed, or one was faster by more than 3 % and did not win.
    fn is_undecided(&self) -> bool {
        let fastest = best(&self.tried).and_then(|at| self.tried[at].1.as_ref().ok());
        let is_beaten = |best: &Row| self.present.median_seconds > (1.0 + CONFIRMED) * best.median_seconds;
        fastest.is_none_or(|best| self.winner.is_none() && is_beaten(best))
    }
}

/// Returns the index of the candidate that took the least time.
fn best(tried: &[(Tuning, Outcome)]) -> Option<usize> {
    let times = tried.iter().enumerate();
    let times = times.filter_map(|(at, (_, outcome))| Some((at, outcome.as_ref().ok()?.median_seconds)));
    times.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(at, _)| at)
}

/// Returns the index of the best candidate if it beat the present choice at first, but not when both were
/// timed again.
fn won_once(found: &Found) -> Option<usize> {
    let at = best(&found.tried).filter(|&at| beats(&found.tried[at].1, &found.present));
    at.filter(|_| found.winner.is_none())
}

/// Returns whether a candidate is faster than the present choice by more than either of them varies.
fn beats(candidate: &Outcome, present: &Row) -> bool {
    candidate.as_ref().is_ok_and(|row| {
        let varies = row.deviation_seconds.max(present.deviation_seconds);
        row.median_seconds + varies < present.median_seconds
    })
}

/// Describes the numbers of a candidate.
fn words(tuning: Tuning) -> String {
    let Tuning { group, bytes, groups } = tuning;
    let words = [
        group.map(|group| format!("groups of {group}")),
        bytes.map(|bytes| format!("{bytes} bytes each")),
        groups.map(|groups| format!("{groups} a compute unit")),
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Returns the measurements as a table for readers.
fn table(found: &[Found]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()));
    table.set_header(["what", "candidate", "time", "±", "present / time", ""]);
    for found in found {
        let Found { target, present, tried, winner, .. } = found;
        let once = won_once(found);
        let measured = |what: String, candidate: String, row: &Row, note: &str| {
            let deviation = 100.0 * row.deviation_seconds / row.median_seconds;
            let ratio = present.median_seconds / row.median_seconds;
            let numbers = [time(row.median_seconds), format!("{deviation:.1} %"), format!("{ratio:.3}")];
            let [time, deviation, ratio] = numbers;
            [what, candidate, time, deviation, ratio, note.to_owned()]
        };
        let size = crate::report::size(present.n);
        let what = format!("{}: {}, {size}", target.label(), target.case);
        table.add_row(measured(what, "as it is".to_owned(), present, ""));
        for (at, (tuning, outcome)) in tried.iter().enumerate() {
            let note = match Some(at) {
                at if at == *winner => "chosen",
                at if at == once => "did not win again",
                _ => "",
            };
            table.add_row(match outcome {
                Ok(row) => measured(String::new(), words(*tuning), row, note),
                Err(_) => ["", &words(*tuning), "failed", "", "", ""].map(str::to_owned),
            });
        }
    }
    for column in 2..5 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

#[cfg(test)]
mod tests;
