//! Times of other libraries for the same cases, measured with ours.

mod host;
mod program;
mod setting;

pub(crate) use host::of as on_host;

use crate::cases::{self, Case};
use crate::failure::Failure;
use crate::options::{EVERY, Options, Size};
use crate::process;
use crate::report::{Row, Times, element_bytes};
use program::Program;
pub(crate) use program::Time;
use serde::Deserialize;
pub(crate) use setting::Setting;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Returns whether these names select a library.
pub(crate) fn are_wanted(names: &[String], library: &str) -> bool {
    names.iter().any(|name| name == EVERY || name.eq_ignore_ascii_case(library))
}

/// The number of samples of each case.
const SAMPLES: usize = 30;
const SHORT_SAMPLES: usize = 10;

/// Returns an error unless all names are those of libraries.
pub(crate) fn check(names: &[String]) -> Result<(), Failure> {
    let mut known: Vec<&str> =
        program::ALL.iter().map(|program| program.library).chain(host::NAMES).collect();
    known.dedup();
    for name in names {
        if name != EVERY && !known.iter().any(|library| name.eq_ignore_ascii_case(library)) {
            return Err(format!("no library is called {name}; there are: {}", known.join(", ")).into());
        }
    }
    Ok(())
}

/// Returns the selected programs of other libraries that run on this device and have one of the chosen cases.
pub(crate) fn programs(
    device: &str,
    is_gpu: bool,
    options: &Options,
    chosen: &[&Case],
) -> impl Iterator<Item = &'static Program> {
    let has_any = move |program: &&Program| {
        let is = |case: &&Case, (name, element): (&str, &str)| case.name == name && case.element == element;
        program.cases().any(|named| chosen.iter().any(|case| is(case, named)))
    };
    let wanted = move |program: &&Program| {
        program.is_for(device, is_gpu) && are_wanted(&options.peers, program.library) && has_any(program)
    };
    program::ALL.iter().filter(wanted)
}

/// Returns notes on the selected libraries that do not work on this device.
pub(crate) fn left_out(names: &[String], device: &str, is_gpu: bool) -> Vec<String> {
    let note = |libraries: Vec<&str>, reason: &str| {
        let mut wanted: Vec<&str> =
            libraries.into_iter().filter(|library| are_wanted(names, library)).collect();
        wanted.dedup();
        (!wanted.is_empty()).then(|| format!("without {}: {reason}", wanted.join(", ")))
    };
    let (on_host, foreign): (Vec<&Program>, _) = program::ALL
        .iter()
        .filter(|program| !program.is_for(device, is_gpu))
        .partition(|program| program.is_of_host());
    let names = |programs: Vec<&'static Program>| programs.into_iter().map(|program| program.library);
    let in_rust = host::NAMES.into_iter().filter(|_| is_gpu);
    [
        note(names(foreign).collect(), "this device is not made by NVIDIA"),
        note(names(on_host).chain(in_rust).collect(), "they run on the host, and this device is a GPU"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Returns whether one of these libraries has a case.
pub(crate) fn have(names: &[String], case: &Case) -> bool {
    let is_it = |(name, element): (&str, &str)| name == case.name && element == case.element;
    let of_program = |program: &Program| are_wanted(names, program.library) && program.cases().any(is_it);
    program::ALL.iter().any(of_program) || on_host(case).any(|peer| are_wanted(names, peer.name))
}

/// A library's program, compiled, or the reason why it is not there.
pub(crate) struct Built {
    pub(crate) program: &'static Program,
    path: Result<PathBuf, String>,
    /// The cases, with their numbers of elements, that the program has compared with the host's in this session. The
    /// comparison can take the host ten times as long as all measurements, so each case has only one.
    verified: BTreeSet<(String, usize)>,
}

/// Compiles programs side by side, before anything is measured. Each is in this folder if it was built before. With
/// `verified`, each program then also verifies its cases among these.
pub(crate) fn built(
    programs: Vec<&'static Program>,
    folder: &Path,
    verified: Option<(&[&Case], Setting<'_>)>,
) -> Result<Vec<Built>, Failure> {
    std::fs::create_dir_all(folder)?;
    program::write_headers(folder)?;
    let (next, built) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(programs.len());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let path = program.built(folder).map_err(|error| error.to_string());
                    let mut one = Built { program, path, verified: BTreeSet::new() };
                    if let Some((chosen, setting)) = verified {
                        one.verify(chosen, setting);
                    }
                    built.lock().unwrap_or_else(PoisonError::into_inner).push(one);
                }
            });
        }
    });
    let mut built = built.into_inner().unwrap_or_else(PoisonError::into_inner);
    built.sort_by_key(|one| programs.iter().position(|program| std::ptr::eq(*program, one.program)));
    Ok(built)
}

/// A line of a program that only verifies.
#[derive(Deserialize)]
struct Verified {
    case: String,
    element: String,
    n: usize,
}

