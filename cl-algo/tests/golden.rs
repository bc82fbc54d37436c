//! Golden kernels: the kernels for each recorded device, compared with the files in `golden`. No device is needed.
//!
//! `cl_test::golden` describes the files, and how to accept a change.

mod golden_cases;

use cl_test::golden::{Case, check, check_devices, devices, differing_lines, without_case};
use cl_test::recorded;
use golden_cases::{elements, expressions, functions, ordered, ranked, reductions, searches};

/// The texts that are kept in full: each template once, in the tiled shape of an H200, and also in the chunked shape of
/// PoCL if it differs much.
const TEXTS: &[(&str, &str)] = &[
    ("nvidia-h200", "assign: a x + y, f32"),
    ("nvidia-h200", "device function with a loop, u64"),
    ("nvidia-h200", "sum, f32"),
    ("nvidia-h200", "find, u32"),
    ("nvidia-h200", "histogram, u8"),
    ("nvidia-h200", "inclusive scan, u32"),
    ("nvidia-h200", "reduce by key, u32"),
    ("nvidia-h200", "copy_if, u32"),
    ("nvidia-h200", "sort, u32"),
    ("nvidia-h200", "merge, u32"),
    ("nvidia-h200", "set union, u32"),
    ("nvidia-h200", "lower bounds, f32"),
    ("nvidia-h200", "row added to a matrix, f32"),
    ("nvidia-h200", "sums of columns, f32"),
    ("pocl-2-cores", "assign: a x + y, f32"),
    ("pocl-2-cores", "sum, f32"),
    ("pocl-2-cores", "inclusive scan, u32"),
    ("pocl-2-cores", "sort, u32"),
    ("pocl-2-cores", "sort by a comparator, u32"),
    ("pocl-2-cores", "merge, u32"),
    ("pocl-2-cores", "sums of rows, f32"),
];

fn cases() -> Vec<Case> {
    let groups = [
        expressions::CASES,
        elements::CASES,
        functions::CASES,
        reductions::CASES,
        ordered::CASES,
        searches::CASES,
        ranked::CASES,
    ];
    groups.concat()
}

#[test]
fn golden_kernels_are_those_that_are_kept() {
    let package = env!("CARGO_MANIFEST_DIR");
    let texts = check(package, env!("CARGO_TARGET_TMPDIR"), &cases(), TEXTS);
    assert_eq!(without_case(package, &texts), [""; 0], "a kernel has no case");
}

/// Checks that the recorded devices pass their probes: CPUs get the kernels of CPUs, and GPUs their sub-groups and
/// fences.
#[test]
fn golden_devices_are_without_faults() -> cl_core::Result<()> {
    for (name, device) in recorded::names().zip(recorded::devices()) {
        let profile = cl_algo::DeviceProfile::of(&device)?;
        assert_eq!(profile.chunked, ["pocl-2-cores", "intel-cpu"].contains(&name), "{name}");
        assert_eq!(profile.loop_steps, None, "{name}");
        assert_eq!(
            profile.fence.is_some(),
            !["amd-wavefront-64", "gpu-opencl-1.2"].contains(&name),
            "{name}"
        );
    }
    for (name, way) in [("nvidia-h200", 1), ("intel-gpu", 2), ("amd-wavefront-64", 0)] {
        let queue = cl_core::Queue::on(&recorded::device(name))?;
        golden_cases::running_sums(&queue)?;
        let line = format!("#define SUB_GROUPS {way}\n");
        let programs = recorded::programs_of(queue.context());
        assert!(programs.iter().any(|program| program.source.contains(&line)), "{name}: {line}");
    }
    Ok(())
}

/// Also compares what the trials of a device have shown.
#[test]
#[ignore = "needs a device that resembles a recorded one: `./run golden` of a bundle"]
fn golden_kernels_are_those_of_this_machines_devices() -> cl_core::Result<()> {
    let profile = cl_algo::DeviceProfile::of;
    let mut report = String::new();
    for (device, name) in devices() {
        let lines = differing_lines(&profile(&recorded::device(name))?, &profile(&device)?);
        println!(
            "{device}: its profile {} that of {name}",
            if lines.is_empty() { "is" } else { "differs from" }
        );
        report += &lines;
    }
    check_devices(&cases());
    assert!(report.is_empty(), "profiles differ:\n{report}");
    Ok(())
}
