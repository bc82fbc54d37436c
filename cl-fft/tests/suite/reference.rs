//! Reference transforms, computed on the host with more digits than devices have.

use cl_algo::num_complex::Complex;
use cl_test::fourier::plan_f64;
use rustfft::FftDirection;
use std::ops::{Add, Mul, Neg, Sub};

/// An unevaluated sum of two floats: about 106 bits.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pair(pub(crate) f64, pub(crate) f64);

fn two_sum(a: f64, b: f64) -> Pair {
    let sum = a + b;
    let rest = sum - a;
    Pair(sum, (a - (sum - rest)) + (b - rest))
}

impl Add for Pair {
    type Output = Pair;
    fn add(self, other: Pair) -> Pair {
        let Pair(high, low) = two_sum(self.0, other.0);
        two_sum(high, low + self.1 + other.1)
    }
}

impl Neg for Pair {
    type Output = Pair;
    fn neg(self) -> Pair {
        Pair(-self.0, -self.1)
    }
}

impl Sub for Pair {
    type Output = Pair;
    fn sub(self, other: Pair) -> Pair {
        self + -other
    }
}

impl Mul for Pair {
    type Output = Pair;
    fn mul(self, other: Pair) -> Pair {
        let high = self.0 * other.0;
        two_sum(high, self.0.mul_add(other.0, -high) + (self.0 * other.1 + self.1 * other.0))
    }
}

/// A complex number of such sums.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Point {
    pub(crate) re: Pair,
    pub(crate) im: Pair,
}

impl Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point { re: self.re + other.re, im: self.im + other.im }
    }
}

impl Mul for Point {
    type Output = Point;
    fn mul(self, other: Point) -> Point {
        Point { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}

/// Returns the sine or the cosine of an angle up to π / 4 by its series, from the term of power
/// `first` on.
fn series(angle: Pair, first: usize) -> Pair {
    let minus = -(angle * angle);
    let mut term = if first == 0 { Pair(1.0, 0.0) } else { angle };
    let mut sum = term;
    for k in (first + 2..30).step_by(2) {
        let divisor = (k * (k - 1)) as f64;
        let product = term * minus;
        let quotient = product.0 / divisor;
        let rest = product - Pair(quotient, 0.0) * Pair(divisor, 0.0);
        term = two_sum(quotient, rest.0 / divisor);
        sum = sum + term;
    }
    sum
}

/// Returns all roots of unity e^(-2πi k / n).
pub(crate) fn roots(n: usize) -> Vec<Point> {
    let quarter_pi = Pair(std::f64::consts::FRAC_PI_4, 3.061_616_997_868_383e-17);
    (0..n)
        .map(|k| {
            let (octant, rest) = (8 * k / n, 8 * k % n);
            let rest = if octant % 2 == 0 { rest } else { n - rest };
            let product = quarter_pi * Pair(rest as f64, 0.0);
            let quotient = product.0 / n as f64;
            let left = product - Pair(quotient, 0.0) * Pair(n as f64, 0.0);
            let angle = two_sum(quotient, left.0 / n as f64);
            let (c, s) = (series(angle, 0), series(angle, 1));
            let (re, im) = [(c, s), (s, c), (-s, c), (-c, s), (-c, -s), (-s, -c), (s, -c), (c, -s)][octant];
            Point { re, im: -im }
        })
        .collect()
}

/// Returns the forward transform, recursively by the smallest prime factors.
pub(crate) fn forward(points: &[Point], roots: &[Point]) -> Vec<Point> {
    fn part(points: &[Point], stride: usize, length: usize, roots: &[Point]) -> Vec<Point> {
        let Some(radix) = (2..=length).find(|&radix| length.is_multiple_of(radix)) else {
            return vec![points[0]];
        };
        let inner = length / radix;
        let parts: Vec<Vec<Point>> =
            (0..radix).map(|r| part(&points[r * stride..], stride * radix, inner, roots)).collect();
        let of = |k: usize| {
            (0..radix)
                .fold(Point::default(), |sum, r| sum + parts[r][k % inner] * roots[r * k % length * stride])
        };
        (0..length).map(of).collect()
    }
    part(points, 1, points.len(), roots)
}

/// Returns the forward or the inverse transform of doubles, without a division.
pub(crate) fn transform(points: &[Complex<f64>], inverse: bool) -> Vec<Point> {
    let sign = if inverse { -1.0 } else { 1.0 };
    let given: Vec<Point> =
        points.iter().map(|z| Point { re: Pair(z.re, 0.0), im: Pair(sign * z.im, 0.0) }).collect();
    let mut result = forward(&given, &roots(points.len().max(1)));
    if inverse {
        result.iter_mut().for_each(|z| z.im = -z.im);
    }
    result
}

/// Returns the error of numbers relative to the expected ones, in the 2-norm.
pub(crate) fn error(got: &[Complex<f64>], expected: &[Point]) -> f64 {
    assert_eq!(got.len(), expected.len());
    let (mut wrong, mut all) = (0.0, 0.0);
    for (z, exact) in got.iter().zip(expected) {
        let (re, im) = ((z.re - exact.re.0) - exact.re.1, (z.im - exact.im.0) - exact.im.1);
        wrong += re * re + im * im;
        all += exact.re.0 * exact.re.0 + exact.im.0 * exact.im.0;
    }
    if wrong == 0.0 { 0.0 } else { (wrong / all).sqrt() }
}

/// Returns pseudo-random numbers from -1/2 to 1/2, determined by the seed.
pub(crate) fn noise(len: usize, seed: u64) -> Vec<Complex<f64>> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // Exact in `f32`, so that the copy to a device loses nothing.
        f64::from(((state >> 40) as f32 / (1 << 24) as f32) - 0.5)
    };
    (0..len).map(|_| Complex::new(next(), next())).collect()
}

