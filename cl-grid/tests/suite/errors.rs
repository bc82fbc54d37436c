//! Input that is refused: the error says where and what to do, and nothing is changed.

use cl_core::{Error, QueueOptions};
use cl_grid::multigrid::{Boundary, Multigrid, Problem};
use cl_grid::prelude::*;
use cl_test::counting;
use cl_test::each_device;
use std::fmt::Debug;

/// Asserts that the error is one of invalid input, whose message has all of some texts.
#[track_caller]
fn assert_names<R: Debug>(result: cl_core::Result<R>, texts: &[&str]) {
    let error = result.unwrap_err();
    let message = error.to_string();
    assert!(matches!(error, Error::InvalidInput { .. }), "{message}");
    for text in texts {
        assert!(message.contains(text), "`{text}` is not in: {message}");
    }
}

fn array<const N: usize>(queue: &Queue, shape: [usize; N]) -> Array<f32, N> {
    Array::filled(queue, shape, 1.5).unwrap()
}

fn around() -> Operator<'static, f32, 2> {
    Operator::new(|at| at([1, 0]) + at([-1, 0]) + at([0, 2]))
}

/// Asserts that every evaluation and every reduction of a formula returns the error.
#[track_caller]
fn assert_fails_everywhere(queue: &Queue, formula: &Formula<'_, f32, 2>, shape: [usize; 2], texts: &[&str]) {
    let mut h = array(queue, shape);
    assert_names(formula.collect(), texts);
    assert_names(formula.collect_on(queue), texts);
    assert_names(formula.to_vec(), texts);
    assert_names(h.whole().assign(formula), texts);
    assert_names(h.inside(0).assign(formula), texts);
    assert_names(h.part([0..1, 0..1]).assign(formula.clone() + 0.0 * formula), texts);
    assert_names(h.inside(0).assign_with(|own| own + formula), texts);
    assert_names(formula.sum(), texts);
    assert_names(formula.norm(), texts);
    assert_names(formula.norm_l1(), texts);
    assert_names(formula.inside(0).norm_max(), texts);
    assert_names(formula.reduce_min(), texts);
    assert_names(formula.inside(0).reduce_max(), texts);
    let around = around().of(formula.clone().materialize());
    assert_names(around.inside(2).to_vec(), texts);
    assert_names(formula.clone().inline().collect(), texts);
    assert_names(Operator::zero().of(formula).collect(), texts);
    assert!(h.to_vec().unwrap().iter().all(|&value| value == 1.5));
}

#[test]
fn deferred_errors_are_returned_by_every_evaluation() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let (f, g) = (array(queue, [5, 6]), array(queue, [5, 7]));
        let shapes = &["[5, 6]", "[5, 7]"];
        let functions: [(Formula<'_, f32, 2>, &[&str]); 9] = [
            (Formula::from(&f) * &g, shapes),
            (Formula::from(&f).max(&g), shapes),
            (Operator::with([&g], |f, [g]| f([0, 0]) * g([0, 0])).of(&f), shapes),
            (Formula::from(&f).border(BorderRule::Function(Formula::from(&g))), shapes),
            // An expression of arrays has its own words.
            (Formula::from(&f + &g) + 1.0, shapes),
            (Formula::from(&f).border_axis(2, BorderRule::Edge), &["border", "axis 2", "2 axes"]),
            (Formula::from(&f) + Formula::along_axis(3, &[1.0]), &["along_axis", "axis 3", "2 axes"]),
            (&f + Formula::from_fn(|[i, _]| i.cast()).border(BorderRule::Edge), &["border", "every grid"]),
            (around().of(&f).border(BorderRule::Edge), &["border", "no value", "[1..4, 0..4]", "[5, 6]"]),
        ];
        for (function, texts) in &functions {
            assert_fails_everywhere(queue, function, [5, 6], texts);
        }
    });
}

