//! Formulas on the host: errors, shared parts, agreement with the device. `formulas` has the random ones.

use cl_grid::prelude::*;
use cl_grid::{Method, RungeKutta, Threads};
use cl_test::each_device;

fn message(outcome: cl_core::Result<()>) -> String {
    outcome.unwrap_err().to_string()
}

#[test]
fn arrays_of_the_other_side_are_refused() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let array = Array::filled(&queue, [2, 3], 1.0_f32).unwrap();
        let host = Formula::from_host([2, 3], vec![1.0_f32; 6]);
        let mixed = || &host + &array;
        let mut values = [0.0; 6];
        let error = message(mixed().inside(0).assign_to_host(&mut values, Threads::One));
        assert!(error.contains("of a device") && error.contains("from_host"), "{error}");
        let mut target = Array::filled(&queue, [2, 3], 7.0_f32).unwrap();
        let error = message(target.whole().assign(mixed()));
        assert!(error.contains("memory of the host") && error.contains("assign_to_host"), "{error}");
        assert_eq!((target.to_vec().unwrap(), values), (vec![7.0; 6], [0.0; 6]));
    });
}

#[test]
fn wrong_sizes_are_refused() {
    let f = || Formula::<f64, 2>::from_host([2, 3], vec![1.0; 6]);
    let error = message(f().inside(0).assign_to_host(&mut [0.0; 5], Threads::All));
    assert!(error.contains("5 elements") && error.contains("[2, 3]"), "{error}");
    let error = message(
        Formula::from_host([2, 3], vec![1.0; 5]).inside(0).assign_to_host(&mut [0.0; 6], Threads::One),
    );
    assert!(error.contains("5 values") && error.contains("6 points"), "{error}");
    let ahead = Operator::<f64, 2>::new(|at| at([0, 1]));
    let mut values = [7.0; 6];
    let error = message(ahead.of(f()).inside(0).assign_to_host(&mut values, Threads::One));
    assert!(error.contains("border"), "{error}");
    f().inside(2).assign_to_host(&mut values, Threads::All).unwrap(); // without points
    assert_eq!(values, [7.0; 6]);
}

/// Computes a function that doubles at each of 60 levels: without shared parts it would never end.
#[test]
fn shared_parts_are_computed_once() {
    let one = || Formula::<i64, 1>::from_host([40], vec![1; 40]);
    let doubled = (0..60).fold(one(), |sum, _| &sum + &sum);
    let mut values = vec![0; 40];
    doubled.inside(0).assign_to_host(&mut values, Threads::All).unwrap();
    assert_eq!(values, vec![1 << 60; 40]);

    let around = Operator::<i64, 1>::new(|at| at([-1]) + at([1]));
    let spread = (0..30).fold(one(), |sum, _| around.of(sum.border(BorderRule::Periodic)));
    spread.inside(0).assign_to_host(&mut values, Threads::All).unwrap();
    assert_eq!(values, vec![1 << 30; 40]);

    let deep = (0..1000).fold(one(), |sum, _| sum + 1);
    let error = message(deep.inside(0).assign_to_host(&mut values, Threads::One));
    assert!(error.contains("512"), "{error}");
}

/// A step of the heat equation on a long thin grid, with the operator of the device.
#[test]
fn operators_of_a_grid_agree_with_the_device() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let grid = Grid::uniform([5, 300], [0.5, 0.25]).unwrap();
        let start = grid.function::<f32>(|[y, x]| y * 3.0 - x * x).collect_on(&queue).unwrap();
        let host = start.to_vec().unwrap();
        let k = grid.function::<f32>(|[y, x]| 1.0 + 0.1 * y + 0.01 * x);
        let operator = grid.diffusion(k);
        let mut values = vec![0.0; host.len()];
        let u = Formula::from_host([5, 300], &host).border(BorderRule::Symmetric);
        let next = (1.0 + 0.01 * &operator).of(u);
        next.inside(0).assign_to_host(&mut values, Threads::All).unwrap();

        let mut state = [start];
        let mut euler = RungeKutta::new(Method::Euler, &state).unwrap();
        euler.step(&mut state, 0.0, 0.01, |_, [u]| [operator.of(u.border(BorderRule::Symmetric))]).unwrap();
        for (at, (host, device)) in values.iter().zip(state[0].to_vec().unwrap()).enumerate() {
            assert!(
                (host - device).abs() <= 4.0 * f32::EPSILON * device.abs().max(1.0),
                "{host}, {device} at {at}"
            );
        }
    });
}
