//! The golden cases with the answers of this machine's devices, instead of the recorded ones.

use super::{Case, difference, is_code, run, summary, whole_text};
use crate::recorded;
use cl_core::Device;
use std::fmt::Write;

/// The number of cases whose lines are shown.
const SHOWN: usize = 3;

/// Returns this machine's devices, each with the name of the recorded device that [resembles](recorded::resembling) it.
///
/// # Panics
/// When none of them resembles a recorded device.
#[must_use]
pub fn devices() -> Vec<(Device, &'static str)> {
    let all = Device::all().unwrap_or_default();
    let found: Vec<_> =
        all.into_iter().filter_map(|device| Some((recorded::resembling(&device)?, device))).collect();
    assert!(!found.is_empty(), "no device of this machine resembles a recorded one");
    found.into_iter().map(|(name, device)| (device, name)).collect()
}

/// Compares the programs that recorded devices get for each case with those that this machine's devices would get. Prints
/// the answers in which a device and its record differ. The device itself compiles nothing: its answers are replayed, as
/// those of recorded devices are.
///
/// # Panics
/// - When a program differs. The message names the cases, and shows the lines of some of them.
/// - When none of this machine's devices resembles a recorded one.
pub fn check_devices(cases: &[Case]) {
    let mut report = String::new();
    for (device, name) in devices() {
        let answers = recorded::differences(name, &device);
        println!("{device}: {} answers differ from those of {name}", answers.len());
        answers.iter().for_each(|answer| println!("  {answer}"));
        let pair = [recorded::device(name), recorded::replayed(&device)];
        let mut differing = Vec::new();
        for case in cases {
            let [kept, own] = pair.each_ref().map(|device| run(device, case));
            if summary(&kept) == summary(&own) {
                continue;
            }
            differing.push(format!("`{}`", case.name));
            if differing.len() <= SHOWN {
                let [kept, own] = [kept, own].map(|programs| match programs {
                    Ok(programs) => whole_text(&programs, is_code),
                    Err(feature) => format!("lacks {feature}\n"),
                });
                // Writing to a `String` cannot fail.
                let _ = writeln!(report, "{device}, `{}`:\n{}", case.name, difference(&kept, &own));
            }
        }
        println!("  {} of {} cases get the same programs", cases.len() - differing.len(), cases.len());
        if !differing.is_empty() {
            let _ = writeln!(report, "{device} gets other programs than {name} for {}", differing.join(", "));
        }
    }
    assert!(report.is_empty(), "{report}");
}

/// Returns the lines in which two values differ, each printed by `{:#?}`; an empty text if none does.
#[must_use]
pub fn differing_lines(old: &impl std::fmt::Debug, new: &impl std::fmt::Debug) -> String {
    let [old, new] = [format!("{old:#?}"), format!("{new:#?}")];
    if old == new { String::new() } else { difference(&old, &new) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replayed_device_gets_the_programs_of_its_record() {
        let device = recorded::device("nvidia-h200");
        assert_eq!(recorded::resembling(&device), Some("nvidia-h200"));
        let replayed = recorded::replayed(&device);
        assert_eq!(replayed.name().unwrap(), device.name().unwrap());
        assert_eq!(recorded::differences("nvidia-h200", &device), ["CL_PLATFORM_VERSION: also (recorded)"]);
        let other = recorded::differences("intel-gpu", &replayed);
        assert!(other.iter().any(|line| line.starts_with("CL_DEVICE_MAX_COMPUTE_UNITS: ")), "{other:?}");
        assert_eq!(
            recorded::names().count(),
            recorded::devices().len(),
            "a replayed device is not a recorded one"
        );
    }

    #[test]
    fn differing_lines_are_shown() {
        assert_eq!(differing_lines(&[1, 2], &[1, 2]), "");
        let shown = differing_lines(&[1, 2], &[1, 3]);
        assert!(shown.contains("-    2,") && shown.contains("+    3,"), "{shown}");
    }
}
