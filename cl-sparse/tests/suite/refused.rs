//! Refused matrices, and their errors.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use crate::matrices;
use cl_algo::prelude::*;
use cl_core::Error;
use cl_sparse::plan::Kernel;
use cl_sparse::{Csr, HostCsr};
use cl_test::counting;

/// Creates a matrix from vectors on a device, which checks them.
fn parts(queue: &Queue, columns: usize, offsets: &[u32], indices: &[u32]) -> cl_core::Result<Csr<f32>> {
    let vector = |values: &[u32]| DeviceVec::from_slice(queue, values).unwrap();
    let values = DeviceVec::filled(queue, 1.0, indices.len()).unwrap();
    Csr::from_parts(columns, vector(offsets), vector(indices), values)
}

/// Errors have the same text as on the host, and name the first wrong row.
#[test]
fn parts_that_do_not_fit_together() {
    for device in cl_test::devices() {
        let queue = Queue::on(&device).unwrap();
        let refused = |columns, offsets: &[u32], indices: &[u32]| {
            let error = parts(&queue, columns, offsets, indices).unwrap_err().to_string();
            let values = vec![1.0_f32; indices.len()];
            let rows = offsets.len().saturating_sub(1);
            let host = HostCsr::new(rows, columns, offsets.to_vec(), indices.to_vec(), values);
            let host = Error::from(host.unwrap_err()).to_string();
            assert_eq!(error, host);
            error
        };
        assert!(refused(3, &[], &[]).contains("0 were given"));
        assert!(refused(3, &[1, 2], &[0, 0]).contains("first row offset is 1"));
        assert!(refused(3, &[0, 2, 1, 2], &[0, 0]).contains("row 1 begins at 2"));
        assert!(refused(3, &[0, 1, 2, 5, 9], &[0, 0, 0]).contains("row 2 ends at 5"));
        assert!(refused(3, &[0, 1, 2], &[0, 0, 0]).contains("last row offset is 2"));
        assert!(refused(3, &[0, 1, 1, 3], &[2, 0, 3]).contains("row 2 has an entry in column 3"));
        assert!(refused(0, &[0, 0, 1], &[7]).contains("row 1 has an entry in column 7"));
        // A wrong column before a wrong end, and one after it, where offsets are meaningless.
        assert!(refused(3, &[0, 1, 0, 3], &[5, 7, 9]).contains("row 0 has an entry in column 5"));
        assert!(refused(3, &[0, 0, 2, 9, 3], &[0, 7, 9]).contains("row 1 has an entry in column 7"));
        assert!(refused(3, &[0, 2, 1, 3], &[0, 1, 9]).contains("row 1 begins at 2"));
        assert!(refused(3, &[0, 9, 1, 3], &[7, 7, 7]).contains("row 0 ends at 9"));
        assert!(refused(3, &[0, 1, 2], &[0, 8, 9]).contains("row 1 has an entry in column 8"));
        assert!(refused(3, &[0, 1, 2], &[0, 1, 9]).contains("last row offset is 2"));
        let short = DeviceVec::filled(&queue, 1.0_f32, 2).unwrap();
        let [offsets, indices] =
            [[0, 3].to_vec(), vec![0_u32; 3]].map(|values| DeviceVec::from_slice(&queue, &values).unwrap());
        let error = Csr::from_parts(3, offsets, indices, short).unwrap_err().to_string();
        assert!(error.contains("3 column indices for 2 values"), "{error}");
    }
}

#[test]
fn parts_that_fit_are_the_matrix() {
    for device in cl_test::devices() {
        let queue = Queue::on(&device).unwrap();
        for (name, host) in matrices::all() {
            let own: Csr<i32> = Csr::new(&queue, &host).unwrap();
            assert_eq!(own.to_host().unwrap(), host, "{name}");
            let (statistics, kernel) = (*own.statistics(), own.kernel());
            let (offsets, indices, values) = own.into_parts();
            let again = Csr::from_parts(host.columns(), offsets, indices, values).unwrap();
            assert_eq!(again.to_host().unwrap(), host, "{name}");
            assert_eq!((*again.statistics(), again.kernel()), (statistics, kernel), "{name}");
        }
    }
}

#[test]
fn kernels_and_queues() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let (queue, other) = (Queue::on(&device).unwrap(), Queue::on(&device).unwrap());
        let host = HostCsr::<f32>::identity(3, 1.0).unwrap();
        for (kernel, limit) in [
            (Kernel::Chunks { chunks: 0 }, "`chunks` must be from 1 to 2^20"),
            (Kernel::Staged { group: 3, per_item: 1 }, "`group` must be a power of two, and at most "),
            (Kernel::Staged { group: 64, per_item: 0 }, "`per_item` must be from 1 to 64"),
            (Kernel::Shared { group: 32, items_per_row: 64 }, "a power of two, and at most `group`"),
            (Kernel::Shared { group: 32, items_per_row: 3 }, "a power of two, and at most `group`"),
            (
                Kernel::Shared { group: 1 << 30, items_per_row: 4 },
                "`group` must be a power of two, and at most ",
            ),
            (Kernel::Merge { group: 64, per_item: 0 }, "`per_item` must be at least 1"),
            (Kernel::Merge { group: 64, per_item: usize::MAX }, "`group * per_item` less than 2^16"),
        ] {
            let error = Csr::new(&queue, &host).unwrap().with_kernel(kernel).unwrap_err().to_string();
            assert!(error.contains(&format!("{kernel:?}: ")) && error.contains(limit), "{error}");
        }
        let vectors = |queue: &Queue| Csr::new(queue, &host).unwrap().into_parts();
        let ((offsets, indices, _), (_, _, values)) = (vectors(&queue), vectors(&other));
        let calls = counter.calls_during(|| {
            let error = Csr::from_parts(3, offsets, indices, values).unwrap_err();
            assert!(matches!(error, Error::ForeignObject { .. }), "{error}");
        });
        assert!(calls.keys().all(|call| call.starts_with("clRelease")), "{calls:?}");
    }
}

#[test]
fn kernels_of_numbers_without_sense() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let host: HostCsr<f32> = HostCsr::identity(3, 1.0).unwrap();
        const MOST: usize = usize::MAX;
        for kernel in [
            Kernel::Chunks { chunks: 0 },
            Kernel::Chunks { chunks: MOST },
            Kernel::Staged { group: 1 << 63, per_item: 64 },
            Kernel::Shared { group: 1 << 63, items_per_row: 1 << 63 },
            Kernel::Merge { group: MOST, per_item: MOST },
            Kernel::Merge { group: 0, per_item: 7 },
        ] {
            let error = Csr::new(&queue, &host).unwrap().with_kernel(kernel).unwrap_err();
            assert!(error.to_string().starts_with("invalid kernel for rows: "), "{error}");
            // The product saturates; otherwise a debug build panics here.
            let _ = kernel.local_memory(MOST);
        }
    });
}
