//! Other libraries' Fourier transforms: cuFFT on NVIDIA's devices; `rustfft` and clFFT on CPUs.

use super::are_wanted;
use super::program::nvcc;
use crate::report::Row;
use crate::{Failure, Options};
use rustfft::num_complex::Complex;
use rustfft::{FftNum, FftPlanner};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Both print lines of a name, such as `c2c-f32-1024`, and milliseconds.
const CUFFT: &str = include_str!("../../peers/cufft.cu");
const CLFFT: &str = include_str!("../../peers/clfft.c");

/// Runs that count.
const SAMPLES: usize = 15;
const QUICK_SAMPLES: usize = 5;

/// Their names.
pub(super) const NAMES: [&str; 3] = [CUFFT_NAME, CLFFT_NAME, RUSTFFT_NAME];
const CUFFT_NAME: &str = "cuFFT";
const CLFFT_NAME: &str = "clFFT";
const RUSTFFT_NAME: &str = "rustfft";

/// Adds the times of those that there are to rows of transforms, and says which there are not.
pub(super) fn add(rows: &mut [Row], device: &str, options: &Options, folder: &Path) {
    let samples = if options.quick { QUICK_SAMPLES } else { SAMPLES };
    let mut rows: Vec<(Named, &mut Row)> =
        rows.iter_mut().filter_map(|row| Some((Named::of(row)?, row))).collect();
    if rows.is_empty() {
        return;
    }
    let is_wanted = |library: &str| are_wanted(&options.peers, library);
    let is_nvidia = device.contains("NVIDIA");
    if !is_nvidia && is_wanted(RUSTFFT_NAME) {
        by_rustfft(&mut rows, samples);
    }
    let result = if is_nvidia && is_wanted(CUFFT_NAME) {
        build_cufft(folder).and_then(|program| by_program(&mut rows, CUFFT_NAME, &program, samples))
    } else if device.contains("Portable Computing Language") && is_wanted(CLFFT_NAME) {
        build_clfft(folder).and_then(|program| by_program(&mut rows, CLFFT_NAME, &program, samples))
    } else {
        Ok(())
    };
    if let Err(reason) = result {
        println!("  a peer is missing: {reason}");
    }
}

/// What a row is about.
struct Named {
    real: bool,
    double: bool,
    length: usize,
}

impl Named {
    fn of(row: &Row) -> Option<Named> {
        let (kind, rest) = row.case.split_once(" of ")?;
        let real = match kind {
            "FFT" => false,
            "real FFT" => true,
            _ => return None,
        };
        let length = rest.strip_suffix(" points")?;
        let length = match length.strip_prefix("2^") {
            Some(power) => 1 << power.parse::<u32>().ok()?,
            None => length.parse().ok()?,
        };
        Some(Named { real, double: row.element.ends_with("64"), length })
    }

    fn name(&self) -> String {
        let kind = if self.real { "r2c" } else { "c2c" };
        format!("{kind}-{}-{}", if self.double { "f64" } else { "f32" }, self.length)
    }
}

fn by_program(
    rows: &mut [(Named, &mut Row)],
    peer: &str,
    program: &Path,
    samples: usize,
) -> Result<(), Failure> {
    for (named, row) in rows {
        // clFFT is asked for complex numbers only.
        if named.real && peer == CLFFT_NAME {
            continue;
        }
        // Programs are told points of f32, and take half as many of f64.
        let points = row.n.ilog2() + u32::from(named.double);
        let mut command = Command::new(program);
        command.args(["--points", &points.to_string(), "--samples", &samples.to_string(), &named.name()]);
        let output = command.output()?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{peer}: {}: {}", output.status, message.trim()).into());
        }
        if let Some(seconds) = seconds(&String::from_utf8_lossy(&output.stdout), &named.name())? {
            row.peers.insert(peer.to_owned(), seconds);
        }
    }
    Ok(())
}

