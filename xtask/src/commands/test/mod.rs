//! `test`: sets up the machine, runs the tests of the workspace, and adds up the results.

mod jobs;
mod parallel;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::ExitCode;

use duct::Expression;
use jobs::Job;

use crate::commands::setup;
use crate::error::Result;
use crate::opencl::Found;
use crate::programs;
use crate::summary::Summary;
use crate::workspace;

/// The variable that tells the tests which devices to run on.
const VARIABLE: &str = "CL_TEST_DEVICE";

/// The variable of cl-core's disk cache of compiled programs. The cache is off in tests, because a cached
/// program comes without the compiler's messages, which tests examine. Tests of the cache itself choose their
/// own folder.
const CACHE: &str = "CL_CACHE";

/// The variable of more options for PoCL's compiler, which takes 0.12 s for a kernel without its optimiser and 0.4 s with it.
const POCL_FLAGS: &str = "POCL_EXTRA_BUILD_FLAGS";

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Test only on devices with this text in their name or in their platform's name
    #[arg(long, value_name = "SUBSTRING")]
    device: Option<String>,
    /// Build the tests with optimisation
    #[arg(long)]
    release: bool,
    /// Test only this package; may be repeated
    #[arg(short, long, value_name = "NAME")]
    package: Vec<String>,
    /// Run this many processes at once, each with the tests of one module or library, and print their
    /// output when they have ended; with 1, or with arguments for `cargo test`, run one program after the
    /// other and print the output as it comes
    #[arg(long, default_value_t = 3)]
    jobs: usize,
    /// Pass these arguments to `cargo test`: `-- -p cl-core`, `-- NAME`, `-- -- --nocapture`
    #[arg(last = true)]
    args: Vec<String>,
}

/// Prints the tests' output, then the names of the failed tests, then the line `N passed, N failed, N skipped`.
/// The output of processes that run at once is printed one whole process after the other.
///
/// # Errors
///
/// If the tests cannot be started. Failed tests only change the exit code, so that the sum stays the last line.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let devices = setup::ensure_device(setup::Register::No)?;
    let wanted = args.device.clone().or_else(|| std::env::var(VARIABLE).ok()).unwrap_or_default();
    for device in chosen(&devices, &wanted)? {
        eprintln!("testing on {device}");
    }

    let mut summary = Summary::default();
    let succeeded = if args.jobs > 1 && args.args.is_empty() {
        let command = |job: &Job, cache: &Path| {
            let mut command = job.command().env(parallel::POCL_CACHE, cache);
            if job.needs_no_optimiser() {
                command = command.env(POCL_FLAGS, "-cl-opt-disable");
            }
            with_caches(args, &command)
        };
        parallel::run(&jobs(args)?, args.jobs, parallel::LIMIT, &command, &mut summary)?;
        true
    } else {
        stream(&with_caches(args, &workspace::cargo(cargo_args(args, &args.args)))?, &mut summary)?
    };
    if !succeeded && summary.failed() == 0 {
        eprintln!("error: cargo test failed outside of any test: see above");
    }
    for failure in summary.failures() {
        println!("failed: {failure}");
    }
    println!("{summary}");
    Ok(if succeeded && summary.failed() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Builds all tests at once, and divides them into jobs.
fn jobs(args: &Args) -> Result<Vec<Job>> {
    // Examples are not built, because no job runs them.
    let programs =
        programs::build(selection(args, &[]).chain(["--lib", "--bins", "--tests"].map(str::to_owned)))?;
    let documentation = Job::Documentation(cargo_args(args, &["--doc".to_owned()]));
    Ok([documentation].into_iter().chain(jobs::of(programs)?).collect())
}

/// Adds the variables of the workspace's kernel caches and of the chosen devices.
fn with_caches(args: &Args, command: &Expression) -> Result<Expression> {
    let mut command = command.clone();
    // `with_kernel_cache` also sets `CL_CACHE`. This value is set first, because `duct` keeps the first
    // value.
    if std::env::var_os(CACHE).is_none() {
        command = command.env(CACHE, "off");
    }
    command = workspace::with_kernel_cache(&command)?;
    if let Some(device) = &args.device {
        command = command.env(VARIABLE, device);
    }
    Ok(command)
}

/// Runs one command and prints its output line by line. Returns whether the command succeeded.
fn stream(command: &Expression, summary: &mut Summary) -> Result<bool> {
    // Only standard output is read: cargo draws its progress on standard error if that is a terminal.
    let handle = command.unchecked().reader().map_err(|e| format!("cannot start cargo: {e}"))?;
    let mut output = BufReader::new(&handle);
    let mut line = Vec::new();
    while output.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        print!("{text}");
        summary.read(text.trim_end());
        line.clear();
    }
    summary.finish();
    Ok(handle.try_wait()?.is_some_and(|output| output.status.success()))
}

