//! Adds up the results of many test executables from their output.

use std::fmt;

/// The numbers of tests that passed, failed and were skipped so far, and the names of the failed tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    total: Counts,
    failures: Vec<String>,
    /// The results of an executable that has printed `running N tests` but not yet its result.
    unfinished: Option<Counts>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl Summary {
    /// Reads one line of output.
    pub(crate) fn read(&mut self, line: &str) {
        if let Some(counts) = result_line(line) {
            self.unfinished = None;
            self.total.add(counts);
        } else if is_start(line) {
            self.finish();
            self.unfinished = Some(Counts::default());
        } else if let Some(counts) = &mut self.unfinished {
            counts.add(test_line(line));
            if let Some(name) = line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ... FAILED")) {
                self.failures.push(name.to_owned());
            }
        }
    }

    /// Reads the whole output of one program, and names the program in each failure. `succeeded` is the
    /// program's exit status.
    pub(crate) fn read_all(&mut self, program: &str, text: &str, succeeded: bool) {
        let mut own = Summary::default();
        text.lines().for_each(|line| own.read(line));
        own.finish();
        if !succeeded && own.total.failed == 0 {
            own.total.failed += 1;
            own.failures.push("a failure outside of any test".to_owned());
        }
        self.total.add(own.total);
        self.failures.extend(own.failures.into_iter().map(|failure| format!("{program}: {failure}")));
    }

    /// Ends an executable that never printed its result.
    ///
    /// A test that crashes the process, as a driver may, prevents the result line. The tests before it
    /// count as they ended, and the crash counts as a failure.
    pub(crate) fn finish(&mut self) {
        if let Some(counts) = self.unfinished.take() {
            let Counts { passed, failed, skipped } = counts;
            self.total.add(counts);
            self.total.failed += 1;
            let told = passed + failed + skipped;
            self.failures.push(format!("a program that ended after the results of {told} tests"));
        }
    }

    /// Returns the names of the tests that failed, which are hard to find in a long output.
    pub(crate) fn failures(&self) -> &[String] {
        &self.failures
    }

    /// Returns the number of tests that failed.
    pub(crate) fn failed(&self) -> usize {
        self.total.failed
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { passed, failed, skipped } = self.total;
        write!(f, "{passed} passed, {failed} failed, {skipped} skipped")
    }
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

/// Returns whether the line has the form `running 3 tests`.
fn is_start(line: &str) -> bool {
    let count = line.strip_prefix("running ").and_then(|rest| {
        let rest = rest.strip_suffix(" tests").or_else(|| rest.strip_suffix(" test"))?;
        rest.parse::<usize>().ok()
    });
    count.is_some()
}

/// Reads `test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s`.
fn result_line(line: &str) -> Option<Counts> {
    let (_, numbers) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let mut counts = Counts::default();
    for part in numbers.split("; ") {
        match part.split_once(' ')? {
            (n, "passed") => counts.passed = n.parse().ok()?,
            (n, "failed") => counts.failed = n.parse().ok()?,
            (n, "ignored") => counts.skipped = n.parse().ok()?,
            _ => {}
        }
    }
    Some(counts)
}

/// Reads `test name ... ok`.
fn test_line(line: &str) -> Counts {
    let verdict = line.strip_prefix("test ").and_then(|rest| rest.rsplit_once(" ... "));
    match verdict.map(|(_, verdict)| verdict) {
        Some("ok") => Counts { passed: 1, ..Counts::default() },
        Some("FAILED") => Counts { failed: 1, ..Counts::default() },
        Some(verdict) if verdict.starts_with("ignored") => Counts { skipped: 1, ..Counts::default() },
        _ => Counts::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(text: &str) -> Summary {
        let mut summary = Summary::default();
        text.lines().for_each(|line| summary.read(line));
        summary.finish();
        summary
    }

    #[test]
    fn results_of_unit_and_doc_tests_are_added() {
        let summary = sum("
running 3 tests
test a ... ok
test b ... FAILED
test c ... ignored, needs a GPU

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 7 filtered out; finished in 0.10s

   Doc-tests cl_core

running 1 test
test src/lib.rs - (line 9) ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s
");
        assert_eq!(summary.to_string(), "2 passed, 1 failed, 1 skipped");
        assert_eq!(summary.failed(), 1);
        assert_eq!(summary.failures(), ["b"]);
    }

    #[test]
    fn a_crash_counts_as_a_failure_and_keeps_what_passed_before() {
        let text = "running 3 tests\ntest a ... ok\ntest b ... ";
        assert_eq!(sum(text).to_string(), "1 passed, 1 failed, 0 skipped");
        assert_eq!(sum(text).failures(), ["a program that ended after the results of 1 tests"]);
        let next =
            "\nrunning 1 test\ntest z ... ok\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured";
        assert_eq!(sum(&format!("{text}{next}")).to_string(), "2 passed, 1 failed, 0 skipped");
    }

    #[test]
    fn a_program_that_failed_is_named_and_counted() {
        let mut summary = Summary::default();
        summary.read_all("cl-core/suite::rect", "running 1 test\ntest rect::a ... FAILED\n", false);
        summary.read_all("cl-core", "running 1 test\ntest a ... ", false);
        summary.read_all("cl-algo", "cannot load a library\n", false);
        summary.read_all("cl-fft", "running 0 tests\ntest result: ok. 0 passed; 0 failed; 0 ignored", true);
        // The first program ended before it printed its result.
        assert_eq!(summary.to_string(), "0 passed, 4 failed, 0 skipped");
        let named = [
            "cl-core/suite::rect: rect::a",
            "cl-core/suite::rect: a program that ended after the results of 1 tests",
            "cl-core: a program that ended after the results of 0 tests",
            "cl-algo: a failure outside of any test",
        ];
        assert_eq!(summary.failures(), named);
    }

    #[test]
    fn other_text_counts_nothing() {
        assert_eq!(sum("").to_string(), "0 passed, 0 failed, 0 skipped");
        assert_eq!(sum("running late tests\ntest result: none\ntest x ... ok\n").failed(), 0);
    }
}
