//! Golden kernels: the kernels for sparse matrices on each recorded device, compared with the files in `golden`.
//!
//! Matrices come from the host, because recorded devices run no kernels and so convert nothing.
#![allow(clippy::semicolon_if_nothing_returned)] // the last expression of a case may or may not return a value

use cl_algo::math::sin;
use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_core::{Error, Result};
use cl_sparse::solve::{BiCgStab, Cg, Chebyshev, Gmres, Jacobi, Method, SolveError, Solver};
use cl_sparse::{Csr, Ell, HostCsr, Hybrid, InvalidMatrix, Sell, add, generate};
use cl_test::golden::{Case, check, check_devices, without_case};
use cl_test::golden_cases;

fn refused(error: InvalidMatrix) -> Error {
    Error::invalid_input("matrix", error.to_string())
}

/// Returns the matrix of a grid of 100 x 100 points, whose rows have at most five entries.
fn stencil<T: Number>(queue: &Queue, centre: T, side: T) -> Result<Csr<T>> {
    Csr::new(queue, &generate::five_point([100, 100], centre, side).map_err(refused)?)
}

/// Returns a matrix whose rows have 40 entries.
fn band(queue: &Queue) -> Result<Csr<f32>> {
    Csr::new(queue, &generate::banded(1000, 1000, 20, 19, |_, _| 1.0).map_err(refused)?)
}

/// Returns a matrix whose rows have one entry, except the last one, which has entries in all columns.
fn uneven(queue: &Queue) -> Result<Csr<f32>> {
    let (rows, columns) = (2000_u32, 5000);
    let offsets = (0..rows).chain([rows - 1 + columns]).collect();
    let indices = (0..rows - 1).chain(0..columns).collect();
    let values = vec![1.0; (rows - 1 + columns) as usize];
    let host = HostCsr::new(rows as usize, columns as usize, offsets, indices, values);
    Csr::new(queue, &host.map_err(refused)?)
}

fn vector<T: Element>(queue: &Queue, value: T, len: usize) -> Result<DeviceVec<T>> {
    DeviceVec::filled(queue, value, len)
}

/// The number of points of the stencil's grid.
const POINTS: usize = 10_000;

/// Compiles the kernels of a solver. Ignores its result, because nothing is computed.
fn solve<M: Method<f32>>(queue: &Queue, solver: Solver<'_, f32, M>) -> Result<()> {
    let a = stencil(queue, 4.0_f32, -1.0)?;
    let (b, mut x) = (vector(queue, 1.0_f32, POINTS)?, vector(queue, 0.0_f32, POINTS)?);
    match solver.iteration_limit(3).solve(&a, &b, &mut x) {
        Err(SolveError::Failed(error)) => Err(error),
        _ => Ok(()),
    }
}

