//! Roots of unity, rounded once.
//!
//! The angle is reduced to the first octant by integer arithmetic, which is exact. For `f32`, its sine and cosine are
//! the host's functions of `f64`, whose error is lost in the rounding. For `f64`, they are products of two roots: one
//! of the upper and one of the lower half of the angle's bits. Both are pairs of floats of about 106 bits: T. J.
//! Dekker, "A floating-point technique for extending the available precision" (1971). The first float of the product's
//! pair is the correctly rounded result, except for results within 2^-100 of the middle between two floats.

/// An unevaluated sum of two floats. The second is less than half a unit in the last place of the first.
#[derive(Clone, Copy)]
struct Pair(f64, f64);

/// π / 4.
const QUARTER_PI: Pair = Pair(std::f64::consts::FRAC_PI_4, 3.061_616_997_868_383e-17);

impl Pair {
    fn sum(a: f64, b: f64) -> Pair {
        let sum = a + b;
        let rest = sum - a;
        Pair(sum, (a - (sum - rest)) + (b - rest))
    }

    fn plus(self, other: Pair) -> Pair {
        let Pair(high, low) = Pair::sum(self.0, other.0);
        let Pair(low, lowest) = Pair::sum(low, self.1 + other.1);
        let Pair(high, low) = Pair::sum(high, low);
        Pair::sum(high, low + lowest)
    }

    fn times(self, other: Pair) -> Pair {
        let high = self.0 * other.0;
        let low = self.0.mul_add(other.0, -high) + self.0.mul_add(other.1, self.1 * other.0);
        Pair::sum(high, low)
    }

    fn minus(self) -> Pair {
        Pair(-self.0, -self.1)
    }

    fn by(self, divisor: f64) -> Pair {
        let high = self.0 / divisor;
        let rest = (-high).mul_add(divisor, self.0) + self.1;
        Pair::sum(high, rest / divisor)
    }
}

/// Returns 1 / k! for k from 0 on: the coefficients of the series. Further terms are below 2^-106.
fn series() -> [Pair; 28] {
    let mut terms = [Pair(1.0, 0.0); 28];
    for k in 1..28 {
        terms[k] = terms[k - 1].by(k as f64);
    }
    terms
}

/// Returns the cosine and the sine of an angle in the first octant.
fn cosine_and_sine(angle: Pair, terms: &[Pair; 28]) -> (Pair, Pair) {
    let minus = angle.times(angle).minus();
    // Horner's rule, beginning with the smallest term.
    let sum = |first: usize| {
        (first..28).step_by(2).rev().fold(Pair(0.0, 0.0), |sum, k| sum.times(minus).plus(terms[k]))
    };
    (sum(0), sum(1).times(angle))
}

/// Roots of unity of any order.
pub(crate) struct Roots {
    /// The coefficients of the series; `None` for `f32`.
    terms: Option<[Pair; 28]>,
}

/// Roots of unity of one order.
pub(crate) struct Order {
    order: u64,
    halves: Option<Halves>,
}

/// The cosines and sines of two sets of angles. Each angle in the first octant is the sum of an angle of the
/// first set and an angle of the second set. The addition theorems give its cosine and sine.
struct Halves {
    bits: u32,
    /// The values for the lower bits of the angle, and for the upper bits.
    low: Vec<(Pair, Pair)>,
    high: Vec<(Pair, Pair)>,
}

impl Halves {
    /// Returns the values for the angles π / 4 k / n, with k up to n.
    fn new(n: u64, terms: &[Pair; 28]) -> Halves {
        let bits = n.max(2).ilog2().div_ceil(2);
        let of = |k: u64| cosine_and_sine(QUARTER_PI.times(Pair(k as f64, 0.0)).by(n as f64), terms);
        let low = (0..1 << bits).map(of).collect();
        let high = (0..=n >> bits).map(|k| of(k << bits)).collect();
        Halves { bits, low, high }
    }

    fn cosine_and_sine(&self, k: u64) -> (f64, f64) {
        let (c, s) = self.high[(k >> self.bits) as usize];
        let (cosine, sine) = self.low[(k & ((1 << self.bits) - 1)) as usize];
        (c.times(cosine).plus(s.times(sine).minus()).0, s.times(cosine).plus(c.times(sine)).0)
    }
}

impl Roots {
    /// Returns the roots for numbers of `bytes` bytes.
    pub(crate) fn of(bytes: usize) -> Roots {
        Roots { terms: (bytes > 4).then(series) }
    }

