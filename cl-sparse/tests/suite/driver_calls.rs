//! Driver calls of products.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use crate::matrices;
use cl_algo::prelude::*;
use cl_core::CacheStatistics;
use cl_sparse::plan::Kernel;
use cl_sparse::{Csr, Ell};
use cl_test::counting::{Calls, Exclusive, devices, exclusive};

/// Checks the calls of the second run, when kernels and memory exist: `wanted` launches, and no call that allocates,
/// compiles, reads or waits.
fn launches(counter: &Exclusive, wanted: u64, mut run: impl FnMut()) {
    run();
    let calls = counter.calls_during(run);
    assert_eq!(calls.get("clEnqueueNDRangeKernel").copied().unwrap_or(0), wanted, "{calls:?}");
    for absent in ["clCreateBuffer", "clCreateKernel", "clBuildProgram", "clFinish", "clEnqueueReadBuffer"] {
        assert!(!calls.contains_key(absent), "{calls:?}");
    }
}

#[test]
fn products_are_one_launch_and_merging_two() {
    let counter = exclusive();
    for device in devices() {
        let queue = Queue::on(&device).unwrap();
        for kernel in matrices::kernels() {
            let wanted = if matches!(kernel, Kernel::Merge { .. }) { 2 } else { 1 };
            for (_, host) in matrices::all() {
                let a: Csr<i32> = Csr::new(&queue, &host).unwrap().with_kernel(kernel).unwrap();
                let x = DeviceVec::filled(&queue, 1, host.columns()).unwrap();
                let f = DeviceVec::filled(&queue, 1, host.rows()).unwrap();
                let mut y = DeviceVec::filled(&queue, 1, host.rows()).unwrap();
                // The product of a matrix without entries only fills a vector with zeros.
                let wanted = if host.nonzeros() == 0 { 1 } else { wanted };
                let wanted = if host.rows() == 0 { 0 } else { wanted };
                launches(&counter, wanted, || a.multiply_into(&mut y, &x).unwrap());
                launches(&counter, wanted, || y.assign(&f - 2 * (&a * (&x + 1))).unwrap());
                launches(&counter, wanted, || y.add_assign(&a * &x).unwrap());
            }
        }
    }
}

/// The number of rows is a launch value, except for the smallest matrices.
#[test]
fn matrices_of_one_kind_share_a_kernel() {
    for device in cl_test::devices() {
        let queue = Queue::on(&device).unwrap();
        let programs = || {
            let CacheStatistics { builds, disk_hits, .. } = CacheStatistics::of(queue.context());
            builds + disk_hits
        };
        let multiply = |rows: usize| {
            let host = matrices::of_rows(rows, &vec![vec![0, 1, 2]; rows]);
            let x = matrices::vector(rows);
            let a = Ell::new(&Csr::<i32>::new(&queue, &host).unwrap()).unwrap();
            let y = a.multiply(DeviceVec::from_slice(&queue, &x).unwrap()).unwrap();
            assert_eq!(y.to_vec().unwrap(), host.multiply(&x).unwrap(), "{rows} rows");
        };
        multiply(100);
        let before = programs();
        [101, 128, 977, 5000].into_iter().for_each(multiply);
        assert_eq!(programs(), before, "{device}");
    }
}

/// Entries in any order are sorted only for the first product.
#[test]
fn entries_are_sorted_once() {
    let counter = exclusive();
    for device in devices() {
        let queue = Queue::on(&device).unwrap();
        for (name, host) in matrices::all().into_iter().filter(|(_, host)| host.nonzeros() > 0) {
            let a = Csr::<i32>::new(&queue, &host).unwrap().to_coo().unwrap();
            let x = DeviceVec::filled(&queue, 1, host.columns()).unwrap();
            let mut y = DeviceVec::filled(&queue, 1, host.rows()).unwrap();
            a.multiply_into(&mut y, &x).unwrap();
            y.assign(3 - &a * &x).unwrap();
            let calls = counter.calls_during(|| y.assign(3 - &a * &x).unwrap());
            assert!((1..=2).contains(&calls["clEnqueueNDRangeKernel"]), "{name} {calls:?}");
            for absent in ["clCreateBuffer", "clCreateKernel", "clFinish", "clEnqueueReadBuffer"] {
                assert!(!calls.contains_key(absent), "{name} {calls:?}");
            }
        }
    }
}

#[test]
fn mistakes_call_nobody() {
    let counter = exclusive();
    for device in devices() {
        let (queue, other) = (Queue::on(&device).unwrap(), Queue::on(&device).unwrap());
        let (_, host) = matrices::all().into_iter().find(|(name, _)| *name == "tall").unwrap();
        let rows = host.rows();
        assert_eq!(host.columns(), 30);
        let a: Csr<i32> = Csr::new(&queue, &host).unwrap();
        let long = DeviceVec::filled(&queue, 1, host.rows()).unwrap();
        let x = DeviceVec::filled(&queue, 1, host.columns()).unwrap();
        let foreign = DeviceVec::filled(&other, 1, host.columns()).unwrap();
        let mut y = DeviceVec::filled(&queue, 1, host.rows()).unwrap();
        let mut short = DeviceVec::filled(&queue, 1, host.columns()).unwrap();
        let calls = counter.calls_during(|| {
            let text = |result: cl_core::Result<()>| result.unwrap_err().to_string();
            let error = text(a.multiply_into(&mut y, &long));
            assert!(error.contains(&format!("matrix * vector: 30 and {rows}")), "{error}");
            let error = text(a.multiply_into(&mut short, &x));
            assert!(error.contains(&format!("assign: 30 and {rows}")), "{error}");
            let error = text(a.multiply_into(&mut y, &foreign));
            assert!(error.contains("different queues"), "{error}");
            let error = text(y.assign(&a * &x + &x));
            assert!(error.contains(&format!("{rows} and 30")), "{error}");
            let error = text(short.assign_with(|x| (&a * x).slice(..30)));
            assert!(error.contains("in place"), "{error}");
        });
        assert_eq!(calls, Calls::new());
    }
}
