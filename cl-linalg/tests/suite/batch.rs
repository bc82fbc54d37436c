//! Batches of small matrices against products on the host.

use crate::hosts::{Made, random};
use cl_core::Queue;
use cl_linalg::{Error, RealScalar, prelude::*};
use cl_test::forced;
use num_complex::Complex;

/// Returns element (i, j) of matrix `m` of a batch.
fn at<T: Made>(items: &[T], [rows, columns]: [usize; 2], m: usize, i: usize, j: usize) -> Complex<f64> {
    items[(m * rows + i) * columns + j].wide()
}

/// Checks that `left right = expected` for each matrix, within `bound` units of roundoff.
fn assert_product<T: Made>(
    what: &str,
    (left, right, expected): (&[T], &[T], &dyn Fn(usize, usize, usize) -> Complex<f64>),
    [batch, rows, inner, columns]: [usize; 4],
    bound: f64,
) {
    for m in 0..batch {
        for (i, j) in (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))) {
            let product: Complex<f64> = (0..inner)
                .map(|k| at(left, [rows, inner], m, i, k) * at(right, [inner, columns], m, k, j))
                .sum();
            let error = (product - expected(m, i, j)).norm();
            assert!(
                error <= bound * T::Real::UNIT_ROUNDOFF,
                "{what}: matrix {m} ({i}, {j}): {product} and {}, {error:e}",
                expected(m, i, j)
            );
        }
    }
}

/// Returns the conjugate transpose of each matrix.
fn adjoint<T: Made>(items: &[T], [batch, rows, columns]: [usize; 3]) -> Vec<T> {
    let mut out = Vec::with_capacity(items.len());
    for m in 0..batch {
        for (j, i) in (0..columns).flat_map(|j| (0..rows).map(move |i| (j, i))) {
            out.push(items[(m * rows + i) * columns + j].conjugate());
        }
    }
    out
}

