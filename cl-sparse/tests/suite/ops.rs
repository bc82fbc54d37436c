//! Transposes, sums, scaling, diagonals, norms and permutations, compared with the host.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use crate::matrices::{self, all, number, vector};
use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_random::{CounterRng, Engine, Philox4x32};
use cl_sparse::{Csr, HostCsr, Index, Triplets, add, generate};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rand_core::Rng;

/// Returns all matrices of other tests, and small ones with unsorted rows and duplicates.
fn with_unsorted() -> Vec<(&'static str, HostCsr<i32>)> {
    let mut matrices = all();
    let unsorted = HostCsr::new(
        4,
        5,
        vec![0, 5, 5, 6, 9],
        vec![4, 1, 4, 0, 1, 2, 3, 3, 3],
        vec![1, 2, 3, 4, 5, 6, 7, 8, -15],
    );
    matrices.push(("unsorted, with duplicates", unsorted.unwrap()));
    let backwards = |row: usize| if row % 5 == 3 { vec![] } else { (0..row % 90).rev().collect() };
    matrices.push(("backwards", matrices::of_rows(90, &(0..3000).map(backwards).collect::<Vec<_>>())));
    matrices.push(("a thousand at one place", matrices::of_rows(2, &[vec![], vec![1; 1000], vec![0, 1, 0]])));
    matrices
}

/// Returns the same matrix with another index type.
fn indexed<I: Index>(host: &HostCsr<i32>) -> HostCsr<i32, I> {
    let convert =
        |indices: &[u32]| indices.iter().map(|&index| I::from_usize(index as usize).unwrap()).collect();
    let (offsets, columns) = (convert(host.row_offsets()), convert(host.column_indices()));
    HostCsr::new(host.rows(), host.columns(), offsets, columns, host.values().to_vec()).unwrap()
}

fn rearranged<I: Index>(queue: &Queue, name: &str, host: &HostCsr<i32, I>) {
    let a = Csr::new(queue, host).unwrap();
    assert_eq!(a.rows_are_sorted().unwrap(), host.rows_are_sorted(), "{name}");
    let transposed = a.transposed().unwrap();
    assert_eq!(transposed.to_host().unwrap(), host.transposed(), "{name}");
    // The result has the right kernel for its products.
    let x = vector(host.rows());
    let product = (&transposed * &DeviceVec::from_slice(queue, &x).unwrap()).collect().unwrap();
    assert_eq!(product.to_vec().unwrap(), host.transposed().multiply(&x).unwrap(), "{name}");
    let mut expected = host.clone();
    expected.sort_rows();
    assert_eq!(a.sorted().unwrap().to_host().unwrap(), expected, "{name}");
    expected.sum_duplicates();
    assert_eq!(a.without_duplicates().unwrap().to_host().unwrap(), expected, "{name}");
}

#[test]
fn transposed_and_sorted_matrices() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for (name, host) in with_unsorted() {
            rearranged::<u32>(&queue, name, &host);
            rearranged::<u64>(&queue, name, &indexed(&host));
        }
    });
}

/// Computes `alpha A + beta B` with triplets.
fn sum<I: Index>(alpha: i32, a: &HostCsr<i32, I>, beta: i32, b: &HostCsr<i32, I>) -> HostCsr<i32, I> {
    let mut triplets = Triplets::new(a.rows(), a.columns());
    let scaled = |alpha: i32, a: &HostCsr<i32, I>| -> Vec<_> {
        a.entries().map(|(row, column, value)| (row, column, alpha * value)).collect()
    };
    triplets.extend(scaled(alpha, a)).unwrap();
    triplets.extend(scaled(beta, b)).unwrap();
    triplets.to_csr().unwrap()
}

