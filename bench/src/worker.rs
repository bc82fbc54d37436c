//! Measuring one device: each case is prepared, verified, and only then timed.

use crate::cases::{self, Case};
use crate::report::Row;
use crate::timing::{self, Clock};
use crate::{Failure, Options};
use cl_core::{Context, Device, DeviceKind, Queue, QueueOptions};
use serde::{Deserialize, Serialize};

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
    let sizes = if options.log2.is_empty() { vec![if gpu { 28 } else { 24 }] } else { options.log2.clone() };
    let context = Context::on(&device)?;
    let profiling = Queue::new(&context, QueueOptions::new().profiling())?;
    let plain = Queue::new(&context, QueueOptions::new())?;
    let folder = tempfile::tempdir()?;

    let wanted = |case: &&Case| {
        // The copy bandwidth is what the others are measured by.
        case.is_ceiling() || options.filter.as_ref().is_none_or(|text| case.name.contains(text.as_str()))
    };
    let cases: Vec<&Case> = cases::ALL.iter().filter(wanted).collect();
    let count = cases.len() * sizes.len();
    for (round, log2) in sizes.iter().enumerate() {
        for (at, case) in cases.iter().enumerate() {
            let label = format!("{} {}", case.name, case.element);
            send(&Message::Starting { case: label.clone(), index: round * cases.len() + at, count })?;
            // Events on GPUs; on CPUs, for transfers and for the cost of calls the host's clock.
            let (queue, clock) = match (case.calls_only, gpu && !case.by_host) {
                (true, _) => (&plain, Clock::Calls),
                (false, true) => (&profiling, Clock::Device),
                (false, false) => (&plain, Clock::Host),
            };
            match measure(case, queue, &clock, *log2, options, folder.path()) {
                Ok(Some(row)) => send(&Message::Measured(Box::new(row)))?,
                Ok(None) => {}
                Err(error) => send(&Message::Failed { case: label, reason: error.to_string() })?,
            }
            queue.trim_scratch();
        }
    }
    Ok(())
}

fn measure(
    case: &Case,
    queue: &Queue,
    clock: &Clock,
    log2: u32,
    options: &Options,
    folder: &std::path::Path,
) -> Result<Option<Row>, Failure> {
    let device = queue.device();
    if case.element == "f64" && !device.has_fp64()? {
        return Ok(None);
    }
    // The same bytes for every element type, as far as one allocation and half the memory go.
    let element_bytes = if case.element == "f64" { 8 } else { 4 };
    let largest = device.max_allocation()?.min(device.global_memory()? / 8);
    let mut n = (1_usize << log2) * 4 / element_bytes;
    while (n * element_bytes) as u64 > largest && n > 1 {
        n /= 2;
    }
    let n = if case.calls_only { cases::CALLS_N } else { n };
    let mut state = (case.prepare)(queue, n)?;
    let estimate = timing::measure(queue, clock, state.step(), options.quick, folder)?;
    let bytes = case.bytes_per_element * n;
    Ok(Some(Row {
        device: device.to_string(),
        driver: device.driver_version()?,
        case: case.name.to_owned(),
        element: case.element.to_owned(),
        n,
        clock: if matches!(clock, Clock::Device) { "device" } else { "host" }.to_owned(),
        median_seconds: estimate.median,
        deviation_seconds: estimate.deviation,
        gb_per_s: (bytes > 0).then(|| bytes as f64 / estimate.median * 1e-9),
        fraction_of_copy: None,
    }))
}
