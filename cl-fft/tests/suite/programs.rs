//! All kernels of a plan are one program, because every program takes time to compile.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::DeviceProfile;
use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_core::{CacheStatistics, Context, QueueOptions};
use cl_fft::plan::DeviceLimits;
use cl_fft::{Planner, Problem};
use cl_test::each_device;

/// Returns the number of programs from the compiler, the disk or memory.
fn programs(queue: &Queue) -> u64 {
    let CacheStatistics { builds, disk_hits, memory_hits, .. } = CacheStatistics::of(queue.context());
    builds + disk_hits + memory_hits
}

/// Checks that a transform and its inverse of at least `least` kernels each are one program each.
fn check(queue: &Queue, limits: &DeviceLimits, lengths: &[usize], least: usize) {
    let points: usize = lengths.iter().product();
    let host: Vec<Complex<f32>> =
        (0..points).map(|k| Complex::new((k % 7) as f32, (k * k % 11) as f32)).collect();
    let planner = Planner::new(queue).with_limits(limits.clone());
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
        let limits = DeviceLimits::of(&DeviceProfile::of(device).unwrap());
        // Both kinds of kernels, on every device.
        let gpu = DeviceLimits {
            cpu: false,
            local_memory: 8 << 10,
            largest_group: 64.min(limits.largest_group),
            ..limits.clone()
        };
        for limits in [limits, gpu] {
            let fresh = || Queue::new(&Context::on(device).unwrap(), QueueOptions::new()).unwrap();
            check(&fresh(), &limits, &[12, 10, 15], 3);
            // Kernels of 16 lines and of 8.
            check(&fresh(), &limits, &[2, 3, 40], 3);
            check(&fresh(), &limits, &[1 << 12], 1);
        }
    });
}

/// DeviceLimits that no device has give a recipe or an error.
#[test]
fn facts_beyond_all_devices() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let own = DeviceLimits::of(&DeviceProfile::of(device).unwrap());
        for huge in [0, 1, usize::MAX / 2, usize::MAX] {
            let all = |cpu| DeviceLimits {
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
                DeviceLimits { compute_units: huge, ..own.clone() },
                DeviceLimits { local_memory: huge, ..own.clone() },
                DeviceLimits { largest_group: huge, ..own.clone() },
                DeviceLimits { vector_bytes: huge, ..own.clone() },
                DeviceLimits { cache: huge, ..own.clone() },
                DeviceLimits { held: [huge; 2], ..own.clone() },
                DeviceLimits { group_items: huge, ..own.clone() },
                DeviceLimits { burst: huge, ..own.clone() },
                DeviceLimits { exchange: huge, ..own.clone() },
                DeviceLimits { resident: huge, ..own.clone() },
            ];
            for limits in one.into_iter().chain([all(false), all(true)]) {
                let planner = Planner::new(&queue).with_limits(limits);
                for lengths in [[1, 1], [64, 60], [1, 4099], [2, 1 << 14]] {
                    drop(planner.c2c::<f32>(lengths));
                    drop(planner.real::<f32>(Problem::new(lengths).axes([1])));
                }
            }
        }
    });
}
