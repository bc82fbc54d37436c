//! Rows of the sweep of failures: segments, orders, sequences in place, and tables.
#![allow(clippy::unwrap_used)] // no call fails during preparation

use crate::faults::{END_OF_QUEUE, LEN, numbers};
use cl_algo::prelude::*;
use cl_algo::reducers::Max;
use cl_algo::stl::{
    external_sort_by, find_end, find_first_of, inclusive_scan_by_key, inplace_merge, is_partitioned,
    is_permutation, lexicographical_compare, lexsort, lower_bounds, merge_all, next_permutation, number_runs,
    partial_sort, partial_sort_copy, partition3, reduce_by_index, reduce_by_index_at, reduce_by_key, replace,
    reverse, rotate, run_length_encode, search_n, set_difference, set_symmetric_difference, set_union, sort,
    sort_by_key, stable_partition, swap_ranges, unique_in_place,
};
use cl_algo::{ExternalSort, Segments};
use cl_core::Result;
use cl_test::sweep::{Operation, run};

/// The first element of segments of 900, 0 and 100 elements.
const OFFSETS: [u32; 4] = [0, 900, 900, LEN as u32];

pub(crate) const ROWS: &[Operation] = &[
    Operation::new("counts and scans of segments", |bench| {
        let offsets = DeviceVec::from_slice(&bench.queue, &OFFSETS).unwrap();
        let x = numbers(bench, LEN);
        run(move || counts_of_segments(&x, &offsets))
    }),
    Operation::new("orders of segments", |bench| {
        let keys = DeviceVec::from_fn(&bench.queue, LEN, |i| u8::from(i >= 900)).unwrap();
        let (mut x, mut y) = (numbers(bench, LEN), numbers(bench, LEN));
        run(move || orders_of_segments(&keys, &mut x, &mut y))
    }),
    Operation::new("segments of keys of 128 bits", |bench| {
        let offsets = DeviceVec::from_slice(&bench.queue, &OFFSETS).unwrap();
        let mut x = DeviceVec::filled(&bench.queue, 0_u128, LEN).unwrap();
        run(move || wide_segments(&mut x, &offsets))
    }),
    Operation::new("keys of 128 bits", |bench| {
        let mut x = DeviceVec::filled(&bench.queue, 0_u128, LEN).unwrap();
        let mut places = numbers(bench, LEN);
        run(move || wide_keys(&mut x, &mut places))
    }),
    Operation::new("an external sort of a comparator", |bench| {
        let keys: Vec<i32> = (0..LEN as i32).map(|i| i * 7 % LEN as i32).collect();
        let queue = bench.queue.clone();
        run(move || external_order(&queue, &keys))
    })
    .ignores_failures_of(&END_OF_QUEUE),
    Operation::new("several quantiles, parts in order", |bench| {
        let (x, mut y) = (numbers(bench, LEN), numbers(bench, LEN));
        run(move || parts_in_order(&x, &mut y))
    }),
    Operation::new("sorts by several and by computed keys", |bench| {
        let mut x = numbers(bench, LEN);
        run(move || other_sorts(&mut x))
    }),
    Operation::new("sequences in place", |bench| {
        let (mut x, mut y) = (numbers(bench, LEN), numbers(bench, LEN));
        run(move || in_place(&mut x, &mut y))
    }),
    Operation::new("comparisons of sequences, and needles", |bench| {
        let x = numbers(bench, LEN);
        run(move || compared(&x))
    }),
    Operation::new("unions, differences, merges of many", |bench| {
        let (x, mut y) = (numbers(bench, LEN), numbers(bench, 3 * LEN));
        run(move || sets(&x, &mut y))
    }),
    Operation::new("runs and their numbers", |bench| {
        let (x, mut y, mut z) = (numbers(bench, LEN), numbers(bench, LEN), numbers(bench, LEN));
        run(move || runs(&x, &mut y, &mut z))
    }),
    Operation::new("values by index, at some indices", |bench| {
        let (x, mut y) = (numbers(bench, LEN), numbers(bench, 4));
        run(move || by_index(&x, &mut y))
    }),
];

