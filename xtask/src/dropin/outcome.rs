//! The outcome of a program, in a form in which two executions can be compared.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::time::Duration;

use crate::dropin::build::Program;
use crate::error::Result;
use crate::workspace;

/// The time limit. A program that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(240);

/// The part of an example's output that is the same in every execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compared {
    /// Everything except addresses.
    Text,
    /// Everything except numbers, which are random or times.
    Words,
    /// The same as `Words`, but in any order of lines, because threads print them.
    WordsInAnyOrder,
}

/// The outcome of a program.
#[derive(Debug)]
pub(crate) struct Outcome {
    name: String,
    /// `None` if a signal ended the program.
    exit_code: Option<i32>,
    output: Output,
}

/// The output of a program, as far as it is compared.
#[derive(Debug, PartialEq, Eq)]
enum Output {
    /// The verdict on each test.
    Tests(BTreeMap<String, String>),
    /// The lines of an example, without the parts that are not compared.
    Lines(Vec<String>),
}

/// Runs all programs, one after the other.
///
/// # Errors
///
/// If a program cannot be started or does not end. A program that fails is a regular outcome.
pub(crate) fn of_all(programs: &[Program]) -> Result<Vec<Outcome>> {
    programs.iter().map(of).collect()
}

fn of(program: &Program) -> Result<Outcome> {
    // A driver's messages on standard error would interrupt the line of a test.
    let command = match program.compared {
        None => duct::cmd!(&program.path, "--test-threads=1").stderr_null(),
        Some(_) => duct::cmd!(&program.path).stderr_to_stdout(),
    };
    let expression = command
        .dir(&program.folder)
        // Programs on our `cl-sys` and on the original must find the same library. Only ours reads
        // `CL_LIBRARY`.
        .env_remove("CL_LIBRARY")
        .env_remove("RUST_BACKTRACE")
        .stdin_null()
        .stdout_capture()
        .unchecked();
    let started = workspace::with_kernel_cache(&expression)?.start();
    let handle = started.map_err(|e| format!("cannot start {}: {e}", program.name))?;
    let Some(ended) = handle.wait_timeout(PATIENCE)? else {
        handle.kill()?;
        return Err(format!("{} did not end in {} s", program.name, PATIENCE.as_secs()).into());
    };
    let text = String::from_utf8_lossy(&ended.stdout);
    let output = match program.compared {
        None => Output::Tests(verdicts(&text)),
        Some(compared) => Output::Lines(lines(&text, compared, &program.folder)),
    };
    Ok(Outcome { name: program.name.clone(), exit_code: ended.status.code(), output })
}

impl Outcome {
    /// Returns the program's name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Describes the differences between two outcomes. The list is empty if they are equal.
    pub(crate) fn differences(&self, other: &Self) -> Vec<String> {
        let mut found = Vec::new();
        if (&self.name, self.exit_code) != (&other.name, other.exit_code) {
            found.push(format!("{}: {self}, then {}: {other}", self.name, other.name));
        }
        match (&self.output, &other.output) {
            (Output::Tests(a), Output::Tests(b)) => {
                if !a.values().any(|verdict| verdict == "ok") {
                    found.push(format!("{}: no test passes with the original", self.name));
                }
                let mut names: Vec<&String> = a.keys().chain(b.keys()).collect();
                names.sort();
                names.dedup();
                for name in names.into_iter().filter(|name| a.get(*name) != b.get(*name)) {
                    let verdict =
                        |of: &BTreeMap<_, _>| of.get(name).map_or("absent".to_owned(), String::clone);
                    found.push(format!("{}: {name}: {}, then {}", self.name, verdict(a), verdict(b)));
                }
            }
            (Output::Lines(a), Output::Lines(b)) if a != b => {
                let first = a.iter().zip(b).take_while(|(a, b)| a == b).count();
                let line =
                    |of: &[String]| of.get(first).map_or("nothing".to_owned(), |line| format!("{line:?}"));
                found.push(format!("{}: line {}: {}, then {}", self.name, first + 1, line(a), line(b)));
            }
            (Output::Lines(_), Output::Lines(_)) => {}
            _ => found.push(format!("{}: tests on one side, an example on the other", self.name)),
        }
        found
    }
}

/// Writes the short form for a table.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.output {
            Output::Tests(verdicts) => {
                let passed = verdicts.values().filter(|verdict| *verdict == "ok").count();
                write!(f, "{passed} of {} tests pass", verdicts.len())?;
            }
            Output::Lines(lines) => write!(f, "{} lines", lines.len())?,
        }
        match self.exit_code {
            Some(0) => Ok(()),
            Some(code) => write!(f, ", exit code {code}"),
            None => f.write_str(", ended by a signal"),
        }
    }
}

