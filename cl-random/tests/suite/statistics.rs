//! Statistics of values drawn on devices: moments, chi-squared, Kolmogorov-Smirnov distances, correlations.
//!
//! `CL_RANDOM_LOG2=28` draws 2^28 values a case instead of 2^20, piece by piece. Seeds are fixed: a test that
//! passes once always passes, on every device. The results are in docs/random.
#![allow(clippy::unwrap_used)]

use crate::tally::{Cells, check, normal};
use cl_algo::prelude::*;
use cl_random::*;

/// Returns the number of values that a case draws.
fn wanted() -> u64 {
    let log2 = std::env::var("CL_RANDOM_LOG2").map_or(20, |text| text.parse().unwrap());
    1 << log2
}

/// The number of values on the host at once.
const PIECE: u64 = 1 << 20;

/// Draws values on the device, piece by piece.
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

/// Checks the counts of cells of equal probability by the distribution function, moments, and the correlation
/// of neighbours.
fn continuous<E: Engine, D: Distribution<Value: Real>>(
    queue: &Queue,
    draws: Draws<E, D>,
    below: impl Fn(f64) -> f64,
    mean: f64,
    variance: f64,
) {
    const CELLS: usize = 4096;
    let what = format!("{draws:?}");
    let (mut cells, mut sum, mut squares, mut fourth) = (Cells::new(CELLS), 0.0, 0.0, 0.0);
    let (mut last, mut serial) = (0.0, 0.0);
    each_piece(queue, draws, |values| {
        for &value in values {
            let value: f64 = value.into();
            assert!(value.is_finite(), "{what}: {value}");
            cells.counts[((below(value) * CELLS as f64) as usize).min(CELLS - 1)] += 1;
            let from_mean = value - mean;
            let square = from_mean * from_mean;
            sum += from_mean;
            squares += square;
            fourth += square * square;
            serial += from_mean * last;
            last = from_mean;
        }
    });
    let n = wanted() as f64;
    check(cells.chi_squared(|_| 1.0 / CELLS as f64), &format!("chi-squared of {what}"));
    check(cells.kolmogorov(), &format!("Kolmogorov and Smirnov of {what}"));
    check(normal(sum / (variance * n).sqrt()), &format!("mean of {what}"));
    let of_squares = fourth / n - variance * variance;
    check(normal((squares / n - variance) / (of_squares / n).sqrt()), &format!("variance of {what}"));
    check(normal(serial / (variance * n.sqrt())), &format!("serial correlation of {what}"));
}

fn each_queue(test: impl Fn(&Queue)) {
    cl_test::each_device(|device| test(&Queue::on(device).unwrap()));
}

/// Checks uniform and normal numbers, which are made of single words and of pairs.
fn engine_is_random<E: Engine>(engine: E) {
    each_queue(|queue| {
        continuous(queue, engine.uniform::<f32>(), |x| x, 0.5, 1.0 / 12.0);
        continuous(queue, engine.normal::<f32>(), normal, 0.0, 1.0);
        // The last bits of a float, which cells of equal size do not show.
        let mut cells = Cells::new(4096);
        each_piece(queue, engine.uniform::<f32>(), |values| {
            values.iter().for_each(|x| cells.counts[(x * 16_777_216.0) as usize & 0xfff] += 1);
        });
        check(cells.chi_squared(|_| 1.0 / 4096.0), &format!("last bits of {engine:?}"));
    });
}

macro_rules! engines {
    ($($test:ident: $engine:ident $rounds:literal $seed:literal;)*) => {$(
        #[test]
        fn $test() {
            engine_is_random($engine::<$rounds>::new($seed));
        }
    )*};
}

engines! {
    philox_2x32: Philox2x32 10 1;
    philox_4x32: Philox4x32 10 2;
    philox_2x64: Philox2x64 10 3;
    philox_4x64: Philox4x64 10 4;
    threefry_2x32: Threefry2x32 20 5;
    threefry_4x32: Threefry4x32 20 6;
    threefry_2x64: Threefry2x64 20 7;
    threefry_4x64: Threefry4x64 20 8;
    the_fewest_rounds: Philox4x32 7 9;
}

fn engine(seed: u64) -> Philox4x32 {
    Philox4x32::new(seed)
}

fn exponential(x: f64) -> f64 {
    -(-x).exp_m1()
}

/// Returns the distribution function of the gamma distribution of shape 3. Shapes 1, 3 and 1/2 have closed
/// forms.
fn erlang(x: f64) -> f64 {
    1.0 - (-x).exp() * (1.0 + x + x * x / 2.0)
}

