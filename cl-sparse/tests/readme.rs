//! What README.md shows of this crate: the lines are these, they compile, and they do what they say.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::prelude::*;
use cl_sparse::solve::{Cg, Jacobi, Tolerance};
use cl_sparse::{Csr, HostCsr, generate, matrix_market};
use std::error::Error;

const README: &str = include_str!("../../README.md");
const HERE: &str = include_str!("readme.rs");

#[test]
fn the_lines_are_these() {
    let section = README.split("## What cl-sparse offers").nth(1).unwrap();
    let lines = section.split("```rust\n").nth(1).unwrap().split("```").next().unwrap();
    let mut count = 0;
    for line in lines.lines() {
        let code = line.split("//").next().unwrap().trim();
        assert!(HERE.contains(&format!("\n    {code}\n")), "{code}");
        count += 1;
    }
    assert!(count > 3, "{lines}");
}

#[rustfmt::skip] // as README.md has the lines
#[allow(clippy::needless_borrow, clippy::redundant_closure_for_method_calls)] // as above
fn lines(queue: &Queue, edges: &Csr<f32>) -> Result<(), Box<dyn Error>> {
    let a: Csr<f64> = Csr::new(&queue, &matrix_market::read_file("plate.mtx")?)?;
    let n = a.rows();
    let f = DeviceVec::filled(queue, 1.0, n)?;
    let mut u = DeviceVec::filled(queue, 0.0, n)?;
    let x = DeviceVec::filled(queue, 0.0, n)?;
    let mut y = DeviceVec::filled(queue, 7.0, n)?;
    let jacobi = Jacobi::new(&a.diagonal()?)?;
    let distance = DeviceVec::from_slice(queue, &[0.0, f32::INFINITY])?;

    let residual = (&f - &a * &u).collect()?;
    y.add_assign(42.0 * (&a * sin(&x)))?;
    let fewer = edges.times_with(&distance, f32::INFINITY, |w, d| w + d, |a, b| a.min(b));
    let report = Cg::new().tolerance(Tolerance::Relative(1e-8)).preconditioner(&jacobi).solve(&a, &f, &mut u)?;

    assert_eq!((residual.to_vec()?, y.to_vec()?), (vec![1.0; n], vec![7.0; n]));
    assert_eq!(fewer.collect()?.to_vec()?, [f32::INFINITY, 5.0]);
    assert!(report.residual <= 1e-8 * (n as f64).sqrt());
    Ok(())
}

#[test]
fn and_they_work() {
    let folder = std::env::temp_dir().join(format!("cl-sparse-readme-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::env::set_current_dir(&folder).unwrap();
    let plate: HostCsr<f64> = generate::five_point([6, 6], 4.0, -1.0).unwrap();
    matrix_market::write(std::fs::File::create("plate.mtx").unwrap(), &plate).unwrap();
    cl_test::each_device(|device| {
        if !device.has_fp64().unwrap() {
            return;
        }
        let queue = Queue::on(device).unwrap();
        // From 0 to 1.
        let edge = HostCsr::new(2, 2, vec![0, 0, 1], vec![0], vec![5.0]).unwrap();
        lines(&queue, &Csr::new(&queue, &edge).unwrap()).unwrap();
    });
    std::fs::remove_dir_all(&folder).unwrap();
}
