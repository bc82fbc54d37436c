//! Eigenvalues and singular values: residuals, orthogonality, and the same values on the host and on the device.

use crate::hosts::{Made, random};
use cl_core::Queue;
use cl_linalg::{
    Eigh, Error, RealScalar, RunsOn, Spectra, Svd, eigh_generalized, prelude::*, pseudo_inverse,
};
use cl_test::forced;
use num_complex::Complex;

const BOTH: [RunsOn; 2] = [RunsOn::Host, RunsOn::Device];

/// A matrix of the host, in row-major order.
#[derive(Clone)]
struct Host {
    rows: usize,
    columns: usize,
    items: Vec<Complex<f64>>,
}

impl Host {
    fn new(rows: usize, columns: usize, item: impl Fn(usize, usize) -> Complex<f64>) -> Host {
        let item = &item;
        let items = (0..rows).flat_map(|i| (0..columns).map(move |j| item(i, j))).collect();
        Host { rows, columns, items }
    }

    fn of<T: Made>(array: &Array<T, 2>) -> Host {
        let [rows, columns] = array.shape();
        let items = array.to_vec().unwrap().into_iter().map(Made::wide).collect();
        Host { rows, columns, items }
    }

    fn at(&self, i: usize, j: usize) -> Complex<f64> {
        self.items[i * self.columns + j]
    }

    fn times(&self, other: &Host) -> Host {
        Host::new(self.rows, other.columns, |i, j| {
            (0..self.columns).map(|k| self.at(i, k) * other.at(k, j)).sum()
        })
    }

    fn adjoint(&self) -> Host {
        Host::new(self.columns, self.rows, |i, j| self.at(j, i).conj())
    }

    /// Returns the matrix with its columns multiplied by numbers.
    fn scaled(&self, factors: &[f64]) -> Host {
        Host::new(self.rows, self.columns, |i, j| self.at(i, j) * factors[j])
    }

    /// Returns the largest absolute value of the difference to another matrix.
    fn distance(&self, other: &Host) -> f64 {
        assert_eq!([self.rows, self.columns], [other.rows, other.columns]);
        self.items
            .iter()
            .zip(&other.items)
            .map(|(a, b)| (a - b).norm())
            .fold(0.0, |largest, x| if x.is_nan() { f64::NAN } else { largest.max(x) })
    }

    fn norm(&self) -> f64 {
        self.items.iter().map(Complex::norm_sqr).sum::<f64>().sqrt()
    }

    fn on<T: Made>(&self, queue: &Queue) -> Array<T, 2> {
        let items: Vec<T> = self.items.iter().map(|item| T::made(item.re, item.im)).collect();
        Array::from_slice(queue, [self.rows, self.columns], &items).unwrap()
    }
}

fn unit(n: usize) -> Host {
    Host::new(n, n, |i, j| Complex::new(f64::from(u8::from(i == j)), 0.0))
}

fn assert_orthonormal<T: Made>(name: &str, columns: &Host) {
    let error = columns.adjoint().times(columns).distance(&unit(columns.columns));
    let bound = 20.0 * columns.rows as f64 * T::Real::UNIT_ROUNDOFF;
    assert!(error <= bound, "{name}: not orthonormal, {error:e} and not {bound:e}");
}

fn numbers<R: RealScalar>(values: &Array<R, 1>) -> Vec<f64> {
    values.to_vec().unwrap().into_iter().map(R::to_f64).collect()
}

/// Matrices of any shape, with names.
fn matrices<T: Made>(rows: usize, columns: usize) -> Vec<(&'static str, Host)> {
    let items: Vec<T> = random(11, rows * columns);
    let items = items.into_iter().map(Made::wide).collect();
    let random = Host { rows, columns, items };
    let graded = Host::new(rows, columns, |i, j| random.at(i, j) * 10.0_f64.powi(-(i as i32 + j as i32) / 2));
    let nearly = Host::new(rows, columns, |i, j| random.at(i, j.min(1)) + random.at(i, j) * 1e-9);
    let zero_columns = Host::new(rows, columns, |i, j| random.at(i, j) * f64::from(u8::from(j % 3 == 0)));
    let repeated = Host::new(rows, columns, |i, j| Complex::new(if i == j { 2.0 } else { 0.0 }, 0.0));
    let huge = random.scaled(&vec![1e30; columns]);
    vec![
        ("random", random),
        ("graded", graded),
        ("nearly singular", nearly),
        ("rank deficient", zero_columns),
        ("repeated", repeated),
        ("huge", huge),
    ]
}

