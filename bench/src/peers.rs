//! What other libraries take for the same cases, built on the spot where their compiler is.

mod fft;

use crate::report::Row;
use crate::{Failure, Options};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Command;

/// CUB and Thrust, by the names of our cases.
const CUB: &str = include_str!("../peers/cub.cu");

/// Calls that count, of each case.
const SAMPLES: usize = 30;
const QUICK_SAMPLES: usize = 7;

/// One line of what a peer says.
#[derive(Debug, Deserialize)]
struct Time {
    case: String,
    element: String,
    n: usize,
    device_seconds: f64,
    host_seconds: f64,
}

/// Adds the peers' times to the rows of a device, where there are peers for it; else says why not.
pub(crate) fn add(rows: &mut [Row], device: &str, sizes: &[u32], options: &Options) {
    fft::add(rows, device, options);
    if !device.contains("NVIDIA") {
        println!("  no other peers: CUB and Thrust run on NVIDIA's devices");
        return;
    }
    if let Err(reason) = cub(rows, sizes, options) {
        println!("  no peers: {reason}");
    }
}

fn cub(rows: &mut [Row], sizes: &[u32], options: &Options) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let program = match &options.cub {
        Some(program) => program.clone(),
        None => build(folder.path())?,
    };
    let samples = if options.quick { QUICK_SAMPLES } else { SAMPLES };
    for log2 in sizes {
        let filter = options.filter.as_deref().unwrap_or_default();
        let mut command = Command::new(&program);
        let output = command.args([&log2.to_string(), filter, &samples.to_string()]).output()?;
        // What it has measured before it failed counts.
        note(rows, &String::from_utf8_lossy(&output.stdout))?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{}: {}", output.status, message.trim()).into());
        }
    }
    Ok(())
}

/// Compiles the program for the device that is there.
fn build(folder: &Path) -> Result<PathBuf, Failure> {
    let (source, program) = (folder.join("cub.cu"), folder.join("cub"));
    std::fs::write(&source, CUB)?;
    println!("  building the peers with nvcc, which takes a minute");
    let mut command = Command::new(nvcc());
    command.args(["-std=c++17", "-O3", "-arch=native", "--extended-lambda", "-o"]);
    let output = command.arg(&program).arg(&source).output().map_err(|error| format!("nvcc: {error}"))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        let first = message.lines().find(|line| line.contains("error")).unwrap_or_default();
        return Err(format!("nvcc ended with {}: {first}", output.status).into());
    }
    Ok(program)
}

/// The compiler: where CUDA's own installer puts it, or on the path.
fn nvcc() -> PathBuf {
    let usual = PathBuf::from("/usr/local/cuda/bin/nvcc");
    if usual.exists() { usual } else { "nvcc".into() }
}

/// Notes the times of a peer in the rows of the same case.
fn note(rows: &mut [Row], lines: &str) -> Result<(), Failure> {
    for line in lines.lines() {
        let time: Time = serde_json::from_str(line)?;
        let same = |row: &&mut Row| row.case == time.case && row.element == time.element && row.n == time.n;
        for row in rows.iter_mut().filter(same) {
            let seconds = if row.clock == "host" { time.host_seconds } else { time.device_seconds };
            row.peers.insert("CUB".to_owned(), seconds);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_go_to_the_rows_of_their_case() {
        let row = |case: &str, n, clock: &str| Row { n, ..Row::of(case, "u32", clock) };
        let mut rows = [row("sort", 8, "device"), row("sort", 8, "host"), row("sort", 9, "device")];
        let line = r#"{"case":"sort","element":"u32","n":8,"device_seconds":2.5,"host_seconds":3}"#;
        note(&mut rows, line).unwrap();
        let found = rows.map(|row| row.peers.get("CUB").copied());
        assert_eq!(found, [Some(2.5), Some(3.0), None]);
        assert!(note(&mut [], "no JSON").is_err());
    }

    /// What the program prints is found by case and element, so that every one of them has to be ours.
    #[test]
    fn peers_have_our_names() {
        let ours: Vec<_> = crate::cases::ALL.iter().map(|case| (case.name, case.element)).collect();
        let cases = CUB.lines().filter_map(|line| line.trim().strip_prefix("{ \""));
        let mut count = 0;
        for line in cases {
            let mut parts = line.split('"');
            let (name, element) = (parts.next().unwrap(), parts.nth(1).unwrap());
            let known =
                ours.contains(&(name, element)) || name.contains("by key") || name.contains("_by_key");
            assert!(known, "{name} {element}");
            count += 1;
        }
        assert!(count > 20, "{count}");
    }
}
