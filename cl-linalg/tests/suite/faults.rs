//! Every driver call of factorisations, solves, batches, spectra and iterations fails once, with seven error codes in
//! turns. The result is always an error of the right kind, without a panic or a leak, and the next call succeeds.
//! `cl_test::sweep` describes the checks. Each row below is an operation whose kernels are all compiled.

use cl_core::Result;
use cl_linalg::prelude::*;
use cl_linalg::{Error, FactorSettings, Half, Lanczos, PowerIteration, RunsOn, Spectra, add_matmul_half};
use cl_test::faults::exclusive;
use cl_test::known_faults;
use cl_test::sweep::{Bench, Operation, Run, failures, lies, run};

/// The number of rows. There are two panels of two columns each.
const ROWS: usize = 4;

/// Returns element (i, j) of a symmetric positive definite matrix.
fn number(i: usize, j: usize) -> f32 {
    if i == j { 6.0 } else { 1.0 / (1 + i.abs_diff(j)) as f32 }
}

/// Returns the first columns of the matrix.
fn matrix(bench: &Bench, columns: usize) -> Array<f32, 2> {
    let items: Vec<f32> = (0..ROWS * columns).map(|at| number(at / columns, at % columns)).collect();
    Array::from_slice(&bench.queue, [ROWS, columns], &items).unwrap()
}

/// Returns the sums of the first columns: the product with a vector of ones.
fn sums(bench: &Bench, columns: usize) -> Array<f32, 1> {
    let items: Vec<f32> = (0..ROWS).map(|i| (0..columns).map(|j| number(i, j)).sum()).collect();
    Array::from_slice(&bench.queue, [ROWS], &items).unwrap()
}

/// Returns an error of the driver, and panics for other errors.
fn driver<R>(result: cl_linalg::Result<R>) -> Result<R> {
    result.map_err(|error| match error {
        Error::Failed(error) => error,
        other => panic!("{other}"),
    })
}

#[track_caller]
fn assert_near(items: &[f32], wanted: impl IntoIterator<Item = f32>) {
    let wanted: Vec<f32> = wanted.into_iter().collect();
    let is_near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-4;
    assert!(
        items.len() == wanted.len() && items.iter().zip(&wanted).all(is_near),
        "{items:?} and {wanted:?}"
    );
}

/// Asserts that all unknowns are one.
#[track_caller]
fn assert_ones(x: &Array<f32, 1>) -> Result<()> {
    let items = x.to_vec()?;
    assert_near(&items, vec![1.0; items.len()]);
    Ok(())
}

/// Returns the matrix, its first three columns, and the right-hand sides of both.
fn systems(bench: &Bench) -> [(Array<f32, 2>, Array<f32, 1>); 2] {
    [ROWS, 3].map(|columns| (matrix(bench, columns), sums(bench, columns)))
}

fn settings(runs_on: RunsOn) -> FactorSettings {
    FactorSettings::new().runs_on(runs_on).panel(2)
}

fn lu(bench: &Bench, runs_on: RunsOn) -> Option<Run<'_>> {
    let [(a, b), _] = systems(bench);
    run(move || {
        let lu = driver(a.lu_with(&settings(runs_on)))?;
        assert_ones(&driver(lu.solve(&b))?)
    })
}

fn cholesky(bench: &Bench, runs_on: RunsOn) -> Option<Run<'_>> {
    let [(a, mut b), _] = systems(bench);
    run(move || {
        let cholesky = driver(a.cholesky_with(&settings(runs_on)))?;
        driver(cholesky.solve_in_place(b.view_mut()))?;
        assert_ones(&b)
    })
}

fn qr(bench: &Bench, runs_on: RunsOn) -> Option<Run<'_>> {
    let [_, (a, b)] = systems(bench);
    run(move || {
        let qr = driver(a.qr_with(&settings(runs_on)))?;
        assert_ones(&driver(qr.least_squares(&b))?)
    })
}

/// Factorises and solves on the device.
const ON_DEVICE: [Operation; 3] = [
    Operation::new("LU on the device", |bench| lu(bench, RunsOn::Device)),
    Operation::new("Cholesky on the device", |bench| cholesky(bench, RunsOn::Device)),
    Operation::new("QR on the device", |bench| qr(bench, RunsOn::Device)),
];

