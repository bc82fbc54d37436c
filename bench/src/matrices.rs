//! The sparse matrices of our cases and of other libraries; `peers/matrices.h` makes the same ones.

use crate::data::Source;
use crate::failure::Failure;
use cl_algo::Number;
use cl_random::{Engine, Philox4x32};
use cl_sparse::{HostCsr, generate};
use std::cell::RefCell;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::rc::Rc;

/// Makes a matrix of about the given number of rows.
pub(crate) type Make = fn(usize) -> Result<HostCsr<f64>, Failure>;

type Made = (Make, usize, Rc<HostCsr<f64>>);

thread_local! {
    static LAST: RefCell<Option<Made>> = const { RefCell::new(None) };
}

/// Returns the last matrix again, or makes another one. Cases of one matrix follow each other, and some
/// matrices take seconds to make.
pub(crate) fn made(make: Make, rows: usize) -> Result<Rc<HostCsr<f64>>, Failure> {
    LAST.with_borrow_mut(|last| match last {
        Some((by, of, matrix)) if std::ptr::fn_addr_eq(*by, make) && *of == rows => Ok(matrix.clone()),
        _ => {
            // Two matrices at once could be too large.
            *last = None;
            let matrix = Rc::new(make(rows)?);
            *last = Some((make, rows, matrix.clone()));
            Ok(matrix)
        }
    })
}

/// The environment variable that names a folder for random matrices. They are the same in each process, and making one
/// takes seconds.
pub(crate) const FOLDER: &str = "BENCH_MATRICES";

/// Reads a matrix from the folder, or makes it and writes it there. A file has words of 32 bits: the number of rows, the
/// number of entries, the offsets, the columns and the values as `f32`. `peers/matrices.h` shares the files.
fn kept(
    name: &str,
    rows: usize,
    make: impl FnOnce() -> Result<HostCsr<f64>, Failure>,
) -> Result<HostCsr<f64>, Failure> {
    let Some(folder) = std::env::var_os(FOLDER) else { return make() };
    let path = Path::new(&folder).join(format!("{name}-{rows}"));
    if let Ok(mut file) = File::open(&path) {
        let mut words = vec![0_u32; file.metadata()?.len() as usize / 4];
        file.read_exact(bytemuck::cast_slice_mut(&mut words))?;
        return from_words(&words);
    }
    let matrix = make()?;
    // Another process may write the same matrix: a file has its name as soon as it is complete.
    let own = path.with_extension(std::process::id().to_string());
    std::fs::write(&own, bytemuck::cast_slice(&to_words(&matrix)))?;
    std::fs::rename(own, path)?;
    Ok(matrix)
}

fn to_words(matrix: &HostCsr<f64>) -> Vec<u32> {
    let values: Vec<u32> = matrix.values().iter().map(|&value| (value as f32).to_bits()).collect();
    let counts = [matrix.rows() as u32, matrix.nonzeros() as u32];
    [&counts, matrix.row_offsets(), matrix.column_indices(), &values].concat()
}

fn from_words(words: &[u32]) -> Result<HostCsr<f64>, Failure> {
    let [rows, entries] = [words.first(), words.get(1)].map(|word| word.map_or(0, |&word| word as usize));
    if words.len() != 3 + rows + 2 * entries {
        return Err("a matrix's file is not complete".into());
    }
    let (offsets, rest) = words[2..].split_at(rows + 1);
    let (columns, values) = rest.split_at(entries);
    let values = values.iter().map(|&bits| f64::from(f32::from_bits(bits))).collect();
    Ok(HostCsr::new(rows, rows, offsets.to_vec(), columns.to_vec(), values)?)
}

/// Returns the value at index `i` of a matrix or a vector: an integer from -3 to 3, so that sums in `f32` are
/// exact.
pub(crate) fn whole(i: usize) -> f64 {
    (i % 7) as f64 - 3.0
}

/// Returns the five-point stencil on a square grid.
pub(crate) fn poisson(rows: usize) -> Result<HostCsr<f64>, Failure> {
    let edge = rows.isqrt();
    Ok(generate::five_point([edge, edge], 4.0, -1.0)?)
}

