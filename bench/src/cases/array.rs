//! Arrays: elementwise expressions beside the same expressions of vectors, transpositions, broadcasting.

use super::{into_vector, verify};
use crate::data::Source;
use crate::failure::Failure;
use crate::matrices::Narrow;
use crate::timing::Step;
use cl_algo::prelude::*;
use cl_array::Array;
use rayon::prelude::*;

/// Returns the shape of arrays of `n` elements: the longest axis is at most twice as long as the shortest.
///
/// # Errors
/// If `n` is not a power of two.
pub(super) fn shape<const N: usize>(n: usize) -> Result<[usize; N], Failure> {
    if !n.is_power_of_two() {
        return Err(format!("{n} elements; arrays have a power of two").into());
    }
    Ok(std::array::from_fn(|axis| 1 << ((n.ilog2() as usize + axis) / N)))
}

/// Returns `n` random integers from 0 to 15. Their sums and products are exact in any order.
pub(super) fn whole<T: Narrow>(n: usize) -> Vec<T> {
    Source::fresh().few(n).into_iter().map(|number| T::narrow(number.into())).collect()
}

/// Returns the elements of an array in order. `element` computes one from its index.
pub(super) fn elements<T: Send>(n: usize, element: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
    (0..n).into_par_iter().map(element).collect()
}

/// Returns a step that evaluates into `target`, after it has given the expected elements once.
pub(super) fn into_array<T: Element + PartialEq + std::fmt::Debug, const N: usize>(
    mut target: Array<T, N>,
    expected: Vec<T>,
    mut evaluate: impl FnMut(&mut Array<T, N>) -> cl_core::Result<()> + 'static,
) -> Result<Step, Failure> {
    evaluate(&mut target)?;
    verify(&target.to_vec()?, expected.into_iter())?;
    Ok(Box::new(move || evaluate(&mut target)))
}

/// Returns arrays of random numbers as vectors on the host, and the results of `expected` at each index.
fn operands<const COUNT: usize>(
    n: usize,
    expected: impl Fn([f32; COUNT]) -> f32 + Sync + Send,
) -> ([Vec<f32>; COUNT], Vec<f32>) {
    let hosts = [(); COUNT].map(|()| Source::fresh().f32s(n));
    let results = elements(n, |i| expected(hosts.each_ref().map(|host| host[i])));
    (hosts, results)
}

pub(super) fn multiply_add(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (shape, (hosts, expected)) = (shape::<3>(n)?, operands(n, |[a, b, c]| a * b + c));
    let [a, b, c] = hosts.map(|host| Array::from_slice(queue, shape, &host));
    let (a, b, c) = (a?, b?, c?);
    into_array(Array::filled(queue, shape, -1.0)?, expected, move |out| out.assign(&a * &b + &c))
}

/// Does the same as [`multiply_add`] with vectors.
pub(super) fn multiply_add_of_vectors(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (hosts, expected) = operands(n, |[a, b, c]| a * b + c);
    let [a, b, c] = hosts.map(|host| DeviceVec::from_slice(queue, &host));
    let (a, b, c) = (a?, b?, c?);
    into_vector(DeviceVec::filled(queue, -1.0, n)?, expected.into_iter(), move |out| out.assign(&a * &b + &c))
}

pub(super) fn squares(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let shape = shape::<3>(n)?;
    let (hosts, expected) = operands(n, |[a, b, d, e]| a * a + b * b + d * d + e * e);
    let [a, b, d, e] = hosts.map(|host| Array::from_slice(queue, shape, &host));
    let (a, b, d, e) = (a?, b?, d?, e?);
    into_array(Array::filled(queue, shape, -1.0)?, expected, move |out| {
        out.assign(&a * &a + &b * &b + &d * &d + &e * &e)
    })
}

/// Does the same as [`squares`] with vectors.
pub(super) fn squares_of_vectors(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (hosts, expected) = operands(n, |[a, b, d, e]| a * a + b * b + d * d + e * e);
    let [a, b, d, e] = hosts.map(|host| DeviceVec::from_slice(queue, &host));
    let (a, b, d, e) = (a?, b?, d?, e?);
    into_vector(DeviceVec::filled(queue, -1.0, n)?, expected.into_iter(), move |out| {
        out.assign(&a * &a + &b * &b + &d * &d + &e * &e)
    })
}