#[test]
fn reads_beyond_borders_name_the_domain() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let f = array(queue, [5, 6]);
        let mut h = array(queue, [5, 6]);
        let formula = around().of(&f);
        let texts = ["[1..4, 0..4]", "[0..5, 0..6]", "inside", "border"];
        assert_names(formula.collect(), &texts);
        assert_names(h.inside(0).assign(&formula), &texts);
        assert_names(h.inside([(1, 1), (0, 1)]).assign(&formula), &["[1..4, 0..5]"]);
        assert_names(formula.sum(), &["sum", texts[0]]);
        h.inside([(1, 1), (0, 2)]).assign(&formula).unwrap();
        // A rule along the other axis does not help.
        let bordered = around().of(Formula::from(&f).border_axis(1, BorderRule::Edge));
        assert_names(bordered.collect(), &["[1..4, ..]"]);
        // A table along an axis ends, too, as does an array that gives the values beyond a border.
        assert_names((Formula::from(&f) + Formula::along_axis(1, &[1.0; 5])).collect(), &["[0..5, 0..5]"]);
        let by_array = Formula::from(&f).border(BorderRule::Function(Formula::from(&f)));
        assert_names(around().of(by_array).collect(), &texts[..2]);
        // Temporary arrays have the points of the functions that they keep.
        let kept = around().of(Formula::from(&f).materialize());
        assert_names(kept.collect(), &texts);
        assert_eq!(kept.inside([(1, 1), (0, 2)]).sum().unwrap(), 4.5 * 12.0);
        let kept = around().of(Formula::from(&f).border(BorderRule::Value(0.5)).materialize());
        assert_eq!(kept.sum().unwrap(), 4.5 * 30.0 - 12.0 - 10.0);
    });
}

#[test]
fn targets_of_other_shapes_and_parts_beyond_them_are_refused() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let f = array(queue, [5, 6]);
        let mut h = array(queue, [6, 5]);
        assert_names(h.whole().assign(&f), &["assign", "[5, 6]", "[6, 5]"]);
        assert_names(h.inside(1).assign_with(|own| own + &f), &["[5, 6]", "[6, 5]"]);
        // A part has the coordinates of its array.
        assert_names(h.part([0..5, 0..5]).assign(&f), &["[5, 6]", "[6, 5]"]);
        let backwards = std::ops::Range { start: 3, end: 2 };
        for (ranges, texts) in [
            ([0..7, 0..5], ["0..7", "axis 0"]),
            ([0..6, backwards], ["3..2", "axis 1"]),
            ([0..6, 6..6], ["6..6", "axis 1"]),
        ] {
            assert_names(h.part(ranges.clone()).assign(1.0), &["part", texts[0], texts[1], "[6, 5]"]);
            assert_names(h.part(ranges).assign_with(|own| own), &["part", texts[0], texts[1], "[6, 5]"]);
        }
        h.part([6..6, 5..5]).assign(2.0).unwrap();
        // Margins that overlap leave nothing.
        for margins in [[(3, 3), (0, 0)], [(0, 9), (0, 0)], [(usize::MAX, usize::MAX), (1, 1)]] {
            h.inside(margins).assign(2.0).unwrap();
            h.inside(margins).assign_with(|own| own + 2.0).unwrap();
            h.inside(margins).assign_with(|own| around().of(own)).unwrap();
        }
        assert!(h.to_vec().unwrap().iter().all(|&value| value == 1.5));
    });
}

#[test]
fn functions_without_a_queue_say_what_to_do() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let grid = Grid::uniform([3, 4], [0.5, 0.25]).unwrap();
        let function = grid.function::<f32>(|[x, y]| x + y);
        for result in [function.collect().map(drop), function.sum().map(drop), function.to_vec().map(drop)] {
            assert_names(result, &["no queue", "collect_on"]);
        }
        assert_eq!(function.collect_on(queue).unwrap().get([2, 3]).unwrap(), 1.75);
        assert_eq!(grid.position::<f32>(1).collect_on(queue).unwrap().get([2, 3]).unwrap(), 0.75);
        for function in [Formula::<f32, 2>::number(1.0), Formula::from_fn(|[i, _]| i.cast())] {
            assert_names(function.collect_on(queue), &["every grid"]);
            assert_names(function.plan(queue), &["every grid"]);
            assert_names(function.sum(), &["sum"]);
        }
    });
}

