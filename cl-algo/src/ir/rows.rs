//! Affine indices, and the rows of an index space with several axes: data that nodes, outputs and kernels share.

use smallvec::SmallVec;

/// The maximal number of axes.
pub(crate) const MOST_AXES: usize = 6;

/// The number of elements that divides the indices of aligned rows: the largest pack of a row then begins at a multiple
/// of its size.
pub(super) const ALIGNED: i64 = 16;

/// An index that is an affine function of the coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Affine {
    pub(crate) offset: i64,
    /// The factor of the coordinate along each axis, counted from the last axis.
    pub(crate) strides: [i64; MOST_AXES],
}

impl Affine {
    pub(super) fn constant(offset: i64) -> Affine {
        Affine { offset, ..Affine::default() }
    }

    pub(super) fn coordinate(axis: u32) -> Affine {
        let mut form = Affine::default();
        form.strides[axis as usize] = 1;
        form
    }

    /// Returns the sum; `None` if a number of it cannot be counted.
    pub(super) fn plus(mut self, other: Affine) -> Option<Affine> {
        self.offset = self.offset.checked_add(other.offset)?;
        for (stride, other) in self.strides.iter_mut().zip(other.strides) {
            *stride = stride.checked_add(other)?;
        }
        Some(self)
    }

    /// Returns the product; `None` if a number of it cannot be counted.
    pub(super) fn times(mut self, factor: i64) -> Option<Affine> {
        self.offset = self.offset.checked_mul(factor)?;
        for stride in &mut self.strides {
            *stride = stride.checked_mul(factor)?;
        }
        Some(self)
    }

    /// Sorts axes by the strides, the smallest first. Strides do not determine an order if one of them is 0.
    pub(crate) fn sort(&self, axes: &mut [usize]) {
        if axes.iter().all(|&axis| self.strides[axis] != 0) {
            axes.sort_by_key(|&axis| self.strides[axis].unsigned_abs());
        }
    }

    /// Returns the value of a form without strides.
    pub(super) fn as_constant(self) -> Option<i64> {
        (self.strides == [0; MOST_AXES]).then_some(self.offset)
    }

    /// Returns the form in the space in which groups of neighbouring axes of a space of this shape are one axis each, in
    /// row-major order; `None` if it is not affine there. `groups` has the number of axes of each group.
    pub(super) fn joined(&self, shape: &[usize], groups: &[usize]) -> Option<Affine> {
        let mut joined = Affine::constant(self.offset);
        let mut axes = shape.iter().rev().zip(self.strides);
        for (group, &count) in groups.iter().rev().enumerate() {
            // The stride of the joined axis, and that which the next axis outwards must have.
            let mut known: Option<(i64, i64)> = None;
            for (&len, stride) in axes.by_ref().take(count) {
                if len == 1 {
                    continue;
                }
                let stride_of_all = match known {
                    None => stride,
                    Some((of_all, next)) if next == stride => of_all,
                    Some(_) => return None,
                };
                known = Some((stride_of_all, stride.checked_mul(len as i64)?));
            }
            joined.strides[group] = known.map_or(0, |(stride, _)| stride);
        }
        Some(joined)
    }

    /// Returns the least and the greatest value in a space of this shape.
    pub(super) fn range(&self, axes: &[usize]) -> [i128; 2] {
        let (mut least, mut last) = (i128::from(self.offset), i128::from(self.offset));
        for (&stride, &extent) in self.strides.iter().zip(axes) {
            let far = i128::from(stride) * (extent as i128 - 1);
            if far < 0 { least += far } else { last += far }
        }
        [least, last]
    }

    /// Returns the largest absolute value in a space of this shape.
    pub(super) fn reach(&self, axes: &[usize]) -> i128 {
        let along =
            |(&stride, &extent): (&i64, &usize)| i128::from(stride).abs() * (extent as i128 - 1).max(0);
        i128::from(self.offset).abs() + self.strides.iter().zip(axes).map(along).sum::<i128>()
    }
}

/// The part of an index that is constant within a row, and the alignment of the row's packs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RowBegin {
    /// The position in [`Rows::begins`].
    pub(crate) slot: u32,
    /// `true` if the begins of all rows are multiples of [`ALIGNED`].
    pub(crate) aligned: bool,
    /// `true` if such rows have neighbours that packs are made of, in kernels with tiles: see [`Rows::tiled`].
    pub(crate) tiled: bool,
}

/// The rows of an index space: the items that differ in the coordinate along the last axis alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    /// The number of items in a row.
    pub(crate) len: usize,
    /// The extents of the other axes, the last one first.
    pub(crate) extents: SmallVec<[usize; MOST_AXES - 1]>,
    /// The number of axes in `extents`, from the first on, whose coordinates the kernel knows. It divides the number of
    /// a row only for the others.
    pub(crate) apart: usize,
    /// The indices that are computed once for each row. Their strides belong to the axes of `extents`.
    pub(crate) begins: Vec<Affine>,
    /// `true` for kernels with tiles of rows. There a pack at a small distance from an aligned one is made of the aligned packs
    /// that its items lie in.
    pub(crate) tiled: bool,
}

impl Rows {
    /// Returns the number of rows.
    pub(crate) fn count(&self) -> usize {
        self.extents.iter().product()
    }

    /// Returns the numbers that the kernel's source depends on: the numbers of axes, of those apart and of begins, and for each begin
    /// a bit for each axis along which it moves.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = i64> {
        let moves = |begin: &Affine| {
            (0..self.extents.len())
                .filter(|&axis| begin.strides[axis] != 0)
                .map(|axis| 1 << axis)
                .sum::<i64>()
        };
        [self.extents.len() as i64, self.apart as i64, self.begins.len() as i64]
            .into_iter()
            .chain(self.begins.iter().map(moves))
    }

    /// Returns whether neighbouring rows begin at different indices.
    pub(crate) fn moves(&self, begin: RowBegin) -> bool {
        self.begins[begin.slot as usize].strides[0] != 0
    }

    /// Returns the slot of `begin` in `begins`, to which it is added if it is new.
    pub(super) fn begin(&mut self, begin: Affine) -> RowBegin {
        let known = self.begins.iter().position(|other| *other == begin);
        let slot = known.unwrap_or_else(|| {
            self.begins.push(begin);
            self.begins.len() - 1
        }) as u32;
        let aligned = begin.offset % ALIGNED == 0 && begin.strides.iter().all(|stride| stride % ALIGNED == 0);
        RowBegin { slot, aligned, tiled: self.tiled && aligned }
    }
}
