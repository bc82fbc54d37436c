//! Fourier transforms: finds the tones in a sound, and removes everything else from it.
//!
//! `cargo run --release --example 17_fft`. A spectrum shows the strength of each frequency. Here two tones are
//! hidden in noise eight times as strong. The spectrum shows them, and a filter keeps the frequencies around
//! them and transforms back. Filters, windows and conversions are expressions inside the kernels of the
//! transforms. Draws both spectra and both sounds.

use cl_algo::{math::abs, prelude::*};
use cl_examples::picture::{self, Curve};
use cl_fft::{RealFft, rfftfreq};
use cl_random::{Engine, Philox4x32};
use plotters::prelude::*;
use std::error::Error;
use std::f32::consts::TAU;

/// One second of sound. Any length is possible; powers of small primes are the fastest.
const RATE: usize = 8000;
const TONES: [f32; 2] = [440.0, 659.0];

fn main() -> Result<(), Box<dyn Error>> {
    let queue = Queue::on(&Device::first()?)?;
    println!("{RATE} numbers a second on {}", queue.device());
    let tone = |i: usize, hertz: f32| (TAU * (hertz * i as f32 % RATE as f32) / RATE as f32).sin();
    let pure: Vec<f32> = (0..RATE).map(|i| TONES.iter().map(|&hertz| tone(i, hertz)).sum()).collect();
    let noise = <Philox4x32>::new(440).normal::<f32>().take(RATE);
    let sound = (&DeviceVec::from_slice(&queue, &pure)? + 2.8 * noise).collect()?;

    // Real numbers need only half of the spectrum: the other half is its mirror image.
    let fft = RealFft::new_on(&queue, [RATE])?;
    let spectrum = fft.forward(&sound)?;
    let power = spectrum.iter().map(Val::norm_sqr).collect()?.to_vec()?;
    // With one second of sound, element k is k hertz.
    let mut loudest: Vec<usize> = (0..power.len()).collect();
    loudest.sort_by(|&a, &b| power[b].total_cmp(&power[a]));
    println!("the loudest frequencies: {} Hz and {} Hz", loudest[0], loudest[1]);
    let mut found = [loudest[0] as f32, loudest[1] as f32];
    found.sort_by(f32::total_cmp);
    assert_eq!(found, TONES);

    // Parseval: the spectrum has as much power as the sound.
    let in_sound = (&sound * &sound).sum()?;
    let both_halves = power.iter().sum::<f32>() + power[1..power.len() - 1].iter().sum::<f32>();
    assert!((both_halves / RATE as f32 / in_sound - 1.0).abs() < 1e-4);

    // Only frequencies near a tone pass. The filter is computed in the first kernel of the inverse
    // transform.
    let hertz = rfftfreq::<f32>(RATE, 1.0 / RATE as f32);
    let near = |tone: f32| abs(hertz.clone() - tone).lt(8.0);
    let pass = (near(TONES[0]) | near(TONES[1])).select(1.0_f32, 0.0);
    let filtered = (&spectrum * complex(pass, 0.0)).collect()?;
    let clean = fft.inverse(&filtered)?.to_vec()?;
    let filtered = filtered.to_vec()?;
    let distance = |x: &[f32]| x.iter().zip(&pure).map(|(x, y)| (x - y).powi(2)).sum::<f32>().sqrt();
    let sound = sound.to_vec()?;
    let (before, after) = (distance(&sound), distance(&clean));
    println!("distance to the pure tones: {before:.1} before, {after:.1} after");
    assert!(after < 0.15 * before);

    let level = |power: f32| f64::from(10.0 * (power + 1.0).log10());
    let points = |values: Vec<f64>, step: f64| (0..).map(|i: u32| f64::from(i) * step).zip(values).collect();
    let grey = RGBColor(190, 190, 190);
    let file = picture::draw((1000, 700), |area| {
        let (upper, lower) = area.split_vertically(350);
        let all = power[..1200].iter().map(|&power| level(power)).collect();
        let kept = filtered[..1200].iter().map(|z| level(z.norm_sqr())).collect();
        let spectra = vec![
            Curve { name: "with noise".to_owned(), colour: grey, points: points(all, 1.0) },
            Curve { name: "filtered".to_owned(), colour: RED, points: points(kept, 1.0) },
        ];
        let names = ["frequency in hertz", "level in decibels"];
        picture::curves(&upper, names, (0.0..1200.0, 0.0..80.0), spectra)?;

        let part =
            |sound: &[f32]| points(sound[..400].iter().map(|&x| x.into()).collect(), 1e3 / RATE as f64);
        let sounds = vec![
            Curve { name: "with noise".to_owned(), colour: grey, points: part(&sound) },
            Curve { name: "filtered".to_owned(), colour: RED, points: part(&clean) },
            Curve { name: "the pure tones".to_owned(), colour: BLACK, points: part(&pure) },
        ];
        picture::curves(&lower, ["time in milliseconds", "sound"], (0.0..50.0, -9.0..9.0), sounds)
    })?;
    println!("all right; see {}", file.display());
    Ok(())
}
