//! Matrices with random columns.

use crate::host::{HostCsr, InvalidMatrix};
use crate::index::Index;
use rand_core::Rng;

/// Returns a matrix with the same number of values in each row, in random columns. Each set of columns is equally
/// likely. Rows are sorted, without duplicates. `value` draws the values, for instance [`unit_f32`].
///
/// ```
/// use cl_random::{Engine, Philox4x32};
/// use cl_sparse::{HostCsr, generate};
///
/// let mut rng = Philox4x32::<10>::new(7).rng();
/// let a: HostCsr<f32> = generate::uniform(100, 50, 8, &mut rng, generate::unit_f32)?;
/// assert!((0..100).all(|row| a.row(row).0.len() == 8));
/// # Ok::<(), cl_sparse::InvalidMatrix>(())
/// ```
///
/// # Errors
/// If there are fewer columns than values in a row, or `I` cannot count the rows, columns or values.
pub fn uniform<T, I: Index, R: Rng>(
    rows: usize,
    columns: usize,
    per_row: usize,
    rng: &mut R,
    value: impl FnMut(&mut R) -> T,
) -> Result<HostCsr<T, I>, InvalidMatrix> {
    if per_row > columns && rows > 0 {
        return Err(InvalidMatrix::parameter(
            "values of a row",
            format!("are {per_row}, of {columns} columns"),
        ));
    }
    fill(rows, columns, rng, |_| per_row, value)
}

/// A power law for the lengths of rows: a row has at least `x` values with a probability of
/// `(x / shortest)^(1 - exponent)`, for `x` up to the longest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerLaw {
    /// The number of values in the shortest rows.
    pub shortest: usize,
    /// The largest number of values in a row. If the law gives a row a larger number, the row gets this
    /// number.
    pub longest: usize,
    /// The exponent of the density, greater than 1. Many networks have one between 2 and 3.
    pub exponent: f64,
}

/// Returns a matrix whose rows' lengths follow a power law, with random columns as in [`uniform`]. Each row
/// draws its length, so long and short rows are mixed.
///
/// ```
/// use cl_random::{Engine, Philox4x32};
/// use cl_sparse::generate::{PowerLaw, power_law, unit_f64};
/// use cl_sparse::HostCsr;
///
/// let mut rng = Philox4x32::<10>::new(7).rng();
/// let law = PowerLaw { shortest: 2, longest: 60, exponent: 2.5 };
/// let a: HostCsr<f64> = power_law(100, 80, law, &mut rng, unit_f64)?;
/// assert!((0..100).all(|row| (2..=60).contains(&a.row(row).0.len())));
/// # Ok::<(), cl_sparse::InvalidMatrix>(())
/// ```
///
/// # Errors
/// If the shortest length is 0 or exceeds the longest, the longest exceeds the number of columns, or the exponent is
/// not greater than 1; if `I` cannot count the rows, columns or values.
pub fn power_law<T, I: Index, R: Rng>(
    rows: usize,
    columns: usize,
    law: PowerLaw,
    rng: &mut R,
    value: impl FnMut(&mut R) -> T,
) -> Result<HostCsr<T, I>, InvalidMatrix> {
    let PowerLaw { shortest, longest, exponent } = law;
    if shortest == 0 || shortest > longest || longest > columns {
        let reason = format!("from {shortest} to {longest} are not a range from 1 to {columns} columns");
        return Err(InvalidMatrix::parameter("lengths of rows", reason));
    }
    if !(exponent.is_finite() && exponent > 1.0) {
        return Err(InvalidMatrix::parameter("the exponent", format!("is {exponent}, and not more than 1")));
    }
    let length = |rng: &mut R| {
        // `chance` is in (0, 1]. Inverts the distribution; `as` saturates if the length is too large.
        let chance = 1.0 - unit_f64(rng);
        let length = shortest as f64 * chance.powf(-1.0 / (exponent - 1.0));
        (length as usize).clamp(shortest, longest)
    };
    fill(rows, columns, rng, length, value)
}

/// Returns a matrix with rows of given lengths, each at most `columns`.
fn fill<T, I: Index, R: Rng>(
    rows: usize,
    columns: usize,
    rng: &mut R,
    mut length: impl FnMut(&mut R) -> usize,
    mut value: impl FnMut(&mut R) -> T,
) -> Result<HostCsr<T, I>, InvalidMatrix> {
    let mut matrix = HostCsr::empty(rows, columns)?;
    let mut chosen = Vec::new();
    for row in 0..rows {
        let length = length(rng);
        InvalidMatrix::reserve("values of a row", &mut chosen, length)?;
        InvalidMatrix::reserve("values of a row", &mut matrix.column_indices, length)?;
        InvalidMatrix::reserve("values of a row", &mut matrix.values, length)?;
        choose(length, columns, rng, &mut chosen);
        for &column in &chosen {
            matrix.column_indices.push(InvalidMatrix::count("columns", column)?);
            matrix.values.push(value(rng));
        }
        matrix.row_offsets[row + 1] = InvalidMatrix::count("values", matrix.values.len())?;
    }
    Ok(matrix)
}

/// Chooses `count` of the numbers below `bound`, in increasing order.
fn choose(count: usize, bound: usize, rng: &mut impl Rng, chosen: &mut Vec<usize>) {
    chosen.clear();
    // For more than half of the numbers, it is quicker to choose the ones to leave out.
    let few = count.min(bound - count);
    while chosen.len() < few {
        let missing = few - chosen.len();
        chosen.extend((0..missing).map(|_| below(bound, rng)));
        chosen.sort_unstable();
        chosen.dedup();
    }
    if few < count {
        let mut left_out = chosen.iter().copied().peekable();
        let rest: Vec<usize> = (0..bound).filter(|number| left_out.next_if_eq(number).is_none()).collect();
        *chosen = rest;
    }
}

/// Returns a random number below `bound`. The probabilities of any two numbers differ by at most 2^-64.
fn below(bound: usize, rng: &mut impl Rng) -> usize {
    ((u128::from(rng.next_u64()) * bound as u128) >> 64) as usize
}

/// Draws a value in [0, 1) with 24 random bits.
pub fn unit_f32<R: Rng>(rng: &mut R) -> f32 {
    (rng.next_u32() >> 8) as f32 / (1 << 24) as f32
}

/// Draws a value in [0, 1) with 53 random bits.
pub fn unit_f64<R: Rng>(rng: &mut R) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}