/// The number of entries in each row of a [`random`] matrix, and therefore its least number of columns.
pub(crate) const RANDOM_ROW: usize = 32;

/// Returns a matrix with 32 entries in each row, at random columns.
pub(crate) fn random(rows: usize) -> Result<HostCsr<f64>, Failure> {
    let sign = |rng: &mut _| if generate::unit_f32(rng) < 0.5 { -1.0 } else { 1.0 };
    kept("random", rows, || {
        let mut rng = Philox4x32::<10>::new(20_261_122).rng();
        Ok(generate::uniform(rows, rows, RANDOM_ROW, &mut rng, sign)?)
    })
}

/// Returns a matrix whose rows have at least 8 entries, 29 on average; the longest row has a ninth of all
/// columns.
pub(crate) fn power_law(rows: usize) -> Result<HostCsr<f64>, Failure> {
    let law =
        generate::PowerLaw { shortest: 8.min(rows), longest: (rows / 9).max(8).min(rows), exponent: 2.3 };
    kept("power-law", rows, || {
        let mut rng = Philox4x32::<10>::new(20_261_122).rng();
        Ok(generate::power_law(rows, rows, law, &mut rng, |_| 1.0)?)
    })
}

/// A number type that represents small integers exactly.
pub(crate) trait Narrow: Number + PartialEq + std::fmt::Debug {
    fn narrow(value: f64) -> Self;
}

impl Narrow for f32 {
    fn narrow(value: f64) -> f32 {
        value as f32
    }
}

impl Narrow for f64 {
    fn narrow(value: f64) -> f64 {
        value
    }
}

/// Returns the rows, the indices and the values of a random matrix in triplets, with about 32 entries per row.
/// Some positions occur twice.
pub(crate) fn triplets(n: usize) -> (usize, [Vec<u32>; 2], Vec<f32>) {
    let rows = (n / 32).max(1);
    let mut source = Source::fresh();
    let mut index =
        || source.u32s(n).into_iter().map(|word| ((u64::from(word) * rows as u64) >> 32) as u32).collect();
    (rows, [index(), index()], (0..n).map(|i| whole(i) as f32).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_matrix_is_kept_and_no_other() {
        let first = made(poisson, 100).unwrap();
        assert!(Rc::ptr_eq(&first, &made(poisson, 100).unwrap()));
        assert_eq!(made(poisson, 400).unwrap().rows(), 400);
        assert_ne!(made(random, 400).unwrap().nonzeros(), made(poisson, 400).unwrap().nonzeros());
        assert!(!Rc::ptr_eq(&first, &made(poisson, 100).unwrap()));
    }

    #[test]
    fn a_matrix_in_a_file_is_the_same_one() {
        for make in [random, power_law] {
            let matrix = make(100).unwrap();
            let words = to_words(&matrix);
            assert_eq!(from_words(&words).unwrap(), matrix);
            assert!(from_words(&words[1..]).is_err() && from_words(&[]).is_err());
        }
    }

    /// Compares with the FNV-1a hashes that a program prints for the matrices of `peers/matrices.h`:
    /// columns, values and offsets.
    #[test]
    fn peers_have_these_matrices() {
        let makes: [(Make, u64); 3] = [
            (poisson, 0xcb72_7112_3165_7550),
            (random, 0xcc78_0f9b_865a_946d),
            (power_law, 0x5351_608b_2e12_46f0),
        ];
        for (make, expected) in makes {
            let matrix = make(1000).unwrap();
            let columns = matrix.column_indices().iter().map(|&column| u64::from(column));
            let values = matrix.values().iter().map(|&value| value as i64 as u64);
            let offsets = matrix.row_offsets().iter().map(|&offset| u64::from(offset));
            let words = columns.chain(values).chain(offsets);
            let hash = words.fold(1_469_598_103_934_665_603, |hash: u64, word| {
                (hash ^ word).wrapping_mul(1_099_511_628_211)
            });
            assert_eq!(hash, expected, "{} entries", matrix.nonzeros());
        }
    }
}