fn counts_of_segments(x: &DeviceVec<u32>, offsets: &DeviceVec<u32>) -> Result<()> {
    let segments = Segments::from_offsets(offsets)?;
    assert_eq!(segments.histogram(x % 3, 3)?.to_vec()?, [300, 300, 300, 0, 0, 0, 34, 33, 33]);
    assert_eq!(segments.exclusive_counts(x / 950, 2)?.to_vec()?, [0, 900, 0, 0, 0, 50]);
    assert_eq!(segments.inclusive_scan(constant(1_u32).take(LEN))?.collect()?.to_vec()?[899..901], [900, 1]);
    assert_eq!(segments.sum(x)?.to_vec()?, [404_550, 0, 94_950]);
    assert_eq!(segments.reduce_with(x, Max, 7)?.to_vec()?, [899, 7, 999]);
    Ok(())
}

fn orders_of_segments(keys: &DeviceVec<u8>, x: &mut DeviceVec<u32>, y: &mut DeviceVec<u32>) -> Result<()> {
    let segments = Segments::from_keys(keys)?;
    x.assign(LEN as u32 - 1 - index::<u32>())?;
    y.assign(index::<u32>())?;
    assert_eq!(segments.argsort(&*x)?.to_vec()?[898..901], [1, 0, 999]);
    let (largest, places) = segments.top_k(&*y, 2, 0)?;
    assert_eq!((largest.to_vec()?, places.to_vec()?), (vec![899, 898, 999, 998], vec![899, 898, 99, 98]));
    assert_eq!(segments.bottom_k(&*y, 1, 0)?.0.to_vec()?, [0, 900]);
    segments.sort_by_key(&mut *x, &mut *y)?;
    assert_eq!(
        (x.to_vec()?[899..901].to_vec(), y.to_vec()?[899..901].to_vec()),
        (vec![999, 0], vec![0, 999])
    );
    segments.sort_by(&mut *y, Val::gt)?;
    assert_eq!(y.to_vec()?[899..901], [0, 999]);
    Ok(())
}

fn wide_segments(x: &mut DeviceVec<u128>, offsets: &DeviceVec<u32>) -> Result<()> {
    x.assign(Expr::<u128>::from_halves(index::<u64>() % 2, index::<u64>()))?;
    Segments::from_offsets(offsets)?.sort_descending(&mut *x)?;
    assert_eq!(x.get(0)?, (1 << 64) + 899);
    Ok(())
}

fn wide_keys(x: &mut DeviceVec<u128>, places: &mut DeviceVec<u32>) -> Result<()> {
    x.assign(Expr::<u128>::from_halves(index::<u64>() % 2, index::<u64>()))?;
    places.assign(index::<u32>())?;
    sort_by_key(&mut *x, &mut *places)?;
    assert_eq!(places.to_vec()?[499..501], [998, 1]);
    lower_bounds(&*x, &*x, &mut *places)?;
    assert_eq!(places.to_vec()?[499..501], [499, 500]);
    Ok(())
}

/// Sorts numbers of the host by a comparator, in pieces. Whatever fails, all numbers are still there.
fn external_order(queue: &Queue, keys: &[i32]) -> Result<()> {
    let mut sorted = keys.to_vec();
    let sort = ExternalSort::on(queue).memory(6 * 4 * LEN * 3 / 10);
    let result = sort.by(&mut sorted, Val::gt, |a, b| a > b);
    assert!(result.is_err() || sorted.is_sorted_by(|a, b| a >= b));
    sorted.sort_unstable();
    assert!(sorted.iter().copied().eq(0..LEN as i32));
    result?;
    external_sort_by(queue, &mut sorted, Val::gt, |a, b| a > b)
}

fn parts_in_order(x: &DeviceVec<u32>, y: &mut DeviceVec<u32>) -> Result<()> {
    assert_eq!(x.iter().quantiles(&[0.0, 0.25, 0.5, 0.75, 0.9, 1.0])?.map(|found| found[5]), Some(999.0));
    assert_eq!(x.iter().median()?, Some(499.5));
    assert_eq!(x.iter().top_k_by_key(1, |x: Val<u32>| !x)?.1.to_vec()?, [0]);
    y.assign(LEN as u32 - 1 - index::<u32>())?;
    partial_sort(&mut *y, 3)?;
    assert_eq!(y.to_vec()?[..3], [0, 1, 2]);
    partial_sort_copy(x, y.slice_mut(..2))?;
    let (below, not_above) = partition3(x, 10, &mut *y)?;
    assert_eq!((below.get()?, not_above.get()?), (10, 11));
    Ok(())
}

