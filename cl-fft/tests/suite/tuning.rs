//! Rows of tuning tables reach the recipes, separately for each precision, and give the same
//! transforms.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::reference::ratio;
use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_algo::{DeviceProfile, Element};
use cl_fft::plan::DeviceLimits;
use cl_fft::{Planner, Problem, Real};
use cl_test::forced;

/// The environment variable that tells [`child`] that it runs as a child process.
const CHILD: &str = "CL_FFT_TUNING_TEST";

/// Work areas of 64 KiB, 8 points a work-item, groups of one line: far from the rules.
const TABLE: &str = "# for f32 only\n-\tfft:lines\t8\t1\t64\t-\n";

/// Returns `true` if the recipe of a length that the table changes is the one that the rules choose.
fn is_by_rules<T: Real>(queue: &Queue) -> bool
where
    Complex<T>: Element,
{
    let rules = DeviceLimits::of(&DeviceProfile::of(queue.device()).unwrap());
    let [own, by_rules] = [Planner::new(queue), Planner::new(queue).with_limits(rules)]
        .map(|planner| planner.c2c::<T>(Problem::new([1024]).batch(64)).unwrap());
    own.recipe() == by_rules.recipe()
}

/// Runs in a process of its own, because the table belongs to the process.
#[test]
fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    for device in cl_test::devices().iter().chain(&forced::gpus()) {
        let queue = Queue::on(device).unwrap();
        assert!(!is_by_rules::<f32>(&queue), "{device}");
        if device.has_fp64().unwrap() {
            assert!(is_by_rules::<f64>(&queue), "{device}: there is no row for f64");
        }
        let error = ratio::<f32>(&queue, 1024, 3, &[false]);
        assert!(error <= 1.0, "{device}: {error}");
    }
    println!("compared");
}

#[test]
fn rows_reach_the_recipes() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("tuning.tsv");
    std::fs::write(&table, TABLE).unwrap();
    let output = cl_test::child(child).env(CHILD, "1").env("CL_TUNING", &table).output().unwrap();
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && text.contains("compared"), "{text}\n{errors}");
}