pub(super) fn add(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let (shape, (hosts, expected)) = (shape::<2>(n)?, operands(n, |[a, b]| a + b));
    let [a, b] = hosts.map(|host| Array::from_slice(queue, shape, &host));
    let (a, b) = (a?, b?);
    into_array(Array::filled(queue, shape, -1.0)?, expected, move |out| out.assign(&a + &b))
}

/// Adds a row to each row of a matrix.
pub(super) fn add_row(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let [rows, columns] = shape(n)?;
    let (host, host_row) = (Source::fresh().f32s(n), Source::fresh().f32s(columns));
    let a = Array::from_slice(queue, [rows, columns], &host)?;
    let row = Array::from_slice(queue, [columns], &host_row)?;
    let expected = elements(n, |i| host[i] + host_row[i % columns]);
    into_array(Array::filled(queue, [rows, columns], -1.0)?, expected, move |out| out.assign(&a + &row))
}

/// Adds a column to each column of a matrix.
pub(super) fn add_column(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let [rows, columns] = shape(n)?;
    let (host, host_column) = (Source::fresh().f32s(n), Source::fresh().f32s(rows));
    let a = Array::from_slice(queue, [rows, columns], &host)?;
    let column = Array::from_slice(queue, [rows, 1], &host_column)?;
    let expected = elements(n, |i| host[i] + host_column[i / columns]);
    into_array(Array::filled(queue, [rows, columns], -1.0)?, expected, move |out| out.assign(&a + &column))
}

/// Returns the transpose of a matrix.
pub(super) fn transposed(host: &[f32], [rows, columns]: [usize; 2]) -> Vec<f32> {
    elements(host.len(), |i| host[i % rows * columns + i / rows])
}

pub(super) fn transpose(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let [rows, columns] = shape(n)?;
    let host = Source::fresh().f32s(n);
    let a = Array::from_slice(queue, [rows, columns], &host)?;
    let expected = transposed(&host, [rows, columns]);
    into_array(Array::filled(queue, [columns, rows], -1.0)?, expected, move |out| out.assign(a.t()))
}

pub(super) fn transpose_and_add(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let [rows, columns] = shape(n)?;
    let (host, other) = (Source::fresh().f32s(n), Source::fresh().f32s(n));
    let a = Array::from_slice(queue, [rows, columns], &host)?;
    let b = Array::from_slice(queue, [columns, rows], &other)?;
    let expected = transposed(&host, [rows, columns]).into_iter().zip(other).map(|(a, b)| a + b).collect();
    into_array(Array::filled(queue, [columns, rows], -1.0)?, expected, move |out| out.assign(a.t() + &b))
}

/// Moves the last axis of an array to the front.
pub(super) fn permute(queue: &Queue, n: usize) -> Result<Step, Failure> {
    let [layers, rows, columns] = shape(n)?;
    let host = Source::fresh().f32s(n);
    let a = Array::from_slice(queue, [layers, rows, columns], &host)?;
    let expected = transposed(&host, [layers * rows, columns]);
    into_array(Array::filled(queue, [columns, layers, rows], -1.0)?, expected, move |out| {
        out.assign(a.permute_axes([2, 0, 1]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::{ALL, Timed};

    #[test]
    fn axes_are_about_equally_long() {
        assert_eq!(shape(1 << 24).unwrap(), [4096, 4096]);
        assert_eq!(shape(1 << 24).unwrap(), [256; 3]);
        assert_eq!(shape(1 << 23).unwrap(), [128, 256, 256]);
        assert_eq!(shape(1).unwrap(), [1, 1]);
        assert!(shape::<2>(1000).unwrap_err().to_string().contains("1000"));
    }

    /// Each case verifies its result before it returns a step.
    #[test]
    fn results_of_small_arrays_are_right() {
        for device in Device::all().unwrap() {
            let queue = Queue::on(&device).unwrap();
            let fits = |n: usize| n <= 1 << 14;
            let arrays = ALL.iter().filter(|case| case.name.starts_with("array: "));
            let small = arrays.filter(|case| fits(case.elements(1)));
            let mut tested = 0;
            for case in small.filter(|case| case.element != "f64" || device.has_fp64().unwrap()) {
                let Timed::Alone(prepare) = case.timed else {
                    panic!("{} is not a single step", case.label())
                };
                let mut step = prepare(&queue, case.elements(1 << 12))
                    .unwrap_or_else(|error| panic!("{} on {device}: {error}", case.label()));
                step().unwrap();
                tested += 1;
            }
            assert!(tested > 20, "{tested}");
        }
    }
}
