//! Times LU, Cholesky and QR factorisations of `f64` matrices on the host, on the device, and on both.
//!
//! `cargo run --release --bin factor_table [ROWS,ROWS,.. [COLUMNS,COLUMNS,..]]`, with the numbers of rows, and the numbers of
//! columns of a panel beside the one that is chosen. Each row of the table has milliseconds, the shortest of some
//! runs, and which processor the tuning table chooses. Numbers for a tuning table follow from it: see
//! `cl_linalg::FactorSettings`.

use cl_linalg::prelude::*;
use cl_linalg::{FactorSettings, RunsOn};
use cl_random::{Engine, Philox4x32};
use std::time::Instant;

const PLACES: [RunsOn; 3] = [RunsOn::Host, RunsOn::Device, RunsOn::Hybrid];
const RUNS: usize = 3;

fn main() -> cl_linalg::Result<()> {
    let list = |place: usize, default: &[usize]| match std::env::args().nth(place) {
        Some(text) => text.split(',').map(str::parse).collect::<Result<Vec<usize>, _>>(),
        None => Ok(default.to_vec()),
    };
    let (Ok(rows), Ok(widths)) = (list(1, &[64]), list(2, &[])) else {
        eprintln!("usage: factor_table [ROWS,ROWS,.. [COLUMNS,COLUMNS,..]]");
        std::process::exit(2);
    };
    let queue = Queue::on(&Device::first()?)?;
    println!("{}", queue.device());
    println!("factorisation  rows  panel    host  device  hybrid  chosen");
    for rows in rows {
        let noise = <Philox4x32>::new(rows as u64).normal::<f64>();
        let a = ArrayExpr::from_expr(noise.take(rows * rows), [rows, rows]).collect_on(&queue)?;
        let definite = {
            let identity = Array::<f64, 2>::eye(&queue, rows)?;
            let square = a.matmul(a.t())?;
            (&square / rows as f64 + &identity).collect()?
        };
        for width in std::iter::once(None).chain(widths.iter().copied().map(Some)) {
            let settings = |place: RunsOn| {
                let settings = FactorSettings::new().runs_on(place);
                width.map_or(settings, |width| settings.panel(width))
            };
            let lu = times(|place| a.lu_with(&settings(place)).map(drop))?;
            let cholesky = times(|place| definite.cholesky_with(&settings(place)).map(drop))?;
            let qr = times(|place| {
                a.qr_with(&settings(place))?;
                Ok(queue.finish()?)
            })?;
            let chosen = [a.lu()?.ran_on(), definite.cholesky()?.ran_on(), a.qr()?.ran_on()];
            for ((name, times), chosen) in ["LU", "Cholesky", "QR"].iter().zip([lu, cholesky, qr]).zip(chosen)
            {
                let panel = width.map_or("-".to_owned(), |width| width.to_string());
                let columns: String = times.iter().map(|time| format!("{time:8.2}")).collect();
                println!("{name:13}  {rows:4}  {panel:>5}{columns}  {chosen:?}");
            }
        }
    }
    Ok(())
}

/// Returns the milliseconds on each processor, after a run that compiles kernels.
fn times(mut run: impl FnMut(RunsOn) -> cl_linalg::Result<()>) -> cl_linalg::Result<[f64; 3]> {
    let mut times = [f64::INFINITY; 3];
    for round in 0..=RUNS {
        for (place, time) in PLACES.into_iter().zip(&mut times) {
            let start = Instant::now();
            run(place)?;
            if round > 0 {
                *time = time.min(1e3 * start.elapsed().as_secs_f64());
            }
        }
    }
    Ok(times)
}