#[test]
fn single_floats() {
    each_queue(|queue| {
        let engine = engine(12);
        continuous(queue, engine.draws(OpenClosed01::<f32>::new()), |x| x, 0.5, 1.0 / 12.0);
        continuous(queue, engine.draws(Open01::<f32>::new()), |x| x, 0.5, 1.0 / 12.0);
        let draws = engine.draws(Uniform::new(-2.0_f32, 6.0).unwrap());
        continuous(queue, draws, |x| (x + 2.0) / 8.0, 2.0, 64.0 / 12.0);
        let draws = engine.draws(Normal::new(5.0_f32, 2.0).unwrap());
        continuous(queue, draws, |x| normal((x - 5.0) / 2.0), 5.0, 4.0);
        let draws = engine.draws(Exponential::new(2.0_f32).unwrap());
        continuous(queue, draws, |x| exponential(2.0 * x), 0.5, 0.25);
        let (mean, variance) = (0.125_f64.exp(), 0.25_f64.exp_m1() * 0.25_f64.exp());
        let draws = engine.draws(LogNormal::new(0.0_f32, 0.5).unwrap());
        continuous(queue, draws, |x| normal(x.ln() / 0.5), mean, variance);
        continuous(queue, engine.draws(Gamma::new(1.0_f32, 1.0).unwrap()), exponential, 1.0, 1.0);
        continuous(queue, engine.draws(Gamma::new(3.0_f32, 2.0).unwrap()), |x| erlang(x / 2.0), 6.0, 12.0);
        let half = |x: f64| libm::erf(x.sqrt());
        continuous(queue, engine.draws(Gamma::new(0.5_f32, 1.0).unwrap()), half, 0.5, 0.5);
    });
}

#[test]
fn double_floats() {
    each_queue(|queue| {
        if !cl_test::offers(queue.device(), "double precision", queue.device().has_fp64()) {
            return;
        }
        let engine = engine(13);
        continuous(queue, engine.uniform::<f64>(), |x| x, 0.5, 1.0 / 12.0);
        let mut cells = Cells::new(4096);
        each_piece(queue, engine.uniform::<f64>(), |values| {
            values.iter().for_each(|x| cells.counts[(x * 9_007_199_254_740_992.0) as usize & 0xfff] += 1);
        });
        check(cells.chi_squared(|_| 1.0 / 4096.0), "last bits of doubles");
        continuous(queue, engine.normal::<f64>(), normal, 0.0, 1.0);
        continuous(queue, engine.draws(Exponential::new(1.0_f64).unwrap()), exponential, 1.0, 1.0);
        continuous(queue, engine.draws(Gamma::new(3.0_f64, 1.0).unwrap()), erlang, 3.0, 3.0);
    });
}

/// Compares counts of integers with their probabilities.
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
    check(seen.chi_squared(probability), &what);
}

#[test]
fn integers_and_truth_values() {
    each_queue(|queue| {
        let engine = engine(3);
        let dice = engine.draws(UniformInteger::new(1..=6_u8).unwrap());
        integers(queue, dice, 6, |dots| usize::from(dots) - 1, |_| 1.0 / 6.0);
        let signed = engine.draws(UniformInteger::new(-999..=1000_i32).unwrap());
        integers(queue, signed, 2000, |x| (x + 999) as usize, |_| 1.0 / 2000.0);
        // Two thirds of all words: a method that takes a remainder would make the lower half of the range twice
        // as likely.
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
    });
}

#[test]
fn weights() {
    each_queue(|queue| {
        let weights = [1.0, 0.0, 2.5, 0.25, 6.25];
        let discrete = Discrete::new(queue, &weights).unwrap();
        let (mut draws, mut seen) = (discrete.draws(&engine(14)), Cells::new(weights.len()));
        while draws.position() < wanted().into() {
            let drawn = draws.draw(PIECE as usize).collect().unwrap().to_vec().unwrap();
            drawn.into_iter().for_each(|at| seen.counts[at as usize] += 1);
        }
        assert_eq!(seen.counts[1], 0);
        check(seen.chi_squared(|at| weights[at] / 10.0), "by weights");
    });
}

/// Checks that streams of neighbouring seeds and numbers are independent.
fn correlation<E: Engine>(queue: &Queue, a: &E, b: &E) {
    let (mut x, mut y) = (a.uniform::<f32>(), b.uniform::<f32>());
    let mut total = 0.0;
    while x.position() < wanted().into() {
        let values = |draws: Expr<'_, f32>| draws.collect_on(queue).unwrap().to_vec().unwrap();
        let pairs = values(x.draw(PIECE as usize)).into_iter().zip(values(y.draw(PIECE as usize)));
        total += pairs.map(|(x, y)| (f64::from(x) - 0.5) * (f64::from(y) - 0.5)).sum::<f64>();
    }
    check(normal(total * 12.0 / (x.position() as f64).sqrt()), &format!("correlation of {a:?} and {b:?}"));
}

