//! Runs programs in processes of their own, so that a crash or a hang can be assigned to a program. Shortens
//! the programs that fail.

use crate::program::{BLOCK, Program};
use std::fmt;
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The environment variable with the task of a child process.
const TASK: &str = "CL_HOSTILE_TASK";

/// The environment variable with words, separated by commas. Steps whose text contains one of the words are
/// left out, so that a search can go on before a finding is mended.
const WITHOUT: &str = "CL_HOSTILE_WITHOUT";

/// The environment variable with words, separated by commas. Only steps whose text contains one of the words are run, to
/// search one part of the API.
const ONLY: &str = "CL_HOSTILE_ONLY";

/// The number of times that a program runs alone, to see whether it causes the crash by itself.
const TRIES: usize = 3;

/// The time between two looks whether a child has ended.
const POLL: Duration = Duration::from_millis(5);

/// The task of a child process: programs to run, with the steps that `mask` chooses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The seed of the programs.
    pub seed: u64,
    /// The numbers of the programs.
    pub programs: Range<u64>,
    /// The steps to run: bit 0 is the first.
    pub mask: u64,
}

impl Task {
    /// Returns the task of this process, if it is a child.
    #[must_use]
    pub fn of_this_process() -> Option<Task> {
        let text = std::env::var(TASK).ok()?;
        let mut numbers = text.split(' ').map_while(|word| word.parse().ok());
        let mut next = || numbers.next();
        Some(Task { seed: next()?, programs: next()?..next()?, mask: next()? })
    }

    /// Runs the programs, and tells the parent the results. Stops at the first finding.
    pub fn run(&self, mut run: impl FnMut(&Program) -> Result<(), String>) {
        for number in self.programs.clone() {
            println!("\nhostile begin {number}");
            let program = program(self.seed, number).only(self.mask);
            if let Err(finding) = run(&program) {
                println!("\nhostile finding {}", finding.replace('\n', " "));
                return;
            }
        }
        println!("\nhostile done");
    }
}

/// Returns the program of a number, without the steps that the environment leaves out.
fn program(seed: u64, number: u64) -> Program {
    let words = |variable| -> Vec<String> {
        let text = std::env::var(variable).unwrap_or_default();
        text.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let (without, only) = (words(WITHOUT), words(ONLY));
    let has = |step: &str, words: &[String]| words.iter().any(|word| step.contains(word));
    Program::new(seed, number)
        .with_steps(|step| !has(step, &without) && (only.is_empty() || has(step, &only)))
}

/// A search for programs that fail.
#[derive(Clone, Debug)]
pub struct Hunt {
    /// The seed of the programs.
    pub seed: u64,
    /// The numbers of the programs.
    pub programs: Range<u64>,
    /// The number of processes at once.
    pub jobs: usize,
    /// The time after which a program counts as hanging.
    pub patience: Duration,
    /// The number of findings after which the search ends.
    pub most: usize,
}

/// A program that fails.
#[derive(Clone, Debug)]
pub struct Report {
    /// The finding.
    pub finding: String,
    /// The program, without the steps that the finding does not need.
    pub program: Program,
    /// The number of the program.
    pub number: u64,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}", self.finding, self.program)
    }
}

/// The end of a child.
enum Ended {
    Well,
    /// The child failed at this program, with this finding.
    Badly(u64, String),
}

