//! Conversions between forms of matrices, and their products, compared with the host.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use crate::matrices::{self, all, number, vector};
use cl_algo::prelude::*;
use cl_core::Error;
use cl_sparse::plan::{DeviceLimits, Layout, RowStatistics};
use cl_sparse::{Coo, Csr, Ell, HostCsr, Hybrid, Optimized, Sell, Triplets};
use cl_test::forced;

/// Calls the closure for each device and matrix, with a vector and the product.
fn each(check: impl Fn(&Queue, &str, &HostCsr<i32>, &DeviceVec<i32>, &[i32])) {
    for device in cl_test::devices() {
        let queue = Queue::on(&device).unwrap();
        for (name, host) in all() {
            let x = vector(host.columns());
            let product = host.multiply(&x).unwrap();
            check(&queue, name, &host, &DeviceVec::from_slice(&queue, &x).unwrap(), &product);
        }
    }
}

/// Checks a form: products alone and within expressions, semirings, and the conversion back.
macro_rules! check_form {
    ($a:expr, $x:expr, $host:expr, $product:expr, $what:expr) => {{
        assert_eq!($a.nonzeros(), $host.nonzeros(), "{}", $what);
        check_products!($a, $x, $host, $product, $what);
    }};
}

macro_rules! check_products {
    ($a:expr, $x:expr, $host:expr, $product:expr, $what:expr) => {{
        let (a, x, host, product, what) = (&$a, $x, $host, $product, $what);
        assert_eq!((a.rows(), a.columns()), (host.rows(), host.columns()), "{what}");
        assert_eq!(a.multiply(x).unwrap().to_vec().unwrap(), product, "{what}");
        let f = DeviceVec::filled(x.queue(), 7, host.rows()).unwrap();
        let mut r = DeviceVec::filled(x.queue(), 1, host.rows()).unwrap();
        r.add_assign(&f - 2 * (a * (x - 1) + a * 1)).unwrap();
        let wanted: Vec<i32> = product.iter().map(|product| 8 - 2 * product).collect();
        assert_eq!(r.to_vec().unwrap(), wanted, "{what}");
        assert_eq!(
            (a * x).rev().collect_on(x.queue()).unwrap().to_vec().unwrap(),
            product.iter().rev().copied().collect::<Vec<_>>(),
            "{what}"
        );
        let least = a.times_with(x, i32::MAX, |a, x| a + x, Val::min).collect_on(x.queue()).unwrap();
        let values = x.to_vec().unwrap();
        let row = |row| {
            let (columns, entries) = host.row(row);
            columns.iter().zip(entries).map(|(&column, &a)| a + values[column as usize]).min()
        };
        let wanted: Vec<i32> = (0..host.rows()).map(|at| row(at).unwrap_or(i32::MAX)).collect();
        assert_eq!(least.to_vec().unwrap(), wanted, "{what}");
    }};
}

#[test]
fn rows_of_one_length() {
    each(|queue, name, host, x, product| {
        let csr = Csr::new(queue, host).unwrap();
        let a = Ell::new(&csr).unwrap();
        check_form!(a, x, host, product, name);
        let back = a.to_csr().unwrap();
        assert_eq!(back.to_host().unwrap(), *host, "{name}");
        assert_eq!((back.statistics(), back.kernel()), (csr.statistics(), csr.kernel()), "{name}");
    });
}

#[test]
fn slices_of_rows() {
    for (height, window) in [(1, 1), (32, 1), (32, 64), (5, 1000), (64, 100_000)] {
        each(|queue, name, host, x, product| {
            let csr = Csr::new(queue, host).unwrap();
            let a = Sell::new(&csr, height, window).unwrap();
            let what = format!("{name} {height} {window}");
            check_form!(a, x, host, product, &what);
            assert_eq!(a.to_csr().unwrap().to_host().unwrap(), *host, "{what}");
            assert!(height > 1 || a.stored() == host.nonzeros(), "{what}");
        });
    }
    // Sorting reduces the number of stored values.
    let device = &cl_test::devices()[0];
    let queue = Queue::on(device).unwrap();
    let rows: Vec<Vec<usize>> =
        (0..256).map(|row| if row % 32 == 0 { (0..64).collect() } else { vec![row] }).collect();
    let csr = Csr::new(&queue, &matrices::of_rows(256, &rows)).unwrap();
    assert_eq!(Sell::new(&csr, 8, 1).unwrap().stored(), 8 * 8 * 64 + (256 - 64));
    assert_eq!(Sell::new(&csr, 8, 256).unwrap().stored(), 8 * 64 + (256 - 8));
}

