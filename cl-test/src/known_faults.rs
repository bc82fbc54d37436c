//! Faults of drivers that are known, as data: which test, on which driver, fails why.
//!
//! Such a test is skipped there, and says so. It runs nevertheless, in a process of its own, because
//! it may crash or hang: if it passes, the entry is stale, and the test fails until the entry is gone.

use crate::{Named, devices};
use cl_core::Device;
use std::io::Write;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// One test that fails on some versions of one driver.
#[derive(Clone, Copy, Debug)]
pub struct KnownFault {
    /// Part of the platform's name.
    pub platform: &'static str,
    /// The first version of the driver that has the fault, and the first that is not known to have it.
    pub versions: (&'static str, &'static str),
    /// The test.
    pub test: &'static str,
    /// What the driver does.
    pub reason: &'static str,
}

/// All known faults.
pub const ALL: &[KnownFault] = &[
    KnownFault {
        platform: "NVIDIA CUDA",
        versions: ("580", "581"),
        test: "the_last_row_needs_no_padding",
        reason: "it refuses boxes whose last row, padded to the pitch, ends behind the buffer",
    },
    KnownFault {
        platform: "NVIDIA CUDA",
        versions: ("580", "581"),
        test: "layers_of_lines_are_copied_to_buffers_and_back",
        reason: "it refuses all layers but the first of a 1D array",
    },
    KnownFault {
        platform: "NVIDIA CUDA",
        versions: ("580", "581"),
        test: "warnings_of_a_successful_build",
        reason: "its log does not have the warnings of the preprocessor",
    },
    KnownFault {
        platform: "Intel(R) OpenCL",
        versions: ("2026", "2027"),
        test: "equal_parts",
        reason: "it does not make one equal part of all compute units, CL_DEVICE_PARTITION_FAILED",
    },
    KnownFault {
        platform: "Oclgrind",
        versions: ("21.10", "22"),
        test: "a_queue_without_profiling_says_so",
        reason: "it answers with times for queues that were made without profiling",
    },
    KnownFault {
        platform: "Oclgrind",
        versions: ("21.10", "22"),
        test: "threads_share_a_kernel",
        reason: "a failed assertion ends the process when two threads run kernels in one context",
    },
    KnownFault {
        platform: "Oclgrind",
        versions: ("21.10", "22"),
        test: "four_threads_on_four_queues_of_one_context",
        reason: "a failed assertion ends the process when two threads run kernels in one context",
    },
];

/// Set in the process in which a test runs that is known to fail.
const CHILD: &str = "CL_TEST_KNOWN_FAULT";

/// A test that takes longer than this hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// As [`each_device`](crate::each_device), but devices on which the test of this name is known to fail
/// are skipped.
///
/// # Panics
/// When `body` does, when there is no device, and when the test passes where it is known to fail.
pub fn each_device(test: &str, body: impl Fn(&Device)) {
    each_device_without(ALL, test, body);
}

fn each_device_without(faults: &[KnownFault], test: &str, body: impl Fn(&Device)) {
    for device in devices() {
        let _named = Named(&device);
        match faults.iter().find(|fault| fault.test == test && fault.is_on(&device)) {
            Some(fault) if std::env::var_os(CHILD).is_none() => {
                assert!(!passes(test, &device), "stale: {fault:?} is known, and the test passes");
                // Past the test runner, which shows what is printed by tests that fail only.
                let _ = writeln!(std::io::stderr(), "skipped: {test} on {device}: {}", fault.reason);
            }
            _ => body(&device),
        }
    }
}

impl KnownFault {
    fn is_on(&self, device: &Device) -> bool {
        let answer = |asked: cl_core::Result<String>| asked.unwrap_or_else(|error| panic!("{error}"));
        let version = numbers(&answer(device.driver_version()));
        answer(device.platform().name()).contains(self.platform)
            && numbers(self.versions.0) <= version
            && version < numbers(self.versions.1)
    }
}

/// The numbers of a version, from the first digit up to what is neither a digit nor a dot.
fn numbers(version: &str) -> Vec<u32> {
    let version = version.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = version.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(version.len());
    version[..end].split('.').map_while(|number| number.parse().ok()).collect()
}

/// Whether the test passes on this device, in a process of its own.
fn passes(test: &str, device: &Device) -> bool {
    let program = std::env::current_exe().unwrap_or_else(|error| panic!("{error}"));
    let mut command = Command::new(program);
    command.args(["--exact", test]).env(CHILD, "1").env(crate::NARROW, device.to_string());
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let end = end_of(&mut child.unwrap_or_else(|error| panic!("{error}")));
    end.is_some_and(|status| status.success())
}

/// How a process ends; none when it does not, and has to be ended.
fn end_of(child: &mut Child) -> Option<ExitStatus> {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait().unwrap_or_else(|error| panic!("{error}")) {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    // It may have ended meanwhile, which is as good.
    let _ = child.kill();
    let _ = child.wait();
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fault of every driver.
    fn everywhere(test: &'static str) -> [KnownFault; 1] {
        [KnownFault { platform: "", versions: ("", "4294967295"), test, reason: "planted" }]
    }

    #[test]
    fn passes_always() {}

    #[test]
    fn fails_as_a_child() {
        assert!(std::env::var_os(CHILD).is_none());
    }

    #[test]
    fn a_test_that_is_known_to_fail_is_skipped() {
        let test = "known_faults::tests::fails_as_a_child";
        each_device_without(&everywhere(test), test, |device| panic!("it ran on {device}"));
    }

    #[test]
    #[should_panic(expected = "stale")]
    fn a_test_that_passes_makes_its_entry_stale() {
        let test = "known_faults::tests::passes_always";
        each_device_without(&everywhere(test), test, |_| ());
    }

    #[test]
    fn other_tests_and_other_drivers_run() {
        let ran = std::cell::Cell::new(0);
        let count = |_: &Device| ran.set(ran.get() + 1);
        each_device_without(&everywhere("another"), "this", count);
        let elsewhere = [
            KnownFault { platform: "no such platform", ..everywhere("this")[0] },
            KnownFault { versions: ("4294967294", "4294967295"), ..everywhere("this")[0] },
        ];
        each_device_without(&elsewhere, "this", count);
        assert_eq!(ran.get(), 2 * devices().len());
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(numbers("2026.22.10.0_160000"), [2026, 22, 10, 0]);
        assert_eq!(numbers("Oclgrind 21.10"), [21, 10]);
        assert!(numbers("21.9") < numbers("21.10"));
        assert!(numbers("21.10") < numbers("22"));
        assert!(numbers("unknown").is_empty());
    }
}
