//! The way between a level and the next coarser one: restriction and prolongation.

use super::line::{Line, TAPS, Weights};
use super::stencil::table;
use crate::evaluate::GridTarget;
use crate::formula::Formula;
use crate::grid::GridFloat;
use crate::region::{Region, Span};
use cl_algo::codegen::profile;
use cl_algo::ranked::AxisMap;
use cl_algo::{Expr, Val};
use cl_array::{Array, ArrayExpr, ArrayOperand, ArrayView, ArrayViewMut, Stepped};
use cl_core::{Queue, Result};
use std::cell::RefCell;
use std::fmt;

/// The way between two levels. Arrays of both levels have padding.
#[derive(Debug)]
pub(super) struct Transfer<T: GridFloat, const N: usize> {
    axes: [Way<T, N>; N],
    /// The first fine point that is a coarse one.
    first: [usize; N],
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
        /// For the coarse points before and behind: over all fine points, and over those that are not coarse points.
        prolongation: [[Formula<'static, T, N>; 2]; 2],
        restriction: [Formula<'static, T, N>; 3],
    },
    /// Any coarse points, whose coordinates are looked up.
    Irregular {
        /// The coarse points before and behind each fine point, and their weights.
        neighbours: Vec<Coordinates>,
        prolongation: [Formula<'static, T, N>; 2],
        /// The fine points around each coarse point, from the farthest before it on, and their weights.
        taps: Vec<Coordinates>,
        restriction: Vec<Formula<'static, T, N>>,
    },
}

/// A coordinate in arrays with padding for each point along an axis. It is copied to the device when it is needed first.
struct Coordinates {
    values: Vec<u32>,
    on_device: RefCell<Option<(Queue, ArrayExpr<'static, u32, 1>)>>,
}

impl Coordinates {
    fn new(values: Vec<u32>) -> Coordinates {
        Coordinates { values, on_device: RefCell::new(None) }
    }

    fn on(&self, queue: &Queue) -> Result<Expr<'static, u32>> {
        if let Some((_, known)) = self.on_device.borrow().as_ref().filter(|(known, _)| known == queue) {
            return Ok(known.clone().into_ranked());
        }
        let array = Array::from_slice(queue, [self.values.len()], &self.values)?.into_array_expr();
        self.on_device.replace(Some((queue.clone(), array.clone())));
        Ok(array.into_ranked())
    }
}

impl fmt::Debug for Coordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.values.fmt(f)
    }
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
            if !weights.are_of_pairs() {
                return Way::irregular(axis, weights, &fine[axis], &coarse[axis]);
            }
            let side = |begin: usize, step: usize, side: usize| {
                let weights = weights.prolongation[begin..].iter().step_by(step);
                let weights: Vec<T> = weights.map(|weights| T::nearest(weights[side])).collect();
                Formula::along_axis(axis, &weights)
            };
            let neighbour = |side: usize| {
                table(&coarse[axis], axis, 0, |point| T::nearest(weights.restriction[point][side + 1]))
            };
            let between = 1 - fine[axis].first();
            Way::Weighted {
                shift,
                prolongation: [[0, 1].map(|at| side(0, 1, at)), [0, 1].map(|at| side(between, 2, at))],
                restriction: [0, 1, 2].map(neighbour),
            }
        });
        let first = fine.each_ref().map(Line::first);
        Transfer { axes, first, fine: Shapes::of(fine), coarse: Shapes::of(coarse) }
    }

    /// Returns the points of the coarse level within an array with padding.
    pub(super) fn coarse_region(&self) -> Region<N> {
        self.coarse.region()
    }

    /// Returns the restriction of an array of the fine level to the points of the coarse one: the mean of a cell.
    ///
    /// # Errors
    /// As [`Array::from_slice`].
    pub(super) fn restriction<'a>(&self, array: ArrayView<'a, T, N>) -> Result<Formula<'a, T, N>> {
        let widths: [usize; N] = self.axes.each_ref().map(Way::taps);
        let queue = array.queue();
        let source = array.into_array_expr().into_ranked();
        let mut inputs: Vec<Formula<'a, T, N>> = digits(widths)
            .map(|at| Ok(self.coarse.function(self.fine_neighbours(&source, queue, at)?)))
            .collect::<Result<_>>()?;
        let tables = tables(&mut inputs, |axis| match &self.axes[axis] {
            Way::Weighted { restriction, .. } => restriction,
            Way::Irregular { restriction, .. } => restriction,
            _ => &[],
        });
        Ok(Formula::stencil("restriction", inputs, |at| {
            let here = [0; N];
            folded(widths, &|input| at((input, here)), &|axis, values| match (&self.axes[axis], values) {
                (Way::Kept, &[own]) => own,
                (Way::Linear { .. }, &[before, own, behind]) => {
                    (before + behind) * Val::known(T::nearest(0.25)) + own * Val::known(T::nearest(0.5))
                }
                _ => weighted(values, &tables[axis], &|input| at((input, here))),
            })
        }))
    }

    /// Adds the prolongation of an array of the coarse level, by linear interpolation, to the points of the fine level, or
    /// replaces them.
    ///
    /// On CPUs, the fine points of each parity are a kernel: loads at half of a coordinate cannot be vectorized. One kernel
    /// took 280 ms, these 8 take 10 ms (128 points along each of three axes, two cores). On GPUs the work-items of one kernel
    /// take both parities, because kernels for each would move all lines of memory twice.
    pub(super) fn prolong(
        &self,
        coarse: &Array<T, N>,
        mut fine: ArrayViewMut<'_, T, N>,
        adds: bool,
    ) -> Result<()> {
        let source = coarse.iter().into_ranked();
        let is_cpu = profile(coarse.queue().context())?.chunked;
        let is_large = is_cpu && self.fine.points.iter().product::<usize>() >= FEW_POINTS;
        let is_split =
            |axis: usize| is_large && matches!(self.axes[axis], Way::Linear { .. } | Way::Weighted { .. });
        let counts: [usize; N] = std::array::from_fn(|axis| if is_split(axis) { 2 } else { 1 });
        for at in digits(counts) {
            let classes: [Class; N] = std::array::from_fn(|axis| match (is_split(axis), at[axis]) {
                (false, _) => Class::All,
                (true, 0) => Class::Coarse,
                (true, _) => Class::Between,
            });
            let values = self.prolongation(&source, coarse.queue(), classes)?;
            let view = (0..N).fold(fine.view_mut(), |view, axis| {
                let first = self.first[axis] as isize;
                match classes[axis] {
                    Class::All => view,
                    Class::Coarse => view.slice_axis(axis, Stepped(first.., 2)),
                    Class::Between => view.slice_axis(axis, Stepped(1 - first.., 2)),
                }
            });
            if adds {
                view.whole().assign_with(|u| u + values)?;
            } else {
                view.whole().assign(values)?;
            }
        }
        Ok(())
    }

    /// Returns the prolongation at the fine points of some classes.
    fn prolongation<'a>(
        &self,
        source: &Expr<'a, T>,
        queue: &Queue,
        classes: [Class; N],
    ) -> Result<Formula<'a, T, N>> {
        let widths: [usize; N] = std::array::from_fn(|axis| match (&self.axes[axis], classes[axis]) {
            (Way::Kept, _) | (_, Class::Coarse) => 1,
            _ => 2,
        });
        let mut inputs: Vec<Formula<'a, T, N>> = digits(widths)
            .map(|at| Ok(Formula::from(self.coarse_neighbours(source, queue, classes, at)?)))
            .collect::<Result<_>>()?;
        let tables = tables(&mut inputs, |axis| match (&self.axes[axis], classes[axis]) {
            (Way::Weighted { prolongation, .. }, Class::All) => &prolongation[0],
            (Way::Weighted { prolongation, .. }, Class::Between) => &prolongation[1],
            (Way::Irregular { prolongation, .. }, _) => prolongation,
            _ => &[],
        });
        let is_half = |axis: usize| widths[axis] == 2 && matches!(self.axes[axis], Way::Linear { .. });
        let halves = (0..N).filter(|&axis| is_half(axis)).count();
        Ok(Formula::stencil("prolongation", inputs, |at| {
            let here = [0; N];
            let sum = folded(widths, &|input| at((input, here)), &|axis, values| match *values {
                [own] => own,
                [before, behind] if is_half(axis) => before + behind,
                _ => weighted(values, &tables[axis], &|input| at((input, here))),
            });
            if halves == 0 { sum } else { sum * Val::known(T::nearest(0.5_f64.powi(halves as i32))) }
        }))
    }

    /// Returns the values at the fine points around the coarse points that these tuples of digits stand for.
    fn fine_neighbours<'a>(
        &self,
        source: &Expr<'a, T>,
        queue: &Queue,
        taps: [usize; N],
    ) -> Result<ArrayExpr<'a, T, N>> {
        let mut maps: [AxisMap; N] = std::array::from_fn(AxisMap::whole);
        let mut expr = source.clone();
        let mut shape = self.fine.padded;
        for axis in 0..N {
            let padding = self.fine.padding[axis];
            match &self.axes[axis] {
                Way::Kept => maps[axis].offset = padding,
                Way::Irregular { taps: coordinates, .. } => {
                    expr = expr.gather_axis_clamped(axis, &shape, coordinates[taps[axis]].on(queue)?);
                    shape[axis] = self.coarse.points[axis];
                }
                way if padding == 1 => {
                    maps[axis].stride = 2;
                    maps[axis].offset = 1 - way.shift() + taps[axis];
                }
                _ => {
                    let len = shape[axis] as u64;
                    let distance = len - 1 + taps[axis] as u64;
                    expr = expr.map_axis(axis, &shape, |at| {
                        let there = at + at + distance;
                        let inside = there.ge(len).select(there - len, there);
                        inside.ge(len).select(inside - len, inside)
                    });
                    shape[axis] = self.coarse.points[axis];
                }
            }
        }
        Ok(ArrayExpr::from_ranked(expr.at_coordinates(&maps, N), self.coarse.points))
    }

    /// Returns the values of the coarse points before the fine points of some classes, or, along the axes whose entry of
    /// `behind` is 1, of those behind them.
    fn coarse_neighbours<'a>(
        &self,
        source: &Expr<'a, T>,
        queue: &Queue,
        classes: [Class; N],
        behind: [usize; N],
    ) -> Result<ArrayExpr<'a, T, N>> {
        let mut expr = source.clone();
        let mut maps: [AxisMap; N] = std::array::from_fn(AxisMap::whole);
        // The shape that `expr` is over, and that of the result.
        let (mut space, mut shape) = (self.coarse.padded, self.fine.points);
        for axis in 0..N {
            let (way, padding, first) = (&self.axes[axis], self.fine.padding[axis], self.first[axis]);
            let is_circle = padding == 0;
            let len = space[axis] as u64;
            let all = self.fine.points[axis];
            let more = behind[axis];
            shape[axis] = match (way, classes[axis]) {
                (Way::Kept, _) => {
                    maps[axis].offset = padding;
                    all
                }
                (Way::Irregular { neighbours, .. }, _) => {
                    expr = expr.gather_axis_clamped(axis, &space, neighbours[more].on(queue)?);
                    space[axis] = all;
                    all
                }
                (_, Class::Coarse) => {
                    maps[axis].offset = padding;
                    self.coarse.points[axis]
                }
                (_, Class::Between) => {
                    if is_circle && more == 1 {
                        expr = expr.map_axis(axis, &space, |at| {
                            let there = at + 1;
                            there.ge(len).select(there - len, there)
                        });
                        space[axis] = all - self.coarse.points[axis];
                    } else {
                        maps[axis].offset = padding + more - first;
                    }
                    all - self.coarse.points[axis]
                }
                (_, Class::All) => {
                    // A fine point that is a coarse point has the same one behind it if both weights are halves.
                    let is_linear = matches!(way, Way::Linear { .. });
                    let (inner, outer) = if is_linear { (more, 0) } else { (0, more) };
                    let (inner, outer) = ((padding + way.shift() + inner) as u64, outer as u64);
                    expr = expr.map_axis(axis, &space, |at| {
                        let there = ((at + inner) >> 1_u64) + outer;
                        if is_circle { there.ge(len).select(there - len, there) } else { there }
                    });
                    space[axis] = all;
                    all
                }
            };
        }
        Ok(ArrayExpr::from_ranked(expr.at_coordinates(&maps, N), shape))
    }
}

