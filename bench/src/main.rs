//! The benchmark program: every case on every device, beside the device's own copy bandwidth.
//!
//! One process a device does the measuring (`worker`), so that a driver that crashes costs its own
//! rows only; this one shows progress and prints the table. With `--tune` it searches for better shapes of
//! kernels instead (`tune`).

mod cases;
mod data;
mod peers;
mod process;
mod report;
mod roofline;
mod timing;
mod tune;
mod worker;

use cl_core::Device;
use clap::Parser;
use process::Heard;
use report::Row;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use worker::Message;

type Failure = Box<dyn std::error::Error>;

/// Measures this machine's OpenCL devices.
#[derive(Parser, Debug)]
#[command(name = "cl-bench")]
struct Options {
    /// Only devices whose name contains this text, in any case.
    #[arg(long)]
    device: Option<String>,
    /// Only cases whose name and element type, such as `sum f32`, contain this text; with --tune, only what is
    /// tuned for elements of so many bytes, such as `scan 4`.
    #[arg(long)]
    filter: Option<String>,
    /// Fewer and shorter measurements; with --tune, two candidates each.
    #[arg(long)]
    quick: bool,
    /// Numbers of elements of 4 bytes, as powers of two: 16,20,24; as many bytes of others (default: 28 on
    /// GPUs, 24 elsewhere).
    #[arg(long, alias = "log2", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(0..=40))]
    sizes: Vec<u32>,
    /// By the host's clock on GPUs, too: from the call until the queue is empty.
    #[arg(long)]
    host_clock: bool,
    /// Beside other libraries, built on the spot where their compiler is: CUB and Thrust by nvcc.
    #[arg(long)]
    peers: bool,
    /// The program of CUB's times (`bench/peers/cub.cu`), for machines where building it would take long.
    #[arg(long, requires = "peers")]
    cub: Option<PathBuf>,
    /// Writes one JSON object a row to this file.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Searches for the best shapes of kernels, and writes those that beat the present ones as a table for
    /// `CL_TUNING`.
    #[arg(long, conflicts_with = "json")]
    tune: bool,
    /// Where --tune writes its table (default: `tuning.tsv` in cargo's target folder).
    #[arg(long, requires = "tune")]
    record: Option<PathBuf>,
    /// The worker measures this case and no other.
    #[arg(long, hide = true)]
    only: Option<String>,
    /// Measures the device of this number and writes messages to stderr.
    #[arg(long, hide = true)]
    worker: Option<usize>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let result = match options.worker {
        Some(number) => worker::run(number, &options),
        None if options.tune => tune::run(&options),
        None => run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), Failure> {
    worker::chosen(options)?;
    let mut rows = Vec::new();
    let mut failed = 0;
    for (number, device) in devices(options)? {
        println!("{device}, driver {}", device.driver_version()?);
        let mut device_rows = measure(number, options, &mut failed)?;
        if options.peers {
            peers::add(&mut device_rows, &device.to_string(), &worker::sizes(&device, options)?, options);
        }
        println!("{}\n", report::table(&device_rows));
        rows.extend(device_rows);
    }
    if let Some(path) = &options.json {
        let mut file = std::fs::File::create(path)?;
        for row in &rows {
            writeln!(file, "{}", serde_json::to_string(row)?)?;
        }
    }
    if failed > 0 {
        return Err(format!("{failed} device(s) or case(s) failed, see above").into());
    }
    Ok(())
}

/// The devices that are wanted, with their numbers among all.
fn devices(options: &Options) -> Result<Vec<(usize, Device)>, Failure> {
    let devices = Device::all()?;
    let names: Vec<String> = devices.iter().map(ToString::to_string).collect();
    let wanted = options.device.as_ref().map(|text| text.to_lowercase()).unwrap_or_default();
    let matches = |(number, _): &(usize, Device)| names[*number].to_lowercase().contains(&wanted);
    let chosen: Vec<(usize, Device)> = devices.into_iter().enumerate().filter(matches).collect();
    if chosen.is_empty() {
        return Err(format!("no device matches; there are: {}", names.join(", ")).into());
    }
    Ok(chosen)
}

/// A bar of so many steps.
fn progress(steps: u64) -> Result<indicatif::ProgressBar, Failure> {
    let bar = indicatif::ProgressBar::new(steps);
    bar.set_style(indicatif::ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}")?);
    Ok(bar)
}

/// Runs the worker for one device and collects its rows.
fn measure(number: usize, options: &Options, failed: &mut usize) -> Result<Vec<Row>, Failure> {
    let mut command = process::worker(number, options.quick, &options.sizes)?;
    if let Some(filter) = &options.filter {
        command.args(["--filter", filter]);
    }
    if options.host_clock {
        command.arg("--host-clock");
    }
    let bar = progress(1)?;
    let mut rows = Vec::new();
    let end = process::listen(command, None, |heard| match heard {
        Heard::Message(Message::Starting { case, index, count }) => {
            bar.set_length(count as u64);
            bar.set_position(index as u64);
            bar.set_message(case.clone());
            if bar.is_hidden() {
                println!("  {}/{count} {case}", index + 1);
            }
        }
        Heard::Message(Message::Measured(row)) => rows.push(*row),
        Heard::Message(Message::Failed { case, reason }) => {
            *failed += 1;
            bar.suspend(|| eprintln!("  {case} failed: {reason}"));
        }
        Heard::Line(line) => bar.suspend(|| eprintln!("{line}")),
    });
    bar.finish_and_clear();
    if let Err(reason) = end {
        *failed += 1;
        eprintln!("  the measuring process of this device {reason}");
    }
    Ok(rows)
}
