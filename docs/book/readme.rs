//! The blocks of Rust in README.md compile, amid what they leave out; the first program also runs.
#![allow(unused, reason = "they show how something is written, and use nothing of it")]
#![allow(clippy::redundant_closure_for_method_calls, reason = "closures are what readers expect")]

use cl_algo::math::*;
use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_algo::stl::*;
use std::error::Error;

type Outcome = Result<(), Box<dyn Error>>;

/// The block below a heading.
macro_rules! shown {
    ($heading:literal) => {
        include!(concat!(env!("OUT_DIR"), "/README/", $heading, ".rs"))
    };
}

#[test]
fn every_block_is_here() {
    let headings: &[&str] = include!(concat!(env!("OUT_DIR"), "/README/headings.rs"));
    let here = include_str!("readme.rs");
    let is_lost = |heading: &&&str| {
        let places = [format!("shown!(\"{heading}\")"), format!("\"/README/{heading}.rs\"")];
        !places.iter().any(|place| here.contains(place))
    };
    let lost: Vec<_> = headings.iter().filter(is_lost).collect();
    assert!(!headings.is_empty() && lost.is_empty(), "compile them here, too: {lost:?}");
}

mod first_program {
    include!(concat!(env!("OUT_DIR"), "/README/Try it.rs"));

    #[test]
    fn runs() {
        main().unwrap_or_else(|error| panic!("{error}"));
    }
}

fn algo(
    (x, y, order): (DeviceVec<f32>, DeviceVec<f32>, DeviceVec<u32>),
    (mut sum, mut difference, mut z): (DeviceVec<f32>, DeviceVec<f32>, DeviceVec<f32>),
    (re, im): (DeviceVec<f32>, DeviceVec<f32>),
) -> Outcome {
    shown!("What cl-algo offers");
    Ok(())
}

fn random(queue: Queue, seed: u64, mut x: DeviceVec<f32>) -> Outcome {
    use cl_random::{Engine, Philox4x32};
    shown!("What cl-random offers");
    Ok(())
}

fn fft(
    queue: Queue,
    (signal, mut spectrum): (DeviceVec<Complex<f32>>, DeviceVec<Complex<f32>>),
    (window, k, mut u): (DeviceVec<f32>, DeviceVec<f32>, DeviceVec<f32>),
    (image, kernel, charge): (DeviceVec<f32>, DeviceVec<f32>, DeviceVec<f32>),
) -> Outcome {
    use cl_fft::{Convolution, Ends, Fft, Poisson, Problem, RealFft};
    shown!("What cl-fft offers");
    Ok(())
}

fn sparse(
    queue: Queue,
    (f, x, mut u, mut y): (DeviceVec<f64>, DeviceVec<f64>, DeviceVec<f64>, DeviceVec<f64>),
    (edges, distance): (cl_sparse::Csr<f32>, DeviceVec<f32>),
    jacobi: cl_sparse::solve::Jacobi<f64>,
) -> Outcome {
    use cl_sparse::solve::{Cg, Tolerance};
    use cl_sparse::{Csr, matrix_market};
    shown!("What cl-sparse offers");
    Ok(())
}
