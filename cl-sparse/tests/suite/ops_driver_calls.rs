//! Driver calls of transposes, sums and similar operations: none for invalid arguments. With the kernels of GPUs, the
//! results are the same.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use crate::matrices;
use cl_algo::prelude::*;
use cl_sparse::{Csr, HostCsr, add, generate};
use cl_test::counting::{devices, exclusive};
use cl_test::forced;

#[test]
fn mistakes_call_nobody() {
    let counter = exclusive();
    for device in devices() {
        let (queue, other) = (Queue::on(&device).unwrap(), Queue::on(&device).unwrap());
        let host: HostCsr<i32> = generate::banded(3, 4, 1, 1, |_, _| 1).unwrap();
        let (mut a, foreign) = (Csr::new(&queue, &host).unwrap(), Csr::new(&other, &host).unwrap());
        let square = Csr::new(&queue, &HostCsr::identity(3, 1).unwrap()).unwrap();
        let short = DeviceVec::filled(&queue, 1, 2).unwrap();
        let order = DeviceVec::filled(&queue, 1_u32, 2).unwrap();
        let calls = counter.calls_during(|| {
            assert!(add(1, &a, 1, &square).is_err());
            assert!(add(1, &a, 1, &foreign).is_err());
            assert!(a.scale_rows(&short).is_err());
            assert!(a.scale_columns(&short).is_err());
            assert!(a.permute_rows(&order).is_err());
            assert!(a.permute_columns(&order).is_err());
        });
        assert!(calls.is_empty(), "{calls:?}");
    }
}

/// Scaling changes values in place, with one launch and without allocation.
#[test]
fn scaling_is_one_launch() {
    let counter = exclusive();
    for device in devices() {
        let queue = Queue::on(&device).unwrap();
        let mut a = Csr::<i32>::new(&queue, &generate::five_point([9, 9], 4, -1).unwrap()).unwrap();
        let numbers = DeviceVec::filled(&queue, 2, 81).unwrap();
        type Scale = fn(&mut Csr<i32>, &DeviceVec<i32>) -> cl_core::Result<()>;
        let (by_one, by_many): (Scale, Scale) = (|a, _| a.scale(3), |a, numbers| a.scale_columns(numbers));
        for scale in [by_one, by_many] {
            scale(&mut a, &numbers).unwrap();
            let calls = counter.calls_during(|| scale(&mut a, &numbers).unwrap());
            assert_eq!(calls.get("clEnqueueNDRangeKernel"), Some(&1), "{calls:?}");
            for absent in ["clCreateBuffer", "clFinish", "clEnqueueReadBuffer"] {
                assert!(!calls.contains_key(absent), "{calls:?}");
            }
        }
    }
}

#[test]
fn as_gpus_do_it() {
    for device in forced::gpus() {
        let queue = Queue::on(&device).unwrap();
        for (name, host) in matrices::all() {
            let a: Csr<i32> = Csr::new(&queue, &host).unwrap();
            let transposed = a.transposed().unwrap();
            assert_eq!(transposed.to_host().unwrap(), host.transposed(), "{name}");
            // A matrix that is transposed twice is sorted.
            let sorted = transposed.transposed().unwrap();
            let mut expected = host.clone();
            expected.sort_rows();
            assert_eq!(sorted.to_host().unwrap(), expected, "{name}");
            expected.sum_duplicates();
            for value in expected.values_mut() {
                *value *= 5;
            }
            let sum = add(2, &a, 3, &sorted).unwrap();
            assert_eq!(sum.to_host().unwrap(), expected, "{name}");
        }
    }
}