const CASES: &[Case] = golden_cases! {
    "product, short rows, f32": |q| (&stencil(q, 4.0_f32, -1.0)? * &vector(q, 1.0_f32, POINTS)?).collect()?;
    "product, short rows, f64": |q| (&stencil(q, 4.0_f64, -1.0)? * &vector(q, 1.0_f64, POINTS)?).collect()?;
    "product, short rows, i32": |q| (&stencil(q, 4_i32, -1)? * &vector(q, 1_i32, POINTS)?).collect()?;
    "product, short rows, complex": |q| {
        let (a, x) = (stencil(q, Complex::new(4.0_f32, 1.0), I)?, vector(q, I, POINTS)?);
        (&a * &x).collect()?
    };
    "product, longer rows": |q| (&band(q)? * &vector(q, 1.0_f32, 1000)?).collect()?;
    "product, uneven rows": |q| (&uneven(q)? * &vector(q, 1.0_f32, 5000)?).collect()?;
    "product within an expression": |q| {
        let (a, u, f) = (stencil(q, 4.0_f32, -1.0)?, vector(q, 1.0_f32, POINTS)?, vector(q, 1.0_f32, POINTS)?);
        (&f - 2.0 * (&a * sin(&u))).collect()?
    };
    "product, summed": |q| (&stencil(q, 4.0_f32, -1.0)? * &vector(q, 1.0_f32, POINTS)?).sum()?;
    "product, uneven rows, within an expression": |q| {
        let (a, u, f) = (uneven(q)?, vector(q, 1.0_f32, 5000)?, vector(q, 1.0_f32, 2000)?);
        (&f - &a * &u).collect()?
    };
    "product over another semiring": |q| {
        let (a, x) = (stencil(q, 1.0_f32, 2.0)?, vector(q, 1.0_f32, POINTS)?);
        a.times_with(&x, f32::INFINITY, |a, x| a + x, Val::min).collect()?
    };
    "product with eight vectors": |q| stencil(q, 4.0_f32, -1.0)?.multiply_many(8, &vector(q, 1.0_f32, 8 * POINTS)?)?;
    "product with three vectors, uneven rows": |q| uneven(q)?.multiply_many(3, &vector(q, 1.0_f32, 3 * 5000)?)?;
    "ELL": |q| {
        let a = Ell::new(&stencil(q, 4.0_f32, -1.0)?)?;
        (&a * &vector(q, 1.0_f32, POINTS)?).collect()?
    };
    "sliced ELL": |q| {
        let a = Sell::new(&band(q)?, 32, 256)?;
        (&a * &vector(q, 1.0_f32, 1000)?).collect()?
    };
    "hybrid": |q| {
        let a = Hybrid::new(&uneven(q)?, 2)?;
        (&a * &vector(q, 1.0_f32, 5000)?).collect()?
    };
    "coordinates": |q| {
        let a = stencil(q, 4.0_f32, -1.0)?.to_coo()?;
        (&a * &vector(q, 1.0_f32, POINTS)?).collect()?
    };
    "the form in which products are fastest": |q| {
        let a = stencil(q, 4.0_f32, -1.0)?.optimize()?;
        (&a * &vector(q, 1.0_f32, POINTS)?).collect()?
    };
    "transpose": |q| stencil(q, 4.0_f32, -1.0)?.transposed()?;
    "product with the transpose": |q| {
        let (a, x) = (stencil(q, 4.0_f32, -1.0)?, vector(q, 1.0_f32, POINTS)?);
        a.times_transposed(&x)?.collect()?
    };
    "sum of two matrices": |q| add(2.0, &stencil(q, 4.0_f32, -1.0)?, -1.0, &stencil(q, 1.0_f32, 1.0)?)?;
    "diagonal": |q| stencil(q, 4.0_f32, -1.0)?.diagonal()?;
    "sums of rows": |q| stencil(q, 4.0_f32, -1.0)?.row_sums().collect()?;
    "norms": |q| {
        let a = stencil(q, 4.0_f32, -1.0)?;
        (a.norm_one()?, a.norm_infinity()?, a.norm_frobenius()?)
    };
    "scaled rows": |q| stencil(q, 4.0_f32, -1.0)?.scale_rows(&vector(q, 2.0_f32, POINTS)?)?;
    "sorted rows": |q| band(q)?.sorted()?;
    "conjugate gradients": |q| solve(q, Cg::new())?;
    "conjugate gradients, Jacobi": |q| solve(q, Cg::new().preconditioner(&Jacobi::new(&vector(q, 4.0_f32, POINTS)?)?))?;
    "conjugate gradients, Chebyshev": |q| {
        let a = stencil(q, 4.0_f32, -1.0)?;
        solve(q, Cg::new().preconditioner(&Chebyshev::with_bounds(&a, (0.1, 8.0), 3)?))?
    };
    "BiCGStab": |q| solve(q, BiCgStab::new())?;
    "GMRES": |q| solve(q, Gmres::new().restart(5))?;
};

const I: Complex<f32> = Complex::new(0.0, 1.0);

const TEXTS: &[(&str, &str)] = &[
    ("nvidia-h200", "product, short rows, f32"),
    ("nvidia-h200", "product, longer rows"),
    ("pocl-2-cores", "product, short rows, f32"),
];

#[test]
fn golden_kernels_are_those_that_are_kept() {
    let package = env!("CARGO_MANIFEST_DIR");
    let texts = check(package, env!("CARGO_TARGET_TMPDIR"), CASES, TEXTS);
    // Products of sliced matrices use this kernel only if there are entries, and counting them needs a kernel that
    // runs.
    assert_eq!(without_case(package, &texts), ["row_sell"], "kernels without a case");
}

#[test]
#[ignore = "needs a device that resembles a recorded one: `./run golden` of a bundle"]
fn golden_kernels_are_those_of_this_machines_devices() {
    check_devices(CASES);
}
