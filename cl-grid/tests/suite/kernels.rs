//! The driver calls of evaluations: the kernels, no transfers, and no other kernel for other shapes and numbers.

use cl_algo::DeviceProfile;
use cl_grid::prelude::*;
use cl_grid::{Method, RungeKutta};
use cl_test::counting::{Calls, devices, exclusive};

fn count_of(calls: &Calls, name: &str) -> u64 {
    calls.get(name).copied().unwrap_or(0)
}

fn launches(calls: &Calls) -> u64 {
    count_of(calls, "clEnqueueNDRangeKernel")
}

/// Returns the number of programs that were made.
fn programs(calls: &Calls) -> u64 {
    count_of(calls, "clCreateProgramWithSource") + count_of(calls, "clCreateProgramWithBinary")
}

/// Asserts that no memory is copied between the host and the device.
#[track_caller]
fn assert_no_transfer(calls: &Calls) {
    for name in ["clEnqueueReadBuffer", "clEnqueueWriteBuffer", "clEnqueueMapBuffer", "clEnqueueCopyBuffer"] {
        assert_eq!(count_of(calls, name), 0, "{name}: {calls:?}");
    }
}

/// Returns two functions and a target of a shape.
fn arrays(queue: &Queue, shape: [usize; 2]) -> [Array<f32, 2>; 3] {
    let f = Array::from_fn(queue, shape, |[i, j]| (i * 3 + j).cast::<f32>()).unwrap();
    let g = Array::from_fn(queue, shape, |[i, j]| (i + 2 * j).cast::<f32>()).unwrap();
    [f, g, Array::filled(queue, shape, 0.5).unwrap()]
}

/// Returns `scale * (3 + A)(f) + A(f - B(g))`.
fn formula<'a>(f: &'a Array<f32, 2>, g: &'a Array<f32, 2>, scale: f32) -> Formula<'a, f32, 2> {
    let shape = f.shape();
    let laplacian = Grid::uniform(shape, [0.5; 2]).unwrap().laplacian::<f32>();
    let ahead = Operator::new(move |at| (at([1, 0]) - at([0, 0])) * scale);
    scale * (3.0 + &laplacian).of(f) + laplacian.of((Formula::from(f) - ahead.of(g)).inline())
}

#[test]
fn a_formula_with_margins_is_one_kernel_for_all_shapes_and_numbers() {
    let counter = exclusive();
    for device in devices() {
        let queue = &Queue::on(&device).unwrap();
        let evaluate = |shape: [usize; 2], margins: [(usize, usize); 2], scale: f32| {
            let [f, g, mut h] = arrays(queue, shape);
            queue.finish().unwrap();
            let calls = counter.calls_during(|| h.inside(margins).assign(formula(&f, &g, scale)).unwrap());
            (calls, h)
        };
        let margins = [(1, 2), (1, 1)];
        // Rows of multiples of 16 elements have kernels of their own, with aligned packs. So have rows of up
        // to 32 elements, which are not much longer than the distance of neighbours in a row, and axes of one point.
        evaluate([40, 50], margins, 2.0);
        evaluate([40, 64], margins, 2.0);
        for (shape, margins, scale) in [
            ([37, 91], margins, 3.5),
            ([7, 41], [(2, 3), (1, 2)], -1.0),
            ([150, 131], [(1, 5), (2, 1)], 0.125),
            ([21, 48], margins, 7.0),
        ] {
            let (calls, h) = evaluate(shape, margins, scale);
            assert_eq!((launches(&calls), programs(&calls)), (1, 0), "{shape:?} {calls:?}");
            assert_no_transfer(&calls);
            assert_eq!(count_of(&calls, "clCreateBuffer"), 0, "{calls:?}");
            // Third differences of linear functions are zero, and so only `3 scale f` is left.
            let f = |i: usize, j: usize| (3 * i + j) as f32;
            for (at, value) in h.to_vec().unwrap().into_iter().enumerate() {
                let (i, j) = (at / shape[1], at % shape[1]);
                let is_inside = (margins[0].0..shape[0] - margins[0].1).contains(&i)
                    && (margins[1].0..shape[1] - margins[1].1).contains(&j);
                let wanted = if is_inside { 3.0 * scale * f(i, j) } else { 0.5 };
                assert_eq!(value, wanted, "{i} {j} of {shape:?}");
            }
        }
    }
}