/// An update in place that reads neighbours would read some that are already replaced.
#[test]
fn updates_that_read_neighbours_are_refused() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = &Queue::on(&device).unwrap();
        let mut u = array(queue, [5, 6]);
        let f = array(queue, [5, 6]);
        let ahead = || Operator::<f32, 2>::new(|at| at([1, 0]) + at([0, 0]));
        // The first evaluation on a device tries the device, which takes launches.
        u.inside(1).assign_with(|own| own).unwrap();
        let calls = counter.calls_during(|| {
            assert_names(u.inside(1).assign_with(|own| ahead().of(own)), &["assign_with"]);
            assert_names(
                u.whole().assign_with(|own| ahead().of(own.border(BorderRule::Periodic))),
                &["assign_with"],
            );
            assert_names(
                u.whole().assign_with(|own| ahead().of(own.border(BorderRule::Value(0.0)))),
                &["assign_with"],
            );
            assert_names(
                u.whole().assign_with(|own| ahead().of((&f - own).border(BorderRule::Edge))),
                &["assign_with"],
            );
            // A temporary array that is needed by nothing is not made before the error is found.
            let both = |own| ahead().of(own) + ahead().of((Formula::from(&f) * 3.0).materialize());
            assert_names(u.inside(1).assign_with(both), &["assign_with"]);
        });
        assert!(!calls.contains_key("clEnqueueNDRangeKernel"), "{calls:?}");
        // Other functions may be read anywhere.
        u.inside(1).assign_with(|own| own * 2.0 + ahead().of(&f)).unwrap();
        assert_eq!(u.get([1, 1]).unwrap(), 6.0);
        // A copy may be read anywhere, too.
        u.whole().assign_with(|own| ahead().of(own.materialize().border(BorderRule::Periodic))).unwrap();
        assert_eq!([u.get([0, 1]).unwrap(), u.get([4, 0]).unwrap()], [7.5, 3.0]);
    }
}

#[test]
fn grids_need_increasing_positions() {
    for spacing in [0.0, -1.0, f64::NAN, f64::INFINITY, -0.0] {
        assert_names(Grid::uniform([3, 4], [1.0, spacing]), &["spacing along axis 1", "positive"]);
    }
    assert_names(Grid::uniform([1; 4], [1.0; 4]), &["4 axes"]);
    assert_names(Grid::uniform([], []), &["0 axes"]);
    let grid = Grid::uniform([3, 4], [1.0, 2.0]).unwrap();
    let with = |axis: usize, points: &[f64]| grid.clone().with_points(axis, points);
    assert_names(with(0, &[0.0, 1.0, 1.0]), &["positions 1 and 2 along axis 0", "1 and 1", "increase"]);
    assert_names(with(1, &[0.0, -1.0]), &["positions 0 and 1 along axis 1", "increase"]);
    for bad in [f64::NAN, f64::INFINITY] {
        assert_names(with(1, &[0.0, 1.0, bad]), &["positions 1 and 2 along axis 1", "increase"]);
    }
    assert_names(with(1, &[f64::NEG_INFINITY, 1.0]), &["positions 0 and 1", "increase"]);
    assert_names(with(0, &[]), &["0 positions", "axis 0", "two"]);
    assert_names(with(0, &[1.0]), &["1 positions", "axis 0", "two"]);
    assert_names(with(2, &[1.0, 2.0]), &["axis 2", "2"]);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let stretched = with(1, &[0.0, 1.0]).unwrap();
        for grid in [grid.clone(), stretched] {
            assert_names(grid.with_origin([0.0, bad]), &["origin along axis 1", "finite"]);
        }
    }
    let far = with(1, &[0.0, 1.0, 3.0]).unwrap().with_origin([0.0, 1e17]);
    assert_names(far, &["positions 0 and 1 along axis 1", "increase"]);
    assert_eq!(with(1, &[0.0, 1.0, 4.0]).unwrap().shape(), [3, 3]);
}

#[test]
fn operators_refuse_axes_and_orders_that_do_not_exist() {
    let grid = Grid::uniform([9, 9], [1.0, 2.0]).unwrap();
    assert_names(grid.derivative::<f32>(2, 1), &["derivative", "axis 2", "2 axes"]);
    for order in [0, 5, usize::MAX] {
        assert_names(grid.derivative::<f32>(0, order), &["derivative", &format!("order {order}"), "1 to 4"]);
    }
    assert_names(grid.upwind::<f32>(2, 1.0), &["upwind", "axis 2", "2 axes"]);
    assert_names(grid.midpoint::<f32>(2), &["midpoint", "axis 2", "2 axes"]);
    assert_names(grid.laplacian_9::<f32>(), &["laplacian", "same spacing"]);
    let points: Vec<f64> = (0..9).map(|at| f64::from(at * at)).collect();
    let stretched = Grid::uniform([9; 2], [1.0; 2]).unwrap().with_points(1, &points).unwrap();
    for order in [0, 3, 4] {
        let order_text = format!("order {order} along axis 1");
        assert_names(stretched.derivative::<f32>(1, order), &[&order_text, "stretched", "1 and 2"]);
    }
    assert_names(stretched.upwind::<f32>(1, 1.0), &["upwind", "axis 1", "uniform"]);
    assert_names(stretched.laplacian_9::<f32>(), &["uniform"]);
    let cube = Grid::uniform([9; 3], [1.0, 1.0, 2.0]).unwrap();
    assert_names(cube.laplacian_27::<f64>(), &["same spacing"]);
}

