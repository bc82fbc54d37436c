//! Every driver call of an evaluation fails once with each of seven codes. Each time there is an error of the right
//! kind, without a panic or a leak, and the next evaluation is right. `cl_test::sweep` describes the checks. Each row
//! below is an operation, first with all kernels compiled, then in a new context, where the codes take turns.
#![allow(clippy::unwrap_used)] // no call fails during preparation

use crate::fault_rows::ROWS;
use cl_algo::prelude::*;
use cl_algo::reducers::Max;
use cl_algo::stl::{
    argsort, find, histogram, lower_bound, lower_bounds, merge, nth_element, reduce, reduce_by_index,
    remove_if, run_length_decode, search, set_intersection, sort, sort_by,
};
use cl_algo::{ExternalSort, Segments};
use cl_core::Result;
use cl_test::faults::exclusive;
use cl_test::known_faults;
use cl_test::sweep::{Bench, Operation, failures, lies, run};
use serial_test::serial;

pub(crate) const LEN: usize = 1000;

fn ones(bench: &Bench) -> DeviceVec<f32> {
    DeviceVec::filled(&bench.queue, 1.0, LEN).unwrap()
}

fn collect(x: &DeviceVec<f32>) -> Result<()> {
    assert_eq!((2.0 * x + 1.0).collect()?.to_vec()?, [3.0; LEN]);
    Ok(())
}

fn assign(x: &DeviceVec<f32>, y: &mut DeviceVec<f32>) -> Result<()> {
    y.assign(x + 4.0)?;
    y.assign_with(|y| y * x)?;
    assert_eq!(y.to_vec()?, [5.0; LEN]);
    Ok(())
}

fn sum(x: &DeviceVec<f32>) -> Result<()> {
    assert_eq!(x.sum()?, LEN as f32);
    Ok(())
}

/// Runs a reduction by any operator, a reduction whose result stays on the device, and a search.
fn reductions(x: &DeviceVec<f32>) -> Result<()> {
    assert_eq!(reduce(x, 1.0, |a, b| a + b)?, LEN as f32 + 1.0);
    let sum = x.iter().sum_on_device()?;
    assert_eq!(find(x * &sum, 7.0)?, None);
    assert_eq!(x.iter().max_element()?, Some((0, 1.0)));
    Ok(())
}

/// Gathers and scatters by indices that data choose, with the record of out-of-range indices.
fn gather_and_scatter(x: &DeviceVec<f32>, y: &mut DeviceVec<f32>, order: &DeviceVec<u32>) -> Result<()> {
    cl_algo::assign(y.scatter_mut(order), x.iter().gather(order) + 1.0)?;
    assert_eq!(y.to_vec()?, [2.0; LEN]);
    Ok(())
}

fn several(x: &DeviceVec<f32>) -> Result<()> {
    let (sums, truths) = zip((x + 1.0, x.iter().lt(2.0))).collect()?;
    assert_eq!((sums.to_vec()?, truths.to_vec()?), (vec![2.0; LEN], vec![true; LEN]));
    Ok(())
}

/// Merges and sorts sequences long enough for several passes, with scratch memory for every other pass.
fn merge_and_sort(x: &mut DeviceVec<u32>, both: &mut DeviceVec<u32>) -> Result<()> {
    x.assign(index::<u32>())?;
    merge(&*x, &*x, &mut *both)?;
    sort_by(&mut *x, Val::gt)?;
    assert_eq!((both.to_vec()?[2 * LEN + 1], x.to_vec()?[0]), (LEN as u32, 10 * LEN as u32 - 1));
    Ok(())
}

fn search_and_count(x: &DeviceVec<u32>, counts: &mut DeviceVec<u32>) -> Result<()> {
    histogram(x % 3, &mut *counts)?;
    assert_eq!((counts.to_vec()?, lower_bound(x, 70)?), (vec![334, 333, 333, 0, 0], 70));
    lower_bounds(x, x.slice(7..12), &mut *counts)?;
    assert_eq!(counts.to_vec()?, [7, 8, 9, 10, 11]);
    Ok(())
}

/// Adds values by index, and searches for as many needles in as long a sequence as CPUs find buckets for.
fn sums_and_buckets(
    x: &DeviceVec<u32>,
    sums: &mut DeviceVec<u32>,
    places: &mut DeviceVec<u32>,
) -> Result<()> {
    reduce_by_index(x % 4, 2_u32, 0, |a: Val<u32>, b: Val<u32>| a + b, &mut *sums)?;
    let quarter = x.len() as u32 / 2;
    assert_eq!(sums.to_vec()?, [quarter, quarter, quarter, quarter, 0]);
    lower_bounds(x, x, &mut *places)?;
    assert_eq!((places.get(0)?, places.get(x.len() - 1)?), (0, x.len() as u32 - 1));
    Ok(())
}

