//! Golden kernels: the kernels of factorisations, batches and rotations on each recorded device, compared with the files
//! in `golden`.
//!
//! Factorisations run on the device, where all of their kernels are. Recorded devices run no kernels, so each matrix
//! looks singular: errors of numbers are ignored.
#![allow(clippy::semicolon_if_nothing_returned)] // the last expression of a case may or may not return a value

use cl_algo::num_complex::Complex;
use cl_core::Result;
use cl_linalg::prelude::*;
use cl_linalg::{Error, FactorSettings, RunsOn, Spectra};
use cl_test::golden::{Case, check, check_devices, without_case};
use cl_test::golden_cases;

/// Returns the error of the driver or of a feature that the device lacks.
fn compiled<R>(result: cl_linalg::Result<R>) -> Result<()> {
    match result {
        Err(Error::Failed(error)) => Err(error),
        _ => Ok(()),
    }
}

fn matrix<T: Scalar>(queue: &Queue, shape: [usize; 2]) -> Result<Array<T, 2>> {
    Array::filled(queue, shape, T::zeroed())
}

fn batch<T: Scalar>(queue: &Queue, rows: usize, columns: usize) -> Result<Array<T, 3>> {
    Array::filled(queue, [1000, rows, columns], T::zeroed())
}

/// Returns settings with panels of 32 columns.
fn settings() -> FactorSettings {
    FactorSettings::new().runs_on(RunsOn::Device).panel(32)
}

fn lu<T: Scalar>(queue: &Queue, rows: usize) -> Result<()> {
    compiled(matrix::<T>(queue, [rows, rows])?.lu_with(&settings()))
}

fn cholesky<T: Scalar>(queue: &Queue, rows: usize) -> Result<()> {
    compiled(matrix::<T>(queue, [rows, rows])?.cholesky_with(&settings()))
}

fn qr<T: Scalar>(queue: &Queue, shape: [usize; 2]) -> Result<()> {
    match matrix::<T>(queue, shape)?.qr_with(&settings()) {
        Ok(qr) => compiled(qr.q()),
        Err(error) => compiled::<()>(Err(error)),
    }
}

fn eigenvalues<T: Scalar>(queue: &Queue, rows: usize) -> Result<()> {
    compiled(Spectra::new().runs_on(RunsOn::Device).eigh(&matrix::<T>(queue, [rows, rows])?))
}

type Complex32 = Complex<f32>;

const CASES: &[Case] = golden_cases! {
    "LU, one panel, f32": |q| lu::<f32>(q, 32)?;
    "LU, f32": |q| lu::<f32>(q, 200)?;
    "LU, complex": |q| lu::<Complex32>(q, 200)?;
    "Cholesky, one panel, f32": |q| cholesky::<f32>(q, 32)?;
    "Cholesky, f32": |q| cholesky::<f32>(q, 200)?;
    "Cholesky, panels of several squares, f64": |q| {
        compiled(matrix::<f64>(q, [300, 300])?.cholesky_with(&settings().panel(200)))?
    };
    "Cholesky, complex": |q| cholesky::<Complex32>(q, 200)?;
    "QR, one panel, f32": |q| qr::<f32>(q, [300, 32])?;
    "QR, f32": |q| qr::<f32>(q, [300, 200])?;
    "QR, complex f64": |q| qr::<Complex<f64>>(q, [300, 200])?;
    "QR, 3000 rows, f64": |q| qr::<f64>(q, [3000, 40])?;
    "QR, 10000 rows, f64": |q| qr::<f64>(q, [10000, 40])?;
    "triangular system": |q| {
        let (a, mut b) = (matrix::<f32>(q, [32, 32])?, matrix(q, [32, 100])?);
        compiled(a.unit_lower().solve_in_place(1.0, b.view_mut()))?
    };
    "batch, Cholesky, 16 rows, f32": |q| compiled(batch::<f32>(q, 16, 16)?.cholesky())?;
    "batch, Cholesky, 5 rows, complex f64": |q| compiled(batch::<Complex<f64>>(q, 5, 5)?.cholesky())?;
    "batch, LU, 8 rows, f32": |q| compiled(batch::<f32>(q, 8, 8)?.lu())?;
    "batch, LU, 32 rows, f64": |q| compiled(batch::<f64>(q, 32, 32)?.lu())?;
    "batch, QR, 8 rows, 4 columns, f32": |q| compiled(batch::<f32>(q, 8, 4)?.qr())?;
    "batch, solve, 8 rows, 3 columns, f32": |q| compiled(batch::<f32>(q, 8, 8)?.solve(&batch(q, 8, 3)?))?;
    "batch, inverse, 4 rows, complex": |q| compiled(batch::<Complex32>(q, 4, 4)?.inverse())?;
    "batch, determinants, 4 rows, f32": |q| compiled(batch::<f32>(q, 4, 4)?.det())?;
    "batch, solve by Cholesky, 16 rows, f32": |q| match batch::<f32>(q, 16, 16)?.cholesky() {
        Ok(factors) => compiled(factors.solve(&batch(q, 16, 1)?))?,
        Err(error) => compiled::<()>(Err(error))?,
    };
    "eigenvalues, f32": |q| eigenvalues::<f32>(q, 100)?;
    "eigenvalues, complex": |q| eigenvalues::<Complex32>(q, 100)?;
    "singular values, f64": |q| {
        compiled(Spectra::new().runs_on(RunsOn::Device).singular_values(&matrix::<f64>(q, [300, 100])?))?
    };
};

const TEXTS: &[(&str, &str)] = &[
    ("nvidia-h200", "LU, one panel, f32"),
    ("nvidia-h200", "batch, Cholesky, 16 rows, f32"),
    ("pocl-2-cores", "LU, one panel, f32"),
    ("pocl-2-cores", "batch, Cholesky, 16 rows, f32"),
];

#[test]
fn golden_kernels_are_those_that_are_kept() {
    let package = env!("CARGO_MANIFEST_DIR");
    let texts = check(package, env!("CARGO_TARGET_TMPDIR"), CASES, TEXTS);
    assert_eq!(without_case(package, &texts), [""; 0], "kernels without a case");
}

#[test]
#[ignore = "needs a device that resembles a recorded one: `./run golden` of a bundle"]
fn golden_kernels_are_those_of_this_machines_devices() {
    check_devices(CASES);
}
