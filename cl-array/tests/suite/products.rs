//! Products of matrices and vectors.

use cl_array::prelude::*;
use cl_core::Error;
use cl_test::{each_device_and_forced, full_or_small};

fn numbers(count: usize, seed: i64) -> Vec<i64> {
    (0..count as i64).map(|i| (i * i + seed * i + 3) % 17 - 8).collect()
}

/// Returns the product of two matrices in row-major order.
fn product(a: &[i64], b: &[i64], [m, k, n]: [usize; 3]) -> Vec<i64> {
    let entry = |i: usize, j: usize| (0..k).map(|l| a[i * k + l] * b[l * n + j]).sum();
    (0..m * n).map(|at| entry(at / n, at % n)).collect()
}

fn transposed(a: &[i64], [rows, columns]: [usize; 2]) -> Vec<i64> {
    (0..rows * columns).map(|at| a[at % rows * columns + at / rows]).collect()
}

#[test]
fn products_of_all_shapes_and_transpositions() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let edges = vec![[1, 1, 1], [3, 5, 2], [7, 1, 40], [6, 0, 4], [0, 3, 5]];
        let larger = full_or_small(vec![[1, 300, 1], [13, 33, 65], [64, 20, 48]], vec![[13, 9, 33]]);
        for [m, k, n] in edges.into_iter().chain(larger) {
            let (a, b) = (numbers(m * k, 1), numbers(k * n, 2));
            let wanted = product(&a, &b, [m, k, n]);
            let left = Array::from_slice(queue, [m, k], &a).unwrap();
            let right = Array::from_slice(queue, [k, n], &b).unwrap();
            let left_t = Array::from_slice(queue, [k, m], &transposed(&a, [m, k])).unwrap();
            let right_t = Array::from_slice(queue, [n, k], &transposed(&b, [k, n])).unwrap();
            let shape = [m, k, n];
            assert_eq!(left.matmul(&right).unwrap().to_vec().unwrap(), wanted, "{shape:?}");
            assert_eq!(
                left.matmul(right_t.t()).unwrap().to_vec().unwrap(),
                wanted,
                "{shape:?}, second transposed"
            );
            let left = ArrayExpr::from(left_t.t());
            assert_eq!(
                left.clone().matmul(&right).unwrap().to_vec().unwrap(),
                wanted,
                "{shape:?}, first transposed"
            );
            assert_eq!(
                left.matmul(right_t.t()).unwrap().to_vec().unwrap(),
                wanted,
                "{shape:?}, both transposed"
            );
            if n > 0 {
                let column: Vec<i64> = wanted.iter().step_by(n).copied().collect();
                let left = Array::from_slice(queue, [m, k], &a).unwrap();
                assert_eq!(left.matvec(right.column(0)).unwrap().to_vec().unwrap(), column, "{shape:?}");
            }
        }
    });
}

#[test]
fn expressions_are_multiplied_without_being_stored() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let (a, b) = (numbers(30 * 20, 3), numbers(20 * 36, 4));
        let left = Array::from_slice(queue, [30, 20], &a).unwrap();
        let right = Array::from_slice(queue, [20, 36], &b).unwrap();
        let found = (&left * 2 + 1).matmul(right.map(|x| x * x)).unwrap().to_vec().unwrap();
        let a: Vec<i64> = a.iter().map(|x| 2 * x + 1).collect();
        let b: Vec<i64> = b.iter().map(|x| x * x).collect();
        assert_eq!(found, product(&a, &b, [30, 20, 36]));
        let error = left.matmul(&left).unwrap_err();
        assert!(matches!(&error, Error::InvalidInput { what: "matmul", .. }), "{error}");
        assert!(error.to_string().contains("[30, 20]"), "{error}");
    });
}
