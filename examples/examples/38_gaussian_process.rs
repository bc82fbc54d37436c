//! A Gaussian process: a curve through noisy points, with a measure of its doubt.
//!
//! `cargo run --release --example 38_gaussian_process`. Values at near points are alike: their covariance falls with the
//! distance. One Cholesky factorisation gives the most likely curve, its deviation, and how likely the points are
//! under a length scale, by which the length is chosen. Rasmussen and Williams, "Gaussian Processes for Machine
//! Learning", 2006, algorithm 2.1.

use cl_examples::picture::{self, Curve};
use cl_linalg::prelude::*;
use cl_random::{Engine, Philox4x32};
use plotters::style::{BLUE, RED, RGBColor};
use std::error::Error;

const POINTS: usize = 300;
const PLACES: usize = 401;
const NOISE: f64 = 0.2;

/// The curve that the points lie on, but for the noise.
fn truth(x: f64) -> f64 {
    x.sin() + 0.5 * (2.3 * x).cos()
}

/// Returns the covariances of the values at two sets of points: 1 at the same point, and less with the distance.
fn covariance<'a>(x: &'a Array<f64, 1>, y: &'a Array<f64, 1>, length: f64) -> ArrayExpr<'a, f64, 2> {
    let distance = (x.insert_axis(1) - y.insert_axis(0)) / length;
    distance.map(|d| (d * d * -0.5).exp())
}

fn main() -> Result<(), Box<dyn Error>> {
    let queue = Queue::on(&Device::first()?)?;
    // Points from 0 to 10, none of them between 6 and 8.
    let engine: Philox4x32 = Philox4x32::new(7);
    let host_x: Vec<f64> = engine.uniform::<f64>().take(POINTS).on(&queue).collect()?.to_vec()?;
    let host_x: Vec<f64> = host_x.iter().map(|x| if *x < 0.75 { 8.0 * x } else { 8.0 * x + 2.0 }).collect();
    let noise = engine.stream(1).normal::<f64>().take(POINTS).on(&queue).collect()?.to_vec()?;
    let host_y: Vec<f64> = host_x.iter().zip(&noise).map(|(&x, noise)| truth(x) + NOISE * noise).collect();
    let x = Array::from_slice(&queue, [POINTS], &host_x)?;
    let y = Array::from_slice(&queue, [POINTS], &host_y)?;
    let places = Array::linspace(&queue, 0.0, 10.0, PLACES)?;

    // The length under which the points are the most likely.
    let noise = ArrayExpr::from_fn([POINTS, POINTS], |[i, j]| i.eq(j).select(NOISE * NOISE, 0.0));
    let mut best = (f64::NEG_INFINITY, 0.0);
    for length in [0.1, 0.2, 0.4, 0.8, 1.6, 3.2] {
        let factor = (covariance(&x, &x, length) + noise.clone()).cholesky()?;
        let misfit = y.dot(&factor.solve(&y)?)?;
        let constant = POINTS as f64 * (2.0 * std::f64::consts::PI).ln();
        let likelihood = -0.5 * (misfit + factor.log_det() + constant);
        println!("length {length}: log-likelihood {likelihood:.1}");
        if likelihood > best.0 {
            best = (likelihood, length);
        }
    }
    let length = best.1;
    assert!((0.4..=1.6).contains(&length), "the curve's waves are about 1 long");

    // The mean at each place, and the variance: what is known beforehand, less what the points say.
    let factor = (covariance(&x, &x, length) + noise).cholesky()?;
    let across = covariance(&x, &places, length).collect()?;
    let mean = across.t().iter().matvec(&factor.solve(&y)?)?.to_vec()?;
    let known = (&across * factor.solve(&across)?).sum_axis(0)?.to_vec()?;
    let deviation: Vec<f64> = known.iter().map(|known| (1.0 - known).max(0.0).sqrt()).collect();

    // The curve is near the truth where points are, and doubtful between 6 and 8.
    let at = |place: f64| (place / 10.0 * (PLACES - 1) as f64) as usize;
    let xs: Vec<f64> = places.to_vec()?;
    let inside = (0..PLACES).filter(|&i| !(5.8..8.2).contains(&xs[i]));
    let error = inside.map(|i| (mean[i] - truth(xs[i])).abs()).fold(0.0, f64::max);
    assert!(error < 0.25, "the curve is off by {error}");
    assert!(deviation[at(7.0)] > 3.0 * deviation[at(3.0)], "{} {}", deviation[at(7.0)], deviation[at(3.0)]);
    let within = (0..PLACES).filter(|&i| (mean[i] - truth(xs[i])).abs() < 3.0 * deviation[i] + 0.02).count();
    assert!(within > PLACES * 9 / 10, "{within} of {PLACES} places are within three deviations");

    let curve = |name: &str, colour, value: &dyn Fn(usize) -> f64| Curve {
        name: name.to_owned(),
        colour,
        points: (0..PLACES).map(|i| (xs[i], value(i))).collect(),
    };
    let pale = RGBColor(150, 170, 230);
    let curves = vec![
        curve("two deviations above", pale, &|i| mean[i] + 2.0 * deviation[i]),
        curve("and below", pale, &|i| mean[i] - 2.0 * deviation[i]),
        curve("mean", BLUE, &|i| mean[i]),
        curve("truth", RED, &|i| truth(xs[i])),
    ];
    let file =
        picture::draw((800, 480), |area| picture::curves(area, ["x", "y"], (0.0..10.0, -2.5..3.5), curves))?;
    println!("the largest error where points are is {error:.2}; see {}", file.display());
    Ok(())
}
