//! Transforms on the host, for the tables of convolutions.

use crate::roots::Roots;
use cl_algo::num_complex::Complex;

/// One level of the recursion: it computes a line of `radix` times `part` points from transforms of `part` points.
struct Level {
    radix: usize,
    part: usize,
    /// For each point of a part, the powers of its root with exponents from 1 to below the radix.
    twiddles: Vec<Complex<f64>>,
    /// The roots of an odd radix.
    roots: Vec<Complex<f64>>,
}

/// Returns the forward transform of `wave`.
///
/// The recursion finishes one part of a line before it begins the next, so that all levels of a part are computed
/// while the part is in the caches. Besides the result, memory holds only the roots of the levels, about as
/// many as `wave` has numbers.
pub(crate) fn transform(roots: &Roots, wave: &[Complex<f64>]) -> Vec<Complex<f64>> {
    let levels = levels(roots, wave.len());
    let most = levels.iter().map(|level| level.radix).max().unwrap_or(1);
    let mut points = vec![Complex::new(0.0, 0.0); most];
    let mut out = vec![Complex::new(0.0, 0.0); wave.len()];
    descend(&levels, wave, 1, &mut out, &mut points);
    out
}

fn levels(roots: &Roots, length: usize) -> Vec<Level> {
    let mut all = Vec::new();
    let mut left = length.max(1);
    while left > 1 {
        // A radix of 4 has the fewest multiplications. The lengths of convolutions have only these prime
        // factors.
        let radix = [4, 2, 3, 5, 7, 11, 13].into_iter().find(|&radix| left.is_multiple_of(radix));
        let radix = radix.unwrap_or(left);
        let part = left / radix;
        let order = &roots.of_order(left);
        let root = |k: usize| {
            let (re, im) = order.root(k as u64);
            Complex::new(re, im)
        };
        let powers = |k: usize| (1..radix).map(move |r| root(r * k));
        let own = if radix.is_multiple_of(2) { 0 } else { radix };
        all.push(Level {
            radix,
            part,
            twiddles: (0..part).flat_map(powers).collect(),
            roots: (0..own).map(|k| root(k * part)).collect(),
        });
        left = part;
    }
    all
}

/// Computes the transform of every `stride`-th number of the wave into `out`, whose length is that of the transform.
/// `points` has room for a butterfly.
fn descend(
    levels: &[Level],
    wave: &[Complex<f64>],
    stride: usize,
    out: &mut [Complex<f64>],
    points: &mut [Complex<f64>],
) {
    let Some((level, inner)) = levels.split_first() else {
        // A line of one point.
        out.copy_from_slice(&wave[..out.len()]);
        return;
    };
    let &Level { radix, part, .. } = level;
    for (r, out) in out.chunks_exact_mut(part).enumerate() {
        if part == 1 {
            out[0] = wave[r * stride];
        } else {
            descend(inner, &wave[r * stride..], stride * radix, out, points);
        }
    }
    match radix {
        2 => twos(level, out),
        4 => fours(level, out),
        _ => odds(level, out, &mut points[..radix]),
    }
}

fn fours(level: &Level, out: &mut [Complex<f64>]) {
    let (front, rear) = out.split_at_mut(2 * level.part);
    let (first, second) = front.split_at_mut(level.part);
    let (third, fourth) = rear.split_at_mut(level.part);
    let lines = first.iter_mut().zip(second).zip(third).zip(fourth);
    for ((((a, b), c), d), powers) in lines.zip(level.twiddles.chunks_exact(3)) {
        let [p, q, r, s] = [*a, *b * powers[0], *c * powers[1], *d * powers[2]];
        let (even, odd) = (p + r, q + s);
        let (less, turned) = (p - r, q - s);
        // Multiplies by -i.
        let turned = Complex::new(turned.im, -turned.re);
        (*a, *b, *c, *d) = (even + odd, less + turned, even - odd, less - turned);
    }
}

fn twos(level: &Level, out: &mut [Complex<f64>]) {
    let (first, second) = out.split_at_mut(level.part);
    for ((a, b), power) in first.iter_mut().zip(second).zip(&level.twiddles) {
        let turned = *b * power;
        (*a, *b) = (*a + turned, *a - turned);
    }
}

/// Computes butterflies of an odd radix from the sums and the differences of points whose roots are mirror images.
fn odds(level: &Level, out: &mut [Complex<f64>], points: &mut [Complex<f64>]) {
    let &Level { radix, part, .. } = level;
    let half = radix / 2;
    for (k, powers) in level.twiddles.chunks_exact(radix - 1).enumerate() {
        points[0] = out[k];
        for r in 1..=half {
            let (near, far) = (out[k + r * part] * powers[r - 1], out[k + (radix - r) * part]);
            let far = far * powers[radix - r - 1];
            (points[r], points[radix - r]) = (near + far, near - far);
        }
        out[k] = points[..=half].iter().sum();
        for at in 1..=half {
            // The exponents are `at`, `2 at`, … modulo the radix.
            let (mut even, mut odd, mut exponent) = (points[0], Complex::new(0.0, 0.0), 0);
            for r in 1..=half {
                exponent += at;
                exponent -= if exponent >= radix { radix } else { 0 };
                even += points[r] * level.roots[exponent].re;
                odd += points[radix - r] * level.roots[exponent].im;
            }
            let turned = Complex::new(-odd.im, odd.re);
            (out[k + at * part], out[k + (radix - at) * part]) = (even + turned, even - turned);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transforms_of_all_factors() {
        let roots = Roots::of(8);
        // All radices, alone and together, and a prime that is not a radix.
        for length in [1, 2, 3, 4, 5, 7, 8, 11, 13, 16, 17, 60, 64, 91, 128, 242, 360, 1001, 3 * 34] {
            let wave: Vec<_> = (0..length)
                .map(|k| Complex::new((k * k % 7) as f64 - 3.0, (k * 5 % 11) as f64 - 5.0))
                .collect();
            let order = roots.of_order(length);
            let expected = |k: usize| -> Complex<f64> {
                let root = |j: usize| order.root((j * k) as u64);
                let turned = |(j, z): (usize, &Complex<f64>)| z * Complex::new(root(j).0, root(j).1);
                wave.iter().enumerate().map(turned).sum()
            };
            let result = transform(&roots, &wave);
            let size = wave.iter().map(Complex::norm_sqr).sum::<f64>().sqrt() * (length as f64).sqrt();
            for (k, z) in result.iter().enumerate() {
                assert!((z - expected(k)).norm() < 1e-14 * size, "{k} of {length}");
            }
        }
    }
}
