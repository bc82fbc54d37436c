//! The price of a European call option by Monte Carlo, compared with the formula of Black and Scholes. A
//! picture on logarithmic scales shows how the error shrinks with the number of paths.
//!
//! `cargo run --release --example 25_black_scholes`. One kernel draws the normal numbers, computes prices and
//! payoffs from them and adds these up; nothing is stored.

use cl_algo::prelude::*;
use cl_examples::picture;
use cl_random::{Engine, Normal, Philox4x32};
use plotters::prelude::*;
use std::error::Error;
use std::path::PathBuf;

/// The price today, the strike price, the interest rate, the volatility, the years.
const TODAY: f32 = 100.0;
const STRIKE: f32 = 105.0;
const RATE: f32 = 0.03;
const VOLATILITY: f32 = 0.2;
const YEARS: f32 = 1.5;

/// The approximate standard deviation of the result of one path.
const DEVIATION: f64 = 20.0;

/// Returns the final value of an option, given the logarithm of the price.
#[device_fn]
fn payoff(logarithm: f32, strike: f32) -> f32 {
    let price = logarithm.exp();
    if price > strike { price - strike } else { 0.0 }
}

/// Returns the probability that a standard normal number is below x, by the series of its integral.
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
    assert!(errors.iter().all(|&(paths, error)| error < 5.0 * DEVIATION / paths.sqrt()), "{errors:?}");

    let file = draw(&errors)?;
    println!("all right; see {}", file.display());
    Ok(())
}

/// Draws the errors by numbers of paths, and the expected errors, on logarithmic scales.
fn draw(errors: &[(f64, f64)]) -> Result<PathBuf, Box<dyn Error>> {
    picture::draw((800, 560), |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(15)
            .margin_right(30)
            .x_label_area_size(45)
            .y_label_area_size(60)
            .build_cartesian_2d((100.0..1e7).log_scale(), (1e-4..10.0).log_scale())?;
        let mut mesh = chart.configure_mesh();
        mesh.light_line_style(TRANSPARENT).label_style(("sans-serif", 14));
        mesh.x_label_formatter(&|x| format!("{x:e}")).y_label_formatter(&|y| format!("{y:e}"));
        mesh.x_desc("paths").y_desc("distance from the formula's price").draw()?;
        let expected = errors.iter().map(|&(paths, _)| (paths, DEVIATION / paths.sqrt()));
        chart
            .draw_series(LineSeries::new(expected, &RED))?
            .label("standard deviation")
            .legend(|(x, y)| PathElement::new([(x, y), (x + 20, y)], RED));
        chart.draw_series(LineSeries::new(errors.iter().copied(), &BLUE))?;
        chart
            .draw_series(errors.iter().map(|&point| Circle::new(point, 4, BLUE.filled())))?
            .label("measured")
            .legend(|(x, y)| Circle::new((x + 10, y), 4, BLUE.filled()));
        let mut legend = chart.configure_series_labels();
        legend.position(SeriesLabelPosition::UpperRight).margin(12).label_font(("sans-serif", 14)).draw()?;
        Ok(())
    })
}
