//! Tests of all kernels on a small matrix. The matrix is small because simulators, which run these tests too,
//! are slow. The kernels are tested also with 64-bit indices, which otherwise need a very large matrix.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use crate::plan::Kernel;
use crate::{Coo, Csr, Ell, HostCsr, Hybrid, Sell, generate};
use cl_algo::{DeviceVec, iota};
use cl_core::Queue;

/// Returns a matrix, a vector, and the result of `i - A x`.
fn small() -> (HostCsr<i32>, Vec<i32>, Vec<i32>) {
    let host: HostCsr<i32> =
        generate::banded(150, 170, 5, 9, |row, column| (row * column % 7) as i32).unwrap();
    let x: Vec<i32> = (0..170).map(|i| i % 11 - 5).collect();
    let product = host.multiply(&x).unwrap();
    let wanted = product.iter().zip(0..).map(|(product, i)| i - product).collect();
    (host, x, wanted)
}

#[test]
fn rows_by_every_kernel_and_with_wide_indices() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let (host, x, wanted) = small();
        let x = DeviceVec::from_slice(queue, &x).unwrap();
        for kernel in [
            Kernel::Chunks { chunks: 3 },
            Kernel::Staged { group: 64, per_item: 5 },
            Kernel::Shared { group: 64, items_per_row: 8 },
            Kernel::Merge { group: 64, per_item: 7 },
        ] {
            let narrow = Csr::new(queue, &host).unwrap().with_kernel(kernel).unwrap();
            let wide = Csr::new(queue, &host).unwrap().with_kernel(kernel).unwrap().wide();
            for a in [narrow, wide] {
                let product = (iota(0, 150) - &a * &x).collect().unwrap().to_vec().unwrap();
                assert_eq!(product, wanted, "{kernel:?}");
            }
        }
    });
}

#[test]
fn every_form_and_several_vectors() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let (host, x, wanted) = small();
        let x = DeviceVec::from_slice(queue, &x).unwrap();
        let a = Csr::new(queue, &host).unwrap();
        let (ell, sell) = (Ell::new(&a).unwrap(), Sell::new(&a, 8, 32).unwrap());
        let (slices, hybrid) = (Sell::new(&a, 8, 1).unwrap(), Hybrid::new(&a, 3).unwrap());
        let transposed: Csr<i32> = Csr::new(queue, &host.transposed()).unwrap();
        // Entries column by column.
        let entries = transposed.to_coo().unwrap();
        let (rows, columns) = (entries.column_indices().iter(), entries.row_indices().iter());
        let values = entries.values().iter().collect().unwrap();
        let entries =
            Coo::new(150, 170, rows.collect().unwrap(), columns.collect().unwrap(), values).unwrap();
        for product in [
            &ell * &x,
            &sell * &x,
            &slices * &x,
            &hybrid * &x,
            &entries * &x,
            transposed.times_transposed(&x).unwrap(),
        ] {
            assert_eq!((iota(0, 150) - product).collect().unwrap().to_vec().unwrap(), wanted);
        }
        // Once by the CPU kernel, and once by the GPU kernel.
        let many = |a: &Csr<i32>| a.multiply_many(1, &x).unwrap().to_vec().unwrap();
        let products = host.multiply(&x.to_vec().unwrap()).unwrap();
        assert_eq!(many(&a), products);
        assert_eq!(many(&a.with_kernel(Kernel::Shared { group: 64, items_per_row: 4 }).unwrap()), products);
    });
}
