//! The way between a level and the next coarser one: restriction and prolongation.

use super::line::{Line, Weights};
use super::stencil::table;
use crate::formula::Formula;
use crate::grid::GridFloat;
use crate::region::{Region, Span};
use cl_algo::ranked::AxisMap;
use cl_algo::{Expr, Val};
use cl_array::{ArrayExpr, ArrayOperand, ArrayView};

/// The way between two levels. Arrays of both levels have padding.
#[derive(Debug)]
pub(super) struct Transfer<T: GridFloat, const N: usize> {
    axes: [Way<T, N>; N],
    fine: Shapes<N>,
    coarse: Shapes<N>,
}

/// The points of a level, and its arrays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shapes<const N: usize> {
    /// The sizes without padding.
    pub(super) points: [usize; N],
    /// The sizes of arrays with padding.
    pub(super) padded: [usize; N],
    pub(super) padding: [usize; N],
}

impl<const N: usize> Shapes<N> {
    pub(super) fn of(lines: &[Line; N]) -> Shapes<N> {
        let points = lines.each_ref().map(Line::len);
        let padding = lines.each_ref().map(Line::padding);
        Shapes { points, padded: std::array::from_fn(|axis| points[axis] + 2 * padding[axis]), padding }
    }

    /// Returns the points within an array with padding.
    pub(super) fn region(&self) -> Region<N> {
        Region(std::array::from_fn(|axis| Span::new(self.padding[axis] as i64, self.points[axis])))
    }

    /// Returns the function on padded arrays that has these values at the points.
    pub(super) fn function<'a, T: GridFloat>(&self, points: ArrayExpr<'a, T, N>) -> Formula<'a, T, N> {
        Formula::part_of_grid(points, self.padded, self.region())
    }
}

/// The way along one axis.
#[derive(Debug)]
enum Way<T: GridFloat, const N: usize> {
    /// The axis stays as it is.
    Kept,
    /// Half of both neighbours, and the transpose of that.
    Linear { shift: usize },
    Weighted {
        shift: usize,
        prolongation: [Formula<'static, T, N>; 2],
        restriction: [Formula<'static, T, N>; 3],
    },
}

impl<T: GridFloat, const N: usize> Transfer<T, N> {
    /// Returns the way between lines. Axes without weights stay as they are.
    pub(super) fn new(
        fine: &[Line; N],
        coarse: &[Line; N],
        weights: &[Option<Weights>; N],
    ) -> Transfer<T, N> {
        let axes = std::array::from_fn(|axis| {
            let Some(weights) = &weights[axis] else { return Way::Kept };
            // The fine point at the coordinate `2 q - shift` of a padded array is the coarse point at `q`.
            let shift = usize::from(fine[axis].padding() == 1 && fine[axis].first() == 0);
            if weights.are_linear() {
                return Way::Linear { shift };
            }
            let side = |side: usize| {
                table(&fine[axis], axis, 0, |point| T::nearest(weights.prolongation[point][side]))
            };
            let neighbour = |side: usize| {
                table(&coarse[axis], axis, 0, |point| T::nearest(weights.restriction[point][side]))
            };
            Way::Weighted { shift, prolongation: [0, 1].map(side), restriction: [0, 1, 2].map(neighbour) }
        });
        Transfer { axes, fine: Shapes::of(fine), coarse: Shapes::of(coarse) }
    }

    /// Returns the restriction of an array of the fine level to the points of the coarse one: the mean of a cell.
    pub(super) fn restriction<'a>(&self, array: ArrayView<'a, T, N>) -> Formula<'a, T, N> {
        let widths: [usize; N] = self.axes.each_ref().map(|way| if way.is_kept() { 1 } else { 3 });
        let source = array.into_array_expr().into_ranked();
        let mut inputs: Vec<Formula<'a, T, N>> = digits(widths)
            .map(|at| {
                let offsets = std::array::from_fn(|axis| at[axis] as isize - (widths[axis] / 2) as isize);
                self.coarse.function(self.fine_neighbours(&source, offsets))
            })
            .collect();
        let tables = self.tables(&mut inputs, |restriction, _| restriction.to_vec());
        Formula::stencil("restriction", inputs, |at| {
            let here = [0; N];
            folded(widths, &|input| at((input, here)), &|axis, values| match (&self.axes[axis], values) {
                (Way::Kept, &[own]) => own,
                (Way::Linear { .. }, &[before, own, behind]) => {
                    (before + behind) * Val::known(T::nearest(0.25)) + own * Val::known(T::nearest(0.5))
                }
                _ => weighted(values, &tables[axis], &|input| at((input, here))),
            })
        })
    }