impl Hunt {
    /// Runs the programs in children, each started by `command` for the job of a number. Returns the findings.
    pub fn run(&self, command: impl Fn(usize) -> Command + Sync) -> Vec<Report> {
        let (next, done) = (AtomicU64::new(self.programs.start), AtomicU64::new(0));
        let reports = Mutex::new(Vec::new());
        let all = self.programs.end - self.programs.start;
        let batch = BLOCK.min(all.div_ceil(self.jobs.max(1) as u64)).max(1);
        let work = |job: usize| loop {
            let start = next.fetch_add(batch, Ordering::Relaxed);
            if start >= self.programs.end {
                return;
            }
            let mut left = start..self.programs.end.min(start.saturating_add(batch));
            let count = left.end - start;
            while !left.is_empty() {
                if reports.lock().unwrap_or_else(PoisonError::into_inner).len() >= self.most {
                    return;
                }
                match self.child(&command, job, left.clone(), u64::MAX) {
                    Ended::Well => break,
                    Ended::Badly(number, finding) => {
                        let report = self.shortened(&command, job, left.start..number + 1, finding);
                        println!("{report}\n");
                        reports.lock().unwrap_or_else(PoisonError::into_inner).push(report);
                        left.start = number + 1;
                    }
                }
            }
            let done = done.fetch_add(count, Ordering::Relaxed) + count;
            println!("{done} of {all} programs have run");
        };
        thread::scope(|scope| {
            let work = &work;
            (0..self.jobs.max(1)).for_each(|job| drop(scope.spawn(move || work(job))));
        });
        reports.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reports the last program of `programs`, without the steps that its failure does not need.
    fn shortened(
        &self,
        command: &impl Fn(usize) -> Command,
        job: usize,
        programs: Range<u64>,
        finding: String,
    ) -> Report {
        let number = programs.end - 1;
        let whole = program(self.seed, number);
        // A program with threads, or one that crashes, may not fail each time. It gets several tries.
        let steady = finding.starts_with("a wrong") || finding.contains("error");
        let tries = if steady && !whole.to_string().contains("Threads") { 1 } else { TRIES };
        let again = |mask: u64| {
            (0..tries).find_map(|_| match self.child(command, job, number..number + 1, mask) {
                Ended::Well => None,
                Ended::Badly(_, finding) => Some(finding),
            })
        };
        let hangs = finding.starts_with("a hang");
        let Some(mut finding) = (if hangs { Some(finding.clone()) } else { again(u64::MAX) }) else {
            let text = format!("only after the other programs of {programs:?} in one process: {finding}");
            return Report { finding: text, program: whole, number };
        };
        let mut mask = u64::MAX;
        for step in (0..whole.len().min(64)).rev().filter(|_| !hangs) {
            if let Some(same) = again(mask & !(1 << step)) {
                (finding, mask) = (same, mask & !(1 << step));
            }
        }
        Report { finding, program: whole.only(mask), number }
    }

    fn child(
        &self,
        command: &impl Fn(usize) -> Command,
        job: usize,
        programs: Range<u64>,
        mask: u64,
    ) -> Ended {
        let task = format!("{} {} {} {mask}", self.seed, programs.start, programs.end);
        let started = command(job).env(TASK, task).stdout(Stdio::piped()).spawn();
        let mut number = programs.start;
        match started {
            Err(error) => Ended::Badly(number, format!("no process can be started: {error}")),
            Ok(mut child) => {
                let told = self.listen(&mut child, &mut number);
                if matches!(&told, Some(finding) if finding.starts_with("a hang")) {
                    let _ = child.kill();
                }
                match (told, self.exit(&mut child)) {
                    (Some(finding), _) if !finding.is_empty() => Ended::Badly(number, finding),
                    (_, Err(finding)) => Ended::Badly(number, finding),
                    (Some(_), Ok(_)) => Ended::Well,
                    (None, Ok(status)) => Ended::Badly(number, format!("a crash: {status}")),
                }
            }
        }
    }

    /// Waits until a child has ended. A driver may hang at the exit of a process whose programs have all run:
    /// the child is killed when `patience` is over.
    ///
    /// # Errors
    /// The finding, if the child did not end by itself.
    fn exit(&self, child: &mut Child) -> Result<ExitStatus, String> {
        let start = Instant::now();
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return Ok(status),
                Ok(None) if start.elapsed() < self.patience => thread::sleep(POLL),
                Ok(None) => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(format!(
                        "a hang at exit: the process has not ended after {:?}",
                        self.patience
                    ));
                }
                Err(error) => return Err(format!("the process cannot be waited for: {error}")),
            }
        }
    }

    /// Returns what a child reports: an empty text if all is well, or a finding. Returns `None` if the child
    /// dies.
    fn listen(&self, child: &mut Child, number: &mut u64) -> Option<String> {
        let output = child.stdout.take()?;
        let (sender, receiver) = channel();
        thread::spawn(move || {
            // Reads to the end, because a child that cannot print dies.
            BufReader::new(output).lines().map_while(Result::ok).for_each(|line| drop(sender.send(line)));
        });
        loop {
            match receiver.recv_timeout(self.patience) {
                Ok(line) => match line.strip_prefix("hostile ").map(|told| told.split_once(' ')) {
                    Some(Some(("begin", begun))) => *number = begun.parse().unwrap_or(*number),
                    Some(Some(("finding", finding))) => return Some(finding.to_owned()),
                    Some(None) => return Some(String::new()),
                    _ => {}
                },
                Err(RecvTimeoutError::Timeout) => {
                    return Some(format!("a hang: no end after {:?}", self.patience));
                }
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }
}
