//! The choice of kernels, tested without a device.

use cl_sparse::plan::{DeviceLimits, Kernel, RowStatistics};

const GPU: DeviceLimits =
    DeviceLimits { cpu: false, compute_units: 132, local_memory: 48 << 10, largest_group: 1024 };
const CPU: DeviceLimits =
    DeviceLimits { cpu: true, compute_units: 2, local_memory: 1 << 20, largest_group: 4096 };

/// Returns the statistics of 10 000 rows of `length` entries, and of the other rows.
fn rows(length: usize, others: &[usize]) -> RowStatistics {
    RowStatistics::of(std::iter::repeat_n(length, 10_000).chain(others.iter().copied()))
}

#[test]
fn statistics_are_those_of_the_lengths() {
    let rows = RowStatistics::of([1, 2, 3, 6]);
    assert_eq!((rows.rows, rows.entries, rows.longest), (4, 12, 6));
    assert_eq!((rows.mean(), rows.variance()), (3.0, 3.5));
    assert!((rows.variation() - 3.5_f64.sqrt() / 3.0).abs() < 1e-12);
    let none = RowStatistics::of([]);
    assert_eq!((none.mean(), none.variance(), none.variation()), (0.0, 0.0, 0.0));
    assert_eq!(RowStatistics::of([0, 0]).variation(), 0.0);
}

#[test]
fn gpus_choose_by_mean_and_variation() {
    let staged = |per_item| Kernel::Staged { group: 256, per_item };
    let shared = |items_per_row| Kernel::Shared { group: 256, items_per_row };
    let merge = Kernel::Merge { group: 256, per_item: 6 };
    for (rows, kernel) in [
        (rows(5, &[]), staged(5)),
        (rows(5, &[4, 4, 3]), staged(5)),
        (rows(5, &[9; 3]), staged(7)),
        (rows(1, &[]), staged(1)),
        (rows(0, &[]), staged(1)),
        (rows(12, &[]), staged(12)),
        (rows(13, &[]), shared(4)),
        (rows(32, &[]), shared(8)),
        (rows(32, &[500]), shared(16)),
        (rows(32, &[5000]), merge),
        (rows(1000, &[]), shared(32)),
        (rows(5, &[30]), staged(7)),
        (rows(5, &[81]), merge),
        (rows(0, &[100; 50]), merge),
        (rows(2, &[1_000_000]), merge),
    ] {
        assert_eq!(Kernel::of(&rows, 4, &GPU), kernel, "{rows:?}");
    }
}

#[test]
fn groups_fit_into_local_memory_and_devices() {
    for (local_memory, largest_group) in [(16 << 10, 1024), (32 << 10, 64), (48 << 10, 1024), (1 << 20, 1)] {
        let device = DeviceLimits { local_memory, largest_group, ..GPU };
        for length in [0, 1, 5, 12, 13, 64, 4000] {
            for others in [&[][..], &[100_000]] {
                for bytes in [1, 4, 8, 16] {
                    let kernel = Kernel::of(&rows(length, others), bytes, &device);
                    assert!(kernel.local_memory(bytes) <= local_memory, "{kernel:?} {device:?}");
                    let (Kernel::Staged { group, .. }
                    | Kernel::Shared { group, .. }
                    | Kernel::Merge { group, .. }) = kernel
                    else {
                        panic!("{kernel:?}");
                    };
                    assert!(group <= largest_group, "{kernel:?} {device:?}");
                }
            }
        }
    }
}

#[test]
fn cpus_have_a_few_chunks_for_each_core() {
    let chunks = |rows: &RowStatistics| Kernel::of(rows, 8, &CPU);
    assert_eq!(chunks(&RowStatistics::of([])), Kernel::Chunks { chunks: 1 });
    assert_eq!(chunks(&RowStatistics::of([3; 100])), Kernel::Chunks { chunks: 1 });
    assert_eq!(chunks(&rows(2, &[])), Kernel::Chunks { chunks: 8 });
    assert_eq!(chunks(&rows(100, &[])), Kernel::Chunks { chunks: 16 });
}
