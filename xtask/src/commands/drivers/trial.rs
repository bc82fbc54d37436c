//! One test on one implementation, in a process of its own.

use std::fmt;
use std::time::{Duration, Instant};

use super::implementation::Prepared;
use crate::error::Result;
use crate::programs::{Program, Test};

/// The outcome of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Passed,
    Failed,
    /// The simulator reported a wrong access to memory.
    Reported,
    OverTime,
    /// The test is ignored, or is known to fail on the device.
    Skipped,
}

impl Outcome {
    /// Returns whether the outcome needs attention.
    pub(super) fn is_wrong(self) -> bool {
        !matches!(self, Outcome::Passed | Outcome::Skipped)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::Passed => "passed",
            Outcome::Failed => "failed",
            Outcome::Reported => "reported",
            Outcome::OverTime => "over time",
            Outcome::Skipped => "skipped",
        })
    }
}

/// A test that was run.
#[derive(Debug)]
pub(super) struct Trial {
    pub(super) test: Test,
    pub(super) outcome: Outcome,
    /// The output of the test.
    pub(super) output: String,
    pub(super) took: Duration,
}

/// The beginnings of the lines in which Oclgrind reports an error.
const REPORTS: &[&str] = &[
    "Invalid read",
    "Invalid write",
    "Read-write data race",
    "Write-read data race",
    "Write-write data race",
    "Work-group divergence",
    "OCLGRIND FATAL",
];

impl Trial {
    /// Runs the test until it ends or has taken `limit`.
    ///
    /// # Errors
    ///
    /// If the test cannot be started.
    pub(super) fn run(prepared: &Prepared, test: &Test, limit: Duration) -> Result<Trial> {
        let started = Instant::now();
        let (ended, output) = run(prepared, test, &[], limit)?;
        let took = started.elapsed();
        let is_excused = |line: &str| {
            prepared
                .implementation
                .excused
                .iter()
                .any(|(part, report, _)| test.to_string().contains(part) && line.contains(report))
        };
        let reported = prepared.implementation.reports && reports(&output).any(|line| !is_excused(line));
        Ok(Trial { test: test.clone(), outcome: outcome(ended, reported, &output), output, took })
    }
}

fn outcome(ended: Option<bool>, reported: bool, output: &str) -> Outcome {
    match ended {
        _ if reported => Outcome::Reported,
        None => Outcome::OverTime,
        Some(false) => Outcome::Failed,
        Some(true) if output.contains("0 passed; 0 failed; 1 ignored") => Outcome::Skipped,
        Some(true) if said(output).any(|line| line.starts_with("skipped: ")) => Outcome::Skipped,
        Some(true) if output.contains("1 passed; 0 failed") => Outcome::Passed,
        // The program has no test of this name.
        Some(true) => Outcome::Failed,
    }
}

/// Returns the lines that a test printed. The first line follows the test's name, which is left out.
fn said(output: &str) -> impl Iterator<Item = &str> {
    output.lines().map(|line| match line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... ")) {
        Some((_, said)) => said,
        None => line,
    })
}

/// Returns the lines that report errors.
fn reports(output: &str) -> impl Iterator<Item = &str> {
    said(output).filter(|line| REPORTS.iter().any(|report| line.starts_with(report)))
}

/// Runs one test. Returns whether the process succeeded (`None` if it did not end in time), and its output.
fn run(prepared: &Prepared, test: &Test, more: &[&str], limit: Duration) -> Result<(Option<bool>, String)> {
    let mut args = vec!["--exact", test.name.as_str(), "--test-threads=1"];
    args.extend_from_slice(more);
    let command = test.program.command(args);
    let output = prepared.folder.join("output").join(test.file_name());
    if let Some(folder) = output.parent() {
        std::fs::create_dir_all(folder).map_err(|e| format!("cannot create {}: {e}", folder.display()))?;
    }
    // The output goes to a file, because a child of the test could keep a pipe open.
    let command = prepared.choose(&command).stdin_null().stderr_to_stdout().stdout_path(&output).unchecked();
    let handle = command.start().map_err(|e| format!("cannot start {}: {e}", test.program.name))?;
    let ended = handle.wait_timeout(limit)?.map(|output| output.status.success());
    if ended.is_none() {
        handle.kill()?;
    }
    let said = std::fs::read(&output).map_err(|e| format!("cannot read {}: {e}", output.display()))?;
    let _ = std::fs::remove_file(&output);
    Ok((ended, String::from_utf8_lossy(&said).into_owned()))
}

/// The tests with planted errors, and one without: the name, and `true` if the test contains an error.
const PLANTED: [(&str, bool); 3] = [
    ("oclgrind_canary::clean", false),
    ("oclgrind_canary::out_of_bounds", true),
    ("oclgrind_canary::race", true),
];

/// Checks that an implementation that reports errors reports the planted ones. Otherwise its silence would
/// prove nothing.
///
/// # Errors
///
/// If a planted error is not reported, or the correct program is reported.
pub(super) fn check_planted_errors(prepared: &Prepared, programs: &[Program]) -> Result {
    if !prepared.implementation.reports {
        return Ok(());
    }
    // The program is missing if the user chose other programs.
    let Some(program) = programs.iter().find(|program| program.name == "cl-core/suite") else {
        return Ok(());
    };
    for (name, wrong) in PLANTED {
        let test = Test { program: program.clone(), name: name.to_owned() };
        let (ended, output) = run(prepared, &test, &["--ignored"], Duration::from_secs(120))?;
        if ended != Some(true) || reports(&output).next().is_some() != wrong {
            return Err(format!(
                "{}: the test {name} must {}be reported; it printed:\n{output}",
                prepared.implementation.name,
                if wrong { "" } else { "not " },
            )
            .into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_read_from_the_runners_own_line() {
        let result = |passed, failed, ignored| {
            format!("test result: ok. {passed} passed; {failed} failed; {ignored} ignored; 0 measured")
        };
        assert_eq!(outcome(Some(true), false, &result(1, 0, 0)), Outcome::Passed);
        assert_eq!(outcome(Some(true), false, &result(0, 0, 1)), Outcome::Skipped);
        assert_eq!(outcome(Some(true), false, &result(0, 0, 0)), Outcome::Failed, "nothing ran");
        assert_eq!(outcome(Some(false), false, &result(0, 1, 0)), Outcome::Failed);
        assert_eq!(outcome(None, false, ""), Outcome::OverTime);
        let known = format!("skipped: a on b: c\n{}", result(1, 0, 0));
        assert_eq!(outcome(Some(true), false, &known), Outcome::Skipped);
        let behind_its_name = format!("test a ... {known}");
        assert_eq!(outcome(Some(true), false, &behind_its_name), Outcome::Skipped);
        assert_eq!(outcome(Some(true), true, &result(1, 0, 0)), Outcome::Reported);
    }

    #[test]
    fn reports_are_lines_that_begin_with_one() {
        let output = "fine\nInvalid write of size 4 at global memory\n  Write-write data race\nRead-write data race at";
        assert_eq!(reports(output).count(), 2);
        assert_eq!(reports("test a::b ... Invalid read of size 4\nok").count(), 1);
    }
}
