//! Systems for tests of solvers, on the host and as operators on a device.

use cl_algo::prelude::*;
use cl_sparse::solve::{LinearOperator, Real, from_fn_with};
use cl_test::forced;
use std::sync::OnceLock;

/// A square matrix: column and value of the nonzero elements of each row.
#[derive(Clone, Debug)]
pub(crate) struct Matrix(pub(crate) Vec<Vec<(usize, f64)>>);

impl Matrix {
    pub(crate) fn dense<const N: usize>(rows: [[f64; N]; N]) -> Matrix {
        Matrix(rows.map(|row| row.into_iter().enumerate().filter(|(_, a)| *a != 0.0).collect()).to_vec())
    }

    /// Returns a matrix of `n` rows with these diagonals. The closure computes the values.
    pub(crate) fn banded(n: usize, offsets: &[isize], value: impl Fn(usize, usize) -> f64) -> Matrix {
        let row = |i: usize| {
            let columns =
                offsets.iter().filter_map(|offset| i.checked_add_signed(*offset).filter(|j| *j < n));
            columns.map(|j| (j, value(i, j))).collect()
        };
        Matrix((0..n).map(row).collect())
    }

    /// Returns a symmetric, positive definite, and fairly well conditioned matrix.
    pub(crate) fn symmetric(n: usize) -> Matrix {
        Matrix::banded(n, &[-3, -1, 0, 1, 3], |i, j| match i.abs_diff(j) {
            0 => 2.3 + (i % 5) as f64,
            1 => -1.0,
            _ => 0.1,
        })
    }

    /// Returns an unsymmetric matrix, as for convection and diffusion on a line.
    pub(crate) fn unsymmetric(n: usize) -> Matrix {
        Matrix::banded(n, &[-1, 0, 1], |i, j| match i.cmp(&j) {
            std::cmp::Ordering::Equal => 3.0,
            std::cmp::Ordering::Less => -0.4,
            std::cmp::Ordering::Greater => -1.6,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn times(&self, x: &[f64]) -> Vec<f64> {
        self.0.iter().map(|row| row.iter().map(|(j, a)| a * x[*j]).sum()).collect()
    }

    pub(crate) fn diagonal(&self) -> Vec<f64> {
        let of = |(i, row): (usize, &Vec<(usize, f64)>)| {
            row.iter().find(|(j, _)| *j == i).map_or(0.0, |(_, a)| *a)
        };
        self.0.iter().enumerate().map(of).collect()
    }

    /// Returns the norm of `b - A x`.
    pub(crate) fn residual(&self, x: &[f64], b: &[f64]) -> f64 {
        norm(&self.times(x).iter().zip(b).map(|(ax, b)| b - ax).collect::<Vec<_>>())
    }

    /// Solves the system by elimination with pivots.
    pub(crate) fn solve(&self, b: &[f64]) -> Vec<f64> {
        let n = self.len();
        let mut a = vec![vec![0.0; n + 1]; n];
        for (i, row) in self.0.iter().enumerate() {
            row.iter().for_each(|(j, value)| a[i][*j] = *value);
            a[i][n] = b[i];
        }
        for k in 0..n {
            let pivot = (k..n).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs())).unwrap();
            a.swap(k, pivot);
            let (above, below) = a.split_at_mut(k + 1);
            for row in below {
                let factor = row[k] / above[k][k];
                (k..=n).for_each(|j| row[j] -= factor * above[k][j]);
            }
        }
        let mut x = vec![0.0; n];
        for i in (0..n).rev() {
            let rest: f64 = (i + 1..n).map(|j| a[i][j] * x[j]).sum();
            x[i] = (a[i][n] - rest) / a[i][i];
        }
        x
    }

    /// Returns the matrix as an operator on a device: an expression with a product for each nonzero diagonal.
    pub(crate) fn operator<T: Real>(&self, queue: &Queue) -> impl LinearOperator<T> + use<T> {
        let n = self.len();
        let mut diagonals = Vec::new();
        for offset in 1 - n.max(1) as isize..n.max(1) as isize {
            let at = |i: usize| {
                let j = i.checked_add_signed(offset)?;
                self.0[i].iter().find(|entry| entry.0 == j).map(|entry| entry.1)
            };
            let values: Vec<f64> = (0..n).map(|i| at(i).unwrap_or(0.0)).collect();
            if offset == 0 || values.iter().any(|a| *a != 0.0) {
                diagonals.push((offset, upload::<T>(queue, &values)));
            }
        }
        from_fn_with(diagonals, n, n, |diagonals, x: Expr<'_, T>| {
            let zero = Border::Constant(T::zeroed());
            let terms = diagonals.iter().map(|(offset, values)| match offset {
                0 => &x * values,
                offset => x.clone().shifted(*offset, zero) * values,
            });
            terms.reduce(|sum, term| sum + term).unwrap()
        })
    }
}

/// An operator that hides its expression from solvers.
pub(crate) struct Opaque<A>(pub(crate) A);

impl<T: Real, A: LinearOperator<T>> LinearOperator<T> for Opaque<A> {
    fn rows(&self) -> usize {
        self.0.rows()
    }

    fn columns(&self) -> usize {
        self.0.columns()
    }

    fn apply(&self, x: &DeviceVec<T>, y: &mut DeviceVec<T>) -> cl_core::Result<()> {
        self.0.apply(x, y)
    }
}

/// Copies numbers of the host to a device.
pub(crate) fn upload<T: Real>(queue: &Queue, values: &[f64]) -> DeviceVec<T> {
    DeviceVec::from_fn(queue, values.len(), |i| T::rounded(values[i])).unwrap()
}

/// Copies numbers of a device to the host.
pub(crate) fn download<T: Real>(vector: &DeviceVec<T>) -> Vec<f64> {
    vector.to_vec().unwrap().into_iter().map(Real::widened).collect()
}

/// Returns a queue of each device, and a queue of each device with the forced shape of a GPU. All tests share the
/// queues, so kernels are compiled once.
pub(crate) fn queues() -> impl Iterator<Item = &'static Queue> {
    static QUEUES: OnceLock<Vec<Queue>> = OnceLock::new();
    let all = QUEUES.get_or_init(|| {
        let devices = cl_test::devices().into_iter().chain(forced::gpus());
        devices.map(|device| Queue::on(&device).unwrap()).collect()
    });
    assert!(all.len() > 1);
    all.iter()
}

/// Returns the queues of the devices without a forced shape.
pub(crate) fn plain_queues() -> impl Iterator<Item = &'static Queue> {
    queues().take(cl_test::devices().len())
}

pub(crate) fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Returns irregular numbers between -1 and 1.
pub(crate) fn noise(n: usize) -> Vec<f64> {
    let mixed =
        |i: usize| (i as u32 + 1).wrapping_mul(2_654_435_769).rotate_left(13).wrapping_mul(2_246_822_519);
    (0..n).map(|i| f64::from(mixed(i)) / f64::from(u32::MAX) * 2.0 - 1.0).collect()
}
