//! What other libraries take for the same cases, in the same run.

mod fft;
mod host;
mod program;

pub(crate) use host::of as on_host;

use crate::report::Row;
use crate::{Failure, Options};
use program::{Program, Time};
use std::path::Path;

/// Asks for all that are here.
pub(crate) const EVERY: &str = "all";

/// Whether these names ask for a library.
pub(crate) fn are_wanted(names: &[String], library: &str) -> bool {
    names.iter().any(|name| name == EVERY || name.eq_ignore_ascii_case(library))
}

/// Calls that count, of each case.
const SAMPLES: usize = 30;
const QUICK_SAMPLES: usize = 7;

/// That all names are those of libraries.
pub(crate) fn check(names: &[String]) -> Result<(), Failure> {
    let programs = program::ALL.iter().map(|program| program.library);
    let known: Vec<&str> = programs.chain(fft::NAMES).chain(host::NAMES).collect();
    for name in names {
        if name != EVERY && !known.iter().any(|library| name.eq_ignore_ascii_case(library)) {
            return Err(format!("no peer is called {name}; there are: {}", known.join(", ")).into());
        }
    }
    Ok(())
}

/// Adds the times of other libraries' programs to the rows of a device, where they can be built; else says why
/// not.
pub(crate) fn add(rows: &mut [Row], device: &str, sizes: &[u32], options: &Options) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let folder = options.peers_in.as_deref().unwrap_or(folder.path());
    std::fs::create_dir_all(folder)?;
    let wanted = |program: &&Program| program.is_for(device) && are_wanted(&options.peers, program.library);
    for program in program::ALL.iter().filter(wanted) {
        if let Err(reason) = run(program, rows, device, sizes, options, folder) {
            println!("  without {}: {reason}", program.library);
        }
    }
    fft::add(rows, device, options, folder);
    Ok(())
}

fn run(
    program: &Program,
    rows: &mut [Row],
    device: &str,
    sizes: &[u32],
    options: &Options,
    folder: &Path,
) -> Result<(), Failure> {
    let built = program.built(folder)?;
    let samples = if options.quick { QUICK_SAMPLES } else { SAMPLES };
    let filter = options.filter.join("\n");
    for log2 in sizes {
        println!("  {}, 2^{log2}", program.library);
        let output = program.command(&built, *log2, &filter, samples, device).output()?;
        // What it has measured before it failed counts.
        note(rows, program.library, &String::from_utf8_lossy(&output.stdout))?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{}: {}", output.status, message.trim()).into());
        }
    }
    Ok(())
}

/// Notes the times of a peer in the rows of the same case.
fn note(rows: &mut [Row], library: &str, lines: &str) -> Result<(), Failure> {
    for line in lines.lines() {
        let time: Time = serde_json::from_str(line)?;
        let same = |row: &&mut Row| row.case == time.case && row.element == time.element && row.n == time.n;
        for row in rows.iter_mut().filter(same) {
            let seconds = if row.clock == "host" { time.host_seconds } else { time.device_seconds };
            row.peers.insert(library.to_owned(), seconds);
            row.peers_host.insert(library.to_owned(), time.host_seconds);
        }
    }
    Ok(())
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
        assert!(
            error
                .contains("thrust; there are: CUB, cuRAND, cuSPARSE, Boost.Compute, ViennaCL, cuFFT, clFFT, rustfft, std, rayon"),
            "{error}"
        );
    }

    #[test]
    fn times_go_to_the_rows_of_their_case() {
        let row = |case: &str, n, clock: &str| Row { n, ..Row::of(case, "u32", clock) };
        let mut rows = [row("sort", 8, "device"), row("sort", 8, "host"), row("sort", 9, "device")];
        let line = r#"{"case":"sort","element":"u32","n":8,"device_seconds":2.5,"host_seconds":3}"#;
        note(&mut rows, "CUB", line).unwrap();
        let found = rows.map(|row| row.peers.get("CUB").copied().zip(row.peers_host.get("CUB").copied()));
        assert_eq!(found, [Some((2.5, 3.0)), Some((3.0, 3.0)), None]);
        assert!(note(&mut [], "CUB", "no JSON").is_err());
    }
}
