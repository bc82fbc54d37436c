//! Starts the process that measures, reads its messages, and ends it if it takes too long.

use crate::failure::Failure;
use crate::options::Size;
use crate::report::Row;
use serde::{Deserialize, Serialize};
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// A message of the worker to the program that started it, one JSON object per line.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Message {
    Starting {
        case: String,
        index: usize,
        count: usize,
    },
    /// The data are made, and the first result is verified.
    Prepared {
        seconds: f64,
    },
    Measured(Box<Row>),
    Failed {
        case: String,
        reason: String,
    },
}

/// The beginnings of the lines of the statistics library.
const CRITERION: [&str; 2] = ["Benchmarking ", "Warning: Unable to complete"];

/// A line from a worker.
pub(crate) enum WorkerLine {
    Message(Message),
    /// Output of drivers and of `CL_SHOW_KERNELS`.
    Output(String),
}

/// Returns the command that starts the worker for the device of a number.
pub(crate) fn worker(number: usize, full: bool, sizes: &[Size]) -> Result<Command, Failure> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["--worker", &number.to_string()]);
    if full {
        command.arg("--full");
    }
    for size in sizes {
        command.args(["--sizes", &size.to_string()]);
    }
    Ok(command)
}

/// Lets a process that works on a GPU keep the host's memory that it frees, in large pages. Vectors of the next case then
/// cause no page faults, which take longer than filling them. A variable that the user has set stays.
pub(crate) fn keep_memory(command: &mut Command) {
    const VARIABLE: &str = "GLIBC_TUNABLES";
    if std::env::var_os(VARIABLE).is_none() {
        let most = u64::from(u32::MAX) << 8;
        command.env(
            VARIABLE,
            format!("glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold={most}:glibc.malloc.hugetlb=1"),
        );
    }
}

/// Runs a worker and passes its lines to `on_line`. Ends the worker after `limit`.
///
/// # Errors
/// If the worker failed. The text continues a sentence whose subject is the worker, such as "had not ended".
pub(crate) fn listen(
    mut command: Command,
    limit: Option<Duration>,
    mut on_line: impl FnMut(WorkerLine),
) -> Result<(), String> {
    // The statistics library reports on stdout. The worker sends its rows as messages on stderr.
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let mut child = child.map_err(|error| format!("cannot be started: {error}"))?;
    let (sender, receiver) = channel();
    if let Some(messages) = child.stderr.take() {
        // This thread ends with the worker, or when the receiver is dropped.
        std::thread::spawn(move || {
            let lines = BufReader::new(messages).lines();
            lines.map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
    }
    let end = limit.map(|limit| Instant::now() + limit);
    loop {
        let line = match end {
            None => receiver.recv().map_err(RecvTimeoutError::from),
            Some(end) => receiver.recv_timeout(end.saturating_duration_since(Instant::now())),
        };
        match line {
            Ok(line) => match serde_json::from_str(&line) {
                Ok(message) => on_line(WorkerLine::Message(message)),
                // Our output makes the statistics library's progress and advice superfluous.
                Err(_) if CRITERION.iter().any(|begin| line.starts_with(begin)) || line.is_empty() => {}
                Err(_) => on_line(WorkerLine::Output(line)),
            },
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                // If the child cannot be killed, it has already ended.
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("had not ended after {:.0} s", limit.unwrap_or_default().as_secs_f64()));
            }
        }
    }
    match child.wait() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("ended with {status}")),
        Err(error) => Err(format!("cannot be waited for: {error}")),
    }
}

/// Runs a program and passes each line of its output to `on_line` when it comes. If the program fails, returns its
/// status and its messages.
pub(crate) fn lines(mut command: Command, mut on_line: impl FnMut(&str)) -> Result<Option<String>, Failure> {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    // The messages are read by another thread, so that the program never waits for room for them.
    let messages = child.stderr.take().map(|mut messages| {
        std::thread::spawn(move || {
            let mut text = Vec::new();
            // The text that was read until an error is shown.
            let _ = messages.read_to_end(&mut text);
            String::from_utf8_lossy(&text).trim().to_owned()
        })
    });
    if let Some(output) = child.stdout.take() {
        BufReader::new(output).lines().map_while(Result::ok).for_each(|line| on_line(&line));
    }
    let messages = messages.and_then(|thread| thread.join().ok()).unwrap_or_default();
    let status = child.wait()?;
    Ok((!status.success()).then(|| format!("{status}: {messages}")))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn lines_of(script: &str, limit: Option<Duration>) -> (Vec<String>, Result<(), String>) {
        let mut lines = Vec::new();
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let end = listen(command, limit, |line| {
            lines.push(match line {
                WorkerLine::Message(message) => format!("{message:?}"),
                WorkerLine::Output(text) => text,
            });
        });
        (lines, end)
    }

    #[test]
    fn lines_and_ends_are_told() {
        let (lines, end) = lines_of("echo 'Benchmarking x' >&2; echo a line >&2; echo no message", None);
        assert_eq!((lines, end), (vec!["a line".to_owned()], Ok(())));
        let (_, end) = lines_of("exit 3", None);
        assert!(end.unwrap_err().contains('3'));
    }

    #[test]
    fn lines_come_one_by_one_and_failures_with_their_messages() {
        let run = |script: &str| {
            let (mut command, mut all) = (Command::new("sh"), Vec::new());
            command.args(["-c", script]);
            let end = lines(command, |line| all.push(line.to_owned())).unwrap();
            (all, end)
        };
        assert_eq!(run("echo a; echo b >&2; echo c"), (vec!["a".to_owned(), "c".to_owned()], None));
        let (all, end) = run("echo a; echo broken >&2; exit 3");
        assert_eq!(all, ["a"]);
        assert!(end.is_some_and(|end| end.contains('3') && end.ends_with(": broken")));
        // More messages than a pipe has room for.
        assert_eq!(run("head -c 200000 /dev/zero >&2; echo a"), (vec!["a".to_owned()], None));
    }

    #[test]
    fn who_takes_too_long_is_ended() {
        let begin = Instant::now();
        let (lines, end) = lines_of("echo begun >&2; exec sleep 60", Some(Duration::from_millis(500)));
        assert!(begin.elapsed() < Duration::from_secs(30));
        assert_eq!(lines, ["begun"]);
        assert!(end.unwrap_err().contains("had not ended"));
    }
}
