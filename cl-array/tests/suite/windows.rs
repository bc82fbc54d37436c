//! Windows, and zeros between elements, compared with loops on the host.

use crate::against_ndarray::{elements, numbers, shape};
use cl_array::prelude::*;
use cl_array::{Double, Rank};
use cl_core::Error;
use cl_test::{each_device, each_device_and_forced, full_or_small};
use ndarray::{ArrayD, Dimension, IxDyn};
use proptest::prelude::*;

/// Compares the windows of an array that is turned, of an expression, and their sums.
fn check<const N: usize, const M: usize>(shape: [usize; N], numbers_of_axes: &[[usize; 3]])
where
    Rank<N>: Double<Rank = Rank<M>>,
{
    let [sizes, strides, dilations] =
        [0, 1, 2].map(|at| -> [usize; N] { std::array::from_fn(|axis| numbers_of_axes[axis][at]) });
    let host = ArrayD::from_shape_vec(IxDyn(&shape), numbers(shape.iter().product(), 8)).unwrap();
    let start = host.t().to_owned();
    let reach: Vec<usize> = (0..N).map(|axis| (sizes[axis] - 1) * dilations[axis] + 1).collect();
    let fits = (0..N).all(|axis| reach[axis] <= start.shape()[axis]);
    let mut lens = [0; M];
    for axis in 0..N {
        lens[axis] = start.shape()[axis].checked_sub(reach[axis]).map_or(0, |room| room / strides[axis] + 1);
        lens[N + axis] = sizes[axis];
    }
    let wanted = ArrayD::from_shape_fn(IxDyn(&if fits { lens } else { [0; M] }), |at| {
        let at = at.slice();
        let at: Vec<usize> =
            (0..N).map(|axis| at[axis] * strides[axis] + at[N + axis] * dilations[axis]).collect();
        start[&at[..]]
    });
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::from_slice(queue, shape, &elements(&host)).unwrap();
        let windows = a.t().windows_dilated(sizes, strides, dilations);
        if !fits {
            let error = windows.collect().unwrap_err();
            assert!(matches!(error, Error::InvalidInput { what: "windows", .. }), "{error}");
            return;
        }
        assert_eq!(windows.shape(), lens);
        assert_eq!(windows.to_vec().unwrap(), elements(&wanted), "{shape:?} {numbers_of_axes:?}");
        let windows = (a.t() * 3).windows_dilated(sizes, strides, dilations);
        assert_eq!(windows.shape(), lens);
        let tripled: Vec<i64> = wanted.iter().map(|x| 3 * x).collect();
        assert_eq!(windows.clone().to_vec().unwrap(), tripled, "{shape:?} {numbers_of_axes:?}");
        let axes: Vec<usize> = (N..M).collect();
        let count = sizes.iter().product();
        let sums: Vec<i64> = tripled.chunks(count).map(|window| window.iter().sum()).collect();
        assert_eq!(windows.sum_axes::<N>(&axes).unwrap().to_vec().unwrap(), sums);

        let inflated = a.iter().inflate(strides);
        let lens: [usize; N] =
            std::array::from_fn(|axis| shape[axis].checked_sub(1).map_or(0, |gaps| gaps * strides[axis] + 1));
        let wanted = ArrayD::from_shape_fn(IxDyn(&lens), |at| {
            let at = at.slice();
            let is_element = (0..N).all(|axis| at[axis] % strides[axis] == 0);
            let from: Vec<usize> = (0..N).map(|axis| at[axis] / strides[axis]).collect();
            if is_element { host[&from[..]] } else { 0 }
        });
        assert_eq!(inflated.shape(), lens);
        assert_eq!(inflated.to_vec().unwrap(), elements(&wanted));
    });
}

fn numbers_of_axes() -> impl Strategy<Value = Vec<[usize; 3]>> {
    proptest::collection::vec((1..5_usize, 1..4_usize, 1..4_usize).prop_map(|(a, b, c)| [a, b, c]), 3)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(full_or_small(6, 2)))]

    #[test]
    fn one_axis(shape in shape::<1>(), of_axes in numbers_of_axes()) {
        check::<1, 2>(shape, &of_axes);
    }

    #[test]
    fn two_axes(shape in shape::<2>(), of_axes in numbers_of_axes()) {
        check::<2, 4>(shape, &of_axes);
    }

    #[test]
    fn three_axes(shape in shape::<3>(), of_axes in numbers_of_axes()) {
        check::<3, 6>(shape, &of_axes);
    }
}

/// The examples of `numpy.lib.stride_tricks.sliding_window_view`.
#[test]
fn sliding_windows() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x = Array::from_fn(queue, [6], |[i]| i).unwrap();
        let v = x.windows([3]);
        assert_eq!(v.shape(), [4, 3]);
        assert_eq!(v.to_vec().unwrap(), [0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5]);
        let x = Array::from_fn(queue, [3, 4], |[i, j]| 10 * i + j).unwrap();
        let v = x.windows([2, 2]);
        assert_eq!(v.shape(), [2, 3, 2, 2]);
        assert_eq!(v.clone().slice(s![0, 0, .., ..]).to_vec().unwrap(), [0, 1, 10, 11]);
        assert_eq!(v.slice(s![1, 2, .., ..]).to_vec().unwrap(), [12, 13, 22, 23]);
    });
}

#[test]
fn mistakes() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::filled(queue, [3, 4], 1_i64).unwrap();
        let check = |error: Error, part: &str| {
            let text = error.to_string();
            assert!(matches!(error, Error::InvalidInput { .. }) && text.contains(part), "{text}");
        };
        check(a.windows([0, 1]).collect().unwrap_err(), "length 0 along axis 0");
        check(a.windows([1, 5]).collect().unwrap_err(), "5 coordinates along axis 1, and the array has 4");
        check(a.iter().windows([usize::MAX, 1]).collect().unwrap_err(), "along axis 0");
        check(a.view().windows_with_stride([1, 1], [1, 0]).collect().unwrap_err(), "stride 0 along axis 1");
        let undilated = a.view().windows_dilated([1, 1], [1, 1], [0, 1]);
        check(undilated.collect().unwrap_err(), "dilation 0 along axis 0");
        let far = a.view().windows_dilated([3, 1], [1, 1], [usize::MAX, 1]);
        check(far.collect().unwrap_err(), "along axis 0");
        // Numbers that do not matter may be of any size.
        let one = a.view().windows_dilated([3, 1], [usize::MAX, 1], [1, usize::MAX]);
        assert_eq!(one.shape(), [1, 4, 3, 1]);
        assert_eq!(one.to_vec().unwrap(), [1; 12]);
        check(a.slice(s![..9, ..]).windows([1, 1]).collect().unwrap_err(), "axis 0");
        check(a.iter().inflate([1, 0]).collect().unwrap_err(), "axis 1 is 0");
        check(a.iter().inflate([usize::MAX, 1]).collect().unwrap_err(), "more elements than can be counted");
    });
}
