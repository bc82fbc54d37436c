//! A spectrogram: shows the frequencies of a sound over time.
//!
//! `cargo run --release --example 31_spectrogram [file.wav]`, with 16-bit samples; without a file the sound is
//! a generated chirp. The sound is cut into overlapping pieces. A window fades each piece in and out, and each
//! piece has a spectrum. Pieces, windows and the loudness of each frequency are part of one batched transform
//! of real numbers, and nothing else is stored.

use cl_algo::{num_complex::Complex, prelude::*};
use cl_examples::picture;
use cl_fft::{Problem, RealFft};
use clap::Parser;
use plotters::prelude::*;
use std::error::Error;
use std::path::{Path, PathBuf};

/// The samples of a piece, and the distance between the beginnings of pieces.
const PIECE: usize = 512;
const HOP: usize = 128;

#[derive(Parser)]
struct Options {
    /// A WAV file of 16-bit samples; by default a generated chirp
    file: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let Options { file } = Options::parse();
    let (sound, rate) = match &file {
        Some(file) => read_wav(file).map_err(|error| format!("{}: {error}", file.display()))?,
        None => (chirp(), 16_000.0),
    };
    if sound.len() < PIECE {
        return Err(format!("{} numbers are less than the {PIECE} of a piece", sound.len()).into());
    }
    let queue = Queue::on(&Device::first()?)?;
    let pieces = (sound.len() - PIECE) / HOP + 1;
    let x = DeviceVec::from_slice(&queue, &sound)?;
    // Element i of piece p is number p HOP + i of the sound.
    let place = iota(0_u32, pieces * PIECE).map(|i| i / PIECE as u32 * HOP as u32 + i % PIECE as u32);
    let window = iota(0_u32, pieces * PIECE).map(|i| {
        let angle = (i % PIECE as u32).cast::<f32>() * (std::f32::consts::TAU / PIECE as f32);
        0.5 - angle.cos() * 0.5
    });
    let fft = RealFft::new_on(&queue, Problem::new([PIECE]).batch(pieces))?;
    let height = PIECE / 2 + 1;
    let mut power = DeviceVec::filled(&queue, 0.0_f32, pieces * height)?;
    let decibels = |z: Val<Complex<f32>>| (z.norm_sqr() + 1e-9).log10() * 10.0;
    fft.forward_into(mapped(&mut power, decibels), x.iter().gather(place) * window)?;

    let power = power.to_vec()?;
    if file.is_none() {
        // The chirp's frequency grows with time, and so does the loudest frequency.
        let frequency = |piece: usize| {
            let column = &power[piece * height..(piece + 1) * height];
            (0..height).max_by(|&a, &b| column[a].total_cmp(&column[b])).unwrap_or(0)
        };
        let (early, late) = (frequency(pieces / 8), frequency(pieces * 7 / 8));
        assert!((early as f32 - height as f32 / 8.0).abs() < 8.0, "{early} of {height}");
        assert!((late as f32 - height as f32 * 7.0 / 8.0).abs() < 8.0, "{late} of {height}");
    }
    let file = draw(&power, pieces, rate)?;
    println!("{pieces} pieces on {}: all right; see {}", queue.device(), file.display());
    Ok(())
}

/// Draws time from left to right, and frequencies from the bottom to the top; 80 decibels range from black to
/// white.
fn draw(power: &[f32], pieces: usize, rate: f64) -> Result<PathBuf, Box<dyn Error>> {
    let height = power.len() / pieces;
    let loudest = power.iter().copied().fold(f32::MIN, f32::max);
    let mut rgb = vec![0_u8; 3 * power.len()];
    for (i, &loudness) in power.iter().enumerate() {
        let (piece, frequency) = (i / height, i % height);
        let shade = ((loudness - loudest + 80.0) / 80.0).clamp(0.0, 1.0);
        let pixel = (height - 1 - frequency) * pieces + piece;
        // Hot colours: first red grows, then green, then blue.
        let colour = [0.0, 1.0, 2.0].map(|k| (255.0 * (3.0 * shade - k).clamp(0.0, 1.0)) as u8);
        rgb[3 * pixel..3 * pixel + 3].copy_from_slice(&colour);
    }
    let (width, height) = (u32::try_from(pieces)?, u32::try_from(height)?);
    picture::draw((width + 110, height + 75), |area| {
        let seconds = (pieces * HOP) as f64 / rate;
        let mut chart = ChartBuilder::on(area)
            .margin(15)
            .x_label_area_size(45)
            .y_label_area_size(80)
            .build_cartesian_2d(0.0..seconds, 0.0..rate / 2.0)?;
        let mut mesh = chart.configure_mesh();
        mesh.disable_mesh().label_style(("sans-serif", 14));
        mesh.x_desc("time in seconds").y_desc("frequency in hertz").draw()?;
        let corner = (0.0, rate / 2.0);
        let shown = BitMapElement::with_owned_buffer(corner, (width, height), rgb);
        chart.draw_series(shown)?;
        Ok(())
    })
}

/// Returns a tone that rises from 0 to the highest possible frequency.
fn chirp() -> Vec<f32> {
    let len = 1 << 16;
    let phase = |i: usize| std::f64::consts::PI * (i as f64).powi(2) / (2.0 * len as f64);
    (0..len).map(|i| phase(i).sin() as f32).collect()
}

/// Returns the first channel of a WAV file of 16-bit samples, and the number of samples per second.
fn read_wav(file: &Path) -> Result<(Vec<f32>, f64), Box<dyn Error>> {
    let bytes = std::fs::read(file)?;
    let number =
        |at: usize| bytes.get(at..at + 2).map(|two| usize::from(u16::from_le_bytes([two[0], two[1]])));
    if bytes.get(..4) != Some(b"RIFF") || bytes.get(8..12) != Some(b"WAVE") {
        return Err("this is not a WAV file".into());
    }
    let (mut at, mut channels, mut rate) = (12, 0, 0);
    while let (Some(name), Some(low), Some(high)) = (bytes.get(at..at + 4), number(at + 4), number(at + 6)) {
        let (start, size) = (at + 8, low | high << 16);
        if name == b"fmt " {
            channels = number(start + 2).unwrap_or(0);
            rate = number(start + 4).unwrap_or(0) | number(start + 6).unwrap_or(0) << 16;
            if (number(start), number(start + 14)) != (Some(1), Some(16)) {
                return Err("its samples do not have 16 bits".into());
            }
        }
        if name == b"data" && channels > 0 && rate > 0 {
            let data = &bytes[start..(start + size).min(bytes.len())];
            let first = |frame: &[u8]| f32::from(i16::from_le_bytes([frame[0], frame[1]])) / 32_768.0;
            return Ok((data.chunks_exact(2 * channels).map(first).collect(), rate as f64));
        }
        at = start + size + size % 2;
    }
    Err("it has no sound".into())
}
