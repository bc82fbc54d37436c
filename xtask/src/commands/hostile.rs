//! `hostile`: runs random safe programs and compares each with a model on the host.

use std::io::{BufRead, BufReader};
use std::num::NonZero;

use crate::commands::setup;
use crate::error::Result;
use crate::workspace;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The number of programs
    #[arg(long, default_value_t = 1000)]
    programs: u64,
    /// The seed of the programs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of the first program, as printed with a failure
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// The number of processes that run at once; one for each processor if it is left out
    #[arg(long)]
    jobs: Option<usize>,
    /// Leave out steps whose text contains one of these words, separated by commas
    #[arg(long, value_name = "WORDS")]
    without: Option<String>,
    /// Run only steps whose text contains one of these words
    #[arg(long, value_name = "WORDS")]
    only: Option<String>,
}

/// Runs the programs of a seed. Prints each program that fails, reduced to the steps that the failure needs.
///
/// # Errors
///
/// If no device is found, the programs do not compile, or a program fails.
pub(crate) fn run(args: &Args) -> Result {
    setup::ensure_device(setup::Register::No)?;
    let jobs = args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(2, NonZero::get));
    let words = ["test", "--release", "--quiet", "--package", "cl-hostile", "--test", "hostile", "--"];
    let test = ["programs_agree_with_the_model", "--exact", "--nocapture"];
    let command = workspace::cargo(words.into_iter().chain(test))
        .env("CL_HOSTILE_PROGRAMS", args.programs.to_string())
        .env("CL_HOSTILE_SEED", args.seed.to_string())
        .env("CL_HOSTILE_FIRST", args.first.to_string())
        .env("CL_HOSTILE_JOBS", jobs.to_string())
        .env("CL_HOSTILE_WITHOUT", args.without.as_deref().unwrap_or_default())
        .env("CL_HOSTILE_ONLY", args.only.as_deref().unwrap_or_default())
        .env("RUST_BACKTRACE", "0");
    // Lines are printed at once, so that a long search can be watched and interrupted.
    let output = workspace::with_kernel_cache(&command)?.stderr_to_stdout().unchecked().reader()?;
    let mut passed = false;
    for line in BufReader::new(&output).lines() {
        let line = line?;
        passed |= line.starts_with("test result: ok. 1 passed");
        println!("{line}");
    }
    let Args { programs, seed, .. } = args;
    if !passed {
        return Err(format!("seed {seed}, {programs} programs: one failed, or none ran: see above").into());
    }
    println!("{programs} programs of seed {seed}: no failure");
    Ok(())
}
