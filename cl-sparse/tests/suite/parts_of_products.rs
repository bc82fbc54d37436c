//! Products of which only some elements are needed, or in another order: no more elements are stored than needed.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::prelude::*;
use cl_sparse::plan::Kernel;
use cl_sparse::{Coo, Csr, Ell, HostCsr, Hybrid, Sell, generate};

const ROWS: usize = 150;

/// The value of elements that must not be stored to.
const UNTOUCHED: i32 = i32::MIN + 7;

fn host() -> HostCsr<i32> {
    generate::banded(ROWS, ROWS, 5, 9, |row, column| (row * column % 7) as i32 + 1).unwrap()
}

/// Evaluates some elements of an expression of [`ROWS`] items.
fn look_at_parts(what: &str, whole: &Expr<'_, i32>, wanted: &[i32], places: &DeviceVec<u32>) {
    let collected = |part: Expr<'_, i32>| part.collect().unwrap().to_vec().unwrap();
    let part = || whole.clone();
    assert_eq!(collected(part()), wanted, "{what}");
    // Elements after a target keep their values.
    let queue = places.queue();
    for len in [1, 3, ROWS - 1] {
        assert_eq!(collected(part().take(len)), wanted[..len], "{what}: take");
        let mut target = DeviceVec::filled(queue, UNTOUCHED, 2 * ROWS).unwrap();
        assign(target.slice_mut(..len), part().slice(..len)).unwrap();
        let target = target.to_vec().unwrap();
        assert_eq!(target[..len], wanted[..len], "{what}: {len} in a view");
        assert!(target[len..].iter().all(|&y| y == UNTOUCHED), "{what}: stored beyond {len}");
    }
    // Other indices, and also more indices than rows.
    let gathered: Vec<i32> = places.to_vec().unwrap().iter().map(|&place| wanted[place as usize]).collect();
    assert_eq!(collected(part().gather(places)), gathered, "{what}: permute");
    assert_eq!(collected(part().gather(places).take(5)), gathered[..5], "{what}: permute and take");
}

/// Evaluates elements in more ways, which need not be tested with every kernel.
fn look_at_more_parts(whole: &Expr<'_, i32>, wanted: &[i32], queue: &Queue) {
    let collected = |part: Expr<'_, i32>| part.collect().unwrap().to_vec().unwrap();
    let part = || whole.clone();
    assert_eq!(collected(part().slice(10..)), wanted[10..]);
    assert_eq!(collected(part().skip(ROWS - 1)), wanted[ROWS - 1..]);
    let reversed: Vec<i32> = wanted.iter().rev().copied().collect();
    assert_eq!(collected(part().rev()), reversed);
    let seconds: Vec<i32> = wanted.iter().step_by(2).copied().collect();
    assert_eq!(collected(part().step_by(2)), seconds);
    let other = DeviceVec::from_fn(queue, 20, |i| i as i32).unwrap();
    let sums: Vec<i32> = wanted.iter().zip(0..20).map(|(y, i)| y + i).collect();
    assert_eq!(collected(part().take(20) + &other), sums);
    let (first, second) = part().take(20).zip(&other).collect().unwrap();
    assert_eq!(first.to_vec().unwrap(), wanted[..20]);
    assert_eq!(second.to_vec().unwrap(), other.to_vec().unwrap());
    // The whole expression plus itself in another order.
    let doubled: Vec<i32> = wanted.iter().zip(&reversed).map(|(a, b)| a + b).collect();
    assert_eq!(collected(part() + part().rev()), doubled);
    assert_eq!(collected(part().flat_map(|y| [y, -y]).take(2)), [wanted[0], -wanted[0]]);
}

fn times(a: &HostCsr<i32>, x: &[i32]) -> Vec<i32> {
    a.multiply(x).unwrap()
}

