//! `probe` (hidden): the child process that lists the OpenCL devices, and the format of its answer.

use std::process::ExitCode;

use cl_core::{Device, ErrorKind};

use crate::opencl::Found;

/// The name of the sub-command.
pub(crate) const NAME: &str = "probe";

/// The exit code if the library, a platform or a device is missing. Standard error names the missing one.
pub(crate) const NOTHING: i32 = 3;

/// A mark that tells the lines of the answer from other output of a driver.
const MARK: &str = "opencl-device";

/// Prints one line for each device.
pub(crate) fn run() -> ExitCode {
    let devices = match Device::all() {
        Ok(devices) => devices,
        Err(error) => {
            eprintln!("{error}");
            return if is_absence(error.kind()) { ExitCode::from(NOTHING as u8) } else { ExitCode::FAILURE };
        }
    };
    for device in &devices {
        let platform = device.platform().name().unwrap_or_else(|error| format!("nameless: {error}"));
        let name = device.name().unwrap_or_else(|error| format!("nameless: {error}"));
        println!("{}", line(&platform, &name));
    }
    ExitCode::SUCCESS
}

/// Returns whether an error of this kind means that something is absent, rather than failing.
fn is_absence(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::LibraryNotFound | ErrorKind::NoPlatform | ErrorKind::NoDevice)
}

/// Returns the line that the child prints for one device.
pub(crate) fn line(platform: &str, device: &str) -> String {
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{MARK}\t{}\t{}", flat(platform), flat(device))
}

/// Reads the devices from a child's output.
pub(crate) fn parse(output: &str) -> Vec<Found> {
    let device = |line: &str| {
        let (platform, device) = line.strip_prefix(MARK)?.strip_prefix('\t')?.split_once('\t')?;
        Some(Found { platform: platform.to_owned(), device: device.to_owned() })
    };
    output.lines().filter_map(device).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_driver_is_not_an_absent_one() {
        assert!(is_absence(ErrorKind::LibraryNotFound));
        assert!(!is_absence(ErrorKind::Unsupported));
    }

    #[test]
    fn names_survive_the_trip_and_a_drivers_chatter_is_skipped() {
        let output = format!("a driver says hello\n{}\n{}\n", line("P\t1", "D  one\n"), line("P 2", ""));
        let devices = parse(&output);
        assert_eq!(devices.len(), 2);
        assert_eq!((devices[0].platform.as_str(), devices[0].device.as_str()), ("P 1", "D one"));
        assert_eq!((devices[1].platform.as_str(), devices[1].device.as_str()), ("P 2", ""));
    }
}
