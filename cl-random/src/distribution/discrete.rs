//! Indices with given weights.

use super::{Words, wrong};
use crate::{Draws, Engine};
use cl_algo::function::MulHi;
use cl_algo::{DeviceVec, Expr, device_fn};
use cl_core::{Queue, Result};
use std::ops::Range;

/// The integers 0, 1, 2… with given weights, by an alias table (Walker 1977, built as Vose 1991): each value
/// costs one word of 64 bits and two reads, however many weights there are. Probabilities are exact to 2^-53.
///
/// The table lies on the device; values are drawn from the words of an engine.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_random::{Discrete, Engine, Philox4x32};
///
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let engine: Philox4x32 = Philox4x32::new(1);
/// let loaded = Discrete::new(&queue, &[1.0, 1.0, 1.0, 1.0, 1.0, 5.0])?;
/// let throws = loaded.draw(&engine, 0..100_000).collect()?;
/// let sixes = throws.iter().eq(5).count()?;
/// assert!((49_000..51_000).contains(&sixes));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Discrete {
    /// How likely a column is to stay what it is, in units of 2^-64.
    thresholds: DeviceVec<u64>,
    /// What it is else.
    aliases: DeviceVec<u32>,
    table: Vec<(u64, u32)>,
}

impl Discrete {
    /// The table for these weights, of any sum.
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) for weights that are negative or not finite, whose
    /// sum is 0 or not finite, and for none or more than 2^32; what creating the table on the device reports.
    pub fn new(queue: &Queue, weights: &[f64]) -> Result<Discrete> {
        let table = table(weights)?;
        let (thresholds, aliases): (Vec<u64>, Vec<u32>) = table.iter().copied().unzip();
        Ok(Discrete {
            thresholds: DeviceVec::from_slice(queue, &thresholds)?,
            aliases: DeviceVec::from_slice(queue, &aliases)?,
            table,
        })
    }

    /// Values of a range of numbers, lazily: value i is made of word i of [`Engine::bits`].
    pub fn draw<'a, E: Engine>(&'a self, engine: &E, range: Range<u64>) -> Expr<'a, u32> {
        alias(engine.bits::<u64>().slice(range), &self.thresholds, &self.aliases)
    }

    /// Value `i`, on the host.
    #[must_use]
    pub fn get<E: Engine>(&self, engine: &E, i: u64) -> u32 {
        let words: Draws<E, Words<u64>> = engine.bits();
        let word = words.get(i);
        let column = word.mul_hi(self.table.len() as u64);
        let (threshold, other) = self.table[column as usize];
        if word.wrapping_mul(self.table.len() as u64) <= threshold { column as u32 } else { other }
    }
}

/// The whole part of the product chooses a column, the fraction what it is.
#[device_fn]
fn alias(word: u64, thresholds: &[u64], aliases: &[u32]) -> u32 {
    let count = thresholds.len() as u64;
    let column = word.mul_hi(count);
    if word.wrapping_mul(count) <= thresholds[column as usize] {
        column as u32
    } else {
        aliases[column as usize]
    }
}

/// For each column the largest fraction at which it is itself, and what it is beyond.
fn table(weights: &[f64]) -> Result<Vec<(u64, u32)>> {
    let count = weights.len();
    if count == 0 || u32::try_from(count - 1).is_err() {
        return Err(wrong("weights", format!("there are {count}: one or more are needed, and at most 2^32")));
    }
    if let Some(bad) = weights.iter().find(|weight| !(weight.is_finite() && **weight >= 0.0)) {
        return Err(wrong("weights", format!("{bad} is none: they are finite, and not negative")));
    }
    let total: f64 = weights.iter().sum();
    if !(total > 0.0 && total.is_finite()) {
        return Err(wrong("weights", format!("their sum is {total}, and must be finite and above zero")));
    }
    let mut share: Vec<f64> = weights.iter().map(|weight| weight / total * count as f64).collect();
    let (mut small, mut large): (Vec<usize>, Vec<usize>) = (0..count).partition(|&i| share[i] < 1.0);
    // What is left over by rounding is whole.
    let mut table: Vec<(u64, u32)> = (0..count).map(|i| (u64::MAX, i as u32)).collect();
    while let (Some(&rich), Some(poor)) = (large.last(), small.pop()) {
        // Of [0, 1): smaller than 2^64. A column without weight is never itself, but for one fraction.
        table[poor] = ((share[poor] * 18_446_744_073_709_551_616.0) as u64, rich as u32);
        share[rich] -= 1.0 - share[poor];
        if share[rich] < 1.0 {
            large.pop();
            small.push(rich);
        }
    }
    Ok(table)
}
