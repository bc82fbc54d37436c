//! A session: measures the devices in turn, and writes the files of their rows.

use crate::options::{Options, Share, Size};
use crate::process::{self, Message, WorkerLine};
use crate::report::{self, Row};
use crate::selection::Selection;
use crate::worker;
use crate::{answers, failure::Failure, matrices, peers, peers::Setting, progress::progress};
use cl_core::{Device, DeviceKind};
use std::fs::OpenOptions;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The rows so far.
struct Session<'o> {
    options: &'o Options,
    selection: Selection,
    start: Instant,
    /// The seed of all data.
    seed: u64,
    /// The older rows that are compared with these.
    old: Option<Vec<Row>>,
    /// One row for each case.
    rows: Vec<Row>,
    /// One row for each case and process, which are joined in `rows`.
    rows_of_processes: Vec<Row>,
    /// The number of devices and cases that failed.
    failed: usize,
}

/// Measures the selected cases, or reads earlier measurements.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    // Files that cannot be read or written are reported before anything is measured.
    for path in options.json.iter().chain(&options.html) {
        can_write(path)?;
    }
    let old =
        options.compare.as_ref().or(options.again.as_ref()).map(|path| report::read(path)).transpose()?;
    peers::check(&options.peers)?;
    let selection = Selection::of(options, old.as_deref())?;
    let mut session = Session {
        options,
        selection,
        start: Instant::now(),
        seed: answers::fresh_seed(),
        old,
        rows: Vec::new(),
        rows_of_processes: Vec::new(),
        failed: 0,
    };
    if options.from.is_empty() {
        for (number, device) in options.devices()? {
            session.device(number, &device)?;
        }
    } else {
        for path in &options.from {
            session.rows_of_processes.extend(report::read(path)?);
        }
        session.show(0);
    }
    save(options, &session.rows)?;
    if let Some(path) = &options.html {
        let page = report::page(&session.rows)?;
        std::fs::write(path, page).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    if session.failed > 0 {
        return Err(format!("{} device(s) or case(s) failed, see above", session.failed).into());
    }
    Ok(())
}

/// Returns an error unless the file can be written. An existing file is not changed.
pub(crate) fn can_write(path: &Path) -> Result<(), Failure> {
    let is_new = !path.exists();
    let file = OpenOptions::new().append(true).create(true).open(path);
    file.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    // The file is removed, so that a session that ends before its first row leaves no empty report.
    if is_new { Ok(std::fs::remove_file(path)?) } else { Ok(()) }
}

fn seconds(time: Duration) -> f64 {
    time.as_secs_f64()
}

/// The part of an older time by which a row must differ to be shown by `--again`.
const BEYOND: f64 = 0.03;

/// The greatest number of processes that verify results side by side, and the vectors for which each needs memory.
const MOST_JOBS: u64 = 4;
const VECTORS_OF_A_JOB: u64 = 16;

/// Returns the usual number of processes that verify results before anything is measured.
fn usual_jobs(device: &Device, is_gpu: bool, options: &Options, sizes: &[Size]) -> Result<usize, Failure> {
    if !is_gpu || (options.processes() == 1 && options.again.is_none()) {
        return Ok(0);
    }
    let bytes = sizes.iter().max().map_or(0, |size| 4 * size.0 as u64).max(1);
    let fitting = device.global_memory()? / bytes / VECTORS_OF_A_JOB;
    Ok(fitting.clamp(1, MOST_JOBS) as usize)
}

/// Runs a process that verifies a share of the cases. A case that fails is reported when it would be measured.
fn verify(command: Command, share: Share, start: Instant) {
    let mut count = 0;
    let end = process::listen(command, None, |line| match line {
        WorkerLine::Message(Message::Prepared { .. }) => count += 1,
        WorkerLine::Message(Message::Failed { case, reason }) => {
            eprintln!("  {case} is not verified: {reason}");
        }
        WorkerLine::Message(_) => {}
        WorkerLine::Output(text) => eprintln!("{text}"),
    });
    let seconds = seconds(start.elapsed());
    match end {
        Ok(()) => println!("{seconds:6.1} s  process {share} has verified {count} cases"),
        Err(reason) => eprintln!("  the process {share}, which verifies, {reason}"),
    }
}

