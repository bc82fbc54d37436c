//! cuFFT's times: its program takes names of transforms, and prints them with milliseconds.

use super::program::CUFFT;
use crate::Failure;
use crate::report::Row;
use std::path::Path;
use std::process::Command;

/// Runs that count.
const SAMPLES: usize = 15;
const QUICK_SAMPLES: usize = 5;

/// Adds its times to rows of transforms.
pub(super) fn add(rows: &mut [Row], quick: bool, folder: &Path) -> Result<(), Failure> {
    let mut rows: Vec<(Transform, &mut Row)> =
        rows.iter_mut().filter_map(|row| Some((Transform::of(row)?, row))).collect();
    if rows.is_empty() {
        return Ok(());
    }
    let program = CUFFT.built(folder)?;
    let samples = if quick { QUICK_SAMPLES } else { SAMPLES };
    for (transform, row) in &mut rows {
        // The program is told points of f32, of which as many transforms are made as they are enough for, and takes half
        // as many of f64.
        let points = row.n.next_power_of_two().ilog2() + u32::from(transform.double);
        let mut command = Command::new(&program);
        command.args(["--points", &points.to_string(), "--samples", &samples.to_string(), &transform.name()]);
        let output = command.output()?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{}: {}", output.status, message.trim()).into());
        }
        if let Some(seconds) = seconds(&String::from_utf8_lossy(&output.stdout), &transform.name())? {
            row.peers.insert(CUFFT.library.to_owned(), seconds);
        }
    }
    Ok(())
}

/// What a row is about.
struct Transform {
    real: bool,
    double: bool,
    length: usize,
}

impl Transform {
    fn of(row: &Row) -> Option<Transform> {
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
        Some(Transform { real, double: row.element.ends_with("64"), length })
    }

    fn name(&self) -> String {
        let kind = if self.real { "r2c" } else { "c2c" };
        format!("{kind}-{}-{}", if self.double { "f64" } else { "f32" }, self.length)
    }
}

/// What the lines say of a name, if anything.
fn seconds(lines: &str, name: &str) -> Result<Option<f64>, Failure> {
    let of = |line: &str| line.strip_prefix(name)?.strip_prefix(' ').map(|ms| ms.trim().to_owned());
    Ok(lines.lines().find_map(of).map(|ms| ms.parse::<f64>()).transpose()?.map(|ms| ms * 1e-3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_names_of_transforms() {
        let name =
            |case: &str, element: &str| Transform::of(&Row::of(case, element, "")).map(|row| row.name());
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