/// Returns a function whose values take long to compute, after `how`, read at five points.
fn costly<'a>(
    f: &'a Array<f32, 2>,
    how: impl FnOnce(Formula<'a, f32, 2>) -> Formula<'a, f32, 2>,
) -> Formula<'a, f32, 2> {
    let f = (0..20).fold(Formula::from(f) * 0.001, |f, _| f.sin().exp() * 0.001);
    let sum = Operator::new(|at| at([1, 0]) + at([-1, 0]) + at([0, 1]) + at([0, -1]) + at([0, 0]));
    sum.of(how(f))
}

#[test]
fn plans_tell_the_number_of_kernels() {
    let counter = exclusive();
    for device in devices() {
        let queue = &Queue::on(&device).unwrap();
        let [f, _, mut h] = arrays(queue, [300, 400]);
        let mut check = |formula: Formula<'_, f32, 2>, wanted: Option<usize>, name: &str| {
            let plan = formula.plan(queue).unwrap();
            let text = plan.to_string();
            if let Some(wanted) = wanted {
                assert_eq!(plan.temporaries(), wanted, "{name}: {text}");
            }
            assert!(text.starts_with(&format!("{} kernel", plan.temporaries() + 1)), "{text}");
            h.inside(1).assign(&formula).unwrap();
            queue.finish().unwrap();
            let calls = counter.calls_during(|| h.inside(1).assign(&formula).unwrap());
            assert_eq!(launches(&calls), plan.temporaries() as u64 + 1, "{name}: {text} {calls:?}");
            assert_eq!(programs(&calls), 0, "{name}: {calls:?}");
            assert_no_transfer(&calls);
        };
        check(costly(&f, Formula::inline), Some(0), "inline");
        check(costly(&f, Formula::materialize), Some(1), "materialize");
        check(costly(&f, |f| f.materialize().inline().materialize()), None, "both");
        check(costly(&f, |f| f.inline().inline()), Some(0), "inline twice");
        check(costly(&f, Formula::inline).materialize(), Some(0), "the whole formula");
        // A cheap function is computed again; both uses of a clone are one function.
        let cheap = Formula::from(&f) + 1.0;
        let ahead = Operator::new(|at| at([1, 0]) + at([0, 0]));
        check(ahead.of(&cheap) * ahead.of(&cheap), Some(0), "a cheap function");
        let kept = cheap.materialize();
        check(ahead.of(&kept) * ahead.of(&kept), Some(1), "clones are kept once");
        // On a GPU the launch of another kernel takes as long as half a million of these points.
        let [large, ..] = arrays(queue, [1200, 1000]);
        let plan = costly(&large, |f| f).plan(queue).unwrap().to_string();
        assert!(plan.contains("is kept in"), "{plan}");
    }
}

