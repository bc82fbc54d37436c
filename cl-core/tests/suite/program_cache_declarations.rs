//! The declarations of kernels whose program comes from the cache on disk.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use cl_core::{BuildOptions, CacheStatistics, Context, Program};

/// The environment variable that is set in child processes which print the declaration of one kernel of each
/// device, in Rust's words.
const DECLARED: &str = "CL_CACHE_TEST_DECLARED";

/// Prints, in a child, the declarations of a program from its cache.
#[test]
fn declaring_child() {
    if std::env::var_os(DECLARED).is_none() {
        return;
    }
    let source = "kernel __attribute__((reqd_work_group_size(2, 1, 1)))
        void f(global int *x, constant float4 *const y, local uchar *z, const long a, read_only image2d_t i) {}";
    for device in cl_test::devices() {
        let context = Context::on(&device).unwrap();
        let kernel = Program::build(&context, source, &BuildOptions::new()).unwrap().kernel("f").unwrap();
        let arguments: Vec<_> = (0..kernel.arguments()).map(|index| kernel.argument_info(index)).collect();
        let from_disk = CacheStatistics::of(&context).disk_hits;
        println!("<hits>{from_disk}");
        println!("<declared>{} {arguments:?} {:?}", kernel.name(), kernel.attributes().unwrap());
    }
}

/// Checks the declarations of a program from disk. PoCL's binaries lose a kernel's attributes, and those of
/// Intel's driver lose the declarations of its arguments. Launches in the second process would then be
/// checked less than in the first.
#[test]
fn a_program_from_disk_declares_what_it_did_when_it_was_compiled() {
    cl_test::known_faults::each_device(
        "program_cache_declarations::a_program_from_disk_declares_what_it_did_when_it_was_compiled",
        |device| {
            let home = tempfile::tempdir().unwrap();
            let child = || {
                let mut command = cl_test::child(declaring_child);
                command
                    .env("CL_CACHE", home.path().join("cache"))
                    // Otherwise PoCL keeps programs by itself.
                    .env("POCL_KERNEL_CACHE", "0")
                    .env(DECLARED, "1")
                    .env("CL_TEST_DEVICE", device.to_string());
                let output = command.output().unwrap();
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
                let printed = String::from_utf8(output.stdout).unwrap();
                let lines = |mark: &str| -> Vec<String> {
                    printed
                        .lines()
                        .filter_map(|line| line.split_once(mark))
                        .map(|(_, rest)| rest.to_owned())
                        .collect()
                };
                (lines("<hits>"), lines("<declared>"))
            };
            let ((cold, compiled), (warm, loaded)) = (child(), child());
            assert!(!cold.is_empty() && cold.iter().all(|hits| hits == "0"), "{cold:?}");
            assert!(warm.len() == cold.len() && warm.iter().all(|hits| hits == "1"), "{warm:?}");
            assert_eq!(loaded, compiled);
            assert!(compiled.iter().all(|line| line.starts_with("f [")), "{compiled:?}");
        },
    );
}
