//! `cargo xtask`: the developer's command line. This file only parses the arguments. Every sub-command is one
//! file under `commands/`, and the other modules contain what several sub-commands share.

mod command_line;
mod commands;
mod dropin;
mod error;
mod icd;
mod opencl;
mod packages;
mod programs;
mod progress;
mod summary;
mod tidy;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::commands::{bench, book, bundle, check, devices, dieharder, drivers, hostile, probe, setup, test};

/// Set up this machine, then test, bench and check the workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make this machine ready: find an OpenCL device, or install PoCL, which runs on any CPU
    Setup(setup::Args),
    /// List every OpenCL device with its properties
    Devices,
    /// Set up, then run the benchmarks; all arguments are passed to them
    #[command(disable_help_flag = true)]
    Bench(bench::Args),
    /// Fill a folder with benchmarks and tests that run on a machine without Rust
    Bundle(bundle::Args),
    /// Set up, then run all tests and count those that passed, failed and were skipped
    Test(test::Args),
    /// Run the tests on every OpenCL implementation of this machine, each in its own process, and print one
    /// table
    Drivers(drivers::Args),
    /// Run all checks that must pass before a commit: format, lints, documentation and tidiness
    Check,
    /// Run only the tidiness rules of `check`, which need no compiler
    Tidy,
    /// Build the pages of the book in docs/book
    Book,
    /// Build the published ocl with its own cl-sys and with ours, and compare the two
    Dropin,
    /// Test random words of the first device with dieharder, which takes an hour; `-- -d 0` runs one test
    Dieharder(dieharder::Args),
    /// Run random safe programs, compare each with a model on the host, and print the programs that fail
    Hostile(hostile::Args),
    /// Print the OpenCL devices for the parent process
    #[command(hide = true)]
    Probe,
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Setup(args) => setup::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Devices => devices::run().map(|()| ExitCode::SUCCESS),
        Command::Bench(args) => bench::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Bundle(args) => bundle::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Test(args) => test::run(&args),
        Command::Drivers(args) => drivers::run(&args),
        Command::Check => check::run().map(|()| ExitCode::SUCCESS),
        Command::Tidy => commands::tidy::run().map(|()| ExitCode::SUCCESS),
        Command::Book => book::run().map(|()| ExitCode::SUCCESS),
        Command::Dropin => commands::dropin::run().map(|()| ExitCode::SUCCESS),
        Command::Dieharder(args) => dieharder::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Hostile(args) => hostile::run(&args).map(|()| ExitCode::SUCCESS),
        Command::Probe => Ok(probe::run()),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::FAILURE
    })
}