#[test]
fn rows_of_one_length_and_the_rest() {
    each(|queue, name, host, x, product| {
        let csr = Csr::new(queue, host).unwrap();
        for width in [0, 1, 3, 40, usize::MAX] {
            let a = Hybrid::new(&csr, width).unwrap();
            let what = format!("{name} {width}");
            check_form!(a, x, host, product, &what);
            assert_eq!(a.to_csr().unwrap().to_host().unwrap(), *host, "{what}");
            let beyond = |row| host.row(row).0.len().saturating_sub(width);
            assert_eq!(a.rest().nonzeros(), (0..host.rows()).map(beyond).sum::<usize>(), "{what}");
        }
        let a = Hybrid::with_usual_width(&csr).unwrap();
        let reach = (0..host.rows()).filter(|&row| host.row(row).0.len() >= a.even().width()).count();
        assert!(reach >= host.rows() / 3, "{name}");
        check_form!(a, x, host, product, name);
    });
}

#[test]
fn the_fastest_form() {
    let mut seen = [false; 3];
    for device in cl_test::devices().iter().chain(&forced::gpus()) {
        let queue = Queue::on(device).unwrap();
        for (name, host) in all() {
            let x = vector(host.columns());
            let product = host.multiply(&x).unwrap();
            let x = DeviceVec::from_slice(&queue, &x).unwrap();
            let a: Optimized<i32> = Csr::new(&queue, &host).unwrap().optimize().unwrap();
            match a {
                Optimized::Csr(_) => seen[0] = true,
                Optimized::Sell(_) => seen[1] = true,
                Optimized::Hybrid(_) => seen[2] = true,
                other => panic!("{name}: another form: {other:?}"),
            }
            check_form!(a, &x, &host, &product[..], name);
            assert_eq!(a.into_csr().unwrap().to_host().unwrap(), host, "{name}");
        }
    }
    // Small matrices keep their form.
    assert!(cl_test::full_or_small(seen[1] && seen[2], seen[0]), "{seen:?}");
    let cpu = DeviceLimits { cpu: true, compute_units: 2, local_memory: 1 << 20, largest_group: 4096 };
    let gpu = DeviceLimits { cpu: false, ..cpu };
    let uneven = RowStatistics::of((0..1000).map(|row| if row == 7 { 900 } else { 3 }));
    let random = RowStatistics::of((0..1000).map(|row| 20 + row % 7));
    assert_eq!(Layout::of(&uneven, &cpu), Layout::Csr);
    assert_eq!(Layout::of(&uneven, &gpu), Layout::Hybrid);
    assert_eq!(Layout::of(&random, &gpu), Layout::Sell { height: 32, window: 1024 });
    assert_eq!(Layout::of(&RowStatistics::of([5; 99]), &gpu), Layout::Sell { height: 32, window: 1 });
}

/// The padding of short rows reads an element that may be infinite, and does not use it.
#[test]
fn what_is_no_entry_is_not_added() {
    for device in cl_test::devices() {
        let queue = Queue::on(&device).unwrap();
        let rows = [vec![0, 1, 2], vec![1], vec![], vec![2]];
        let host = matrices::of_rows(3, &rows).map(|_| 1.0_f32);
        let csr = Csr::new(&queue, &host).unwrap();
        let x = DeviceVec::from_slice(&queue, &[f32::INFINITY, 2.0, 3.0]).unwrap();
        let wanted = [f32::INFINITY, 2.0, 0.0, 3.0];
        assert_eq!(Ell::new(&csr).unwrap().multiply(&x).unwrap().to_vec().unwrap(), wanted);
        for window in [1, 4] {
            assert_eq!(Sell::new(&csr, 2, window).unwrap().multiply(&x).unwrap().to_vec().unwrap(), wanted);
        }
        assert_eq!(Hybrid::new(&csr, 2).unwrap().multiply(&x).unwrap().to_vec().unwrap(), wanted);
    }
}

