//! Solves, inverses, determinants, condition estimates and least squares.

use super::sample::{C64, Dense, Kind, Sample, at_most};
use cl_linalg::prelude::*;
use cl_linalg::{FactorSettings, RunsOn};
use num_complex::Complex;

/// Returns the norm-wise backward error of a solution.
fn backward(a: &Dense, x: &Dense, b: &Dense) -> f64 {
    a.times(x).minus(b).norm() / (a.norm() * x.norm() + b.norm())
}

fn solves<T: Sample>() {
    cl_test::each_device(|device| {
        if !device.has_fp64().unwrap() && T::unit() < 1e-10 {
            return;
        }
        let queue = Queue::on(device).unwrap();
        let rows = cl_test::full_or_small(75, 33);
        let bound = 5.0 * rows as f64 * T::unit();
        for place in [RunsOn::Host, RunsOn::Device, RunsOn::Hybrid] {
            let settings = FactorSettings::new().runs_on(place).panel(16);
            for kind in [Kind::Random, Kind::Graded] {
                let a = Dense::sample::<T>(kind, [rows, rows], 21);
                let b = Dense::sample::<T>(Kind::Random, [rows, 2], 22);
                let (array, right) = (a.to::<T>(&queue).unwrap(), b.to::<T>(&queue).unwrap());
                let lu = array.lu_with(&settings).unwrap();
                let x = Dense::from(&lu.solve(&right).unwrap()).unwrap();
                at_most(&format!("LU {place:?} {kind:?}"), backward(&a, &x, &b), bound);
                let x = Dense::from(&lu.solve_adjoint(&right).unwrap()).unwrap();
                at_most(&format!("adjoint {place:?} {kind:?}"), backward(&a.adjoint(), &x, &b), bound);
                let x = Dense::from(&array.qr_with(&settings).unwrap().solve(&right).unwrap()).unwrap();
                at_most(&format!("QR {place:?} {kind:?}"), backward(&a, &x, &b), bound);
            }
            let a = Dense::definite::<T>(rows, 1.0, 23);
            let b = Dense::sample::<T>(Kind::Random, [rows, 1], 24);
            let right: Vec<T> = b.items.iter().map(|&item| T::of(item)).collect();
            let right = Array::from_slice(&queue, [rows], &right).unwrap();
            let cholesky = a.to::<T>(&queue).unwrap().cholesky_with(&settings).unwrap();
            let x = cholesky.solve(&right).unwrap().to_vec().unwrap();
            let x = Dense { shape: [rows, 1], items: x.into_iter().map(T::wide).collect() };
            at_most(&format!("Cholesky {place:?}"), backward(&a, &x, &b), bound);
        }
    });
}

#[test]
fn solves_f32() {
    solves::<f32>();
}

#[test]
fn solves_complex_f64() {
    solves::<Complex<f64>>();
}

#[test]
fn inverses_and_determinants() {
    cl_test::each_device(|device| {
        if !device.has_fp64().unwrap() {
            return;
        }
        let queue = Queue::on(device).unwrap();
        for rows in [0, 1, 12] {
            let a = Dense::definite::<C64>(rows, 1.0, 31);
            let array = a.to::<C64>(&queue).unwrap();
            let (lu, cholesky) = (array.lu().unwrap(), array.cholesky().unwrap());
            for inverse in [array.inverse().unwrap(), cholesky.inverse().unwrap()] {
                let product = a.times(&Dense::from(&inverse).unwrap());
                at_most("A A⁻¹ - I", product.minus(&Dense::identity(rows)).largest(), 1e-11);
            }
            let det = cholesky.det();
            at_most("det", (lu.det() - det).norm(), 1e-12 * det);
            assert_eq!(array.det().unwrap(), lu.det());
            let (sign, log) = array.log_det().unwrap();
            at_most("log det", (sign - 1.0).norm() + (log - cholesky.log_det()).abs(), 1e-11);
            at_most("log", (cholesky.log_det() - det.ln()).abs(), 1e-11);
            for (lower, inverse) in [(true, array.lower().inverse()), (false, array.upper().inverse())] {
                let half = Dense::from_fn(a.shape, |row, column| {
                    if if lower { column <= row } else { row <= column } {
                        a.at(row, column)
                    } else {
                        C64::default()
                    }
                });
                let product = half.times(&Dense::from(inverse.unwrap().array()).unwrap());
                at_most("triangular", product.minus(&Dense::identity(rows)).largest(), 1e-11);
            }
        }
        // A permutation of odd sign, and numbers whose product overflows.
        let a = Array::from_slice(&queue, [2, 2], &[0.0_f64, 1e200, -1e200, 1.0]).unwrap();
        let (sign, log) = a.log_det().unwrap();
        assert_eq!(sign, 1.0);
        at_most("log of a large determinant", (log - 400.0 * 10_f64.ln()).abs(), 1e-10);
        assert!(a.det().unwrap().is_infinite());
    });
}