/// Factorises, solves and inverts a batch of matrices with `n` rows.
fn everything<T: Made>(queue: &Queue, batch: usize, n: usize) {
    let shape = [batch, n, n];
    let host: Vec<T> = random(7, batch * n * n);
    let a = Array::from_slice(queue, shape, &host).unwrap();
    let of_a = |m: usize, i: usize, j: usize| at(&host, [n, n], m, i, j);
    let bound = 50.0 * (n * n) as f64;

    let lu = a.lu().unwrap();
    let (factors, order) = (lu.factors().to_vec().unwrap(), lu.permutation().to_vec().unwrap());
    let part = |is_lower: bool| -> Vec<T> {
        (factors.iter().enumerate())
            .map(|(t, &item)| match (t / n % n, t % n) {
                (i, j) if i == j && is_lower => T::made(1.0, 0.0),
                (i, j) if (i > j) == is_lower => item,
                _ => T::zeroed(),
            })
            .collect()
    };
    let (lower, upper) = (part(true), part(false));
    assert!(lower.iter().all(|item| item.wide().norm() <= 1.5), "pivots are not the largest");
    let rows_in_order = |m: usize, i: usize, j: usize| of_a(m, order[m * n + i] as usize, j);
    assert_product("lu", (&lower, &upper, &rows_in_order), [batch, n, n, n], bound);

    // Solutions that are known, so that badly conditioned matrices do not matter: the residual is small.
    let right: Vec<T> = random(9, batch * n * 3);
    let b = Array::from_slice(queue, [batch, n, 3], &right).unwrap();
    for x in [a.solve(&b).unwrap(), lu.solve(&b).unwrap()] {
        let x = x.to_vec().unwrap();
        let largest = x.iter().map(|x| x.wide().norm()).fold(1.0, f64::max);
        let expected = |m: usize, i: usize, j: usize| at(&right, [n, 3], m, i, j);
        assert_product("solve", (&host, &x, &expected), [batch, n, n, 3], bound * largest);
    }
    let inverse = a.inverse().unwrap().to_vec().unwrap();
    let largest = inverse.iter().map(|x| x.wide().norm()).fold(1.0, f64::max);
    let identity = |_: usize, i: usize, j: usize| Complex::new(f64::from(u8::from(i == j)), 0.0);
    assert_product("inverse", (&host, &inverse, &identity), [batch, n, n, n], bound * largest);
    let determinants = a.det().unwrap().to_vec().unwrap();
    for (m, determinant) in determinants.iter().enumerate() {
        // The sign of the permutation, by counting inversions.
        let order = &order[m * n..(m + 1) * n];
        let inversions =
            (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).filter(|&(i, j)| order[i] < order[j]);
        let sign = if inversions.count() % 2 == 0 { 1.0 } else { -1.0 };
        let product: Complex<f64> = (0..n).map(|i| at(&factors, [n, n], m, i, i)).product();
        let error = (determinant.wide() - product * sign).norm();
        assert!(
            error <= bound * T::Real::UNIT_ROUNDOFF * product.norm(),
            "{determinant:?} {product} {error}"
        );
    }

    // A Aᴴ + I is positive definite. Numbers above the diagonal are not read.
    let adjoint_of_a = T::conjugates(a.permute_axes([0, 2, 1]).iter());
    let unit = ArrayExpr::from_fn([n, n], |[i, j]| i.eq(j).cast::<u8>()).on(queue);
    let unit = unit.map(|one| one.gt(0).select(T::made(1.0, 0.0), T::zeroed()));
    let positive = (a.iter().matmul(adjoint_of_a).unwrap().iter() + unit).collect().unwrap();
    let below = ArrayExpr::from_fn([n, n], |[i, j]| i.ge(j)).select(&positive, T::made(f64::NAN, 0.0));
    let cholesky = below.cholesky().unwrap();
    let factors = cholesky.factors().to_vec().unwrap();
    let mut again = Array::zeros(queue, [batch, n, n]).unwrap();
    below.cholesky_into(&mut again).unwrap();
    assert!(again.to_vec().unwrap() == factors, "cholesky_into");
    let host_positive = positive.to_vec().unwrap();
    let expected = |m: usize, i: usize, j: usize| at(&host_positive, [n, n], m, i, j);
    let factors_adjoint = adjoint(&factors, shape);
    assert_product("cholesky", (&factors, &factors_adjoint, &expected), [batch, n, n, n], bound * 4.0);
    let x = cholesky.solve(b.slice(s![.., .., 1])).unwrap().to_vec().unwrap();
    let expected = |m: usize, i: usize, _: usize| at(&right, [n, 3], m, i, 1);
    assert_product("cholesky solve", (&host_positive, &x, &expected), [batch, n, n, 1], bound * 10.0);
}

fn tall<T: Made>(queue: &Queue, shape @ [batch, rows, columns]: [usize; 3]) {
    let mut host: Vec<T> = random(3, batch * rows * columns);
    // One matrix of zeros: its columns of Q are orthonormal, too.
    host[..rows * columns].fill(T::zeroed());
    let a = Array::from_slice(queue, shape, &host).unwrap();
    let qr = a.qr().unwrap();
    let (q, r) = (qr.q().to_vec().unwrap(), qr.r().to_vec().unwrap());
    let expected = |m: usize, i: usize, j: usize| at(&host, [rows, columns], m, i, j);
    assert_product("qr", (&q, &r, &expected), [batch, rows, columns, columns], 20.0 * rows as f64);
    let identity = |_: usize, i: usize, j: usize| Complex::new(f64::from(u8::from(i == j)), 0.0);
    let q_adjoint = adjoint(&q, shape);
    assert_product("QᴴQ", (&q_adjoint, &q, &identity), [batch, columns, rows, columns], 20.0 * rows as f64);
    for (t, item) in r.iter().enumerate() {
        let (i, j) = (t / columns % columns, t % columns);
        assert!(i <= j || *item == T::zeroed());
        assert!(i != j || item.wide().im == 0.0);
    }
    let b = Array::from_slice(queue, [batch, rows, 1], &random::<T>(5, batch * rows)).unwrap();
    let Err(Error::InBatch { matrix: 0, error, .. }) = qr.solve(&b) else { panic!("no rank") };
    assert!(matches!(*error, Error::Singular { pivot: 0, .. }), "{error}");
}

