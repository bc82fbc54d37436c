//! `dieharder`: tests the random words of a device with the test suite dieharder.

use std::io::{BufRead, BufReader};

use crate::commands::setup;
use crate::error::Result;
use crate::workspace;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The seed of the stream
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Pass these arguments to dieharder; without any it runs all its tests
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
}

/// Pipes an endless stream into dieharder and prints its report line by line, so that an interrupted test run
/// keeps its results so far.
///
/// # Errors
///
/// If no device is found, dieharder is not installed, or a test reports FAILED.
pub(crate) fn run(args: &Args) -> Result {
    if duct::cmd!("dieharder", "-l").stdout_null().stderr_null().unchecked().run().is_err() {
        return Err("dieharder is not installed: install the package `dieharder` of your system".into());
    }
    setup::ensure_device(setup::Register::No)?;
    let seed = args.seed.to_string();
    let words = ["run", "--release", "--quiet", "--package", "cl-examples", "--bin", "random_stream", "--"];
    let options = ["--mib", "0", "--seed", &seed];
    let stream = workspace::cargo(words.into_iter().chain(options));
    let all = ["-a".to_owned()];
    let tests = if args.args.is_empty() { &all[..] } else { &args.args };
    // Generator 200 reads standard input.
    let suite = ["-g", "200"].map(str::to_owned).into_iter().chain(tests.iter().cloned());
    let pipe = workspace::with_kernel_cache(&stream)?.unchecked().pipe(duct::cmd("dieharder", suite));
    let mut faults = 0;
    for line in BufReader::new(pipe.reader()?).lines() {
        let line = line?;
        println!("{line}");
        faults += usize::from(line.contains("FAILED"));
    }
    if faults > 0 { Err(format!("dieharder found {faults} faults").into()) } else { Ok(()) }
}
