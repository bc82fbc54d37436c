//! Every driver call of evaluations of arrays fails once, with seven error codes in turns. The result is always an error
//! of the right kind, without a panic or a leak, and the next call succeeds. `cl_test::sweep` describes the checks. Each
//! row below is an operation whose kernels are all compiled.
#![allow(clippy::unwrap_used)] // preparations do not fail

use cl_array::TransferStrategy;
use cl_array::prelude::*;
use cl_core::Result;
use cl_test::faults::exclusive;
use cl_test::known_faults;
use cl_test::sweep::{Bench, Operation, failures, lies, run};

const ROWS: usize = 20;
const COLUMNS: usize = 33;

/// Returns the matrix of the numbers `100 i + j`.
fn matrix(bench: &Bench) -> Array<i32, 2> {
    let host: Vec<i32> = (0..ROWS * COLUMNS).map(|at| number(at / COLUMNS, at % COLUMNS)).collect();
    Array::from_slice(&bench.queue, [ROWS, COLUMNS], &host).unwrap()
}

fn number(i: usize, j: usize) -> i32 {
    (100 * i + j) as i32
}

/// Returns the results of a function for all coordinates, in row-major order.
fn table([rows, columns]: [usize; 2], of: impl Fn(usize, usize) -> i32) -> Vec<i32> {
    (0..rows * columns).map(|at| of(at / columns, at % columns)).collect()
}

/// Evaluates a transposition with a row added, which reads blocks.
fn collect(a: &Array<i32, 2>) -> Result<()> {
    let sum = (a.t() + a.column(1)).collect()?;
    assert_eq!(sum.to_vec()?, table([COLUMNS, ROWS], |j, i| number(i, j) + number(i, 1)));
    Ok(())
}

/// Assigns to every second row and to all columns but two, backwards.
fn assign_to_view(a: &Array<i32, 2>, b: &mut Array<i32, 2>) -> Result<()> {
    b.slice_mut(s![1..; 2, 1..-1; -1]).assign(a.slice(s![..; 2, 2..]))?;
    let wanted = table([ROWS, COLUMNS], |i, j| {
        let is_changed = i % 2 == 1 && (1..COLUMNS - 1).contains(&j);
        if is_changed { number(i - 1, COLUMNS - j) } else { number(i, j) }
    });
    assert_eq!(b.to_vec()?, wanted);
    Ok(())
}

/// Adds along each of the two axes, in one kernel each, and finds maxima.
fn fold_axes(a: &Array<i32, 2>) -> Result<()> {
    let sums: Vec<i32> = (0..ROWS).map(|i| (0..COLUMNS).map(|j| number(i, j)).sum()).collect();
    assert_eq!(a.sum_axis(1)?.to_vec()?, sums);
    let sums: Vec<i32> = (0..COLUMNS).map(|j| (0..ROWS).map(|i| number(i, j)).sum()).collect();
    assert_eq!(a.sum_axis(0)?.to_vec()?, sums);
    assert_eq!(a.argmax_axis(0)?.to_vec()?, [ROWS as u64 - 1; COLUMNS]);
    assert_eq!(a.reduce_max()?, Some(number(ROWS - 1, COLUMNS - 1)));
    Ok(())
}

/// The length of rows that are folded in parts, in two kernels.
const LONG: usize = 70_000;

fn fold_in_parts(ones: &Array<i32, 2>) -> Result<()> {
    assert_eq!(ones.sum()?, 2 * LONG as i32);
    assert_eq!(ones.sum_axis(1)?.to_vec()?, [LONG as i32; 2]);
    Ok(())
}

fn products(a: &Array<i32, 2>) -> Result<()> {
    let dot = |i: usize, j: usize| {
        (0..COLUMNS).map(|k| number(i, k).wrapping_mul(number(j, k))).fold(0, i32::wrapping_add)
    };
    assert_eq!(a.matmul(a.t())?.to_vec()?, table([ROWS, ROWS], dot));
    assert_eq!(a.matvec(a.row(2))?.to_vec()?, (0..ROWS).map(|i| dot(i, 2)).collect::<Vec<_>>());
    Ok(())
}

/// Takes rows by indices, with the record of out-of-range indices, and pads them.
fn take_and_pad(a: &Array<i32, 2>, rows: &Array<u32, 1>) -> Result<()> {
    let turned = a.iter().take(0, rows).pad([(0, 0), (1, 0)], Pad::Constant(-1)).collect()?;
    let wanted = table([ROWS, COLUMNS + 1], |i, j| if j == 0 { -1 } else { number(ROWS - 1 - i, j - 1) });
    assert_eq!(turned.to_vec()?, wanted);
    Ok(())
}

fn join(a: &Array<i32, 2>) -> Result<()> {
    let queue = a.queue();
    let both = concatenate(queue, 0, [a.iter(), 2 * a])?;
    let wanted = |i: usize, j: usize| if i < ROWS { number(i, j) } else { 2 * number(i - ROWS, j) };
    assert_eq!(both.to_vec()?, table([2 * ROWS, COLUMNS], wanted));
    assert_eq!(
        stack(queue, 1, [a.row(3), a.row(4)])?.to_vec()?,
        table([COLUMNS, 2], |j, k| number(3 + k, j))
    );
    Ok(())
}