#[test]
fn batches_are_factorised_and_solved() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        everything::<f32>(&queue, 19, 5);
        everything::<Complex<f32>>(&queue, 3, 2);
        tall::<f32>(&queue, [9, 6, 4]);
        // Matrices that are read in packs of 16, 4 and 8 items.
        everything::<Complex<f32>>(&queue, 18, 4);
        everything::<f32>(&queue, 17, 6);
        tall::<f32>(&queue, [33, 8, 3]);
        if device.has_fp64().unwrap() {
            everything::<f64>(&queue, 11, 16);
            everything::<Complex<f64>>(&queue, 9, 7);
            tall::<Complex<f64>>(&queue, [3, 5, 3]);
        }
    });
}

#[test]
fn kernels_of_gpus_do_the_same() {
    for device in forced::gpus() {
        let queue = Queue::on(&device).unwrap();
        everything::<f32>(&queue, 37, 5);
        tall::<Complex<f32>>(&queue, [3, 5, 3]);
    }
}

#[test]
fn the_first_failure_is_named() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let mut host: Vec<f32> = (0..20).flat_map(|_| [2.0, 0.0, 0.0, 2.0]).collect();
        host[4 * 17 + 3] = -1.0;
        host[4 * 18] = 0.0;
        let batch = |host: &[f32]| Array::from_slice(&queue, [20, 2, 2], host).unwrap();
        let of = |result: cl_linalg::Result<()>| match result {
            Err(Error::InBatch { matrix, error, .. }) => (matrix, *error),
            other => panic!("{other:?}"),
        };
        let (matrix, error) = of(batch(&host).cholesky().map(drop));
        assert!(
            matrix == 17 && matches!(error, Error::NotPositiveDefinite { pivot: 1, .. }),
            "{matrix} {error}"
        );
        for result in [batch(&host).lu().map(drop), batch(&host).inverse().map(drop)] {
            let (matrix, error) = of(result);
            assert!(matrix == 18 && matches!(error, Error::Singular { pivot: 0, .. }), "{matrix} {error}");
        }
        assert_eq!(batch(&host).det().unwrap().to_vec().unwrap()[16..], [4.0, -2.0, 0.0, 4.0]);
        host[4 * 3 + 2] = f32::NAN;
        for result in [
            batch(&host).cholesky().map(drop),
            batch(&host).lu().map(drop),
            batch(&host).det().map(drop),
            batch(&host).qr().map(drop),
        ] {
            let (matrix, error) = of(result);
            assert!(matrix == 3 && matches!(error, Error::NotFinite { .. }), "{matrix} {error}");
        }
    });
}

#[test]
fn empty_batches_and_shapes_that_do_not_fit() {
    let queue = Queue::on(&Device::first().unwrap()).unwrap();
    let shaped = |shape| Array::filled(&queue, shape, 1.0_f32).unwrap();
    for shape in [[0, 3, 3], [3, 0, 0]] {
        let a = shaped(shape);
        assert!(a.cholesky().unwrap().factors().is_empty());
        assert!(a.inverse().unwrap().is_empty() && a.lu().unwrap().factors().is_empty());
        assert!(a.qr().unwrap().r().is_empty());
        assert_eq!(a.det().unwrap().to_vec().unwrap(), vec![1.0; shape[0]]);
        let right = Array::filled(&queue, [shape[0], shape[1]], 1.0_f32).unwrap();
        assert!(a.solve(&right).unwrap().is_empty());
    }
    assert!(shaped([2, 2, 3]).cholesky().is_err() && shaped([2, 33, 33]).det().is_err());
    assert!(shaped([2, 2, 3]).qr().is_err());
    let mut target = shaped([2, 3, 2]);
    let error = shaped([2, 3, 3]).cholesky_into(&mut target).unwrap_err().to_string();
    assert!(error.contains("[2, 3, 2]") && error.contains("[2, 3, 3]"), "{error}");
    assert_eq!(target.to_vec().unwrap(), [1.0; 12]);
    assert!(shaped([2, 3, 3]).solve(shaped([2, 2, 1])).is_err());
    assert!(shaped([1, 1, 1]).solve(shaped([1, 1, 1])).unwrap().to_vec().unwrap() == [1.0]);
}