#[test]
fn condition_numbers_are_estimated() {
    cl_test::each_device(|device| {
        if !device.has_fp64().unwrap() {
            return;
        }
        let queue = Queue::on(device).unwrap();
        let norm = |a: &Dense| {
            let sum = |column| (0..a.shape[0]).map(|row| a.at(row, column).norm()).sum::<f64>();
            (0..a.shape[1]).map(sum).fold(0.0, f64::max)
        };
        for (kind, seed) in [(Kind::Random, 1), (Kind::Graded, 2), (Kind::Random, 3)] {
            let a = Dense::sample::<C64>(kind, [20, 20], seed);
            let array = a.to::<C64>(&queue).unwrap();
            let exact = norm(&a) * norm(&Dense::from(&array.inverse().unwrap()).unwrap());
            let estimate = array.condition().unwrap();
            assert!(estimate <= exact * 1.001 && estimate >= exact / 5.0, "{estimate:e} of {exact:e}");
        }
        let a = Dense::definite::<f64>(15, 0.1, 4);
        let array = a.to::<f64>(&queue).unwrap();
        let estimate = array.cholesky().unwrap().condition(norm(&a)).unwrap();
        at_most("Cholesky", (estimate / array.condition().unwrap() - 1.0).abs(), 1e-8);
        let singular = Array::<f64, 2>::filled(&queue, [3, 3], 0.0).unwrap();
        assert!(singular.condition().unwrap().is_infinite());
    });
}

#[test]
fn least_squares_of_all_shapes() {
    fn check<T: Sample>() {
        cl_test::each_device(|device| {
            if !device.has_fp64().unwrap() && T::unit() < 1e-10 {
                return;
            }
            let queue = Queue::on(device).unwrap();
            for shape in [[30, 12], [12, 12], [12, 30], [1, 1]] {
                let a = Dense::sample::<T>(Kind::Random, shape, 41);
                let b = Dense::sample::<T>(Kind::Random, [shape[0], 2], 42);
                let (array, right) = (a.to::<T>(&queue).unwrap(), b.to::<T>(&queue).unwrap());
                let bound = 200.0 * T::unit() * shape[0].max(shape[1]) as f64;
                let x = Dense::from(&array.least_squares(&right).unwrap()).unwrap();
                // The residual is orthogonal to the columns.
                let normal = a.adjoint().times(&a.times(&x).minus(&b));
                at_most(&format!("{shape:?}"), normal.norm(), bound * a.norm() * b.norm());
                let pivoted = array.qr_pivoted().unwrap().least_squares(&right).unwrap();
                let other = Dense::from(&pivoted).unwrap();
                let normal = a.adjoint().times(&a.times(&other).minus(&b));
                at_most(&format!("pivoted {shape:?}"), normal.norm(), bound * a.norm() * b.norm());
                assert!(x.norm() <= other.norm() * (1.0 + bound), "the least norm");
            }
            // Equal columns: the system is consistent, and one of them is not used.
            let a = Dense::from_fn([6, 3], |row, column| (if column == 1 { 1.0 } else { row as f64 }).into());
            let b = Dense::from_fn([6, 1], |row, _| (2.0 * row as f64 + 1.0).into());
            let qr = a.to::<T>(&queue).unwrap().qr_pivoted().unwrap();
            assert_eq!(qr.rank(), 2);
            let x = Dense::from(&qr.least_squares(b.to::<T>(&queue).unwrap()).unwrap()).unwrap();
            at_most("rank 2", a.times(&x).minus(&b).norm(), 200.0 * T::unit());
            assert_eq!(x.items.iter().filter(|item| **item == C64::default()).count(), 1);
        });
    }
    check::<f32>();
    check::<Complex<f64>>();
}

