//! Layouts of arrays, right and wrong, and which elements of a vector they name.

use crate::dice::Dice;
use cl_algo::ranked::{AxisMap, Layout};
use cl_core::Result;

/// A view of a row-major array, as somebody claims it: the coordinate along each axis of the array, as a function of the
/// coordinates of the view.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    /// The shape of the array that is viewed.
    pub(crate) base: Vec<usize>,
    pub(crate) maps: Vec<AxisMap>,
    /// The shape of the view.
    pub(crate) shape: Vec<usize>,
}

/// Strides, offsets and lengths that no array of a test has.
const FAR: [isize; 8] =
    [1 << 62, isize::MAX, isize::MIN, isize::MIN + 1, -1 << 62, 1 << 32, (1 << 31) + 1, -1 << 33];

impl Claim {
    /// Returns a view that is right, of an array of `base`.
    fn right(base: Vec<usize>, dice: &mut Dice) -> Claim {
        let rank = base.len() + dice.pick(&[0, 0, 0, 1]);
        let mut free: Vec<usize> = (0..rank).collect();
        let mut shape = vec![1; rank];
        let maps = base
            .iter()
            .map(|&len| {
                let fixed = AxisMap::at(dice.below(len));
                if len == 0 || dice.one_in(6) {
                    return fixed;
                }
                let axis = free.swap_remove(dice.below(free.len()));
                let step = 1 + dice.below(2);
                let count = 1 + dice.below((len - 1) / step + 1);
                let room = len - 1 - (count - 1) * step;
                shape[axis] = count;
                let begin = dice.below(room + 1);
                match dice.one_in(3) {
                    true => AxisMap {
                        axis: Some(axis),
                        stride: -(step as isize),
                        offset: begin + (count - 1) * step,
                    },
                    false => AxisMap { axis: Some(axis), stride: step as isize, offset: begin },
                }
            })
            .collect();
        // Axes of the view that no axis of the array follows repeat the elements.
        for axis in free {
            shape[axis] = 1 + dice.below(2);
        }
        Claim { base, maps, shape }
    }

    /// Returns a random view, which is right or, in half of all cases, may be wrong in one way.
    pub(crate) fn random(dice: &mut Dice) -> Claim {
        let rank = 1 + dice.below(3);
        let base: Vec<usize> = (0..rank).map(|_| 1 + dice.below(6)).collect();
        let mut claim = Claim::right(base, dice);
        if dice.one_in(2) {
            return claim;
        }
        let far = dice.pick(&FAR);
        let count = claim.maps.len();
        let map = &mut claim.maps[dice.below(count)];
        match dice.below(9) {
            0 => map.stride = map.stride.wrapping_neg(),
            1 => map.stride = far,
            2 => map.stride = map.stride.wrapping_mul(3),
            3 => map.offset += 1 + dice.below(4),
            4 => map.offset = far as usize,
            5 => map.axis = Some(claim.shape.len() + dice.below(3)),
            6 => drop(claim.maps.pop()),
            7 => claim.maps.push(AxisMap::whole(0)),
            _ => {
                let axis = dice.below(claim.shape.len());
                claim.shape[axis] = dice.pick(&[0, 7, 9, 1 << 31, 1 << 61, usize::MAX]);
            }
        }
        claim
    }

    /// Returns the layout of the view.
    ///
    /// # Errors
    /// Those of [`Layout::view`].
    pub(crate) fn layout(&self) -> Result<Layout> {
        Layout::row_major(&self.base)?.view(&self.maps, &self.shape)
    }

    /// Returns the least and the greatest coordinate along an axis of the array that the view reaches.
    fn extremes(&self, map: &AxisMap) -> Option<[i128; 2]> {
        let first = map.offset as i128;
        let Some(axis) = map.axis else { return Some([first; 2]) };
        let last = first + map.stride as i128 * (*self.shape.get(axis)? as i128 - 1);
        Some([first.min(last), first.max(last)])
    }

    /// Returns whether the view has zero elements.
    pub(crate) fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// Returns whether each coordinate of the view is one of the array.
    pub(crate) fn is_right(&self) -> bool {
        let fits = |(map, &len): (&AxisMap, &usize)| {
            self.extremes(map).is_some_and(|[low, high]| low >= 0 && high < len as i128)
        };
        let count = self.shape.iter().try_fold(1_usize, |count, &len| count.checked_mul(len));
        self.maps.len() == self.base.len()
            && self.maps.iter().zip(&self.base).all(fits)
            && count.is_some_and(|count| count < isize::MAX as usize)
    }

    /// Returns the number of elements, if the view is small enough to be evaluated.
    pub(crate) fn count(&self) -> Option<usize> {
        let count = self.shape.iter().try_fold(1_usize, |count, &len| count.checked_mul(len))?;
        (count <= 4096).then_some(count)
    }

    /// Returns the index in the vector of each element of a view that [is right](Claim::is_right), in row-major order.
    pub(crate) fn indices(&self) -> Vec<usize> {
        let at = |position: &[usize]| {
            self.maps.iter().zip(&self.base).fold(0, |index, (map, &len)| {
                let along = map.axis.map_or(0, |axis| position[axis] as isize * map.stride);
                index * len + (map.offset as isize + along) as usize
            })
        };
        coordinates(&self.shape).iter().map(|position| at(position)).collect()
    }
}

/// Returns all coordinates of a shape in row-major order.
pub(crate) fn coordinates(shape: &[usize]) -> Vec<Vec<usize>> {
    shape.iter().fold(vec![Vec::new()], |all, &len| {
        let longer = |at: &Vec<usize>| (0..len).map(|i| [&at[..], &[i]].concat()).collect::<Vec<_>>();
        all.iter().flat_map(longer).collect()
    })
}
