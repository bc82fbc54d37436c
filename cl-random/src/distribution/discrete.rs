//! Indices with given weights.

use super::{Words, invalid_input};
use crate::draws::fill_in_parts;
use crate::{Draws, Engine};
use cl_algo::function::MulHi;
use cl_algo::{DeviceVec, Expr, ViewMut, device_fn};
use cl_core::{Queue, Result};
use std::ops::Range;

/// The integers 0, 1, 2… with given weights, by an alias table (Walker, 1977; built by the method of Vose,
/// 1991). Each value takes one word of 64 bits and two reads, for any number of weights. Probabilities are as
/// exact as sums of `f64`. Integers with weight 0 never occur.
///
/// This type does not implement [`Distribution`](crate::Distribution), because a distribution consists of
/// numbers only, and the alias table is memory of a device. [`draws`](Discrete::draws) returns an engine's
/// sequence.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_random::{Discrete, Engine, Philox4x32};
///
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let engine: Philox4x32 = Philox4x32::new(1);
/// let loaded = Discrete::new(&queue, &[1.0, 1.0, 1.0, 1.0, 1.0, 5.0])?;
/// let mut throws = loaded.draws(&engine);
/// let sixes = throws.draw(100_000).eq(5).count()?;
/// assert!((49_000..51_000).contains(&sixes));
///
/// let mut stored = DeviceVec::filled(&queue, 0_u32, 1000)?;
/// throws.fill(&mut stored)?; // goes on where the last ones ended
/// assert_eq!(stored.to_vec()?[999], loaded.draws(&engine).get(100_999)); // on the host
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Discrete {
    /// The probability that each column keeps its own index, in units of 2^-64.
    thresholds: DeviceVec<u64>,
    /// The index that each column gives otherwise.
    aliases: DeviceVec<u32>,
    table: Vec<(u64, u32)>,
}

impl Discrete {
    /// Makes the table for these weights, which may have any sum.
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) for a weight that is negative or not finite, a sum
    /// that is 0 or not finite, an empty list, or more than 2^32 weights; errors of creating the table on the
    /// device.
    pub fn new(queue: &Queue, weights: &[f64]) -> Result<Discrete> {
        let table = table(weights)?;
        let (thresholds, aliases): (Vec<u64>, Vec<u32>) = table.iter().copied().unzip();
        Ok(Discrete {
            thresholds: DeviceVec::from_slice(queue, &thresholds)?,
            aliases: DeviceVec::from_slice(queue, &aliases)?,
            table,
        })
    }

    /// Returns the sequence of values made from an engine's words: value i comes from word i of [`Engine::bits`].
    pub fn draws<E: Engine>(&self, engine: &E) -> DiscreteDraws<'_, E> {
        DiscreteDraws { discrete: self, words: engine.bits() }
    }
}

/// Returns the value that a table makes from a word.
fn chosen(table: &[(u64, u32)], word: u64) -> u32 {
    let count = table.len() as u64;
    let column = word.mul_hi(count);
    let (threshold, other) = table[column as usize];
    if word.wrapping_mul(count) < threshold { column as u32 } else { other }
}

/// The sequence of indices that [`Discrete::draws`] returns; the counterpart of [`Draws`] for other
/// distributions.
#[derive(Clone, Copy, Debug)]
#[must_use = "a sequence does nothing until it is drawn from"]
pub struct DiscreteDraws<'d, E> {
    discrete: &'d Discrete,
    words: Draws<E, Words<u64>>,
}

impl<'d, E: Engine> DiscreteDraws<'d, E> {
    /// Returns the number of values drawn or skipped so far, which is the position of the next value.
    #[must_use]
    pub fn position(&self) -> u128 {
        self.words.position()
    }

    /// Returns the sequence without its next `count` values.
    pub fn skip(&self, count: u64) -> DiscreteDraws<'d, E> {
        DiscreteDraws { discrete: self.discrete, words: self.words.skip(count) }
    }

    /// Returns the next `count` values, lazily. The position stays, so that a second call returns the same
    /// values.
    pub fn take(&self, count: usize) -> Expr<'d, u32> {
        self.slice(0..count as u64)
    }

    /// Returns the next `count` values, lazily, and moves the position behind them.
    pub fn draw(&mut self, count: usize) -> Expr<'d, u32> {
        let drawn = self.take(count);
        self.words = self.words.skip(count as u64);
        drawn
    }

    /// Returns the values of a range of indices, counted from the next value on, lazily; see [`Draws::slice`].
    pub fn slice(&self, range: Range<u64>) -> Expr<'d, u32> {
        alias(self.words.slice(range), &self.discrete.thresholds, &self.discrete.aliases)
    }

    /// Stores the next values in all of a vector, or of a view, and moves the position behind them. See
    /// [`Draws::fill`].
    ///
    /// # Errors
    /// As [`assign`](cl_algo::assign()).
    pub fn fill<'t>(&mut self, into: impl Into<ViewMut<'t, u32>>) -> Result<()>
    where
        'd: 't,
    {
        let into = into.into();
        let count = into.len();
        fill_in_parts(into, self.words.values_left_of_group(count), |range| self.slice(range))?;
        self.words = self.words.skip(count as u64);
        Ok(())
    }

    /// Returns value `i`, counted from the next value on, computed on the host.
    #[must_use]
    pub fn get(&self, i: u64) -> u32 {
        chosen(&self.discrete.table, self.words.get(i))
    }

    /// Returns an endless iterator over the values from the next one on, computed on the host.
    pub fn iter(&self) -> impl Iterator<Item = u32> + use<'d, E> {
        let table = &self.discrete.table;
        self.words.iter().map(|word| chosen(table, word))
    }
}

