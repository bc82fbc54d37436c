//! The progress of long work: a spinner on a terminal, plain lines otherwise.

use std::io::{BufRead, BufReader, IsTerminal};
use std::time::{Duration, Instant};

use duct::Expression;
use indicatif::{ProgressBar, ProgressStyle};

use crate::error::Result;

/// A long piece of work, from its announcement to its last line.
#[derive(Debug)]
pub(crate) struct Task {
    label: String,
    started: Instant,
    /// `None` if standard error is not a terminal.
    spinner: Option<ProgressBar>,
}

impl Task {
    /// Announces `label` and starts the clock.
    pub(crate) fn start(label: impl Into<String>) -> Self {
        let label = label.into();
        let spinner = std::io::stderr().is_terminal().then(|| spinner(&label));
        if spinner.is_none() {
            eprintln!("{label} ...");
        }
        Self { label, started: Instant::now(), spinner }
    }

    /// Runs `command` to its end and returns whether it succeeded.
    ///
    /// Beside a spinner the output is one changing line, and all of it is printed only if the command
    /// fails. Without a terminal each line is printed as it comes, so that a log shows where a command
    /// hangs.
    ///
    /// # Errors
    ///
    /// If the command cannot be started or its output cannot be read.
    pub(crate) fn run(&self, command: &Expression) -> Result<bool> {
        let handle = command
            .stdin_null()
            .stderr_to_stdout()
            .unchecked()
            .reader()
            .map_err(|e| format!("{}: cannot start {command:?}: {e}", self.label))?;
        let mut output = BufReader::new(&handle);
        let mut kept = String::new();
        let mut line = Vec::new();
        while output.read_until(b'\n', &mut line)? > 0 {
            let text = String::from_utf8_lossy(&line);
            match &self.spinner {
                Some(spinner) => {
                    spinner.set_message(text.trim().to_owned());
                    kept.push_str(&text);
                }
                None => eprint!("{text}"),
            }
            line.clear();
        }
        let succeeded = handle.try_wait()?.is_some_and(|output| output.status.success());
        if let (Some(spinner), false) = (&self.spinner, succeeded) {
            spinner.suspend(|| eprint!("{kept}"));
        }
        Ok(succeeded)
    }

    /// Ends the work with a line that contains the outcome and the time.
    pub(crate) fn finish(self, outcome: &str) {
        let line = format!("{}: {outcome}, {:.1} s", self.label, self.started.elapsed().as_secs_f64());
        self.dismiss();
        eprintln!("{line}");
    }

    /// Ends the work without a line.
    pub(crate) fn dismiss(self) {
        if let Some(spinner) = &self.spinner {
            spinner.finish_and_clear();
        }
    }
}

fn spinner(label: &str) -> ProgressBar {
    let spinner = ProgressBar::new_spinner().with_prefix(label.to_owned());
    if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix} [{elapsed}] {wide_msg}") {
        spinner.set_style(style);
    }
    spinner.enable_steady_tick(Duration::from_millis(120));
    spinner
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_task_tells_success_from_failure_from_absence() {
        let task = Task::start("a planted task");
        assert!(task.run(&duct::cmd!("true")).expect("true runs"));
        assert!(!task.run(&duct::cmd!("false")).expect("false runs"));
        assert!(task.run(&duct::cmd!("no-such-program-here")).is_err());
        task.finish("ok");
    }
}
