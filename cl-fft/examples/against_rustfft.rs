//! Times batched transforms on each device, and `rustfft` on all threads, in turn: `cargo run --release --example
//! against_rustfft [points in all] [lengths]`.

use cl_algo::num_complex::Complex;
use cl_algo::prelude::*;
use cl_fft::{Fft, Normalization, Problem};
use std::time::Instant;

fn main() -> cl_core::Result<()> {
    let mut arguments = std::env::args().skip(1).filter_map(|argument| argument.parse::<usize>().ok());
    let total = arguments.next().unwrap_or(1 << 22);
    let mut lengths: Vec<usize> = arguments.collect();
    if lengths.is_empty() {
        lengths = vec![16, 64, 256, 1000, 1024, 1009, 4096, 1 << 16];
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    for device in Device::all()? {
        let queue = Queue::on(&device)?;
        println!("{device}, and rustfft on {threads} threads: ns a point");
        for &n in &lengths {
            let batch = (total / n).max(1);
            let mut host: Vec<Complex<f32>> =
                (0..n * batch).map(|i| Complex::new((i % 17) as f32, 1.0)).collect();
            let mut x = DeviceVec::from_slice(&queue, &host)?;
            let fft = Fft::c2c(&queue, Problem::new([n]).batch(batch))?.normalized(Normalization::Root);
            let other = rustfft::FftPlanner::<f32>::new().plan_fft_forward(n);
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            for _ in 0..49 {
                let start = Instant::now();
                fft.forward_in_place(&mut x)?;
                queue.finish()?;
                ours.push(start.elapsed().as_secs_f64());
                let start = Instant::now();
                std::thread::scope(|scope| {
                    for part in host.chunks_mut(batch.div_ceil(threads) * n) {
                        let other = &other;
                        scope.spawn(move || other.process(part));
                    }
                });
                theirs.push(start.elapsed().as_secs_f64());
                host.iter_mut().for_each(|z| *z = Complex::new(1.0, z.im.min(1.0)));
            }
            let nanoseconds = |times: &mut Vec<f64>| {
                times.sort_by(f64::total_cmp);
                // The machine may be shared: the best of them tells most.
                times[0] * 1e9 / (n * batch) as f64
            };
            let (ours, theirs) = (nanoseconds(&mut ours), nanoseconds(&mut theirs));
            println!("{n:>8} x {batch:<8} {ours:8.3} {theirs:8.3}   {:.2} times as fast", theirs / ours);
        }
    }
    Ok(())
}
