//! The benchmark program: every case on every device, beside the device's own copy bandwidth.
//!
//! One process a device does the measuring (`worker`), so that a driver that crashes costs its own
//! rows only; this one shows progress and prints the table.

mod cases;
mod data;
mod peers;
mod report;
mod timing;
mod worker;

use cl_core::Device;
use clap::Parser;
use report::Row;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

type Failure = Box<dyn std::error::Error>;

/// Measures this machine's OpenCL devices.
#[derive(Parser, Debug)]
#[command(name = "cl-bench")]
struct Options {
    /// Only devices whose name contains this text, in any case.
    #[arg(long)]
    device: Option<String>,
    /// Only cases whose name and element type, such as `sum f32`, contain this text.
    #[arg(long)]
    filter: Option<String>,
    /// Fewer and shorter measurements.
    #[arg(long)]
    quick: bool,
    /// Numbers of elements, as log2 (default: 28 on GPUs, 24 elsewhere).
    #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u32).range(0..=40))]
    log2: Vec<u32>,
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
    /// Measures the device of this number and writes messages to stderr.
    #[arg(long, hide = true)]
    worker: Option<usize>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let result = match options.worker {
        Some(number) => worker::run(number, &options),
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
    worker::chosen(options.filter.as_deref())?;
    let devices = Device::all()?;
    let wanted = options.device.as_ref().map(|text| text.to_lowercase());
    let mut rows = Vec::new();
    let mut failed = 0;
    let mut measured = 0;
    for (number, device) in devices.iter().enumerate() {
        let name = device.to_string();
        if wanted.as_ref().is_some_and(|text| !name.to_lowercase().contains(text)) {
            continue;
        }
        measured += 1;
        println!("{name}, driver {}", device.driver_version()?);
        let mut device_rows = measure(number, options, &mut failed)?;
        if options.peers {
            peers::add(&mut device_rows, &name, &worker::sizes(device, options)?, options);
        }
        println!("{}\n", report::table(&device_rows));
        rows.extend(device_rows);
    }
    if measured == 0 {
        let names: Vec<String> = devices.iter().map(ToString::to_string).collect();
        return Err(format!("no device matches; there are: {}", names.join(", ")).into());
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

/// Runs the worker for one device and collects its rows.
fn measure(number: usize, options: &Options, failed: &mut usize) -> Result<Vec<Row>, Failure> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["--worker", &number.to_string()]);
    if let Some(filter) = &options.filter {
        command.args(["--filter", filter]);
    }
    for (wanted, flag) in [(options.quick, "--quick"), (options.host_clock, "--host-clock")] {
        if wanted {
            command.arg(flag);
        }
    }
    for log2 in &options.log2 {
        command.args(["--log2", &log2.to_string()]);
    }
    // The statistics library reports on stdout; its rows come back on stderr, as messages.
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let messages = child.stderr.take().ok_or("the worker has no stderr")?;
    let bar = indicatif::ProgressBar::new(1);
    bar.set_style(indicatif::ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}")?);
    let mut rows = Vec::new();
    for line in BufReader::new(messages).lines() {
        let line = line?;
        match serde_json::from_str(&line) {
            Ok(worker::Message::Starting { case, index, count }) => {
                bar.set_length(count as u64);
                bar.set_position(index as u64);
                bar.set_message(case.clone());
                if bar.is_hidden() {
                    println!("  {}/{count} {case}", index + 1);
                }
            }
            Ok(worker::Message::Measured(row)) => rows.push(*row),
            Ok(worker::Message::Failed { case, reason }) => {
                *failed += 1;
                bar.suspend(|| eprintln!("  {case} failed: {reason}"));
            }
            // The statistics library's progress; ours says more.
            Err(_) if line.starts_with("Benchmarking ") => {}
            // Whatever drivers and CL_SHOW_KERNELS print.
            Err(_) => bar.suspend(|| eprintln!("{line}")),
        }
    }
    bar.finish_and_clear();
    let status = child.wait()?;
    if !status.success() {
        *failed += 1;
        eprintln!("  the measuring process of this device ended with {status}");
    }
    Ok(report::with_fractions(rows))
}