/// Half the distance from 1 to the next `f32`.
pub(crate) const UNIT: f64 = 5.960_464_477_539_063e-8;

/// Returns the permitted error, which is larger for lengths with prime factors beyond 13.
pub(crate) fn bound(n: usize, unit: f64) -> f64 {
    let mut rest = n;
    for prime in [2, 3, 5, 7, 11, 13] {
        while rest.is_multiple_of(prime) {
            rest /= prime;
        }
    }
    let factor = if rest == 1 { 1.5 } else { 6.0 };
    factor * unit * (n.max(2) as f64).log2().sqrt()
}

/// Returns the largest error of transforms of random numbers, as a multiple of the permitted error.
pub(crate) fn ratio<T>(queue: &cl_core::Queue, n: usize, batch: usize, directions: &[bool]) -> f64
where
    T: cl_fft::Real + Into<f64>,
    Complex<T>: cl_algo::Element,
{
    let host = noise(n * batch, n as u64);
    let given: Vec<Complex<T>> =
        host.iter().map(|z| Complex::new(T::rounded(z.re), T::rounded(z.im))).collect();
    let x = cl_algo::DeviceVec::from_slice(queue, &given).unwrap();
    let fft = cl_fft::Fft::<T>::c2c(queue, cl_fft::Problem::new([n]).batch(batch)).unwrap();
    let fft = fft.normalized(cl_fft::Normalization::None);
    let unit = if size_of::<T>() == 4 { 2.0_f64.powi(-24) } else { 2.0_f64.powi(-53) };
    let mut worst = 0.0_f64;
    for &inverse in directions {
        let result = if inverse { fft.inverse(&x) } else { fft.forward(&x) };
        let got: Vec<Complex<f64>> = result
            .unwrap()
            .to_vec()
            .unwrap()
            .iter()
            .map(|z| Complex::new(z.re.into(), z.im.into()))
            .collect();
        for b in 0..batch {
            let expected = transform(&host[b * n..(b + 1) * n], inverse);
            worst = worst.max(error(&got[b * n..(b + 1) * n], &expected) / bound(n, unit));
        }
    }
    worst
}

/// One side of a problem: strides of the axes, and the distance between transforms.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) strides: Vec<usize>,
    pub(crate) distance: usize,
}

