//! Measures one device: each case is prepared and verified before it is timed.

use crate::cases::{self, Case, Ceiling, Timed};
use crate::options::{Options, Size};
use crate::report::{Row, Times, element_bytes, part};
use crate::roofline::Roofline;
use crate::timing::{self, Clock, Compared, Estimate, Length, Measured, Restored};
use crate::{answers::Answers, failure::Failure, peers, process::Message};
use cl_core::{Context, Device, DeviceKind, Queue, QueueOptions};
use std::collections::{BTreeMap, HashSet};
use std::time::Instant;
use tempfile::TempDir;

/// The base-2 logarithm of the number of operations that measure the rate of arithmetic. These operations
/// take a few hundred microseconds on a large GPU, and some tens of milliseconds on a CPU.
const RATE_LOG2_OF_GPUS: u32 = 34;
const RATE_LOG2: u32 = 31;

fn send(message: &Message) -> Result<(), Failure> {
    eprintln!("{}", serde_json::to_string(message)?);
    Ok(())
}

pub(crate) fn run(number: usize, options: &Options) -> Result<(), Failure> {
    let device = Device::all()?.into_iter().nth(number);
    let device = device.ok_or_else(|| format!("device {number} is no longer present"))?;
    let worker = Worker::new(&device, options)?;
    let (sizes, cases) = (sizes(&device, options)?, chosen(options)?);
    let count = cases.len() * sizes.len();
    let (mut roofline, mut measured) = (Roofline::default(), HashSet::new());
    let session = options.seed.zip(options.answers.as_ref());
    let mut answers = session.map(|(seed, file)| Answers::new(seed, file)).transpose()?;
    for (round, size) in sizes.iter().enumerate() {
        for (at, case) in cases.iter().enumerate() {
            let label = case.label();
            let n = worker.elements(case, *size);
            // Several sizes can give a case the same `n`, because cases have a greatest number of elements.
            // Each case is measured once at each `n`.
            if options.share.is_some_and(|share| !share.has(at)) {
                continue;
            }
            if !measured.insert((label.clone(), n)) || (needs_doubles(case) && !device.has_fp64()?) {
                continue;
            }
            send(&Message::Starting { case: label.clone(), index: round * cases.len() + at, count })?;
            if let Some(answers) = &mut answers {
                answers.begin(&label, n);
            }
            let rows = worker.measure(case, n);
            if let Some(answers) = &mut answers {
                answers.end(rows.is_ok())?;
            }
            match rows {
                Ok(rows) => {
                    for mut row in rows {
                        roofline.complete(case, &mut row);
                        send(&Message::Measured(Box::new(row)))?;
                    }
                }
                Err(error) => send(&Message::Failed { case: label, reason: error.to_string() })?,
            }
        }
    }
    Ok(())
}

fn needs_doubles(case: &Case) -> bool {
    matches!(case.element, "f64" | "c64")
}

/// The state of the measurements on one device.
struct Worker<'o> {
    options: &'o Options,
    device: String,
    driver: String,
    gpu: bool,
    /// The greatest number of bytes of a vector, limited by the largest allocation and by an eighth of the
    /// memory.
    largest: u64,
    profiling: Queue,
    plain: Queue,
    /// The folder of the statistics library's output.
    folder: TempDir,
}

