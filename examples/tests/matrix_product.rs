//! Tests of the product of matrices, in both shapes of its kernel, at sizes around its blocks.
#![allow(clippy::unwrap_used)] // helpers of tests may stop at the first surprise

use cl_algo::Number;
use cl_algo::prelude::*;
use cl_core::Error;
use cl_examples::matrix_product::{Size, multiply};
use std::fmt::Debug;

const SIZES: [(usize, usize, usize); 9] = [
    (1, 1, 1),
    (2, 3, 1),
    (16, 16, 16),
    (15, 17, 16),
    (17, 1, 33),
    (33, 48, 31),
    (1, 40, 1),
    (3, 0, 4),
    (0, 5, 2),
];

/// Returns numbers whose products and sums are exact in `f32`, too.
fn matrix(items: usize, seed: usize) -> Vec<u32> {
    (0..items).map(|i| ((i * 13 + seed) % 17) as u32).collect()
}

fn is_right<T: Number + Debug + PartialEq>(
    queue: &Queue,
    (rows, inner, columns): (usize, usize, usize),
    of: fn(u32) -> T,
) {
    let (a, b) = (matrix(rows * inner, 3), matrix(inner * columns, 5));
    let on_device = |host: &[u32]| -> cl_core::Result<DeviceVec<T>> {
        DeviceVec::from_slice(queue, &host.iter().map(|&number| of(number)).collect::<Vec<T>>())
    };
    let product = |i: usize, j: usize| (0..inner).map(|l| a[i * inner + l] * b[l * columns + j]).sum::<u32>();
    let expected: Vec<T> = (0..rows * columns).map(|at| of(product(at / columns, at % columns))).collect();
    let (da, db) = (on_device(&a).unwrap(), on_device(&b).unwrap());
    let mut c = DeviceVec::filled(queue, of(99), rows * columns).unwrap();
    multiply(queue, Size { rows, inner, columns }, &da, &db, &mut c).unwrap();
    assert_eq!(c.to_vec().unwrap(), expected, "{rows} x {inner} x {columns} of {:?}", T::TYPE);
}

#[test]
fn products_are_those_of_the_host() {
    let test = |device: &Device| {
        let queue = Queue::on(device).unwrap();
        for size in SIZES {
            is_right::<u32>(&queue, size, |number| number);
            is_right::<f32>(&queue, size, |number| number as f32);
        }
    };
    cl_test::each_device(test);
    cl_test::forced::gpus().iter().for_each(test);
}

#[test]
fn sizes_that_disagree_are_refused() {
    cl_test::each_device(|device| {
        let queue = Queue::on(device).unwrap();
        let vector = |len: usize| DeviceVec::filled(&queue, 1_u32, len).unwrap();
        let size = Size { rows: 2, inner: 3, columns: 4 };
        for (a, b, c, wrong) in [(7, 12, 8, "first"), (6, 11, 8, "second"), (6, 12, 9, "product")] {
            let (a, b, mut c) = (vector(a), vector(b), vector(c));
            let refused = multiply(&queue, size, &a, &b, &mut c);
            let what = match refused {
                Err(Error::InvalidInput { what, .. }) => what,
                other => panic!("{other:?}"),
            };
            assert!(what.contains(wrong), "{what}");
        }
        // Sizes whose product exceeds the largest number.
        for (inner, columns) in [(2, 0), (0, 2)] {
            let huge = Size { rows: usize::MAX, inner, columns };
            let (a, mut c) = (vector(0), vector(8));
            assert!(multiply(&queue, huge, &a, &a, &mut c).is_err());
        }
    });
}
