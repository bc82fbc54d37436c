//! A photo from the few patterns that its blocks are made of: principal components.
//!
//! `cargo run --release --example 39_principal_components [photo.png]`. Each block of 8 x 8 pixels is a point in a space of
//! 192 dimensions. The eigenvectors of the covariance of all blocks, by falling eigenvalues, are the patterns along which
//! blocks differ the most. The picture shows the photo, the photo by 4 and by 16 numbers a block, and the first
//! patterns (Pearson, "On lines and planes of closest fit to systems of points in space", 1901).

use cl_examples::picture::{self, Pixels};
use cl_linalg::{eigh, prelude::*};
use clap::Parser;
use std::error::Error;
use std::path::{Path, PathBuf};

const BLOCK: usize = 8;
const SIZE: usize = BLOCK * BLOCK * 3;
const GAP: usize = 8;

#[derive(Parser)]
struct Options {
    /// A PNG file with three bytes per pixel; by default `examples/data/coffee.png`
    photo: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = Options::parse().photo;
    let file = file.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("data/coffee.png"));
    let photo = picture::read(&file)?;
    let [rows, columns] = [photo.height / BLOCK, photo.width / BLOCK];
    let (height, width, count) = (rows * BLOCK, columns * BLOCK, rows * columns);
    if count < SIZE {
        return Err(format!("{} x {} pixels are fewer than {SIZE} blocks", photo.width, photo.height).into());
    }
    let queue = Queue::on(&Device::first()?)?;
    let bytes = Array::from_slice(&queue, [photo.height, photo.width, 3], &photo.rgb)?;
    let whole = (bytes.slice(s![..height, ..width, ..]).iter().cast::<f32>() / 255.0).collect()?;

    // A row for each block: the pixels of a block get neighbouring axes.
    let blocks = whole.reshape([rows, BLOCK, columns, BLOCK, 3])?.permute_axes([0, 2, 1, 3, 4]).collect()?;
    let points = blocks.reshape([count, SIZE])?;
    let mean = (&points.iter().sum_axis(0)? / count as f32).collect()?;
    let centred = (points - &mean).collect()?;

    // The covariance: how any two dimensions vary together.
    let covariance = (&centred.t().iter().matmul(&centred)? / count as f32).collect()?;
    let eigen = eigh(&covariance)?;
    let values = eigen.values.to_vec()?;
    let total: f32 = values.iter().sum();
    let kept = |k: usize| values[SIZE - k..].iter().sum::<f32>() / total;

    // Each block becomes `k` numbers, its coordinates along the last `k` eigenvectors, and a block again.
    let rebuilt = |k: usize| -> cl_core::Result<Array<f32, 3>> {
        let patterns = eigen.vectors.slice(s![.., SIZE - k..]);
        let coordinates = centred.iter().matmul(patterns.clone())?;
        let near = (&coordinates.matmul(patterns.t())? + &mean).collect()?;
        let pixels =
            near.reshape([rows, columns, BLOCK, BLOCK, 3])?.permute_axes([0, 2, 1, 3, 4]).collect()?;
        pixels.reshape([height, width, 3])?.collect()
    };
    let (few, more) = (rebuilt(4)?, rebuilt(16)?);

    // The first 16 patterns, the strongest first, each pixel four times as large.
    let patterns = eigen.vectors.t().flip(0).slice(s![..16, ..]).collect()?;
    let table = patterns.reshape([2, 8, BLOCK, BLOCK, 3])?.permute_axes([0, 2, 1, 3, 4]).collect()?;
    let table =
        (table.reshape([2 * BLOCK, 8 * BLOCK, 3])?.iter().repeat(0, 4).repeat(1, 4) * 2.0 + 0.5).collect()?;

    let panels = [whole.view(), few.view(), more.view(), table.view()];
    let shape = [2 * (height.max(8 * BLOCK) + GAP) + GAP, 2 * (width.max(32 * BLOCK) + GAP) + GAP, 3];
    let mut canvas = Array::filled(&queue, shape, 255_u8)?;
    for (at, panel) in panels.into_iter().enumerate() {
        let ([h, w, _], y, x) =
            (panel.shape(), GAP + at / 2 * (shape[0] / 2 - GAP / 2), GAP + at % 2 * (shape[1] / 2 - GAP / 2));
        let byte = (panel.iter().max(0.0).min(1.0) * 255.0 + 0.5).cast::<u8>();
        canvas.slice_mut(s![y..y + h, x..x + w, ..]).assign(byte)?;
    }
    let canvas = Pixels { width: shape[1], height: shape[0], rgb: canvas.to_vec()? };

    // The mean square error is the sum of the eigenvalues that are left out, over the numbers of a block.
    for (k, near) in [(4, &few), (16, &more)] {
        let square = (&whole - near).map(|d| d * d).sum()? / (count * SIZE) as f32;
        let left_out = (1.0 - kept(k)) * total / SIZE as f32;
        assert!((square - left_out).abs() < 0.02 * left_out + 1e-6, "{square} {left_out}");
        println!("{k} of {SIZE} numbers a block keep {:.1} % of the variance", 100.0 * kept(k));
    }
    println!("see {}", picture::save(&canvas)?.display());
    Ok(())
}