fn hermitian<T: Made>(queue: &Queue, n: usize) {
    for (name, matrix) in matrices::<T>(n, n) {
        let below = Host::new(n, n, |i, j| if i == j { matrix.at(i, i).re.into() } else { matrix.at(i, j) });
        let a = Host::new(n, n, |i, j| if i >= j { below.at(i, j) } else { below.at(j, i).conj() });
        // Numbers above the diagonal are not read.
        let given = Host::new(n, n, |i, j| if i >= j { a.at(i, j) } else { f64::NAN.into() }).on::<T>(queue);
        let a = Host::of(&a.on::<T>(queue));
        let bound = 10.0 * n as f64 * T::Real::UNIT_ROUNDOFF * a.norm();
        let mut known: Option<Vec<f64>> = None;
        for runs_on in BOTH {
            let spectra = Spectra::new().runs_on(runs_on);
            let Eigh { values, vectors } = spectra.eigh(&given).unwrap();
            let (values, vectors) = (numbers(&values), Host::of(&vectors));
            assert!(values.is_sorted(), "{name}: {values:?}");
            assert_orthonormal::<T>(name, &vectors);
            let residual = a.times(&vectors).distance(&vectors.scaled(&values));
            assert!(residual <= bound, "{name}, {runs_on:?}: residual {residual:e} and not {bound:e}");
            let alone = numbers(&spectra.eigvalsh(&given).unwrap());
            for other in [Some(alone), known.take()].into_iter().flatten() {
                let error = values.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(error <= bound, "{name}, {runs_on:?}: {values:?} {other:?}");
            }
            known = Some(values);
        }
    }
}

fn rectangular<T: Made>(queue: &Queue, rows: usize, columns: usize) {
    let k = rows.min(columns);
    for (name, matrix) in matrices::<T>(rows, columns) {
        let given = matrix.on::<T>(queue);
        let a = Host::of(&given);
        let bound = 10.0 * rows.max(columns) as f64 * T::Real::UNIT_ROUNDOFF * a.norm();
        let mut known: Option<Vec<f64>> = None;
        for runs_on in BOTH {
            let spectra = Spectra::new().runs_on(runs_on);
            let Svd { u, s, v } = spectra.svd(&given).unwrap();
            assert_eq!((u.shape(), v.shape()), ([rows, k], [columns, k]));
            let (u, s, v) = (Host::of(&u), numbers(&s), Host::of(&v));
            assert!(s.is_sorted_by(|a, b| a >= b) && s[k - 1] >= 0.0, "{name}: {s:?}");
            assert_orthonormal::<T>(name, &u);
            assert_orthonormal::<T>(name, &v);
            let residual = u.scaled(&s).times(&v.adjoint()).distance(&a);
            assert!(residual <= bound, "{name}, {runs_on:?}: residual {residual:e} and not {bound:e}");
            let alone = numbers(&spectra.singular_values(&given).unwrap());
            for other in [Some(alone), known.take()].into_iter().flatten() {
                let error = s.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(error <= bound, "{name}, {runs_on:?}: {s:?} {other:?}");
            }
            known = Some(s);
        }
        if name == "rank deficient" {
            let inverse = Host::of(&pseudo_inverse(&given).unwrap());
            let error = a.times(&inverse).times(&a).distance(&a);
            assert!(error <= 100.0 * bound, "{name}: A A⁺ A differs by {error:e}");
            for runs_on in BOTH {
                let Svd { u, s: _, v } = Spectra::new().runs_on(runs_on).full().svd(&given).unwrap();
                assert_eq!((u.shape(), v.shape()), ([rows, rows], [columns, columns]));
                assert_orthonormal::<T>(name, &Host::of(&u));
                assert_orthonormal::<T>(name, &Host::of(&v));
            }
        }
    }
}