#[test]
fn entries_in_any_order() {
    each(|queue, name, host, x, product| {
        let csr = Csr::new(queue, host).unwrap();
        let coo = csr.to_coo().unwrap();
        assert_eq!(coo.entries(), host.nonzeros());
        check_products!(coo, x, host, product, name);
        assert_eq!(coo.to_csr().unwrap().to_host().unwrap(), *host, "{name}");
    });
    for device in cl_test::devices() {
        let queue = Queue::on(&device).unwrap();
        for count in [0, 1, 2, 1000, 100_000] {
            let (rows, columns) = (701, 93);
            let entry = |i: usize| ((i * 7919 + i * i % 13) % rows, i * 31 % columns, number(i));
            let mut triplets = Triplets::new(rows, columns);
            (0..count).map(entry).for_each(|(row, column, value)| triplets.push(row, column, value).unwrap());
            let part = |of: &dyn Fn(usize) -> u32| DeviceVec::from_fn(&queue, count, of).unwrap();
            let values = DeviceVec::from_fn(&queue, count, |i| entry(i).2).unwrap();
            let coo =
                Coo::new(rows, columns, part(&|i| entry(i).0 as u32), part(&|i| entry(i).1 as u32), values);
            let coo = coo.unwrap();
            let wanted: HostCsr<i32> = triplets.to_csr().unwrap();
            assert_eq!(coo.to_csr().unwrap().to_host().unwrap(), wanted, "{count}");
            let x = vector(columns);
            let product = wanted.multiply(&x).unwrap();
            let x = DeviceVec::from_slice(&queue, &x).unwrap();
            assert_eq!(coo.multiply(&x).unwrap().to_vec().unwrap(), product, "{count}");
            assert_eq!(
                (&coo * &x * 2).collect().unwrap().to_vec().unwrap(),
                (&coo * (&x + &x)).collect().unwrap().to_vec().unwrap()
            );
            // Keeps the last of several entries with the same row and column, because their order is kept.
            let last = coo.to_csr_with(|_, b| b).unwrap().to_host().unwrap();
            let mut dense = vec![0; rows * columns];
            (0..count).map(entry).for_each(|(row, column, value)| dense[row * columns + column] = value);
            assert!(last.to_dense() == dense, "{count}");
        }
    }
}

#[test]
fn entries_that_are_none() {
    for device in cl_test::devices() {
        let (queue, other) = (Queue::on(&device).unwrap(), Queue::on(&device).unwrap());
        let refused = |rows: usize, columns: usize, at: [&[u32]; 2]| {
            let [row, column] = at.map(|indices| DeviceVec::from_slice(&queue, indices).unwrap());
            let values = DeviceVec::filled(&queue, 1, 3).unwrap();
            Coo::new(rows, columns, row, column, values).unwrap_err().to_string()
        };
        let text = refused(2, 5, [&[1, 2, 9], &[0, 0, 0]]);
        assert!(text.contains("entry 1 is in row 2"), "{text}");
        let text = refused(2, 5, [&[1, 1, 0], &[0, 0, 5]]);
        assert!(text.contains("row 0 has an entry in column 5"), "{text}");
        let text = refused(2, 5, [&[1, 1], &[0, 0, 5]]);
        assert!(text.contains("rows of entries: 3 and 2"), "{text}");
        let text = refused(2, 5, [&[1, 1, 1], &[0, 0]]);
        assert!(text.contains("columns of entries: 3 and 2"), "{text}");
        let text = refused(1 << 40, 5, [&[1, 1, 1], &[0, 0, 0]]);
        assert!(text.contains("u32"), "{text}");
        let [row, column] = [&queue, &other].map(|queue| DeviceVec::filled(queue, 0_u64, 1).unwrap());
        let values = DeviceVec::filled(&queue, 1, 1).unwrap();
        let error = Coo::new(1, 1, row, column, values).unwrap_err();
        assert!(matches!(error, Error::ForeignObject { .. }), "{error}");
        let [row, column] = [&queue, &queue].map(|queue| DeviceVec::filled(queue, 0_u64, 1).unwrap());
        let values = DeviceVec::filled(&queue, 1, 1).unwrap();
        let error = Coo::new(1 << 40, 1 << 40, row, column, values).unwrap_err().to_string();
        assert!(error.contains("fewer than 2^64"), "{error}");
        // Compressed rows of such a size cannot become a list of entries, because the sort keys would overflow.
        let mut wide = Triplets::new(1 << 16, 1 << 48);
        (0..9).for_each(|i| wide.push(i * 7919, i << 44, number(i)).unwrap());
        let wide: HostCsr<i32, u64> = wide.to_csr().unwrap();
        let error = Csr::new(&queue, &wide).unwrap().to_coo().unwrap_err().to_string();
        assert!(error.contains("fewer than 2^64"), "{error}");
        let csr = Csr::new(&queue, &HostCsr::<i32>::identity(3, 1).unwrap()).unwrap();
        // The kernel for sorted rows computes four times the height as an `int`.
        for (height, window) in [(0, 1), (1 << 29, 1), (1 << 29, 2), (1 << 33, 1)] {
            let error = Sell::new(&csr, height, window).unwrap_err().to_string();
            let text =
                format!("invalid height of slices: it is {height}; it must be from 1 to 536870911 rows");
            assert_eq!(error, text);
        }
        for window in [0, 1 << 33] {
            let error = Sell::new(&csr, 1, window).unwrap_err().to_string();
            let text =
                format!("invalid window of rows: it is {window}; it must be from 1 to 4294967295 rows");
            assert_eq!(error, text);
        }
    }
}