/// Returns the width of the terminal, if the output goes to one.
fn terminal_width() -> Option<usize> {
    console::Term::stdout().size_checked().map(|(_, columns)| columns.into())
}

impl Session<'_> {
    /// Measures a device and prints its rows.
    fn device(&mut self, number: usize, device: &Device) -> Result<(), Failure> {
        println!("{device}, driver {}", device.driver_version()?);
        let (first, processes) = (self.rows.len(), self.options.processes());
        let (name, is_gpu) = (device.to_string(), device.kind()?.contains(DeviceKind::GPU));
        let sizes = match &self.selection.sizes[..] {
            [] => worker::sizes(device, self.options)?,
            sizes => sizes.to_vec(),
        };
        let temporary = tempfile::tempdir()?;
        let folder = self.options.peers_in.as_deref().unwrap_or(temporary.path());
        let chosen = self.selection.cases.clone();
        let [answers, matrices] = ["answers", "matrices"].map(|name| temporary.path().join(name));
        std::fs::create_dir(&matrices)?;
        let setting =
            Setting { number, device: &name, is_gpu, sizes: &sizes, answers: &answers, matrices: &matrices };
        let programs: Vec<_> = peers::programs(&name, is_gpu, self.options, &chosen).collect();
        let jobs = self.options.verify_jobs.unwrap_or(usual_jobs(device, is_gpu, self.options, &sizes)?);
        let verified = (jobs > 0).then_some((&*chosen, setting));
        let mut programs = std::thread::scope(|scope| {
            for job in 0..jobs {
                let share = Share { number: job, count: jobs };
                let (worker, start) = (self.worker(setting, Some(share))?, self.start);
                scope.spawn(move || verify(worker, share, start));
            }
            peers::built(programs, folder, verified)
        })?;
        if jobs > 0 {
            println!("{}what could be verified is verified", self.elapsed());
        }
        let (mut done, mut last) = (0, Duration::ZERO);
        for process in 1..=processes {
            let begin = self.start.elapsed();
            let fits = |limit| begin + last <= Duration::from_secs(limit);
            if process > 1 && !self.options.within.is_none_or(fits) {
                break;
            }
            let from = self.rows_of_processes.len();
            let prepared = self.measure(setting, process)?;
            let mut spent = vec![format!(
                "ours {:.1} s, of it {prepared:.1} s before timing",
                seconds(self.start.elapsed() - begin)
            )];
            if !self.options.peers.is_empty() {
                println!("{}other libraries, process {process} of {processes}", self.elapsed());
                let mut notes = peers::left_out(&self.options.peers, &name, is_gpu);
                for program in &mut programs {
                    let begin = self.start.elapsed();
                    notes.extend(self.other(program, from, setting));
                    spent.push(format!(
                        "{} {:.1} s",
                        program.program.title(),
                        seconds(self.start.elapsed() - begin)
                    ));
                }
                // The notes are the same for each process.
                notes.iter().filter(|_| process == 1).for_each(|note| println!("  {note}"));
            }
            (done, last) = (process, self.start.elapsed() - begin);
            println!(
                "{}process {process} of {processes}, {:.1} s: {}",
                self.elapsed(),
                seconds(last),
                spent.join(", ")
            );
        }
        if done < processes {
            println!(
                "{}{done} of {processes} processes fit into the time, each with all libraries",
                self.elapsed()
            );
        }
        // Each row was printed when the first process measured it. The table adds the other processes, the
        // other libraries and the comparison.
        if processes > 1 || !self.options.peers.is_empty() || self.old.is_some() || self.options.main {
            self.show(first);
        }
        Ok(())
    }

    /// Returns the time since the start, as the beginning of a line.
    fn elapsed(&self) -> String {
        format!("{:6.1} s  ", self.start.elapsed().as_secs_f64())
    }

    /// Adds the times of a library's program to the rows from `from` on. Saves and prints each time.
    fn other(&mut self, program: &mut peers::Built, from: usize, setting: Setting<'_>) -> Vec<String> {
        let (before, start, options) = (self.rows_of_processes[..from].to_vec(), self.start, self.options);
        let (mut complaint, title) = (None, program.program.library);
        let notes = program.add(&mut self.rows_of_processes[from..], options, setting, |rows, time| {
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "{seconds:6.1} s  {title}: {} {}, {}",
                time.case,
                time.element,
                report::time(time.device_seconds)
            );
            if let Err(error) = save(options, &report::joined(&[&before, rows].concat())) {
                complaint.get_or_insert(error);
            }
        });
        if let Some(error) = complaint {
            eprintln!("  {error}");
        }
        notes
    }

    /// Returns the command of a process that measures, or that verifies a share of the cases.
    fn worker(&self, setting: Setting<'_>, share: Option<Share>) -> Result<Command, Failure> {
        let mut command = process::worker(setting.number, self.options.full, setting.sizes)?;
        for case in &self.selection.cases {
            command.args(["--only", &case.label()]);
        }
        if self.options.host_clock {
            command.arg("--host-clock");
        }
        if !self.options.peers.is_empty() {
            command.arg(format!("--peers={}", self.options.peers.join(",")));
        }
        if let Some(share) = share {
            command.args(["--share", &share.to_string()]);
        }
        if self.options.again.is_some() || share.is_some() || self.options.processes() > 1 {
            command.args(["--seed", &self.seed.to_string()]).arg("--answers").arg(setting.answers);
        }
        command.env(matrices::FOLDER, setting.matrices);
        if setting.is_gpu {
            process::keep_memory(&mut command);
        }
        Ok(command)
    }

    /// Runs the worker for one device and collects its rows. The first process prints them as lines of a table. Returns
    /// the seconds that passed before cases were timed.
    fn measure(&mut self, setting: Setting<'_>, process: u8) -> Result<f64, Failure> {
        let command = self.worker(setting, None)?;
        let bar = progress(1)?;
        if process == 1 {
            println!("{}{}", self.elapsed(), report::heading());
        }
        // The seconds that the present case took until it was timed.
        let (mut prepared, mut sum) = (0.0, 0.0);
        let end = process::listen(command, None, |line| match line {
            WorkerLine::Message(Message::Starting { case, index, count }) => {
                bar.set_length(count as u64);
                bar.set_position(index as u64);
                bar.set_message(case);
            }
            WorkerLine::Message(Message::Prepared { seconds }) => {
                prepared = seconds;
                sum += seconds;
            }
            WorkerLine::Message(Message::Measured(row)) => {
                let line = match process {
                    1 => report::line(&row),
                    _ => {
                        let (label, time) = (row.label(), report::time(row.median_seconds));
                        format!("process {process}: {label}, {time}, prepared in {prepared:.2} s")
                    }
                };
                bar.suspend(|| println!("{}{line}", self.elapsed()));
                self.rows_of_processes.push(*row);
                // Rows are saved at once, so that an interrupted session keeps them.
                if let Err(error) = self.save() {
                    bar.suspend(|| eprintln!("  {error}"));
                }
            }
            WorkerLine::Message(Message::Failed { case, reason }) => {
                self.failed += 1;
                bar.suspend(|| eprintln!("  {case} failed: {reason}"));
            }
            WorkerLine::Output(text) => bar.suspend(|| eprintln!("{text}")),
        });
        bar.finish_and_clear();
        if let Err(reason) = end {
            self.failed += 1;
            eprintln!("  the measuring process of this device {reason}");
        }
        Ok(sum)
    }

    /// Prints the rows from `first` on, compared with the older report if there is one.
    fn show(&mut self, first: usize) {
        self.join();
        let rows = &mut self.rows[first..];
        let changes = self.old.as_ref().map(|old| report::compare(rows, old));
        if self.options.again.is_some() {
            let (rows, line) = report::beyond(rows, BEYOND);
            println!("{}\n{line}\n", report::table(&rows, terminal_width()));
            return;
        }
        if self.options.main {
            println!("{}\n", report::by_size(rows));
        }
        println!("{}\n", report::table(rows, terminal_width()));
        if let Some(changes) = changes {
            println!("{changes}\n");
        }
    }

    /// Joins the rows of all processes.
    fn join(&mut self) {
        self.rows = report::joined(&self.rows_of_processes);
    }

    /// Joins the rows of all processes, and writes the file of rows if one was asked for.
    fn save(&mut self) -> Result<(), Failure> {
        self.join();
        save(self.options, &self.rows)
    }
}

/// Writes the file of rows if one was asked for.
fn save(options: &Options, rows: &[Row]) -> Result<(), Failure> {
    options.json.as_ref().map_or(Ok(()), |path| report::write(path, rows))
}