/// Reads each line of the form `test NAME ... VERDICT`. If a test ended the process, the line has no verdict
/// of the test harness; the verdict is then the text that the test printed on this line.
fn verdicts(text: &str) -> BTreeMap<String, String> {
    let verdict = |line: &str| {
        let (name, verdict) = line.strip_prefix("test ")?.split_once(" ... ")?;
        Some((name.to_owned(), verdict.trim().to_owned()))
    };
    text.lines().filter_map(verdict).collect()
}

/// Returns the lines of an example's output, without the parts that are not compared.
fn lines(text: &str, compared: Compared, folder: &Path) -> Vec<String> {
    // The two copies of the sources are in two folders.
    let text = text.replace(&*folder.to_string_lossy(), "FOLDER");
    // PoCL's threads release an event a moment after it has completed, so its count of references varies.
    let is_random = |line: &str| compared != Compared::Text || line.contains("Event { ");
    let mut lines: Vec<String> =
        text.lines().map(|line| masked(line, is_random(line)).trim_end().to_owned()).collect();
    if compared == Compared::WordsInAnyOrder {
        lines.sort();
    }
    lines
}

/// Returns the line with `#` in place of every address, and of every number if `numbers` is set.
fn masked(line: &str, numbers: bool) -> String {
    let mut masked = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(at);
        masked.push_str(before);
        let address = number.strip_prefix("0x");
        let end = match address {
            Some(digits) => 2 + length(digits, |c| c.is_ascii_hexdigit()),
            None => length(number, |c| c.is_ascii_digit() || c == '.'),
        };
        // A null pointer is kept: unlike other addresses, it has a meaning.
        let is_null = address.is_some_and(|_| number[2..end].bytes().all(|digit| digit == b'0'));
        let hide = if address.is_some() { !is_null } else { numbers };
        masked.push_str(if hide { "#" } else { &number[..end] });
        rest = &number[end..];
    }
    masked.push_str(rest);
    masked
}

/// Returns the number of leading bytes whose characters are `wanted`.
fn length(text: &str, wanted: impl Fn(char) -> bool) -> usize {
    text.find(|c| !wanted(c)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tests(text: &str) -> Outcome {
        Outcome { name: "tests".to_owned(), exit_code: Some(0), output: Output::Tests(verdicts(text)) }
    }

    fn example(text: &str, compared: Compared) -> Outcome {
        let output = Output::Lines(lines(text, compared, Path::new("/x")));
        Outcome { name: "example".to_owned(), exit_code: Some(0), output }
    }

    #[test]
    fn another_verdict_or_another_list_of_tests_is_a_difference() {
        let a = tests("running 2 tests\ntest a ... ok\ntest b ... FAILED\n\ntest result: FAILED.");
        assert_eq!(a.to_string(), "1 of 2 tests pass");
        assert_eq!(a.differences(&tests("test b ... FAILED\ntest a ... ok")), [""; 0]);
        assert_eq!(a.differences(&tests("test a ... ok\ntest b ... ok")), ["tests: b: FAILED, then ok"]);
        assert_eq!(a.differences(&tests("test b ... FAILED")), ["tests: a: ok, then absent"]);
        assert_eq!(tests("").differences(&tests("")), ["tests: no test passes with the original"]);
    }

    #[test]
    fn another_exit_code_is_a_difference() {
        let a = example("a", Compared::Text);
        let b = Outcome { exit_code: None, ..example("a", Compared::Text) };
        assert_eq!(b.to_string(), "1 lines, ended by a signal");
        assert_eq!(a.differences(&b).len(), 1);
    }

    #[test]
    fn addresses_are_not_compared_and_numbers_where_they_are_not_random() {
        let differences = |a, b, compared| example(a, compared).differences(&example(b, compared));
        assert_eq!(differences("at 0x1f, 7", "at 0x2e00, 7", Compared::Text), [""; 0]);
        assert_eq!(differences("at 0x1f", "at 0x0", Compared::Text).len(), 1);
        let found = differences("a\nsize 7", "a\nsize 8", Compared::Text);
        assert_eq!(found, [r#"example: line 2: "size 7", then "size 8""#]);
        let events = differences("Event { References: 2 }", "Event { References: 3 }", Compared::Text);
        assert_eq!(events, [""; 0]);
        assert_eq!(
            differences("Queue { References: 2 }", "Queue { References: 3 }", Compared::Text).len(),
            1
        );
        assert_eq!(differences("took 1.25 s", "took 13 s", Compared::Words), [""; 0]);
        assert_eq!(differences("a\nb", "b\na", Compared::Words).len(), 1);
        assert_eq!(differences("a\nb", "b\na", Compared::WordsInAnyOrder), [""; 0]);
        assert_eq!(differences("a\nb", "a", Compared::WordsInAnyOrder).len(), 1);
    }
}
