//! Steps that make matrices from matrices.

use crate::dice::Dice;
use crate::expression::Form;
use crate::finding::{Outcome, refused};
use crate::world::{Matrix, World, compare_matrix, random_matrix};
use cl_algo::prelude::*;
use cl_sparse::{Coo, Csr, HostCsr};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Change {
    /// Another random matrix.
    New,
    Transpose,
    Add,
    /// Rows in another order.
    Rows,
    Scale,
    /// A matrix from entries in any order.
    FromEntries,
    /// Parts that do not fit together.
    BadParts,
}

pub(crate) const CHANGES: [Change; 7] = [
    Change::New,
    Change::Transpose,
    Change::Add,
    Change::Rows,
    Change::Scale,
    Change::FromEntries,
    Change::BadParts,
];

/// Returns a matrix of these rows.
#[allow(clippy::expect_used)] // the rows come from a valid matrix
fn of_rows(columns: usize, rows: &[Vec<(u32, i32)>]) -> HostCsr<i32> {
    let mut offsets = vec![0_u32];
    offsets.extend(rows.iter().scan(0, |sum, row| {
        *sum += row.len() as u32;
        Some(*sum)
    }));
    let entries = || rows.iter().flatten();
    let (indices, values) =
        (entries().map(|entry| entry.0).collect(), entries().map(|entry| entry.1).collect());
    HostCsr::new(rows.len(), columns, offsets, indices, values).expect("rows of a matrix")
}

fn rows_of(matrix: &HostCsr<i32>) -> Vec<Vec<(u32, i32)>> {
    let pairs =
        |(indices, values): (&[u32], &[i32])| indices.iter().copied().zip(values.iter().copied()).collect();
    (0..matrix.rows()).map(|row| pairs(matrix.row(row))).collect()
}

/// Replaces a matrix by one that is made from it, or by a new one.
pub(crate) fn change(world: &mut World, change: Change, matrix: usize, seed: u64) -> Outcome {
    let mut dice = Dice::new(seed, 8);
    let Matrix { host, csr, .. } = &world.matrices[matrix];
    let queue = csr.queue().clone();
    let host = match change {
        Change::New => {
            let queue = world.main_queue().clone();
            world.matrices[matrix] = Matrix::new(&queue, random_matrix(&mut dice))?;
            return Ok(());
        }
        Change::Transpose => {
            let expected = host.transposed();
            compare_matrix("the transpose", &csr.transposed()?, &expected)?;
            expected
        }
        Change::Add => {
            let sum = cl_sparse::add(2, csr, 3, csr)?;
            let expected = host.map(|x| x.wrapping_mul(5));
            compare_matrix("the sum", &sum, &expected)?;
            expected
        }
        Change::Rows => {
            let mut rows = rows_of(host);
            let mut order: Vec<u32> = (0..rows.len() as u32).collect();
            for i in (1..order.len()).rev() {
                order.swap(i, dice.below(i + 1));
            }
            let permuted = csr.permute_rows(&DeviceVec::from_slice(&queue, &order)?)?;
            rows = order.iter().map(|&row| rows[row as usize].clone()).collect();
            let expected = of_rows(host.columns(), &rows);
            compare_matrix("the permuted matrix", &permuted, &expected)?;
            expected
        }
        Change::Scale => {
            let mut scaled = Csr::new(&queue, host)?;
            scaled.scale(-3)?;
            let expected = host.map(|x| x.wrapping_mul(-3));
            compare_matrix("the scaled matrix", &scaled, &expected)?;
            expected
        }
        Change::FromEntries => {
            let mut entries: Vec<(u32, u32, i32)> =
                host.entries().map(|(row, column, &value)| (row as u32, column as u32, value)).collect();
            for i in (1..entries.len()).rev() {
                entries.swap(i, dice.below(i + 1));
            }
            let rows = DeviceVec::from_fn(&queue, entries.len(), |i| entries[i].0)?;
            let columns = DeviceVec::from_fn(&queue, entries.len(), |i| entries[i].1)?;
            let values = DeviceVec::from_fn(&queue, entries.len(), |i| entries[i].2)?;
            let made = Coo::new(host.rows(), host.columns(), rows, columns, values)?.to_csr()?;
            compare_matrix("the matrix of entries", &made, host)?;
            return Ok(());
        }
        Change::BadParts => {
            let (mut offsets, mut columns) = (host.row_offsets().to_vec(), host.column_indices().to_vec());
            let at = dice.below(offsets.len());
            match (dice.below(3), columns.is_empty()) {
                (0, false) => {
                    let position = dice.below(columns.len());
                    columns[position] = host.columns() as u32 + dice.pick(&[0, 1, 1 << 20]);
                }
                (1, _) => offsets[at] = offsets[at].wrapping_sub(1 + columns.len() as u32),
                _ => offsets[at] = columns.len() as u32 + 1 + dice.below(1000) as u32,
            }
            let values = DeviceVec::from_slice(&queue, host.values())?;
            let offsets = DeviceVec::from_slice(&queue, &offsets)?;
            let columns = DeviceVec::from_slice(&queue, &columns)?;
            return refused("bad parts", Csr::from_parts(host.columns(), offsets, columns, values));
        }
    };
    world.matrices[matrix] = Matrix::new(&queue, host)?;
    Ok(())
}

/// Makes the forms that expressions need.
pub(crate) fn make(world: &mut World, forms: &[(Form, usize)]) -> Outcome {
    forms.iter().try_for_each(|&(form, matrix)| Ok(world.matrices[matrix].make(form)?))
}
