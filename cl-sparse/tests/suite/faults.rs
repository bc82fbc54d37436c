//! Every driver call of products, conversions, operations and solvers fails once, with seven error codes in turns. The
//! result is always an error of the right kind, without a panic or a leak, and the next call succeeds. `cl_test::sweep`
//! describes the checks. Each row below is an operation whose kernels are all compiled.
#![allow(clippy::unwrap_used)] // preparations do not fail

use cl_algo::prelude::*;
use cl_core::Result;
use cl_sparse::plan::Kernel;
use cl_sparse::solve::{BiCgStab, Cg, Gmres, Jacobi, Report, SolveError, Tolerance};
use cl_sparse::{Coo, Csr, Ell, HostCsr, Hybrid, Sell, add, generate};
use cl_test::faults::exclusive;
use cl_test::sweep::{Bench, Operation, failures, lies, run};
use cl_test::{forced, known_faults};

/// The number of points along an edge of the grid.
const EDGE: usize = 9;
const ROWS: usize = EDGE * EDGE;

fn host() -> HostCsr<f32> {
    generate::five_point([EDGE, EDGE], 4.0, -1.0).unwrap()
}

fn matrix(bench: &Bench) -> Csr<f32> {
    Csr::new(&bench.queue, &host()).unwrap()
}

fn ones(bench: &Bench) -> DeviceVec<f32> {
    DeviceVec::filled(&bench.queue, 1.0, ROWS).unwrap()
}

/// Returns the product of the matrix and a vector of ones.
fn sums() -> Vec<f32> {
    host().multiply(&[1.0; ROWS]).unwrap()
}

/// Returns the matrix with a kernel, a vector, and a vector for their product.
fn by(bench: &Bench, kernel: Kernel) -> (Csr<f32>, DeviceVec<f32>, DeviceVec<f32>) {
    (matrix(bench).with_kernel(kernel).unwrap(), ones(bench), ones(bench))
}

fn product(a: &Csr<f32>, x: &DeviceVec<f32>, y: &mut DeviceVec<f32>) -> Result<()> {
    y.assign(1.0 + a * x)?;
    assert!(y.to_vec()?.into_iter().eq(sums().into_iter().map(|sum| sum + 1.0)));
    Ok(())
}

/// Converts triplets to compressed rows, and back to the host.
fn from_triplets(bench: &Bench) -> Result<()> {
    let (queue, host) = (&bench.queue, host());
    let rows: Vec<u32> = (0..ROWS as u32)
        .flat_map(|row| {
            let ends = &host.row_offsets()[row as usize..][..2];
            (ends[0]..ends[1]).map(move |_| row)
        })
        .collect();
    let rows = DeviceVec::from_slice(queue, &rows)?;
    let columns = DeviceVec::from_slice(queue, host.column_indices())?;
    let values = DeviceVec::from_slice(queue, host.values())?;
    let entries = Coo::new(ROWS, ROWS, rows, columns, values)?;
    assert_eq!(entries.to_csr()?.to_host()?, host);
    // The first product computes the entries of each row. If the driver fails meanwhile, that is the product's error.
    let x = DeviceVec::filled(queue, 1.0, ROWS)?;
    assert_eq!((&entries * &x).collect()?.to_vec()?, sums());
    Ok(())
}

/// Converts to each form, and back to compressed rows.
fn forms(a: &Csr<f32>, x: &DeviceVec<f32>) -> Result<()> {
    let (ell, sell, hybrid) = (Ell::new(a)?, Sell::new(a, 8, 16)?, Hybrid::new(a, 4)?);
    for y in [ell.multiply(x)?, sell.multiply(x)?, hybrid.multiply(x)?] {
        assert_eq!(y.to_vec()?, sums());
    }
    for again in [ell.to_csr()?, sell.to_csr()?, hybrid.to_csr()?] {
        assert_eq!(again.nonzeros(), a.nonzeros());
    }
    Ok(())
}

fn transposes(a: &Csr<f32>, x: &DeviceVec<f32>) -> Result<()> {
    assert_eq!(a.times_transposed(x)?.collect()?.to_vec()?, sums());
    assert_eq!(a.transposed()?.to_host()?, host());
    Ok(())
}

fn sums_and_norms(a: &Csr<f32>) -> Result<()> {
    assert_eq!(a.row_sums().collect()?.to_vec()?, sums());
    assert_eq!(a.column_sums()?.collect()?.to_vec()?, sums());
    assert_eq!(a.diagonal()?.to_vec()?, [4.0; ROWS]);
    assert_eq!((a.norm_one()?, a.norm_infinity()?), (8.0, 8.0));
    assert!(a.rows_are_sorted()?);
    Ok(())
}

fn scaling(a: &mut Csr<f32>, twos: &DeviceVec<f32>) -> Result<()> {
    a.scale(3.0)?;
    a.scale_rows(twos)?;
    a.scale_columns(twos)?;
    assert_eq!(a.to_host()?, host().map(|value| 12.0 * value));
    Ok(())
}

fn permutations(a: &Csr<f32>, order: &DeviceVec<u32>) -> Result<()> {
    let turned = a.permute_rows(order)?.permute_columns(order)?;
    assert_eq!(turned.sorted()?.to_host()?, host());
    let double = add(1.0, a, 1.0, a)?;
    assert_eq!(double.nonzeros(), a.nonzeros());
    Ok(())
}

