//! Matrices in host memory: refused matrices, and comparisons with dense ones.

#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::num_complex::Complex;
use cl_sparse::{HostCsr, Index, InvalidMatrix, Triplets, generate};
use proptest::prelude::*;

type Entries = Vec<(usize, usize, i64)>;

/// Generates sizes and entries of matrices: empty ones, duplicates, and rows or columns that have most of the entries.
fn matrices() -> impl Strategy<Value = (usize, usize, Entries)> {
    (0_usize..9, 0_usize..9, 0_u8..4).prop_flat_map(|(rows, columns, shape)| {
        let most = if rows * columns == 0 { 0 } else { 40 };
        let entry = (0..rows.max(1), 0..columns.max(1), -9_i64..9, any::<bool>());
        let entries = proptest::collection::vec(entry, 0..=most).prop_map(move |entries| {
            let skew = |(row, column, value, often)| match shape {
                1 if often => (0, column, value),
                2 if often => (row, columns - 1, value),
                3 if often => (rows - 1, 0, value),
                _ => (row, column, value),
            };
            entries.into_iter().map(skew).collect()
        });
        (Just(rows), Just(columns), entries)
    })
}

fn dense(rows: usize, columns: usize, entries: &Entries) -> Vec<i64> {
    let mut dense = vec![0; rows * columns];
    for &(row, column, value) in entries {
        dense[row * columns + column] += value;
    }
    dense
}

/// Returns a matrix with entries row by row, not sorted within rows, and with duplicates.
fn unsorted<I: Index>(rows: usize, columns: usize, entries: &Entries) -> HostCsr<i64, I> {
    let index = |count: usize| I::from_usize(count).unwrap();
    let mut entries = entries.clone();
    entries.sort_by_key(|&(row, ..)| row);
    let offsets = (0..=rows).map(|row| index(entries.partition_point(|entry| entry.0 < row))).collect();
    let indices = entries.iter().map(|&(_, column, _)| index(column)).collect();
    HostCsr::new(rows, columns, offsets, indices, entries.iter().map(|entry| entry.2).collect()).unwrap()
}

fn agrees<I: Index>(rows: usize, columns: usize, entries: &Entries) {
    let dense = dense(rows, columns, entries);
    let stored: HostCsr<i64, I> = unsorted(rows, columns, entries);
    assert_eq!(stored.to_dense(), dense);
    assert_eq!(stored.nonzeros(), entries.len());
    let places = |entry: &(usize, usize, i64)| (entry.0, entry.1);
    let mut distinct: Vec<_> = entries.iter().map(places).collect();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(stored.has_no_duplicates(), distinct.len() == entries.len());

    let mut triplets = Triplets::new(rows, columns);
    triplets.extend(entries.iter().copied()).unwrap();
    let summed = triplets.to_csr::<I>().unwrap();
    assert_eq!(summed.to_dense(), dense);
    assert!(summed.rows_are_sorted() && summed.has_no_duplicates());
    assert_eq!(summed.entries().map(|(row, column, _)| (row, column)).collect::<Vec<_>>(), distinct);

    let mut sorted = stored.clone();
    sorted.sort_rows();
    assert!(sorted.rows_are_sorted());
    assert_eq!((sorted.to_dense(), sorted.nonzeros()), (dense.clone(), entries.len()));
    sorted.sum_duplicates();
    assert_eq!(sorted, summed);

    let transposed = stored.transposed();
    assert!(transposed.rows_are_sorted());
    assert_eq!((transposed.rows(), transposed.columns()), (columns, rows));
    let back = transposed.to_dense();
    assert!((0..rows * columns).all(|at| back[at % columns * rows + at / columns] == dense[at]));

    let from_dense: HostCsr<i64, I> = HostCsr::from_dense(rows, columns, &dense).unwrap();
    assert_eq!(from_dense.to_dense(), dense);
    assert!(from_dense.values().iter().all(|&value| value != 0));

    let x: Vec<i64> = (0..columns as i64).map(|i| i * i - 3).collect();
    let row = |row: usize| (0..columns).map(|column| dense[row * columns + column] * x[column]).sum();
    assert_eq!(stored.multiply(&x).unwrap(), (0..rows).map(row).collect::<Vec<i64>>());

    let (offsets, indices, values) = stored.clone().into_parts();
    assert_eq!(HostCsr::new(rows, columns, offsets, indices, values).unwrap(), stored);
}

proptest! {
    #[test]
    fn matrices_agree_with_dense_ones((rows, columns, entries) in matrices()) {
        agrees::<u32>(rows, columns, &entries);
        agrees::<u64>(rows, columns, &entries);
    }
}

