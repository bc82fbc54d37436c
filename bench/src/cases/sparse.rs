//! Products of sparse matrices with vectors, and a solver's iterations; elements are rows.

use crate::Failure;
use crate::timing::Step;
use cl_algo::prelude::*;
use cl_core::Error;
use cl_random::{Engine, Philox4x32};
use cl_sparse::solve::{Cg, SolveError, Tolerance};
use cl_sparse::{Csr, HostCsr, generate};

/// A matrix of about so many rows.
type Make = fn(usize) -> Result<HostCsr<f64>, Failure>;

/// Numbers of the matrices and the vector are whole and small, so that `f32` is exact, too.
fn whole(i: usize) -> f64 {
    (i % 7) as f64 - 3.0
}

/// The five-point stencil on a square grid.
fn poisson(rows: usize) -> Result<HostCsr<f64>, Failure> {
    let edge = rows.isqrt();
    Ok(generate::five_point([edge, edge], 4.0, -1.0)?)
}

/// 32 entries anywhere in each row.
fn random(rows: usize) -> Result<HostCsr<f64>, Failure> {
    let mut rng = Philox4x32::<10>::new(20_261_122).rng();
    let sign = |rng: &mut _| if generate::unit_f32(rng) < 0.5 { -1.0 } else { 1.0 };
    Ok(generate::uniform(rows, rows, 32, &mut rng, sign)?)
}

/// Rows of 8 entries or more, 29 on average, the longest with a tenth of all columns.
fn power_law(rows: usize) -> Result<HostCsr<f64>, Failure> {
    let mut rng = Philox4x32::<10>::new(20_261_122).rng();
    let law =
        generate::PowerLaw { shortest: 8.min(rows), longest: (rows / 9).max(8).min(rows), exponent: 2.3 };
    Ok(generate::power_law(rows, rows, law, &mut rng, |_| 1.0)?)
}

/// Numbers that whole ones of a few digits can become.
pub(super) trait Narrow: Number + PartialEq + std::fmt::Debug {
    fn narrow(value: f64) -> Self;
}

impl Narrow for f32 {
    fn narrow(value: f64) -> f32 {
        value as f32
    }
}

impl Narrow for f64 {
    fn narrow(value: f64) -> f64 {
        value
    }
}

fn product<T: Narrow>(queue: &Queue, n: usize, make: Make, optimized: bool) -> Result<Step, Failure> {
    let host = make(n)?;
    let numbers: Vec<f64> = (0..host.columns()).map(whole).collect();
    let expected = host.multiply(&numbers)?.into_iter().map(T::narrow);
    let a: Csr<T> = Csr::new(queue, &host.map(|&value| T::narrow(value)))?;
    let x = DeviceVec::from_fn(queue, numbers.len(), |i| T::narrow(whole(i)))?;
    let y = DeviceVec::filled(queue, T::narrow(0.0), host.rows())?;
    if optimized {
        let a = a.optimize()?;
        return super::into_vector(y, expected, move |y| a.multiply_into(y, &x));
    }
    super::into_vector(y, expected, move |y| a.multiply_into(y, &x))
}

macro_rules! products {
    ($($name:ident = $make:ident, $optimized:literal;)*) => {$(
        pub(super) fn $name<T: Narrow>(queue: &Queue, n: usize) -> Result<Step, Failure> {
            product::<T>(queue, n, $make, $optimized)
        }
    )*};
}

products! {
    of_poisson = poisson, false;
    of_poisson_optimized = poisson, true;
    of_random = random, false;
    of_random_optimized = random, true;
    of_power_law = power_law, false;
    of_power_law_optimized = power_law, true;
}

/// Iterations of a solver that are timed together.
const ITERATIONS: usize = 50;

/// So many iterations of conjugate gradients for the seven-point stencil on a cube.
pub(super) fn conjugate_gradients(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let edge = (n as f64).cbrt().round() as usize;
    let a: Csr<f64> = Csr::new(queue, &generate::seven_point([edge; 3], 6.0, -1.0)?)?;
    let b = DeviceVec::from_fn(queue, a.rows(), whole)?;
    let mut x = DeviceVec::filled(queue, 0.0, a.rows())?;
    let mut solver =
        Cg::new().tolerance(Tolerance::Absolute(0.0)).iteration_limit(ITERATIONS).check_every(ITERATIONS);
    let size = (&b * &b).sum()?.sqrt();
    let mut iterate = move || {
        x.assign(constant(0.0).take(b.len()))?;
        match solver.solve(&a, &b, &mut x) {
            Err(SolveError::NotConverged(report)) => Ok(report.residual),
            Err(SolveError::Failed(error)) => Err(error),
            other => Err(Error::InvalidInput { what: "system", reason: format!("{other:?}") }),
        }
    };
    let residual = iterate()?;
    // A NaN is wrong, too.
    if residual < size {
        return Ok(Box::new(move || iterate().map(drop)));
    }
    Err(format!("wrong result: a residual of {residual:e}, which began as {size:e}").into())
}