impl Built {
    /// Lets the program verify those of its cases that were chosen. A case that fails is verified again, and reported,
    /// when it would be measured.
    fn verify(&mut self, chosen: &[&Case], setting: Setting<'_>) {
        let is_its_own = |case: &&&Case| self.program.cases().any(|named| named == (case.name, case.element));
        let labels: Vec<String> = chosen.iter().filter(is_its_own).map(|case| case.label()).collect();
        let Ok(path) = &self.path else { return };
        for &size in setting.sizes {
            let Some(command) = self.program.verify_command(path, size, &labels.join("\n"), setting) else {
                return;
            };
            let verified = &mut self.verified;
            let lines = process::lines(command, |line| {
                if let Ok(Verified { case, element, n }) = serde_json::from_str(line) {
                    verified.insert((format!("{case} {element}"), n));
                }
            });
            if let Ok(Some(complaint)) = lines {
                println!("  {} could not verify all cases: {complaint}", self.program.title());
            }
        }
    }

    /// Runs the program for its cases among the rows that one process has measured on a device, and adds its times
    /// to these rows. Calls `on_time` after each. Returns notes on the cases that were left out, with the reasons.
    pub(crate) fn add(
        &mut self,
        rows: &mut [Row],
        options: &Options,
        setting: Setting<'_>,
        on_time: impl FnMut(&[Row], &Time),
    ) -> Vec<String> {
        let library = self.program.library;
        self.run(rows, options, setting, on_time)
            .unwrap_or_else(|reason| vec![format!("{library}: {reason}")])
    }

    fn run(
        &mut self,
        rows: &mut [Row],
        options: &Options,
        setting: Setting<'_>,
        mut on_time: impl FnMut(&[Row], &Time),
    ) -> Result<Vec<String>, Failure> {
        let program = self.program;
        let is_its_own = |row: &&Row| {
            program.cases().any(|(case, element)| row.case == case && row.element == element)
                && options.is_wanted(&row.label())
        };
        let is_verified = |row: &Row| self.verified.contains(&(row.label(), row.n));
        let plan = plan(rows.iter().filter(is_its_own), setting.sizes, is_verified);
        if plan.is_empty() {
            return Ok(Vec::new());
        }
        let path = self.path.as_ref().map_err(String::as_str)?;
        let samples = if options.full { SAMPLES } else { SHORT_SAMPLES };
        let (mut notes, mut complaints) = (Vec::new(), BTreeSet::new());
        for ((size, verifies), labels) in plan {
            let filter = labels.iter().map(String::as_str).collect::<Vec<_>>().join("\n");
            let command = program.command(path, size, &filter, samples, verifies, setting);
            let verified = &mut self.verified;
            // A time is stored as soon as it is measured, and counts whatever else fails.
            let mut on_line = |line: &str| -> Result<(), Failure> {
                let time: Time = serde_json::from_str(line)?;
                let label = format!("{} {}", time.case, time.element);
                // A program also measures cases whose names contain one of `labels`. Their times are ignored.
                if !labels.contains(&label) {
                    return Ok(());
                }
                // A program that verifies does so before it measures.
                if verifies {
                    verified.insert((label.clone(), time.n));
                }
                if store_time(rows, program.library, &time) {
                    on_time(rows, &time);
                } else {
                    let (library, n) = (program.library, time.n);
                    notes.push(format!(
                        "{library}: without `{label}`, which measured {n} elements, unlike every row"
                    ));
                }
                Ok(())
            };
            let mut failure = None;
            let end = process::lines(command, |line| {
                if let Err(error) = on_line(line) {
                    failure.get_or_insert(error);
                }
            })?;
            if let Some(error) = failure {
                return Err(error);
            }
            complaints.extend(end);
        }
        notes.extend(complaints.into_iter().map(|complaint| format!("{}: {complaint}", program.library)));
        Ok(notes)
    }
}

/// The labels of the cases to measure at a size, and whether they must be verified before.
type Plan = BTreeMap<(Size, bool), BTreeSet<String>>;

/// Returns the cases to measure. A program then measures as many elements as the rows have.
fn plan<'r>(rows: impl Iterator<Item = &'r Row>, sizes: &[Size], is_verified: impl Fn(&Row) -> bool) -> Plan {
    let mut plan = Plan::new();
    for row in rows {
        plan.entry((size_of(row, sizes), !is_verified(row))).or_default().insert(row.label());
    }
    plan
}

/// Returns the size at which a program measures `row.n` elements. The size is one of `sizes` if
/// possible. Otherwise the device had too little memory, or the case needs more elements; then it is the
/// least size that fits the row.
fn size_of(row: &Row, sizes: &[Size]) -> Size {
    let case = cases::ALL.iter().find(|case| case.label() == row.label());
    let fits = |size: &&Size| {
        let fitting = 4 * size.0 / element_bytes(&row.element);
        fitting >= row.n && case.is_some_and(|case| case.elements(fitting) == row.n)
    };
    let least = || row.vector_bytes().div_ceil(4).next_power_of_two();
    sizes.iter().find(fits).copied().unwrap_or_else(|| Size(least()))
}