/// Makes arrays, and an array of complex numbers of a closure.
fn make(queue: &Queue) -> Result<()> {
    let a = Array::from_fn(queue, [ROWS, COLUMNS], |[i, j]| (i * 100 + j).cast::<i32>())?;
    assert_eq!(a.try_clone()?.to_vec()?, table([ROWS, COLUMNS], number));
    assert_eq!(Array::filled(queue, [2, 2], 7)?.to_vec()?, [7; 4]);
    assert_eq!(Array::<i32, 2>::eye(queue, 2)?.to_vec()?, [1, 0, 0, 1]);
    Ok(())
}

/// Prints an array, of which it reads both ends. The text has the error of a call that fails, so the operation succeeds.
fn print(a: &Array<i32, 2>) -> Result<()> {
    let text = a.to_string();
    assert!(
        text.starts_with("[[0, 1, 2, 3, 4, ..., 28, 29, 30, 31, 32],") || text.starts_with("<error: "),
        "{text}"
    );
    Ok(())
}

/// Moves every second element of two columns to the host and to another array, by each strategy.
fn cross(a: &Array<i32, 2>, b: &mut Array<i32, 2>) -> Result<()> {
    for strategy in TransferStrategy::ALL {
        let mut part = [0; ROWS];
        a.slice(s![..; 2, 3..6; 2]).read_into_by(strategy, &mut part)?;
        assert_eq!(part.to_vec(), table([ROWS / 2, 2], |i, j| number(2 * i, 3 + 2 * j)), "{strategy:?}");
        b.slice_mut(s![..; 2, 3..6; 2]).write_by(strategy, &part.map(|x| -x))?;
        let is_changed = |i: usize, j: usize| i.is_multiple_of(2) && (j == 3 || j == 5);
        let wanted = |i, j| if is_changed(i, j) { -number(i, j) } else { number(i, j) };
        assert_eq!(b.to_vec()?, table([ROWS, COLUMNS], wanted), "{strategy:?}");
    }
    Ok(())
}

/// Folds along an axis whose results the line itself reads, together and apart, and folds in order.
fn fold_lines(a: &Array<i32, 2>) -> Result<()> {
    let greatest_minus = |axis: usize| a.iter().fold_along(axis, |x| x, Val::max).map(|x, max| max - x);
    let row = table([ROWS, COLUMNS], |i, j| number(i, COLUMNS - 1) - number(i, j));
    assert_eq!(greatest_minus(1)?.to_vec()?, row);
    let column = table([ROWS, COLUMNS], |i, j| number(ROWS - 1, j) - number(i, j));
    assert_eq!(greatest_minus(0)?.to_vec()?, column);
    let last = a.iter().fold_axis_in_order(1, 0, |last, x| x - last)?;
    let wanted = |i: usize| (0..COLUMNS).fold(0, |last, j| number(i, j) - last);
    assert_eq!(last.to_vec()?, (0..ROWS).map(wanted).collect::<Vec<_>>());
    Ok(())
}

const OPERATIONS: [Operation; 11] = [
    Operation::new("ArrayExpr::collect", |bench| {
        let a = matrix(bench);
        run(move || collect(&a))
    }),
    Operation::new("ArrayViewMut::assign", |bench| {
        let (a, mut b) = (matrix(bench), matrix(bench));
        run(move || assign_to_view(&a, &mut b))
    }),
    Operation::new("reductions in one kernel", |bench| {
        let a = matrix(bench);
        run(move || fold_axes(&a))
    }),
    Operation::new("reductions in two kernels", |bench| {
        let ones = Array::filled(&bench.queue, [2, LONG], 1).unwrap();
        run(move || fold_in_parts(&ones))
    }),
    Operation::new("fold_along and fold_axis_in_order", |bench| {
        let a = matrix(bench);
        run(move || fold_lines(&a))
    }),
    Operation::new("matmul and matvec", |bench| {
        let a = matrix(bench);
        run(move || products(&a))
    }),
    Operation::new("take and pad", |bench| {
        let a = matrix(bench);
        let rows = Array::from_fn(&bench.queue, [ROWS], |[i]| (ROWS as u64 - 1 - i).cast::<u32>()).unwrap();
        run(move || take_and_pad(&a, &rows))
    }),
    Operation::new("concatenate and stack", |bench| {
        let a = matrix(bench);
        run(move || join(&a))
    }),
    Operation::new("read_into and write", |bench| {
        let (a, mut b) = (matrix(bench), matrix(bench));
        run(move || cross(&a, &mut b))
    }),
    Operation::new("from_fn, filled, eye", |bench| run(|| make(&bench.queue))),
    Operation::new("Display", |bench| {
        let a = matrix(bench);
        run(move || print(&a))
    })
    .ignores_failures_of(&PRINTED),
];

/// The functions that printing calls.
const PRINTED: [&str; 9] = [
    "clCreateBuffer",
    "clSetKernelArg",
    "clEnqueueFillBuffer",
    "clEnqueueNDRangeKernel",
    "clEnqueueReadBuffer",
    "clEnqueueReadBufferRect",
    "clEnqueueWriteBuffer",
    "clFlush",
    "clWaitForEvents",
];

#[test]
fn every_driver_call_may_fail() {
    let faults = exclusive();
    for device in faults.devices() {
        if known_faults::skips("faults::every_driver_call_may_fail", &device) {
            continue;
        }
        failures(&faults, &device, &OPERATIONS.map(Operation::in_turns));
    }
}

#[test]
fn every_answer_may_have_a_wrong_size() {
    let faults = exclusive();
    for device in faults.devices() {
        if known_faults::skips("faults::every_answer_may_have_a_wrong_size", &device) {
            continue;
        }
        lies(&faults, &device, &OPERATIONS);
    }
}
