//! The operator `-div(k grad u) + c u` on one level, by the differences to the neighbours.

use super::line::Line;
use crate::border::BorderRule;
use crate::formula::{Formula, Key};
use crate::grid::GridFloat;
use cl_algo::Val;

/// The operator of a level. Its functions are on the grid of the level's arrays.
#[derive(Debug)]
pub(super) struct Stencil<'a, T: GridFloat, const N: usize> {
    sides: [Sides<'a, T, N>; N],
    /// The coefficient `k` at the points, with values at all neighbours.
    k: Option<Formula<'a, T, N>>,
    c: Option<Formula<'a, T, N>>,
    /// The inverse of the diagonal, if it is the same everywhere.
    inverse: Option<T>,
}

/// The coefficients of the differences to the neighbours along an axis.
#[derive(Debug)]
enum Sides<'a, T: GridFloat, const N: usize> {
    Uniform(f64),
    /// For the neighbours before and behind.
    Tables([Formula<'a, T, N>; 2]),
}

/// The values at a point from which a closure computes a result.
pub(super) struct AtPoint<T: GridFloat> {
    pub(super) u: Val<T>,
    /// The operator's result.
    pub(super) product: Val<T>,
    /// The inverse of the operator's diagonal.
    pub(super) inverse: Val<T>,
    /// The values of the other functions.
    pub(super) others: Vec<Val<T>>,
}

impl<'a, T: GridFloat, const N: usize> Stencil<'a, T, N> {
    /// Returns the operator. Tables begin at the coordinates `first`, where the first point of a line has the coordinate
    /// `first + padding`.
    pub(super) fn new(
        lines: &[Line; N],
        first: [i64; N],
        k: Option<Formula<'a, T, N>>,
        c: Option<Formula<'a, T, N>>,
    ) -> Stencil<'a, T, N> {
        let uniform: [Option<f64>; N] = std::array::from_fn(|axis| lines[axis].uniform());
        let sides = std::array::from_fn(|axis| {
            let line = &lines[axis];
            match uniform[axis] {
                Some(coefficient) => Sides::Uniform(coefficient),
                None => Sides::Tables([0, 1].map(|side| {
                    let values = |point: usize| T::nearest(line.coefficients(point)[side]);
                    table(line, axis, first[axis], values)
                })),
            }
        });
        let diagonal = uniform.iter().try_fold(0.0, |sum, side| side.map(|side| sum + 2.0 * side));
        let inverse = diagonal
            .filter(|&diagonal| diagonal > 0.0 && k.is_none() && c.is_none())
            .map(|diagonal| T::nearest(1.0 / diagonal));
        Stencil { sides, k, c, inverse }
    }

    /// Returns whether the diagonal is known in the padding, too. `k` has no values at the neighbours of the padding.
    pub(super) fn has_diagonal_in_padding(&self) -> bool {
        self.k.is_none()
    }

    /// Returns the functions that the operator reads besides its operand.
    pub(super) fn data(&self) -> Vec<Formula<'a, T, N>> {
        let tables = self.sides.iter().flat_map(|sides| match sides {
            Sides::Uniform(_) => &[][..],
            Sides::Tables(tables) => &tables[..],
        });
        tables.chain(&self.k).chain(&self.c).cloned().collect()
    }

    /// Returns the values at a point. The operand is input 0, `others` more inputs follow, and the operator's data.
    pub(super) fn at_point(&self, at: &dyn Fn(Key<N>) -> Val<T>, others: usize) -> AtPoint<T> {
        let here = [0; N];
        let own = at((0, here));
        let mut data = 1 + others..;
        let mut next = || data.next().unwrap_or(0);
        let tables: [Option<[usize; 2]>; N] = std::array::from_fn(|axis| match &self.sides[axis] {
            Sides::Uniform(_) => None,
            Sides::Tables(_) => Some([next(), next()]),
        });
        let k = self.k.as_ref().map(|_| next());
        let c = self.c.as_ref().map(|_| next());
        let (mut around, mut diagonal): (Option<Val<T>>, Option<Val<T>>) = (None, None);
        let add = |sum: &mut Option<Val<T>>, term: Val<T>| {
            *sum = Some(sum.map_or(term, |sum| sum + term));
        };
        for axis in 0..N {
            let there = [-1, 1].map(|by| {
                let mut offset = here;
                offset[axis] = by;
                offset
            });
            let half = if k.is_some() { 0.5 } else { 1.0 };
            let uniform = match &self.sides[axis] {
                Sides::Uniform(side) => Some(Val::known(T::nearest(half * side))),
                Sides::Tables(_) => None,
            };
            if let (Some(side), None) = (uniform, k) {
                add(&mut around, side * (at((0, there[0])) + at((0, there[1]))));
                add(&mut diagonal, side + side);
                continue;
            }
            for (by, there) in there.into_iter().enumerate() {
                let mut side = match (uniform, tables[axis]) {
                    (Some(side), _) => side,
                    (None, Some(tables)) if k.is_some() => {
                        Val::known(T::nearest(half)) * at((tables[by], here))
                    }
                    (None, Some(tables)) => at((tables[by], here)),
                    (None, None) => Val::known(T::zeroed()),
                };
                if let Some(k) = k {
                    side = side * (at((k, here)) + at((k, there)));
                }
                add(&mut around, side * at((0, there)));
                add(&mut diagonal, side);
            }
        }
        if let Some(c) = c {
            add(&mut diagonal, at((c, here)));
        }
        let zero = || Val::known(T::zeroed());
        let (around, diagonal) = (around.unwrap_or_else(zero), diagonal.unwrap_or_else(zero));
        let inverse = match self.inverse {
            Some(inverse) => Val::known(inverse),
            None => Val::known(T::nearest(1.0)) / diagonal,
        };
        let others = (0..others).map(|other| at((1 + other, here))).collect();
        AtPoint { u: own, product: diagonal * own - around, inverse, others }
    }

    /// Returns what a closure computes from the operator's values for `u`, and from other functions at the same point.
    pub(super) fn of<'b>(
        &self,
        u: Formula<'b, T, N>,
        others: Vec<Formula<'b, T, N>>,
        closure: impl FnOnce(AtPoint<T>) -> Val<T>,
    ) -> Formula<'b, T, N>
    where
        'a: 'b,
    {
        let count = others.len();
        let data = self.data().into_iter().map(|data| data as Formula<'b, T, N>);
        let inputs = std::iter::once(u).chain(others).chain(data).collect();
        Formula::stencil("multigrid", inputs, |at| closure(self.at_point(at, count)))
    }
}

/// Returns a function with values beyond the ends of the axes that are circles.
pub(super) fn around_circles<'a, T: GridFloat, const N: usize>(
    lines: &[Line; N],
    function: Formula<'a, T, N>,
) -> Formula<'a, T, N> {
    let circles = (0..N).filter(|&axis| lines[axis].padding() == 0);
    circles.fold(function, |function, axis| function.border_axis(axis, BorderRule::Periodic))
}

/// Returns a function of the points along an axis, which has the value 1 in the padding, so that the diagonal is not 0
/// there. Its first coordinate is `first`.
pub(super) fn table<'a, T: GridFloat, const N: usize>(
    line: &Line,
    axis: usize,
    first: i64,
    value: impl Fn(usize) -> T,
) -> Formula<'a, T, N> {
    let padding = line.padding();
    let mut values = vec![T::nearest(1.0); line.len() + 2 * padding];
    for (point, place) in values[padding..].iter_mut().take(line.len()).enumerate() {
        *place = value(point);
    }
    Formula::table(axis, first, &values)
}
