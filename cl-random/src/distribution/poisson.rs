//! Numbers of events.

use super::{Distribution, positive, wrong};
use crate::engine::scrambled;
use crate::math::{ln_f32, ln_f64};
use cl_algo::{Val, device_fn};
use cl_core::Result;

/// The Poisson distribution: how many of many unlikely events happen.
///
/// Means below 10 count factors (Knuth); others go by the method PTRS of Hörmann ("The transformed rejection
/// method for generating Poisson random variables", 1993) and need a device with `double`. Should all of 64
/// candidates be refused, of which less than one in five is, the value is the mean, rounded down.
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

/// From which mean on candidates are tried.
const LARGE: f64 = 10.0;

impl Poisson {
    /// With this mean.
    ///
    /// # Errors
    /// [`Error::InvalidInput`](cl_core::Error::InvalidInput) unless the mean is above 0 and at most 10^9.
    pub fn new(mean: f64) -> Result<Poisson> {
        match positive("mean", mean)? {
            mean if mean <= 1e9 => Ok(Poisson { mean }),
            _ => Err(wrong("mean", format!("{mean} is more than 10^9"))),
        }
    }
}

/// A number of (0, 1].
#[device_fn]
fn part_of_one(word: u32) -> f32 {
    (word as f32).mul_add(2.328_306_4e-10, 1.164_153_2e-10)
}

/// How many uniform factors stay above e^-mean: the sum of their logarithms is compared, which rounds less.
#[device_fn]
fn few(a: u32, b: u32, c: u32, d: u32, mean: f32) -> u32 {
    let mut left = mean;
    let mut count = 0;
    // At most 64 events: with a mean of 10, more happen once in 10^28 times.
    for trial in 0..32 {
        let words = scrambled(c, d, trial, 0, a, b);
        left = left + ln_f32(part_of_one(words.0));
        if left <= 0.0 {
            break;
        }
        count = count + 1;
        left = left + ln_f32(part_of_one(words.1));
        if left <= 0.0 {
            break;
        }
        count = count + 1;
    }
    count
}

/// ln k!, by Stirling's series where it is exact enough.
#[device_fn]
fn ln_factorial(k: f64) -> f64 {
    if k < 10.0 {
        let mut product = 1.0;
        let mut factor = 2.0;
        while factor <= k {
            product = product * factor;
            factor = factor + 1.0;
        }
        return ln_f64(product);
    }
    let r = 1.0 / k;
    let series = r
        * (0.083_333_333_333_333_33 - r * r * (0.002_777_777_777_777_778 - r * r * 7.936_507_936_507_937e-4));
    (k + 0.5) * ln_f64(k) - k + 0.918_938_533_204_672_8 + series
}

#[device_fn]
fn many(a: u32, b: u32, c: u32, d: u32, mean: f64, ln_mean: f64, slope: f64) -> u32 {
    // Hörmann's constants of the hat.
    let width = 0.931 + 2.53 * slope;
    let spread = 0.02483 * width - 0.059;
    let inverse = 1.1239 + 1.1328 / (width - 3.4);
    let sure = 0.9277 - 3.6224 / (width - 2.0);
    let mut count = mean.floor();
    for trial in 0..64 {
        let words = scrambled(c, d, trial, 0, a, b);
        let low = words.0 as u64 | (words.1 as u64) << 32;
        let high = words.2 as u64 | (words.3 as u64) << 32;
        let u = ((low >> 11) | 1) as f64 * 1.110_223_024_625_156_5e-16 - 0.5;
        let v = ((high >> 11) | 1) as f64 * 1.110_223_024_625_156_5e-16;
        let edge = 0.5 - u.abs();
        let k = ((2.0 * spread / edge + width) * u + mean + 0.43).floor();
        if k >= 0.0 {
            if edge >= 0.07 && v <= sure {
                count = k;
                break;
            }
            let hat = ln_f64(v) + ln_f64(inverse) - ln_f64(spread / (edge * edge) + width);
            if hat <= k * ln_mean - mean - ln_factorial(k) {
                count = k;
                break;
            }
        }
    }
    count as u32
}

impl Distribution for Poisson {
    type Value = u32;
    type Word = u32;
    const WORDS: usize = 4;
    const VALUES: usize = 1;

    fn values(&self, words: &[Val<u32>], values: &mut Vec<Val<u32>>) {
        let &[a, b, c, d] = words else { return };
        values.push(if self.mean < LARGE {
            few(a, b, c, d, self.mean as f32)
        } else {
            many(a, b, c, d, self.mean, ln_f64(self.mean), self.mean.sqrt())
        });
    }
}
