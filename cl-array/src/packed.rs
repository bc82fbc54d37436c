//! Triangles of square matrices, packed column by column, as LAPACK's packed storage.

use crate::array::Array;
use crate::expr::ArrayExpr;
use crate::view::ArrayView;
use cl_algo::ranked::{self, AxisMap, Half};
use cl_algo::{Element, Val};
use cl_core::{Error, Queue, Result};

/// The maximal number of rows of a packed matrix: the column of an element is computed by `f32` arithmetic, which is off by
/// less than 1 up to there.
const MOST_ROWS: usize = 1 << 20;

/// Returns the number of elements of a half of a matrix of `n` rows; `None` for too many rows.
fn packed_len(n: usize) -> Option<usize> {
    (n <= MOST_ROWS).then(|| n * (n + 1) / 2)
}

/// Returns the number of rows of the matrix of which a half has `len` elements.
fn rows_of(len: usize) -> Option<usize> {
    let near = (2.0 * len as f64).sqrt() as usize;
    (near.saturating_sub(1)..=near).find(|&n| packed_len(n) == Some(len))
}

/// Returns the row and the column of an element of the upper half by its position.
fn of_upper(position: Val<u64>) -> [Val<u64>; 2] {
    let near = ((8.0 * position.cast::<f32>() + 1.0).sqrt() * 0.5 - 0.5).max(0.0).cast::<u64>();
    let before = |column: Val<u64>| column * (column + 1) / 2;
    // The rounded number is off by 1 at most.
    let near = before(near).gt(position).select(near - 1, near);
    let column = before(near + 1).le(position).select(near + 1, near);
    [position - before(column), column]
}

/// Returns the row or the column of an element of a half of a matrix of `n` rows by its position. `axis` is 0 for the row.
fn coordinate(half: Half, n: usize, axis: usize) -> impl FnOnce(Val<u64>) -> Val<u64> {
    let n = n as u64;
    move |position| match half {
        Half::Upper => of_upper(position)[axis],
        // From the last element on, the lower half is the upper half of the matrix with rows and columns reversed.
        Half::Lower => (n - 1) - of_upper((n * (n + 1) / 2 - 1) - position)[axis],
    }
}

/// Returns the position of an element of a half, less its row, by its column.
fn position_less_row(half: Half, n: usize) -> impl FnOnce(Val<u64>) -> Val<u64> {
    let n = n as u64;
    move |column| match half {
        Half::Upper => column * (column + 1) / 2,
        Half::Lower => column * (2 * n - 1 - column) / 2,
    }
}

impl<'a, T: Element> ArrayExpr<'a, T, 2> {
    /// Returns the elements of a half of a square matrix, column by column, lazily: `n (n + 1) / 2` elements. The other
    /// half is not read.
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_fn(&queue, [3, 3], |[i, j]| 10 * (i + 1) + j + 1)?;
    /// assert_eq!(a.iter().pack(Half::Lower).to_vec()?, [11, 21, 31, 22, 32, 33]);
    /// assert_eq!(a.iter().pack(Half::Upper).to_vec()?, [11, 12, 22, 13, 23, 33]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// A matrix that is not square is a deferred error, as is one of more than 2^20 rows.
    #[doc(alias("tpttr", "trttp"))]
    pub fn pack(self, half: Half) -> ArrayExpr<'a, T, 1> {
        let [n, columns] = self.shape();
        let Some(len) = packed_len(n).filter(|_| n == columns) else {
            let reason =
                format!("shape {:?}; a packed matrix is square, of at most {MOST_ROWS} rows", self.shape());
            return self
                .at(&[AxisMap::at(0), AxisMap::at(0)], [0])
                .failed(Error::invalid_input("pack", reason));
        };
        if n == 0 {
            return self.at(&[AxisMap::at(0), AxisMap::at(0)], [0]);
        }
        let rows = self.into_inner().map_axis(0, &[n, n], coordinate(half, n, 0));
        let both = rows.map_axis(1, &[len, n], coordinate(half, n, 1));
        ArrayExpr::lazy(both, [len, len]).at(&[AxisMap::whole(0), AxisMap::whole(0)], [len])
    }
}