impl Layout {
    /// Returns the layout of rows, one transform after the other.
    pub(crate) fn dense(lengths: &[usize]) -> Layout {
        let stride = |axis: usize| lengths[axis + 1..].iter().product();
        Layout { strides: (0..lengths.len()).map(stride).collect(), distance: lengths.iter().product() }
    }

    /// Returns the address of every point of every transform, in row-major order.
    pub(crate) fn addresses(&self, lengths: &[usize], batch: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..batch).map(|b| b * self.distance).collect();
        for (&length, &stride) in lengths.iter().zip(&self.strides) {
            all = all.iter().flat_map(|&at| (0..length).map(move |k| at + k * stride)).collect();
        }
        all
    }
}

/// Returns the transform of dense rows along some axes, by another library.
pub(crate) fn along_axes(
    points: &[Complex<f64>],
    lengths: &[usize],
    axes: &[usize],
    inverse: bool,
) -> Vec<Complex<f64>> {
    let direction = if inverse { FftDirection::Inverse } else { FftDirection::Forward };
    let mut points = points.to_vec();
    for &axis in axes {
        let n = lengths[axis];
        let stride: usize = lengths[axis + 1..].iter().product();
        let fft = plan_f64(n, direction);
        for start in (0..points.len()).filter(|at| (at / stride).is_multiple_of(n)) {
            let mut line: Vec<_> = (0..n).map(|k| points[start + k * stride]).map(|z| [z.re, z.im]).collect();
            let buffer: &mut [Complex<f64>] = cl_algo::bytemuck::cast_slice_mut(&mut line);
            fft.process(buffer);
            buffer.iter().enumerate().for_each(|(k, z)| points[start + k * stride] = *z);
        }
    }
    points
}

/// Returns the error of floats relative to doubles.
pub(crate) fn difference<T: Copy + Into<f64>>(got: &[Complex<T>], expected: &[Complex<f64>]) -> f64 {
    assert_eq!(got.len(), expected.len());
    let wrong: f64 =
        got.iter().zip(expected).map(|(a, b)| (Complex::new(a.re.into(), a.im.into()) - b).norm_sqr()).sum();
    let all: f64 = expected.iter().map(Complex::norm_sqr).sum();
    if wrong == 0.0 { 0.0 } else { (wrong / all).sqrt() }
}

/// Compares a real transform, forward and back, with a complex one.
pub(crate) fn real(queue: &cl_core::Queue, lengths: &[usize], axes: &[usize], batch: usize) {
    let points: usize = lengths.iter().product();
    let last = *axes.last().unwrap();
    let host: Vec<f64> = noise(points * batch, 3).iter().map(|z| z.re).collect();
    let x =
        cl_algo::DeviceVec::from_slice(queue, &host.iter().map(|&x| x as f32).collect::<Vec<_>>()).unwrap();
    let problem = cl_fft::Problem::new(lengths).axes(axes).batch(batch);
    let fft = cl_fft::RealFft::<f32>::new_on(queue, problem).unwrap();
    let half = fft.forward(&x).unwrap();
    let whole: Vec<Complex<f64>> = host.iter().map(|&x| Complex::new(x, 0.0)).collect();
    let inner: usize = lengths[last + 1..].iter().product();
    let expected: Vec<_> = whole
        .chunks(points)
        .flat_map(|part| along_axes(part, lengths, axes, false))
        .enumerate()
        .filter(|(at, _)| at / inner % lengths[last] <= lengths[last] / 2)
        .map(|(_, z)| z)
        .collect();
    let all: usize = axes.iter().map(|&axis| lengths[axis]).product();
    let error = difference(&half.to_vec().unwrap(), &expected) / bound(all, UNIT);
    assert!(error <= 1.0, "{lengths:?} {axes:?}: {error}");
    let back = fft.inverse(&half).unwrap().to_vec().unwrap();
    let back: Vec<_> = back.iter().map(|&x| Complex::new(x, 0.0)).collect();
    let error = difference(&back, &whole) / (2.0 * bound(all, UNIT));
    assert!(error <= 1.0, "{lengths:?} {axes:?} and back: {error}");
}