#[test]
fn sums_of_matrices() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for (name, host) in with_unsorted() {
            // Another pattern of the same size, and the same pattern with other values.
            let (rows, columns) = (host.rows(), host.columns());
            let other: HostCsr<i32> =
                generate::banded(rows, columns, 1, 3, |row, column| number(row + 7 * column)).unwrap();
            let (a, b) = (Csr::new(&queue, &host).unwrap(), Csr::new(&queue, &other).unwrap());
            assert_eq!(add(3, &a, -2, &b).unwrap().to_host().unwrap(), sum(3, &host, -2, &other), "{name}");
            assert_eq!(add(1, &b, 5, &a).unwrap().to_host().unwrap(), sum(1, &other, 5, &host), "{name}");
            // Entries that cancel stay as zeros.
            let nothing = add(1, &a, -1, &a).unwrap();
            assert_eq!(nothing.to_host().unwrap(), sum(1, &host, -1, &host), "{name}");
            assert!(nothing.values().to_vec().unwrap().iter().all(|&value| value == 0), "{name}");
            let (wide, other) = (indexed::<u64>(&host), indexed::<u64>(&other));
            let (a, b) = (Csr::new(&queue, &wide).unwrap(), Csr::new(&queue, &other).unwrap());
            assert_eq!(add(3, &a, -2, &b).unwrap().to_host().unwrap(), sum(3, &wide, -2, &other), "{name}");
        }
    });
}

#[test]
fn scaled_matrices_and_sums_of_rows() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for (name, host) in with_unsorted() {
            let (rows, columns) = (host.rows(), host.columns());
            let mut a = Csr::new(&queue, &host).unwrap();
            a.scale(3).unwrap();
            let (left, right) = (vector(rows), vector(columns));
            let numbers = DeviceVec::from_slice(&queue, &left).unwrap();
            a.scale_rows(&numbers + 1).unwrap();
            a.scale_columns(DeviceVec::from_slice(&queue, &right).unwrap()).unwrap();
            let scaled =
                host.entries().map(|(row, column, value)| 3 * value * (left[row] + 1) * right[column]);
            assert_eq!(a.values().to_vec().unwrap(), scaled.collect::<Vec<_>>(), "{name}");

            let a = Csr::new(&queue, &host).unwrap();
            let (mut diagonal, mut sums) = (vec![0; rows.min(columns)], vec![0; rows]);
            let mut of_columns = vec![0; columns];
            for (row, column, value) in host.entries() {
                sums[row] += value;
                of_columns[column] += value;
                if row == column {
                    diagonal[row] += value;
                }
            }
            assert_eq!(a.diagonal().unwrap().to_vec().unwrap(), diagonal, "{name}");
            assert_eq!(
                (2 * a.row_sums()).collect().unwrap().to_vec().unwrap(),
                { sums.iter().map(|sum| 2 * sum).collect::<Vec<_>>() },
                "{name}"
            );
            assert_eq!(a.column_sums().unwrap().collect().unwrap().to_vec().unwrap(), of_columns, "{name}");
            assert_eq!(a.row_sums().reduce_max().unwrap(), sums.iter().copied().max(), "{name}");
        }
    });
}

/// Returns the numbers below `count` in random order.
fn shuffled(count: usize, rng: &mut CounterRng<Philox4x32>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for i in (1..count).rev() {
        order.swap(i, (rng.next_u64() % (i as u64 + 1)) as usize);
    }
    order
}

fn permuted<I: Index>(queue: &Queue, name: &str, host: &HostCsr<i32, I>) {
    let mut rng = <Philox4x32>::new(11).rng();
    let (rows, columns) = (shuffled(host.rows(), &mut rng), shuffled(host.columns(), &mut rng));
    let on_device = |order: &[usize]| {
        let order: Vec<I> = order.iter().map(|&place| I::from_usize(place).unwrap()).collect();
        DeviceVec::from_slice(queue, &order).unwrap()
    };
    let a = Csr::new(queue, host).unwrap();
    let by_rows = a.permute_rows(&on_device(&rows)).unwrap().to_host().unwrap();
    let expected = rows.iter().flat_map(|&row| {
        let (columns, values) = host.row(row);
        columns.iter().copied().zip(values.iter().copied())
    });
    let found = by_rows.column_indices().iter().copied().zip(by_rows.values().iter().copied());
    assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{name}");
    let lengths = |a: &HostCsr<i32, I>, row: usize| a.row(row).0.len();
    assert!((0..host.rows()).all(|row| lengths(&by_rows, row) == lengths(host, rows[row])), "{name}");

    let by_columns = a.permute_columns(&on_device(&columns)).unwrap().to_host().unwrap();
    assert_eq!(by_columns.row_offsets(), host.row_offsets(), "{name}");
    assert_eq!(by_columns.values(), host.values(), "{name}");
    let back = |index: &I| columns[index.to_usize()];
    let before = host.column_indices().iter().map(|index| index.to_usize());
    assert!(by_columns.column_indices().iter().map(back).eq(before), "{name}");
}

