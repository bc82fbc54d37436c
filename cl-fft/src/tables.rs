//! The tables that kernels read besides the points. The host computes them once for each plan.

use crate::host::transform;
use crate::plan::{Convolution, Pass, Shape, Table, power, primitive_root};
use crate::real::Real;
use crate::roots::Roots;
use cl_algo::num_complex::Complex;
use cl_core::{Buffer, Error, Queue, Result};
use std::collections::HashMap;

/// The tables of a pass on the device; `None` for tables that the pass does not need.
#[derive(Debug)]
pub(crate) struct Tables<T: Real> {
    /// The factors of the stages.
    pub(crate) factors: Buffer<T>,
    pub(crate) phases: Option<Buffer<T>>,
    pub(crate) load_by: Option<Buffer<T>>,
    pub(crate) store_by: Option<Buffer<T>>,
    /// The transform of a convolution's filter.
    pub(crate) middle: Option<Buffer<T>>,
    /// The order of a prime's points, in and out.
    pub(crate) order: Option<Buffer<u32>>,
    /// The layout table: see `kernels/ends.cl`.
    pub(crate) layout: Buffer<u64>,
}

/// Complex numbers before rounding.
type Numbers = Vec<(f64, f64)>;

/// The values that the passes of a plan share.
pub(crate) struct Common {
    roots: Roots,
    chirps: Chirps,
}

/// Chirps by length: a transform of several passes uses its chirp three times.
#[derive(Default)]
struct Chirps(HashMap<usize, Numbers>);

impl Chirps {
    fn of(&mut self, roots: &Roots, points: usize) -> &Numbers {
        self.0.entry(points).or_insert_with(|| chirp(roots, points))
    }
}

impl Common {
    /// Returns the shared values for numbers of `bytes` bytes, without chirps at first.
    pub(crate) fn of(bytes: usize) -> Common {
        Common { roots: Roots::of(bytes), chirps: Chirps::default() }
    }
}

impl<T: Real> Tables<T> {
    pub(crate) fn new(queue: &Queue, pass: &Pass, common: &mut Common) -> Result<Tables<T>> {
        let Common { roots, chirps } = common;
        room::<T>(queue, pass.length)?;
        let upload = |numbers: &Numbers| {
            let parts: Vec<T> =
                numbers.iter().flat_map(|&(re, im)| [T::rounded(re), T::rounded(im)]).collect();
            Buffer::from_slice(queue, &parts)
        };
        let optional = |numbers: Option<Numbers>| numbers.as_ref().map(upload).transpose();
        let mut of = |table: Option<Table>| {
            let Some(table) = table else { return Ok(None) };
            room::<T>(queue, table.numbers())?;
            let numbers = match table {
                Table::Chirp { points } => return upload(chirps.of(roots, points)).map(Some),
                Table::Halves { numbers } => {
                    let order = roots.of_order(numbers);
                    (0..=numbers / 2).map(|k| order.root(k as u64)).collect()
                }
                Table::Filter { points, length } => filter(roots, chirps.of(roots, points), length),
            };
            upload(&numbers).map(Some)
        };
        let (load_by, store_by) = (of(pass.load_by)?, of(pass.store_by)?);
        let order = match pass.convolution {
            Some(Convolution::Rader { prime }) => Some(Buffer::from_slice(queue, &orders(prime))?),
            _ => None,
        };
        Ok(Tables {
            factors: upload(&factors(roots, pass))?,
            phases: optional(pass.phases.map(|of| phases(roots, pass, of.order)))?,
            load_by,
            store_by,
            middle: optional(pass.convolution.map(|convolution| match convolution {
                Convolution::Rader { prime } => prime_filter(roots, prime),
                Convolution::Bluestein { points } => filter(roots, chirps.of(roots, points), pass.length),
            }))?,
            order,
            layout: Buffer::from_slice(queue, &layout(pass))?,
        })
    }
}

/// Returns an error unless a table of `numbers` complex numbers fits into memory of the device. The check comes
/// first because the host needs two to four times as much memory to compute a table.
fn room<T>(queue: &Queue, numbers: usize) -> Result<()> {
    /// The size in bytes that every device can allocate.
    const SMALL: u128 = 1 << 20;
    let bytes = 2 * size_of::<T>() as u128 * numbers as u128;
    if bytes <= SMALL {
        return Ok(());
    }
    let limit = queue.device().max_allocation()?;
    if bytes > u128::from(limit) {
        return Err(Error::too_large(bytes, queue.device()));
    }
    Ok(())
}

