//! Prints the times of LU, Cholesky and QR factorisations of `f64` in each place, and the place that the tuning tables
//! choose. `docs/performance.md` has its results. Arguments: the numbers of rows, else 256 to 2048.

use cl_linalg::prelude::*;
use cl_linalg::{FactorSettings, Place, Result};
use std::time::Instant;

/// Returns the shortest of several times, in milliseconds, and the place.
fn best(rows: usize, mut run: impl FnMut() -> Result<Place>) -> Result<(f64, Place)> {
    let mut place = run()?;
    let mut best = f64::INFINITY;
    for _ in 0..if rows > 1024 { 3 } else { 5 } {
        let begin = Instant::now();
        place = run()?;
        best = best.min(begin.elapsed().as_secs_f64() * 1e3);
    }
    Ok((best, place))
}

fn main() -> Result<()> {
    let queue = Queue::on(&Device::first()?)?;
    let arguments: Vec<usize> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let sizes = if arguments.is_empty() { vec![256, 512, 1000, 2048] } else { arguments };
    let places = [Some(Place::Host), Some(Place::Device), Some(Place::Hybrid), None];
    println!("| factorisation | rows | host, ms | device, ms | hybrid, ms | chosen |");
    println!("| --- | ---: | ---: | ---: | ---: | --- |");
    for rows in sizes {
        let a = Array::from_fn(&queue, [rows, rows], |[i, j]| {
            let noise = ((i * 7919 + j * 104_729) * (i + 31 * j + 1) % 65_536).cast::<f64>() / 65_536.0 - 0.5;
            noise + i.eq(j).cast::<f64>() * rows as f64
        })?;
        for what in ["LU", "Cholesky", "QR"] {
            let mut row = format!("| {what} | {rows} |");
            for place in places {
                let settings = FactorSettings::new();
                let settings = place.map_or(settings, |place| settings.place(place));
                let (time, chosen) = best(rows, || {
                    let place = match what {
                        "LU" => a.lu_with(&settings)?.place(),
                        "Cholesky" => a.cholesky_with(&settings)?.place(),
                        _ => a.qr_with(&settings)?.place(),
                    };
                    queue.finish()?;
                    Ok(place)
                })?;
                row += &match place {
                    Some(_) => format!(" {time:.1} |"),
                    None => format!(" {chosen:?}, {time:.1} |"),
                };
            }
            println!("{row}");
        }
    }
    Ok(())
}
