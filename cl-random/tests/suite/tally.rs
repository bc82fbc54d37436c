//! Counts, and how likely they are to be as far from what is expected as they are.

/// Probabilities that nobody should complain of, of some hundreds in all. `--nocapture` shows them.
pub(crate) fn check(p: f64, what: &str) {
    println!("p = {p:.5} {what}");
    assert!((1e-5..=1.0 - 1e-5).contains(&p), "{what}: p = {p:e}");
}

/// The probability that a standard normal number is below x, to 1e-15.
pub(crate) fn normal(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

/// The probability that a chi-squared number of many degrees of freedom is as large as this: by Wilson and
/// Hilferty, whose cube root is nearly normal.
fn chi_squared_tail(chi: f64, freedom: f64) -> f64 {
    let variance = 2.0 / (9.0 * freedom);
    1.0 - normal(((chi / freedom).cbrt() - (1.0 - variance)) / variance.sqrt())
}

/// How often each cell was met.
pub(crate) struct Cells {
    pub(crate) counts: Vec<u64>,
}

impl Cells {
    pub(crate) fn new(cells: usize) -> Cells {
        Cells { counts: vec![0; cells] }
    }

    /// Chi-squared against probabilities; cells that are too rare for it go to their neighbours.
    pub(crate) fn chi_squared(&self, probability: impl Fn(usize) -> f64) -> f64 {
        let total: u64 = self.counts.iter().sum();
        let (mut chi, mut cells, mut seen, mut expected) = (0.0, 0.0_f64, 0.0, 0.0);
        let mut rest = 1.0;
        for (cell, &count) in self.counts.iter().enumerate() {
            seen += count as f64;
            expected += probability(cell) * total as f64;
            rest -= probability(cell);
            if expected >= 10.0 && rest * total as f64 >= 10.0 {
                chi += (seen - expected).powi(2) / expected;
                (cells, seen, expected) = (cells + 1.0, 0.0, 0.0);
            }
        }
        let expected = expected + rest.max(0.0) * total as f64;
        if expected > 1.0 {
            chi += (seen - expected).powi(2) / expected;
            cells += 1.0;
        }
        chi_squared_tail(chi, cells - 1.0)
    }

    /// Kolmogorov and Smirnov's distance of cells that are all as likely: the probability of one as large, a
    /// little too high, because it is looked for at the ends of cells only.
    pub(crate) fn kolmogorov(&self) -> f64 {
        let n = self.counts.iter().sum::<u64>() as f64;
        let cells = self.counts.len() as f64;
        let mut reached = 0;
        let distances = self.counts.iter().enumerate().map(|(cell, &count)| {
            reached += count;
            (reached as f64 / n - (cell + 1) as f64 / cells).abs()
        });
        kolmogorov_tail(distances.fold(0.0, f64::max), n)
    }
}

/// The probability that Kolmogorov and Smirnov's distance of this many numbers is as large.
pub(crate) fn kolmogorov_tail(distance: f64, n: f64) -> f64 {
    let lambda = distance * n.sqrt();
    let sign = |k: i32| if k % 2 == 1 { 2.0 } else { -2.0 };
    let tail: f64 = (1..50).map(|k| sign(k) * (-2.0 * (f64::from(k) * lambda).powi(2)).exp()).sum();
    // To be close is no mistake. The series does not converge where the distance is tiny.
    if lambda < 0.2 { 0.999 } else { tail.min(0.999) }
}
