//! Permutations: stored ones, shuffles, and those that need no memory.

use crate::Engine;
use cl_algo::function::MulHi;
use cl_algo::stl::{argsort, sort_by_key};
use cl_algo::{DeviceVec, Element, Expr, device_fn, index};
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
/// As [`sort_by_key`](cl_algo::stl::sort_by_key()).
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
/// As [`argsort`](cl_algo::stl::argsort()).
pub fn permutation(queue: &Queue, count: usize, engine: &impl Engine) -> Result<DeviceVec<u32>> {
    let keys = engine.bits::<u64>().take(count).collect_on(queue)?;
    argsort(&keys)
}

/// A permutation of the numbers below a count that needs no memory on the device. Element i is found without the
/// others, there and on the host, with the same bits.
///
/// Up to 32 numbers are put in order once, on the host, by Fisher and Yates (Durstenfeld, "Algorithm 235: Random
/// permutation", 1964), and the order is an argument of the kernel. As far as the engine's words are uniform and
/// independent, each order is as likely as any other, to 2^-54 of its probability.
///
/// Of more numbers, number i is where a Feistel network of 16 rounds takes i (Luby and Rackoff, "How to construct
/// pseudorandom permutations from pseudorandom functions", 1988), and from there on until it is below the count
/// (Black and Rogaway, "Ciphers with arbitrary finite domains", 2002), which is so at every second step at least,
/// on average. Before that the first two numbers change places, or not, by a bit of their own.
///
/// - It is sure that each number comes once, whatever the count and the engine. So it is that as many engines give
///   even permutations as odd ones.
/// - It is measured, not proven, that 16 rounds look like chance otherwise: the places of four groups of three or
///   four numbers, and how many cycles there are, over 4 million keys each for 33, 48, 63 and 64 numbers.
/// - Of more than 32 numbers, 2^65 orders are possible, a small part of all. Use [`shuffle`] where that is too few.
/// - It is no cipher: whoever sees some places may compute the others.
///
/// ```
/// use cl_algo::prelude::*;
/// use cl_random::{Engine, Permutation, Philox4x32};
///
/// # fn main() -> cl_core::Result<()> {
/// # let queue = Queue::on(&Device::first()?)?;
/// let order = Permutation::new(1000, &<Philox4x32>::new(3));
/// let x = iota(0_u32, 1000).collect_on(&queue)?;
/// let shuffled = x.iter().gather(order.iter()).collect()?;
/// assert_eq!(shuffled.to_vec()?[17], order.get(17) as u32);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permutation {
    count: u64,
    order: Order,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// A byte a number, the first one in the lowest bits.
    Listed([u64; LISTED / 8]),
    Network {
        /// The bits of the upper and of the lower half.
        upper: u32,
        lower: u32,
        /// How many of the first numbers change places before: two or none.
        swapped: u64,
        key: u64,
    },
}

/// How many numbers are listed at most. With halves of one or two bits 16 rounds are too few: chi-squared over
/// all orders of 5 numbers is 118 standard deviations off for 2 million keys, of 8 numbers 373. For 4 million keys, the
/// fours of numbers that two upper and two lower halves make are 14 off for 16 numbers, 3.4 for 32, and 0.0 for 64.
const LISTED: usize = 32;

impl Permutation {
    /// A permutation of the numbers below `count`, chosen by the engine's first words of 64 bits: one less than there
    /// are numbers, and two if these are more than 32.
    #[must_use]
    pub fn new(count: u64, engine: &impl Engine) -> Permutation {
        let words = engine.bits::<u64>();
        let order = if count <= LISTED as u64 {
            Order::Listed(drawn(count as usize, words.iter()))
        } else {
            let bits = u64::BITS - (count - 1).leading_zeros();
            // A network whose halves have two bits or more is an even permutation. Each number left out that is
            // not where it began makes an even one odd, and back: 5 of 8 or more are of one kind for any count.
            let swapped = 2 * (words.get(1) & 1);
            Order::Network { upper: bits / 2, lower: bits - bits / 2, swapped, key: words.get(0) }
        };
        Permutation { count, order }
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

    /// The numbers in their order, lazily; of more than 2^63 - 1, which no expression has, an error when they are
    /// evaluated.
    pub fn iter<'a>(&self) -> Expr<'a, u64> {
        let numbers = match self.order {
            Order::Listed([a, b, c, d]) => listed(index::<u64>(), self.count, a, b, c, d),
            Order::Network { upper, lower, swapped, key } => {
                permuted(index::<u64>(), self.count, upper, lower, swapped, key)
            }
        };
        numbers.take(usize::try_from(self.count).unwrap_or(usize::MAX))
    }

    /// The number at place `i`, which is below [`len`](Permutation::len); `i` itself elsewhere.
    #[must_use]
    pub fn get(&self, i: u64) -> u64 {
        match self.order {
            Order::Listed([a, b, c, d]) => listed(i, self.count, a, b, c, d),
            Order::Network { upper, lower, swapped, key } => {
                permuted(i, self.count, upper, lower, swapped, key)
            }
        }
    }
}

/// The numbers below `count` in random order. A product of 64 bits makes some places likelier than others by
/// 2^-59 at most.
fn drawn(count: usize, words: impl Iterator<Item = u64>) -> [u64; LISTED / 8] {
    let mut order: [u8; LISTED] = std::array::from_fn(|i| i as u8);
    for (last, word) in (1..count).rev().zip(words) {
        order.swap(last, word.mul_hi(last as u64 + 1) as usize);
    }
    let mut eights = [0; LISTED / 8];
    for (i, &number) in order.iter().enumerate() {
        eights[i / 8] |= u64::from(number) << (i % 8 * 8);
    }
    eights
}

/// Number i of the list. An array would be indexed by a variable, which GPUs do in memory.
#[device_fn]
fn listed(i: u64, count: u64, a: u64, b: u64, c: u64, d: u64) -> u64 {
    let eight = if i < 8 {
        a
    } else if i < 16 {
        b
    } else if i < 24 {
        c
    } else {
        d
    };
    let shift = ((i & 7) << 3) as u32;
    if i < count { (eight >> shift) & 0xff } else { i }
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
fn permuted(i: u64, count: u64, upper: u32, lower: u32, swapped: u64, key: u64) -> u64 {
    let mut x = if i < swapped { i ^ 1 } else { i };
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
