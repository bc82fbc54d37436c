//! Runge-Kutta methods: orders of convergence, kernels, errors.

use cl_grid::prelude::*;
use cl_grid::{Method, RungeKutta};
use cl_test::each_device;

/// Returns the error at time 1 of `du/dt = -u + v`, `dv/dt = -u - v` in `steps` steps.
fn error_of(queue: &Queue, method: Method, steps: u32) -> f64 {
    let mut state = [1.0, 0.0].map(|value| Array::filled(queue, [3], value).unwrap());
    let mut method = RungeKutta::new(method, &state).unwrap();
    let dt = 1.0 / f64::from(steps);
    for _ in 0..steps {
        method.step(&mut state, 0.0, dt, |_, [u, v]| [&v - &u, -(u + v)]).unwrap();
    }
    let [u, v] = state.map(|array: Array<f64, 1>| array.get([1]).unwrap());
    let decay = (-1.0_f64).exp();
    (u - decay * 1.0_f64.cos()).hypot(v + decay * 1.0_f64.sin())
}

#[test]
fn methods_have_their_orders() {
    each_device(|device| {
        if !cl_test::offers(device, "double precision", device.has_fp64()) {
            return;
        }
        let queue = Queue::on(device).unwrap();
        let orders = [
            (Method::Euler, 1.0),
            (Method::Midpoint, 2.0),
            (Method::Heun, 2.0),
            (Method::Ssp3, 3.0),
            (Method::Kutta4, 4.0),
        ];
        for (method, order) in orders {
            let [coarse, fine] = [8, 16].map(|steps| error_of(&queue, method, steps));
            let found = (coarse / fine).log2();
            assert!((found - order).abs() < 0.3, "{method:?} has order {found}: {coarse:e}, {fine:e}");
        }
    });
}

#[test]
fn derivatives_know_the_time() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let mut state = [Array::filled(&queue, [2], 0.0_f32).unwrap()];
        let mut method = RungeKutta::new(Method::Kutta4, &state).unwrap();
        for step in 0..4 {
            // The integral of t³ is exact.
            let rate = |t: f64| Formula::number((t * t * t) as f32);
            method.step(&mut state, 0.5 * f64::from(step), 0.5, |t, [u]| [0.0 * u + rate(t)]).unwrap();
        }
        assert!((state[0].get([1]).unwrap() - 4.0).abs() < 1e-5);
    });
}

#[test]
fn a_step_that_fails_changes_nothing() {
    each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let mut state = [Array::filled(&queue, [8], 3.0_f32).unwrap()];
        let mut method = RungeKutta::new(Method::Heun, &state).unwrap();
        let ahead = Operator::<f32, 1>::new(|at| at([1]) - at([0]));
        let error = method.step(&mut state, 0.0, 0.1, |_, [u]| [ahead.of(u)]).unwrap_err();
        assert!(error.to_string().contains("border"), "{error}");
        assert_eq!(state[0].to_vec().unwrap(), [3.0; 8]);
        method.step(&mut state, 0.0, 0.1, |_, [u]| [ahead.of(u.border(BorderRule::Edge))]).unwrap();

        let mixed = [4, 5].map(|len| Array::filled(&queue, [len], 1.0_f32).unwrap());
        let error = RungeKutta::new(Method::Euler, &mixed).unwrap_err();
        assert!(error.to_string().contains("[4]") && error.to_string().contains("[5]"), "{error}");
    });
}
