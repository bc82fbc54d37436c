//! K-means clustering: finds the eight colours that are closest to all the colours of a photo.
//!
//! `cargo run --release --example 30_k_means [photo.png]`. In turn, each pixel joins the nearest centre, and
//! each centre moves to the mean of its pixels. The first step is a device function over all centres. The
//! second adds up the pixels of each cluster by `reduce_by_index`, and these sums move the centres on the device. The host
//! only reads how far they moved. Draws the photo in its eight colours.

use cl_algo::prelude::*;
use cl_algo::stl::reduce_by_index;
use cl_examples::picture::{self, Pixels};
use clap::Parser;
use plotters::prelude::*;
use std::error::Error;
use std::path::{Path, PathBuf};

#[derive(Parser)]
struct Options {
    /// A PNG file with three bytes per pixel; by default `examples/data/coffee.png`
    photo: Option<PathBuf>,
}

const CLUSTERS: usize = 8;

/// Returns the centre that is nearest to a colour.
#[device_fn]
fn nearest(r: f32, g: f32, b: f32, red: &[f32], green: &[f32], blue: &[f32]) -> u32 {
    let (mut best, mut least) = (0, f32::MAX);
    for k in 0..red.len() {
        let (dr, dg, db) = (r - red[k], g - green[k], b - blue[k]);
        let square = dr * dr + dg * dg + db * db;
        if square < least {
            best = k;
            least = square;
        }
    }
    best as u32
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = Options::parse().photo;
    let file = file.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("data/coffee.png"));
    let photo = picture::read(&file)?;
    let queue = Queue::on(&Device::first()?)?;
    let count = photo.width * photo.height;
    println!("{count} pixels in {CLUSTERS} clusters on {}", queue.device());
    let bytes = DeviceVec::from_slice(&queue, &photo.rgb)?;
    let colour = |k: usize| bytes.iter().skip(k).step_by(3).cast::<f32>().collect();
    let (red, green, blue) = (colour(0)?, colour(1)?, colour(2)?);

    // The centres begin on the diagonal from black to white.
    let start = |k: usize| 255.0 * (k as f32 + 0.5) / CLUSTERS as f32;
    let centre = || DeviceVec::from_fn(&queue, CLUSTERS, start);
    let mut centres = [centre()?, centre()?, centre()?];
    let mut rounds = 0;
    let cluster = loop {
        let [r, g, b] = &centres;
        let cluster = nearest(&red, &green, &blue, r, g, b).collect()?;
        let before = centres_of(&centres)?;
        move_centres(&cluster, [&red, &green, &blue], &mut centres)?;
        rounds += 1;
        let moved =
            centres_of(&centres)?.iter().zip(&before).map(|(a, b)| distance(a, b)).fold(0.0, f32::max);
        if rounds == 1000 {
            return Err("the centres do not settle".into());
        }
        if moved < 0.1 {
            println!("{rounds} rounds; in the last one no centre moved farther than {moved:.2}");
            break cluster;
        }
    };

    let found = centres_of(&centres)?;
    let cluster = cluster.to_vec()?;
    check(&photo, &cluster, &found);
    for (k, [r, g, b]) in found.iter().enumerate() {
        let pixels = cluster.iter().filter(|&&c| c as usize == k).count();
        println!("({r:3.0}, {g:3.0}, {b:3.0}): {:4.1} % of the pixels", 100.0 * pixels as f32 / count as f32);
    }
    let file = draw(photo, &cluster, &found)?;
    println!("all right; see {}", file.display());
    Ok(())
}

