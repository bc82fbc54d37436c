//! Measures products of three matrices with a vector on each device, and a loop of one thread on the host, in turn:
//! `cargo run --release -p cl-sparse --example spmv_against_host [size in percent]`.

use cl_algo::prelude::*;
use cl_random::{Engine, Philox4x32};
use cl_sparse::{Csr, HostCsr, generate};
use std::time::Instant;

const RUNS: usize = 21;

fn main() -> cl_core::Result<()> {
    let percent = std::env::args().nth(1).and_then(|argument| argument.parse().ok()).unwrap_or(25_usize);
    let mut rng = Philox4x32::<10>::new(1).rng();
    let edge = (2000.0 * (percent as f64 / 100.0).sqrt()) as usize;
    let rows = 20_000 * percent;
    let law = generate::PowerLaw { shortest: 8, longest: (1100 * percent).min(rows), exponent: 2.3 };
    let matrices: [(&str, HostCsr<f32>); 3] = [
        ("5-point Poisson", generate::five_point([edge, edge], 4.0, -1.0)?),
        ("random, 32 a row", generate::uniform(rows, rows, 32, &mut rng, generate::unit_f32)?),
        ("power law", generate::power_law(rows / 2, rows / 2, law, &mut rng, generate::unit_f32)?),
    ];
    for device in Device::all()? {
        let queue = Queue::on(&device)?;
        println!("{device}: ms a product, of the best of {RUNS} runs");
        for (name, host) in &matrices {
            measure(&queue, name, host)?;
            if device.has_fp64()? {
                measure(&queue, name, &host.map(|&value| f64::from(value)))?;
            }
        }
    }
    Ok(())
}

/// Measures a product on the device and on the host, in turn.
fn measure<T>(queue: &Queue, name: &str, host: &HostCsr<T>) -> cl_core::Result<()>
where
    T: Number + Default + std::ops::Mul<Output = T> + std::ops::Add<Output = T> + From<f32>,
{
    let a: Csr<T> = Csr::new(queue, host)?;
    let numbers: Vec<T> = (0..host.columns()).map(|i| T::from((i % 7) as f32)).collect();
    let x = DeviceVec::from_slice(queue, &numbers)?;
    let mut y = DeviceVec::filled(queue, T::default(), host.rows())?;
    let (mut ours, mut theirs) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..RUNS {
        let start = Instant::now();
        a.multiply_into(&mut y, &x)?;
        queue.finish()?;
        ours = ours.min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        std::hint::black_box(host.multiply(&numbers)?);
        theirs = theirs.min(start.elapsed().as_secs_f64());
    }
    let (size, index) = (size_of::<T>(), size_of::<u32>());
    let bytes = host.nonzeros() * (size + index) + host.rows() * (size + index) + host.columns() * size;
    println!(
        "{name:>18} of {size} bytes: {:8.3}, {:6.1} GB/s, on the host {:8.3}: {:5.2} times as fast, {:?}",
        ours * 1e3,
        bytes as f64 / ours / 1e9,
        theirs * 1e3,
        theirs / ours,
        a.kernel()
    );
    Ok(())
}
