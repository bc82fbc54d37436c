//! The benchmark program: every case on every device, beside the device's own copy bandwidth.
//!
//! One process a device does the measuring (`worker`), so that a driver that crashes costs its own
//! rows only; this one shows progress and prints the table. With `--tune` it searches for better shapes of
//! kernels instead (`tune`).

mod cases;
mod data;
mod date;
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
    /// Beside other libraries, as far as they are here: on NVIDIA's devices CUB, Thrust and cuRAND, built by nvcc;
    /// on all Boost.Compute, built by c++; on processors Rust's own library and rayon.
    #[arg(long)]
    peers: bool,
    /// Where the programs of other libraries are kept, to be built once.
    #[arg(long, requires = "peers", value_name = "FOLDER")]
    peers_in: Option<PathBuf>,
    /// Writes one JSON object a row to this file.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Writes the report as one page for browsers and printers; with several --sizes it plots them.
    #[arg(long)]
    html: Option<PathBuf>,
    /// Marks what has changed since an older report, a file of --json, by more than both vary.
    #[arg(long, value_name = "OLD")]
    compare: Option<PathBuf>,
    /// Measures nothing: the rows are those of these files of --json, from several machines perhaps.
    #[arg(long, value_name = "FILE", value_delimiter = ',', conflicts_with_all = ["device", "filter", "peers", "tune"])]
    from: Vec<PathBuf>,
    /// Searches for the best shapes of kernels, and writes those that beat the present ones as a table for
    /// `CL_TUNING`.
    #[arg(long, conflicts_with_all = ["json", "html", "compare"])]
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
    // What cannot be read is said before anything is measured.
    let old = options.compare.as_ref().map(|path| report::read(path)).transpose()?;
    let (mut rows, mut failed) = (Vec::new(), 0);
    if options.from.is_empty() {
        worker::chosen(options)?;
        for (number, device) in devices(options)? {
            rows.extend(one_device(number, &device, old.as_deref(), options, &mut failed)?);
        }
    } else {
        for path in &options.from {
            rows.extend(report::read(path)?);
        }
        show(&mut rows, old.as_deref());
    }
    if let Some(path) = &options.json {
        report::write(path, &rows)?;
    }
    if let Some(path) = &options.html {
        std::fs::write(path, report::page(&rows)?).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    if failed > 0 {
        return Err(format!("{failed} device(s) or case(s) failed, see above").into());
    }
    Ok(())
}

/// Measures a device and shows what came out.
fn one_device(
    number: usize,
    device: &Device,
    old: Option<&[Row]>,
    options: &Options,
    failed: &mut usize,
) -> Result<Vec<Row>, Failure> {
    println!("{device}, driver {}", device.driver_version()?);
    let mut rows = measure(number, options, failed)?;
    if options.peers {
        peers::add(&mut rows, &device.to_string(), &worker::sizes(device, options)?, options)?;
    }
    show(&mut rows, old);
    Ok(rows)
}

/// Prints the rows, compared with an older report where there is one.
fn show(rows: &mut [Row], old: Option<&[Row]>) {
    let said = old.map(|old| report::compare(rows, old));
    println!("{}\n", report::table(rows));
    if let Some(said) = said {
        println!("{said}\n");
    }
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
    for (wanted, option) in [(options.host_clock, "--host-clock"), (options.peers, "--peers")] {
        if wanted {
            command.arg(option);
        }
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