fn other_sorts(x: &mut DeviceVec<u32>) -> Result<()> {
    x.assign(index::<u32>())?;
    assert_eq!(lexsort((&*x % 2, std::cmp::Reverse(&*x)))?.to_vec()?[..2], [998, 996]);
    x.sort_by_cached_key(|x| !x)?;
    assert_eq!(x.to_vec()?[..2], [999, 998]);
    sort(&mut *x)
}

fn in_place(x: &mut DeviceVec<u32>, y: &mut DeviceVec<u32>) -> Result<()> {
    x.assign(index::<u32>())?;
    y.assign(7)?;
    reverse::<u32>(&mut *x)?;
    rotate::<u32>(&mut *x, 1)?;
    swap_ranges::<u32>(&mut *x, &mut *y)?;
    replace(&mut *y, 999, 0)?;
    assert_eq!(y.to_vec()?[..2], [998, 997]);
    assert_eq!(stable_partition::<u32>(&mut *y, |y| (y % 2).eq(1))?.get()?, 499);
    y.assign(index::<u32>() % 500)?;
    inplace_merge(&mut *y, 500)?;
    assert_eq!(unique_in_place::<u32>(&mut *y)?.get()?, 500);
    y.assign(index::<u32>())?;
    assert!(next_permutation(&mut *y)?);
    assert_eq!(y.to_vec()?[998..], [999, 998]);
    Ok(())
}

fn compared(x: &DeviceVec<u32>) -> Result<()> {
    assert!(lexicographical_compare(x, x.iter() + 1)?.is_lt());
    assert!(is_permutation(x, x.iter().rev())? && is_partitioned(x, |x| x.lt(70))?);
    assert_eq!(find_end(x % 10, iota(3_u32, 4))?, Some(993));
    assert_eq!(find_first_of(x, iota(40_u32, 3))?, Some(40));
    assert_eq!(search_n(x / 10, 9, 3)?, Some(30));
    Ok(())
}

fn sets(x: &DeviceVec<u32>, y: &mut DeviceVec<u32>) -> Result<()> {
    assert_eq!(set_union(x, x + 500, &mut *y)?.get()?, 1500);
    assert_eq!(set_difference(x, x + 500, &mut *y)?.get()?, 500);
    assert_eq!(set_symmetric_difference(x, x + 500, &mut *y)?.get()?, 1000);
    merge_all([x, x, x], &mut *y)?;
    assert_eq!(y.to_vec()?[3 * LEN - 4..], [998, 999, 999, 999]);
    Ok(())
}

fn runs(x: &DeviceVec<u32>, y: &mut DeviceVec<u32>, z: &mut DeviceVec<u32>) -> Result<()> {
    assert_eq!(run_length_encode(x / 10, &mut *y, &mut *z)?.get()?, 100);
    assert_eq!((y.get(99)?, z.get(99)?), (99, 10));
    assert_eq!(reduce_by_key(x / 10, x, Discard, &mut *z)?.get()?, 100);
    assert_eq!(z.get(1)?, 145);
    inclusive_scan_by_key(x / 10, x, &mut *z)?;
    assert_eq!(z.get(19)?, 145);
    number_runs(iota(0_u32, 10) * 100, iota(0_u32, 10).lt(100), &mut *y)?;
    assert_eq!(y.to_vec()?[99..101], [0, 1]);
    Ok(())
}

fn by_index(x: &DeviceVec<u32>, y: &mut DeviceVec<u32>) -> Result<()> {
    let add = |a: Val<u32>, b: Val<u32>| a + b;
    reduce_by_index(x % 4, x, 0, add, &mut *y)?;
    assert_eq!(y.to_vec()?, [124_500, 124_750, 125_000, 125_250]);
    reduce_by_index_at(x % 4, x, 4, None, add, iota(2_u32, 2), y.slice_mut(..2))?;
    assert_eq!(y.to_vec()?[..2], [125_000, 125_250]);
    assert_eq!(x.slice(..3).repeat_each(constant(2_u32).take(3))?.to_vec()?, [0, 0, 1, 1, 2, 2]);
    Ok(())
}