#[test]
fn parts_of_what_rows_are_folded_to() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let host = host();
        let x: Vec<i32> = (0..ROWS as i32).map(|i| i % 11 - 5).collect();
        let (product, transposed) = (times(&host, &x), times(&host.transposed(), &x));
        let ones = vec![1; ROWS];
        let (sums, columns) = (times(&host, &ones), times(&host.transposed(), &ones));
        let x = DeviceVec::from_slice(queue, &x).unwrap();
        let places = DeviceVec::from_fn(queue, 2 * ROWS, |i| (i * 7 % ROWS) as u32).unwrap();
        for kernel in [
            Kernel::Chunks { chunks: 3 },
            Kernel::Staged { group: 64, per_item: 5 },
            Kernel::Shared { group: 64, items_per_row: 8 },
            Kernel::Merge { group: 64, per_item: 7 },
        ] {
            let a = Csr::new(queue, &host).unwrap().with_kernel(kernel).unwrap();
            look_at_parts(&format!("{kernel:?}"), &(&a * &x), &product, &places);
        }
        let a = Csr::new(queue, &host).unwrap();
        look_at_more_parts(&(&a * &x), &product, queue);
        let with = a.times_with(&x, 0, |a, x| a * x, |a, b| a + b);
        look_at_parts("times_with", &with, &product, &places);
        look_at_parts("row_sums", &a.row_sums(), &sums, &places);
        look_at_parts("column_sums", &a.column_sums().unwrap(), &columns, &places);
        look_at_parts("times_transposed", &a.times_transposed(&x).unwrap(), &transposed, &places);
    });
}

#[test]
fn parts_of_products_of_every_form() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let host = host();
        let x: Vec<i32> = (0..ROWS as i32).map(|i| i % 11 - 5).collect();
        let wanted = times(&host, &x);
        let x = DeviceVec::from_slice(queue, &x).unwrap();
        let places = DeviceVec::from_fn(queue, 2 * ROWS, |i| (i * 7 % ROWS) as u32).unwrap();
        let a = Csr::new(queue, &host).unwrap();
        // Entries column by column.
        let columns = Csr::new(queue, &host.transposed()).unwrap().to_coo().unwrap();
        let (rows, of) = (columns.column_indices().iter(), columns.row_indices().iter());
        let (rows, of) = (rows.collect().unwrap(), of.collect().unwrap());
        let values = columns.values().iter().collect().unwrap();
        let coo = Coo::new(ROWS, ROWS, rows, of, values).unwrap();
        let (ell, hybrid) = (Ell::new(&a).unwrap(), Hybrid::new(&a, 3).unwrap());
        let (sorted, slices) = (Sell::new(&a, 8, 32).unwrap(), Sell::new(&a, 8, 1).unwrap());
        look_at_parts("Coo", &(&coo * &x), &wanted, &places);
        look_at_parts("Ell", &(&ell * &x), &wanted, &places);
        look_at_parts("Hybrid", &(&hybrid * &x), &wanted, &places);
        look_at_parts("Sell, sorted", &(&sorted * &x), &wanted, &places);
        look_at_parts("Sell", &(&slices * &x), &wanted, &places);
    });
}

/// Gathering rows by the vector that also holds the offsets of the ranges must not confuse the index with the offsets.
#[test]
fn rows_gathered_by_the_offsets_of_rows() {
    cl_test::each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let host = HostCsr::new(3, 3, vec![0, 0, 1, 1_u32], vec![1], vec![2]).unwrap();
        let a = Csr::new(queue, &host).unwrap();
        let x = DeviceVec::from_slice(queue, &[5, 10, 20]).unwrap();
        let found = (&a * &x).gather(a.row_offsets()).collect().unwrap();
        assert_eq!(found.to_vec().unwrap(), [0, 0, 20, 20]);
        // Exactly as many indices as rows.
        let found = (&a * &x).gather(a.row_offsets().slice(1..)).collect().unwrap();
        assert_eq!(found.to_vec().unwrap(), [0, 20, 20]);

        let host = HostCsr::new(3, 3, vec![0, 1, 2, 2_u32], vec![0, 1], vec![2, 2]).unwrap();
        let a = Csr::new(queue, &host).unwrap();
        let found = (&a * &x).gather(a.row_offsets()).collect().unwrap();
        assert_eq!(found.to_vec().unwrap(), [10, 20, 0, 0]);
    });
}
