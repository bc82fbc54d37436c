//! Every driver call of evaluations of formulas fails once, with seven error codes in turns. The result is always an error
//! of the right kind, without a panic or a leak, and the next call succeeds. `cl_test::sweep` describes the checks. Each
//! row below is an operation whose kernels are all compiled.

use cl_core::Result;
use cl_grid::prelude::*;
use cl_test::faults::exclusive;
use cl_test::known_faults;
use cl_test::sweep::{Bench, Operation, failures, lies, run};

const ROWS: usize = 6;
const COLUMNS: usize = 9;

fn number(i: usize, j: usize) -> i32 {
    (10 * i + j * j) as i32
}

fn function(bench: &Bench) -> Array<i32, 2> {
    let host: Vec<i32> = (0..ROWS * COLUMNS).map(|at| number(at / COLUMNS, at % COLUMNS)).collect();
    Array::from_slice(&bench.queue, [ROWS, COLUMNS], &host).unwrap()
}

/// Returns the sum of the neighbours along axis 1 of the doubled function, which is kept in a temporary array.
fn kept(f: &Array<i32, 2>) -> Formula<'_, i32, 2> {
    let sum = Operator::new(|at| at([0, -1]) + at([0, 1]));
    sum.of((2 * Formula::from(f)).materialize())
}

fn kept_at(i: usize, j: usize) -> i32 {
    2 * (number(i, j - 1) + number(i, j + 1))
}

/// Returns the points with coordinate 0 left out along axis 1, and the last.
fn inside() -> impl Iterator<Item = (usize, usize)> {
    (0..ROWS).flat_map(|i| (1..COLUMNS - 1).map(move |j| (i, j)))
}

fn assert_inside(h: &Array<i32, 2>, own: i32, wanted: impl Fn(usize, usize) -> i32) -> Result<()> {
    let mut all = vec![own; ROWS * COLUMNS];
    inside().for_each(|(i, j)| all[i * COLUMNS + j] = wanted(i, j));
    assert_eq!(h.to_vec()?, all);
    Ok(())
}

const EVALUATIONS: [Operation; 4] = [
    Operation::new("an evaluation with a temporary array", |bench| {
        let (f, mut h) = (function(bench), Array::filled(&bench.queue, [ROWS, COLUMNS], -1).unwrap());
        run(move || {
            h.inside([0, 1]).assign(kept(&f))?;
            assert_inside(&h, -1, kept_at)
        })
    }),
    Operation::new("a reduction with a temporary array", |bench| {
        let f = function(bench);
        run(move || {
            let sum = kept(&f).inside([0, 1]).sum()?;
            assert_eq!(sum, inside().map(|(i, j)| kept_at(i, j)).sum::<i32>());
            Ok(())
        })
    }),
    Operation::new("an update in place", |bench| {
        let (f, mut u) = (function(bench), Array::filled(&bench.queue, [ROWS, COLUMNS], 3).unwrap());
        run(move || {
            u.inside([0, 1]).assign_with(|own| 2 * own - kept(&f))?;
            assert_inside(&u, 3, |i, j| 6 - kept_at(i, j))
        })
    }),
    Operation::new("a function on a stretched grid", |bench| {
        let queue = bench.queue.clone();
        run(move || {
            let grid = Grid::uniform([3], [1.0])?.with_points(0, &[0.0, 1.0, 3.0])?;
            let squares = grid.function::<f32>(|[x]| x * x).collect_on(&queue)?;
            assert_eq!(squares.to_vec()?, [0.0, 1.0, 9.0]);
            Ok(())
        })
    }),
];

#[test]
fn every_driver_call_may_fail() {
    let faults = exclusive();
    for device in faults.devices() {
        if known_faults::skips("faults::every_driver_call_may_fail", &device) {
            continue;
        }
        failures(&faults, &device, &EVALUATIONS.map(Operation::in_turns));
    }
}

#[test]
fn every_answer_may_have_a_wrong_size() {
    let faults = exclusive();
    for device in faults.devices() {
        if known_faults::skips("faults::every_answer_may_have_a_wrong_size", &device) {
            continue;
        }
        lies(&faults, &device, &EVALUATIONS[..1]);
    }
}
