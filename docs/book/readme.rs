//! The blocks of Rust in README.md, and in those of the published crates, compile amid what they leave out. Each first
//! program also runs.
#![allow(unused, reason = "they show how something is written, and use nothing of it")]
#![allow(clippy::redundant_closure_for_method_calls, reason = "closures are what readers expect")]

use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use std::error::Error;

type Outcome = Result<(), Box<dyn Error>>;

/// The block of a document below a heading: `"README/Measured"`.
macro_rules! shown {
    ($block:literal) => {
        include!(concat!(env!("OUT_DIR"), "/", $block, ".rs"))
    };
}

/// A whole program, which also runs.
macro_rules! program {
    ($name:ident: $block:literal) => {
        mod $name {
            include!(concat!(env!("OUT_DIR"), "/", $block, ".rs"));

            #[test]
            fn runs() {
                main().unwrap_or_else(|error| panic!("{error}"));
            }
        }
    };
}

#[test]
fn every_block_is_here() {
    let blocks: &[&str] = include!(concat!(env!("OUT_DIR"), "/blocks.rs"));
    let here = include_str!("readme.rs");
    let lost: Vec<_> = blocks.iter().filter(|block| !here.contains(&format!("\"{block}\""))).collect();
    assert!(!blocks.is_empty() && lost.is_empty(), "compile them here, too: {lost:?}");
}

program!(readme: "README/A first program");
program!(core: "cl-core/A first program");
program!(algo: "cl-algo/A first program");
program!(random: "cl-random/A first program");
program!(fft: "cl-fft/A first program");
program!(sparse: "cl-sparse/A first program");
program!(array: "cl-array/A first program");
program!(grid: "cl-grid/A first program");
program!(collections: "cl-collections/A first program");
program!(linalg: "cl-linalg/A first program");

fn expressions(
    (mut x, y, keys): (DeviceVec<f32>, DeviceVec<f32>, DeviceVec<u32>),
    (mut sum, mut difference, mut z): (DeviceVec<f32>, DeviceVec<f32>, DeviceVec<f32>),
) -> Outcome {
    shown!("README/Expressions and algorithms");
    Ok(())
}

fn device_functions(starts: DeviceVec<u32>) -> Outcome {
    shown!("README/Device functions");
    Ok(())
}

fn crates_on_top(
    (queue, seed): (Queue, u64),
    (signal, window, mut spectrum): (DeviceVec<Complex<f32>>, DeviceVec<f32>, DeviceVec<Complex<f32>>),
    (image, kernel): (DeviceVec<f32>, DeviceVec<f32>),
    (f, mut u): (DeviceVec<f64>, DeviceVec<f64>),
) -> Outcome {
    use cl_fft::{Convolution, Ends, Fft, Problem};
    use cl_random::{Engine, Philox4x32};
    use cl_sparse::solve::{Cg, Tolerance};
    use cl_sparse::{Csr, matrix_market};
    shown!("README/Random numbers, Fourier transforms, sparse matrices");
    Ok(())
}

fn solvers(a: cl_sparse::Csr<f32>, f: DeviceVec<f32>, mut u: DeviceVec<f32>) -> Outcome {
    shown!("cl-sparse/Solvers");
    Ok(())
}
