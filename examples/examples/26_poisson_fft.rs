//! The Poisson equation by Fourier transforms: from charges to their potential, or from sources of heat to
//! temperatures.
//!
//! `cargo run --release --example 26_poisson_fft [points along an edge]`. Waves make it easy: the second
//! derivative of a wave is a multiple of the wave. So `∇²u = f` on a periodic square is solved by a transform
//! of f, a division, and a transform back, `u = ifft(K fft(f))`. The example first writes this out, and then
//! uses the solver that does the same with real numbers.

use cl_algo::{num_complex::Complex, prelude::*};
use cl_fft::{Fft, Poisson, fftfreq_along};
use clap::Parser;
use std::f32::consts::TAU;

#[derive(Parser)]
struct Options {
    /// The number of points along an edge.
    // With fewer than four, the solution's waves could not be distinguished from longer ones.
    #[arg(default_value_t = 240, value_parser = clap::value_parser!(u32).range(4..=8192))]
    points: u32,
}

fn main() -> cl_core::Result<()> {
    let n = Options::parse().points as usize;
    let queue = Queue::on(&Device::first()?)?;
    // A solution, and its right-hand side on a square with edges of length 1.
    let at = |i: usize| (TAU * (i % n) as f32 / n as f32, TAU * (i / n) as f32 / n as f32);
    let solution = |i: usize| (at(i).0 - 2.0 * at(i).1).sin();
    let f = DeviceVec::from_fn(&queue, n * n, |i| -5.0 * TAU * TAU * solution(i))?;

    // At frequency 0 the division is by 0. That element is the mean of the solution, which is set to 0.
    let square = |axis: usize| fftfreq_along([n, n], axis, 1.0 / n as f32).map(|xi| xi * xi * (TAU * TAU));
    let k = (square(0) + square(1)).map(|square| square.eq(0.0).select(0.0, -1.0 / square));
    let fft = Fft::c2c(&queue, [n, n])?;
    let spectrum = fft.forward(complex(&f, 0.0))?;
    let mut u = DeviceVec::filled(&queue, 0.0_f32, n * n)?;
    // K is computed inside the first kernel of the inverse transform, and the real part is taken inside its
    // last.
    fft.inverse_into(mapped(&mut u, |z: Val<Complex<f32>>| z.re()), &spectrum * k)?;

    let solver = Poisson::new(&queue, [n, n], [1.0, 1.0])?;
    let v = solver.solve(&f)?;
    for (name, result) in [("ifft(K fft(f))", u), ("Poisson", v)] {
        let result = result.to_vec()?;
        let error = (0..n * n).map(|i| (result[i] - solution(i)).abs()).fold(0.0, f32::max);
        println!("{name}: {n} x {n} points, largest error {error:.1e}");
        assert!(error < 2e-5, "{name} is wrong");
    }
    println!("solved on {}: all right", queue.device());
    Ok(())
}
