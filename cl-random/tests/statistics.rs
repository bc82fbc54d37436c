//! Statistics of what devices draw: moments, chi-squared, Kolmogorov and Smirnov, correlations.
//!
//! `CL_RANDOM_LOG2=28` draws 2^28 values a case in place of 2^20, in pieces. Seeds are fixed: what passes once,
//! passes always, on every device.
#![allow(clippy::unwrap_used)]

use cl_algo::prelude::*;
use cl_random::*;

/// How many values a case draws.
fn wanted() -> u64 {
    let log2 = std::env::var("CL_RANDOM_LOG2").map_or(20, |text| text.parse().unwrap());
    1 << log2
}

/// Values on the host at once.
const PIECE: u64 = 1 << 20;

/// The probability that a normal number is below x, to 1e-15.
fn normal(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

/// The probability that a chi-squared number of many degrees of freedom is as large as this: by Wilson and
/// Hilferty, whose cube root is nearly normal.
fn chi_squared_tail(chi: f64, freedom: f64) -> f64 {
    let variance = 2.0 / (9.0 * freedom);
    1.0 - normal(((chi / freedom).cbrt() - (1.0 - variance)) / variance.sqrt())
}

/// Probabilities that nobody should complain of, of some hundred in all.
fn check(p: f64, what: &str) {
    assert!((1e-5..=1.0 - 1e-5).contains(&p), "{what}: p = {p:e}");
}

/// How often each cell was met.
struct Cells {
    counts: Vec<u64>,
}

impl Cells {
    fn new(cells: usize) -> Cells {
        Cells { counts: vec![0; cells] }
    }

    /// Chi-squared against probabilities; cells that are too rare for it go to their neighbours.
    fn p(&self, probability: impl Fn(usize) -> f64) -> f64 {
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
}

/// Draws on the device, piece by piece.
fn each_piece<E: Engine, D: Distribution>(
    queue: &Queue,
    draws: Draws<E, D>,
    mut see: impl FnMut(&[D::Value]),
) {
    let mut draws = draws;
    let mut left = wanted();
    while left > 0 {
        let count = left.min(PIECE);
        see(&draws.draw(count as usize).collect_on(queue).unwrap().to_vec().unwrap());
        left -= count;
    }
}

/// Cells of equal probability, by the distribution function; Kolmogorov and Smirnov's distance over them; moments.
fn continuous<E: Engine, D: Distribution<Value: Real>>(
    queue: &Queue,
    draws: Draws<E, D>,
    below: impl Fn(f64) -> f64,
    mean: f64,
    variance: f64,
) {
    const CELLS: usize = 4096;
    let what = format!("{draws:?}");
    let (mut cells, mut sum, mut squares, mut serial) = (Cells::new(CELLS), 0.0, 0.0, 0.0);
    let mut last = mean;
    each_piece(queue, draws, |values| {
        for &value in values {
            let value: f64 = value.into();
            assert!(value.is_finite(), "{what}: {value}");
            cells.counts[((below(value) * CELLS as f64) as usize).min(CELLS - 1)] += 1;
            sum += value - mean;
            squares += (value - mean).powi(2);
            serial += (value - mean) * (last - mean);
            last = value;
        }
    });
    let n = wanted() as f64;
    check(cells.p(|_| 1.0 / CELLS as f64), &format!("chi-squared of {what}"));
    check(normal(sum / (variance * n).sqrt()), &format!("mean of {what}"));
    check(normal(serial / (variance * n.sqrt())), &format!("serial correlation of {what}"));
    // The variance of the variance by the values' own fourth moment is left to chi-squared; this is coarse.
    assert!(
        (squares / n / variance - 1.0).abs() < 20.0 / n.sqrt() + 1e-6,
        "variance of {what}: {}",
        squares / n
    );
    let mut reached = 0;
    let distance = cells.counts.iter().enumerate().map(|(cell, &count)| {
        reached += count;
        (reached as f64 / n - (cell + 1) as f64 / CELLS as f64).abs()
    });
    let lambda = distance.fold(0.0, f64::max) * n.sqrt();
    let tail: f64 = (1..50_i32)
        .map(|k| {
            2.0 * f64::from(if k % 2 == 1 { 1 } else { -1 }) * (-2.0 * (f64::from(k) * lambda).powi(2)).exp()
        })
        .sum();
    check(tail.min(1.0 - 2e-5), &format!("Kolmogorov and Smirnov of {what}"));
}

fn each_queue(test: impl Fn(&Queue)) {
    cl_test::each_device(|device| test(&Queue::on(device).unwrap()));
}

#[test]
fn uniform_floats_by_every_engine() {
    each_queue(|queue| {
        let below = |x: f64| x;
        continuous(queue, Philox2x32::<10>::new(1).uniform::<f32>(), below, 0.5, 1.0 / 12.0);
        continuous(queue, Philox4x32::<10>::new(2).uniform::<f32>(), below, 0.5, 1.0 / 12.0);
        continuous(queue, Philox2x64::<10>::new(3).uniform::<f32>(), below, 0.5, 1.0 / 12.0);
        continuous(queue, Philox4x64::<10>::new(4).uniform::<f32>(), below, 0.5, 1.0 / 12.0);
        continuous(queue, Threefry2x32::<20>::new(5).uniform::<f32>(), below, 0.5, 1.0 / 12.0);
        continuous(queue, Threefry4x32::<20>::new(6).uniform::<f32>(), below, 0.5, 1.0 / 12.0);
        continuous(queue, Threefry2x64::<20>::new(7).uniform::<f32>(), below, 0.5, 1.0 / 12.0);
        continuous(queue, Threefry4x64::<20>::new(8).uniform::<f32>(), below, 0.5, 1.0 / 12.0);
        // The fewest rounds.
        continuous(queue, Philox4x32::<7>::new(9).uniform::<f32>(), below, 0.5, 1.0 / 12.0);
    });
}

#[test]
fn continuous_distributions() {
    each_queue(|queue| {
        let engine: Philox4x32 = Philox4x32::new(2);
        let exponential = |x: f64| -(-x).exp_m1();
        continuous(queue, engine.normal::<f32>(), normal, 0.0, 1.0);
        let draws = engine.draws(Normal::new(5.0_f32, 2.0).unwrap());
        continuous(queue, draws, |x| normal((x - 5.0) / 2.0), 5.0, 4.0);
        continuous(
            queue,
            engine.draws(Exponential::new(2.0_f32).unwrap()),
            |x| exponential(2.0 * x),
            0.5,
            0.25,
        );
        let (mean, variance) = (0.125_f64.exp(), 0.25_f64.exp_m1() * 0.25_f64.exp());
        let draws = engine.draws(LogNormal::new(0.0_f32, 0.5).unwrap());
        continuous(queue, draws, |x| normal(x.ln() / 0.5), mean, variance);
        // The gamma distributions of shapes 1, 3 and 1/2 have distribution functions in closed form.
        continuous(queue, engine.draws(Gamma::new(1.0_f32, 1.0).unwrap()), exponential, 1.0, 1.0);
        let erlang = |x: f64| 1.0 - (-x).exp() * (1.0 + x + x * x / 2.0);
        continuous(queue, engine.draws(Gamma::new(3.0_f32, 2.0).unwrap()), |x| erlang(x / 2.0), 6.0, 12.0);
        let half = |x: f64| libm::erf(x.sqrt());
        continuous(queue, engine.draws(Gamma::new(0.5_f32, 1.0).unwrap()), half, 0.5, 0.5);
        if queue.device().has_fp64().unwrap() {
            continuous(queue, engine.uniform::<f64>(), |x| x, 0.5, 1.0 / 12.0);
            continuous(queue, engine.normal::<f64>(), normal, 0.0, 1.0);
            continuous(queue, engine.draws(Gamma::new(3.0_f64, 1.0).unwrap()), erlang, 3.0, 3.0);
        }
    });
}

/// Counts of integers against their probabilities.
fn integers<D: Distribution>(
    queue: &Queue,
    draws: Draws<Philox4x32, D>,
    cells: usize,
    cell: impl Fn(D::Value) -> usize,
    probability: impl Fn(usize) -> f64,
) {
    let what = format!("{draws:?}");
    let mut seen = Cells::new(cells);
    each_piece(queue, draws, |values| values.iter().for_each(|&value| seen.counts[cell(value)] += 1));
    check(seen.p(probability), &what);
}

#[test]
fn integers_and_truth_values() {
    each_queue(|queue| {
        let engine: Philox4x32 = Philox4x32::new(3);
        let dice = engine.draws(UniformInteger::new(1..=6_u8).unwrap());
        integers(queue, dice, 6, |dots| usize::from(dots) - 1, |_| 1.0 / 6.0);
        // Two thirds of all words: what takes a remainder makes the lower half of these twice as likely.
        let wide = UniformInteger::new(0..3_u64 << 62).unwrap();
        integers(queue, engine.draws(wide), 48, |x| (x >> 58) as usize, |_| 1.0 / 48.0);
        let bernoulli = engine.draws(Bernoulli::new(0.3).unwrap());
        integers(queue, bernoulli, 2, usize::from, |cell| [0.7, 0.3][cell]);
        for mean in [0.5, 9.5, 10.0, 400.0] {
            if mean >= 10.0 && !queue.device().has_fp64().unwrap() {
                continue;
            }
            let poisson = |k: usize| {
                let k = k as f64;
                (k * f64::ln(mean) - mean - libm::lgamma(k + 1.0)).exp()
            };
            integers(queue, engine.draws(Poisson::new(mean).unwrap()), 1000, |k| k as usize, poisson);
        }
        let weights = [1.0, 0.0, 2.5, 0.25, 6.25];
        let discrete = Discrete::new(queue, &weights).unwrap();
        let mut seen = Cells::new(weights.len());
        let drawn = discrete.draw(&engine, 0..PIECE).collect().unwrap().to_vec().unwrap();
        drawn.into_iter().for_each(|at| seen.counts[at as usize] += 1);
        assert_eq!(seen.counts[1], 0);
        check(seen.p(|at| weights[at] / 10.0), "discrete");
    });
}

/// Streams of neighbouring seeds and numbers have nothing to do with each other.
#[test]
fn neighbouring_streams_are_independent() {
    fn correlation<E: Engine>(queue: &Queue, a: E, b: E) {
        let (mut a, mut b) = (a.uniform::<f32>(), b.uniform::<f32>());
        let mut left = wanted();
        let mut total = 0.0;
        while left > 0 {
            let count = left.min(PIECE) as usize;
            let values = |draws: Expr<'_, f32>| draws.collect_on(queue).unwrap().to_vec().unwrap();
            let pairs = values(a.draw(count)).into_iter().zip(values(b.draw(count)));
            total += pairs.map(|(a, b)| (f64::from(a) - 0.5) * (f64::from(b) - 0.5)).sum::<f64>();
            left -= count as u64;
        }
        check(normal(total * 12.0 / (wanted() as f64).sqrt()), &format!("{a:?} and {b:?}"));
    }
    each_queue(|queue| {
        let philox = Philox4x32::<10>::new;
        let threefry = Threefry2x64::<20>::new;
        for seed in [0, 1, u64::from(u32::MAX)] {
            correlation(queue, philox(seed), philox(seed + 1));
            correlation(queue, philox(seed), philox(seed).stream(1));
            correlation(queue, philox(seed), philox(seed).substream(1));
            correlation(queue, threefry(seed), threefry(seed + 1));
        }
    });
}

/// The probabilities that the tests of many seeds give are uniform themselves.
#[test]
fn probabilities_are_uniform() {
    let mut cells = Cells::new(10);
    for seed in 0..500 {
        let mut seen = Cells::new(64);
        let draws = Philox4x32::<10>::new(seed).uniform::<f32>();
        draws.iter().take(6400).for_each(|u| seen.counts[(u * 64.0) as usize] += 1);
        cells.counts[(seen.p(|_| 1.0 / 64.0) * 10.0) as usize] += 1;
    }
    check(cells.p(|_| 0.1), "probabilities");
}

#[test]
fn all_orders_are_as_likely() {
    let index = |order: [u64; 4]| order.iter().fold(0, |index, &i| index * 4 + i as usize);
    let mut seen = vec![0_u64; 256];
    for seed in 0..24_000 {
        let permutation = Permutation::new(4, &Philox4x32::<10>::new(seed));
        seen[index(std::array::from_fn(|i| permutation.get(i as u64)))] += 1;
    }
    let mut cells = Cells::new(24);
    cells.counts = seen.into_iter().filter(|&count| count > 0).collect();
    assert_eq!(cells.counts.len(), 24);
    check(cells.p(|_| 1.0 / 24.0), "permutations of four");
}