#[test]
fn hermitian_matrices() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        hermitian::<f32>(&queue, 9);
        hermitian::<Complex<f32>>(&queue, 6);
        if device.has_fp64().unwrap() {
            hermitian::<f64>(&queue, 12);
            hermitian::<Complex<f64>>(&queue, 5);
        }
    });
}

#[test]
fn matrices_of_any_shape() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        rectangular::<f32>(&queue, 9, 5);
        rectangular::<Complex<f32>>(&queue, 3, 7);
        if device.has_fp64().unwrap() {
            rectangular::<f64>(&queue, 40, 6);
            rectangular::<Complex<f64>>(&queue, 6, 6);
        }
    });
}

#[test]
fn kernels_of_gpus_do_the_same() {
    for device in forced::gpus() {
        let queue = Queue::on(&device).unwrap();
        hermitian::<f32>(&queue, 7);
        rectangular::<Complex<f32>>(&queue, 6, 5);
    }
}

#[test]
fn generalised_problems() {
    let queue = Queue::on(&Device::first().unwrap()).unwrap();
    let n = 6;
    let [a, b] = [21, 22].map(|seed| {
        let items: Vec<f32> = random(seed, n * n);
        let half = Host { rows: n, columns: n, items: items.into_iter().map(Made::wide).collect() };
        half.times(&half.adjoint())
    });
    let b = Host::new(n, n, |i, j| b.at(i, j) + unit(n).at(i, j));
    let Eigh { values, vectors } = eigh_generalized(a.on::<f32>(&queue), b.on::<f32>(&queue)).unwrap();
    let (values, x) = (numbers(&values), Host::of(&vectors));
    let residual = a.times(&x).distance(&b.times(&x).scaled(&values));
    assert!(residual < 1e-4, "{residual:e}");
    assert!(x.adjoint().times(&b.times(&x)).distance(&unit(n)) < 1e-4);
    let indefinite = Host::new(n, n, |i, j| unit(n).at(i, j) * if i == 3 { -1.0 } else { 1.0 });
    let error = eigh_generalized(a.on::<f32>(&queue), indefinite.on::<f32>(&queue)).unwrap_err();
    assert!(matches!(error, Error::NotPositiveDefinite { pivot: 3, .. }), "{error}");
}

#[test]
fn edges_and_refusals() {
    let queue = Queue::on(&Device::first().unwrap()).unwrap();
    for runs_on in BOTH {
        let spectra = Spectra::new().runs_on(runs_on);
        let one = Array::from_slice(&queue, [1, 1], &[-3.0_f32]).unwrap();
        assert_eq!(spectra.eigvalsh(&one).unwrap().to_vec().unwrap(), [-3.0]);
        assert_eq!(spectra.singular_values(&one).unwrap().to_vec().unwrap(), [3.0]);
        for shape in [[0, 0], [0, 3], [3, 0]] {
            let empty = Array::filled(&queue, shape, 0.0_f32).unwrap();
            assert!(spectra.singular_values(&empty).unwrap().is_empty());
            assert_eq!(spectra.full().svd(&empty).unwrap().u.shape(), [shape[0], shape[0]]);
            assert_eq!(spectra.pseudo_inverse(&empty).unwrap().shape(), [shape[1], shape[0]]);
        }
        let empty = Array::filled(&queue, [0, 0], 0.0_f32).unwrap();
        assert!(spectra.eigh(&empty).unwrap().values.is_empty());
        for bad in [f32::NAN, f32::INFINITY] {
            let mut host = [1.0; 9];
            host[6] = bad;
            let bad = Array::from_slice(&queue, [3, 3], &host).unwrap();
            assert!(matches!(spectra.eigh(&bad), Err(Error::NotFinite { .. })));
            assert!(matches!(spectra.svd(&bad), Err(Error::NotFinite { .. })));
        }
        assert!(spectra.eigh(Array::filled(&queue, [2, 3], 1.0_f32).unwrap()).is_err());
    }
}
