//! Products of square matrices, and many products of small ones.

use super::array::{elements, into_array, whole};
use super::verify;
use crate::answers::are_known;
use crate::failure::Failure;
use crate::matrices::Narrow;
use crate::timing::Step;
use cl_algo::Format;
use cl_algo::prelude::*;
use cl_array::Array;

/// The rows and columns of a small matrix.
pub(crate) const SMALL: usize = 8;

/// The elements of a small matrix.
pub(super) const SMALL_ELEMENTS: usize = SMALL * SMALL;

/// The elements of all results of small products.
pub(super) const ALL_SMALL_ELEMENTS: usize = 100_000 * SMALL_ELEMENTS;

/// A square matrix on the host, which may be stored transposed.
struct Matrix {
    edge: usize,
    transposed: bool,
    stored: Vec<f64>,
}

impl Matrix {
    fn at(&self, row: usize, column: usize) -> f64 {
        let (row, column) = if self.transposed { (column, row) } else { (row, column) };
        self.stored[row * self.edge + column]
    }

    /// Returns the product with a vector.
    fn times(&self, x: &[f64]) -> Vec<f64> {
        elements(self.edge, |row| x.iter().enumerate().map(|(k, x)| self.at(row, k) * x).sum())
    }

    /// Returns the product of the transpose with a vector.
    fn transpose_times(&self, x: &[f64]) -> Vec<f64> {
        elements(self.edge, |column| x.iter().enumerate().map(|(k, x)| self.at(k, column) * x).sum())
    }
}

/// Returns an error unless `product` is the product of `a` and `b`. Some rows are compared element by element. The
/// others are compared by the sums of all rows and of all columns (Freivalds, IFIP Congress 1977), because the host
/// takes long for a whole product. All numbers are integers, so every sum is exact.
fn check(a: &Matrix, b: &Matrix, product: Vec<f64>) -> Result<(), Failure> {
    if are_known(&product)? {
        return Ok(());
    }
    let product = Matrix { edge: a.edge, transposed: false, stored: product };
    let ones = vec![1.0; a.edge];
    verify(&product.times(&ones), a.times(&b.times(&ones)).into_iter())?;
    verify(&product.transpose_times(&ones), b.transpose_times(&a.transpose_times(&ones)).into_iter())?;
    for row in [0, a.edge / 3, a.edge / 2, a.edge - 1] {
        let of_a: Vec<f64> = (0..a.edge).map(|k| a.at(row, k)).collect();
        let got = &product.stored[row * a.edge..(row + 1) * a.edge];
        verify(got, b.transpose_times(&of_a).into_iter())?;
    }
    Ok(())
}

fn product<T: Narrow + Into<f64>>(
    queue: &Queue,
    n: usize,
    [left, right]: [bool; 2],
) -> Result<Step, Failure> {
    let edge = n.isqrt();
    let host = |transposed| Matrix { edge, transposed, stored: whole(n) };
    let (host_a, host_b) = (host(left), host(right));
    let array = |host: &Matrix| {
        let stored: Vec<T> = host.stored.iter().map(|&number| T::narrow(number)).collect();
        Array::from_slice(queue, [edge, edge], &stored)
    };
    let (a, b) = (array(&host_a)?, array(&host_b)?);
    let mut out = Array::filled(queue, [edge, edge], T::narrow(-1.0))?;
    let evaluate = move |out: &mut Array<T, 2>| {
        let a = if left { a.t() } else { a.view() };
        let b = if right { b.t() } else { b.view() };
        out.assign_matmul(a, b)
    };
    evaluate(&mut out)?;
    check(&host_a, &host_b, out.to_vec()?.into_iter().map(T::into).collect())?;
    Ok(Box::new(move || evaluate(&mut out)))
}

pub(super) fn plain<T: Narrow + Into<f64>>(queue: &Queue, n: usize) -> Result<Step, Failure> {
    product::<T>(queue, n, [false, false])
}