    /// Returns the prolongation of an array of the coarse level to the points of the fine one: linear interpolation.
    pub(super) fn prolongation<'a>(&self, array: ArrayView<'a, T, N>) -> Formula<'a, T, N> {
        let widths: [usize; N] = self.axes.each_ref().map(|way| if way.is_kept() { 1 } else { 2 });
        let source = array.into_array_expr().into_ranked();
        let mut inputs: Vec<Formula<'a, T, N>> =
            digits(widths).map(|at| self.fine.function(self.coarse_neighbours(&source, at))).collect();
        let tables = self.tables(&mut inputs, |_, prolongation| prolongation.to_vec());
        let count = self.axes.iter().filter(|way| matches!(way, Way::Linear { .. })).count();
        Formula::stencil("prolongation", inputs, |at| {
            let here = [0; N];
            let sum = folded(widths, &|input| at((input, here)), &|axis, values| match (
                &self.axes[axis],
                values,
            ) {
                (Way::Kept, &[own]) => own,
                (Way::Linear { .. }, &[before, behind]) => before + behind,
                _ => weighted(values, &tables[axis], &|input| at((input, here))),
            });
            sum * Val::known(T::nearest(0.5_f64.powi(count as i32)))
        })
    }

    /// Appends the tables of the axes that have some, and returns the numbers of these inputs.
    fn tables<'a>(
        &self,
        inputs: &mut Vec<Formula<'a, T, N>>,
        wanted: impl Fn(&[Formula<'static, T, N>; 3], &[Formula<'static, T, N>; 2]) -> Vec<Formula<'static, T, N>>,
    ) -> [Vec<usize>; N] {
        std::array::from_fn(|axis| match &self.axes[axis] {
            Way::Weighted { prolongation, restriction, .. } => {
                let begin = inputs.len();
                inputs.extend(wanted(restriction, prolongation));
                (begin..inputs.len()).collect()
            }
            _ => Vec::new(),
        })
    }

    /// Returns the values at a distance from the fine points that are the coarse points.
    fn fine_neighbours<'a>(&self, source: &Expr<'a, T>, offsets: [isize; N]) -> ArrayExpr<'a, T, N> {
        let mut maps: [AxisMap; N] = std::array::from_fn(AxisMap::whole);
        let mut expr = source.clone();
        let mut shape = self.fine.padded;
        for axis in 0..N {
            let padding = self.fine.padding[axis];
            match &self.axes[axis] {
                Way::Kept => maps[axis].offset = padding,
                way if padding == 1 => {
                    maps[axis].stride = 2;
                    maps[axis].offset = (2 - way.shift()).saturating_add_signed(offsets[axis]);
                }
                _ => {
                    let len = shape[axis] as u64;
                    let distance = len.saturating_add_signed(offsets[axis] as i64);
                    expr = expr.map_axis(axis, &shape, |at| {
                        let there = at + at + distance;
                        let inside = there.ge(len).select(there - len, there);
                        inside.ge(len).select(inside - len, inside)
                    });
                    shape[axis] = self.coarse.points[axis];
                }
            }
        }
        ArrayExpr::from_ranked(expr.at_coordinates(&maps, N), self.coarse.points)
    }

    /// Returns the values of the coarse points before the fine points, or, along the axes whose entry of `behind` is 1, of
    /// those behind them.
    fn coarse_neighbours<'a>(&self, source: &Expr<'a, T>, behind: [usize; N]) -> ArrayExpr<'a, T, N> {
        let mut expr = source.clone();
        let mut shape = self.coarse.padded;
        for axis in 0..N {
            let padding = self.fine.padding[axis];
            let begin = match &self.axes[axis] {
                Way::Kept => padding,
                way => padding + way.shift(),
            };
            // A fine point that is a coarse point has the same one behind it if both weights are halves.
            let (added, more) = match &self.axes[axis] {
                Way::Kept => (begin as u64, 0),
                Way::Linear { .. } => ((begin + behind[axis]) as u64, 0),
                Way::Weighted { .. } => (begin as u64, behind[axis] as u64),
            };
            let is_kept = self.axes[axis].is_kept();
            let len = shape[axis] as u64;
            expr = expr.map_axis(axis, &shape, |at| {
                let there = if is_kept { at + added } else { ((at + added) >> 1_u64) + more };
                if padding == 0 && !is_kept { there.ge(len).select(there - len, there) } else { there }
            });
            shape[axis] = self.fine.points[axis];
        }
        ArrayExpr::from_ranked(expr, self.fine.points)
    }
}

impl<T: GridFloat, const N: usize> Way<T, N> {
    fn is_kept(&self) -> bool {
        matches!(self, Way::Kept)
    }

    fn shift(&self) -> usize {
        match self {
            Way::Kept => 0,
            Way::Linear { shift } | Way::Weighted { shift, .. } => *shift,
        }
    }
}

/// Returns all tuples of digits below the widths, the last digit first.
fn digits<const N: usize>(widths: [usize; N]) -> impl Iterator<Item = [usize; N]> {
    (0..widths.iter().product()).map(move |number: usize| {
        let mut rest = number;
        let mut at = [0; N];
        for axis in (0..N).rev() {
            (at[axis], rest) = (rest % widths[axis], rest / widths[axis]);
        }
        at
    })
}

/// Folds the values of all tuples of digits along the last axis, then along the one before, and so on.
fn folded<T: GridFloat, const N: usize>(
    widths: [usize; N],
    value: &dyn Fn(usize) -> Val<T>,
    fold: &dyn Fn(usize, &[Val<T>]) -> Val<T>,
) -> Val<T> {
    let count: usize = widths.iter().product();
    let mut values: Vec<Val<T>> = (0..count).map(value).collect();
    for axis in (0..N).rev() {
        values = values.chunks(widths[axis]).map(|values| fold(axis, values)).collect();
    }
    values.first().copied().unwrap_or_else(|| Val::known(T::zeroed()))
}

/// Returns the sum of values, each multiplied by its table.
fn weighted<T: GridFloat>(values: &[Val<T>], tables: &[usize], at: &dyn Fn(usize) -> Val<T>) -> Val<T> {
    let terms = values.iter().zip(tables).map(|(&value, &table)| at(table) * value);
    terms.reduce(|sum, term| sum + term).unwrap_or_else(|| Val::known(T::zeroed()))
}
