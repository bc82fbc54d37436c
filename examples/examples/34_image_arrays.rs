//! A photo as an array with three axes: rows, columns and colours.
//!
//! `cargo run --release --example 34_image_arrays [photo.png]`. Slices that are shifted against each other make
//! edges and a blur, reductions along axes even out the colours, and views turn, crop and enlarge without a copy.
//! Each panel of the picture is assigned to a slice of one array.

use cl_array::prelude::*;
use cl_examples::picture::{self, Pixels};
use clap::Parser;
use std::error::Error;
use std::path::{Path, PathBuf};

/// The neighbours on each side that the blur averages, and the edge of a thumbnail's blocks.
const REACH: usize = 4;
const BLOCK: usize = 4;
const GAP: usize = 8;

#[derive(Parser)]
struct Options {
    /// A PNG file with three bytes per pixel; by default `examples/data/coffee.png`
    photo: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = Options::parse().photo;
    let file = file.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("data/coffee.png"));
    let Pixels { width, height, rgb } = picture::read(&file)?;
    let edge = width.min(height);
    if edge < BLOCK {
        return Err(format!("{width} x {height} pixels; at least {BLOCK} x {BLOCK} are needed").into());
    }
    let queue = Queue::on(&Device::first()?)?;
    let bytes = Array::from_slice(&queue, [height, width, 3], &rgb)?;
    let photo = (bytes.iter().cast::<f32>() / 255.0).collect()?;

    // The brightness as eyes see it: three weights are broadcast to all pixels, and the colours are added up.
    let weights = Array::from_slice(&queue, [3], &[0.299_f32, 0.587, 0.114])?;
    let grey = (&photo * &weights).sum_axis(2)?;

    // The gradient is made of differences of neighbours, which only pixels inside the photo have.
    let at = |i: usize, j: usize| grey.slice(s![i..i + height - 2, j..j + width - 2]);
    let across = (at(0, 2) + 2.0 * at(1, 2) + at(2, 2)) - (at(0, 0) + 2.0 * at(1, 0) + at(2, 0));
    let down = (at(2, 0) + 2.0 * at(2, 1) + at(2, 2)) - (at(0, 0) + 2.0 * at(0, 1) + at(0, 2));
    let edges = (0.5 * across.hypot(down)).collect()?;

    // The mean of a square is that of its rows' means. Pixels beyond the border are those of the border.
    let wide = photo.iter().pad([(REACH, REACH), (REACH, REACH), (0, 0)], Pad::Edge).collect()?;
    let count = 2 * REACH + 1;
    let row = |i: usize| wide.slice(s![i..i + height, .., ..]);
    let columns = ((1..count).fold(row(0).iter(), |sum, i| sum + row(i)) / count as f32).collect()?;
    let column = |j: usize| columns.slice(s![.., j..j + width, ..]);
    let soft = ((1..count).fold(column(0).iter(), |sum, j| sum + column(j)) / count as f32).collect()?;

    // Each colour gets the same mean and the same deviation: reductions along the axes of the pixels.
    let pixels = (width * height) as f32;
    let sums = photo.iter().sum_axes::<1>(&[0, 1])?;
    let from_mean = &photo - &sums / pixels;
    let squares = from_mean.clone().map(|x| x * x).sum_axes::<1>(&[0, 1])?;
    let deviation = (&squares / pixels).sqrt().max(1e-3);
    let even = (0.25 * (from_mean / deviation) + 0.5).collect()?;

    // Blocks get axes of their own, along which their mean is taken.
    let [rows, columns] = [height / BLOCK, width / BLOCK];
    let whole_blocks = photo.slice(s![..rows * BLOCK, ..columns * BLOCK, ..]).collect()?;
    let blocks = whole_blocks.reshape([rows, BLOCK, columns, BLOCK, 3])?;
    let sums_of_blocks = blocks.iter().sum_axes::<3>(&[1, 3])?;
    let small = &sums_of_blocks / (BLOCK * BLOCK) as f32;

    let panels = [
        photo.iter(),
        soft.iter(),
        edges.iter().insert_axis(2).broadcast([height - 2, width - 2, 3]),
        even.iter(),
        photo.permute_axes([1, 0, 2]).flip(0).slice(s![..edge, ..edge, ..]).iter(),
        small.flip(1).repeat(0, 2).repeat(1, 2).tile([2, 2, 1]),
    ];
    let shape = [2 * (height + GAP) + GAP, 3 * (width + GAP) + GAP, 3];
    let mut canvas = Array::filled(&queue, shape, 255_u8)?;
    for (k, panel) in panels.into_iter().enumerate() {
        let ([h, w, _], y, x) = (panel.shape(), GAP + k / 3 * (height + GAP), GAP + k % 3 * (width + GAP));
        let byte = (panel.max(0.0).min(1.0) * 255.0 + 0.5).cast::<u8>();
        canvas.slice_mut(s![y..y + h, x..x + w, ..]).assign(byte)?;
    }
    let canvas = Pixels { width: shape[1], height: shape[0], rgb: canvas.to_vec()? };

    check(&Pixels { width, height, rgb }, &canvas, &soft.to_vec()?, &edges.to_vec()?);
    let means = even.iter().sum_axes::<1>(&[0, 1])?.to_vec()?;
    assert!(means.iter().all(|sum| (sum / pixels - 0.5).abs() < 1e-3), "{means:?}");
    println!("all right; see {}", picture::save(&canvas)?.display());
    Ok(())
}

