//! Measuring one device: each case is prepared, verified, and only then timed.

use crate::cases::{self, Case, Ceiling, Timed};
use crate::report::{Row, element_bytes};
use crate::roofline::Roofline;
use crate::timing::{self, Clock, Compared, Estimate, Measured, Restored};
use crate::{Failure, Options, peers};
use cl_core::{Context, Device, DeviceKind, Queue, QueueOptions};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// Operations that measure the rate of arithmetic, as log2: some hundred microseconds on a large GPU, and
/// some tens of milliseconds on a CPU.
const RATE_LOG2_OF_GPUS: u32 = 34;
const RATE_LOG2: u32 = 31;

/// What the worker tells the program that started it: one JSON object a line.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Message {
    Starting { case: String, index: usize, count: usize },
    Measured(Box<Row>),
    Failed { case: String, reason: String },
}

fn send(message: &Message) -> Result<(), Failure> {
    eprintln!("{}", serde_json::to_string(message)?);
    Ok(())
}

pub(crate) fn run(number: usize, options: &Options) -> Result<(), Failure> {
    let device = Device::all()?.into_iter().nth(number).ok_or("the device is gone")?;
    let gpu = device.kind()?.contains(DeviceKind::GPU);
    let sizes = sizes(&device, options)?;
    let context = Context::on(&device)?;
    let profiling = Queue::new(&context, QueueOptions::new().profiling())?;
    let plain = Queue::new(&context, QueueOptions::new())?;
    let folder = tempfile::tempdir()?;

    let cases = chosen(options)?;
    let count = cases.len() * sizes.len();
    let mut roofline = Roofline::default();
    let mut measured = HashSet::new();
    for (round, log2) in sizes.iter().enumerate() {
        for (at, case) in cases.iter().enumerate() {
            let label = case.label();
            let n = elements(case, &device, *log2)?;
            // What has a largest size is measured there once.
            if !measured.insert((label.clone(), n))
                || (case.element.ends_with("f64") && !device.has_fp64()?)
            {
                continue;
            }
            send(&Message::Starting { case: label.clone(), index: round * cases.len() + at, count })?;
            // Events on GPUs; on CPUs, for transfers and for the cost of calls the host's clock.
            let clock = if gpu && !case.by_host && !options.host_clock { Clock::Device } else { Clock::Host };
            let queue = if case.by_host || options.host_clock { &plain } else { &profiling };
            match measure(case, queue, &clock, n, options, folder.path()) {
                Ok(rows) => {
                    for mut row in rows {
                        roofline.complete(case, &mut row);
                        if options.peers && !gpu {
                            row.peers = host_peers(case, n, options.quick, folder.path())?;
                            row.peers_host = row.peers.clone();
                        }
                        send(&Message::Measured(Box::new(row)))?;
                    }
                }
                Err(error) => send(&Message::Failed { case: label, reason: error.to_string() })?,
            }
            queue.trim_scratch();
        }
    }
    Ok(())
}

/// What the host's own code takes for the same, by name.
fn host_peers(case: &Case, n: usize, quick: bool, folder: &Path) -> Result<BTreeMap<String, f64>, Failure> {
    let seconds = |peer: &peers::HostPeer| -> Result<_, Failure> {
        let measured = timing::measure(None, &Clock::Host, (peer.prepare)(n), quick, folder)?;
        Ok((peer.name.to_owned(), measured.estimate.median))
    };
    peers::on_host(case).map(seconds).collect()
}

/// How many elements a case has at a size: the same bytes for every element type, as far as one allocation and
/// a part of the memory go.
fn elements(case: &Case, device: &Device, log2: u32) -> Result<usize, Failure> {
    if case.ceiling == Some(Ceiling::Rate) {
        let gpu = device.kind()?.contains(DeviceKind::GPU);
        return Ok(1 << if gpu { RATE_LOG2_OF_GPUS } else { RATE_LOG2 });
    }
    let element_bytes = element_bytes(case.element);
    let largest = device.max_allocation()?.min(device.global_memory()? / 8);
    let mut n = (1_usize << log2) * 4 / element_bytes;
    while (n * element_bytes) as u64 > largest && n > 1 {
        n /= 2;
    }
    Ok(n.clamp(1, case.at_most))
}

/// Numbers of elements, as powers of two: those that were asked for, or what suits the device.
pub(crate) fn sizes(device: &Device, options: &Options) -> Result<Vec<u32>, Failure> {
    Ok(if options.sizes.is_empty() { vec![usual_log2(device)?] } else { options.sizes.clone() })
}

/// How many elements vectors have unless somebody says otherwise, as log2.
pub(crate) fn usual_log2(device: &Device) -> Result<u32, Failure> {
    Ok(if device.kind()?.contains(DeviceKind::GPU) { 28 } else { 24 })
}