/// Functions in layers on CPUs: one kernel inside, and no layers near borders. Other devices compute the function again.
#[test]
fn layers_take_no_other_kernel() {
    let counter = exclusive();
    for device in devices() {
        let queue = &Queue::on(&device).unwrap();
        let is_cpu = DeviceProfile::of(&device).unwrap().chunked;
        let [f, g, mut h] = arrays(queue, [150, 151]);
        let laplacian = Grid::uniform([150, 151], [1.0; 2]).unwrap().laplacian::<f32>();
        let wanted = if is_cpu { "is kept in layers: `in_layers`" } else { "is computed again: `in_layers`" };
        let f = Formula::from(&f);
        // Layers leave the borders along each axis to a kernel of their own.
        let with_borders = if is_cpu { 3 } else { 1 };
        let cases = [
            (laplacian.of((laplacian.of(&f) + &g).in_layers()), 2, 1),
            (
                laplacian.of((laplacian.of(f.clone().border(BorderRule::Periodic)) + &g).in_layers()),
                1,
                with_borders,
            ),
            (laplacian.of((&f * 2.0 + &g).in_layers().border(BorderRule::Value(2.0))), 1, 1),
            (
                laplacian.of((laplacian.of(f.border(BorderRule::Edge)) * 2.0)
                    .in_layers()
                    .border(BorderRule::Edge)),
                0,
                with_borders,
            ),
        ];
        for (at, (formula, margin, count)) in cases.iter().enumerate() {
            let text = formula.plan(queue).unwrap().to_string();
            assert!(text.contains(wanted), "{at}: {text}");
            let mut evaluate = || h.inside(*margin).assign(formula).unwrap();
            evaluate();
            queue.finish().unwrap();
            let calls = counter.calls_during(evaluate);
            assert_eq!((launches(&calls), programs(&calls)), (*count, 0), "{at}: {calls:?}");
            assert_no_transfer(&calls);
        }
        // Reductions and updates in place have no layers.
        let formula = &cases[0].0;
        let sum = counter.calls_during(|| assert_eq!(formula.inside(2).sum().unwrap(), 0.0));
        assert!(launches(&sum) <= 2, "{sum:?}");
        h.inside(2).assign_with(|own| own + formula).unwrap();
        // Small grids have one kernel for all points, borders included.
        let [small, ..] = arrays(queue, [100, 101]);
        let laplacian = Grid::uniform([100, 101], [1.0; 2]).unwrap().laplacian::<f32>();
        let bordered = (Formula::from(&small) * 2.0).in_layers().border(BorderRule::Value(2.0));
        let plan = laplacian.of(bordered).plan(queue).unwrap().to_string();
        assert!(plan.contains("is computed again: `in_layers`"), "{plan}");
    }
}

#[test]
fn borders_have_no_kernel_of_their_own() {
    let counter = exclusive();
    for device in devices() {
        let queue = &Queue::on(&device).unwrap();
        for (shape, margins) in [([150, 151], 0), ([100, 101], 0), ([150, 151], 1)] {
            let [f, _, mut h] = arrays(queue, shape);
            let laplacian = Grid::uniform(shape, [1.0; 2]).unwrap().laplacian::<f32>();
            let formula = laplacian.of(Formula::from(&f).border(BorderRule::Periodic));
            h.inside(margins).assign(&formula).unwrap();
            queue.finish().unwrap();
            let calls = counter.calls_during(|| h.inside(margins).assign(&formula).unwrap());
            assert_eq!((launches(&calls), programs(&calls)), (1, 0), "{shape:?} {calls:?}");
            assert_no_transfer(&calls);
            if shape == [100, 101] {
                let sum = counter.calls_during(|| assert!(formula.sum().unwrap().abs() < 1.0));
                // Reductions evaluate all points in one pass, and read back the result.
                assert!(launches(&sum) <= 2, "{sum:?}");
            }
        }
    }
}

