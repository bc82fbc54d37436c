//! Matrices of many kinds, and arithmetic on the host to compare with.

use cl_linalg::prelude::*;
use cl_linalg::{RealScalar, Result};
use num_complex::Complex;

pub(super) type C64 = Complex<f64>;

/// An element type with conversions from and to complex numbers.
pub(super) trait Sample: Scalar {
    fn of(value: C64) -> Self;
    fn wide(self) -> C64;

    /// Returns the unit roundoff.
    fn unit() -> f64 {
        <Self::Real as RealScalar>::UNIT_ROUNDOFF
    }
}

macro_rules! samples {
    ($($real:ident)*) => {$(
        impl Sample for $real {
            fn of(value: C64) -> $real {
                value.re as $real
            }

            fn wide(self) -> C64 {
                Complex::new(f64::from(self), 0.0)
            }
        }

        impl Sample for Complex<$real> {
            fn of(value: C64) -> Complex<$real> {
                Complex::new(value.re as $real, value.im as $real)
            }

            fn wide(self) -> C64 {
                Complex::new(f64::from(self.re), f64::from(self.im))
            }
        }
    )*};
}

samples!(f32 f64);

/// The kinds of matrices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Random,
    /// Rows from 1 to 10^-12 of the first, or to 10^-6.
    Graded,
    /// The last columns are sums of the others, to rounding.
    NearlySingular,
    /// Every third column is zero.
    ZeroColumns,
}

pub(super) const KINDS: [Kind; 4] = [Kind::Random, Kind::Graded, Kind::NearlySingular, Kind::ZeroColumns];

/// A matrix on the host.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Dense {
    pub(super) shape: [usize; 2],
    /// In row-major order.
    pub(super) items: Vec<C64>,
}

/// Returns a number between -1 and 1.
fn noise(seed: usize, row: usize, column: usize) -> f64 {
    let mut state = (seed as u64) << 40 ^ (row as u64) << 20 ^ column as u64;
    for _ in 0..3 {
        state = (state ^ state >> 29).wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(0x1234_5678_9ABC_DEF1);
    }
    (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

impl Dense {
    pub(super) fn from_fn(shape: [usize; 2], item: impl Fn(usize, usize) -> C64) -> Dense {
        let [rows, columns] = shape;
        let items = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        Dense { shape, items: items.map(|(row, column)| item(row, column)).collect() }
    }

    /// Returns a matrix of numbers that `T` has.
    pub(super) fn sample<T: Sample>(kind: Kind, shape: [usize; 2], seed: usize) -> Dense {
        let random = |row, column| Complex::new(noise(seed, row, column), noise(seed + 1000, row, column));
        let range = if T::unit() < 1e-10 { 12.0 } else { 6.0 };
        Dense::from_fn(shape, |row, column| {
            let value = match kind {
                Kind::Random => random(row, column),
                Kind::Graded => random(row, column) * 10_f64.powf(-range * row as f64 / shape[0] as f64),
                Kind::NearlySingular if column > shape[1] / 2 => {
                    random(row, 0) + random(row, 1) * column as f64
                }
                Kind::NearlySingular => random(row, column),
                Kind::ZeroColumns if column % 3 == 1 => Complex::default(),
                Kind::ZeroColumns => random(row, column),
            };
            T::of(value).wide()
        })
    }

    /// Returns a Hermitian positive definite matrix: the product of a matrix with its adjoint, and a multiple of the
    /// identity matrix.
    pub(super) fn definite<T: Sample>(rows: usize, shift: f64, seed: usize) -> Dense {
        let factor = Dense::sample::<T>(Kind::Random, [rows, rows], seed);
        let product = factor.times(&factor.adjoint());
        Dense::from_fn([rows, rows], |row, column| {
            let shift = if row == column { shift } else { 0.0 };
            T::of(product.at(row, column) + shift).wide()
        })
    }

    pub(super) fn identity(rows: usize) -> Dense {
        Dense::from_fn([rows, rows], |row, column| if row == column { 1.0 } else { 0.0 }.into())
    }

    pub(super) fn at(&self, row: usize, column: usize) -> C64 {
        self.items[row * self.shape[1] + column]
    }

    pub(super) fn times(&self, other: &Dense) -> Dense {
        assert_eq!(self.shape[1], other.shape[0]);
        Dense::from_fn([self.shape[0], other.shape[1]], |row, column| {
            (0..self.shape[1]).map(|inner| self.at(row, inner) * other.at(inner, column)).sum()
        })
    }

    pub(super) fn adjoint(&self) -> Dense {
        Dense::from_fn([self.shape[1], self.shape[0]], |row, column| self.at(column, row).conj())
    }

    pub(super) fn minus(&self, other: &Dense) -> Dense {
        assert_eq!(self.shape, other.shape);
        Dense::from_fn(self.shape, |row, column| self.at(row, column) - other.at(row, column))
    }

    /// Returns the Frobenius norm.
    pub(super) fn norm(&self) -> f64 {
        self.items.iter().map(C64::norm_sqr).sum::<f64>().sqrt()
    }

    /// Returns the largest absolute value.
    pub(super) fn largest(&self) -> f64 {
        self.items.iter().map(|item| item.norm()).fold(0.0, |a, b| if b <= a { a } else { b })
    }

    /// Returns the rows in another order.
    pub(super) fn rows(&self, order: &[usize]) -> Dense {
        Dense::from_fn(self.shape, |row, column| self.at(order[row], column))
    }

    pub(super) fn to<T: Sample>(&self, queue: &Queue) -> Result<Array<T, 2>> {
        let items: Vec<T> = self.items.iter().map(|&item| T::of(item)).collect();
        Ok(Array::from_slice(queue, self.shape, &items)?)
    }

    pub(super) fn from<T: Sample>(array: &Array<T, 2>) -> Result<Dense> {
        Ok(Dense { shape: array.shape(), items: array.to_vec()?.into_iter().map(T::wide).collect() })
    }
}

/// Asserts that a number is at most a bound; NaN is not.
#[track_caller]
pub(super) fn at_most(what: &str, number: f64, bound: f64) {
    assert!(number <= bound, "{what}: {number:e} is above {bound:e}");
}