/// Returns the value of a word. `word * count / 2^64` selects a column by its integer part. Its fraction
/// selects the column's own index or the column's alias.
#[device_fn]
fn alias(word: u64, thresholds: &[u64], aliases: &[u32]) -> u32 {
    let count = thresholds.len() as u64;
    let column = word.mul_hi(count);
    if word.wrapping_mul(count) < thresholds[column as usize] {
        column as u32
    } else {
        aliases[column as usize]
    }
}

/// Returns for each column the first fraction that gives the alias, and the alias.
fn table(weights: &[f64]) -> Result<Vec<(u64, u32)>> {
    let count = weights.len();
    if count == 0 || u32::try_from(count - 1).is_err() {
        return Err(invalid_input("weights", format!("there are {count}; from 1 to 2^32 are needed")));
    }
    if let Some(bad) = weights.iter().find(|weight| !(weight.is_finite() && **weight >= 0.0)) {
        return Err(invalid_input("weights", format!("{bad} is negative or not finite")));
    }
    let total: f64 = weights.iter().sum();
    if !(total > 0.0 && total.is_finite()) {
        return Err(invalid_input(
            "weights",
            format!("their sum is {total}, but must be finite and above zero"),
        ));
    }
    Ok(columns(weights.iter().map(|weight| weight / total * count as f64).collect()))
}

/// Returns the table for these shares, whose sum is their number, except for rounding.
fn columns(mut share: Vec<f64>) -> Vec<(u64, u32)> {
    let heaviest = (0..share.len()).max_by(|&a, &b| share[a].total_cmp(&share[b])).unwrap_or(0) as u32;
    let (mut small, mut large): (Vec<usize>, Vec<usize>) = (0..share.len()).partition(|&i| share[i] < 1.0);
    // Rounding may leave columns over that get no alias. These columns keep their own index, unless their
    // share is 0. With about 10^8 weights, the rounded sum of the shares may be too small by more than 1.
    let without_alias = |(i, &share)| if share > 0.0 { (u64::MAX, i as u32) } else { (0, heaviest) };
    let mut table: Vec<(u64, u32)> = share.iter().enumerate().map(without_alias).collect();
    while let (Some(&rich), Some(poor)) = (large.last(), small.pop()) {
        // The share is in [0, 1), so that the product is less than 2^64.
        table[poor] = ((share[poor] * 18_446_744_073_709_551_616.0) as u64, rich as u32);
        share[rich] -= 1.0 - share[poor];
        if share[rich] < 1.0 {
            large.pop();
            small.push(rich);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the probabilities that a table gives.
    fn shares(table: &[(u64, u32)]) -> Vec<f64> {
        let mut shares = vec![0.0; table.len()];
        for (column, &(threshold, other)) in table.iter().enumerate() {
            let own = threshold as f64 / 18_446_744_073_709_551_616.0;
            shares[column] += own / table.len() as f64;
            shares[other as usize] += (1.0 - own) / table.len() as f64;
        }
        shares
    }

    #[test]
    fn tables_give_what_is_asked_for() -> Result<()> {
        let powers: Vec<f64> = (0..1000).map(|i| 0.97_f64.powi(i)).collect();
        let holes: Vec<f64> = (0..10_007).map(|i| f64::from(i * 7919 % 10_007 % 5)).collect();
        let one: Vec<f64> = (0..4096).map(|i| f64::from(u8::from(i == 4000))).collect();
        for weights in [&[5e-324, 5e-324][..], &[1e300, 1.0, 1e-300], &[0.1; 10], &powers, &holes, &one] {
            let total: f64 = weights.iter().sum();
            for (share, weight) in shares(&table(weights)?).into_iter().zip(weights) {
                assert!((share - weight / total).abs() < 1e-15, "{share}, {weight} of {total}");
                assert!(share > 0.0 || *weight / total < 1e-18);
            }
        }
        Ok(())
    }

    #[test]
    fn zero_weights_never_occur() -> Result<()> {
        for weights in [&[0.0, 1.0][..], &[0.0, 0.0, 0.0, 3.0], &[1.0, 0.0], &[0.0, 1.0, 0.0, 0.3, 0.3, 0.1]]
        {
            check_zeros(&table(weights)?, weights);
        }
        Ok(())
    }

    #[test]
    fn zero_weights_never_occur_if_rounded_shares_are_too_small() {
        // As if the sum of the shares had been rounded down by more than 1, as with about 10^8 weights.
        for shares in [&[0.0, 0.9][..], &[0.9, 0.0], &[0.0, 0.2, 0.0, 1.5], &[0.0, 0.0, 0.0, 0.0, 3.5]] {
            check_zeros(&columns(shares.to_vec()), shares);
        }
    }

    /// Checks at the edges of all columns that the table does not give an index with weight 0.
    fn check_zeros(table: &[(u64, u32)], weights: &[f64]) {
        // The words at which each column begins and ends.
        let edges = (0..=weights.len() as u128).map(|i| (i << 64).div_ceil(weights.len() as u128) as u64);
        for word in edges.flat_map(|edge| [edge.wrapping_sub(1), edge, edge.wrapping_add(1)]) {
            assert!(weights[chosen(table, word) as usize] > 0.0, "{word:x} of {weights:?}");
        }
    }
}