/// The coefficients of a stretched axis belong to the points of its grid.
#[test]
fn operators_of_stretched_axes_refuse_other_grids() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let points: Vec<f64> = (0..9).map(|at| f64::from(at * at)).collect();
        let grid = Grid::uniform([5, 9], [1.0; 2]).unwrap().with_points(1, &points).unwrap();
        for shape in [[5, 8], [5, 12]] {
            let f = array(queue, shape);
            let texts = ["[5, 9]", &format!("{shape:?}")];
            let k = Formula::number(2.0);
            for formula in [
                grid.laplacian().of(&f),
                grid.derivative(1, 1).unwrap().of(&f),
                grid.diffusion(k).of(&f),
                grid.position(1) + &f,
                grid.function(|[x, y]| x + y) + &f,
            ] {
                assert_names(formula.inside(1).collect(), &texts);
            }
            assert_names(grid.integral(&f), &texts);
        }
    });
}

#[test]
fn double_precision_needs_a_device_that_has_it() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let grid = Grid::uniform([4, 4], [0.5; 2]).unwrap();
        let result = grid.function::<f64>(|[x, y]| x + y).collect_on(queue);
        if device.has_fp64().unwrap() {
            assert_eq!(result.unwrap().get([1, 2]).unwrap(), 1.5);
        } else {
            assert!(matches!(result.unwrap_err(), Error::Unsupported { .. }));
        }
    });
}

/// The tables of stretched axes are kept in memory of a queue. The formula can be evaluated on others.
#[test]
fn stretched_grids_serve_several_queues() {
    each_device(|device| {
        let grid = Grid::uniform([4], [1.0]).unwrap().with_points(0, &[0.0, 1.0, 4.0, 9.0]).unwrap();
        let squares = grid.function::<f32>(|[x]| x * x);
        let first = Queue::on(device).unwrap();
        let second = Queue::new(first.context(), QueueOptions::new()).unwrap();
        for queue in [first, second, Queue::on(device).unwrap()] {
            assert_eq!(squares.collect_on(&queue).unwrap().to_vec().unwrap(), [0.0, 1.0, 16.0, 81.0]);
        }
    });
}

/// A formula of thousands of terms, one inside the other, overflows no stack. It is refused here before its kernel is
/// generated, because it reads arrays of two queues.
#[test]
fn deep_formulas_need_no_deep_stack() {
    each_device(|device| {
        let [queue, other] = [(); 2].map(|()| Queue::on(device).unwrap());
        let (f, g) = (array(&queue, [5, 6]), array(&other, [5, 6]));
        let deep = (0..4000).fold(Formula::from(&f) + &g, |sum, _| sum + 1.0);
        assert_eq!(deep.plan(&queue).unwrap().temporaries(), 0);
        let error = deep.collect().unwrap_err().to_string();
        assert!(error.contains("different queues"), "{error}");
    });
}

#[test]
fn integrals_and_problems_name_what_the_grid_does_not_have() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let grid = Grid::uniform([5, 6], [0.5, 0.25]).unwrap();
        assert_names(grid.integral(array(queue, [5, 7])), &["integral", "[5, 7]", "[5, 6]"]);
        assert_names(grid.integral(array(queue, [2, 15])), &["integral", "[2, 15]", "[5, 6]"]);
        assert!((grid.integral(array(queue, [5, 6])).unwrap() - 1.5 * 30.0 / 8.0).abs() < 1e-4);

        let texts = ["boundary_axis", "axis 2", "2 axes"];
        let problem = Problem::<f32, 2>::new(&grid).boundary_axis(2, Boundary::Periodic);
        assert_names(Multigrid::new(queue, &problem), &texts);
        assert_names(problem.operator(), &texts);
        assert_names(problem.right_hand_side(0.0, 1.0), &texts);
        assert_names(problem.continued(array(queue, [5, 6])).collect(), &texts);
    });
}
