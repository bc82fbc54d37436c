//! Blurs a picture by a large kernel: its cost does not depend on the kernel's size.
//!
//! `cargo run --release --example convolution_blur`. Padding, the product of spectra and cutting are part of the
//! transforms; a few pixels are compared with the host's.

use cl_algo::prelude::*;
use cl_fft::{Convolution, Ends};

const WIDTH: usize = 300;
const HEIGHT: usize = 200;
/// Pixels along an edge of the kernel.
const EDGE: usize = 41;

fn main() -> cl_core::Result<()> {
    let queue = Queue::on(&Device::first()?)?;
    let picture: Vec<f32> =
        (0..WIDTH * HEIGHT).map(|i| ((i % WIDTH) / 25 + (i / WIDTH) / 25) as f32 % 2.0).collect();
    let weight = |i: usize| {
        let square = |k: usize| (k as f32 - (EDGE / 2) as f32).powi(2);
        (-(square(i % EDGE) + square(i / EDGE)) / 100.0).exp()
    };
    let total: f32 = (0..EDGE * EDGE).map(weight).sum();
    let kernel: Vec<f32> = (0..EDGE * EDGE).map(|i| weight(i) / total).collect();

    let (x, h) = (DeviceVec::from_slice(&queue, &picture)?, DeviceVec::from_slice(&queue, &kernel)?);
    let blur = Convolution::new(&queue, [HEIGHT, WIDTH], &h, [EDGE, EDGE], Ends::Same)?;
    let blurred = blur.apply(&x)?.to_vec()?;

    for (row, column) in [(0, 0), (100, 150), (199, 299), (25, 24)] {
        let mut expected = 0.0;
        for (i, weight) in kernel.iter().enumerate() {
            let (y, x) = (row + EDGE / 2, column + EDGE / 2);
            // Beyond the border there is nothing.
            if let (Some(y), Some(x)) = (y.checked_sub(i / EDGE), x.checked_sub(i % EDGE))
                && y < HEIGHT
                && x < WIDTH
            {
                expected += weight * picture[y * WIDTH + x];
            }
        }
        let got = blurred[row * WIDTH + column];
        assert!((got - expected).abs() < 1e-5, "{got} and not {expected} at {row}, {column}");
    }
    println!("{WIDTH} x {HEIGHT} pixels by {EDGE} x {EDGE} on {}: all right", queue.device());
    Ok(())
}