#[test]
fn duplicates_are_added_in_the_order_in_which_they_came() {
    // In another order the small values would be lost, or the sum would differ.
    let values = [1e16, 1.0, -1e16, 1.0];
    let mut triplets = Triplets::new(1, 2);
    for value in values {
        triplets.push(0, 1, value).unwrap();
        triplets.push(0, 0, 0.5).unwrap();
    }
    let a = triplets.to_csr::<u32>().unwrap();
    assert_eq!(a.values(), [2.0, 1.0]);
    let unsummed = HostCsr::new(1, 2, vec![0_u32, 4], vec![1; 4], values.to_vec()).unwrap();
    assert_eq!(unsummed.to_dense(), [0.0, 1.0]);
    // Transposing and sorting keep the order of duplicates.
    assert_eq!(unsummed.transposed().values(), values);
}

#[test]
fn complex_values() {
    let i = Complex::new(0.0_f64, 1.0);
    let mut triplets = Triplets::with_capacity(2, 2, 3);
    triplets.extend([(0, 1, i), (1, 0, -i), (0, 1, Complex::new(1.0, 0.0))]).unwrap();
    let a = triplets.to_csr::<u32>().unwrap();
    assert_eq!(a.multiply(&[i, i]).unwrap(), [i - 1.0, Complex::new(1.0, 0.0)]);
    assert_eq!(a.map(Complex::conj).transposed().to_dense(), [0.0 * i, i, 1.0 - i, 0.0 * i]);
}

#[test]
fn the_identity_and_the_empty_matrix() {
    for size in [0, 1, 2, 7] {
        let x: Vec<i64> = (0..size as i64).collect();
        assert_eq!(HostCsr::<i64>::identity(size, 1).unwrap().multiply(&x).unwrap(), x);
        assert_eq!(HostCsr::<i64>::empty(size, 3).unwrap().multiply(&[1; 3]).unwrap(), vec![0; size]);
    }
}

/// Rows, columns, row offsets, column indices and the number of values, with the expected error.
type Mistake = (usize, usize, &'static [u32], &'static [u32], usize, InvalidMatrix);

/// Each invalid matrix has its own error, which names the first wrong row.
#[test]
fn what_is_no_matrix_is_refused() {
    use InvalidMatrix as Bad;
    let cases: &[Mistake] = &[
        (2, 2, &[0, 1], &[0], 1, Bad::OffsetCount { rows: 2, given: 2 }),
        (2, 2, &[0, 1, 1, 1], &[0], 1, Bad::OffsetCount { rows: 2, given: 4 }),
        (0, 0, &[], &[], 0, Bad::OffsetCount { rows: 0, given: 0 }),
        (1, 2, &[0, 2], &[0, 1], 1, Bad::ValueCount { column_indices: 2, values: 1 }),
        (1, 2, &[1, 2], &[0, 1], 2, Bad::FirstOffset { first: 1 }),
        (3, 2, &[0, 2, 1, 2], &[0, 1], 2, Bad::DecreasingOffset { row: 1, begin: 2, end: 1 }),
        (3, 2, &[0, 1, 9, 2], &[0, 1], 2, Bad::OffsetBeyondValues { row: 1, end: 9, values: 2 }),
        (2, 2, &[0, 1, 1], &[0, 1], 2, Bad::LastOffset { last: 1, values: 2 }),
        (0, 2, &[0], &[0], 1, Bad::LastOffset { last: 0, values: 1 }),
        (3, 2, &[0, 1, 2, 3], &[1, 2, 7], 3, Bad::Column { row: 1, column: 2, columns: 2 }),
        (1, 0, &[0, 1], &[0], 1, Bad::Column { row: 0, column: 0, columns: 0 }),
        // The first wrong row is reported, whatever is wrong with it.
        (3, 2, &[0, 1, 0, 2], &[5, 1], 2, Bad::Column { row: 0, column: 5, columns: 2 }),
        (0, 1 << 32, &[0], &[], 0, Bad::TooManyForIndex { what: "columns", count: 1 << 32, index: "u32" }),
        (1 << 32, 0, &[0], &[], 0, Bad::TooManyForIndex { what: "rows", count: 1 << 32, index: "u32" }),
    ];
    for (rows, columns, offsets, indices, values, error) in cases {
        let result = HostCsr::new(*rows, *columns, offsets.to_vec(), indices.to_vec(), vec![1_i64; *values]);
        assert_eq!(result.as_ref(), Err(error), "{offsets:?} {indices:?}");
    }
    let error = cl_core::Error::from(InvalidMatrix::Column { row: 1, column: 2, columns: 2 });
    let text = "invalid sparse matrix: row 1 has an entry in column 2, and there are 2 columns";
    assert_eq!(error.to_string(), text);
}

