//! Tests that run in a process of their own, because they change a process-wide thing such as a tuning table,
//! or end the process.

use std::io::ErrorKind;
use std::process::{Command, Output};

/// Returns the name that the test runner gives a test: its modules, and the function.
///
/// ```
/// mod tuning {
///     pub(super) fn child() {}
/// }
/// # // What stands in an example is inside of a function.
/// assert!(cl_test::name(tuning::child).ends_with("tuning::child"));
/// ```
#[must_use]
pub fn name<T: Fn()>(test: T) -> &'static str {
    let _ = test;
    let path = std::any::type_name::<T>();
    path.split_once("::").map_or(path, |(_, name)| name)
}

/// Returns a command that runs this program with the test `test` only. The test's output is not captured.
///
/// The test learns from a variable, set by the caller, that it is the child. It returns at once when the
/// variable is not set.
///
/// # Panics
/// When the system does not tell this program's file.
#[must_use]
pub fn child<T: Fn()>(test: T) -> Command {
    let program = std::env::current_exe().unwrap_or_else(|error| panic!("this program's own file: {error}"));
    let mut command = Command::new(program);
    command.args(["--exact", name(test), "--nocapture"]);
    command
}

/// Returns the output of a program whose file may have been copied a moment ago.
///
/// Another test may have forked a child while the program was being copied. The child keeps the copy open for
/// writing until it starts its own program, and until then nobody can run the copy.
///
/// # Panics
/// When the program cannot be started.
pub fn output_of_copy(command: &mut Command) -> Output {
    loop {
        match command.output() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => std::thread::yield_now(),
            output => return output.unwrap_or_else(|error| panic!("{command:?}: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHILD: &str = "CL_TEST_CHILD";

    #[test]
    fn speaks_as_a_child() {
        if std::env::var_os(CHILD).is_some() {
            println!("this is the child");
        }
    }

    #[test]
    fn a_child_runs_one_test() {
        assert_eq!(name(speaks_as_a_child), "child::tests::speaks_as_a_child");
        let output = child(speaks_as_a_child).env(CHILD, "1").output().unwrap_or_else(|e| panic!("{e}"));
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("this is the child"), "{said}");
        assert!(said.contains("1 passed; 0 failed"), "{said}");
    }
}
