//! Solutions of triangular systems in place, by recursive halving.
//!
//! Diagonal blocks are solved by substitution, and the rest are products of matrices. No block is inverted, so that each
//! column has a backward error of a few `n u`. See N. J. Higham, "Accuracy and Stability of Numerical Algorithms",
//! chapter 8, and F. G. Gustavson, "Recursion leads to automatic variable blocking for dense linear-algebra algorithms",
//! IBM J. Res. Dev. 41 (1997).

use crate::{Half, Scalar};
use cl_algo::ranked;
use cl_array::{ArrayExpr, ArrayViewMut, s};
use cl_core::Result;

/// A triangular matrix, of any elements in the other half.
#[derive(Clone)]
pub(super) struct Triangle<'a, T: Scalar> {
    pub(super) stored: ArrayExpr<'a, T, 2>,
    pub(super) half: Half,
    /// `true` if the diagonal is one.
    pub(super) unit: bool,
}

impl<'a, T: Scalar> Triangle<'a, T> {
    /// Returns a part of the stored elements.
    fn part(&self, rows: std::ops::Range<usize>, columns: std::ops::Range<usize>) -> ArrayExpr<'a, T, 2> {
        let [rows, columns] = [rows, columns].map(|range| range.start as isize..range.end as isize);
        self.stored.clone().slice(s![rows, columns])
    }

    /// Solves `A X = alpha B` in place, by halving until there are at most `most` rows.
    pub(super) fn solve(&self, alpha: T, b: ArrayViewMut<'a, T, 2>, most: usize) -> Result<()> {
        let n = self.stored.shape()[0];
        if n <= most {
            return self.substitute(alpha, b);
        }
        let (at, one) = ((n / 2).next_multiple_of(most), super::one::<T>());
        let diagonal =
            |rows: std::ops::Range<usize>| Triangle { stored: self.part(rows.clone(), rows), ..self.clone() };
        let (mut upper, mut lower) = b.split_at(0, at)?;
        match self.half {
            Half::Lower => {
                diagonal(0..at).solve(alpha, upper.view_mut(), most)?;
                lower.view_mut().add_matmul(-one, self.part(at..n, 0..at), upper.view(), alpha)?;
                diagonal(at..n).solve(one, lower, most)
            }
            Half::Upper => {
                diagonal(at..n).solve(alpha, lower.view_mut(), most)?;
                upper.view_mut().add_matmul(-one, self.part(0..at, at..n), lower.view(), alpha)?;
                diagonal(0..at).solve(one, upper, most)
            }
        }
    }

    /// Solves a system of few rows. An upper triangular matrix is a lower one if both of its axes are reversed.
    fn substitute(&self, alpha: T, b: ArrayViewMut<'a, T, 2>) -> Result<()> {
        let stored = self.stored.clone();
        let (stored, b) = match self.half {
            Half::Lower => (stored, b),
            Half::Upper => (stored.flip(0).flip(1), b.flip(0)),
        };
        let shape = stored.shape();
        ranked::substitute("solve", b.into_target()?, (stored.into_ranked(), &shape), self.unit, alpha)
    }
}
