//! Random numbers, shown as histograms beside the densities that they should have.
//!
//! `cargo run --release --example 15_random_numbers`. A counter-based engine keeps no state: number i of a
//! sequence is a function of i and of the seed. All numbers can be computed at once, in any order, on the host
//! or the device, where they are needed, and nothing is stored. A program gives the same results on every
//! device. Draws a picture.

use cl_algo::{prelude::*, stl::histogram_even};
use cl_examples::picture;
use cl_random::{Engine, Exponential, Gamma, Normal, Philox4x32, shuffle};
use plotters::prelude::*;
use std::error::Error;
use std::ops::Range;

/// The numbers drawn from each distribution.
const COUNT: usize = 1 << 20;
const BINS: usize = 80;

fn main() -> Result<(), Box<dyn Error>> {
    let queue = Queue::on(&Device::first()?)?;
    // The argument is the seed. Streams of an engine are independent: one for each purpose.
    let engine: Philox4x32 = Philox4x32::new(2026);
    println!("{COUNT} numbers of each kind on {}", queue.device());

    // The host draws the same bits.
    let uniform = engine.uniform::<f32>();
    let drawn = uniform.take(1000).collect_on(&queue)?.to_vec()?;
    assert!(drawn.iter().copied().eq(uniform.iter().take(1000)));
    // Any part of a sequence can be computed without the numbers before it.
    let later = uniform.skip(990).take(10).collect_on(&queue)?.to_vec()?;
    assert_eq!(drawn[990..], later);

    // A deck of cards in random order.
    let mut cards = iota(0_u32, 52).collect_on(&queue)?;
    shuffle(&mut cards, &engine.stream(1))?;
    let mut cards = cards.to_vec()?;
    println!("shuffled cards: {:?} ...", &cards[..8]);
    cards.sort_unstable();
    assert!(cards.into_iter().eq(0..52));

    // The numbers are drawn inside the histogram's kernel, counted, and not stored.
    let normal = engine.stream(2).draws(Normal::new(0.0_f32, 1.0)?);
    let exponential = engine.stream(3).draws(Exponential::new(1.0_f32)?);
    let gamma = engine.stream(4).draws(Gamma::new(3.0_f32, 0.5)?);
    let panels = [
        histogram_of(&queue, "normal", normal.take(COUNT), -4.0..4.0, |x| {
            (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt()
        })?,
        histogram_of(&queue, "exponential", exponential.take(COUNT), 0.0..6.0, |x| (-x).exp())?,
        histogram_of(&queue, "gamma, of shape 3 and scale 1/2", gamma.take(COUNT), 0.0..6.0, |x| {
            4.0 * x * x * (-2.0 * x).exp()
        })?,
    ];
    let file = picture::draw((1200, 420), |area| {
        let parts = area.split_evenly((1, panels.len()));
        panels.iter().zip(&parts).try_for_each(|(panel, part)| panel.draw(part))
    })?;
    println!("all right; see {}", file.display());
    Ok(())
}

/// A histogram, and the density that it should have.
struct Panel {
    name: &'static str,
    range: Range<f32>,
    counts: Vec<u32>,
    density: fn(f64) -> f64,
}

/// Counts the values, and compares the counts with the density.
fn histogram_of(
    queue: &Queue,
    name: &'static str,
    values: Expr<'_, f32>,
    range: Range<f32>,
    density: fn(f64) -> f64,
) -> cl_core::Result<Panel> {
    let mut counts = DeviceVec::filled(queue, 0_u32, BINS)?;
    histogram_even(values, range.clone(), &mut counts)?;
    let panel = Panel { name, range, counts: counts.to_vec()?, density };
    // Pearson's sum: each bin adds about 1 if the density is right, whatever the density is.
    let share = |bin: usize| {
        let at = |part: f64| f64::from(panel.range.start) + (bin as f64 + part) * panel.width();
        // Simpson's rule.
        (density(at(0.0)) + 4.0 * density(at(0.5)) + density(at(1.0))) / 6.0 * panel.width()
    };
    let off = |bin: usize| {
        let expected = COUNT as f64 * share(bin);
        (f64::from(panel.counts[bin]) - expected).powi(2) / expected
    };
    let sum: f64 = (0..BINS).map(off).sum();
    println!("{name}: chi square of {BINS} bins is {sum:.0}");
    // The standard deviation of the sum is the square root of twice the number of bins.
    assert!((sum - BINS as f64).abs() < 5.0 * (2.0 * BINS as f64).sqrt(), "{name}: {sum}");
    Ok(panel)
}

impl Panel {
    /// Returns the width of a bin.
    fn width(&self) -> f64 {
        f64::from(self.range.end - self.range.start) / BINS as f64
    }

    fn draw(&self, area: &picture::Area) -> Result<(), Box<dyn Error>> {
        let (start, width) = (f64::from(self.range.start), self.width());
        let height = |count: u32| f64::from(count) / COUNT as f64 / width;
        let top = 1.1 * self.counts.iter().map(|&count| height(count)).fold(0.0, f64::max);
        let mut chart = ChartBuilder::on(area)
            .caption(self.name, ("sans-serif", 20))
            .margin(15)
            .x_label_area_size(40)
            .y_label_area_size(50)
            .build_cartesian_2d(start..f64::from(self.range.end), 0.0..top)?;
        let mut mesh = chart.configure_mesh();
        mesh.light_line_style(TRANSPARENT).label_style(("sans-serif", 14)).x_desc("value").y_desc("density");
        mesh.draw()?;
        let bars = self.counts.iter().enumerate().map(|(bin, &count)| {
            let left = start + bin as f64 * width;
            Rectangle::new([(left, 0.0), (left + width, height(count))], BLUE.mix(0.4).filled())
        });
        chart.draw_series(bars)?;
        let curve = (0..=400).map(|i| start + f64::from(i) * width * BINS as f64 / 400.0);
        chart.draw_series(LineSeries::new(curve.map(|x| (x, (self.density)(x))), RED.stroke_width(2)))?;
        Ok(())
    }
}
