//! Arrays print as those of the crate ndarray.

use cl_algo::num_complex::Complex;
use cl_array::prelude::*;
use cl_test::each_device;
use ndarray::Dimension;
use std::fmt::Display;

/// Compares how an array and the same array of ndarray print.
fn check(array: impl Display, host: impl Display, case: impl std::fmt::Debug) {
    assert_eq!(format!("{array}"), format!("{host}"), "{case:?}");
    assert_eq!(format!("{array:.2}"), format!("{host:.2}"), "{case:?}");
    assert_eq!(format!("{array:>+9.3}"), format!("{host:>+9.3}"), "{case:?}");
    assert_eq!(format!("{array:#}"), format!("{host:#}"), "{case:?}");
}

/// Compares arrays of this shape, and views of them.
fn check_shape<const N: usize>(queue: &Queue, shape: [usize; N])
where
    ndarray::Dim<[usize; N]>: Dimension,
{
    let count = shape.iter().product();
    let a =
        Array::from_slice(queue, shape, &(0..count).map(|i| i as f32 / 4.0).collect::<Vec<f32>>()).unwrap();
    let host = a.to_ndarray().unwrap();
    check(&a, &host, shape);
    check(a.t(), host.t(), shape);
    for axis in 0..N {
        let mut host = host.view();
        host.invert_axis(ndarray::Axis(axis));
        check(a.view().flip(axis), host, shape);
    }
}

#[test]
fn as_ndarray() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        check_shape(queue, []);
        for len in [0, 1, 2, 11, 12, 499, 500, 501, 5000] {
            check_shape(queue, [len]);
        }
        for shape in [
            [0, 0],
            [0, 3],
            [3, 0],
            [1, 1],
            [2, 3],
            [12, 12],
            [1, 499],
            [1, 500],
            [500, 1],
            [11, 46],
            [12, 42],
            [11, 45],
            [45, 11],
            [12, 50],
            [600, 700],
        ] {
            check_shape(queue, shape);
        }
        for shape in
            [[2, 0, 3], [2, 2, 3], [6, 6, 6], [7, 7, 12], [6, 12, 12], [7, 11, 11], [500, 1, 1], [1, 1, 500]]
        {
            check_shape(queue, shape);
        }
        for shape in [[1, 2, 3, 0], [1, 2, 3, 4], [7, 7, 12, 12], [6, 6, 11, 11], [2, 8, 13, 4]] {
            check_shape(queue, shape);
        }
    });
}

#[test]
fn views_and_other_elements() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::from_fn(queue, [30, 40, 3], |[i, j, k]| 1000 * i + 10 * j + k).unwrap();
        let host = a.to_ndarray().unwrap();
        check(a.slice(s![2.., ..; -3, 1]), host.slice(ndarray::s![2.., ..; -3, 1]), "slice");
        check(a.slice(s![.., 5, ..]), host.slice(ndarray::s![.., 5, ..]), "slice");
        let (row, rows) = (a.slice(s![0, 0, ..]), host.slice(ndarray::s![0, 0, ..]));
        check(row.broadcast([300, 3]), rows.broadcast([300, 3]).unwrap(), "broadcast");

        let flags = a.map(|x| x.lt(15_000_u64)).collect().unwrap();
        check(&flags, host.mapv(|x| x < 15_000), "flags");
        let values: Vec<Complex<f32>> = (0..600).map(|i| Complex::new(i as f32, -0.5)).collect();
        let complex = Array::from_slice(queue, [600], &values).unwrap();
        check(&complex, ndarray::arr1(&values), "complex");
    });
}

#[test]
fn errors_are_printed() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::filled(queue, [30, 40], 0).unwrap();
        for view in [a.slice(s![30.., 0..1]).flip(2), a.slice(s![..31, ..]), a.permute_axes([0, 0])] {
            let wanted = format!("<error: {}>", view.clone().to_vec().unwrap_err());
            assert_eq!(view.to_string(), wanted);
        }
    });
}
