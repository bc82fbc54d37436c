//! The benchmark program: every case on every device, compared with the device's copy bandwidth.
//!
//! Each device is measured in a process of its own (`worker`), so that a driver that crashes costs only its
//! own rows. This process shows progress and prints the table. With `--tune` it searches for better shapes of
//! kernels instead (`tune`).

mod answers;
mod cases;
mod data;
mod date;
mod failure;
mod matrices;
mod options;
mod peers;
mod process;
mod progress;
mod report;
mod roofline;
mod selection;
mod session;
mod timing;
mod tune;
mod worker;

use clap::Parser;
use options::Options;
use std::process::ExitCode;

fn main() -> ExitCode {
    let options = Options::parse();
    let result = match options.worker {
        Some(number) => worker::run(number, &options),
        None if options.tune => tune::run(&options),
        None => session::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
