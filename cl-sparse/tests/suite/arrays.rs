//! Products with arrays of `cl-array`.

use cl_array::prelude::*;
use cl_sparse::solve::{BiCgStab, Cg, Gmres, LinearOperator, Tolerance};
use cl_sparse::{Csr, HostCsr, generate};
use cl_test::each_device;

/// Returns the product of a dense matrix with `columns` columns and another one.
fn product(a: &[f32], columns: usize, x: &[f32], vectors: usize) -> Vec<f32> {
    a.chunks(columns)
        .flat_map(|row| {
            (0..vectors).map(move |v| row.iter().enumerate().map(|(k, a)| a * x[k * vectors + v]).sum())
        })
        .collect()
}

#[test]
fn every_operand() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let host = generate::five_point([4, 5], 4.0_f32, -1.0).unwrap();
        let (a, dense) = (Csr::<f32>::new(queue, &host).unwrap(), host.to_dense());
        // Small integers: sums of floats are exact in any order.
        for vectors in [1, 2, 7, 32] {
            let values: Vec<f32> = (0..20 * vectors).map(|i| (i * i % 23) as f32).collect();
            let x = Array::from_slice(queue, [20, vectors], &values).unwrap();
            let expected = product(&dense, 20, &values, vectors);
            let y = a.matmul(&x).unwrap();
            assert_eq!((y.shape(), y.to_vec().unwrap()), ([20, vectors], expected.clone()));
            // One vector after the other in memory.
            let columns = x.t().collect().unwrap();
            assert_eq!(a.matmul(columns.t()).unwrap().to_vec().unwrap(), expected);
            // Expressions, with broadcasting, too.
            let doubled: Vec<f32> = expected.iter().map(|y| 2.0 * y).collect();
            assert_eq!(a.matmul(&x + &x).unwrap().to_vec().unwrap(), doubled);
            let two = Array::filled(queue, [vectors], 2.0_f32).unwrap();
            assert_eq!(a.matmul(&x * &two).unwrap().to_vec().unwrap(), doubled);
            // Some of the vectors, and an expression that reads no array.
            let last = a.matmul(x.slice(s![.., -1..])).unwrap().to_vec().unwrap();
            assert_eq!(last, expected.chunks(vectors).map(|row| row[vectors - 1]).collect::<Vec<_>>());
            let indices = ArrayExpr::from_expr(iota(0_i32, 20 * vectors).cast::<f32>(), [20, vectors]);
            let indices_host: Vec<f32> = (0..20 * vectors).map(|i| i as f32).collect();
            assert_eq!(
                a.matmul(indices).unwrap().to_vec().unwrap(),
                product(&dense, 20, &indices_host, vectors)
            );
        }
    });
}

#[test]
fn empty_operands() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Csr::<f32>::new(queue, &HostCsr::from_dense(2, 3, &[0.0; 6]).unwrap()).unwrap();
        let x = Array::filled(queue, [3, 2], 1.0_f32).unwrap();
        assert_eq!(a.matmul(&x).unwrap().to_vec().unwrap(), [0.0; 4]);
        let a = Csr::<f32>::new(queue, &HostCsr::from_dense(2, 3, &[1.0; 6]).unwrap()).unwrap();
        assert_eq!(a.matmul(x.slice(s![.., ..0])).unwrap().shape(), [2, 0]);
        let a = Csr::<f32>::new(queue, &HostCsr::from_dense(2, 0, &[]).unwrap()).unwrap();
        assert_eq!(a.matmul(x.slice(s![..0, ..])).unwrap().to_vec().unwrap(), [0.0; 4]);
    });
}

