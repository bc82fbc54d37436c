//! Driver calls of solvers: none for invalid systems, a few launches for each iteration, few waits, and no allocations
//! after the first run.
#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of tests may stop at the first surprise

use crate::solver_systems::{Matrix, Opaque, noise, upload};
use cl_algo::DeviceProfile;
use cl_algo::prelude::*;
use cl_sparse::solve::{
    BiCgStab, Cg, Chebyshev, Gmres, Jacobi, LinearOperator, Method, Preconditioner, SolveError, Solver,
    Tolerance, from_fn,
};
use cl_test::counting::{self, Calls};
use std::cell::Cell;

fn count_of(calls: &Calls, name: &str) -> u64 {
    calls.get(name).copied().unwrap_or(0)
}

fn launches(calls: &Calls) -> u64 {
    count_of(calls, "clEnqueueNDRangeKernel")
}

/// Solves a system that does not converge, and returns the driver calls.
fn calls_of<M: Method<f32>>(
    counter: &counting::Exclusive,
    solver: &mut Solver<'_, f32, M>,
    a: &dyn LinearOperator<f32>,
    b: &DeviceVec<f32>,
) -> Calls {
    let mut x = upload::<f32>(b.queue(), &vec![0.0; b.len()]);
    counter.calls_during(|| {
        let result = solver.solve(a, b, &mut x);
        assert!(matches!(result, Err(SolveError::NotConverged(_))), "{result:?}");
    })
}

/// Returns the launches of an iteration, and checks that there are only launches and a few reads of the state.
fn launches_of_an_iteration<M: Method<f32>>(
    counter: &counting::Exclusive,
    new: impl Fn() -> Solver<'static, f32, M>,
    a: &dyn LinearOperator<f32>,
    b: &DeviceVec<f32>,
) -> u64 {
    let run = |limit: usize| {
        let mut solver = new().tolerance(Tolerance::Absolute(0.0)).iteration_limit(limit).check_every(10);
        let first = calls_of(counter, &mut solver, a, b);
        // A program that fails to build would be released, and built in another way.
        assert_eq!(count_of(&first, "clReleaseProgram"), 0, "{first:?}");
        let calls = calls_of(counter, &mut solver, a, b);
        for absent in [
            "clCreateBuffer",
            "clReleaseMemObject",
            "clCreateKernel",
            "clBuildProgram",
            "clEnqueueFillBuffer",
        ] {
            assert_eq!(count_of(&calls, absent), 0, "{absent} {calls:?}");
        }
        assert!(count_of(&calls, "clFinish") <= 1, "{calls:?}");
        // One read at the start, one at the end, and one for the residual that an error reports.
        let looks = count_of(&calls, "clEnqueueReadBuffer");
        assert!(looks <= 3 + limit.div_ceil(10) as u64, "{calls:?}");
        launches(&calls)
    };
    let (few, many) = (run(20), run(40));
    assert_eq!((many - few) % 20, 0);
    (many - few) / 20
}

#[test]
fn few_launches_and_no_memory() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let profile = DeviceProfile::of(&device).unwrap();
        // Other drivers add a check to each product.
        if !cl_test::offers(&device, "loops of any length", Ok(profile.loop_steps.is_none())) {
            continue;
        }
        let queue = Queue::on(&device).unwrap();
        // Without a fence among work-groups each step with sums takes two launches.
        let twice = u64::from(profile.fence.is_none());
        let matrix = Matrix::symmetric(1000);
        let a = matrix.operator::<f32>(&queue);
        let b = upload::<f32>(&queue, &noise(1000));
        assert_eq!(launches_of_an_iteration(&counter, Cg::new, &a, &b), 3 + 2 * twice);
        assert_eq!(launches_of_an_iteration(&counter, Cg::new, &Opaque(&a), &b), 4 + 2 * twice);
        assert_eq!(launches_of_an_iteration(&counter, BiCgStab::new, &a, &b), 5 + 4 * twice);
        let gmres = || Gmres::new().restart(10);
        // A cycle has 3 more launches at its end.
        let mut solver = gmres().tolerance(Tolerance::Absolute(0.0)).iteration_limit(10);
        calls_of(&counter, &mut solver, &a, &b);
        let one = launches(&calls_of(&counter, &mut solver, &a, &b));
        let mut solver = gmres().tolerance(Tolerance::Absolute(0.0)).iteration_limit(30);
        calls_of(&counter, &mut solver, &a, &b);
        let calls = calls_of(&counter, &mut solver, &a, &b);
        assert_eq!(launches(&calls) - one, 2 * (10 * (6 + 4 * twice) + 3 + twice), "{calls:?}");
        assert_eq!(count_of(&calls, "clCreateBuffer"), 0, "{calls:?}");
        // Preconditioners keep their memory, too.
        let chebyshev = Chebyshev::with_bounds(&a, (0.5, 9.0), 3).unwrap();
        let mut solver =
            Cg::new().preconditioner(&chebyshev).tolerance(Tolerance::Absolute(0.0)).iteration_limit(5);
        calls_of(&counter, &mut solver, &a, &b);
        let calls = calls_of(&counter, &mut solver, &a, &b);
        assert_eq!(count_of(&calls, "clCreateBuffer"), 0, "{calls:?}");
    }
}

