//! `dieharder`: random words of a device, examined by the test suite of this name.

use std::io::{BufRead, BufReader};

use crate::commands::setup;
use crate::error::Result;
use crate::workspace;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The seed of the stream
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Passed on to dieharder; all its tests by default
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
}

/// Pipes a stream without end into dieharder, whose report goes to the standard output line by line: what an
/// interrupted run has found by then is not lost.
///
/// # Errors
///
/// If there is no device, dieharder is not installed, or a test says FAILED.
pub(crate) fn run(args: &Args) -> Result {
    if duct::cmd!("dieharder", "-l").stdout_null().stderr_null().unchecked().run().is_err() {
        return Err("dieharder is not installed: its package has that name, in Debian and elsewhere".into());
    }
    setup::ensure_device(setup::Register::No)?;
    let seed = args.seed.to_string();
    let words = ["run", "--release", "--quiet", "--package", "cl-examples", "--bin", "random_stream", "--"];
    let options = ["--mib", "0", "--seed", &seed];
    let stream = workspace::cargo(words.into_iter().chain(options));
    let all = ["-a".to_owned()];
    let tests = if args.args.is_empty() { &all[..] } else { &args.args };
    // Generator 200 is the standard input.
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