/// Moves each centre to the mean of the pixels of its cluster. A centre without pixels is not moved.
fn move_centres(
    cluster: &DeviceVec<u32>,
    colours: [&DeviceVec<f32>; 3],
    centres: &mut [DeviceVec<f32>; 3],
) -> cl_core::Result<()> {
    // The cluster of a pixel is the index of the sums that the pixel is added to.
    let sum = || DeviceVec::filled(cluster.queue(), 0.0_f32, CLUSTERS);
    let (mut red, mut green, mut blue, mut pixels) = (sum()?, sum()?, sum()?, sum()?);
    type Sums = (Val<f32>, Val<f32>, Val<f32>, Val<f32>);
    let add = |(r, g, b, n): Sums, (s, h, c, m): Sums| (r + s, g + h, b + c, n + m);
    let sinks = (&mut red, &mut green, &mut blue, &mut pixels);
    let [r, g, b] = colours;
    reduce_by_index(cluster, zip((r, g, b, 1.0_f32)), (0.0, 0.0, 0.0, 0.0), add, sinks)?;
    for (centre, sum) in centres.iter_mut().zip([&red, &green, &blue]) {
        centre.assign_with(|old| pixels.iter().gt(0.0).select(sum / &pixels, old))?;
    }
    Ok(())
}

/// Returns the centres on the host, colour by colour.
fn centres_of(centres: &[DeviceVec<f32>; 3]) -> cl_core::Result<Vec<[f32; 3]>> {
    let [red, green, blue] = [centres[0].to_vec()?, centres[1].to_vec()?, centres[2].to_vec()?];
    Ok((0..CLUSTERS).map(|k| [red[k], green[k], blue[k]]).collect())
}

fn distance(a: &[f32; 3], b: &[f32; 3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt()
}

/// Checks that each pixel is in the cluster with the nearest centre, and that each centre is the mean of its
/// pixels.
fn check(photo: &Pixels, cluster: &[u32], centres: &[[f32; 3]]) {
    let mut sums = vec![[0.0_f64; 4]; centres.len()];
    for (pixel, &k) in photo.rgb.chunks_exact(3).zip(cluster) {
        let pixel = [pixel[0], pixel[1], pixel[2]].map(f32::from);
        let own = distance(&pixel, &centres[k as usize]);
        // The centres moved a last time after the pixels had joined them.
        assert!(centres.iter().all(|centre| own < distance(&pixel, centre) + 0.3));
        let sum = &mut sums[k as usize];
        (0..3).for_each(|channel| sum[channel] += f64::from(pixel[channel]));
        sum[3] += 1.0;
    }
    for (centre, sum) in centres.iter().zip(sums).filter(|(_, sum)| sum[3] > 0.0) {
        assert!((0..3).all(|k| (f64::from(centre[k]) - sum[k] / sum[3]).abs() < 1e-2), "{centre:?}, {sum:?}");
    }
}

/// Draws the photo, the photo in the colours of the centres, and these colours.
fn draw(photo: Pixels, cluster: &[u32], centres: &[[f32; 3]]) -> Result<PathBuf, Box<dyn Error>> {
    let bytes = |k: u32| centres[k as usize].map(|channel| channel.round() as u8);
    let few: Vec<u8> = cluster.iter().flat_map(|&k| bytes(k)).collect();
    let (width, height) = (u32::try_from(photo.width)?, u32::try_from(photo.height)?);
    picture::draw((2 * width + 30, height + 100), |area| {
        let names = [("all its colours".to_owned(), photo.rgb), (format!("{CLUSTERS} colours"), few)];
        for (left, (name, rgb)) in [10, width as i32 + 20].into_iter().zip(names) {
            let shown = BitMapElement::with_owned_buffer((left, 30), (width, height), rgb);
            area.draw(&shown.ok_or("a photo of another size")?)?;
            area.draw(&Text::new(name, (left, 10), ("sans-serif", 16)))?;
        }
        let step = (2 * width as i32 + 10) / centres.len() as i32;
        for k in 0..centres.len() as u32 {
            let [r, g, b] = bytes(k);
            let (left, top) = (10 + k as i32 * step, height as i32 + 45);
            area.draw(&Rectangle::new([(left, top), (left + step, top + 45)], RGBColor(r, g, b).filled()))?;
        }
        Ok(())
    })
}