/// An operator that counts how often it is asked for its product's expression.
struct Counted<A>(A, Cell<u32>);

impl<A: LinearOperator<f32>> LinearOperator<f32> for Counted<A> {
    fn rows(&self) -> usize {
        self.0.rows()
    }

    fn columns(&self) -> usize {
        self.0.columns()
    }

    fn apply(&self, x: &DeviceVec<f32>, y: &mut DeviceVec<f32>) -> cl_core::Result<()> {
        self.0.apply(x, y)
    }

    fn product<'a>(&'a self, x: &'a DeviceVec<f32>) -> Option<Expr<'a, f32>> {
        self.1.set(self.1.get() + 1);
        self.0.product(x)
    }
}

/// The expressions of products are built once for the iterations between two reads of the state.
#[test]
fn iterations_share_expressions() {
    fn asked<M: Method<f32>>(queue: &Queue, solver: Solver<'_, f32, M>) -> u32 {
        let a = Counted(Matrix::symmetric(1000).operator::<f32>(queue), Cell::new(0));
        let (b, mut x) = (upload::<f32>(queue, &noise(1000)), upload::<f32>(queue, &vec![0.0; 1000]));
        let mut solver = solver.tolerance(Tolerance::Absolute(0.0)).iteration_limit(40).check_every(20);
        // The residual may or may not reach zero. Only the calls matter here.
        let _ = solver.solve(&a, &b, &mut x);
        a.1.get()
    }
    for device in cl_test::devices() {
        let queue = Queue::on(&device).unwrap();
        // Also once for the first residual, and once for the residual that the error reports.
        assert_eq!(asked(&queue, Cg::new()), 2 + 2);
        assert_eq!(asked(&queue, BiCgStab::new()), 2 + 2 * 2);
    }
}