#[test]
fn permuted_matrices() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for (name, host) in with_unsorted() {
            permuted::<u32>(&queue, name, &host);
            permuted::<u64>(&queue, name, &indexed(&host));
        }
    });
}

#[test]
fn what_is_no_permutation_is_refused() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let host: HostCsr<i32> = generate::banded(3, 4, 1, 1, |_, _| 1).unwrap();
        let a = Csr::new(&queue, &host).unwrap();
        let order = |order: &[u32]| DeviceVec::from_slice(&queue, order).unwrap();
        let refused = |result: cl_core::Result<Csr<i32>>, text: &str| {
            assert_eq!(result.unwrap_err().to_string(), text);
        };
        refused(a.permute_rows(&order(&[0, 1])), "lengths differ in order of rows: 3 and 2 elements");
        refused(a.permute_rows(&order(&[0, 3, 1])), "invalid order of rows: element 1 is not below 3");
        refused(
            a.permute_rows(&order(&[0, 2, 0])),
            "invalid order of rows: 1 is missing, so `order` is not a permutation",
        );
        refused(
            a.permute_columns(&order(&[0, 1, 2, u32::MAX])),
            "invalid order of columns: element 3 is not below 4",
        );
        // The error leaves nothing behind for the next call that waits.
        assert_eq!(a.to_host().unwrap(), host);
    });
}

#[test]
fn matrices_that_do_not_fit_are_refused() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let on = |queue: &Queue, rows, columns| {
            Csr::<f32>::new(queue, &HostCsr::empty(rows, columns).unwrap()).unwrap()
        };
        let mut a = on(&queue, 2, 3);
        assert!(matches!(
            add(1.0, &a, 1.0, &on(&queue, 3, 3)),
            Err(cl_core::Error::LengthMismatch {
                operation: "rows of a sum of matrices",
                left: 2,
                right: 3,
                ..
            })
        ));
        assert!(matches!(
            add(1.0, &a, 1.0, &on(&queue, 2, 2)),
            Err(cl_core::Error::LengthMismatch {
                operation: "columns of a sum of matrices",
                left: 3,
                right: 2,
                ..
            })
        ));
        let other = Queue::on(device).unwrap();
        assert!(matches!(add(1.0, &a, 1.0, &on(&other, 2, 3)), Err(cl_core::Error::ForeignObject { .. })));
        let short = DeviceVec::filled(&queue, 1.0, 1).unwrap();
        assert!(matches!(
            a.scale_rows(&short),
            Err(cl_core::Error::LengthMismatch { left: 2, right: 1, .. })
        ));
        assert!(matches!(
            a.scale_columns(&short),
            Err(cl_core::Error::LengthMismatch { left: 3, right: 1, .. })
        ));
    });
}

#[test]
fn norms() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        for (name, mut host) in with_unsorted() {
            host.sum_duplicates();
            let (mut rows, mut columns, mut squares) = (vec![0; host.rows()], vec![0; host.columns()], 0);
            for (row, column, value) in host.entries() {
                rows[row] += value.abs();
                columns[column] += value.abs();
                squares += value * value;
            }
            let largest = |sums: &[i32]| sums.iter().copied().max().unwrap_or(0) as f32;
            // Floats hold these integers and their sums exactly.
            let a = Csr::new(&queue, &host.map(|&value| value as f32)).unwrap();
            let found = [a.norm_one().unwrap(), a.norm_infinity().unwrap(), a.norm_frobenius().unwrap()];
            assert_eq!(found, [largest(&columns), largest(&rows), (squares as f32).sqrt()], "{name}");
            // The absolute value of 3 a + 4 a i is 5 |a|.
            let z = host.map(|&value| Complex::new(3.0 * value as f32, 4.0 * value as f32));
            let z = Csr::new(&queue, &z).unwrap();
            for (found, real) in [(z.norm_one().unwrap(), found[0]), (z.norm_infinity().unwrap(), found[1])] {
                // Each term is off by a few units in the last place, and so is the sum.
                assert!((found - 5.0 * real).abs() <= 1e-5 * found, "{name}: {found} and {real}");
            }
            assert!((z.norm_frobenius().unwrap() - 5.0 * found[2]).abs() <= 1e-5 * 5.0 * found[2], "{name}");
        }
        let mut host: HostCsr<f32> = generate::five_point([3, 3], 4.0, -1.0).unwrap();
        host.values_mut()[7] = f32::NAN;
        let a = Csr::new(&queue, &host).unwrap();
        assert!(
            [a.norm_one(), a.norm_infinity(), a.norm_frobenius()]
                .into_iter()
                .all(|norm| norm.unwrap().is_nan())
        );
        // Squares of these numbers overflow, or vanish.
        for scale in [1e30_f32, 1e-30] {
            let host = HostCsr::from_dense(2, 2, &[3.0 * scale, 0.0, 0.0, -4.0 * scale]).unwrap();
            let a: Csr<f32> = Csr::new(&queue, &host).unwrap();
            assert!((a.norm_frobenius().unwrap() / (5.0 * scale) - 1.0).abs() < 1e-6);
            let z: Csr<Complex<f32>> = Csr::new(&queue, &host.map(|&x| Complex::new(0.0, x))).unwrap();
            assert!((z.norm_frobenius().unwrap() / (5.0 * scale) - 1.0).abs() < 1e-6);
        }
    });
}

