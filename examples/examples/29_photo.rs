//! Processes a photo: blurs it, sharpens it, finds its edges, and evens out its shades.
//!
//! `cargo run --release --example 29_photo [photo.png]`; `data/README.md` describes the default photo. The
//! example combines parts of the course: strided views separate the colours, a convolution by Fourier
//! transforms blurs with a large kernel, neighbours make gradients, and a histogram, a scan and a gather even
//! out the shades. Everything between reading the file and writing the picture happens on the device.

use cl_algo::{prelude::*, stl};
use cl_examples::picture::{self, Pixels};
use cl_fft::{Convolution, Ends};
use clap::Parser;
use plotters::prelude::*;
use std::error::Error;
use std::path::{Path, PathBuf};

/// The pixels along an edge of the blurring kernel, and the width of its bell curve.
const EDGE: usize = 25;
const BELL: f32 = 4.0;

#[derive(Parser)]
struct Options {
    /// A PNG file with three bytes per pixel; by default `examples/data/coffee.png`
    photo: Option<PathBuf>,
}

/// Red, green and blue, from 0 to 1.
type Colours = [DeviceVec<f32>; 3];

fn main() -> Result<(), Box<dyn Error>> {
    let file = Options::parse().photo;
    let file = file.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("data/coffee.png"));
    let photo = picture::read(&file)?;
    let queue = Queue::on(&Device::first()?)?;
    let (width, height) = (photo.width, photo.height);
    println!("{width} x {height} pixels on {}", queue.device());

    // Every third byte belongs to the same colour.
    let bytes = DeviceVec::from_slice(&queue, &photo.rgb)?;
    let colour = |k: usize| (bytes.iter().skip(k).step_by(3).cast::<f32>() / 255.0).collect();
    let colours: Colours = [colour(0)?, colour(1)?, colour(2)?];
    let [red, green, blue] = &colours;
    // The brightness as eyes see it.
    let grey = (0.299 * red + 0.587 * green + 0.114 * blue).collect()?;

    let kernel = bell();
    let weights = DeviceVec::from_slice(&queue, &kernel)?;
    let blur = Convolution::new(&queue, [height, width], &weights, [EDGE, EDGE], Ends::Same)?;
    // The photo has no pixels beyond the border. The sum is divided by the weight of the existing pixels, so
    // that borders do not turn dark.
    let weight = blur.apply(constant(1.0).take(width * height))?;
    let blurred = |x: &DeviceVec<f32>| (&blur.apply(x)? / &weight).collect();
    let soft: Colours = [blurred(red)?, blurred(green)?, blurred(blue)?];

    // Sharpening adds the difference to the blurred photo once more.
    let sharp = |k: usize| (&colours[k] + (&colours[k] - &soft[k])).collect();
    let sharp: Colours = [sharp(0)?, sharp(1)?, sharp(2)?];

    // The gradient is made of differences of neighbours, which lie 1 and `width` elements apart. At the left
    // and right borders it is 0, because there the neighbours would be pixels of other rows.
    let at = |across: isize, down: isize| grey.iter().shifted(across + down * width as isize, Border::Clamp);
    let across = (at(1, -1) + 2.0 * at(1, 0) + at(1, 1)) - (at(-1, -1) + 2.0 * at(-1, 0) + at(-1, 1));
    let down = (at(-1, 1) + 2.0 * at(0, 1) + at(1, 1)) - (at(-1, -1) + 2.0 * at(0, -1) + at(1, -1));
    let column = index::<u32>() % width as u32;
    let inside = column.clone().ge(1) & column.lt(width as u32 - 1);
    let edges = inside.select(0.5 * across.hypot(down), 0.0).collect()?;

    // The shade of a pixel becomes the share of pixels that are at most as bright: a running sum of the
    // histogram, read at the pixel's shade.
    let shades = (&grey * 255.0 + 0.5).cast::<u32>().collect()?;
    let mut counts = DeviceVec::filled(&queue, 0_u32, 256)?;
    stl::histogram(&shades, &mut counts)?;
    let darker = counts.iter().inclusive_scan().collect()?;
    let share = darker.iter().gather(&shades).cast::<f32>() / (width * height) as f32;
    // Colours become brighter or darker by the same factor as their shade.
    let growth = (share / grey.iter().max(1.0 / 255.0)).collect()?;
    let even = |k: usize| (&colours[k] * &growth).collect();
    let even: Colours = [even(0)?, even(1)?, even(2)?];

    check_blur(&photo, &red.to_vec()?, &soft[0].to_vec()?, &kernel);
    check_edges(&photo, &grey.to_vec()?, &edges.to_vec()?);
    check_shades(&shades.to_vec()?, &counts.to_vec()?, &darker.to_vec()?);

    let panels = [
        ("the photo", photo.rgb),
        ("blurred", bytes_of(soft.each_ref())?),
        ("sharpened", bytes_of(sharp.each_ref())?),
        ("in shades of grey", bytes_of([&grey; 3])?),
        ("edges", bytes_of([&edges; 3])?),
        ("shades evened out", bytes_of(even.each_ref())?),
    ];
    let (width, height) = (u32::try_from(width)?, u32::try_from(height)?);
    let file = picture::draw((3 * width + 40, 2 * height + 70), |area| {
        for (number, (name, rgb)) in (0..).zip(panels) {
            let (x, y) = (10 + number % 3 * (width + 10), 30 + number / 3 * (height + 30));
            let corner = (x as i32, y as i32);
            let shown = BitMapElement::with_owned_buffer(corner, (width, height), rgb);
            area.draw(&shown.ok_or("a panel of another size")?)?;
            area.draw(&Text::new(name, (corner.0, corner.1 - 20), ("sans-serif", 16)))?;
        }
        Ok(())
    })?;
    println!("all right; see {}", file.display());
    Ok(())
}

