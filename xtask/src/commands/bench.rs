//! `bench`: set up, then run the benchmarks.

use crate::commands::setup;
use crate::error::Result;
use crate::workspace;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Passed on as they are: `--help` lists what the benchmarks understand
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
}

/// Builds the benchmarks for speed and runs them.
///
/// # Errors
///
/// If there is no device to run on, or the benchmarks fail.
pub(crate) fn run(args: &Args) -> Result {
    setup::ensure_device(setup::Register::No)?;
    let fixed = ["run", "--release", "--package", "cl-bench", "--"].map(str::to_owned);
    let bench = workspace::cargo(fixed.into_iter().chain(args.args.iter().cloned()));
    let output = workspace::with_kernel_cache(&bench)?.unchecked().run()?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!("the benchmarks failed: {}", output.status).into())
    }
}
