//! The numbers that kernels read beside the points: computed on the host, once for each plan.

use crate::plan::{Convolution, Pass, Shape, Table, power, primitive_root};
use crate::real::Real;
use crate::roots::Roots;
use cl_algo::num_complex::Complex;
use cl_core::{Buffer, Queue, Result};

/// The tables of a pass, on the device. Those that a pass does not need are not there.
#[derive(Debug)]
pub(crate) struct Tables<T: Real> {
    /// The factors of the stages.
    pub(crate) factors: Buffer<T>,
    pub(crate) phases: Option<Buffer<T>>,
    pub(crate) load_by: Option<Buffer<T>>,
    pub(crate) store_by: Option<Buffer<T>>,
    /// The transform of what a convolution is with.
    pub(crate) middle: Option<Buffer<T>>,
    /// The order of a prime's points, in and out.
    pub(crate) order: Option<Buffer<u32>>,
    /// See `kernels/ends.cl`.
    pub(crate) layout: Buffer<u64>,
}

/// Complex numbers before they are rounded.
type Numbers = Vec<(f64, f64)>;

impl<T: Real> Tables<T> {
    pub(crate) fn new(queue: &Queue, pass: &Pass) -> Result<Tables<T>> {
        let roots = Roots::of(T::BYTES);
        let upload = |numbers: &Numbers| {
            let parts: Vec<T> =
                numbers.iter().flat_map(|&(re, im)| [T::rounded(re), T::rounded(im)]).collect();
            Buffer::from_slice(queue, &parts)
        };
        let optional = |numbers: Option<Numbers>| numbers.as_ref().map(upload).transpose();
        let of = |table: Option<Table>| {
            table.map(|table| match table {
                Table::Chirp { points } => chirp(&roots, points),
                Table::Halves { numbers } => {
                    (0..=numbers / 2).map(|k| roots.root(k as u64, numbers as u64)).collect()
                }
                Table::Filter { points, length } => filter(&roots, points, length),
            })
        };
        let order = match pass.convolution {
            Some(Convolution::Rader { prime }) => Some(Buffer::from_slice(queue, &orders(prime))?),
            _ => None,
        };
        Ok(Tables {
            factors: upload(&factors(&roots, pass))?,
            phases: optional(pass.phases.map(|of| phases(&roots, pass, of.order)))?,
            load_by: optional(of(pass.load_by))?,
            store_by: optional(of(pass.store_by))?,
            middle: optional(pass.convolution.map(|convolution| match convolution {
                Convolution::Rader { prime } => prime_filter(&roots, prime),
                Convolution::Bluestein { points } => filter(&roots, points, pass.length),
            }))?,
            order,
            layout: Buffer::from_slice(queue, &layout(pass))?,
        })
    }
}

/// Of each stage, for each power below its radix, the powers of the root of what is left of the length.
fn factors(roots: &Roots, pass: &Pass) -> Numbers {
    let mut left = pass.length;
    let mut all = Vec::with_capacity(pass.length);
    for &radix in &pass.radices {
        let lines = left / radix;
        for k in 1..radix {
            all.extend((0..lines).map(|p| roots.root((p * k) as u64, left as u64)));
        }
        left = lines;
    }
    // No table is empty.
    all.push((1.0, 0.0));
    all
}

/// How many bits of the exponent go to the first of two tables of roots of this order.
pub(crate) fn phase_bits(order: usize) -> u32 {
    order.max(2).ilog2().div_ceil(2)
}

/// Where the rows of the phases' table begin, a multiple of the longest vector.
pub(crate) fn phase_rows(order: usize) -> usize {
    let low = 1 << phase_bits(order);
    (low + order / low + 1).next_multiple_of(16)
}

