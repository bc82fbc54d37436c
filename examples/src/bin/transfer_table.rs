//! Times every strategy of transfers of a part of a matrix: the rows and columns from a quarter on, every second one, to the
//! host and back.
//!
//! `cargo run --release --bin transfer_table`. Each row of the table has the microseconds of the strategies, then those of
//! the one that is chosen, and their ratio to the best. The strategies take turns, so that other programs disturb all of
//! them alike. Numbers for a tuning table follow from it: see `cl_array::TransferStrategy`.

use cl_array::TransferStrategy;
use cl_array::prelude::*;
use std::time::Instant;

/// The strategies, and last the choice.
const STRATEGIES: [Option<TransferStrategy>; 5] = [
    Some(TransferStrategy::Boxes),
    Some(TransferStrategy::Block),
    Some(TransferStrategy::Packed),
    None,
    Some(TransferStrategy::Rows),
];

/// The rounds of measurements; a row of calls is slow, and measured in the first ones only.
const ROUNDS: usize = 40;
const ROUNDS_OF_ROWS: usize = 3;

fn main() -> cl_core::Result<()> {
    let queue = Queue::on(&Device::first()?)?;
    println!("{}", queue.device());
    for (order, step) in [("row-major", 2), ("row-major", 1), ("column-major", 2), ("column-major", 1)] {
        println!("\n{order}, step {step}: boxes, block, packed, chosen, rows; chosen / best");
        for n in [16, 50, 100, 256, 1000, 2000] {
            let vector = DeviceVec::filled(&queue, 1.0_f64, n * n)?;
            let mut a = match order {
                "row-major" => Array::from_vec(vector, [n, n])?,
                _ => Array::column_major(vector, [n, n])?,
            };
            let (begin, end) = ((n / 4) as isize, (n / 4) as isize * (1 + step));
            let part = || s![begin..end; step, begin..end; step];
            let mut host = vec![0.0; (n / 4) * (n / 4)];
            let reads = measure(|strategy| {
                let part = a.slice(part());
                match strategy {
                    Some(strategy) => part.read_into_by(strategy, &mut host),
                    None => part.read_into(&mut host),
                }
            })?;
            let writes = measure(|strategy| {
                let part = a.slice_mut(part());
                match strategy {
                    Some(strategy) => part.write_by(strategy, &host)?,
                    None => part.write(&host)?,
                }
                queue.finish()
            })?;
            println!("{n:5} read {}", row(reads));
            println!("{n:5} write {}", row(writes));
        }
    }
    Ok(())
}

/// Returns the median time of each strategy, in microseconds.
fn measure(
    mut run: impl FnMut(Option<TransferStrategy>) -> cl_core::Result<()>,
) -> cl_core::Result<[f64; 5]> {
    let mut times = [const { Vec::new() }; 5];
    for round in 0..=ROUNDS {
        for (strategy, times) in STRATEGIES.into_iter().zip(&mut times) {
            if strategy == Some(TransferStrategy::Rows) && round > ROUNDS_OF_ROWS {
                continue;
            }
            let start = Instant::now();
            run(strategy)?;
            // The first round compiles kernels.
            if round > 0 {
                times.push(1e6 * start.elapsed().as_secs_f64());
            }
        }
    }
    Ok(times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    }))
}

fn row(times: [f64; 5]) -> String {
    let best = times.iter().copied().fold(f64::INFINITY, f64::min);
    let columns: String = times.iter().map(|time| format!("{time:10.1}")).collect();
    format!("{columns}   {:.2}", times[3] / best)
}