/// Stores a time of a library in the rows of the same case and number of elements. Returns whether there are such
/// rows.
fn store_time(rows: &mut [Row], library: &str, time: &Time) -> bool {
    let mut found = false;
    for row in rows.iter_mut() {
        if row.case == time.case && row.element == time.element && row.n == time.n {
            let times = Times::once(time.calls_seconds, Some(time.host_seconds), Some(time.device_seconds));
            row.peers.insert(library.to_owned(), times);
            found = true;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peers_are_chosen_by_name() {
        let names = |text: &str| text.split(',').map(str::to_owned).collect::<Vec<_>>();
        assert!(!are_wanted(&[], "CUB"));
        assert!(are_wanted(&names("all"), "CUB") && are_wanted(&names("std,cub"), "CUB"));
        assert!(!are_wanted(&names("std"), "CUB"));
        assert!(check(&names("all,STD,boost.compute,cuRAND")).is_ok());
        let error = check(&names("std,thrust")).unwrap_err().to_string();
        let known = "CUB, CUB-32, cuRAND, cuSPARSE, cuFFT, cuBLAS, cuSOLVER, Boost.Compute, ViennaCL, CLBlast, clFFT, VkFFT, Eigen, OpenBLAS, polars, std, rayon, rustfft, sprs, matrixmultiply, faer";
        assert!(error.ends_with(&format!("thrust; there are: {known}")), "{error}");
    }

    #[test]
    fn who_has_nothing_to_do_with_a_device_is_named() {
        let of = |names: &str, device, is_gpu| {
            let names: Vec<String> = names.split(',').map(str::to_owned).collect();
            left_out(&names, device, is_gpu)
        };
        assert_eq!(
            of("all", "x (PoCL)", false),
            [
                "without CUB, CUB-32, cuRAND, cuSPARSE, cuFFT, cuBLAS, cuSOLVER: this device is not made by NVIDIA"
            ]
        );
        let gpu = of("std,cub", "x (NVIDIA CUDA)", true);
        assert_eq!(gpu, ["without std: they run on the host, and this device is a GPU"]);
        let both = of("Eigen,std", "x (NVIDIA CUDA)", true);
        assert_eq!(both, ["without Eigen, std: they run on the host, and this device is a GPU"]);
        assert!(of("std,CLBlast,Eigen", "x (PoCL)", false).is_empty());
    }

    #[test]
    fn times_go_to_the_rows_of_their_case() {
        let row = |case: &str, n, clock: &str| Row { n, ..Row::of(case, "u32", clock) };
        let mut rows = [row("sort", 8, "device"), row("sort", 8, "host"), row("sort", 9, "device")];
        let line = r#"{"case":"sort","element":"u32","n":8,"device_seconds":2.5,"host_seconds":3}"#;
        let time: Time = serde_json::from_str(line).unwrap();
        let times = Times::once(None, Some(3.0), Some(2.5));
        assert!(store_time(&mut rows, "CUB", &time));
        let found = rows.map(|row| row.peers.get("CUB").cloned());
        assert_eq!(found, [Some(times.clone()), Some(times), None]);
        assert!(!store_time(&mut [row("sort", 7, "host")], "CUB", &time));
    }

    #[test]
    fn programs_are_asked_for_as_many_elements_as_the_rows_have() {
        let log2 = |label: &str, n, sizes: &[u32]| {
            let case = cases::ALL.iter().find(|case| case.label() == label).unwrap();
            let sizes: Vec<Size> = sizes.iter().map(|&log2| Size::power(log2)).collect();
            size_of(&Row { n, ..Row::of(case.name, case.element, "") }, &sizes).0.ilog2()
        };
        assert_eq!(log2("sum u32", 1 << 26, &[20, 26]), 26);
        assert_eq!(log2("sum u32", 1 << 25, &[20, 26]), 25, "a device without room for more");
        assert_eq!(log2("sum f64", 1 << 24, &[26]), 25);
        assert_eq!(log2("histogram, 256 bins u8", 1 << 26, &[24]), 24);
        assert_eq!(log2("sparse product, 5-point stencil f64", 4_000_000, &[20, 28]), 28, "the case's most");
        assert_eq!(log2("sparse product, 32 anywhere in a row f32", 32, &[3]), 5, "the case's least");
        assert_eq!(log2("FFT of 1000 points c32", 8_388_000, &[24]), 24);
        assert_eq!(log2("FFT of 1000 points c32", 1000, &[3]), 11);
        assert_eq!(log2("array: product, 1023 x 1023 f64", 1023 * 1023, &[24]), 24);
        assert_eq!(log2("array: product, 1023 x 1023 f64", 1023 * 1023, &[8]), 21);
        assert_eq!(log2("uniform, Philox 4x32 f64", 1, &[0]), 1);

        let rows =
            [("sum", 64), ("sort", 64), ("sort", 32)].map(|(case, n)| Row { n, ..Row::of(case, "u32", "") });
        let texts = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        let planned = [
            ((Size(32), true), texts(&["sort u32"])),
            ((Size(64), false), texts(&["sum u32"])),
            ((Size(64), true), texts(&["sort u32"])),
        ];
        assert_eq!(plan(rows.iter(), &[Size(64)], |row| row.case == "sum"), planned.into());
    }
}