#[test]
fn values_of_other_types() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let (_, host) = with_unsorted().into_iter().rev().nth(2).unwrap();
        let z = host.map(|&value| Complex::new(value as f32, 1.0));
        let a = Csr::new(&queue, &z).unwrap();
        let turned = add(Complex::new(0.0, 1.0), &a, Complex::new(2.0, 0.0), &a).unwrap();
        let factor = Complex::new(2.0_f32, 1.0);
        let expected: Vec<_> = z.to_dense().into_iter().map(|value| factor * value).collect();
        assert_eq!(turned.to_host().unwrap().to_dense(), expected);
        assert_eq!(a.transposed().unwrap().to_host().unwrap(), z.transposed());
        // The entries of a graph, which are not numbers.
        let graph = host.map(|&value| value > 3);
        let transposed = Csr::new(&queue, &graph).unwrap().transposed().unwrap();
        assert_eq!(transposed.to_host().unwrap(), graph.transposed());
        if device.has_fp64().unwrap() {
            let d = host.map(|&value| f64::from(value));
            let a = Csr::new(&queue, &d).unwrap();
            assert_eq!(
                a.sorted().unwrap().transposed().unwrap().to_host().unwrap().to_dense(),
                d.transposed().to_dense()
            );
            assert_eq!(a.norm_infinity().unwrap(), 30.0);
        }
    });
}

/// Compares small matrices of every shape with `sprs`.
#[test]
fn sums_agree_with_sprs() {
    let matrix = |rows: usize, columns: usize| {
        let most = if rows * columns == 0 { 0 } else { 30 };
        let entry = (0..rows.max(1), 0..columns.max(1), -9_i32..9);
        proptest::collection::vec(entry, 0..=most).prop_map(move |entries| {
            let mut triplets = Triplets::new(rows, columns);
            triplets.extend(entries).unwrap();
            triplets.to_csr::<u32>().unwrap()
        })
    };
    let both = (0_usize..7, 0_usize..7)
        .prop_flat_map(|(rows, columns)| (matrix(rows, columns), matrix(rows, columns)));
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let mut runner =
            TestRunner::new(Config { cases: 64, failure_persistence: None, ..Config::default() });
        let result = runner.run(&both, |(a, b)| {
            let (s, t): (sprs::CsMatI<i32, u32>, sprs::CsMatI<i32, u32>) =
                ((&a).try_into().unwrap(), (&b).try_into().unwrap());
            let (a, b) = (Csr::new(&queue, &a).unwrap(), Csr::new(&queue, &b).unwrap());
            let found = add(1, &a, 1, &b).unwrap().to_host().unwrap();
            let expected = HostCsr::<i32>::try_from(&(&s + &t)).unwrap();
            prop_assert_eq!(found.to_dense(), expected.to_dense());
            let transposed = HostCsr::<i32>::try_from(&s.transpose_view()).unwrap();
            prop_assert_eq!(a.transposed().unwrap().to_host().unwrap(), transposed);
            Ok(())
        });
        result.unwrap_or_else(|error| panic!("{error}"));
    });
}