/// Returns the arguments of cargo for the chosen tests.
fn cargo_args(args: &Args, chosen: &[String]) -> Vec<String> {
    let first = ["test", "--no-fail-fast"].map(str::to_owned);
    first.into_iter().chain(selection(args, chosen)).chain(chosen.iter().cloned()).collect()
}

/// Returns the arguments that select the profile and the packages of `args`. Selects the whole workspace if
/// neither `args` nor `chosen` names a package.
fn selection(args: &Args, chosen: &[String]) -> impl Iterator<Item = String> {
    let mut before_second_dashes = chosen.iter().take_while(|arg| *arg != "--");
    let are_named = before_second_dashes.any(|arg| arg.starts_with("-p") || arg.starts_with("--package"));
    let mut all: Vec<String> = args.package.iter().map(|name| format!("--package={name}")).collect();
    // Cargo ignores `--package` beside `--workspace`.
    if all.is_empty() && !are_named {
        all.push("--workspace".to_owned());
    }
    if args.release {
        all.push("--release".to_owned());
    }
    all.into_iter()
}

/// Returns the devices that the tests will choose for `wanted`.
fn chosen<'a>(devices: &'a [Found], wanted: &str) -> Result<Vec<&'a Found>> {
    let chosen: Vec<&Found> = devices.iter().filter(|device| device.matches(wanted)).collect();
    if chosen.is_empty() {
        let present: Vec<String> = devices.iter().map(ToString::to_string).collect();
        return Err(format!("no device matches {wanted:?}; present are: {}", present.join(", ")).into());
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(args: &[&str]) -> Args {
        let args = args.iter().map(ToString::to_string).collect();
        Args { device: None, release: false, package: vec![], jobs: 1, args }
    }

    fn arguments(args: &Args) -> Vec<String> {
        cargo_args(args, &args.args)
    }

    #[test]
    fn all_packages_are_tested_unless_some_are_named() {
        assert_eq!(arguments(&args(&[])), ["test", "--no-fail-fast", "--workspace"]);
        let filtered = arguments(&args(&["scan", "--", "-p"]));
        assert_eq!(filtered, ["test", "--no-fail-fast", "--workspace", "scan", "--", "-p"]);
        assert_eq!(arguments(&args(&["-p", "cl-core"])), ["test", "--no-fail-fast", "-p", "cl-core"]);
        let package = Args { package: vec!["cl-fft".to_owned()], ..args(&["scan"]) };
        assert_eq!(arguments(&package), ["test", "--no-fail-fast", "--package=cl-fft", "scan"]);
        let release = Args { release: true, ..args(&[]) };
        assert_eq!(arguments(&release), ["test", "--no-fail-fast", "--workspace", "--release"]);
    }

    #[test]
    fn programs_are_not_kept_on_disk_unless_that_is_asked_for() {
        let command = with_caches(&args(&[]), &duct::cmd!("env")).expect("folders can be made");
        let seen = command.read().expect("env runs");
        let expected = std::env::var(CACHE).unwrap_or_else(|_| "off".to_owned());
        assert!(seen.lines().any(|line| line == format!("{CACHE}={expected}")), "{seen}");
    }

    #[test]
    fn a_device_that_is_not_there_is_an_error_that_lists_those_that_are() {
        let devices = [Found { platform: "Portable".into(), device: "cpu".into() }];
        assert_eq!(chosen(&devices, "").expect("any").len(), 1);
        assert_eq!(chosen(&devices, "PORT").expect("by platform").len(), 1);
        let error = chosen(&devices, "H200").expect_err("absent").to_string();
        assert!(error.contains("H200") && error.contains("cpu (Portable)"), "{error}");
    }
}