impl<'a, T: Element> ArrayExpr<'a, T, 1> {
    /// Returns the square matrix of which these elements are a packed half, lazily, with zeros in the other half. See
    /// [`ArrayExpr::pack`].
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let packed = Array::from_slice(&queue, [3], &[1, 2, 3])?;
    /// assert_eq!(packed.iter().unpack(Half::Lower).to_vec()?, [1, 0, 2, 3]);
    /// assert_eq!(packed.iter().unpack_symmetric(Half::Upper).to_vec()?, [1, 2, 2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// A number of elements that is not `n (n + 1) / 2` is a deferred error.
    pub fn unpack(self, half: Half) -> ArrayExpr<'a, T, 2> {
        let (all, n) = match self.unpack_both("unpack", half) {
            Ok(unpacked) => unpacked,
            Err(failed) => return *failed,
        };
        in_half(half, n).select_or(all, T::zeroed())
    }

    /// Returns the symmetric matrix of which these elements are a packed half, lazily. See [`ArrayExpr::pack`].
    ///
    /// A number of elements that is not `n (n + 1) / 2` is a deferred error.
    pub fn unpack_symmetric(self, half: Half) -> ArrayExpr<'a, T, 2> {
        let (all, n) = match self.unpack_both("unpack_symmetric", half) {
            Ok(unpacked) => unpacked,
            Err(failed) => return *failed,
        };
        in_half(half, n).select(all.clone(), all.t())
    }

    /// Returns a matrix whose half has the elements, and any elements elsewhere, and its number of rows.
    fn unpack_both(
        self,
        operation: &'static str,
        half: Half,
    ) -> Result<(ArrayExpr<'a, T, 2>, usize), Box<ArrayExpr<'a, T, 2>>> {
        let [len] = self.shape();
        let Some(n) = rows_of(len) else {
            let reason = format!("{len} elements are not a half of a square matrix, which has n (n + 1) / 2");
            let failed = self.at(&[AxisMap::at(0)], [0, 0]).failed(Error::invalid_input(operation, reason));
            return Err(Box::new(failed));
        };
        if n == 0 {
            return Ok((self.at(&[AxisMap::at(0)], [0, 0]), 0));
        }
        // The position of an element is its row plus a function of its column.
        let positions = [n, len - n + 1];
        let sums = [AxisMap::whole(0), AxisMap::whole(1)];
        let all = self.at_sums([&sums[..]], positions).into_inner();
        Ok((ArrayExpr::lazy(all.map_axis(1, &positions, position_less_row(half, n)), [n, n]), n))
    }
}

/// Returns whether each element of a matrix of `n` rows is in a half.
fn in_half<'a>(half: Half, n: usize) -> ArrayExpr<'a, bool, 2> {
    ArrayExpr::from_fn([n, n], |[i, j]| match half {
        Half::Lower => i.ge(j),
        Half::Upper => i.le(j),
    })
}

impl<'a, T: Element> ArrayView<'a, T, 2> {
    /// Copies a half of a square matrix to the host, column by column, in `n (n + 1) / 2` elements. The other half does
    /// not cross. Waits for the device.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a matrix that is not square; as [`ArrayExpr::collect`].
    pub fn to_packed_vec(self, half: Half) -> Result<Vec<T>> {
        ArrayExpr::from(self).pack(half).to_vec()
    }
}

impl<T: Element> Array<T, 2> {
    /// Copies a half of a square matrix to the host; see [`ArrayView::to_packed_vec`].
    ///
    /// ```
    /// use cl_array::prelude::*;
    /// # fn main() -> cl_core::Result<()> {
    /// # let queue = Queue::on(&Device::first()?)?;
    /// let a = Array::from_packed(&queue, Half::Lower, &[1.0_f32, 2.0, 3.0])?;
    /// assert_eq!(a.to_vec()?, [1.0, 0.0, 2.0, 3.0]);
    /// assert_eq!(a.to_packed_vec(Half::Lower)?, [1.0, 2.0, 3.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`ArrayView::to_packed_vec`].
    pub fn to_packed_vec(&self, half: Half) -> Result<Vec<T>> {
        self.view().to_packed_vec(half)
    }

    /// Returns the square matrix with these elements of the host in a half, column by column, and zeros in the other half.
    /// The zeros do not cross. `packed.iter().unpack_symmetric(half)` makes a symmetric matrix.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] unless there are `n (n + 1) / 2` elements; as [`Array::from_slice`] and
    /// [`ArrayExpr::collect`].
    pub fn from_packed(queue: &Queue, half: Half, elements: &[T]) -> Result<Array<T, 2>> {
        ranked::count(&[elements.len()])?;
        Array::from_slice(queue, [elements.len()], elements)?.iter().unpack(half).collect()
    }
}
