//! Numbers of random events.

use super::{Distribution, invalid_input, positive};
use crate::engine::scrambled;
use crate::math::{exp_f64, ln_f64};
use cl_algo::function::MulHi;
use cl_algo::{Val, device_fn};
use cl_core::Result;

/// The Poisson distribution: the number of events that happen, of many possible and unlikely events.
///
/// Means below 10 use inversion of the distribution function (Devroye, "Non-Uniform Random Variate
/// Generation", 1986, III.2). Other means use the method PTRS of Hörmann ("The transformed rejection method
/// for generating Poisson random variables", 1993), and need a device with `double`. Less than one candidate
/// of PTRS in three is rejected. If 64 candidates are rejected, the value is the mean, rounded down.
///
/// ```
/// use cl_random::{Engine, Philox4x32, Poisson};
/// # fn main() -> cl_core::Result<()> {
/// let engine: Philox4x32 = Philox4x32::new(1);
/// let calls = engine.draws(Poisson::new(4.0)?);
/// let mean = calls.iter().take(10_000).map(f64::from).sum::<f64>() / 10_000.0;
/// assert!((mean - 4.0).abs() < 0.1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Poisson {
    mean: f64,
}

/// The least mean for which the method PTRS is used.
const LARGE: f64 = 10.0;

impl Poisson {
    /// Returns the distribution with this mean.
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) unless the mean is above 0 and at most 10^9.
    pub fn new(mean: f64) -> Result<Poisson> {
        match positive("mean", mean)? {
            mean if mean <= 1e9 => Ok(Poisson { mean }),
            _ => Err(invalid_input("mean", format!("{mean} is more than 10^9"))),
        }
    }
}

/// Defines a function with the steps for some counts written out. A loop over counts, inside the loop over values,
/// would keep CPUs from computing several values at once.
macro_rules! few {
    ($name:ident: $($count:literal)*) => {
        /// Returns the number of events by inversion. The probabilities of at most 0 events, at most 1 event,
        /// at most 2 events and so on are compared with a uniform number of 63 bits. The result is the number
        /// of these probabilities that do not exceed the uniform number. `least` is the probability of 0
        /// events, times 2^63, and `mean` is the mean, times 2^60.
        ///
        /// Probabilities are off by at most 2^-47. A count whose probability is rounded to 0 never occurs:
        /// the largest other count takes its place.
        #[device_fn]
        fn $name(a: u32, b: u32, least: u64, mean: u64) -> u32 {
            let uniform = (a as u64 | (b as u64) << 32) >> 1;
            let mut probability = least;
            let mut below = least;
            let mut count: u64 = 0;
            $(
                probability = probability.mul_hi(mean / $count) << 4;
                count = count + if (uniform >= below) & (probability > 0) { 1 } else { 0 };
                below = below + probability;
            )*
            count as u32
        }
    };
}

// The counts up to the last one whose probability is not 0, for means up to 1, 4 and 10. On an H200 52 steps took 7.8 ms for 2^28
// values of mean 4.
few! { few_20: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 }
few! { few_32: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 }
few! { few_52: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43
44 45 46 47 48 49 50 51 52 }

/// Returns the largest count whose probability is not 0, as the functions of `few` compute probabilities.
fn largest_count(least: u64, mean: u64) -> u64 {
    let (mut probability, mut count) = (least, 0);
    while probability > 0 {
        count += 1;
        probability = (((u128::from(probability) * u128::from(mean / count)) >> 64) << 4) as u64;
    }
    count.saturating_sub(1)
}

/// Returns ln k!: the logarithm of a product for k below 10, otherwise Stirling's series, which is exact
/// enough there. The function has no loops and no slow branches, so that CPUs compute several values at once.
#[device_fn]
fn ln_factorial(k: f64) -> f64 {
    let product = if k >= 2.0 { 2.0 } else { 1.0 };
    let product = product * if k >= 3.0 { 3.0 } else { 1.0 };
    let product = product * if k >= 4.0 { 4.0 } else { 1.0 };
    let product = product * if k >= 5.0 { 5.0 } else { 1.0 };
    let product = product * if k >= 6.0 { 6.0 } else { 1.0 };
    let product = product * if k >= 7.0 { 7.0 } else { 1.0 };
    let product = product * if k >= 8.0 { 8.0 } else { 1.0 };
    let product = product * if k >= 9.0 { 9.0 } else { 1.0 };
    let is_small = k < 10.0;
    let ln = ln_f64(if is_small { product } else { k });
    let r = 1.0 / k;
    let series = r
        * (0.083_333_333_333_333_33 - r * r * (0.002_777_777_777_777_778 - r * r * 7.936_507_936_507_937e-4));
    let by_series = (k + 0.5) * ln - k + 0.918_938_533_204_672_8 + series;
    if is_small { ln } else { by_series }
}

