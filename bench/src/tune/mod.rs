//! The search for the best shapes of kernels. The candidates of each tunable shape are timed and compared with
//! the present choice, each in its own process, after their results were verified.

mod record;
mod targets;

use crate::options::{Options, Size};
use crate::process::Message;
use crate::process::{self, WorkerLine};
use crate::report::{Row, time};
use crate::worker;
use crate::{failure::Failure, progress::progress, session};
use cl_algo::{DeviceProfile, Tuning};
use cl_core::Device;
use comfy_table::{CellAlignment, LineStyle, Table, presets};
use indicatif::ProgressBar;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use targets::{ALL, Target};

/// The environment variable that names the user's tuning table. When a candidate is measured, the rows of
/// this table follow the candidate's row, so that the candidate takes precedence.
const VARIABLE: &str = "CL_TUNING";

/// The number of candidates of a target in a quick search.
const QUICK: usize = 2;

/// The measured row, or the reason why it failed.
type Outcome = Result<Row, String>;

/// The results for a target.
struct Found {
    target: &'static Target,
    present: Row,
    tried: Vec<(Tuning, Outcome)>,
    /// The index of the candidate that beats the present choice.
    winner: Option<usize>,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    if options.sizes.len() > 1 {
        return Err("--tune takes one of --sizes".into());
    }
    let wanted: Vec<&Target> = ALL.iter().filter(|target| options.is_wanted(&target.label())).collect();
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
        let (found, failures) = Search::new(options, number, &device, &wanted)?.run()?;
        failed += failures;
        println!("{}\n", table(&found));
        text += &record::of_device(&device, &found)?;
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
        let chunked = DeviceProfile::of(device)?.chunked;
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
            let mut candidates = if chunked { target.chunked } else { target.tiled }.candidates();
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
        Ok(Search { options, number, name, plan, size, own, folder, bar })
    }

    /// Returns the results of each target, and the number of targets that could not be measured at all.
    fn run(&self) -> Result<(Vec<Found>, usize), Failure> {
        let (mut all, mut failed) = (Vec::new(), 0);
        for (target, candidates) in &self.plan {
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
        let limit = Some(Duration::from_secs(60) + 10 * begin.elapsed());
        let mut tried = Vec::new();
        for &candidate in candidates {
            let outcome = self.measure(target, Some(candidate), limit)?;
            if let Err(reason) = &outcome {
                self.say(&format!("  {}: {} failed: {reason}", target.label(), words(candidate)));
            }
            tried.push((candidate, outcome));
        }
        let mut winner = best(&tried).filter(|&at| beats(&tried[at].1, &present));
        if let Some(at) = winner {
            // Both are measured again, because a disturbance may have changed one of the first two times.
            self.bar.inc_length(2);
            let again = self.measure(target, None, None)?;
            let outcome = self.measure(target, Some(tried[at].0), limit)?;
            winner = again.is_ok_and(|present| beats(&outcome, &present)).then_some(at);
        }
        Ok(Ok(Found { target, present, tried, winner }))
    }

    /// Times a target's case with a candidate, or with the present shape.
    fn measure(
        &self,
        target: &Target,
        candidate: Option<Tuning>,
        limit: Option<Duration>,
    ) -> Result<Outcome, Failure> {
        let size = self.size.min(target.most);
        let mut command = process::worker(self.number, !self.options.quick, &[size])?;
        command.args(["--only", target.case]);
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
        let Found { target, present, tried, winner } = found;
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
