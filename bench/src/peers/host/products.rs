//! Products of many small matrices by `matrixmultiply`, with all threads of rayon.

use super::HostPeer;
use crate::cases::SMALL;
use crate::data::Source;
use crate::failure::Failure;
use crate::timing::Restored;
use matrixmultiply::sgemm;
use rayon::prelude::*;
use std::hint::black_box;

pub(super) static ALL: &[HostPeer] =
    &[HostPeer { name: "matrixmultiply", case: "array: products, 8 x 8", element: "f32", prepare: small }];

/// The elements of a matrix.
const ELEMENTS: usize = SMALL * SMALL;

/// Multiplies matrices in pairs: `n` elements of results.
fn small(n: usize) -> Result<Restored, Failure> {
    let whole = || -> Vec<f32> { Source::fresh().few(n).into_iter().map(|number| number as f32).collect() };
    let (a, b, mut products) = (whole(), whole(), vec![0.0; n]);
    let expected: Vec<f32> = (0..n)
        .map(|i| {
            let (first, row, column) = (i / ELEMENTS * ELEMENTS, i / SMALL % SMALL, i % SMALL);
            (0..SMALL).map(|k| a[first + row * SMALL + k] * b[first + k * SMALL + column]).sum()
        })
        .collect();
    // Each thread gets many matrices at once, because one product is shorter than the hand-over.
    let part = (n / ELEMENTS).div_ceil(8 * rayon::current_num_threads()).max(1) * ELEMENTS;
    let multiply = move |products: &mut [f32]| {
        let parts = products.par_chunks_mut(part).zip(a.par_chunks(part).zip(b.par_chunks(part)));
        parts.for_each(|(products, (a, b))| {
            let matrices = products.chunks_exact_mut(ELEMENTS).zip(a.chunks_exact(ELEMENTS));
            matrices.zip(b.chunks_exact(ELEMENTS)).for_each(|((product, a), b)| times(a, b, product));
        });
    };
    multiply(&mut products);
    super::expect_values(&products, expected)?;
    Ok(super::step(move || multiply(black_box(&mut products))))
}

/// Multiplies two matrices, which are stored row by row.
fn times(a: &[f32], b: &[f32], product: &mut [f32]) {
    assert!(a.len() == ELEMENTS && b.len() == ELEMENTS && product.len() == ELEMENTS);
    let (row, column) = (SMALL as isize, 1);
    let (a, b, product) = (a.as_ptr(), b.as_ptr(), product.as_mut_ptr());
    // SAFETY: each of the three has as many elements as the strides reach, and `product` is not one of the others.
    unsafe { sgemm(SMALL, SMALL, SMALL, 1.0, a, row, column, b, row, column, 0.0, product, row, column) };
}