/// What the lines say of a name, if anything.
fn seconds(lines: &str, name: &str) -> Result<Option<f64>, Failure> {
    let of = |line: &str| line.strip_prefix(name)?.strip_prefix(' ').map(|ms| ms.trim().to_owned());
    Ok(lines.lines().find_map(of).map(|ms| ms.parse::<f64>()).transpose()?.map(|ms| ms * 1e-3))
}

fn build_cufft(folder: &Path) -> Result<PathBuf, Failure> {
    let mut command = Command::new(nvcc());
    command.args(["-std=c++17", "-O3", "-arch=native"]);
    built(command, folder, "cufft.cu", CUFFT, &["-lcufft"])
}

fn build_clfft(folder: &Path) -> Result<PathBuf, Failure> {
    let mut command = Command::new("cc");
    command.arg("-O2");
    built(command, folder, "clfft.c", CLFFT, &["-lclFFT", "-lOpenCL"])
}

fn built(
    mut command: Command,
    folder: &Path,
    file: &str,
    text: &str,
    libraries: &[&str],
) -> Result<PathBuf, Failure> {
    let source = folder.join(file);
    let program = source.with_extension("");
    if program.exists() {
        return Ok(program);
    }
    std::fs::write(&source, text)?;
    command.arg("-o").arg(&program).arg(&source).args(libraries);
    let output = command.output().map_err(|error| format!("building {file}: {error}"))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        let first = message.lines().find(|line| line.contains("error")).unwrap_or_default();
        return Err(format!("building {file} ended with {}: {first}", output.status).into());
    }
    Ok(program)
}

/// Complex transforms on all threads.
fn by_rustfft(rows: &mut [(Named, &mut Row)], samples: usize) {
    for (named, row) in rows.iter_mut().filter(|(named, _)| !named.real) {
        let batch = (row.n / named.length).max(1);
        let seconds = if named.double {
            rustfft_seconds::<f64>(named.length, batch, samples)
        } else {
            rustfft_seconds::<f32>(named.length, batch, samples)
        };
        row.peers.insert(RUSTFFT_NAME.to_owned(), seconds);
    }
}

fn rustfft_seconds<T: FftNum + From<i8>>(length: usize, batch: usize, samples: usize) -> f64 {
    let fft = FftPlanner::<T>::new().plan_fft_forward(length);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let number = |i: usize| T::from((i % 17) as i8 - 8);
    let given: Vec<Complex<T>> =
        (0..length * batch).map(|i| Complex::new(number(i), number(i + 5))).collect();
    let mut points = given.clone();
    let mut times: Vec<f64> = (0..samples + 2)
        .map(|_| {
            // Or numbers would grow until they are infinite.
            points.copy_from_slice(&given);
            let start = Instant::now();
            std::thread::scope(|scope| {
                for part in points.chunks_mut(batch.div_ceil(threads) * length) {
                    let fft = &fft;
                    scope.spawn(move || fft.process(part));
                }
            });
            start.elapsed().as_secs_f64()
        })
        .skip(2)
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_names_of_peers() {
        let name =
            |case: &str, element: &str| Named::of(&Row::of(case, element, "")).map(|named| named.name());
        assert_eq!(name("FFT of 1000 points", "c64").as_deref(), Some("c2c-f64-1000"));
        assert_eq!(name("real FFT of 2^20 points", "f32").as_deref(), Some("r2c-f32-1048576"));
        assert_eq!(name("sum", "f32"), None);
        // Each case of a transform has one.
        let ffts = crate::cases::ALL.iter().filter(|case| case.name.contains("FFT"));
        assert!(
            ffts.clone().count() > 10 && ffts.clone().all(|case| name(case.name, case.element).is_some())
        );
    }

    #[test]
    fn times_are_found_by_name() {
        let lines = "c2c-f32-10 1.5\nc2c-f32-1 2.5\n";
        assert_eq!(seconds(lines, "c2c-f32-1").unwrap(), Some(0.0025));
        assert_eq!(seconds(lines, "c2c-f32-2").unwrap(), None);
        assert!(seconds("c2c-f32-1 x", "c2c-f32-1").is_err());
    }
}
