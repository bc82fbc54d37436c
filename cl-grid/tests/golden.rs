//! Golden kernels: the kernels of formulas on each recorded device, compared with the files in `golden`.
#![allow(clippy::semicolon_if_nothing_returned)] // the last expression of a case may or may not return a value

use cl_core::Result;
use cl_grid::multigrid::{Multigrid, Problem, Smoother};
use cl_grid::prelude::*;
use cl_grid::{GridFloat, Method, RungeKutta};
use cl_test::golden::{Case, check, check_devices};
use cl_test::golden_cases;

const CUBE: [usize; 3] = [70, 80, 90];

fn seven_points<T: GridFloat>() -> Operator<'static, T, 3> {
    Operator::new(|at| {
        let across = at([0, 0, -1]) + at([0, 0, 1]) + at([0, -1, 0]) + at([0, 1, 0]);
        across + at([-1, 0, 0]) + at([1, 0, 0]) - Val::known(T::nearest(6.0)) * at([0; 3])
    })
}

/// How the function inside an operator is kept.
enum Kept {
    AsDecided,
    Again,
    InArray,
    InLayers,
}

/// Evaluates `A(A(f) + g)`.
fn composed<T: GridFloat>(queue: &Queue, kept: Kept) -> Result<()> {
    let zeros = || Array::filled(queue, CUBE, T::zeroed());
    let (f, g, mut h) = (zeros()?, zeros()?, zeros()?);
    let a = seven_points::<T>();
    let inner = a.of(&f) + &g;
    let inner = match kept {
        Kept::AsDecided => inner,
        Kept::Again => inner.inline(),
        Kept::InArray => inner.materialize(),
        Kept::InLayers => inner.in_layers(),
    };
    h.inside(2).assign(a.of(inner))
}

const CASES: &[Case] = golden_cases! {
    "operator of an operator, one kernel, f32": |q| composed::<f32>(q, Kept::Again)?;
    "operator of an operator, temporary, f64": |q| composed::<f64>(q, Kept::InArray)?;
    "operator of an operator, in layers, f32": |q| composed::<f32>(q, Kept::InLayers)?;
    "operator of an operator, in layers, f64": |q| composed::<f64>(q, Kept::InLayers)?;
    "operator of an operator, decided, f32": |q| composed::<f32>(q, Kept::AsDecided)?;
    "borders, 2 axes, f32": |q| {
        let grid = Grid::uniform([200, 300], [0.5, 0.5])?;
        let f = Formula::from(grid.zeros::<f32>(q)?);
        let f = f.border_axis(0, BorderRule::Periodic).border_axis(1, BorderRule::Antisymmetric);
        grid.laplacian().of(f).collect()?
    };
    "diffusion on a stretched axis, f32": |q| {
        let points: Vec<f64> = (0..60).map(|i| f64::from(i * i)).collect();
        let grid = Grid::uniform([40, 60], [0.5, 0.5])?.with_points(1, &points)?;
        let (k, f) = (grid.zeros::<f32>(q)?, grid.zeros::<f32>(q)?);
        grid.diffusion(&k).of(&f).inside(1).collect()?
    };
    "in place, f32": |q| {
        let grid = Grid::uniform(CUBE, [1.0; 3])?;
        let mut f = grid.zeros::<f32>(q)?;
        f.inside(1).assign_with(|f| 2.0 * f + grid.position(1))?
    };
    "norm inside, f32": |q| {
        let grid = Grid::uniform([300, 200], [1.0; 2])?;
        let f = grid.zeros::<f32>(q)?;
        grid.laplacian().of(&f).inside(1).norm()?
    };
    "Runge-Kutta, order 4, f32": |q| {
        let grid = Grid::uniform([300, 200], [1.0; 2])?;
        let mut state = [grid.zeros::<f32>(q)?, grid.zeros(q)?];
        let laplacian = grid.laplacian::<f32>();
        RungeKutta::new(Method::Kutta4, &state)?.step(&mut state, 0.0, 0.1, |_, [u, v]| {
            [v, laplacian.of(u.border(BorderRule::Symmetric))]
        })?
    };
    "multigrid, f32": |q| {
        let problem = Problem::new(&Grid::uniform([60, 65], [1.0; 2])?);
        let mut multigrid = Multigrid::new(q, &problem)?.max_cycles(1);
        multigrid.solve(Formula::from(Array::filled(q, [60, 65], 1.0_f32)?))?
    };
    // The right-hand side of a device that computes nothing is zero, so a solution has no cycle.
    "cycle of multigrid, red-black, f32": |q| {
        let shape = [60, 65];
        let mut multigrid = Multigrid::new(q, &Problem::new(&Grid::uniform(shape, [1.0; 2])?))?;
        multigrid.precondition(Array::filled(q, shape, 1.0_f32)?, &mut Array::zeros(q, shape)?)?
    };
    "cycle of multigrid, Chebyshev, f64": |q| {
        let shape = [16, 17, 18];
        let multigrid = Multigrid::new(q, &Problem::new(&Grid::uniform(shape, [1.0; 3])?))?;
        let mut multigrid = multigrid.smoother(Smoother::Chebyshev);
        multigrid.precondition(Array::filled(q, shape, 1.0_f64)?, &mut Array::zeros(q, shape)?)?
    };
};

const TEXTS: &[(&str, &str)] = &[
    ("nvidia-h200", "operator of an operator, one kernel, f32"),
    ("pocl-2-cores", "operator of an operator, one kernel, f32"),
    ("pocl-2-cores", "operator of an operator, in layers, f32"),
];

#[test]
fn golden_kernels_are_those_that_are_kept() {
    check(env!("CARGO_MANIFEST_DIR"), env!("CARGO_TARGET_TMPDIR"), CASES, TEXTS);
}

#[test]
#[ignore = "needs a device that resembles a recorded one: `./run golden` of a bundle"]
fn golden_kernels_are_those_of_this_machines_devices() {
    check_devices(CASES);
}
