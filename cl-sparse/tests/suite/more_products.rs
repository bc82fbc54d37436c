//! Products with the transpose, and with several vectors at once, against those of the host.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use crate::matrices::{all, kernels, number, vector};
use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_sparse::{Csr, HostCsr, generate};
use cl_test::counting;
use cl_test::forced;

#[test]
fn products_with_the_transpose() {
    for device in cl_test::devices() {
        let queue = Queue::on(&device).unwrap();
        for (name, host) in all() {
            let x = vector(host.rows());
            let wanted = host.transposed().multiply(&x).unwrap();
            let a: Csr<i32> = Csr::new(&queue, &host).unwrap();
            let x = DeviceVec::from_slice(&queue, &x).unwrap();
            let product = a.times_transposed(&x).unwrap();
            assert_eq!(product.collect_on(&queue).unwrap().to_vec().unwrap(), wanted, "{name}");
            // The same product within an expression.
            let square = (a.times_transposed(&x).unwrap() * 2 - 1).collect_on(&queue).unwrap();
            let wanted: Vec<i32> = wanted.iter().map(|product| 2 * product - 1).collect();
            assert_eq!(square.to_vec().unwrap(), wanted, "{name}");
        }
    }
}

/// Products with the transpose see new values, although the entries of the columns are computed once.
#[test]
fn transposes_see_new_values() {
    for device in cl_test::devices() {
        let queue = Queue::on(&device).unwrap();
        let host: HostCsr<f32> = HostCsr::from_dense(2, 3, &[1.0, 2.0, 0.0, 0.0, 3.0, 4.0]).unwrap();
        let mut a = Csr::new(&queue, &host).unwrap();
        let x = DeviceVec::from_slice(&queue, &[1.0, 10.0]).unwrap();
        let of = |a: &Csr<f32>| a.times_transposed(&x).unwrap().collect().unwrap().to_vec().unwrap();
        assert_eq!(of(&a), [1.0, 32.0, 40.0]);
        assign(a.values_mut(), 5.0).unwrap();
        assert_eq!(of(&a), [5.0, 55.0, 50.0]);
    }
}

/// Computes the products of all vectors on the host, one by one.
fn one_by_one(host: &HostCsr<i32>, vectors: usize, x: &[i32]) -> Vec<i32> {
    let mut products = vec![0; host.rows() * vectors];
    for vector in 0..vectors {
        let one: Vec<i32> = (0..host.columns()).map(|i| x[i * vectors + vector]).collect();
        for (row, product) in host.multiply(&one).unwrap().into_iter().enumerate() {
            products[row * vectors + vector] = product;
        }
    }
    products
}

#[test]
fn several_vectors_at_once() {
    for device in cl_test::devices().iter().chain(&forced::gpus()) {
        let queue = Queue::on(device).unwrap();
        for (name, host) in all() {
            let a: Csr<i32> = Csr::new(&queue, &host).unwrap();
            for vectors in [0, 1, 3, 8, 19] {
                let x = vector(host.columns() * vectors);
                let wanted = one_by_one(&host, vectors, &x);
                let x = DeviceVec::from_slice(&queue, &x).unwrap();
                assert_eq!(
                    a.multiply_many(vectors, &x).unwrap().to_vec().unwrap(),
                    wanted,
                    "{name} {vectors}"
                );
            }
            // Computed vectors, another kernel, and every second element of the output.
            let x = vector(host.columns() * 9);
            let wanted = one_by_one(&host, 9, &x.iter().map(|x| 3 * x).collect::<Vec<_>>());
            let x = DeviceVec::from_slice(&queue, &x).unwrap();
            let a = a.with_kernel(kernels()[5]).unwrap();
            let mut y = DeviceVec::filled(&queue, -5, 2 * wanted.len()).unwrap();
            a.multiply_many_into(y.view_mut().step_by(2), 9, 3 * &x).unwrap();
            let both: Vec<i32> = wanted.iter().flat_map(|&product| [product, -5]).collect();
            assert_eq!(y.to_vec().unwrap(), both, "{name}");
        }
        let host = all().pop().unwrap().1;
        let complex = |i| Complex::new(number(i) as f32, number(i + 5) as f32);
        let x: Vec<Complex<f32>> = (0..host.columns()).map(complex).collect();
        let host = host.map(|&value| Complex::new(value as f32, 1.0));
        let wanted = host.multiply(&x).unwrap();
        let a: Csr<Complex<f32>> = Csr::new(&queue, &host).unwrap();
        let x = DeviceVec::from_slice(&queue, &x).unwrap();
        assert_eq!(a.multiply_many(1, &x).unwrap().to_vec().unwrap(), wanted);
    }
}

