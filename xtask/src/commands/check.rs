//! `check`: runs and times every check that must pass before a commit; a failed check does not stop the others.

use std::io::IsTerminal;

use duct::Expression;

use crate::command_line::{CommandLine, on_path};
use crate::commands::tidy;
use crate::error::Result;
use crate::progress::Task;
use crate::workspace;

/// Runs every check.
///
/// # Errors
///
/// If a check failed; the error names all that failed.
pub(crate) fn run() -> Result {
    let lints = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    let docs = workspace::cargo(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
    let results = [
        ("format", part("format", |task| task.run(&tool("fmt", "rustfmt", &["fmt", "--all", "--check"])?))),
        ("clippy", part("clippy", |task| task.run(&tool("clippy", "clippy", &lints)?))),
        ("docs", part("docs", |task| task.run(&coloured(&docs)))),
        ("tidy", part("tidy", |_| tidy::run().map(|()| true))),
    ];
    verdict(&results)
}

/// Returns an error that names the failed checks, if any.
fn verdict(results: &[(&str, bool)]) -> Result {
    let failed: Vec<&str> = results.iter().filter(|(_, passed)| !passed).map(|(name, _)| *name).collect();
    if failed.is_empty() { Ok(()) } else { Err(format!("check failed: {}", failed.join(", ")).into()) }
}

/// Runs one check. A check that cannot be run counts as failed.
fn part(name: &str, work: impl FnOnce(&Task) -> Result<bool>) -> bool {
    let task = Task::start(format!("check {name}"));
    let passed = work(&task);
    task.finish(if matches!(passed, Ok(true)) { "ok" } else { "FAILED" });
    passed.unwrap_or_else(|error| {
        eprintln!("{error}");
        false
    })
}

/// Returns the cargo command `args`, after installing its tool if it is missing: a minimal Rust installation
/// has neither rustfmt nor clippy.
fn tool(subcommand: &str, component: &str, args: &[&str]) -> Result<Expression> {
    let version = workspace::cargo([subcommand, "--version"]);
    let missing = || version.stdout_null().stderr_null().run().is_err();
    if missing() {
        let add = CommandLine::new(&["rustup", "component", "add", component]);
        if !on_path("rustup") {
            return Err(format!("cargo {subcommand} is missing: install {component}").into());
        }
        eprintln!("cargo {subcommand} is missing, running: {add}");
        add.expression().run()?;
        if missing() {
            return Err(format!("cargo {subcommand} is still missing after: {add}").into());
        }
    }
    Ok(coloured(&workspace::cargo(args.iter().copied())))
}

/// Keeps cargo's colours on a terminal, although cargo writes to a pipe.
fn coloured(command: &Expression) -> Expression {
    if std::io::stderr().is_terminal() { command.env("CARGO_TERM_COLOR", "always") } else { command.clone() }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_fails_or_cannot_run_is_a_failure() {
        assert!(part("planted", |task| task.run(&duct::cmd!("true"))));
        assert!(!part("planted", |task| task.run(&duct::cmd!("false"))));
        assert!(!part("planted", |task| task.run(&duct::cmd!("no-such-program-here"))));
        assert!(!part("planted", |_| Err("planted".into())));
    }

    #[test]
    fn one_failed_part_fails_the_check() {
        assert!(verdict(&[("a", true), ("b", true)]).is_ok());
        let error = verdict(&[("a", false), ("b", true), ("c", false)]).expect_err("two failed");
        assert_eq!(error.to_string(), "check failed: a, c");
    }
}
