//! `drivers`: runs the tests on every OpenCL implementation of this machine and prints one table.
//!
//! Each test runs in its own process. When a driver crashes, hangs or runs out of a resource, the results of
//! the other tests are kept, and it is known which test caused the failure.

mod cpu;
mod implementation;
mod trial;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

use comfy_table::{LineStyle, Table, presets};
use implementation::{ALL, Implementation, Prepared};
use trial::{Outcome, Trial};

use crate::error::Result;
use crate::programs::{self, Program, Test};
use crate::workspace;

const HEADER: [&str; 9] = [
    "implementation",
    "devices",
    "passed",
    "failed",
    "reports",
    "over time",
    "skipped",
    "minutes",
    "CPU minutes",
];

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The implementations to test: pocl, small, intel, rusticl, oclgrind; by default all that are present
    names: Vec<String>,
    /// Run the K-th of N parts of the tests
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    part: Part,
    /// Stop a test after this many seconds; if given several times, the last one counts
    #[arg(long, value_name = "SECONDS", default_value_t = 300, overrides_with = "limit")]
    limit: u64,
    /// The number of tests that run at once
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Also search this folder for drivers' libraries; may be repeated
    #[arg(long, value_name = "DIR")]
    search: Vec<PathBuf>,
    /// Run only the tests whose `program::name` contains this text
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    /// The cargo profile of the tests: `dev` builds sooner; the kernels take the same time
    #[arg(long, value_name = "NAME", default_value = "release")]
    profile: String,
    /// Pass these arguments to `cargo test` to choose what to build: `-- -p cl-algo --test suite`
    #[arg(last = true)]
    cargo: Vec<String>,
}

/// One of several equal parts of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    index: usize,
    count: usize,
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Part, String> {
        let numbers = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((index, count)) if (1..=count).contains(&index) => Ok(Part { index, count }),
            _ => Err(format!("{text:?} is not a part such as 2/4")),
        }
    }
}

impl Part {
    /// Returns every `count`-th item, because neighbours take similar times and should fall into different
    /// parts.
    fn of<T: Clone>(self, all: &[T]) -> Vec<T> {
        all.iter().skip(self.index - 1).step_by(self.count).cloned().collect()
    }
}

/// The results of the tests on one implementation.
#[derive(Debug)]
struct Row {
    prepared: Prepared,
    trials: Vec<Trial>,
    took: Duration,
    /// The processor time of the tests that have ended; `None` if `/proc` does not tell it.
    cpu: Option<Duration>,
}

