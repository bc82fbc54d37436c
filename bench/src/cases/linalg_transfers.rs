//! Every second element of the middle of a matrix, to the host and back.

use super::array::elements;
use super::verify;
use crate::failure::Failure;
use crate::timing::Step;
use cl_algo::prelude::*;
use cl_array::{Array, s};

/// Returns the slice from a quarter on, of a quarter of the rows and columns.
macro_rules! middle {
    ($n:ident) => {
        s![$n / 4..$n / 4 + 2 * ($n / 4); 2, $n / 4..$n / 4 + 2 * ($n / 4); 2]
    };
}

/// Returns the number of elements of the slice of a matrix of `n` rows.
pub(super) const fn count(n: usize) -> usize {
    (n / 4) * (n / 4)
}

fn value(at: usize) -> f64 {
    at as f64
}

/// The elements of the slice.
fn expected(n: usize) -> impl ExactSizeIterator<Item = f64> {
    (0..count(n)).map(move |at| {
        let (row, column) = (n / 4 + 2 * (at / (n / 4)), n / 4 + 2 * (at % (n / 4)));
        value(row * n + column)
    })
}

pub(super) fn to_host<const N: usize>(queue: &Queue, _: usize) -> Result<Step, Failure> {
    let a = Array::from_slice(queue, [N, N], &elements(N * N, value))?;
    let mut found = vec![0.0; count(N)];
    a.slice(middle!(N)).read_into(&mut found)?;
    verify(&found, expected(N))?;
    Ok(Box::new(move || a.slice(middle!(N)).read_into(&mut found)))
}

pub(super) fn to_device<const N: usize>(queue: &Queue, _: usize) -> Result<Step, Failure> {
    let mut a = Array::filled(queue, [N, N], 0.0)?;
    let new: Vec<f64> = expected(N).collect();
    a.slice_mut(middle!(N)).write(&new)?;
    verify(&a.slice(middle!(N)).to_vec()?, expected(N))?;
    Ok(Box::new(move || a.slice_mut(middle!(N)).write(&new)))
}
