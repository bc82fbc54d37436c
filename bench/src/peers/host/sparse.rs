//! Sparse matrices by `sprs`, with one thread.

use super::HostPeer;
use crate::failure::Failure;
use crate::matrices::{Make, Narrow, made, poisson, power_law, random, triplets, whole};
use crate::timing::Restored;
use rustfft::num_traits::Zero;
use sprs::{CsMatI, MulAcc, TriMatI};
use std::hint::black_box;

const fn of(case: &'static str, element: &'static str, prepare: Prepare) -> HostPeer {
    HostPeer { name: "sprs", case, element, prepare }
}

type Prepare = fn(usize) -> Result<Restored, Failure>;

pub(super) static ALL: &[HostPeer] = &[
    of("sparse product, 5-point stencil", "f32", |n| product::<f32>(n, poisson)),
    of("sparse product, 5-point stencil", "f64", |n| product::<f64>(n, poisson)),
    of("sparse product, 32 anywhere in a row", "f32", |n| product::<f32>(n, random)),
    of("sparse product, 32 anywhere in a row", "f64", |n| product::<f64>(n, random)),
    of("sparse product, power law", "f32", |n| product::<f32>(n, power_law)),
    of("sparse product, power law", "f64", |n| product::<f64>(n, power_law)),
    of("rows of triplets in any order", "f32", |n| {
        let (rows, [row, column], value) = triplets(n);
        let matrix = TriMatI::from_triplets((rows, rows), row, column, value);
        Ok(super::step(move || {
            black_box(matrix.to_csr::<u32>());
        }))
    }),
];

fn product<T: Narrow + MulAcc + Zero>(n: usize, make: Make) -> Result<Restored, Failure> {
    let host = made(make, n)?;
    let numbers: Vec<f64> = (0..host.columns()).map(whole).collect();
    let expected: Vec<T> = host.multiply(&numbers)?.into_iter().map(T::narrow).collect();
    let values = host.values().iter().map(|&value| T::narrow(value)).collect();
    let (offsets, columns) = (host.row_offsets().to_vec(), host.column_indices().to_vec());
    let matrix: CsMatI<T, u32> = CsMatI::new((host.rows(), host.columns()), offsets, columns, values);
    let x: Vec<T> = numbers.into_iter().map(T::narrow).collect();
    let mut y = vec![T::narrow(0.0); host.rows()];
    let multiply = move |y: &mut [T]| {
        y.fill(T::narrow(0.0));
        sprs::prod::mul_acc_mat_vec_csr(matrix.view(), &x[..], y);
    };
    multiply(&mut y);
    super::expect_values(&y, expected)?;
    Ok(super::step(move || multiply(black_box(&mut y))))
}
