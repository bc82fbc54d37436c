//! The temperatures of a plate, from Matrix Market files of its heat flows, which `src/bin/make_plate.rs`
//! describes.
//!
//! `cargo run --release --example 28_heat_plate [folder]`. Conjugate gradients solve the system. The picture
//! has isotherms every ten degrees.

use cl_algo::prelude::*;
use cl_examples::picture;
use cl_sparse::matrix_market::{self, Array, Reader};
use cl_sparse::solve::{Cg, Jacobi, Tolerance};
use cl_sparse::{Csr, HostCsr};
use clap::Parser;
use plotters::prelude::*;
use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// The pixels along an edge of a square of the plate.
const ZOOM: i32 = 10;

#[derive(Parser)]
struct Options {
    /// The folder of the files; by default `examples/data`
    folder: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let Options { folder } = Options::parse();
    let folder = folder.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("data"));
    let host: HostCsr<f32> = matrix_market::read_file(folder.join("plate.mtx"))?;
    let open = |name: &str| {
        let file = folder.join(name);
        File::open(&file).map(BufReader::new).map_err(|error| format!("{}: {error}", file.display()))
    };
    let heat: Array<f32> = Reader::new(open("plate_heat.mtx")?)?.array()?;
    let places: Array<i32> = Reader::new(open("plate_places.mtx")?)?.array()?;

    let queue = Queue::on(&Device::first()?)?;
    let flows = Csr::new(&queue, &host)?;
    let heat = DeviceVec::from_slice(&queue, heat.values())?;
    let mut warmth = DeviceVec::filled(&queue, 20.0_f32, flows.rows())?;
    let diagonal = flows.diagonal()?;
    let jacobi = Jacobi::new(&diagonal)?;
    let mut solver = Cg::new().tolerance(Tolerance::Relative(1e-5)).history(true).preconditioner(&jacobi);
    let report = solver.solve(&flows, &heat, &mut warmth)?;
    println!(
        "{} squares on {}: {} iterations, the residual from {:.1e} to {:.1e}",
        flows.rows(),
        queue.device(),
        report.iterations,
        report.history[0],
        report.residual
    );

    // The heat that flows in flows out, up to the tolerance. One kernel computes this residual.
    let left = (&heat - &flows * &warmth).map(|rest| rest * rest).sum()?.sqrt();
    let all = (&heat * &heat).sum()?.sqrt();
    assert!(left <= 1e-4 * all, "{left} of {all} are left");
    // Nothing is warmer than the warmest edge, or colder than the pipe.
    let (coldest, warmest) = (warmth.iter().reduce_min()?, warmth.iter().reduce_max()?);
    let (Some(coldest), Some(warmest)) = (coldest, warmest) else { return Err("an empty plate".into()) };
    assert!(coldest > -0.01 && warmest < 100.01, "from {coldest} to {warmest} degrees");

    let file = draw(&places, &warmth.to_vec()?)?;
    println!("from {coldest:.1} to {warmest:.1} degrees: all right; see {}", file.display());
    Ok(())
}

/// Draws each square at its position, and a scale of the colours beside the plate.
fn draw(places: &Array<i32>, warmth: &[f32]) -> Result<PathBuf, Box<dyn Error>> {
    let (rows, columns) = places.values().split_at(places.rows());
    let size = |places: &[i32]| places.iter().max().map_or(0, |last| ZOOM * (last + 1));
    let (width, height) = (size(columns), size(rows));
    picture::draw((width as u32 + 80, height as u32), |area| {
        for ((&row, &column), &degrees) in rows.iter().zip(columns).zip(warmth) {
            let (x, y) = (ZOOM * column, ZOOM * row);
            area.draw(&Rectangle::new([(x, y), (x + ZOOM, y + ZOOM)], colour(degrees).filled()))?;
        }
        for y in 0..height {
            let degrees = 100.0 * (1.0 - y as f32 / height as f32);
            area.draw(&Rectangle::new([(width + 15, y), (width + 35, y + 1)], colour(degrees).filled()))?;
        }
        for degrees in (10..100).step_by(10) {
            let y = height - height * degrees / 100;
            area.draw(&Text::new(format!("{degrees} °C"), (width + 40, y - 6), ("sans-serif", 13)))?;
        }
        Ok(())
    })
}

/// Returns a colour from blue to red, which becomes darker from one multiple of ten degrees to the next.
fn colour(degrees: f32) -> HSLColor {
    let band = f64::from(degrees / 10.0).floor().clamp(0.0, 9.0);
    let within = (f64::from(degrees / 10.0) - band).clamp(0.0, 1.0);
    HSLColor((9.0 - band) / 9.0 * 0.66, 0.85, 0.62 - 0.2 * within)
}
