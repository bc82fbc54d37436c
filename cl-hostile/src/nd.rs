//! The model of an array of three axes.

use crate::dice::Dice;
use cl_array::Pad;

/// The number of coordinates along each axis, or a position.
pub(crate) type Triple = [usize; 3];

/// An array of three axes on the host, in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Nd<T> {
    pub(crate) shape: Triple,
    pub(crate) items: Vec<T>,
}

/// Returns all positions of a shape in row-major order.
pub(crate) fn positions([a, b, c]: Triple) -> impl Iterator<Item = Triple> {
    (0..a).flat_map(move |i| (0..b).flat_map(move |j| (0..c).map(move |k| [i, j, k])))
}

impl<T: Copy> Nd<T> {
    /// Returns the array whose items a closure computes from their positions.
    pub(crate) fn build(shape: Triple, item: impl FnMut(Triple) -> T) -> Nd<T> {
        Nd { shape, items: positions(shape).map(item).collect() }
    }

    pub(crate) fn get(&self, [i, j, k]: Triple) -> T {
        self.items[(i * self.shape[1] + j) * self.shape[2] + k]
    }

    /// Returns whether there are zero items.
    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub(crate) fn map<R: Copy>(&self, item: impl FnMut(T) -> R) -> Nd<R> {
        Nd { shape: self.shape, items: self.items.iter().copied().map(item).collect() }
    }

    /// Returns the array of another shape whose items are items of this one, at the positions that a closure returns.
    pub(crate) fn moved(&self, shape: Triple, from: impl Fn(Triple) -> Triple) -> Nd<T> {
        Nd::build(shape, |at| self.get(from(at)))
    }

    /// Returns the array with another length along an axis, at the coordinates along this axis that a closure returns.
    pub(crate) fn along(&self, axis: usize, len: usize, from: impl Fn(usize) -> usize) -> Nd<T> {
        self.moved(with(self.shape, axis, len), |at| with(at, axis, from(at[axis])))
    }

    /// Returns the first `len` coordinates along an axis.
    pub(crate) fn cut(&self, axis: usize, len: usize) -> Nd<T> {
        self.along(axis, len, |at| at)
    }

    /// Returns the items along an axis, for each position on the axes before and after it.
    pub(crate) fn line(&self, at: Triple, axis: usize) -> Vec<T> {
        (0..self.shape[axis]).map(|i| self.get(with(at, axis, i))).collect()
    }
}

/// Returns a shape of few elements; now and then of none.
pub(crate) fn random_shape(data: &mut Dice) -> Triple {
    let mut len = |most: usize| match data.below(12) {
        0 => 0,
        1 | 2 => 1,
        3 => data.pick(&[7, 8, 9, 15, 16, 17]).min(most),
        _ => 1 + data.below(most.min(8)),
    };
    [len(8), len(12), len(70)]
}

/// Returns a triple with another number for one axis.
pub(crate) fn with(mut of: Triple, axis: usize, number: usize) -> Triple {
    of[axis] = number;
    of
}

/// Returns the coordinate within `len` coordinates that a rule for borders reads at `at`. Returns `None` where the rule is a
/// constant.
pub(crate) fn inside<T>(at: i128, len: usize, rule: Pad<T>) -> Option<usize> {
    let n = len as i128;
    if (0..n).contains(&at) {
        return Some(at as usize);
    }
    let mirrored = |period: i128, last: i128| {
        let at = at.rem_euclid(period);
        if at < n { at } else { last - at }
    };
    Some(match rule {
        Pad::Edge => at.clamp(0, n - 1),
        Pad::Wrap => at.rem_euclid(n),
        Pad::Symmetric => mirrored(2 * n, 2 * n - 1),
        Pad::Reflect if len == 1 => 0,
        Pad::Reflect => mirrored(2 * n - 2, 2 * n - 2),
        _ => return None,
    } as usize)
}