#[test]
fn refused() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Csr::<f32>::new(queue, &HostCsr::from_dense(2, 3, &[1.0; 6]).unwrap()).unwrap();
        let x = Array::filled(queue, [2, 4], 1.0_f32).unwrap();
        let message = a.matmul(&x).unwrap_err().to_string();
        assert!(message.contains("[2, 3]") && message.contains("[2, 4]"), "{message}");
        assert!(a.matmul(x.slice(s![..3, ..])).is_err());
        let wrong = x.t().slice(s![..3, ..]) + x.t().slice(s![..2, ..]);
        assert!(a.matmul(wrong.slice(s![..3, ..2])).is_err());
        let other = &Queue::on(device).unwrap();
        let foreign = Array::filled(other, [3, 4], 1.0_f32).unwrap();
        assert!(matches!(a.matmul(&foreign), Err(cl_core::Error::ForeignObject { .. })));
        assert!(matches!(a.matmul(foreign.iter() * 2.0), Err(cl_core::Error::ForeignObject { .. })));
    });
}

/// Solvers take dense matrices and parts of them, and find the solution that the sparse matrix has.
#[test]
fn dense_matrices_are_operators() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let host: HostCsr<f32> = generate::five_point([5, 6], 4.0, -1.0).unwrap();
        let wanted: Vec<f32> = (0..30).map(|i| (i % 7) as f32 - 3.0).collect();
        let b: Vec<f32> = product(&host.to_dense(), 30, &wanted, 1);
        let b = &DeviceVec::from_slice(queue, &b).unwrap();
        // Every second row and column of a larger matrix, backwards, which is symmetric.
        let mut large =
            Array::column_major(DeviceVec::filled(queue, 9.0_f32, 61 * 60).unwrap(), [61, 60]).unwrap();
        let whole = Array::from_slice(queue, [30, 30], &host.to_dense()).unwrap();
        large.slice_mut(s![1..; -2, ..; -2]).assign(&whole).unwrap();
        let part = large.slice(s![1..; -2, ..; -2]);
        let operators: [&dyn LinearOperator<f32>; 3] = [&whole, &part, &part.clone().t()];
        let tolerance = Tolerance::Relative(1e-6);
        for a in operators {
            let solve = |run: &mut dyn FnMut(&mut DeviceVec<f32>)| {
                let mut x = DeviceVec::filled(queue, 0.0_f32, 30).unwrap();
                run(&mut x);
                let found = x.to_vec().unwrap();
                // The norm of `b` is below 100, and the least eigenvalue above 0.4.
                assert!(
                    found.iter().zip(&wanted).all(|(x, y)| (x - y).abs() < 100.0 * 1e-6 / 0.4),
                    "{found:?}"
                );
            };
            solve(&mut |x| drop(Cg::new().tolerance(tolerance).solve(a, b, x).unwrap()));
            solve(&mut |x| drop(BiCgStab::new().tolerance(tolerance).solve(a, b, x).unwrap()));
            solve(&mut |x| drop(Gmres::new().tolerance(tolerance).solve(a, b, x).unwrap()));
        }
        let mut short = DeviceVec::filled(queue, 0.0_f32, 29).unwrap();
        assert!(LinearOperator::apply(&whole, b, &mut short).is_err());
    });
}

/// A product of an array that is not a vector would take the coordinates of a row for those of an entry.
#[test]
fn products_of_coordinates_are_refused() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a: Csr<f32> = Csr::new(queue, &generate::five_point([4, 5], 4.0, -1.0).unwrap()).unwrap();
        let mut x = Array::filled(queue, [20], 1.0_f32).unwrap();
        let refused = [
            ArrayExpr::from_expr(&a * x.iter().into_ranked(), [20]).to_vec().map(drop),
            x.assign_with(|x| ArrayExpr::from_expr(&a * x.into_ranked(), [20])),
        ];
        for refused in refused {
            let message = refused.unwrap_err().to_string();
            assert!(message.contains("coordinates") && message.contains("flatten"), "{message}");
        }
        let refused = x.assign_with(|x| ArrayExpr::from_expr(&a * x.flatten().unwrap(), [20]));
        let message = refused.unwrap_err().to_string();
        assert!(message.contains("other coordinates"), "{message}");
        assert_eq!(x.to_vec().unwrap(), [1.0; 20]);
    });
}
