//! The OpenCL devices that a fresh process sees, listed by a child process.
//!
//! An OpenCL loader reads its list of drivers once per process, so that this process would still see no
//! device after PoCL was installed. Besides, a driver may crash or hang while it lists its devices, which
//! then ends only the child.

use std::env;
use std::fmt;
use std::time::Duration;

use crate::commands::probe;
use crate::error::Result;

/// The time limit. A driver that takes longer to list its devices hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// One OpenCL device of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) platform: String,
    pub(crate) device: String,
}

impl Found {
    /// Returns whether `CL_TEST_DEVICE=part` or `--device part` selects this device. cl-test has the same
    /// rule.
    pub(crate) fn matches(&self, part: &str) -> bool {
        self.to_string().to_lowercase().contains(&part.to_lowercase())
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.device, self.platform)
    }
}

/// The result of a search for devices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sight {
    /// At least one device.
    Devices(Vec<Found>),
    /// The library, a platform or a device is missing; the text is cl-core's error.
    Nothing(String),
}

/// Looks for OpenCL devices.
///
/// # Errors
///
/// If the child cannot run, or a driver fails, crashes or hangs while it lists its devices.
pub(crate) fn look() -> Result<Sight> {
    let this = env::current_exe().map_err(|e| format!("cannot find this program's own file: {e}"))?;
    let child =
        duct::cmd!(this, probe::NAME).stdin_null().stdout_capture().stderr_capture().unchecked().start();
    let child = child.map_err(|e| format!("cannot start the search for OpenCL devices: {e}"))?;
    let Some(output) = child.wait_timeout(PATIENCE)? else {
        child.kill()?;
        return Err(format!("an OpenCL driver did not list its devices in {} s", PATIENCE.as_secs()).into());
    };
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    sight(output.status.code(), &String::from_utf8_lossy(&output.stdout), said).ok_or_else(|| {
        format!("listing the OpenCL devices failed ({}): {}", output.status, text(output)).into()
    })
}

fn text(output: &std::process::Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    if said.is_empty() { "a driver ended the process without a message".to_owned() } else { said }
}

/// Reads the answer of [`probe`]. Returns `None` if it neither lists devices nor says that devices are
/// missing.
fn sight(code: Option<i32>, stdout: &str, stderr: String) -> Option<Sight> {
    match code? {
        0 => Some(Sight::Devices(probe::parse(stdout))),
        probe::NOTHING => Some(Sight::Nothing(stderr)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_code_tells_devices_from_none_from_failure() {
        let answer = format!("{}\n", probe::line("Platform", "Device"));
        let found = Found { platform: "Platform".to_owned(), device: "Device".to_owned() };
        assert_eq!(sight(Some(0), &answer, String::new()), Some(Sight::Devices(vec![found])));
        let nothing = Sight::Nothing("no library".to_owned());
        assert_eq!(sight(Some(probe::NOTHING), "", "no library".to_owned()), Some(nothing));
        assert_eq!(sight(Some(1), "", "CL_OUT_OF_HOST_MEMORY".to_owned()), None);
        assert_eq!(sight(None, "", String::new()), None, "ended by a signal");
    }

    #[test]
    fn a_device_matches_by_any_part_of_its_names() {
        let found = Found { platform: "Portable Computing Language".into(), device: "pthread-EPYC".into() };
        assert!(found.matches("PORTABLE") && found.matches("epyc") && found.matches(""));
        assert!(!found.matches("nvidia"));
    }
}
