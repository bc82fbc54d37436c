//! Products with the kernels of GPUs on every device: devices that are not GPUs pretend to be one.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use crate::matrices;
use cl_algo::prelude::*;
use cl_sparse::plan::Kernel;
use cl_sparse::{Csr, HostCsr};
use cl_test::forced;
use proptest::prelude::*;

#[test]
fn each_matrix_has_a_kernel_for_gpus() {
    for device in forced::gpus() {
        let queue = Queue::on(&device).unwrap();
        let mut seen = [false; 3];
        for (name, host) in matrices::all() {
            let a: Csr<i32> = Csr::new(&queue, &host).unwrap();
            match a.kernel() {
                Kernel::Staged { .. } => seen[0] = true,
                Kernel::Shared { .. } => seen[1] = true,
                Kernel::Merge { .. } => seen[2] = true,
                kernel => panic!("{name} {kernel:?}"),
            }
            let x = matrices::vector(host.columns());
            let wanted = host.multiply(&x).unwrap();
            let x = DeviceVec::from_slice(&queue, &x).unwrap();
            let mut y = DeviceVec::filled(&queue, 7, host.rows()).unwrap();
            y.add_assign(&a * (&x * 2)).unwrap();
            let wanted: Vec<i32> = wanted.into_iter().map(|product| 7 + 2 * product).collect();
            assert_eq!(y.to_vec().unwrap(), wanted, "{name} {a:?}");
            // The same entries as a list in any order.
            let entries = a.to_coo().unwrap();
            assign(&mut y, 7 + &entries * (&x * 2)).unwrap();
            assert_eq!(y.to_vec().unwrap(), wanted, "{name} {entries:?}");
        }
        assert_eq!(seen, [true; 3]);
    }
}

/// Generates rows of any lengths, and columns in any order, with and without duplicates.
fn any_matrix() -> impl Strategy<Value = HostCsr<i32>> {
    let row = prop_oneof![
        4 => prop::collection::vec(any::<prop::sample::Index>(), 0..4),
        2 => prop::collection::vec(any::<prop::sample::Index>(), 0..40),
        1 => prop::collection::vec(any::<prop::sample::Index>(), 0..700),
    ];
    (1_usize..200, prop::collection::vec(row, 0..150)).prop_map(|(columns, rows)| {
        let rows: Vec<Vec<usize>> =
            rows.into_iter().map(|row| row.iter().map(|column| column.index(columns)).collect()).collect();
        matrices::of_rows(columns, &rows)
    })
}

#[test]
fn any_matrix_by_any_kernel() {
    let devices = cl_test::devices();
    let queues: Vec<Queue> = devices.iter().map(|device| Queue::on(device).unwrap()).collect();
    proptest!(ProptestConfig::with_cases(cl_test::full_or_small(64, 4)), |(host in any_matrix(), add in -3..3)| {
        let x = matrices::vector(host.columns());
        let wanted: Vec<i32> = host.multiply(&x).unwrap().into_iter().map(|product| product + add).collect();
        for queue in &queues {
            let x = DeviceVec::from_slice(queue, &x).unwrap();
            for kernel in matrices::kernels() {
                let a: Csr<i32> = Csr::new(queue, &host).unwrap().with_kernel(kernel).unwrap();
                let y = (&a * &x + add).collect().unwrap().to_vec().unwrap();
                prop_assert_eq!(&y, &wanted, "{:?}", kernel);
            }
        }
    });
}
