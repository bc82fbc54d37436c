//! The Mandelbrot set: a device function with a loop and an early return, saved as a picture.
//!
//! `cargo run --release --example 08_mandelbrot -- --width 3000`. A kernel need not have input: `iota` numbers
//! the pixels without storing their numbers, and the function computes a count for each. The host counts with
//! the same function.

use cl_algo::prelude::*;
use cl_examples::picture::{self, Pixels};
use clap::Parser;
use std::error::Error;

#[derive(Parser)]
struct Options {
    /// The width of the picture in pixels; its height is two thirds of that.
    // The picture has at least one row, and its pixels can be counted by `u32`.
    #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(u32).range(2..=30_000))]
    width: u32,
    /// The number of iterations after which a point counts as one of the set.
    #[arg(long, default_value_t = 200)]
    limit: u32,
}

/// Returns the number of iterations of z² + c that stay within the circle of radius 2.
#[device_fn]
fn iterations(re: f32, im: f32, limit: u32) -> u32 {
    let (mut x, mut y) = (0.0, 0.0);
    for count in 0..limit {
        let (xx, yy) = (x * x, y * y);
        if xx + yy > 4.0 {
            return count;
        }
        y = 2.0 * x * y + im;
        x = xx - yy + re;
    }
    limit
}

/// Returns the iterations of a pixel in rows of `width` pixels.
#[device_fn]
fn of_pixel(pixel: u32, width: u32, scale: f32, limit: u32) -> u32 {
    let (column, row) = (pixel % width, pixel / width);
    iterations(column as f32 * scale - 2.0, row as f32 * scale - 1.0, limit)
}

fn main() -> Result<(), Box<dyn Error>> {
    let Options { width, limit } = Options::parse();
    let height = width * 2 / 3;
    let scale = 3.0 / width as f32;
    let queue = Queue::on(&Device::first()?)?;

    let pixels = iota(0_u32, (width * height) as usize);
    let counts = of_pixel(pixels, width, scale, limit).collect_on(&queue)?.to_vec()?;
    for (pixel, &count) in counts.iter().enumerate() {
        assert_eq!(count, of_pixel(pixel as u32, width, scale, limit), "pixel {pixel}");
    }

    let rgb = counts.iter().flat_map(|&count| colour(count, limit)).collect();
    let file = picture::save(&Pixels { width: width as usize, height: height as usize, rgb })?;
    println!("{width} x {height} pixels on {}: all right; see {}", queue.device(), file.display());
    Ok(())
}

/// Returns black for the set, and otherwise a colour from blue to white: the closer to the set, the whiter.
fn colour(count: u32, limit: u32) -> [u8; 3] {
    if count == limit {
        return [0; 3];
    }
    let near = (count as f32 / limit as f32).sqrt();
    [near.powf(1.5), near, near.sqrt()].map(|channel| (255.0 * channel) as u8)
}
