//! Matrices of stencils on grids.
//!
//! A grid's points are numbered with the last axis fastest. A stencil's neighbours beyond the edge of the grid have no
//! entries: the unknowns there are zero, which is Dirichlet's boundary condition.

use crate::host::{HostCsr, InvalidMatrix};
use crate::index::Index;

/// Returns the stencil of a point and its 4 neighbours on a plane grid. Values 4 and -1 give the Laplace operator.
///
/// ```
/// use cl_sparse::{HostCsr, generate};
///
/// let a: HostCsr<f64> = generate::five_point([2, 2], 4.0, -1.0)?;
/// assert_eq!(a.to_dense()[..4], [4.0, -1.0, -1.0, 0.0]); // the first point has two neighbours
/// # Ok::<(), cl_sparse::InvalidMatrix>(())
/// ```
///
/// # Errors
/// If `I` cannot count the points or the values.
pub fn five_point<T: Copy, I: Index>(
    grid: [usize; 2],
    centre: T,
    neighbour: T,
) -> Result<HostCsr<T, I>, InvalidMatrix> {
    stencil(grid, &near(1, centre, neighbour))
}

/// Returns the stencil of a point and its 8 neighbours on a plane grid, including those across corners.
///
/// ```
/// use cl_sparse::{HostCsr, generate};
///
/// let a: HostCsr<f64> = generate::nine_point([3, 3], 8.0, -1.0)?;
/// assert_eq!(a.row(4).0.len(), 9); // the point in the middle has them all
/// # Ok::<(), cl_sparse::InvalidMatrix>(())
/// ```
///
/// # Errors
/// If `I` cannot count the points or the values.
pub fn nine_point<T: Copy, I: Index>(
    grid: [usize; 2],
    centre: T,
    neighbour: T,
) -> Result<HostCsr<T, I>, InvalidMatrix> {
    stencil(grid, &near(2, centre, neighbour))
}

/// Returns the stencil of a point and its 6 neighbours in space. Values 6 and -1 give the Laplace operator.
///
/// ```
/// use cl_sparse::{HostCsr, generate};
///
/// let a: HostCsr<f64> = generate::seven_point([3, 3, 3], 6.0, -1.0)?;
/// assert_eq!(a.row(13).0.len(), 7);
/// # Ok::<(), cl_sparse::InvalidMatrix>(())
/// ```
///
/// # Errors
/// If `I` cannot count the points or the values.
pub fn seven_point<T: Copy, I: Index>(
    grid: [usize; 3],
    centre: T,
    neighbour: T,
) -> Result<HostCsr<T, I>, InvalidMatrix> {
    stencil(grid, &near(1, centre, neighbour))
}

/// Returns the stencil of a point and its 26 neighbours in space, including those across edges and corners.
///
/// ```
/// use cl_sparse::{HostCsr, generate};
///
/// let a: HostCsr<f64> = generate::twenty_seven_point([3, 3, 3], 26.0, -1.0)?;
/// assert_eq!(a.row(13).0.len(), 27);
/// # Ok::<(), cl_sparse::InvalidMatrix>(())
/// ```
///
/// # Errors
/// If `I` cannot count the points or the values.
pub fn twenty_seven_point<T: Copy, I: Index>(
    grid: [usize; 3],
    centre: T,
    neighbour: T,
) -> Result<HostCsr<T, I>, InvalidMatrix> {
    stencil(grid, &near(3, centre, neighbour))
}

/// Returns offsets and their values. The offset along an axis is -1, 0 or 1, and differs from 0 along at most
/// `distance` axes.
fn near<T: Copy, const D: usize>(distance: usize, centre: T, neighbour: T) -> Vec<([isize; D], T)> {
    let offset = |number: usize| -> [isize; D] {
        std::array::from_fn(|axis| (number / 3_usize.pow(axis as u32) % 3) as isize - 1)
    };
    let offsets = (0..3_usize.pow(D as u32)).map(offset);
    let steps = |offset: &[isize; D]| offset.iter().filter(|&&step| step != 0).count();
    let close = offsets.filter(|offset| steps(offset) <= distance);
    close.map(|offset| (offset, if steps(&offset) == 0 { centre } else { neighbour })).collect()
}

/// Returns the matrix of any stencil on a grid of any dimension. `points` lists the stencil's offsets along
/// the axes, with their values. An offset that occurs twice gives two entries with the same row and column;
/// the element of the matrix is their sum.
///
/// ```
/// use cl_sparse::{HostCsr, generate};
///
/// // Second differences on a line of 3 points.
/// let a: HostCsr<f32> = generate::stencil([3], &[([-1], 1.0), ([0], -2.0), ([1], 1.0)])?;
/// assert_eq!(a.to_dense(), [-2.0, 1.0, 0.0, 1.0, -2.0, 1.0, 0.0, 1.0, -2.0]);
/// # Ok::<(), cl_sparse::InvalidMatrix>(())
/// ```
///
/// # Errors
/// If `I` cannot count the points or the values.
pub fn stencil<T: Copy, I: Index, const D: usize>(
    grid: [usize; D],
    points: &[([isize; D], T)],
) -> Result<HostCsr<T, I>, InvalidMatrix> {
    let Some(rows) = grid.iter().try_fold(1_usize, |points, &length| points.checked_mul(length)) else {
        return Err(InvalidMatrix::parameter("the grid", "has more points than a size can express"));
    };
    let mut matrix = HostCsr::empty(rows, rows)?;
    // Sorted offsets give sorted columns, because both have the last axis fastest.
    let mut points = points.to_vec();
    points.sort_by_key(|&(offset, _)| offset);
    let mut place = [0; D];
    for row in 0..rows {
        for (offset, value) in &points {
            if let Some(column) = neighbour(&grid, &place, offset) {
                matrix.column_indices.push(InvalidMatrix::count("columns", column)?);
                matrix.values.push(*value);
            }
        }
        matrix.row_offsets[row + 1] = InvalidMatrix::count("values", matrix.values.len())?;
        advance(&grid, &mut place);
    }
    Ok(matrix)
}

/// Returns the number of the point at an offset from `place`, if the point is on the grid.
fn neighbour<const D: usize>(grid: &[usize; D], place: &[usize; D], offset: &[isize; D]) -> Option<usize> {
    let axes = grid.iter().zip(place).zip(offset);
    axes.into_iter().try_fold(0, |point, ((&length, &at), &step)| {
        let at = at.checked_add_signed(step).filter(|&at| at < length)?;
        Some(point * length + at)
    })
}

/// Moves to the next point, the last axis fastest.
fn advance<const D: usize>(grid: &[usize; D], place: &mut [usize; D]) {
    for (at, &length) in place.iter_mut().zip(grid).rev() {
        *at += 1;
        if *at < length {
            return;
        }
        *at = 0;
    }
}