/// Factorises and solves with the host.
const WITH_HOST: [Operation; 7] = [
    Operation::new("LU on the host", |bench| lu(bench, RunsOn::Host)),
    Operation::new("Cholesky on the host", |bench| cholesky(bench, RunsOn::Host)),
    Operation::new("QR on the host", |bench| qr(bench, RunsOn::Host)),
    Operation::new("LU on both", |bench| lu(bench, RunsOn::Hybrid)),
    Operation::new("Cholesky on both", |bench| cholesky(bench, RunsOn::Hybrid)),
    Operation::new("QR on both", |bench| {
        let [_, (a, _)] = systems(bench);
        run(move || {
            let r = driver(driver(a.qr_with(&settings(RunsOn::Hybrid)))?.r())?.to_vec()?;
            // The products of the columns of R are those of the columns of A.
            let r_products = (0..9).map(|at| (0..3).map(|k| r[k * 3 + at / 3] * r[k * 3 + at % 3]).sum());
            let of_a = |at: usize| (0..ROWS).map(|k| number(k, at / 3) * number(k, at % 3)).sum();
            assert_near(&r_products.collect::<Vec<f32>>(), (0..9).map(of_a));
            Ok(())
        })
    }),
    Operation::new("pivoted QR", |bench| {
        let [_, (a, b)] = systems(bench);
        run(move || {
            let qr = driver(a.qr_pivoted())?;
            assert_eq!(qr.rank(), 3);
            assert_eq!(driver(qr.q())?.shape(), [ROWS, 3]);
            assert_ones(&driver(qr.least_squares(&b))?)
        })
    }),
];

/// Uses factors: inverses, least squares of fewer rows than columns.
const USES: [Operation; 2] = [
    Operation::new("inverse", |bench| {
        let [(a, _), _] = systems(bench);
        run(move || {
            let product = a.matmul(&driver(a.inverse())?)?;
            assert_near(&product.to_vec()?, Array::<f32, 2>::eye(a.queue(), ROWS)?.to_vec()?);
            Ok(())
        })
    }),
    Operation::new("least squares of a wide matrix", |bench| {
        let [_, (a, _)] = systems(bench);
        let b = Array::from_slice(&bench.queue, [3], &[1.0_f32, 2.0, 3.0]).unwrap();
        run(move || {
            let x = driver(a.t().least_squares(&b))?;
            assert_near(&a.t().iter().matvec(&x)?.to_vec()?, [1.0, 2.0, 3.0]);
            Ok(())
        })
    }),
];

/// Solves `L X = A` with the lower half `L` of `A`, and subtracts the lower half of `A Aᵀ` from zero.
fn triangular(a: &Array<f32, 2>, x: &mut Array<f32, 2>) -> Result<()> {
    let dot =
        |i: usize, other: &dyn Fn(usize) -> f32, count| (0..count).map(|k| number(i, k) * other(k)).sum();
    driver(a.lower().solve_in_place(1.0, x.view_mut()))?;
    let items = x.to_vec()?;
    let products = (0..ROWS * ROWS)
        .map(|at| dot(at / ROWS, &|k| items[k * ROWS + at % ROWS], at / ROWS + 1))
        .collect::<Vec<f32>>();
    assert_near(&products, (0..ROWS * ROWS).map(|at| number(at / ROWS, at % ROWS)));
    driver(add_matmul_half(Half::Lower, x.view_mut(), -1.0, a, a.t(), 0.0))?;
    let below = |at: &usize| at % ROWS <= at / ROWS;
    let half = x.to_vec()?;
    let half: Vec<f32> = (0..ROWS * ROWS).filter(below).map(|at| -half[at]).collect();
    let wanted = |at: usize| dot(at / ROWS, &|k| number(at % ROWS, k), ROWS);
    assert_near(&half, (0..ROWS * ROWS).filter(below).map(wanted));
    Ok(())
}

/// The number of matrices of a batch.
const BATCH: usize = 3;

/// Returns matrices and a right-hand side for each of them.
fn batch(bench: &Bench) -> (Array<f32, 3>, Array<f32, 2>) {
    let (a, b) = (matrix(bench, ROWS), sums(bench, ROWS));
    let a = stack(&bench.queue, 0, (0..BATCH).map(|_| a.iter())).unwrap();
    (a, stack(&bench.queue, 0, (0..BATCH).map(|_| b.iter())).unwrap())
}

/// Asserts that all unknowns of a batch are one.
fn assert_batch_of_ones<const N: usize>(x: &Array<f32, N>) -> Result<()> {
    assert_near(&x.to_vec()?, vec![1.0; BATCH * ROWS]);
    Ok(())
}

fn batch_solutions(a: &Array<f32, 3>, b: &Array<f32, 2>) -> Result<()> {
    assert_batch_of_ones(&driver(a.solve(b))?)?;
    let product = a.matmul(&driver(a.inverse())?)?.to_vec()?;
    let unit = |at: usize| f32::from(u8::from(at / ROWS % ROWS == at % ROWS));
    assert_near(&product, (0..product.len()).map(unit));
    let dets = driver(a.det())?.to_vec()?;
    assert!(dets.iter().all(|det| *det == dets[0] && *det > 500.0), "{dets:?}");
    Ok(())
}

