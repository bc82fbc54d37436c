//! All kernels of a plan are one program, because every program takes time to compile.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::DeviceProfile;
use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_core::{CacheStatistics, Context, QueueOptions};
use cl_fft::plan::Facts;
use cl_fft::{Planner, Problem};
use cl_test::each_device;

/// Returns the number of programs from the compiler, the disk or memory.
fn programs(queue: &Queue) -> u64 {
    let CacheStatistics { builds, disk_hits, memory_hits, .. } = CacheStatistics::of(queue.context());
    builds + disk_hits + memory_hits
}

/// Checks that a transform and its inverse of at least `least` kernels each are one program each.
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
        let gpu = Facts {
            cpu: false,
            local_memory: 8 << 10,
            largest_group: 64.min(facts.largest_group),
            ..facts.clone()
        };
        for facts in [facts, gpu] {
            let fresh = || Queue::new(&Context::on(device).unwrap(), QueueOptions::new()).unwrap();
            check(&fresh(), &facts, &[12, 10, 15], 3);
            // Kernels of 16 lines and of 8.
            check(&fresh(), &facts, &[2, 3, 40], 3);
            check(&fresh(), &facts, &[1 << 12], 1);
        }
    });
}

/// Facts that no device has give a recipe or an error.
#[test]
fn facts_beyond_all_devices() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let own = Facts::of(&DeviceProfile::of(device).unwrap());
        for huge in [0, 1, usize::MAX / 2, usize::MAX] {
            let all = |cpu| Facts {
                cpu,
                compute_units: huge,
                local_memory: huge,
                largest_group: huge,
                sub_group: huge,
                vector_bytes: huge,
                cache: huge,
                held: [huge; 2],
                group_items: huge,
                burst: huge,
                exchange: huge,
                resident: huge,
                sines: true,
            };
            let one = [
                Facts { compute_units: huge, ..own.clone() },
                Facts { local_memory: huge, ..own.clone() },
                Facts { largest_group: huge, ..own.clone() },
                Facts { vector_bytes: huge, ..own.clone() },
                Facts { cache: huge, ..own.clone() },
                Facts { held: [huge; 2], ..own.clone() },
                Facts { group_items: huge, ..own.clone() },
                Facts { burst: huge, ..own.clone() },
                Facts { exchange: huge, ..own.clone() },
                Facts { resident: huge, ..own.clone() },
            ];
            for facts in one.into_iter().chain([all(false), all(true)]) {
                let planner = Planner::new(&queue).with_facts(facts);
                for lengths in [[1, 1], [64, 60], [1, 4099], [2, 1 << 14]] {
                    drop(planner.c2c::<f32>(lengths));
                    drop(planner.real::<f32>(Problem::new(lengths).axes([1])));
                }
            }
        }
    });
}