/// Prints each test that does not pass as soon as it ends, and then the table.
///
/// # Errors
///
/// If a named implementation, or any at all, is not present, the tests do not compile, a planted error is not
/// reported, or the filter and the part choose no test. Failed tests only change the exit code.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let prepared = prepared(args)?;
    let programs = programs::build(chosen(args))?;
    // A simulator that misses planted errors ends the command here, and not after hours on other
    // implementations.
    prepared.iter().try_for_each(|prepared| trial::check_planted_errors(prepared, &programs))?;
    let mut rows = Vec::new();
    for prepared in prepared {
        let (started, before) = (Instant::now(), cpu::of_children());
        eprintln!("{}: {}", prepared.implementation.name, prepared.devices);
        let tests: Vec<Test> = tests(&programs, prepared.implementation)?
            .into_iter()
            .filter(|test| test.to_string().contains(&args.filter))
            .collect();
        let tests = args.part.of(&tests);
        if tests.is_empty() {
            let name = prepared.implementation.name;
            return Err(format!("{name}: no test is chosen; see --filter and --part").into());
        }
        let trials = side_by_side(&prepared, &tests, args)?;
        write_times(&prepared.folder, &trials)?;
        let cpu = cpu::of_children().zip(before).map(|(after, before)| after.saturating_sub(before));
        rows.push(Row { prepared, trials, took: started.elapsed(), cpu });
    }
    println!("{}", table(&rows));
    let wrong = rows.iter().flat_map(|row| &row.trials).any(|trial| trial.outcome.is_wrong());
    Ok(if wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The packages whose tests depend on the device.
const PACKAGES: &[&str] = &[
    "cl-core",
    "cl-algo",
    "cl-random",
    "cl-fft",
    "cl-sparse",
    "cl-array",
    "cl-linalg",
    "cl-grid",
    "cl-collections",
    "cl-hostile",
];

/// Returns the arguments that tell cargo what to build.
fn chosen(args: &Args) -> Vec<String> {
    let mut chosen = vec!["--profile".to_owned(), args.profile.clone()];
    if args.cargo.is_empty() {
        chosen.extend(["--lib", "--tests"].map(str::to_owned));
        chosen.extend(PACKAGES.iter().flat_map(|package| ["-p".to_owned(), (*package).to_owned()]));
    }
    chosen.extend_from_slice(&args.cargo);
    chosen
}

/// Returns the tests of all programs, except those that the implementation leaves out.
fn tests(programs: &[Program], implementation: &Implementation) -> Result<Vec<Test>> {
    let mut tests = Vec::new();
    for program in programs {
        let all = program.tests()?.into_iter().map(|name| Test { program: program.clone(), name });
        let left_out =
            |test: &Test| implementation.left_out.iter().any(|(part, _)| test.to_string().contains(part));
        tests.extend(all.filter(|test| !left_out(test)));
    }
    Ok(tests)
}

/// Prepares the named implementations, or else all that are present.
fn prepared(args: &Args) -> Result<Vec<Prepared>> {
    let folder = workspace::target_dir().join("drivers");
    if let Some(unknown) = args.names.iter().find(|name| ALL.iter().all(|one| one.name != **name)) {
        let known: Vec<&str> = ALL.iter().map(|one| one.name).collect();
        return Err(format!("{unknown} is not one of {}", known.join(", ")).into());
    }
    let wanted =
        |one: &&Implementation| args.names.is_empty() || args.names.iter().any(|name| name == one.name);
    let tried = ALL.iter().filter(wanted).map(|one| one.prepare(&args.search, &folder.join(one.name)));
    if args.names.is_empty() { present(tried) } else { tried.collect() }
}

/// Returns the implementations that are present, and prints why the others are left out.
///
/// # Errors
///
/// If no implementation is present: success would then mean that no test ran.
fn present(tried: impl Iterator<Item = Result<Prepared>>) -> Result<Vec<Prepared>> {
    let present: Vec<Prepared> =
        tried.filter_map(|one| one.inspect_err(|error| eprintln!("left out: {error}")).ok()).collect();
    if present.is_empty() {
        return Err(
            "no OpenCL implementation is found, so no test ran: install one of those above, or name \
                    the folder of its library by --search DIR"
                .into(),
        );
    }
    Ok(present)
}

/// Runs the tests, `args.jobs` at once.
fn side_by_side(prepared: &Prepared, tests: &[Test], args: &Args) -> Result<Vec<Trial>> {
    let (next, trials) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || -> std::result::Result<(), String> {
        while let Some(test) = tests.get(next.fetch_add(1, Ordering::Relaxed)) {
            let trial =
                Trial::run(prepared, test, Duration::from_secs(args.limit)).map_err(|e| e.to_string())?;
            if trial.outcome.is_wrong() {
                let kept = keep(&prepared.folder, &trial).map_err(|e| e.to_string())?;
                println!(
                    "{}: {} {}: {}",
                    prepared.implementation.name,
                    trial.outcome,
                    trial.test,
                    kept.display()
                );
            }
            trials.lock().map_err(|_| "another thread failed")?.push(trial);
        }
        Ok(())
    };
    thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = (0..args.jobs.max(1)).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().map_err(|_| "a thread panicked".to_owned())?)
    })?;
    Ok(trials.into_inner().map_err(|_| "a thread panicked")?)
}