#[test]
fn systems_that_are_none_do_not_reach_the_driver() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let matrix = Matrix::symmetric(10);
        let a = matrix.operator::<f32>(&queue);
        let [b, mut x] = [0, 0].map(|_| upload::<f32>(&queue, &noise(10)));
        let [short, mut small] = [0, 0].map(|_| upload::<f32>(&queue, &noise(9)));
        let jacobi = Jacobi::new(&short).unwrap();
        let wide = from_fn(10, 9, |x: Expr<'_, f32>| x);
        let refused = |words: &[&str], solve: &mut dyn FnMut() -> Result<(), SolveError>| {
            let mut result = Ok(());
            let calls = counter.calls_during(|| result = solve());
            let error = result.expect_err("this was to be refused");
            assert!(matches!(&error, SolveError::Failed(_)) && error.report().is_none());
            let text = error.to_string();
            assert!(words.iter().all(|word| text.contains(word)), "{text}, without some of {words:?}");
            assert!(calls.is_empty(), "{text}: {calls:?}");
        };
        refused(&["operator", "10", "9"], &mut || Cg::new().solve(&wide, &b, &mut x).map(drop));
        refused(&["right-hand side", "10", "9"], &mut || Cg::new().solve(&a, &short, &mut x).map(drop));
        refused(&["solution", "10", "9"], &mut || BiCgStab::new().solve(&a, &b, &mut small).map(drop));
        refused(&["preconditioner", "10", "9"], &mut || {
            Gmres::new().preconditioner(&jacobi).solve(&a, &b, &mut x).map(drop)
        });
        refused(&["restart", "0"], &mut || Gmres::new().restart(0).solve(&a, &b, &mut x).map(drop));
        refused(&["restart", "5000"], &mut || Gmres::new().restart(5000).solve(&a, &b, &mut x).map(drop));
        refused(&["check_every"], &mut || Cg::new().check_every(0).solve(&a, &b, &mut x).map(drop));
        for bad in
            [Tolerance::Relative(-1.0), Tolerance::Absolute(f64::NAN), Tolerance::Absolute(f64::INFINITY)]
        {
            refused(&["tolerance"], &mut || Cg::new().tolerance(bad).solve(&a, &b, &mut x).map(drop));
        }
        // A right-hand side with a deferred error.
        let mistake = || &b + short.iter();
        refused(&["lengths"], &mut || Cg::new().solve(&a, mistake(), &mut x).map(drop));
        let refused = |words: &[&str], make: &mut dyn FnMut() -> cl_core::Result<()>| {
            refused(words, &mut || make().map_err(SolveError::from));
        };
        for bounds in [(0.0, 1.0), (2.0, 1.0), (-1.0, 1.0), (1.0, f64::INFINITY), (f64::NAN, 1.0)] {
            refused(&["bounds"], &mut || Chebyshev::with_bounds(&a, bounds, 2).map(drop));
        }
        refused(&["steps"], &mut || Chebyshev::new(&a, &queue, 0).map(drop));
        refused(&["Chebyshev", "10", "9"], &mut || Chebyshev::new(&wide, &queue, 2).map(drop));
        // An operator whose result has another length than it announces.
        let liar = from_fn(10, 10, |x: Expr<'_, f32>| x.slice(1..));
        let result = Cg::new().solve(&liar, &b, &mut x);
        assert!(result.unwrap_err().to_string().contains("9"));
        // Other operators and preconditioners that replace vectors or announce a wrong size.
        let swap = |v: &mut DeviceVec<f32>| *v = upload(&queue, &noise(9));
        let mut cg = Cg::new().tolerance(Tolerance::Relative(1e-3));
        for _ in 0..2 {
            let error = cg.solve(&Swaps(&swap), &b, &mut x).unwrap_err();
            assert!(error.to_string().contains("10 and 9"), "{error}");
        }
        cg.solve(&a, &b, &mut x).unwrap();
        for wrong in [Wrong::Factors(upload(&queue, &noise(9))), Wrong::Swaps(&swap)] {
            let error = Cg::new().preconditioner(&wrong).solve(&a, &b, &mut x).unwrap_err();
            assert!(error.to_string().contains("10 and 9"), "{error}");
        }
        // Vectors of another queue.
        let other = Queue::on(&device).unwrap();
        let foreign = upload::<f32>(&other, &noise(10));
        assert!(matches!(Cg::new().solve(&a, &foreign, &mut x), Err(SolveError::Failed(_))));
        // The solver's own vectors are unchanged after all these errors.
        Cg::new().tolerance(Tolerance::Relative(1e-3)).solve(&a, &b, &mut x).unwrap();
    }
}

/// An operator that replaces the vector that it is given.
struct Swaps<'s>(&'s dyn Fn(&mut DeviceVec<f32>));

impl LinearOperator<f32> for Swaps<'_> {
    fn rows(&self) -> usize {
        10
    }

    fn columns(&self) -> usize {
        10
    }

    fn apply(&self, _: &DeviceVec<f32>, y: &mut DeviceVec<f32>) -> cl_core::Result<()> {
        self.0(y);
        Ok(())
    }
}

/// Preconditioners with another size than they announce.
enum Wrong<'s> {
    Factors(DeviceVec<f32>),
    Swaps(&'s dyn Fn(&mut DeviceVec<f32>)),
}

impl Preconditioner<f32> for Wrong<'_> {
    fn size(&self) -> Option<usize> {
        Some(10)
    }

    fn apply(&self, _: &DeviceVec<f32>, z: &mut DeviceVec<f32>) -> cl_core::Result<()> {
        if let Wrong::Swaps(swap) = self {
            swap(z);
        }
        Ok(())
    }

    fn factors(&self) -> Option<Expr<'_, f32>> {
        if let Wrong::Factors(factors) = self { Some(factors.iter()) } else { None }
    }
}
