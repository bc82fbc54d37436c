//! Counts, and the probability of their distance from the expected counts.

/// Checks that a probability is not suspicious among several hundred. `--nocapture` prints the
/// probabilities.
pub(crate) fn check(p: f64, what: &str) {
    println!("p = {p:.5} {what}");
    assert!((1e-5..=1.0 - 1e-5).contains(&p), "{what}: p = {p:e}");
}

/// Returns the probability that a standard normal number is below x, to 1e-15.
pub(crate) fn normal(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

/// Returns the probability that a chi-squared number of many degrees of freedom is at least this large, by
/// Wilson and Hilferty: its cube root is nearly normal.
fn chi_squared_tail(chi: f64, freedom: f64) -> f64 {
    let variance = 2.0 / (9.0 * freedom);
    1.0 - normal(((chi / freedom).cbrt() - (1.0 - variance)) / variance.sqrt())
}

/// The number of values in each cell.
pub(crate) struct Cells {
    pub(crate) counts: Vec<u64>,
}

impl Cells {
    pub(crate) fn new(cells: usize) -> Cells {
        Cells { counts: vec![0; cells] }
    }

    /// Returns the probability of chi-squared against probabilities. Cells that are too rare are joined with
    /// their neighbours.
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

    /// Returns the probability of a Kolmogorov-Smirnov distance at least this large, for cells of equal
    /// probability. The result is a little too high, because only the ends of cells are compared.
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

/// Returns the probability that the Kolmogorov-Smirnov distance of `n` numbers is at least this large.
pub(crate) fn kolmogorov_tail(distance: f64, n: f64) -> f64 {
    let lambda = distance * n.sqrt();
    let sign = |k: i32| if k % 2 == 1 { 2.0 } else { -2.0 };
    let tail: f64 = (1..50).map(|k| sign(k) * (-2.0 * (f64::from(k) * lambda).powi(2)).exp()).sum();
    // A small distance is not suspicious. The series does not converge for tiny distances.
    if lambda < 0.2 { 0.999 } else { tail.min(0.999) }
}