pub(super) fn left_transposed<T: Narrow + Into<f64>>(queue: &Queue, n: usize) -> Result<Step, Failure> {
    product::<T>(queue, n, [true, false])
}

pub(super) fn right_transposed<T: Narrow + Into<f64>>(queue: &Queue, n: usize) -> Result<Step, Failure> {
    product::<T>(queue, n, [false, true])
}

pub(super) fn both_transposed<T: Narrow + Into<f64>>(queue: &Queue, n: usize) -> Result<Step, Failure> {
    product::<T>(queue, n, [true, true])
}

/// Multiplies matrices of `f32` that are rounded to a format.
fn rounded(queue: &Queue, n: usize, format: Format) -> Result<Step, Failure> {
    let edge = n.isqrt();
    let host = || Matrix { edge, transposed: false, stored: whole(n) };
    let (host_a, host_b) = (host(), host());
    let array = |host: &Matrix| {
        let stored: Vec<f32> = host.stored.iter().map(|&number| number as f32).collect();
        Array::from_slice(queue, [edge, edge], &stored)
    };
    let (a, b) = (array(&host_a)?, array(&host_b)?);
    let mut out = Array::filled(queue, [edge, edge], -1.0_f32)?;
    let evaluate = move |out: &mut Array<f32, 2>| {
        out.assign_matmul(a.iter().round_to(format), b.iter().round_to(format))
    };
    evaluate(&mut out)?;
    check(&host_a, &host_b, out.to_vec()?.into_iter().map(f64::from).collect())?;
    Ok(Box::new(move || evaluate(&mut out)))
}

pub(super) fn in_tf32(queue: &Queue, n: usize) -> Result<Step, Failure> {
    rounded(queue, n, Format::Tf32)
}

pub(super) fn in_bf16(queue: &Queue, n: usize) -> Result<Step, Failure> {
    rounded(queue, n, Format::Bf16)
}

pub(super) fn in_f16(queue: &Queue, n: usize) -> Result<Step, Failure> {
    rounded(queue, n, Format::F16)
}

/// Multiplies small matrices in pairs: `n` elements of results.
pub(super) fn small(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (host_a, host_b) = (whole::<f32>(n), whole::<f32>(n));
    let expected = elements(n, |i| {
        let (first, row, column) = (i / SMALL_ELEMENTS * SMALL_ELEMENTS, i / SMALL % SMALL, i % SMALL);
        (0..SMALL).map(|k| host_a[first + row * SMALL + k] * host_b[first + k * SMALL + column]).sum()
    });
    let shape = [n / SMALL_ELEMENTS, SMALL, SMALL];
    let (a, b) = (Array::from_slice(queue, shape, &host_a)?, Array::from_slice(queue, shape, &host_b)?);
    into_array(Array::filled(queue, shape, -1.0)?, expected, move |out| out.assign_matmul(&a, &b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_right_in_all_forms() {
        for device in Device::all().unwrap() {
            let queue = Queue::on(&device).unwrap();
            for prepare in
                [plain::<f32>, left_transposed::<f32>, right_transposed::<f32>, both_transposed::<f32>]
            {
                prepare(&queue, 33 * 33).unwrap()().unwrap();
            }
        }
    }

    #[test]
    fn a_wrong_product_is_found() {
        let matrix = |transposed| Matrix { edge: 9, transposed, stored: whole(81) };
        let (a, b) = (matrix(true), matrix(false));
        let right: Vec<f64> =
            (0..81).map(|i| (0..9).map(|k| a.at(i / 9, k) * b.at(k, i % 9)).sum()).collect();
        assert!(check(&a, &b, right.clone()).is_ok());
        for at in [0, 16, 40, 80] {
            let mut wrong = right.clone();
            wrong[at] += 1.0;
            assert!(check(&a, &b, wrong).is_err(), "element {at}");
        }
        assert!(check(&Matrix { transposed: false, ..a }, &b, right).is_err());
    }
}
