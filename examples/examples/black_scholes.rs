//! The price of a European call option by Monte Carlo, beside the formula of Black and Scholes, and how the error
//! shrinks with the number of paths: a picture of both on logarithmic scales.
//!
//! `cargo run --release --example black_scholes`. One kernel draws the normal numbers, makes prices and payoffs of
//! them and adds them up; nothing is stored.

use cl_algo::prelude::*;
use cl_random::{Engine, Normal, Philox4x32};
use plotters::prelude::*;
use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

/// The price today, the price agreed on, the interest, the volatility, the years.
const TODAY: f32 = 100.0;
const STRIKE: f32 = 105.0;
const RATE: f32 = 0.03;
const VOLATILITY: f32 = 0.2;
const YEARS: f32 = 1.5;

/// What an option is worth in the end, if this is the logarithm of the price.
#[device_fn]
fn payoff(logarithm: f32, strike: f32) -> f32 {
    let price = logarithm.exp();
    if price > strike { price - strike } else { 0.0 }
}

/// The probability that a standard normal number is below x, by the series of its integral.
fn normal(x: f64) -> f64 {
    let (mut term, mut sum) = (x, x);
    for k in 1..200_u32 {
        term *= x * x / f64::from(2 * k + 1);
        sum += term;
    }
    0.5 + sum * (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt()
}

fn formula() -> f64 {
    let [today, strike, rate, volatility, years] = [TODAY, STRIKE, RATE, VOLATILITY, YEARS].map(f64::from);
    let spread = volatility * years.sqrt();
    let d = ((today / strike).ln() + (rate + 0.5 * volatility * volatility) * years) / spread;
    today * normal(d) - strike * (-rate * years).exp() * normal(d - spread)
}

fn main() -> Result<(), Box<dyn Error>> {
    let queue = Queue::on(&Device::first()?)?;
    let engine: Philox4x32 = Philox4x32::new(1973);
    let drift = (RATE - 0.5 * VOLATILITY * VOLATILITY) * YEARS;
    let logarithms = engine.draws(Normal::new(TODAY.ln() + drift, VOLATILITY * YEARS.sqrt())?);
    let exact = formula();
    println!("the formula says {exact:.4}");

    let mut errors = Vec::new();
    for log2 in (8..=22).step_by(2) {
        let paths = 1_usize << log2;
        let mean = payoff(logarithms.take(paths), STRIKE).on(&queue).sum()? / paths as f32;
        let price = f64::from(mean) * f64::from(-RATE * YEARS).exp();
        println!("{paths:8} paths: {price:.4}");
        errors.push((paths as f64, (price - exact).abs().max(1e-6)));
    }
    // The standard deviation of one payoff is about 20.
    assert!(errors.iter().all(|&(paths, error)| error < 5.0 * 20.0 / paths.sqrt()), "{errors:?}");

    let path = std::env::temp_dir().join("black_scholes.png");
    draw(&errors, &path)?;
    println!("errors, and a standard deviation in red: {}", path.display());
    Ok(())
}

/// Errors by numbers of paths in blue, and what is expected of them in red, on logarithmic scales.
fn draw(errors: &[(f64, f64)], file: &Path) -> Result<(), Box<dyn Error>> {
    let size = (640, 480);
    let mut pixels = vec![0; 3 * 640 * 480];
    {
        let area = BitMapBackend::with_buffer(&mut pixels, size).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .margin(20)
            .build_cartesian_2d((200.0..6e6).log_scale(), (1e-5..10.0).log_scale())?;
        let expected = errors.iter().map(|&(paths, _)| (paths, 20.0 / paths.sqrt())).collect::<Vec<_>>();
        chart.draw_series([PathElement::new(expected, RED), PathElement::new(errors.to_vec(), BLUE)])?;
        chart.draw_series(errors.iter().map(|&point| Circle::new(point, 4, BLUE.filled())))?;
        area.present()?;
    }
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(file)?), size.0, size.1);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(())
}
