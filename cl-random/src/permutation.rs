//! Permutations: stored ones, shuffles, and those that need no memory.

use crate::Engine;
use cl_algo::{DeviceVec, Element, Expr, argsort, device_fn, index, sort_by_key};
use cl_core::{Queue, Result};

/// Puts the elements in random order, each order as likely as any other, by sorting them by random keys of 64
/// bits: two of 2^28 keys are equal once in 500 shuffles, and then keep their order.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_random::{Engine, Philox4x32, shuffle};
///
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let engine: Philox4x32 = Philox4x32::new(3);
/// let mut cards = iota(0_u32, 52).collect_on(&queue)?;
/// shuffle(&mut cards, &engine)?;
/// let mut sorted = cards.to_vec()?;
/// assert_ne!(sorted[..4], [0, 1, 2, 3]);
/// sorted.sort();
/// assert!(sorted.into_iter().eq(0..52));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`sort_by_key`](cl_algo::sort_by_key()).
pub fn shuffle<T: Element>(values: &mut DeviceVec<T>, engine: &impl Engine) -> Result<()> {
    if values.is_empty() {
        return Ok(());
    }
    let mut keys = engine.bits::<u64>().take(values.len()).collect_on(values.queue())?;
    sort_by_key(&mut keys, values)
}

/// The numbers below `count` in random order, as [`shuffle`] would put them.
///
/// ```no_run
/// use cl_algo::prelude::*;
/// use cl_random::{Philox4x32, permutation};
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let order = permutation(&queue, 1000, &Philox4x32::<10>::new(7))?;
/// let mut order = order.to_vec()?;
/// order.sort();
/// assert!(order.into_iter().eq(0..1000)); // each number once
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`argsort`](cl_algo::argsort()).
pub fn permutation(queue: &Queue, count: usize, engine: &impl Engine) -> Result<DeviceVec<u32>> {
    let keys = engine.bits::<u64>().take(count).collect_on(queue)?;
    argsort(&keys)
}

/// A permutation of the numbers below a count that needs no memory: number i is where a Feistel network of 16
/// rounds takes i, and from there on until it is below the count, which is so at every second step at least, on
/// average. Element i is found without the others, on the host and on devices.
///
/// Different engines give different permutations; for more than some 20 numbers they are a small part of all
/// that there are, which no statistics will tell. Use [`shuffle`] where every order must be possible.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_random::{Engine, Permutation, Philox4x32};
///
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let order = Permutation::new(1000, &<Philox4x32>::new(3));
/// let x = iota(0_u32, 1000).collect_on(&queue)?;
/// let shuffled = x.iter().permute(order.expr()).collect()?;
/// assert_eq!(shuffled.to_vec()?[17], order.get(17) as u32);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permutation {
    count: u64,
    /// The bits of the upper and of the lower half.
    upper: u32,
    lower: u32,
    key: u64,
}

impl Permutation {
    /// A permutation of the numbers below `count`, chosen by the first words of the engine.
    #[must_use]
    pub fn new(count: u64, engine: &impl Engine) -> Permutation {
        let bits = u64::BITS - count.saturating_sub(1).leading_zeros();
        Permutation { count, upper: bits / 2, lower: bits - bits / 2, key: engine.bits::<u64>().get(0) }
    }

    /// How many numbers it permutes.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The numbers in their order, lazily.
    pub fn expr<'a>(&self) -> Expr<'a, u64> {
        let numbers = permuted(index::<u64>(), self.count, self.upper, self.lower, self.key);
        numbers.take(usize::try_from(self.count).unwrap_or(usize::MAX))
    }

    /// The number at place `i`, which is below [`len`](Permutation::len); `i` itself elsewhere.
    #[must_use]
    pub fn get(&self, i: u64) -> u64 {
        permuted(i, self.count, self.upper, self.lower, self.key)
    }
}

/// Rounds of the network: an even number, so that the halves end with the bits that they began with.
const ROUNDS: u64 = 16;

/// A function of a half and of the round's key all of whose bits depend on all of theirs.
#[device_fn]
fn mixed(half: u64, key: u64) -> u64 {
    let x = (half ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let y = (x ^ (x >> 29)).wrapping_mul(0xd2b7_4407_b1ce_6e93);
    (y ^ (y >> 32)).wrapping_mul(0xca5a_8263_9512_1157) >> 32
}

#[device_fn]
fn permuted(i: u64, count: u64, upper: u32, lower: u32, key: u64) -> u64 {
    let mut x = i;
    let lower_mask = (1_u64 << lower).wrapping_sub(1);
    let upper_mask = (1_u64 << upper).wrapping_sub(1);
    // A permutation of a larger range leads back to where it began, which is below the count.
    while i < count {
        let mut left = x >> lower;
        let mut right = x & lower_mask;
        let mut round_key = key;
        for round in 0..ROUNDS {
            round_key = round_key.wrapping_add(0xbb67_ae85_84ca_a73b);
            let mask = if round & 1 == 0 { upper_mask } else { lower_mask };
            let next = left ^ (mixed(right, round_key) & mask);
            left = right;
            right = next;
        }
        x = left << lower | right;
        if x < count {
            break;
        }
    }
    x
}
