//! Products with every kernel, against those of the host.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use crate::matrices::{all, kernels, number, vector};
use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_sparse::{Csr, HostCsr};

#[test]
fn every_kernel_for_every_matrix() {
    for device in cl_test::devices() {
        let queue = Queue::on(&device).unwrap();
        for kernel in kernels() {
            for (name, host) in all() {
                let x = vector(host.columns());
                let wanted = host.multiply(&x).unwrap();
                let x = DeviceVec::from_slice(&queue, &x).unwrap();
                let own: Csr<i32> = Csr::new(&queue, &host).unwrap();
                if kernel == kernels()[0] {
                    assert_eq!((&own * &x).collect().unwrap().to_vec().unwrap(), wanted, "{name} {own:?}");
                }
                let a = own.with_kernel(kernel).unwrap();
                assert_eq!((&a * &x).collect().unwrap().to_vec().unwrap(), wanted, "{name} {kernel:?}");
            }
        }
    }
}

/// `r = f - A u`, `y += 42 A x`, into parts of vectors and several at once, of vectors that are computed.
#[test]
fn products_within_expressions() {
    for device in cl_test::devices() {
        let queue = Queue::on(&device).unwrap();
        for kernel in kernels() {
            for (name, host) in all().into_iter().filter(|(_, host)| host.rows() > 0) {
                let (u, f) = (vector(host.columns()), vector(host.rows()));
                let product = host.multiply(&u).unwrap();
                let a: Csr<i32> = Csr::new(&queue, &host).unwrap().with_kernel(kernel).unwrap();
                let (u, g) =
                    (DeviceVec::from_slice(&queue, &u).unwrap(), DeviceVec::from_slice(&queue, &f).unwrap());
                let wanted = |value: &dyn Fn(i32, i32) -> i32| -> Vec<i32> {
                    product.iter().zip(&f).map(|(&product, &f)| value(product, f)).collect()
                };
                let r = (&g - &a * &u).collect().unwrap();
                assert_eq!(r.to_vec().unwrap(), wanted(&|product, f| f - product), "{name} {kernel:?}");
                let mut y = DeviceVec::from_slice(&queue, &f).unwrap();
                y.add_assign(42 * (&a * &u)).unwrap();
                assert_eq!(y.to_vec().unwrap(), wanted(&|product, f| f + 42 * product), "{name} {kernel:?}");

                let mut long = DeviceVec::filled(&queue, 5, 2 * host.rows() + 1).unwrap();
                let sink = (long.slice_mut(1..).step_by(2), &mut y);
                assign(sink, (&a * (3 * &u - 1)).map(|product| (product, product + 1))).unwrap();
                let shifted: Vec<i32> = u.to_vec().unwrap().iter().map(|u| 3 * u - 1).collect();
                let product = host.multiply(&shifted).unwrap();
                let (long, y) = (long.to_vec().unwrap(), y.to_vec().unwrap());
                for (row, product) in product.into_iter().enumerate() {
                    assert_eq!(
                        (long[2 * row], long[2 * row + 1], y[row]),
                        (5, product, product + 1),
                        "{name}"
                    );
                }
            }
        }
    }
}

/// Products where a kernel of their own cannot help: in reductions, at other indices, within products, and twice.
#[test]
fn products_elsewhere() {
    for device in cl_test::devices() {
        let queue = Queue::on(&device).unwrap();
        let hosts = all();
        let host = &hosts.iter().find(|(name, _)| *name == "a stencil").unwrap().1;
        let a: Csr<i32> = Csr::new(&queue, host).unwrap();
        let u = vector(host.columns());
        let x = DeviceVec::from_slice(&queue, &u).unwrap();
        let once = host.multiply(&u).unwrap();
        let twice = host.multiply(&once).unwrap();
        assert_eq!((&a * &x).sum().unwrap(), once.iter().sum::<i32>());
        assert_eq!((&a * (&a * &x)).collect().unwrap().to_vec().unwrap(), twice);
        let reversed = (&a * &x).rev().collect().unwrap().to_vec().unwrap();
        assert_eq!(reversed, once.iter().rev().copied().collect::<Vec<_>>());
        let both = (&a * &x - &a * (&x + 1) * &x).collect().unwrap().to_vec().unwrap();
        let more = host.multiply(&u.iter().map(|u| u + 1).collect::<Vec<_>>()).unwrap();
        let wanted: Vec<i32> = (0..u.len()).map(|i| once[i] - more[i] * u[i]).collect();
        assert_eq!(both, wanted);
        // Beside a product of another matrix of the same shape.
        let other = HostCsr::identity(host.rows(), 3).unwrap();
        let b: Csr<i32> = Csr::new(&queue, &other).unwrap();
        let sum = (&a * &x + &b * &x).collect().unwrap().to_vec().unwrap();
        assert_eq!(sum, (0..u.len()).map(|i| once[i] + 3 * u[i]).collect::<Vec<_>>());
    }
}