/// Intersects sequences of several tiles, removes elements in place, and searches for a sequence.
fn sets_and_sequences(x: &mut DeviceVec<u32>, y: &mut DeviceVec<u32>) -> Result<()> {
    x.assign(index::<u32>())?;
    assert_eq!(set_intersection(&*x, &*x * 2, &mut *y)?.get()?, 5 * LEN as u64);
    assert_eq!(y.to_vec()?[5 * LEN - 1], 10 * LEN as u32 - 2);
    assert_eq!(search(&*x, x.slice(70..80))?, Some(70));
    assert_eq!(remove_if(&mut *x, |x| x.ge(70))?.get()?, 70);
    assert_eq!(run_length_decode(iota(0_u32, 10), iota(0_u32, 10), &mut *y)?.get()?, 45);
    assert_eq!(y.to_vec()?[44], 9);
    Ok(())
}

pub(crate) fn numbers(bench: &Bench, len: usize) -> DeviceVec<u32> {
    DeviceVec::from_fn(&bench.queue, len, |i| i as u32).unwrap()
}

/// Sorts keys of two digits, which need every step that keys of more digits need.
fn sorts(keys: &mut DeviceVec<i16>) -> Result<()> {
    sort(&mut *keys)?;
    let order = Sort::new().descending().argsort(&*keys)?;
    assert!(order.to_vec()?.into_iter().eq((0..LEN as u32).rev()));
    Ok(())
}

/// Sorts a view, which happens in scratch memory, and an expression, which is evaluated there.
fn sorts_elsewhere(keys: &mut DeviceVec<i16>) -> Result<()> {
    sort(keys.slice_mut(1..).rev())?;
    let order = argsort(keys.iter() + 1)?;
    assert!(order.to_vec()?.into_iter().eq(std::iter::once(0).chain((1..LEN as u32).rev())));
    Ok(())
}

fn selections_by_order(x: &mut DeviceVec<u32>) -> Result<()> {
    assert_eq!(x.iter().select_nth(5)?, 5);
    assert_eq!(x.iter().top_k(2)?.0.to_vec()?, [10 * LEN as u32 - 1, 10 * LEN as u32 - 2]);
    nth_element(&mut *x, LEN)?;
    assert_eq!(x.to_vec()?[LEN], LEN as u32);
    Ok(())
}

fn segments(x: &mut DeviceVec<u32>, lengths: &DeviceVec<u32>) -> Result<()> {
    let segments = Segments::from_lengths(lengths)?;
    assert_eq!(segments.reduce_with(&*x, Max, 7)?.to_vec()?, [899, 7, 999]);
    segments.sort(&mut *x)?;
    assert!(x.to_vec()?.into_iter().eq(0..LEN as u32));
    Ok(())
}

/// Sorts keys and values of the host in four pieces. Whatever fails, they keep all items.
fn external_sort(queue: &Queue, keys: &[u32]) -> Result<()> {
    let (mut sorted, mut values) = (keys.to_vec(), keys.to_vec());
    let result = ExternalSort::on(queue).memory(6 * 8 * LEN * 3 / 10).by_key(&mut sorted, &mut values);
    assert_eq!(sorted, values);
    assert!(result.is_err() || sorted.is_sorted());
    sorted.sort_unstable();
    assert!(sorted.into_iter().eq(0..LEN as u32));
    result
}

/// Sorts a segment that several work-groups sort.
fn long_segments(x: &mut DeviceVec<u32>, lengths: &DeviceVec<u32>) -> Result<()> {
    Segments::from_lengths(lengths)?.sort_descending(&mut *x)?;
    assert!(x.to_vec()?[..30_000].is_sorted_by(|a, b| a >= b));
    Ok(())
}

/// Grows and changes a vector, with new memory, with scratch memory and with neither.
fn grows(y: &DeviceVec<u32>) -> Result<()> {
    let mut x = y.try_clone()?;
    x.extend(y)?;
    x.splice(1..3, y)?;
    x.erase(..LEN)?;
    x.push(7)?;
    x.insert(1, 8)?;
    assert_eq!(x.len(), 2 * LEN);
    assert_eq!((x.pop()?, x.slice(..3).to_vec()?), (Some(7), vec![LEN as u32 - 1, 8, 3]));
    Ok(())
}

/// The functions that return the device's names. Without the names the cache of programs finds nothing, and the kernel
/// is compiled.
const NAMES: [&str; 2] = ["clGetDeviceInfo", "clGetPlatformInfo"];

/// The functions that end a queue which is dropped: the second queue of an external sort, after all its results were
/// read.
pub(crate) const END_OF_QUEUE: [&str; 2] = ["clEnqueueMarkerWithWaitList", "clFinish"];