/// Roots of this order: of the lower half of the exponent's bits, and of the rest. Then, for kernels that do several
/// lines at once, for each point the phases of that many lines: real parts, imaginary parts.
fn phases(roots: &Roots, pass: &Pass, order: usize) -> Numbers {
    let low = 1 << phase_bits(order);
    let of = |exponent: usize| roots.root(exponent as u64, order as u64);
    let mut all: Numbers = (0..low).map(of).chain((0..=order / low).map(|high| of(high * low))).collect();
    if let Shape::Lanes { lanes } = pass.shape {
        all.resize(phase_rows(order), (1.0, 0.0));
        for point in 0..pass.length {
            let row: Numbers = (0..lanes).map(|lane| of(lane * point % order)).collect();
            let parts: Vec<f64> = row.iter().map(|z| z.0).chain(row.iter().map(|z| z.1)).collect();
            all.extend(parts.chunks(2).map(|pair| (pair[0], pair[1])));
        }
    }
    all
}

/// e^(-πi k² / n) for k below n.
fn chirp(roots: &Roots, points: usize) -> Numbers {
    let (n, twice) = (points as u64, 2 * points as u64);
    (0..n).map(|k| roots.root(k * k % twice, twice)).collect()
}

/// The transform of the inverse of the chirp, in both directions from 0, divided by its length.
fn filter(roots: &Roots, points: usize, length: usize) -> Numbers {
    let mut wave = vec![(0.0, 0.0); length];
    for (k, (re, im)) in chirp(roots, points).into_iter().enumerate() {
        wave[k] = (re, -im);
        wave[(length - k) % length] = (re, -im);
    }
    transformed(roots, &wave)
}

/// The transform of the roots of a prime order in Rader's order, divided by how many they are.
fn prime_filter(roots: &Roots, prime: usize) -> Numbers {
    let order = orders(prime);
    let wave: Numbers =
        order[prime - 1..].iter().map(|&power| roots.root(u64::from(power), prime as u64)).collect();
    transformed(roots, &wave)
}

/// The powers of a primitive root, and those of its inverse.
fn orders(prime: usize) -> Vec<u32> {
    let modulus = prime as u64;
    let root = primitive_root(prime) as u64;
    let powers =
        |base: u64| std::iter::successors(Some(1), move |&last| Some(last * base % modulus)).take(prime - 1);
    powers(root).chain(powers(power(root, modulus - 2, modulus))).map(|power| power as u32).collect()
}

/// The transform of numbers, divided by how many they are.
fn transformed(roots: &Roots, wave: &[(f64, f64)]) -> Numbers {
    let length = wave.len();
    let table: Vec<Complex<f64>> = (0..length)
        .map(|k| roots.root(k as u64, length as u64))
        .map(|(re, im)| Complex::new(re, im))
        .collect();
    let wave: Vec<Complex<f64>> = wave.iter().map(|&(re, im)| Complex::new(re, im)).collect();
    let scale = 1.0 / length as f64;
    transform(&wave, 1, length, &table).into_iter().map(|z| (z.re * scale, z.im * scale)).collect()
}

/// The transform of every `stride`-th number, of which there are `length`; the table has the roots of all.
fn transform(
    wave: &[Complex<f64>],
    stride: usize,
    length: usize,
    table: &[Complex<f64>],
) -> Vec<Complex<f64>> {
    let Some(radix) = (2..=length).find(|&radix| length.is_multiple_of(radix)) else {
        return vec![wave[0]];
    };
    let part = length / radix;
    let parts: Vec<Vec<Complex<f64>>> =
        (0..radix).map(|r| transform(&wave[r * stride..], stride * radix, part, table)).collect();
    let root = |exponent: usize| table[exponent % length * stride];
    (0..length).map(|k| (0..radix).map(|r| parts[r][k % part] * root(r * k)).sum()).collect()
}

/// The table of `kernels/ends.cl`.
fn layout(pass: &Pass) -> Vec<u64> {
    let mut all = vec![
        pass.strides[0],
        pass.strides[1],
        pass.steps[0],
        pass.steps[1],
        pass.given.unwrap_or(usize::MAX),
        pass.stored.unwrap_or(usize::MAX),
        pass.whole,
    ];
    for digit in &pass.digits {
        all.extend([digit.count, digit.strides[0], digit.strides[1], digit.steps[0], digit.steps[1]]);
    }
    all.into_iter().map(|number| number as u64).collect()
}