impl<'o> Worker<'o> {
    fn new(device: &Device, options: &'o Options) -> Result<Worker<'o>, Failure> {
        let context = Context::on(device)?;
        Ok(Worker {
            options,
            device: device.to_string(),
            driver: device.driver_version()?,
            gpu: device.kind()?.contains(DeviceKind::GPU),
            largest: device.max_allocation()?.min(device.global_memory()? / 8),
            profiling: Queue::new(&context, QueueOptions::new().profiling())?,
            plain: Queue::new(&context, QueueOptions::new())?,
            folder: tempfile::tempdir()?,
        })
    }

    /// Returns the number of elements of a case at a size. A vector has the same number of bytes for every
    /// element type, at most `self.largest`.
    fn elements(&self, case: &Case, size: Size) -> usize {
        if case.ceiling == Some(Ceiling::Rate) {
            return 1 << if self.gpu { RATE_LOG2_OF_GPUS } else { RATE_LOG2 };
        }
        let element_bytes = element_bytes(case.element);
        let mut n = size.0 * 4 / element_bytes;
        while (n * element_bytes) as u64 > self.largest && n > 1 {
            n /= 2;
        }
        case.elements(n)
    }

    /// Verifies a case and returns its rows; none if nothing is to be measured.
    fn measure(&self, case: &Case, n: usize) -> Result<Vec<Row>, Failure> {
        let queue = if case.by_host || self.options.host_clock { &self.plain } else { &self.profiling };
        let start = Instant::now();
        // Returns whether the case is to be measured.
        let prepared = || -> Result<bool, Failure> {
            send(&Message::Prepared { seconds: start.elapsed().as_secs_f64() })?;
            Ok(self.options.share.is_none())
        };
        let measured = |work: Restored, n: usize| -> Result<Vec<Row>, Failure> {
            if prepared()? { Ok(vec![self.time(case, queue, work, n)?]) } else { Ok(Vec::new()) }
        };
        let rows = match case.timed {
            Timed::Alone(prepare) => {
                let step = prepare(queue, n)?;
                measured(step.into(), n)?
            }
            Timed::Restored(prepare) => {
                let work = prepare(queue, n)?;
                measured(work, n)?
            }
            Timed::Counted(prepare) => {
                let (step, n) = prepare(queue, n)?;
                measured(step.into(), n)?
            }
            Timed::Against { other, held, prepare } => {
                let mut pair = prepare(queue, n)?;
                if !prepared()? {
                    return Ok(Vec::new());
                }
                let Compared { ours, bare, difference } =
                    timing::compare(queue, &mut pair, held, self.options.full)?;
                let row = |what: &str, estimate| Row {
                    case: format!("{}{what}", case.name),
                    ..self.row(case, Clock::Host, n, estimate)
                };
                vec![row(&format!(": {other}"), bare), row("", ours), row(": difference", difference)]
            }
        };
        queue.trim_scratch();
        Ok(rows)
    }

    /// Times a step on `n` elements. On CPUs, also times the Rust libraries of the host that have the same
    /// case.
    fn time(&self, case: &Case, queue: &Queue, work: Restored, n: usize) -> Result<Row, Failure> {
        // GPUs are timed by events. CPUs, transfers and the costs of calls are timed by the host's
        // clock.
        let clock = if self.gpu && queue.is_profiling() { Clock::Device } else { Clock::Host };
        let length = match self.options {
            Options { full: true, .. } => Length::Full,
            Options { seed: Some(_), .. } => Length::Short,
            _ => Length::Usual,
        };
        let folder = self.folder.path();
        let Measured { estimate, times } = timing::measure(Some(queue), clock, work, length, folder)?;
        let mut row = self.row(case, clock, n, estimate);
        row.ours = times;
        if case.ceiling != Some(Ceiling::Latency) {
            row.elements_per_second = Some(n as f64 / estimate.median);
        }
        if !self.gpu {
            for peer in peers::on_host(case).filter(|peer| peers::are_wanted(&self.options.peers, peer.name))
            {
                let work = (peer.prepare)(n).map_err(|error| format!("{}: {error}", peer.name))?;
                let measured = timing::measure(None, Clock::Host, work, length, folder)?;
                row.peers.insert(peer.name.to_owned(), measured.times);
            }
        }
        Ok(row)
    }

    fn row(&self, case: &Case, clock: Clock, n: usize, estimate: Estimate) -> Row {
        let bytes = case.bytes_per_element * n;
        Row {
            device: self.device.clone(),
            driver: self.driver.clone(),
            case: case.name.to_owned(),
            element: case.element.to_owned(),
            n,
            clock: if clock == Clock::Device { "device" } else { "host" }.to_owned(),
            median_seconds: estimate.median,
            deviation_seconds: estimate.deviation,
            spread: part(estimate.deviation, estimate.median),
            elements_per_second: None,
            gb_per_s: (bytes > 0).then(|| bytes as f64 / estimate.median * 1e-9),
            fraction_of_copy: None,
            fraction_of_roofline: None,
            ours: Times::default(),
            peers: BTreeMap::new(),
            change: None,
        }
    }
}

/// Returns the numbers of elements: those of the options, or the device's default.
pub(crate) fn sizes(device: &Device, options: &Options) -> Result<Vec<Size>, Failure> {
    Ok(if options.sizes.is_empty() { vec![usual_size(device)?] } else { options.sizes.clone() })
}

/// Returns the default number of elements of a vector.
pub(crate) fn usual_size(device: &Device) -> Result<Size, Failure> {
    Ok(Size::power(if device.kind()?.contains(DeviceKind::GPU) { 28 } else { 24 }))
}

/// Returns the cases of `--only`. Without `--only`, returns the cases that the filter names, and the ceilings
/// that these cases are compared with.
///
/// # Errors
/// If no case is selected; the error lists the cases.
pub(crate) fn chosen(options: &Options) -> Result<Vec<&'static Case>, Failure> {
    if !options.only.is_empty() {
        return Ok(cases::ALL.iter().filter(|case| options.only.contains(&case.label())).collect());
    }
    let usual = |case: &Case| {
        if options.compared {
            return peers::have(&options.peers, case);
        }
        options.full || !options.filter.is_empty() || !case.only_in_full
    };
    let named = |case: &Case| options.is_wanted(&case.label()) && usual(case);
    if !cases::ALL.iter().any(named) {
        let labels: Vec<String> = cases::ALL.iter().map(Case::label).collect();
        let texts: Vec<String> = options.filter.iter().map(|text| format!("`{text}`")).collect();
        let (texts, labels) = (texts.join(" or "), labels.join("\n  "));
        return Err(format!("no case contains {texts}; there are\n  {labels}").into());
    }
    let counts = cases::ALL.iter().any(|case| named(case) && case.flops_per_element > 0.0);
    let needed = |case: &Case| match case.ceiling {
        Some(Ceiling::Bandwidth) => true,
        Some(Ceiling::Rate) => counts,
        Some(Ceiling::Latency) | None => false,
    };
    Ok(cases::ALL.iter().filter(|case| needed(case) || named(case)).collect())
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
        assert_eq!(labels(&["--full"]).len(), cases::ALL.len());
        let long = "lower bounds, random needles u32";
        assert!(!labels(&[]).contains(&long.to_owned()) && labels(&["--filter", "lower"])[4..] == [long]);
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
        assert_eq!(labels(&["--filter", "sum u32", "--filter", "dot"])[4..], ["sum u32", "dot product f32"]);
        assert_eq!(labels(&["--only", "sum u32"]), ["sum u32"]);
        let compared = labels(&["--peers=curand", "--compared"]);
        assert!(compared[4..].iter().all(|label| label.contains("Philox")) && compared.len() == 9);
        let sorts = labels(&["--peers=cub", "--compared", "--filter", "sort u"]);
        assert!(sorts.contains(&"sort u16".to_owned()), "also what otherwise takes long");
        let error = chosen(&options(&["--filter", "no such case"])).map(drop).unwrap_err().to_string();
        assert!(error.contains("`no such case`") && error.contains("\n  dot product f32"), "{error}");
    }
}