const OPERATIONS: &[Operation] = &[
    Operation::new("DeviceVec::from_slice", |bench| {
        run(|| {
            assert_eq!(DeviceVec::from_slice(&bench.queue, &[1, 2, 3])?.to_vec()?, [1, 2, 3]);
            Ok(())
        })
    }),
    Operation::new("Expr::collect", |bench| {
        let x = ones(bench);
        run(move || collect(&x))
    }),
    Operation::new("DeviceVec::assign", |bench| {
        let (x, mut y) = (ones(bench), ones(bench));
        run(move || assign(&x, &mut y))
    }),
    Operation::new("gather and scatter", |bench| {
        let (x, mut y) = (ones(bench), ones(bench));
        let order = DeviceVec::from_fn(&bench.queue, LEN, |i| (LEN - 1 - i) as u32).unwrap();
        run(move || gather_and_scatter(&x, &mut y, &order))
    }),
    Operation::new("several outputs", |bench| {
        let x = ones(bench);
        run(move || several(&x))
    }),
    Operation::new("Expr::sum", |bench| {
        let x = ones(bench);
        run(move || sum(&x))
    }),
    Operation::new("reductions and searches", |bench| {
        let x = ones(bench);
        run(move || reductions(&x))
    }),
    Operation::new("a vector that grows", |bench| {
        let y = numbers(bench, LEN);
        run(move || grows(&y))
    }),
    Operation::new("merge and sort_by", |bench| {
        let (mut x, mut both) = (numbers(bench, 10 * LEN), numbers(bench, 20 * LEN));
        run(move || merge_and_sort(&mut x, &mut both))
    }),
    Operation::new("sets and sequences", |bench| {
        let (mut x, mut y) = (numbers(bench, 10 * LEN), numbers(bench, 10 * LEN));
        run(move || sets_and_sequences(&mut x, &mut y))
    }),
    Operation::new("histogram and lower_bound", |bench| {
        let (x, mut counts) = (numbers(bench, LEN), numbers(bench, 5));
        run(move || search_and_count(&x, &mut counts))
    }),
    Operation::new("sums by index and searches in buckets", |bench| {
        let (x, mut sums, mut places) = (numbers(bench, 5 * LEN), numbers(bench, 5), numbers(bench, 5 * LEN));
        run(move || sums_and_buckets(&x, &mut sums, &mut places))
    }),
    Operation::new("sort, argsort", |bench| {
        let mut keys = DeviceVec::from_fn(&bench.queue, LEN, |i| (i * 7 % LEN) as i16).unwrap();
        run(move || sorts(&mut keys))
    }),
    Operation::new("sort of a view, argsort of an expression", |bench| {
        let mut keys = DeviceVec::from_fn(&bench.queue, LEN, |i| (i * 7 % LEN) as i16).unwrap();
        run(move || sorts_elsewhere(&mut keys))
    }),
    Operation::new("an external sort", |bench| {
        let keys: Vec<u32> = (0..LEN as u32).map(|i| i * 7 % LEN as u32).collect();
        let queue = bench.queue.clone();
        run(move || external_sort(&queue, &keys))
    })
    .ignores_failures_of(&END_OF_QUEUE),
    Operation::new("selection by order", |bench| {
        let mut x = numbers(bench, 10 * LEN);
        run(move || selections_by_order(&mut x))
    }),
    Operation::new("segments", |bench| {
        let lengths = DeviceVec::from_slice(&bench.queue, &[900_u32, 0, 100]).unwrap();
        let mut x = numbers(bench, LEN);
        run(move || segments(&mut x, &lengths))
    }),
    Operation::new("a long segment", |bench| {
        let lengths = DeviceVec::from_slice(&bench.queue, &[30_000_u32, 10_000]).unwrap();
        let mut x = numbers(bench, 40_000);
        run(move || long_segments(&mut x, &lengths))
    }),
    Operation::new("Expr::collect, compiled anew", |bench| {
        let x = ones(bench);
        run(move || collect(&x))
    })
    .in_own_context()
    .in_turns() // each evaluation compiles
    .ignores_failures_of(&NAMES),
    Operation::new("Expr::sum, compiled anew", |bench| {
        let x = ones(bench);
        run(move || sum(&x))
    })
    .in_own_context()
    .in_turns() // each evaluation compiles
    .ignores_failures_of(&NAMES),
];

#[test]
#[serial]
fn every_driver_call_may_fail() {
    crate::keep_no_programs();
    let faults = exclusive();
    for device in faults.devices() {
        if known_faults::skips("faults::every_driver_call_may_fail", &device) {
            continue;
        }
        failures(&faults, &device, OPERATIONS);
        failures(&faults, &device, ROWS);
    }
}

#[test]
#[serial]
fn every_answer_may_have_a_wrong_size() {
    crate::keep_no_programs();
    let faults = exclusive();
    for device in faults.devices() {
        lies(&faults, &device, OPERATIONS);
        lies(&faults, &device, ROWS);
    }
}