#[test]
fn every_type_of_value_and_of_index() {
    for device in cl_test::devices() {
        let queue = Queue::on(&device).unwrap();
        for kernel in kernels() {
            for (name, host) in all() {
                let x: Vec<Complex<f32>> = (0..host.columns())
                    .map(|i| Complex::new(number(i) as f32, number(i + 9) as f32))
                    .collect();
                let host = host.map(|&value| Complex::new(value as f32, (value % 3) as f32));
                let wanted = host.multiply(&x).unwrap();
                let x = DeviceVec::from_slice(&queue, &x).unwrap();
                let a: Csr<Complex<f32>> = Csr::new(&queue, &host).unwrap().with_kernel(kernel).unwrap();
                assert_eq!(a.multiply(&x).unwrap().to_vec().unwrap(), wanted, "{name} {kernel:?}");
            }
        }
        if !cl_test::offers(&device, "double precision", device.has_fp64()) {
            continue;
        }
        for (name, host) in all() {
            let wide = |of: &[u32]| of.iter().map(|&index| u64::from(index)).collect::<Vec<_>>();
            let (offsets, columns) = (wide(host.row_offsets()), wide(host.column_indices()));
            let values = host.values().iter().map(|&value| f64::from(value)).collect();
            let (rows, count) = (host.rows(), host.columns());
            let host = HostCsr::<f64, u64>::new(rows, count, offsets, columns, values).unwrap();
            let x: Vec<f64> = vector(host.columns()).into_iter().map(f64::from).collect();
            let wanted = host.multiply(&x).unwrap();
            let x = DeviceVec::from_slice(&queue, &x).unwrap();
            for kernel in kernels() {
                let a = Csr::new(&queue, &host).unwrap().with_kernel(kernel).unwrap();
                assert_eq!(a.multiply(&x).unwrap().to_vec().unwrap(), wanted, "{name} {kernel:?}");
            }
        }
    }
}

/// Numbers whose sums depend on the order of additions.
#[test]
fn products_are_the_same_bit_by_bit_each_time() {
    for device in cl_test::devices() {
        let queue = Queue::on(&device).unwrap();
        let hosts = all();
        let host = &hosts.iter().find(|(name, _)| *name == "a power law").unwrap().1;
        let host = host.map(|&value| (value as f32).exp());
        let x = DeviceVec::from_fn(&queue, host.columns(), |i| (i as f32 * 0.7).sin()).unwrap();
        for kernel in kernels() {
            let a: Csr<f32> = Csr::new(&queue, &host).unwrap().with_kernel(kernel).unwrap();
            let bits = || a.multiply(&x).unwrap().to_vec().unwrap().into_iter().map(f32::to_bits).collect();
            let first: Vec<u32> = bits();
            for _ in 0..100 {
                let again: Vec<u32> = bits();
                assert!(again == first, "{kernel:?}");
            }
        }
    }
}

/// The smallest sums along edges, and what is reached: from a vector of another type.
#[test]
fn semirings() {
    for device in cl_test::devices() {
        let queue = Queue::on(&device).unwrap();
        for kernel in kernels() {
            for (name, host) in all() {
                let x = vector(host.columns());
                let a: Csr<i32> = Csr::new(&queue, &host).unwrap().with_kernel(kernel).unwrap();
                let y = DeviceVec::from_slice(&queue, &x).unwrap();
                let shortest = a.times_with(&y, i32::MAX, |w, d| w + d, Val::min).collect().unwrap();
                let row = |row| {
                    let (columns, values) = host.row(row);
                    columns.iter().zip(values).map(|(&column, &value)| (value, x[column as usize]))
                };
                let wanted: Vec<i32> = (0..host.rows())
                    .map(|at| row(at).map(|(w, d)| w + d).min().unwrap_or(i32::MAX))
                    .collect();
                assert_eq!(shortest.to_vec().unwrap(), wanted, "{name} {kernel:?}");
                let from = y.iter().gt(3).collect().unwrap();
                let reached = a.times_with(&from, false, |w, x| x & w.ne(0), |a, b| a | b).collect().unwrap();
                let wanted: Vec<bool> =
                    (0..host.rows()).map(|at| row(at).any(|(w, x)| w != 0 && x > 3)).collect();
                assert_eq!(reached.to_vec().unwrap(), wanted, "{name} {kernel:?}");
            }
        }
    }
}