#[test]
fn vectors_that_do_not_fit() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let host = generate::banded(30, 3000, 1, 20, |_, _| 1).unwrap();
        let a: Csr<i32> = Csr::new(&queue, &host).unwrap();
        let x = DeviceVec::filled(&queue, 1, 2 * host.columns()).unwrap();
        let short = DeviceVec::filled(&queue, 1, host.columns()).unwrap();
        let mut y = DeviceVec::filled(&queue, 1, 2 * host.rows()).unwrap();
        let text = |result: cl_core::Result<()>| result.unwrap_err().to_string();
        let calls = counter.calls_during(|| {
            let error = text(a.multiply_many(3, &x).map(drop));
            assert!(error.contains("matrix * vectors: 9000 and 6000"), "{error}");
            let error = text(a.multiply_many(usize::MAX, &x).map(drop));
            assert!(error.contains("vectors of 30 elements"), "{error}");
            let error = text(a.multiply_many_into(y.slice_mut(1..), 2, &x));
            assert!(error.contains("matrix * vectors: 60 and 59"), "{error}");
            let error = text(a.multiply_many_into(&mut y, 2, &x + &short));
            assert!(error.contains("6000 and 3000"), "{error}");
        });
        assert!(calls.is_empty(), "{calls:?}");
        let empty = Csr::new(&queue, &HostCsr::<i32>::empty(3, 2).unwrap()).unwrap();
        let error = text(empty.multiply_many(5, &x).map(drop));
        assert!(error.contains("matrix * vectors: 10 and 6000"), "{error}");
        let error = text(a.times_transposed(&x).unwrap().collect().map(drop));
        assert!(error.contains("transposed matrix * vector: 30 and 6000"), "{error}");

        // Errors name the function that was called, not one of our kernels.
        let foreign = DeviceVec::filled(&Queue::on(&device).unwrap(), 1, 2 * host.columns()).unwrap();
        let error = text(a.multiply_many(2, &foreign).map(drop));
        assert!(error.contains("multiply_many: ") && error.contains("different queues"), "{error}");
        let error = text(a.multiply_many_into(&mut y, 2, &foreign));
        assert!(error.contains("multiply_many_into: ") && error.contains("different queues"), "{error}");

        // On drivers whose loops end early, each launch is followed by one that checks for it.
        let loop_steps = cl_algo::DeviceProfile::of(&device).unwrap().loop_steps;
        if !cl_test::offers(&device, "loops of any length", Ok(loop_steps.is_none())) {
            continue;
        }
        // After the first call there is one launch, and no call that waits or allocates. The columns are uneven, so
        // GPUs merge them, which takes a second launch.
        let left = DeviceVec::filled(&queue, 1, host.rows()).unwrap();
        let mut z = DeviceVec::filled(&queue, 1, host.columns()).unwrap();
        let merged = 1 + u64::from(!cl_algo::DeviceProfile::of(&device).unwrap().chunked);
        let expect = |launches: u64, call: &mut dyn FnMut()| {
            call();
            let calls = counter.calls_during(call);
            assert_eq!(calls["clEnqueueNDRangeKernel"], launches, "{device}: {calls:?}");
            for absent in
                ["clCreateKernel", "clCreateBuffer", "clFinish", "clEnqueueReadBuffer", "clGetDeviceInfo"]
            {
                assert!(!calls.contains_key(absent), "{device}: {calls:?}");
            }
        };
        expect(1, &mut || a.multiply_many_into(&mut y, 2, &x).unwrap());
        expect(merged, &mut || z.assign(a.times_transposed(&left).unwrap()).unwrap());
    }
}