/// Writes the output of a test to a file.
fn keep(folder: &Path, trial: &Trial) -> Result<PathBuf> {
    let file = folder.join(format!("{}.txt", trial.test.file_name()));
    fs::write(&file, &trial.output).map_err(|e| format!("cannot write {}: {e}", file.display()))?;
    Ok(file)
}

/// Writes one line for each test to `tests.tsv`, the longest test first: seconds, outcome, test.
fn write_times(folder: &Path, trials: &[Trial]) -> Result {
    let mut trials: Vec<&Trial> = trials.iter().collect();
    trials.sort_by_key(|trial| std::cmp::Reverse(trial.took));
    let line =
        |trial: &&Trial| format!("{:.1}\t{}\t{}\n", trial.took.as_secs_f64(), trial.outcome, trial.test);
    let text: String = trials.iter().map(line).collect();
    let file = folder.join("tests.tsv");
    fs::write(&file, text).map_err(|e| format!("cannot write {}: {e}", file.display()).into())
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none())).set_header(HEADER);
    let minutes = |time: Duration| format!("{:.0}", time.as_secs_f64() / 60.0);
    for Row { prepared, trials, took, cpu } in rows {
        let count = |outcome| trials.iter().filter(|trial| trial.outcome == outcome).count().to_string();
        table.add_row([
            prepared.implementation.name.to_owned(),
            prepared.devices.clone(),
            count(Outcome::Passed),
            count(Outcome::Failed),
            count(Outcome::Reported),
            count(Outcome::OverTime),
            count(Outcome::Skipped),
            minutes(*took),
            cpu.map_or_else(|| "-".to_owned(), minutes),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_test_printed_is_kept_in_one_folder() {
        let program = Program {
            name: "cl-core/suite".to_owned(),
            executable: PathBuf::new(),
            folder: PathBuf::new(),
            is_suite: true,
        };
        let test = Test { program, name: "rules::first".to_owned() };
        let output = "no luck".to_owned();
        let trial = Trial { test, outcome: Outcome::Failed, output, took: Duration::ZERO };
        let folder = tempfile::tempdir().expect("a folder");
        let kept = keep(folder.path(), &trial).expect("a file");
        assert_eq!(kept, folder.path().join("cl-core.suite..rules..first.txt"));
        assert_eq!(fs::read_to_string(kept).expect("its text"), "no luck");
    }

    #[test]
    fn no_implementation_is_an_error_and_one_is_enough() {
        let absent = || Err::<Prepared, _>("absent: its library is not found".into());
        let error = present([absent(), absent()].into_iter()).expect_err("no test could run");
        assert!(error.to_string().contains("no OpenCL implementation is found"), "{error}");
        let one = Prepared { implementation: &ALL[0], devices: "one".to_owned(), folder: PathBuf::new() };
        let found = present([absent(), Ok(one)].into_iter()).expect("one is present");
        assert_eq!(found.len(), 1);
    }

    #[test]
    fn parts_are_disjoint_and_make_up_the_whole() {
        let all: Vec<usize> = (0..11).collect();
        let mut together: Vec<usize> = (1..=4).flat_map(|index| Part { index, count: 4 }.of(&all)).collect();
        assert_eq!(together.len(), 11);
        together.sort_unstable();
        assert_eq!(together, all);
    }

    #[test]
    fn the_last_limit_counts() {
        #[derive(clap::Parser)]
        struct Command {
            #[command(flatten)]
            args: Args,
        }
        // `.ci/weekly` sets a limit and appends its caller's arguments, which may set another.
        let command = <Command as clap::Parser>::parse_from(["drivers", "--limit", "1200", "--limit", "7"]);
        assert_eq!(command.args.limit, 7);
    }

    #[test]
    fn a_part_is_one_of_those_there_are() {
        assert_eq!("2/4".parse(), Ok(Part { index: 2, count: 4 }));
        for wrong in ["0/4", "5/4", "4", "a/b", "1/0", "-1/2"] {
            assert!(wrong.parse::<Part>().is_err(), "{wrong}");
        }
    }
}