/// Returns the weights of the blurring kernel, whose sum is 1.
fn bell() -> Vec<f32> {
    let square = |k: usize| (k as f32 - (EDGE / 2) as f32).powi(2);
    let weight = |i: usize| (-(square(i % EDGE) + square(i / EDGE)) / (2.0 * BELL * BELL)).exp();
    let total: f32 = (0..EDGE * EDGE).map(weight).sum();
    (0..EDGE * EDGE).map(|i| weight(i) / total).collect()
}

/// Returns bytes of red, green and blue, which are interleaved as they are stored.
fn bytes_of(colours: [&DeviceVec<f32>; 3]) -> cl_core::Result<Vec<u8>> {
    let mut bytes = DeviceVec::filled(colours[0].queue(), 0_u8, 3 * colours[0].len())?;
    for (k, x) in colours.into_iter().enumerate() {
        let byte = (x.iter().clamp(0.0, 1.0) * 255.0 + 0.5).cast::<u8>();
        assign(bytes.slice_mut(k..).step_by(3), byte)?;
    }
    bytes.to_vec()
}

/// Blurs some pixels once more on the host, and compares.
fn check_blur(photo: &Pixels, x: &[f32], blurred: &[f32], kernel: &[f32]) {
    for i in (0..x.len()).step_by(997) {
        let (mut sum, mut weight) = (0.0, 0.0);
        for (k, part) in kernel.iter().enumerate() {
            let row = (i / photo.width + EDGE / 2).checked_sub(k / EDGE).filter(|&row| row < photo.height);
            let column = (i % photo.width + EDGE / 2).checked_sub(k % EDGE).filter(|&x| x < photo.width);
            if let (Some(row), Some(column)) = (row, column) {
                sum += part * x[row * photo.width + column];
                weight += part;
            }
        }
        assert!(
            (blurred[i] - sum / weight).abs() < 1e-4,
            "pixel {i} is {}, not {}",
            blurred[i],
            sum / weight
        );
    }
}

/// Computes the gradients of inner pixels once more on the host, and compares.
fn check_edges(photo: &Pixels, grey: &[f32], edges: &[f32]) {
    let width = photo.width;
    for i in (1..photo.height - 1).flat_map(|row| row * width + 1..(row + 1) * width - 1) {
        let row = |from: usize, step: usize| grey[from] + 2.0 * grey[from + step] + grey[from + 2 * step];
        let across = row(i + 1 - width, width) - row(i - 1 - width, width);
        let down = row(i + width - 1, 1) - row(i - width - 1, 1);
        assert!((edges[i] - 0.5 * across.hypot(down)).abs() < 1e-5, "the edge at pixel {i}");
    }
}

/// Counts the shades once more on the host, and compares.
fn check_shades(shades: &[u32], counts: &[u32], darker: &[u32]) {
    let mut expected = [0; 256];
    shades.iter().for_each(|&shade| expected[shade as usize] += 1);
    assert_eq!(counts, expected);
    let sums = expected.iter().scan(0, |sum, count| {
        *sum += count;
        Some(*sum)
    });
    assert!(sums.eq(darker.iter().copied()));
}