#[test]
fn triplets_outside_the_matrix_are_refused() {
    let mut triplets = Triplets::new(2, 3);
    triplets.push(1, 2, 1_i64).unwrap();
    assert_eq!(triplets.push(2, 0, 1), Err(InvalidMatrix::Row { entry: 1, row: 2, rows: 2 }));
    assert_eq!(triplets.push(0, 3, 1), Err(InvalidMatrix::Column { row: 0, column: 3, columns: 3 }));
    assert_eq!(triplets.entries(), [(1, 2, 1)]);
    let wide = Triplets::<i64>::new(1, 1 << 32);
    let error = InvalidMatrix::TooManyForIndex { what: "columns", count: 1 << 32, index: "u32" };
    assert_eq!(wide.to_csr::<u32>(), Err(error));
    assert_eq!(wide.to_csr::<u64>().map(|a| a.columns()), Ok(1 << 32));
    // More rows than memory can hold, as a file may announce.
    assert!(matches!(
        Triplets::<i64>::new(usize::MAX, 1).to_csr::<u64>(),
        Err(InvalidMatrix::Parameter { what: "rows", .. })
    ));
    assert!(HostCsr::<i64>::from_dense(2, 3, &[0; 5]).is_err());
    assert!(HostCsr::<i64, u64>::from_dense(usize::MAX, 2, &[]).is_err());
    assert!(HostCsr::<i64>::identity(3, 1).unwrap().multiply(&[1; 4]).is_err());
}

#[test]
fn integers_that_a_type_cannot_add_are_an_error_or_wrap_around() {
    let mut triplets = Triplets::new(2, 3);
    triplets.extend([(1, 2, i32::MAX), (0, 0, 5), (1, 2, 1)]).unwrap();
    let error = InvalidMatrix::Sum { row: 1, column: 2, wanted: "i32" };
    assert_eq!(triplets.to_csr::<u32>(), Err(error.clone()));
    let text = "the values in row 1 and column 2 have a sum that `i32` does not hold";
    assert_eq!(error.to_string(), text);
    // Functions that cannot return an error wrap around, with and without overflow checks.
    let mut stored = HostCsr::new(1, 1, vec![0_u32, 2], vec![0, 0], vec![i32::MAX, 1]).unwrap();
    assert_eq!(stored.to_dense(), [i32::MIN]);
    stored.sum_duplicates();
    assert_eq!(stored.values(), [i32::MIN]);
}

/// Columns without entries take no memory, so a matrix may have more columns than memory could hold.
#[test]
fn more_columns_than_memory() {
    for columns in [1 << 60, usize::MAX] {
        let last = columns as u64 - 1;
        let a = HostCsr::new(2, columns, vec![0_u64, 2, 4], vec![last, 5, last, last], vec![1.0; 4]).unwrap();
        assert!(!a.has_no_duplicates());
        let mut triplets = Triplets::new(2, columns);
        triplets.extend(a.entries().map(|(row, column, &value)| (row, column, value))).unwrap();
        let b = triplets.to_csr::<u64>().unwrap();
        assert!(b.has_no_duplicates() && b.nonzeros() == 3);
        assert!(matches!(b.try_transposed(), Err(InvalidMatrix::Parameter { what: "rows", .. })));
        let panic = std::panic::catch_unwind(|| b.transposed()).unwrap_err();
        let panic = panic.downcast::<String>().unwrap();
        assert!(panic.contains("more than memory can hold"), "{panic}");
    }
    // Compressed columns with very many rows.
    let columns = sprs::CsMat::<f64>::new_csc((1 << 60, 1), vec![0, 1], vec![1 << 59], vec![2.0]);
    assert!(HostCsr::<f64, u64>::try_from(&columns).is_err());
}

#[test]
fn sizes_that_memory_does_not_have_are_refused() {
    use cl_random::{Engine, Philox4x32};
    let mut rng = <Philox4x32>::new(1).rng();
    let what = |result: Result<HostCsr<f32, u64>, InvalidMatrix>| match result {
        Err(InvalidMatrix::Parameter { what, reason }) if reason.contains("memory") => what,
        other => panic!("{other:?}"),
    };
    assert_eq!(what(HostCsr::empty(usize::MAX, 1)), "rows");
    assert_eq!(what(HostCsr::identity(usize::MAX, 1.0)), "rows");
    assert_eq!(what(HostCsr::identity(1 << 60, 1.0)), "rows");
    assert_eq!(what(generate::rmat(generate::RMat::new(3, usize::MAX), &mut rng, |_| 1.0)), "edges");
    assert_eq!(what(generate::banded(1, usize::MAX, 0, usize::MAX, |_, _| 1.0)), "values of a row");
    for per_row in [1 << 61, usize::MAX - 1] {
        assert_eq!(what(generate::uniform(1, usize::MAX, per_row, &mut rng, |_| 1.0)), "values of a row");
    }
}

#[test]
fn another_type_of_index() {
    let a = HostCsr::new(2, 3, vec![0_u32, 2, 3], vec![2, 0, 1], vec!["a", "b", "c"]).unwrap();
    let wide = a.clone().with_indices::<u64>().unwrap();
    assert_eq!(wide, HostCsr::new(2, 3, vec![0, 2, 3], vec![2, 0, 1], vec!["a", "b", "c"]).unwrap());
    assert_eq!(wide.with_indices::<u32>(), Ok(a));
    // The columns must be countable even if they are empty.
    let too_wide = HostCsr::<f32, u64>::empty(1, 1 << 32).unwrap();
    let error = InvalidMatrix::TooManyForIndex { what: "columns", count: 1 << 32, index: "u32" };
    assert_eq!(too_wide.with_indices::<u32>(), Err(error));
}