/// Checks a solver's result for the sweep: only the driver may fail. The residual falls from 9 to `bound` in a few
/// iterations, which take dozens of calls each, with more than one read of the state. Further iterations would only
/// repeat the same calls.
fn solved(result: std::result::Result<Report, SolveError>, bound: f64, x: &DeviceVec<f32>) -> Result<()> {
    match result {
        Ok(report) => assert!(report.residual <= bound && report.iterations > 2, "{report:?}"),
        Err(SolveError::Failed(error)) => return Err(error),
        Err(other) => panic!("{other}"),
    }
    assert!(x.to_vec()?.into_iter().all(|x| x > 0.0));
    Ok(())
}

const OPERATIONS: [Operation; 10] = [
    Operation::new("a product, for CPUs", |bench| {
        let (a, x, mut y) = by(bench, Kernel::Chunks { chunks: 3 });
        run(move || product(&a, &x, &mut y))
    }),
    Operation::new("a product by staged rows", |bench| {
        let (a, x, mut y) = by(bench, Kernel::Staged { group: 16, per_item: 5 });
        run(move || product(&a, &x, &mut y))
    }),
    Operation::new("a product by merged rows", |bench| {
        let (a, x, mut y) = by(bench, Kernel::Merge { group: 16, per_item: 7 });
        run(move || product(&a, &x, &mut y))
    }),
    Operation::new("products with several vectors", |bench| {
        let (a, x) = (matrix(bench), ones(bench));
        run(move || {
            assert_eq!(a.multiply_many(1, &x)?.to_vec()?, sums());
            Ok(())
        })
    }),
    Operation::new("Coo::to_csr, its product, Csr::to_host", |bench| run(move || from_triplets(bench))),
    Operation::new("Ell, Sell, Hybrid", |bench| {
        let (a, x) = (matrix(bench), ones(bench));
        run(move || forms(&a, &x))
    }),
    Operation::new("transposes", |bench| {
        let x = ones(bench);
        // A new matrix each time, because the entries of its columns are computed only once.
        run(move || transposes(&Csr::new(&bench.queue, &host())?, &x))
    }),
    Operation::new("sums and norms", |bench| run(move || sums_and_norms(&Csr::new(&bench.queue, &host())?))),
    Operation::new("scaling", |bench| {
        let mut a = matrix(bench);
        let twos = DeviceVec::filled(&bench.queue, 2.0, ROWS).unwrap();
        run(move || scaling(&mut a, &twos))
    }),
    Operation::new("permutations and sums of matrices", |bench| {
        let a = matrix(bench);
        // Reversed order, in which the stencil is the same.
        let order = DeviceVec::from_fn(&bench.queue, ROWS, |i| (ROWS - 1 - i) as u32).unwrap();
        run(move || permutations(&a, &order))
    }),
];

const SOLVERS: [Operation; 3] = [
    Operation::new("Cg with Jacobi", |bench| {
        let (a, b, mut x) = (matrix(bench), ones(bench), ones(bench));
        run(move || {
            let jacobi = Jacobi::new(&a.diagonal()?)?;
            x.assign(constant(0.0))?;
            let mut cg = Cg::new().preconditioner(&jacobi).tolerance(Tolerance::Absolute(2.0)).check_every(2);
            solved(cg.solve(&a, &b, &mut x), 2.0, &x)
        })
    }),
    Operation::new("BiCgStab", |bench| {
        let (a, b, mut x) = (matrix(bench), ones(bench), ones(bench));
        run(move || {
            x.assign(constant(0.0))?;
            let mut solver = BiCgStab::new().tolerance(Tolerance::Absolute(2.0)).check_every(2);
            solved(solver.solve(&a, &b, &mut x), 2.0, &x)
        })
    }),
    Operation::new("Gmres", |bench| {
        let (a, b, mut x) = (matrix(bench), ones(bench), ones(bench));
        run(move || {
            x.assign(constant(0.0))?;
            // With restarts.
            let mut gmres = Gmres::new().restart(2).tolerance(Tolerance::Absolute(4.0)).check_every(2);
            solved(gmres.solve(&a, &b, &mut x), 4.0, &x)
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
        failures(&faults, &device, &OPERATIONS.map(Operation::in_turns));
        failures(&faults, &device, &SOLVERS.map(Operation::in_turns));
    }
}

/// On GPUs solvers request a read ahead of the one that they wait for. That read may fail, too.
#[test]
fn looks_that_are_asked_for_ahead_may_fail() {
    let faults = exclusive();
    let mut functions = *faults.library().functions();
    functions.clGetDeviceInfo = forced::gpu_info;
    // SAFETY: these are the functions of the faulty library; only the answers about the device are changed.
    for device in unsafe { forced::devices(functions) } {
        if known_faults::skips("faults::looks_that_are_asked_for_ahead_may_fail", &device) {
            continue;
        }
        // The calls of the device's probe do not fail.
        drop(cl_algo::DeviceProfile::of(&device).unwrap());
        failures(&faults, &device, &[SOLVERS[0].in_turns()]);
    }
}

/// Without solvers: a device without extensions would get different solver kernels, which stay cached and would count
/// as leaks.
#[test]
fn every_answer_may_have_a_wrong_size() {
    let faults = exclusive();
    for device in faults.devices() {
        if known_faults::skips("faults::every_answer_may_have_a_wrong_size", &device) {
            continue;
        }
        lies(&faults, &device, &OPERATIONS);
    }
}
