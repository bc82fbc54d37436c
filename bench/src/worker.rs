//! Measuring one device: each case is prepared, verified, and only then timed.

use crate::cases::{self, Case, Timed};
use crate::report::{Row, element_bytes};
use crate::timing::{self, Clock, Compared, Estimate};
use crate::{Failure, Options};
use cl_core::{Context, Device, DeviceKind, Queue, QueueOptions};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
    for (round, log2) in sizes.iter().enumerate() {
        for (at, case) in cases.iter().enumerate() {
            let label = case.label();
            send(&Message::Starting { case: label.clone(), index: round * cases.len() + at, count })?;
            // Events on GPUs; on CPUs, for transfers and for the cost of calls the host's clock.
            let by_events = gpu && !case.by_host && !options.host_clock;
            let (queue, clock) = if by_events { (&profiling, Clock::Device) } else { (&plain, Clock::Host) };
            match measure(case, queue, &clock, *log2, options, folder.path()) {
                Ok(rows) => {
                    for row in rows {
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

/// Numbers of elements, as powers of two: those that were asked for, or what suits the device.
pub(crate) fn sizes(device: &Device, options: &Options) -> Result<Vec<u32>, Failure> {
    Ok(if options.log2.is_empty() { vec![usual_log2(device)?] } else { options.log2.clone() })
}

/// How many elements vectors have unless somebody says otherwise, as log2.
pub(crate) fn usual_log2(device: &Device) -> Result<u32, Failure> {
    Ok(if device.kind()?.contains(DeviceKind::GPU) { 28 } else { 24 })
}

/// The only case that is asked for, or those that the filter names and those that measure the copy bandwidth,
/// which the others are compared with.
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
    Ok(cases::ALL.iter().filter(|case| case.is_ceiling() || named(case)).collect())
}

fn measure(
    case: &Case,
    queue: &Queue,
    clock: &Clock,
    log2: u32,
    options: &Options,
    folder: &std::path::Path,
) -> Result<Vec<Row>, Failure> {
    let device = queue.device();
    if matches!(case.element, "f64" | "c64") && !device.has_fp64()? {
        return Ok(vec![]);
    }
    // The same bytes for every element type, as far as one allocation and half the memory go.
    let element_bytes = element_bytes(case.element);
    let largest = device.max_allocation()?.min(device.global_memory()? / 8);
    let mut n = (1_usize << log2) * 4 / element_bytes;
    while (n * element_bytes) as u64 > largest && n > 1 {
        n /= 2;
    }
    let n = n.min(case.at_most);
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
        gb_per_s: (bytes > 0).then(|| bytes as f64 / estimate.median * 1e-9),
        fraction_of_copy: None,
        peers: BTreeMap::new(),
    };
    let name = case.name;
    Ok(match case.timed {
        Timed::Alone(prepare) => {
            let work = prepare(queue, n)?.into();
            vec![row(name.to_owned(), timing::measure(queue, clock, work, options.quick, folder)?)]
        }
        Timed::Restored(prepare) => {
            let work = prepare(queue, n)?;
            vec![row(name.to_owned(), timing::measure(queue, clock, work, options.quick, folder)?)]
        }
        Timed::Against { other, held, prepare } => {
            let mut pair = prepare(queue, n)?;
            let Compared { ours, bare, more } = timing::compare(queue, &mut pair, held, options.quick)?;
            vec![
                row(format!("{name}: {other}"), bare),
                row(name.to_owned(), ours),
                row(format!("{name}: difference"), more),
            ]
        }
    })
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
        let copies = ["copy (clEnqueueCopyBuffer) f32", "copy (kernel) f32"];
        assert_eq!(labels(&["--filter", "sum u32"]), [copies[0], copies[1], "sum u32"]);
        assert_eq!(labels(&["--filter", "copy ("]), copies);
        assert_eq!(labels(&["--only", "sum u32"]), ["sum u32"]);
        let error = chosen(&options(&["--filter", "no such case"])).map(drop).unwrap_err().to_string();
        assert!(error.contains("\"no such case\"") && error.contains("dot product f32"), "{error}");
    }
}
