//! Conversions from and to matrices of other crates, in any order of entries.

#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::num_complex::Complex;
use cl_sparse::{HostCsr, InvalidMatrix, Triplets};
use nalgebra_sparse::{CooMatrix, CscMatrix, CsrMatrix};
use proptest::prelude::*;
use sprs::{CsMat, CsMatI};

fn matrices() -> impl Strategy<Value = Triplets<i64>> {
    (0_usize..9, 0_usize..9).prop_flat_map(|(rows, columns)| {
        let most = if rows * columns == 0 { 0 } else { 40 };
        let entry = (0..rows.max(1), 0..columns.max(1), -9_i64..9);
        proptest::collection::vec(entry, 0..=most).prop_map(move |entries| {
            let mut triplets = Triplets::new(rows, columns);
            triplets.extend(entries).unwrap();
            triplets
        })
    })
}

/// Returns the same entries without sums, the last ones first, so that rows are not sorted.
fn unsorted(triplets: &Triplets<i64>) -> HostCsr<i64> {
    let mut entries = triplets.entries().to_vec();
    entries.reverse();
    entries.sort_by_key(|&(row, ..)| row);
    let offsets = (0..=triplets.rows()).map(|row| entries.partition_point(|entry| entry.0 < row) as u32);
    let columns = entries.iter().map(|entry| entry.1 as u32).collect();
    let values = entries.iter().map(|entry| entry.2).collect();
    HostCsr::new(triplets.rows(), triplets.columns(), offsets.collect(), columns, values).unwrap()
}

proptest! {
    #[test]
    fn sprs_has_the_same_matrix(triplets in matrices()) {
        let expected: HostCsr<i64> = triplets.to_csr().unwrap();
        let mut reference = sprs::TriMat::new((triplets.rows(), triplets.columns()));
        for &(row, column, value) in triplets.entries() {
            reference.add_triplet(row, column, value);
        }
        prop_assert_eq!(&HostCsr::<i64>::try_from(&reference).unwrap(), &expected);
        let (rows, columns): (CsMat<i64>, CsMat<i64>) = (reference.to_csr(), reference.to_csc());
        prop_assert_eq!(&HostCsr::<i64>::try_from(&rows).unwrap(), &expected);
        prop_assert_eq!(&HostCsr::<i64>::try_from(&columns).unwrap(), &expected);
        prop_assert_eq!(&HostCsr::<i64>::try_from(&columns.view()).unwrap(), &expected);
        prop_assert_eq!(&HostCsr::<i64>::try_from(&rows.transpose_view()).unwrap(), &expected.transposed());
        prop_assert_eq!(&CsMat::try_from(&unsorted(&triplets)).unwrap(), &rows);
        let small: CsMatI<i64, u16, i32> = CsMatI::try_from(&expected).unwrap();
        prop_assert_eq!(&HostCsr::<i64, u32>::try_from(&small).unwrap(), &expected);
        // A view whose offsets do not begin with 0.
        let from = triplets.rows() / 2;
        let part = rows.slice_outer(from..);
        let part = HostCsr::<i64>::try_from(&part).unwrap();
        prop_assert_eq!(part.to_dense(), &expected.to_dense()[from * triplets.columns()..]);
    }

    #[test]
    fn nalgebra_has_the_same_matrix(triplets in matrices()) {
        let expected: HostCsr<i64> = triplets.to_csr().unwrap();
        let rows = CsrMatrix::from(&unsorted(&triplets));
        prop_assert_eq!(&HostCsr::<i64>::try_from(&rows).unwrap(), &expected);
        prop_assert_eq!(&HostCsr::<i64>::try_from(&CscMatrix::from(&rows)).unwrap(), &expected);
        let mut entries = CooMatrix::new(triplets.rows(), triplets.columns());
        for &(row, column, value) in triplets.entries() {
            entries.push(row, column, value);
        }
        prop_assert_eq!(&HostCsr::<i64>::try_from(&entries).unwrap(), &expected);
        for (row, column, value) in rows.triplet_iter() {
            prop_assert_eq!(expected.to_dense()[row * triplets.columns() + column], *value);
        }
    }
}

#[test]
fn complex_values_and_long_indices() {
    let i = Complex::new(0.0_f32, 1.0);
    let a = HostCsr::new(1, 2, vec![0_u64, 2], vec![1, 0], vec![i, -i]).unwrap();
    let there: CsMat<Complex<f32>> = CsMat::try_from(&a).unwrap();
    assert_eq!(there.data(), [-i, i]);
    let back = HostCsr::<_, u64>::try_from(&CsrMatrix::from(&a)).unwrap();
    assert_eq!(back.values(), [-i, i]);
}

#[test]
fn indices_that_are_too_small_are_refused() {
    let wide = CsMat::<f64>::zero((1, 1 << 32));
    let error = InvalidMatrix::TooManyForIndex { what: "columns", count: 1 << 32, index: "u32" };
    assert_eq!(HostCsr::<f64, u32>::try_from(&wide), Err(error));
    assert!(HostCsr::<f64, u64>::try_from(&wide).is_ok());
    // The error names rows, although they are the columns of the stored arrays.
    let tall = CsMat::new_csc((1 << 32, 1), vec![0, 1], vec![7], vec![1.0]);
    let error = InvalidMatrix::TooManyForIndex { what: "rows", count: 1 << 32, index: "u32" };
    assert_eq!(HostCsr::<f64, u32>::try_from(&tall), Err(error));
    let a = HostCsr::new(1, 70_000, vec![0_u32, 1], vec![69_999], vec![1.0]).unwrap();
    let error = InvalidMatrix::TooManyForIndex { what: "columns", count: 69_999, index: "u16" };
    assert_eq!(CsMatI::<f64, u16>::try_from(&a), Err(error));
}