/// Returns a candidate of Hörmann's method, and `true` if it is accepted.
#[device_fn]
fn candidate(low: u64, high: u64, mean: f64, ln_mean: f64, slope: f64) -> (u32, bool) {
    // The constants of the hat function.
    let width = 0.931 + 2.53 * slope;
    let spread = 0.02483 * width - 0.059;
    let inverse = 1.1239 + 1.1328 / (width - 3.4);
    let u = ((low >> 11) | 1) as i64 as f64 * 1.110_223_024_625_156_5e-16 - 0.5;
    let v = ((high >> 11) | 1) as i64 as f64 * 1.110_223_024_625_156_5e-16;
    let edge = 0.5 - u.abs();
    let k = ((2.0 * spread / edge + width) * u + mean + 0.43).floor();
    let hat = ln_f64(v * inverse / (spread / (edge * edge) + width));
    // Adding 2^52 leaves the integer k in the lowest bits of the sum, for each k that can be accepted. A
    // saturating conversion would be slow on CPUs.
    (
        (k + 4_503_599_627_370_496.0).to_bits() as u32,
        (k >= 0.0) & (hat <= k * ln_mean - mean - ln_factorial(k)),
    )
}

/// Returns the first candidate, from the words of the value, and `true` if it is accepted.
#[device_fn]
fn first(a: u32, b: u32, c: u32, d: u32, mean: f64, ln_mean: f64, slope: f64) -> (u32, bool) {
    let candidate = candidate(a as u64 | (b as u64) << 32, c as u64 | (d as u64) << 32, mean, ln_mean, slope);
    (candidate.0, candidate.1)
}

/// Returns the value that a later candidate gives, after the first candidate was rejected.
#[device_fn]
fn rest(a: u32, b: u32, c: u32, d: u32, mean: f64, ln_mean: f64, slope: f64) -> u32 {
    let mut count = mean.floor() as u32;
    for trial in 1..64 {
        let words = scrambled(c, d, trial, 0, a, b);
        let low = words.0 as u64 | (words.1 as u64) << 32;
        let high = words.2 as u64 | (words.3 as u64) << 32;
        let candidate = candidate(low, high, mean, ln_mean, slope);
        if candidate.1 {
            count = candidate.0;
            break;
        }
    }
    count
}

impl Distribution for Poisson {
    type Value = u32;
    type Word = u32;
    const WORDS: usize = 4;
    const VALUES: usize = 1;

    fn values(&self, words: &[Val<u32>], values: &mut Vec<Val<u32>>) {
        let &[a, b, c, d] = words else { return };
        let mean = self.mean;
        values.push(if mean < LARGE {
            // The factor of `least` is 2^63, and that of `mean` is 2^60.
            let least = (exp_f64(-mean) * 9_223_372_036_854_775_808.0) as u64;
            let mean = (mean * 1_152_921_504_606_846_976.0) as u64;
            match largest_count(least, mean) {
                ..=20 => few_20(a, b, least, mean),
                21..=32 => few_32(a, b, least, mean),
                _ => few_52(a, b, least, mean),
            }
        } else {
            let (ln_mean, slope) = (ln_f64(mean), mean.sqrt());
            let (count, is_accepted) = first(a, b, c, d, mean, ln_mean, slope);
            is_accepted.select_or_else(count, || rest(a, b, c, d, mean, ln_mean, slope))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mean_has_steps_for_all_of_its_counts() {
        let largest = |mean: f64| {
            let least = (exp_f64(-mean) * 9_223_372_036_854_775_808.0) as u64;
            largest_count(least, (mean * 1_152_921_504_606_846_976.0) as u64)
        };
        assert_eq!(largest(1e-300), 0);
        assert!(largest(1.0) <= 20 && largest(4.0) > 20 && largest(4.0) <= 32);
        let all: Vec<u64> = (1..1000).map(|hundredth| largest(f64::from(hundredth) / 100.0)).collect();
        assert!(all.is_sorted() && all.iter().all(|count| *count <= 52), "{}", all[998]);
    }
}