/// Computes pixels once more on the host, and compares.
fn check(photo: &Pixels, canvas: &Pixels, soft: &[f32], edges: &[f32]) {
    let (width, height) = (photo.width, photo.height);
    let colour = |i: usize, j: usize, k: usize| f32::from(photo.rgb[3 * (i * width + j) + k]) / 255.0;
    let near = |at: usize, offset: usize, len: usize| (at + offset).saturating_sub(REACH).min(len - 1);
    for at in (0..height * width).step_by(97) {
        let (i, j) = (at / width, at % width);
        let square = (0..=2 * REACH).flat_map(|di| (0..=2 * REACH).map(move |dj| (di, dj)));
        let sum: f32 = square.map(|(di, dj)| colour(near(i, di, height), near(j, dj, width), 1)).sum();
        let mean = sum / (2 * REACH + 1).pow(2) as f32;
        assert!((soft[3 * at + 1] - mean).abs() < 1e-4, "the blur at row {i}, column {j}");
    }
    let grey =
        |i: usize, j: usize| 0.299 * colour(i, j, 0) + 0.587 * colour(i, j, 1) + 0.114 * colour(i, j, 2);
    for (at, edge) in edges.iter().enumerate() {
        let (i, j) = (at / (width - 2), at % (width - 2));
        let line = |i: usize, j: usize, di: usize, dj: usize| {
            grey(i, j) + 2.0 * grey(i + di, j + dj) + grey(i + 2 * di, j + 2 * dj)
        };
        let gradient =
            (line(i, j + 2, 1, 0) - line(i, j, 1, 0)).hypot(line(i + 2, j, 0, 1) - line(i, j, 0, 1));
        assert!((edge - 0.5 * gradient).abs() < 1e-5, "the edge at row {i}, column {j}");
    }
    // The first panel is the photo, and the fifth the photo turned to the left, as far as it fits.
    let shown = |i: usize, j: usize| &canvas.rgb[3 * (i * canvas.width + j)..][..3];
    let given = |i: usize, j: usize| &photo.rgb[3 * (i * width + j)..][..3];
    for (i, j) in (0..width.min(height)).flat_map(|i| (0..width.min(height)).map(move |j| (i, j))) {
        assert_eq!(shown(GAP + i, GAP + j), given(i, j));
        assert_eq!(shown(2 * GAP + height + i, 2 * GAP + width + j), given(j, width - 1 - i));
    }
}