/// Two functions with borders, each of which reads the other: their values are those of each on its own.
#[test]
fn a_system_is_one_kernel() {
    let counter = exclusive();
    for device in devices() {
        let queue = &Queue::on(&device).unwrap();
        // A box of one point along each axis; boxes shorter than a pack; rows with packs and a rest.
        for shape in [[3, 3], [4, 17], [19, 91]] {
            let [f, g, mut next_f] = arrays(queue, shape);
            let mut next_g = Array::filled(queue, shape, 0.5).unwrap();
            let around = Operator::new(|at| at([-1, 0]) + at([1, 0]) + at([0, -1]) + at([0, 1]));
            let [around_f, around_g] = [(&f, BorderRule::Periodic), (&g, BorderRule::Value(2.0))]
                .map(|(of, rule)| around.of(Formula::from(of).border(rule)));
            let product = Formula::from(&f) * &g;
            let system = [around_f + &product, around_g - product];
            let wanted = system.each_ref().map(|function| function.to_vec().unwrap());
            let mut assign =
                || [&mut next_f, &mut next_g].whole().assign(system.each_ref().map(Formula::clone)).unwrap();
            assign();
            let calls = counter.calls_during(&mut assign);
            assert_eq!((launches(&calls), programs(&calls)), (1, 0), "{shape:?} {calls:?}");
            assert_no_transfer(&calls);
            assert_eq!([&next_f, &next_g].map(|values| values.to_vec().unwrap()), wanted, "{shape:?}");
            // A part: the values outside of it stay.
            let [mut part_f, mut part_g] =
                [1.5, 2.5].map(|value| Array::filled(queue, shape, value).unwrap());
            [&mut part_f, &mut part_g].inside([(1, 0), (0, 1)]).assign(system).unwrap();
            for ((part, wanted), rest) in [part_f, part_g].iter().zip(&wanted).zip([1.5, 2.5]) {
                for (at, value) in part.to_vec().unwrap().into_iter().enumerate() {
                    let is_inside = at / shape[1] > 0 && at % shape[1] + 1 < shape[1];
                    assert_eq!(value, if is_inside { wanted[at] } else { rest }, "{at} of {shape:?}");
                }
            }
        }
    }
}

#[test]
fn a_stage_of_a_system_is_one_kernel() {
    let counter = exclusive();
    for device in devices() {
        let queue = &Queue::on(&device).unwrap();
        let mut state = [1.0_f32, 2.0].map(|value| Array::filled(queue, [5, 6], value).unwrap());
        let mut heun = RungeKutta::new(Method::Heun, &state).unwrap();
        let mut step = || heun.step(&mut state, 0.0, 0.5, |_, [u, v]| [v.clone() * 1.0, -u]).unwrap();
        step();
        let calls = counter.calls_during(&mut step);
        assert_eq!((launches(&calls), programs(&calls)), (2, 0), "{calls:?}");
    }
}

#[test]
fn formulas_call_no_driver_before_their_evaluation() {
    let counter = exclusive();
    for device in devices() {
        let queue = &Queue::on(&device).unwrap();
        let [f, g, mut h] = arrays(queue, [40, 50]);
        let points: Vec<f64> = (0..50).map(|at| f64::from(at).powf(1.1)).collect();
        let grid = Grid::uniform([40, 50], [0.5; 2]).unwrap().with_points(1, &points).unwrap();
        let mut built = Vec::new();
        let calls = counter.calls_during(|| {
            let bordered = Formula::from(&f).border(BorderRule::Function(grid.function(|[x, y]| x * y)));
            built.push(formula(&f, &g, 2.0) + grid.laplacian().of(bordered));
            built.push(grid.diffusion(&g).of(&f) + grid.upwind(0, &f).unwrap().of(&g).materialize());
            built.push(grid.divergence([&f, &g]).unwrap() + grid.position(1));
            // Refused, and assigned to no points.
            h.inside(0).assign(&built[0]).unwrap_err();
            h.inside(50).assign(&built[1]).unwrap();
            h.inside(50).assign_with(|own| own + &f).unwrap();
            built[2].sum().unwrap_err();
        });
        assert!(calls.is_empty(), "{calls:?}");
        // The tables of stretched axes are copied to the device once.
        let sum = built.into_iter().reduce(|sum, formula| sum + formula).unwrap();
        h.inside([(1, 2), (1, 1)]).assign(&sum).unwrap();
        queue.finish().unwrap();
        let calls = counter.calls_during(|| h.inside([(1, 2), (1, 1)]).assign(&sum).unwrap());
        assert_no_transfer(&calls);
        assert_eq!((launches(&calls), programs(&calls)), (2, 0), "{calls:?}");
    }
}
