//! `bench`: sets up the machine, then runs the benchmarks.

use duct::Expression;

use crate::commands::setup;
use crate::error::Result;
use crate::workspace;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Pass these arguments to the benchmarks; `--help` lists the options
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
}

/// Builds the benchmarks with optimisation and runs them.
///
/// # Errors
///
/// If no device is found, or the benchmarks fail.
pub(crate) fn run(args: &Args) -> Result {
    setup::ensure_device(setup::Register::No)?;
    let output = workspace::with_kernel_cache(&command(args))?.unchecked().run()?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!("the benchmarks failed: {}", output.status).into())
    }
}

/// Returns the command, which runs in the user's folder because the arguments may name files relative to it.
fn command(args: &Args) -> Expression {
    let fixed = ["--release", "--package", "cl-bench", "--"].map(str::to_owned);
    workspace::cargo_here("run", fixed.into_iter().chain(args.args.iter().cloned()))
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[test]
    fn relative_paths_are_the_users() {
        let args = Args { args: ["--json", "rel.json"].map(str::to_owned).into() };
        let seen = Arc::new(Mutex::new(None));
        let seen_by_hook = Arc::clone(&seen);
        // Records the command that would be started, and prevents the start.
        let looks = command(&args).before_spawn(move |command| {
            let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
            let folder = command.get_current_dir().map(std::path::Path::to_owned);
            *seen_by_hook.lock().expect("a lock") = Some((folder, words));
            Err(std::io::Error::other("looked at"))
        });
        assert!(looks.run().is_err());
        let (folder, words) = seen.lock().expect("a lock").take().expect("a command");
        assert_eq!(folder, None, "the command inherits the user's folder");
        let manifest = workspace::root().join("Cargo.toml").to_string_lossy().into_owned();
        let start = ["run", "--manifest-path", &manifest, "--release", "--package", "cl-bench", "--"];
        assert_eq!(words, [start.as_slice(), &["--json", "rel.json"]].concat());
    }
}