/// The only case that is asked for, or those that the filter names and the ceilings that these are compared with.
///
/// # Errors
/// Lists the cases when none is named.
pub(crate) fn chosen(options: &Options) -> Result<Vec<&'static Case>, Failure> {
    if let Some(only) = &options.only {
        return Ok(cases::ALL.iter().filter(|case| case.label() == *only).collect());
    }
    let filter = options.filter.as_deref().unwrap_or_default();
    let named = |case: &Case| case.label().contains(filter);
    if !cases::ALL.iter().any(named) {
        let labels: Vec<String> = cases::ALL.iter().map(Case::label).collect();
        return Err(format!("no case matches {filter:?}; there are: {}", labels.join("; ")).into());
    }
    let counts = cases::ALL.iter().any(|case| named(case) && case.flops_per_element > 0.0);
    let needed = |case: &Case| match case.ceiling {
        Some(Ceiling::Bandwidth) => true,
        Some(Ceiling::Rate) => counts,
        Some(Ceiling::Latency) | None => false,
    };
    Ok(cases::ALL.iter().filter(|case| needed(case) || named(case)).collect())
}

fn measure(
    case: &Case,
    queue: &Queue,
    clock: &Clock,
    n: usize,
    options: &Options,
    folder: &Path,
) -> Result<Vec<Row>, Failure> {
    let device = queue.device();
    let (device, driver) = (device.to_string(), device.driver_version()?);
    let bytes = case.bytes_per_element * n;
    let row = |case_name: String, estimate: Estimate| Row {
        device: device.clone(),
        driver: driver.clone(),
        case: case_name,
        element: case.element.to_owned(),
        n,
        clock: if matches!(clock, Clock::Device) { "device" } else { "host" }.to_owned(),
        median_seconds: estimate.median,
        deviation_seconds: estimate.deviation,
        spread: estimate.deviation / estimate.median.abs(),
        device_seconds: None,
        host_seconds: None,
        elements_per_second: None,
        gb_per_s: (bytes > 0).then(|| bytes as f64 / estimate.median * 1e-9),
        fraction_of_copy: None,
        fraction_of_roofline: None,
        peers: BTreeMap::new(),
        peers_host: BTreeMap::new(),
        change: None,
    };
    // Of a step that works on elements.
    let measure = |work: Restored, n: usize| -> Result<Vec<Row>, Failure> {
        let Measured { estimate, host, device } =
            timing::measure(Some(queue), clock, work, options.quick, folder)?;
        let elements_per_second =
            (case.ceiling != Some(Ceiling::Latency)).then(|| n as f64 / estimate.median);
        let row = row(case.name.to_owned(), estimate);
        let row = Row { n, device_seconds: device, host_seconds: Some(host), elements_per_second, ..row };
        Ok(vec![row])
    };
    match case.timed {
        Timed::Alone(prepare) => measure(prepare(queue, n)?.into(), n),
        Timed::Restored(prepare) => measure(prepare(queue, n)?, n),
        Timed::Counted(prepare) => {
            let (step, n) = prepare(queue, n)?;
            measure(step.into(), n)
        }
        Timed::Against { other, held, prepare } => {
            let mut pair = prepare(queue, n)?;
            let Compared { ours, bare, more } = timing::compare(queue, &mut pair, held, options.quick)?;
            let name = case.name;
            Ok(vec![
                row(format!("{name}: {other}"), bare),
                row(name.to_owned(), ours),
                row(format!("{name}: difference"), more),
            ])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[test]
    fn a_filter_names_cases_by_name_or_element_beside_the_ceilings() {
        let options = |args: &[&str]| Options::parse_from([&["cl-bench"], args].concat());
        let labels = |args: &[&str]| -> Vec<String> {
            chosen(&options(args)).unwrap().into_iter().map(Case::label).collect()
        };
        assert_eq!(labels(&[]).len(), cases::ALL.len());
        let ceilings = [
            "copy (clEnqueueCopyBuffer) f32",
            "copy (kernel) f32",
            "read (kernel) u32",
            "write (kernel) u32",
        ];
        assert_eq!(labels(&["--filter", "sum u32"]), [&ceilings[..], &["sum u32"]].concat());
        assert_eq!(labels(&["--filter", "copy ("]), ceilings);
        let rates = ["multiply and add, operations f32", "multiply and add, operations f64"];
        assert_eq!(
            labels(&["--filter", "4 step, rec"]),
            [&ceilings[..], &rates, &["Lorenz RK4 step, recorded f64"]].concat()
        );
        assert_eq!(labels(&["--only", "sum u32"]), ["sum u32"]);
        let error = chosen(&options(&["--filter", "no such case"])).map(drop).unwrap_err().to_string();
        assert!(error.contains("\"no such case\"") && error.contains("dot product f32"), "{error}");
    }
}
