//! Writes endless random bytes to the standard output, for programs that test generators: `cargo xtask
//! dieharder`.
//!
//! `cargo run --release --bin random_stream -- --mib 0 --seed 7 | dieharder -g 200 -a`

use cl_algo::prelude::*;
use cl_random::{Engine, Philox4x32};
use clap::Parser;
use std::io::{self, Write};

#[derive(Parser)]
struct Options {
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of MiB to write, or 0 for an endless stream; without it, compare 4 MiB with the host's
    #[arg(long)]
    mib: Option<u64>,
}

/// The words that are drawn at once: 4 MiB.
const PIECE: usize = 1 << 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Options { seed, mib } = Options::parse();
    let queue = Queue::on(&Device::first()?)?;
    let engine: Philox4x32 = Philox4x32::new(seed);
    let mut words = engine.bits::<u32>();
    let Some(mib) = mib else {
        let drawn = words.take(PIECE).collect_on(&queue)?.to_vec()?;
        assert!(drawn.into_iter().eq(words.iter().take(PIECE)));
        println!("4 MiB, as the host draws them. Give --mib to have them written");
        return Ok(());
    };
    let end = if mib == 0 { u128::MAX } else { u128::from(mib) << 18 };
    let mut out = io::stdout().lock();
    while words.position() < end {
        let count = (end - words.position()).min(PIECE as u128) as usize;
        let first = words.get(0);
        let drawn = words.draw(count).collect_on(&queue)?.to_vec()?;
        assert_eq!(drawn[0], first);
        let bytes: Vec<u8> = drawn.into_iter().flat_map(u32::to_le_bytes).collect();
        match out.write_all(&bytes) {
            // The reader has stopped reading.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
            other => other?,
        }
    }
    Ok(())
}