    /// Returns the roots of an order above 0 and below 2^60.
    pub(crate) fn of_order(&self, order: usize) -> Order {
        let order = order as u64;
        Order { order, halves: self.terms.as_ref().map(|terms| Halves::new(order, terms)) }
    }
}

impl Order {
    /// Returns e^(-2πi k / n): the real and the imaginary part.
    pub(crate) fn root(&self, k: u64) -> (f64, f64) {
        let n = self.order;
        let eighths = k % n * 8;
        let (octant, rest) = (eighths / n, eighths % n);
        // Measure the angle from the nearer end of the quarter.
        let rest = if octant % 2 == 0 { rest } else { n - rest };
        let (c, s) = match &self.halves {
            Some(halves) => halves.cosine_and_sine(rest),
            None => {
                let (s, c) = (QUARTER_PI.0 * rest as f64 / n as f64).sin_cos();
                (c, s)
            }
        };
        let (cosine, sine) = match octant {
            0 => (c, s),
            1 => (s, c),
            2 => (-s, c),
            3 => (-c, s),
            4 => (-c, -s),
            5 => (-s, -c),
            6 => (s, -c),
            _ => (c, -s),
        };
        (cosine, -sine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_exact_where_they_can_be_and_close_elsewhere() {
        let root = |k: u64, n: u64| Roots::of(8).of_order(n as usize).root(k);
        let near =
            |(a, b): (f64, f64), (c, d): (f64, f64)| (a - c).abs() <= 1.2e-16 && (b - d).abs() <= 1.2e-16;
        for (k, exact) in [(0, (1.0, 0.0)), (2, (0.0, -1.0)), (4, (-1.0, 0.0)), (6, (0.0, 1.0))] {
            let (re, im) = root(k, 8);
            assert_eq!((re, im), exact, "{k}");
        }
        let half = 0.5_f64.sqrt();
        assert_eq!(root(1, 8), (half, -half));
        assert_eq!(root(1, 6).0, 0.5);
        for n in [3_u64, 7, 360, 1 << 20, 1_000_003] {
            let order = Roots::of(8).of_order(n as usize);
            for k in (0..n).step_by((n / 97).max(1) as usize) {
                let angle = 2.0 * std::f64::consts::PI * k as f64 / n as f64;
                let (re, im) = order.root(k);
                assert!((re - angle.cos()).abs() < 1e-15 && (im + angle.sin()).abs() < 1e-15, "{k} of {n}");
                // The root and its mirror image have the same parts, apart from signs.
                assert!(near(order.root(n - k), (re, -im)), "{k} of {n}");
            }
        }
    }

    #[test]
    fn roots_for_floats_are_those_for_doubles_once_rounded() {
        let (quick, exact) = (Roots::of(4), Roots::of(8));
        for n in [3_u64, 8, 1000, 2187, 1 << 20] {
            let (quick, exact) = (quick.of_order(n as usize), exact.of_order(n as usize));
            for k in (0..n).step_by((n / 997).max(1) as usize) {
                let round = |(re, im): (f64, f64)| (re as f32, im as f32);
                assert_eq!(round(quick.root(k)), round(exact.root(k)), "{k} of {n}");
            }
        }
    }

    #[test]
    fn roots_of_two_halves_are_those_of_whole_angles() {
        let terms = series();
        for n in [1_u64, 2, 3, 97, 4096, 1_000_003, (1 << 32) - 5] {
            let halves = Halves::new(n, &terms);
            for k in (0..=n).step_by((n / 9973).max(1) as usize) {
                let angle = QUARTER_PI.times(Pair(k as f64, 0.0)).by(n as f64);
                let (c, s) = cosine_and_sine(angle, &terms);
                assert_eq!(halves.cosine_and_sine(k), (c.0, s.0), "{k} of {n}");
            }
        }
    }

    #[test]
    #[allow(clippy::excessive_precision)] // the compiler must round the digits
    fn roots_are_correctly_rounded() {
        // The cosines and sines of 2 pi / 5, 2 pi / 7, 2 pi / 1000, to 25 digits.
        for (n, cosine, sine) in [
            (5, 0.309_016_994_374_947_424_102_293_4, 0.951_056_516_295_153_572_116_439_3),
            (7, 0.623_489_801_858_733_530_525_004_9, 0.781_831_482_468_029_808_708_444_5),
            (1000, 0.999_980_260_856_137_129_848_673_7, 0.006_283_143_965_558_951_249_735_3),
        ] {
            assert_eq!(Roots::of(8).of_order(n).root(1), (cosine, -sine), "{n}");
        }
    }
}
