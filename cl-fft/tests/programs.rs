//! All kernels of a plan are one program: compilers take their time for each.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::DeviceProfile;
use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_core::{CacheStatistics, Context, QueueOptions};
use cl_fft::plan::Facts;
use cl_fft::{Planner, Problem};
use cl_test::each_device;

/// Programs that came from compiler, disk or memory.
fn programs(queue: &Queue) -> u64 {
    let CacheStatistics { builds, disk_hits, memory_hits, .. } = CacheStatistics::of(queue.context());
    builds + disk_hits + memory_hits
}

/// A transform and its inverse, each of at least so many kernels, in one program each.
fn check(queue: &Queue, facts: &Facts, lengths: &[usize], least: usize) {
    let points: usize = lengths.iter().product();
    let host: Vec<Complex<f32>> =
        (0..points).map(|k| Complex::new((k % 7) as f32, (k * k % 11) as f32)).collect();
    let planner = Planner::new(queue).with_facts(facts.clone());
    let fft = planner.c2c::<f32>(Problem::new(lengths)).unwrap();
    assert!(fft.recipe().passes.len() >= least, "{lengths:?}: {:?}", fft.recipe());
    let mut x = DeviceVec::from_slice(queue, &host).unwrap();
    for expected in [2, 0] {
        let before = programs(queue);
        fft.forward_in_place(&mut x).unwrap();
        fft.inverse_in_place(&mut x).unwrap();
        assert_eq!(programs(queue) - before, expected, "{lengths:?}");
    }
    for (at, (value, expected)) in x.to_vec().unwrap().into_iter().zip(host).enumerate() {
        assert!((value - expected).norm() < 1e-3, "{lengths:?}, {at}: {value} instead of {expected}");
    }
}

#[test]
fn a_plan_is_one_program() {
    each_device(|device| {
        let facts = Facts::of(&DeviceProfile::of(device).unwrap());
        // Both kinds of kernels, on every device.
        let gpu = Facts { cpu: false, local_memory: 8 << 10, largest_group: 64, ..facts.clone() };
        for facts in [facts, gpu] {
            let fresh = || Queue::new(&Context::on(device).unwrap(), QueueOptions::new()).unwrap();
            check(&fresh(), &facts, &[12, 10, 15], 3);
            // Kernels of 16 lanes and of 8.
            check(&fresh(), &facts, &[2, 3, 40], 3);
            check(&fresh(), &facts, &[1 << 12], 1);
        }
    });
}