#[test]
fn solutions_are_refined() {
    cl_test::each_device(|device| {
        if !device.has_fp64().unwrap() {
            return;
        }
        let queue = Queue::on(device).unwrap();
        let rows = 40;
        let b = Dense::sample::<f64>(Kind::Random, [rows, 3], 52);
        let right = b.to::<f64>(&queue).unwrap();
        // The last is too ill-conditioned for `f32`, and the one before overflows there.
        let scaled = |factor: f64| {
            let a = Dense::definite::<f64>(rows, 1.0, 51);
            Dense::from_fn(a.shape, |row, column| a.at(row, column) * factor)
        };
        let graded = Dense::sample::<f64>(Kind::Graded, [rows, rows], 53);
        for a in [scaled(1.0), scaled(1e60), graded] {
            let x = a.to::<f64>(&queue).unwrap().solve_refined(&right).unwrap();
            let x = Dense::from(&x).unwrap();
            at_most("refined", backward(&a, &x, &b), 5.0 * rows as f64 * f64::EPSILON);
        }
        let empty = Array::<f64, 2>::filled(&queue, [0, 0], 0.0).unwrap();
        let none = Array::<f64, 2>::filled(&queue, [0, 2], 0.0).unwrap();
        assert_eq!(empty.solve_refined(&none).unwrap().shape(), [0, 2]);
    });
}

/// Checks the backward error in the norms of the largest row sums, against that of a solve in `f64`.
#[test]
fn refined_solutions_are_as_good_as_those_of_double_precision() {
    cl_test::each_device(|device| {
        if !device.has_fp64().unwrap() {
            return;
        }
        let queue = Queue::on(device).unwrap();
        let n = 64;
        let unit = |of: fn(f64) -> f64| -> Vec<f64> {
            let items: Vec<f64> = (0..n).map(|i| of(i as f64)).collect();
            let norm = items.iter().map(|x| x * x).sum::<f64>().sqrt();
            items.into_iter().map(|x| x / norm).collect()
        };
        let (v, w) = (unit(|i| (1.0 + 0.7 * i * i).sin()), unit(|i| (0.3 + 1.9 * i).cos()));
        for condition in [1e5_f64, 1e6, 3e6] {
            // Two reflections around singular values.
            let d: Vec<f64> = (0..n).map(|i| condition.powf(-(i as f64) / (n - 1) as f64)).collect();
            let own = |of: &[f64], i: usize, j: usize| f64::from(i == j) - 2.0 * of[i] * of[j];
            let item = |i: usize, j: usize| (0..n).map(|k| own(&v, i, k) * d[k] * own(&w, k, j)).sum::<f64>();
            let a: Vec<f64> = (0..n * n).map(|at| item(at / n, at % n)).collect();
            let b: Vec<f64> = (0..3 * n).map(|at| (1.3 * at as f64 + 0.2).sin()).collect();
            let matrix = Array::from_slice(&queue, [n, n], &a).unwrap();
            let right = Array::from_slice(&queue, [n, 3], &b).unwrap();
            let x = matrix.solve_refined(&right).unwrap().to_vec().unwrap();
            let norm = a.chunks(n).map(|row| row.iter().map(|x| x.abs()).sum()).fold(0.0, f64::max);
            for column in 0..3 {
                let size = (0..n).map(|k| x[3 * k + column].abs()).fold(0.0, f64::max);
                let residual = |i: usize| {
                    (0..n).fold(b[3 * i + column], |r, k| (-a[n * i + k]).mul_add(x[3 * k + column], r))
                };
                let error = (0..n).map(|i| residual(i).abs()).fold(0.0, f64::max) / (norm * size);
                at_most("backward error", error, 0.25 * f64::EPSILON);
            }
        }
    });
}