/// The fine points along an axis for which a kernel prolongates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    All,
    /// Those that are coarse points.
    Coarse,
    /// Those that are not.
    Between,
}

/// Below this number of fine points one kernel prolongates, which takes longer than its share of several, but is launched
/// once.
const FEW_POINTS: usize = 1 << 10;

/// Appends tables of the axes to the inputs of a closure, and returns their numbers.
fn tables<'f, 'a: 'f, T: GridFloat, const N: usize>(
    inputs: &mut Vec<Formula<'a, T, N>>,
    of_axis: impl Fn(usize) -> &'f [Formula<'static, T, N>],
) -> [Vec<usize>; N] {
    std::array::from_fn(|axis| {
        let begin = inputs.len();
        inputs.extend(of_axis(axis).iter().map(|table| table.clone() as Formula<'a, T, N>));
        (begin..inputs.len()).collect()
    })
}

impl<T: GridFloat, const N: usize> Way<T, N> {
    /// Returns the way along an axis to any of its points.
    fn irregular(axis: usize, weights: &Weights, fine: &Line, coarse: &Line) -> Way<T, N> {
        let (len, count) = (fine.len(), coarse.len());
        // A point beyond an end is the padding, or the one at the other end of a circle.
        let place = |line: &Line, at: usize, less: usize| match line.padding() {
            0 => ((at + line.len() - less) % line.len()) as u32,
            padding => (at + padding).saturating_sub(less).min(line.len() + padding) as u32,
        };
        let neighbours = [1, 0].into_iter().map(|less| {
            let behind = (0..len).map(|point| weights.points.partition_point(|&coarse| coarse <= point));
            Coordinates::new(behind.map(|behind| place(coarse, behind, less)).collect())
        });
        let neighbours = neighbours.collect();
        let prolongation = [0, 1].map(|side| {
            let weights: Vec<T> =
                weights.prolongation.iter().map(|weights| T::nearest(weights[side])).collect();
            Formula::along_axis(axis, &weights)
        });
        let is_used = |&tap: &usize| weights.restriction.iter().any(|weights| weights[tap] != 0.0);
        let is_wide = is_used(&0) || is_used(&(TAPS - 1));
        let taps = if is_wide { 0..TAPS } else { 1..TAPS - 1 };
        let coordinates = taps.clone().map(|tap| {
            let points = weights.points.iter().map(|&own| match tap.checked_sub(TAPS / 2) {
                Some(more) => place(fine, own + more, 0),
                None => place(fine, own, TAPS / 2 - tap),
            });
            Coordinates::new(points.collect())
        });
        let coordinates = coordinates.collect();
        let restriction = taps
            .map(|tap| table(coarse, axis, 0, |point| T::nearest(weights.restriction[point][tap])))
            .collect();
        debug_assert_eq!(weights.points.len(), count);
        Way::Irregular { neighbours, prolongation, taps: coordinates, restriction }
    }

    /// Returns the number of fine points that a coarse point is a mean of.
    fn taps(&self) -> usize {
        match self {
            Way::Kept => 1,
            Way::Linear { .. } | Way::Weighted { .. } => 3,
            Way::Irregular { taps, .. } => taps.len(),
        }
    }

    fn shift(&self) -> usize {
        match self {
            Way::Kept | Way::Irregular { .. } => 0,
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

/// Returns the fold of the values along an axis.
type Fold<'f, T> = &'f dyn Fn(usize, &[Val<T>]) -> Val<T>;

/// Folds the values of all tuples of digits along the last axis, then along the one before, and so on.
fn folded<T: GridFloat, const N: usize>(
    widths: [usize; N],
    value: &dyn Fn(usize) -> Val<T>,
    fold: Fold<'_, T>,
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
