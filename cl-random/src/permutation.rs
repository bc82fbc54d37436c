//! Permutations: stored permutations, shuffles, and permutations that need no memory.

use crate::Engine;
use cl_algo::function::MulHi;
use cl_algo::stl::{argsort, sort_by_key};
use cl_algo::{DeviceVec, Element, Expr, device_fn, index};
use cl_core::{Queue, Result};

/// Puts the elements in random order, by sorting them by random keys of 64 bits. All orders are equally
/// likely, except that elements with equal keys keep their order. Of 2^28 keys, two are equal once in 500
/// shuffles.
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

/// Returns the numbers below `count` in random order: the order in which [`shuffle`] would put them.
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

/// A permutation of the numbers below a count that needs no memory on the device. Each number of it is computed without
/// the others, with the same bits on the device and on the host.
///
/// Up to 32 numbers are put in order once, on the host, by the method of Fisher and Yates (Durstenfeld,
/// "Algorithm 235: Random permutation", 1964), and the order is an argument of the kernel. If the engine's
/// words are uniform and independent, all orders are equally likely, with relative differences of at most
/// 2^-54.
///
/// For more numbers, number i is the result of a Feistel network of 16 rounds applied to i (Luby and Rackoff,
/// "How to construct pseudorandom permutations from pseudorandom functions", 1988). The network is applied
/// again until the result is below the count (Black and Rogaway, "Ciphers with arbitrary finite domains",
/// 2002), on average at most twice. A separate random bit decides whether numbers 0 and 1 are exchanged
/// before the network is applied.
///
/// - Each number occurs exactly once, for any count and any engine. Even and odd permutations are equally likely.
/// - In all else, permutations of 16 rounds look random. This is measured, not proven: for 33, 48, 63 and 64
///   numbers, with 4 million keys each, the positions of four groups of three or four numbers, and the number
///   of cycles.
/// - For more than 32 numbers, 2^65 orders are possible, a small part of all orders. Use [`shuffle`] if that is not
///   enough.
/// - The permutation is not a cipher: an observer of some positions may be able to compute the others.
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
    /// One byte for each number, the first number in the lowest bits.
    Listed([u64; LISTED / 8]),
    Network {
        /// The numbers of bits of the upper and of the lower half.
        upper: u32,
        lower: u32,
        /// The number of numbers that are exchanged before the network is applied: 2 (numbers 0 and 1), or 0.
        swapped: u64,
        key: u64,
    },
}

/// The largest count whose order is a list instead of a network. With halves of one or two bits, 16 rounds
/// are too few. Measured as chi-squared, in standard deviations from its mean:
///
/// - Frequencies of all orders, with 2 million keys: 118 for 5 numbers, 373 for 8.
/// - Positions of four numbers that combine two upper halves with two lower halves, with 4 million keys: 14
///   for a permutation of 16 numbers, 3.4 for 32, 0.0 for 64.
const LISTED: usize = 32;

impl Permutation {
    /// Returns a permutation of the numbers below `count`, chosen by the engine's first words of 64 bits: `count - 1`
    /// words for up to 32 numbers, two words for more.
    #[must_use]
    pub fn new(count: u64, engine: &impl Engine) -> Permutation {
        let words = engine.bits::<u64>();
        let order = if count <= LISTED as u64 {
            Order::Listed(shuffled_bytes(count as usize, words.iter()))
        } else {
            let bits = u64::BITS - (count - 1).leading_zeros();
            // A network whose halves have two or more bits is an even permutation. Numbers that are not below
            // the count are skipped. Each skipped number that the network moves turns an even permutation
            // into an odd one, and vice versa. Without the exchange, at least 5 of 8 permutations would have
            // the same sign, for any count.
            let swapped = 2 * (words.get(1) & 1);
            Order::Network { upper: bits / 2, lower: bits - bits / 2, swapped, key: words.get(0) }
        };
        Permutation { count, order }
    }

    /// Returns the length of the permutation.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Returns `true` if the permutation is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the numbers in their order, lazily. More than 2^63 - 1 numbers give an error on evaluation, because
    /// expressions cannot be that long.
    pub fn iter<'a>(&self) -> Expr<'a, u64> {
        let numbers = match self.order {
            Order::Listed([a, b, c, d]) => listed(index::<u64>(), self.count, a, b, c, d),
            Order::Network { upper, lower, swapped, key } => {
                permuted(index::<u64>(), self.count, upper, lower, swapped, key)
            }
        };
        numbers.take(usize::try_from(self.count).unwrap_or(usize::MAX))
    }

    /// Returns the number at position `i`, or `i` itself if it is not below [`len`](Permutation::len).
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

/// Returns the numbers below `count` in random order, one byte each. The multiplication that scales a 64-bit
/// word to a position makes some positions likelier than others, by at most 2^-59 of their probability.
fn shuffled_bytes(count: usize, words: impl Iterator<Item = u64>) -> [u64; LISTED / 8] {
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

/// Returns number `i` of the list, or `i` itself if it is not below `count`. The words of the list are four
/// arguments, because GPUs would place an array with a variable index in memory.
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

/// The number of rounds. It is even, so that the halves end with the same numbers of bits as they began.
const ROUNDS: u64 = 16;

/// Returns a function of a half and a round key. All bits of the result depend on all bits of both.
#[device_fn]
fn mixed(half: u64, key: u64) -> u64 {
    let x = (half ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let y = (x ^ (x >> 29)).wrapping_mul(0xd2b7_4407_b1ce_6e93);
    (y ^ (y >> 32)).wrapping_mul(0xca5a_8263_9512_1157) >> 32
}

/// Returns number `i` of the network's order, or `i` itself if it is not below `count`.
#[device_fn]
fn permuted(i: u64, count: u64, upper: u32, lower: u32, swapped: u64, key: u64) -> u64 {
    let mut x = if i < swapped { i ^ 1 } else { i };
    let lower_mask = (1_u64 << lower).wrapping_sub(1);
    let upper_mask = (1_u64 << upper).wrapping_sub(1);
    // The loop ends: the network permutes a range that contains all numbers below the count, so that repeated
    // application leads back to the number it began with, which is below the count.
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