#[test]
fn neighbouring_seeds_and_streams() {
    fn neighbours<E: Engine>(new: fn(u64) -> E) {
        each_queue(|queue| {
            correlation(queue, &new(0), &new(1));
            correlation(queue, &new(u64::from(u32::MAX)), &new(1 << 32));
            correlation(queue, &new(7), &new(7).stream(1));
            correlation(queue, &new(7), &new(7).substream(1));
        });
    }
    neighbours(Philox2x32::<10>::new);
    neighbours(Philox4x32::<10>::new);
    neighbours(Philox2x64::<10>::new);
    neighbours(Philox4x64::<10>::new);
    neighbours(Threefry2x32::<20>::new);
    neighbours(Threefry4x32::<20>::new);
    neighbours(Threefry2x64::<20>::new);
    neighbours(Threefry4x64::<20>::new);
}

/// Checks that the probabilities from the tests of many seeds are uniform themselves.
#[test]
fn probabilities_are_uniform() {
    each_queue(|queue| {
        let (mut chi, mut distances) = (Cells::new(20), Cells::new(20));
        let seeds = 1 << (wanted().ilog2() / 2);
        for seed in 0..seeds {
            let mut seen = Cells::new(64);
            let drawn = engine(seed).uniform::<f32>().take(6400).collect_on(queue).unwrap().to_vec().unwrap();
            drawn.into_iter().for_each(|u| seen.counts[(u * 64.0) as usize] += 1);
            chi.counts[(seen.chi_squared(|_| 1.0 / 64.0) * 20.0) as usize] += 1;
            distances.counts[(seen.kolmogorov() * 20.0) as usize] += 1;
        }
        check(chi.chi_squared(|_| 0.05), "probabilities of chi-squared");
        check(chi.kolmogorov(), "probabilities of chi-squared, by their distance");
        // The probabilities of distances are a little too high: low ones must not be too frequent.
        let low = distances.counts[0] as f64;
        assert!(low < 0.05 * seeds as f64 + 5.0 * (0.05 * seeds as f64).sqrt(), "{:?}", distances.counts);
    });
}

/// Returns the permutation of each of `seeds` seeds.
fn orders(count: u64, seeds: u64) -> impl Iterator<Item = Vec<u64>> {
    let permutations = (0..seeds).map(move |seed| Permutation::new(count, &engine(seed)));
    permutations.map(move |permutation| (0..count).map(|i| permutation.get(i)).collect())
}

/// Returns for each number the count of later numbers that are smaller. The counts are the digits of the
/// order's index; their sum is odd for odd permutations.
fn smaller_ones(order: &[u64]) -> impl Iterator<Item = usize> {
    order.iter().enumerate().map(|(i, number)| order[i..].iter().filter(|later| *later < number).count())
}

/// Tests orders of a few numbers. A network of 16 rounds whose halves have one or two bits fails for five or
/// more.
#[test]
fn all_orders_are_as_likely() {
    for count in 2..=7 {
        let all: u64 = (1..=count).product();
        let mut cells = Cells::new(all as usize);
        for order in orders(count, 300_000) {
            let digits = smaller_ones(&order).zip((1..=count as usize).rev());
            cells.counts[digits.fold(0, |number, (digit, digits)| number * digits + digit)] += 1;
        }
        check(cells.chi_squared(|_| 1.0 / all as f64), &format!("orders of {count}"));
    }
}

/// Networks alone are always even if the count is a power of two, and nearly always odd if it is one less.
#[test]
fn even_and_odd_orders_are_as_likely() {
    for count in [2, 3, 8, 9, 16, 31, 32, 33, 63, 64, 65, 100, 128] {
        let mut cells = Cells::new(2);
        for order in orders(count, 10_000) {
            cells.counts[smaller_ones(&order).sum::<usize>() % 2] += 1;
        }
        check(cells.chi_squared(|_| 0.5), &format!("even and odd orders of {count}"));
    }
}

/// Tests both sides of the border between listed orders and networks.
#[test]
fn neighbours_go_anywhere() {
    for count in [20, 32, 33, 64] {
        let pairs = count * (count - 1);
        let mut cells = Cells::new(pairs as usize);
        for seed in 0..200_000 {
            let permutation = Permutation::new(count, &engine(seed));
            let (one, other) = (permutation.get(0), permutation.get(1));
            cells.counts[(one * (count - 1) + other - u64::from(other > one)) as usize] += 1;
        }
        check(cells.chi_squared(|_| 1.0 / pairs as f64), &format!("places of two of {count}"));
    }
}