/// Returns the factors of the stages. A stage of radix R has, for each k from 1 to R - 1, the powers p k of a
/// root for each p below order / R. The order of the root is the length divided by the radices of the stages
/// before.
fn factors(roots: &Roots, pass: &Pass) -> Numbers {
    let mut left = pass.length;
    let mut all = Vec::with_capacity(pass.length);
    for &radix in &pass.radices {
        let (lines, order) = (left / radix, roots.of_order(left));
        for k in 1..radix {
            all.extend((0..lines).map(|p| order.root((p * k) as u64)));
        }
        left = lines;
    }
    // A buffer cannot be empty.
    all.push((1.0, 0.0));
    all
}

/// Returns the number of exponent bits that the first of two tables of roots covers.
pub(crate) fn phase_bits(order: usize) -> u32 {
    order.max(2).ilog2().div_ceil(2)
}

/// Returns the index at which the rows of the phases' table begin: a multiple of the longest vector.
pub(crate) fn phase_rows(order: usize) -> usize {
    let low = 1 << phase_bits(order);
    (low + order / low + 1).next_multiple_of(16)
}

/// Returns two tables of roots of this order, one after the other: for the lower half of the exponent's bits,
/// and for the upper half. For kernels that transform several lines at once, one row for each point follows,
/// with the phases of neighbouring lines: real parts, then imaginary parts.
fn phases(roots: &Roots, pass: &Pass, order: usize) -> Numbers {
    let low = 1 << phase_bits(order);
    let roots = roots.of_order(order);
    let of = |exponent: usize| roots.root(exponent as u64);
    let mut all: Numbers = (0..low).map(of).chain((0..=order / low).map(|high| of(high * low))).collect();
    if let Shape::Lines { lines } = pass.shape {
        all.resize(phase_rows(order), (1.0, 0.0));
        for point in 0..pass.length {
            let row: Numbers = (0..lines).map(|line| of(line * point % order)).collect();
            let parts: Vec<f64> = row.iter().map(|z| z.0).chain(row.iter().map(|z| z.1)).collect();
            all.extend(parts.chunks(2).map(|pair| (pair[0], pair[1])));
        }
    }
    all
}

/// Returns e^(-πi k² / n) for k below n.
fn chirp(roots: &Roots, points: usize) -> Numbers {
    let (n, order) = (points as u64, roots.of_order(2 * points));
    let mut all: Numbers = (0..=n / 2).map(|k| order.root(k * k % (2 * n))).collect();
    // Modulo 2 n, the square of n - k is the square of k if n is even. Otherwise it is n more, which is half a turn.
    let sign = if points.is_multiple_of(2) { 1.0 } else { -1.0 };
    let mirrored = |k: usize| (sign * all[points - k].0, sign * all[points - k].1);
    let rest: Numbers = (all.len()..points).map(mirrored).collect();
    all.extend(rest);
    all.truncate(points);
    all
}

/// Returns the transform of a filter, divided by `length`. The filter is the conjugate of the chirp, from
/// index 0 in both directions, padded with zeros to `length`.
fn filter(roots: &Roots, chirp: &Numbers, length: usize) -> Numbers {
    let mut wave = vec![Complex::new(0.0, 0.0); length];
    for (k, &(re, im)) in chirp.iter().enumerate() {
        wave[k] = Complex::new(re, -im);
        wave[(length - k) % length] = Complex::new(re, -im);
    }
    transformed(roots, &wave)
}

/// Returns the transform of the roots of unity of order `prime`, arranged by Rader's permutation, divided by
/// their number.
fn prime_filter(roots: &Roots, prime: usize) -> Numbers {
    let (powers, order) = (orders(prime), roots.of_order(prime));
    let root = |&power: &u32| order.root(u64::from(power));
    let wave: Vec<_> = powers[prime - 1..].iter().map(root).map(|(re, im)| Complex::new(re, im)).collect();
    transformed(roots, &wave)
}

/// Returns the powers of a primitive root modulo the prime, and then the powers of its inverse.
fn orders(prime: usize) -> Vec<u32> {
    let modulus = prime as u64;
    let root = primitive_root(prime) as u64;
    let powers =
        |base: u64| std::iter::successors(Some(1), move |&last| Some(last * base % modulus)).take(prime - 1);
    powers(root).chain(powers(power(root, modulus - 2, modulus))).map(|power| power as u32).collect()
}

/// Returns the transform of numbers, divided by their number.
fn transformed(roots: &Roots, wave: &[Complex<f64>]) -> Numbers {
    let scale = 1.0 / wave.len() as f64;
    transform(roots, wave).into_iter().map(|z| (z.re * scale, z.im * scale)).collect()
}

/// Returns the layout table of `kernels/ends.cl`.
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