fn eigenvalues(bench: &Bench, runs_on: RunsOn) -> Option<Run<'_>> {
    let a = two(bench);
    run(move || {
        let eigen = driver(Spectra::new().runs_on(runs_on).eigh(&a))?;
        assert_near(&eigen.values.to_vec()?, [1.0, 5.0]);
        // (1, -1) and (1, 1), divided by the root of 2, with any sign.
        let v = eigen.vectors.to_vec()?;
        assert_near(&[v[0] + v[2], v[1] - v[3], v[0] * v[0], v[1] * v[1]], [0.0, 0.0, 0.5, 0.5]);
        Ok(())
    })
}

/// A matrix of shape `[3, 2]`.
const TALL: [f32; 6] = [3.0, 1.0, 0.0, 2.0, 4.0, 3.0];

fn singular(bench: &Bench, runs_on: RunsOn) -> Option<Run<'_>> {
    let a = Array::from_slice(&bench.queue, [3, 2], &TALL).unwrap();
    run(move || {
        let svd = driver(Spectra::new().runs_on(runs_on).full().svd(&a))?;
        let (u, s, v) = (svd.u.to_vec()?, svd.s.to_vec()?, svd.v.to_vec()?);
        let back = |at: usize| (0..2).map(|k| u[at / 2 * 3 + k] * s[k] * v[at % 2 * 2 + k]).sum();
        assert_near(&(0..6).map(back).collect::<Vec<f32>>(), TALL);
        Ok(())
    })
}

/// Returns a matrix with the eigenvalues 1 and 5; the elements of the second eigenvector are equal.
fn two(bench: &Bench) -> Array<f32, 2> {
    Array::from_slice(&bench.queue, [2, 2], &[3.0_f32, 2.0, 2.0, 3.0]).unwrap()
}

/// Solves triangular systems, batches, eigenvalue problems.
const OTHERS: [Operation; 11] = [
    Operation::new("triangular solve, half of a product", |bench| {
        let (l, mut x) = (matrix(bench, ROWS), matrix(bench, ROWS));
        run(move || triangular(&l, &mut x))
    }),
    Operation::new("Cholesky of a batch", |bench| {
        let (a, b) = batch(bench);
        run(move || assert_batch_of_ones(&driver(driver(a.cholesky())?.solve(&b))?))
    }),
    Operation::new("LU of a batch", |bench| {
        let (a, b) = batch(bench);
        run(move || assert_batch_of_ones(&driver(driver(a.lu())?.solve(&b))?))
    }),
    Operation::new("QR of a batch", |bench| {
        let (a, b) = batch(bench);
        run(move || assert_batch_of_ones(&driver(driver(a.qr())?.solve(b.insert_axis(2)))?))
    }),
    Operation::new("solutions of batches", |bench| {
        let (a, b) = batch(bench);
        run(move || batch_solutions(&a, &b))
    }),
    Operation::new("eigenvalues on the host", |bench| eigenvalues(bench, RunsOn::Host)),
    Operation::new("eigenvalues on the device", |bench| eigenvalues(bench, RunsOn::Device)),
    Operation::new("singular values on the host", |bench| singular(bench, RunsOn::Host)),
    Operation::new("singular values on the device", |bench| singular(bench, RunsOn::Device)),
    Operation::new("power iteration", |bench| {
        let a = two(bench);
        run(move || {
            let dominant = driver(PowerIteration::new().tolerance(0.05).solve(a.queue(), 2, &a))?;
            assert!((dominant.value - 5.0).abs() < 1.0 && dominant.iterations > 1, "{dominant:?}");
            Ok(())
        })
    }),
    Operation::new("Lanczos' method", |bench| {
        let a = two(bench);
        run(move || {
            let pairs = driver(Lanczos::new(1).solve(a.queue(), 2, &a))?;
            assert_near(&pairs.values.to_vec()?, [5.0]);
            let vector = pairs.vectors.to_vec()?;
            assert!((vector[0] - vector[1]).abs() < 1e-4, "{vector:?}");
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
        failures(&faults, &device, &ON_DEVICE.map(Operation::in_turns));
        failures(&faults, &device, &WITH_HOST.map(Operation::in_turns));
        failures(&faults, &device, &USES.map(Operation::in_turns));
        failures(&faults, &device, &OTHERS.map(Operation::in_turns));
    }
}

#[test]
fn every_answer_may_have_a_wrong_size() {
    let faults = exclusive();
    for device in faults.devices() {
        if known_faults::skips("faults::every_answer_may_have_a_wrong_size", &device) {
            continue;
        }
        lies(&faults, &device, &[ON_DEVICE[0], WITH_HOST[0]]);
    }
}
