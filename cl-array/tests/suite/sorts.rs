//! Sorts along axes, compared with stable sorts on the host.

use crate::against_ndarray::shape;
use cl_array::prelude::*;
use cl_core::Error;
use cl_test::{each_device, each_device_and_forced, full_or_small};
use ndarray::{ArrayD, Axis, IxDyn};
use proptest::prelude::*;

/// Returns numbers of which many are equal, with zeros of both signs and NaN.
fn keys(count: usize) -> Vec<f32> {
    let key = |i: usize| match i.wrapping_mul(0x9e37_79b9) >> 7 & 15 {
        0 => f32::NAN,
        1 => 0.0,
        2 => -0.0,
        3 => f32::NEG_INFINITY,
        key => (key % 6) as f32 - 3.0,
    };
    (0..count).map(key).collect()
}

fn bits(keys: impl IntoIterator<Item = f32>) -> Vec<u32> {
    keys.into_iter().map(f32::to_bits).collect()
}

fn compare<const N: usize>(expr: &ArrayExpr<'_, f32, N>, host: &ArrayD<f32>) {
    for axis in 0..N {
        let (mut sorted, mut order) = (host.clone(), host.mapv(|_| 0_u64));
        for (mut line, mut order) in sorted.lanes_mut(Axis(axis)).into_iter().zip(order.lanes_mut(Axis(axis)))
        {
            let keys: Vec<f32> = line.iter().copied().collect();
            let mut by: Vec<usize> = (0..keys.len()).collect();
            by.sort_by(|&a, &b| keys[a].total_cmp(&keys[b]));
            line.iter_mut().zip(&by).for_each(|(to, &from)| *to = keys[from]);
            order.iter_mut().zip(&by).for_each(|(to, &from)| *to = from as u64);
        }
        let about = format!("{:?} along {axis}", host.shape());
        if N == 2 {
            compare_descending(expr, host, axis, &about);
        }
        let got = expr.clone().sort_axis(axis).unwrap();
        assert_eq!(&got.shape()[..], host.shape());
        assert_eq!(bits(got.to_vec().unwrap()), bits(sorted.iter().copied()), "{about}");
        let got = expr.clone().argsort_axis(axis).unwrap();
        assert_eq!(&got.shape()[..], host.shape());
        assert_eq!(got.to_vec().unwrap(), order.iter().copied().collect::<Vec<_>>(), "{about}");
    }
}

/// Compares descending sorts, and the largest elements, along an axis.
fn compare_descending<const N: usize>(
    expr: &ArrayExpr<'_, f32, N>,
    host: &ArrayD<f32>,
    axis: usize,
    about: &str,
) {
    let (mut sorted, mut order) = (host.clone(), host.mapv(|_| 0_u64));
    for (mut line, mut order) in sorted.lanes_mut(Axis(axis)).into_iter().zip(order.lanes_mut(Axis(axis))) {
        let keys: Vec<f32> = line.iter().copied().collect();
        let mut by: Vec<usize> = (0..keys.len()).collect();
        by.sort_by(|&a, &b| keys[b].total_cmp(&keys[a]));
        line.iter_mut().zip(&by).for_each(|(to, &from)| *to = keys[from]);
        order.iter_mut().zip(&by).for_each(|(to, &from)| *to = from as u64);
    }
    let got = expr.clone().sort_axis_descending(axis).unwrap();
    assert_eq!(bits(got.to_vec().unwrap()), bits(sorted.iter().copied()), "{about}");
    let got = expr.clone().argsort_axis_descending(axis).unwrap();
    assert_eq!(got.to_vec().unwrap(), order.iter().copied().collect::<Vec<_>>(), "{about}");
    let k = host.shape()[axis].min(3);
    let first = ndarray::Slice::from(..k);
    let (values, coordinates) = expr.clone().top_k_axis(axis, k).unwrap();
    let wanted = sorted.slice_axis(Axis(axis), first).iter().copied().collect::<Vec<_>>();
    assert_eq!(bits(values.to_vec().unwrap()), bits(wanted), "{about}");
    let wanted = order.slice_axis(Axis(axis), first).iter().copied().collect::<Vec<_>>();
    assert_eq!(coordinates.to_vec().unwrap(), wanted, "{about}");
}

fn check<const N: usize>(shape: [usize; N], is_turned: bool) {
    let host = ArrayD::from_shape_vec(IxDyn(&shape), keys(shape.iter().product())).unwrap();
    let reversed: Vec<usize> = (0..N).rev().collect();
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::from_slice(queue, shape, host.as_slice().unwrap()).unwrap();
        if is_turned {
            compare(&a.t().iter(), &host.clone().permuted_axes(&reversed[..]));
        } else {
            compare(&a.iter(), &host);
        }
    });
}

macro_rules! ranks {
    ($($test:ident $n:literal;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(full_or_small(2, 1)))]
            $(
                #[test]
                fn $test(shape in shape::<$n>(), is_turned in any::<bool>()) {
                    check::<$n>(shape, is_turned);
                }
            )*
        }
    };
}

ranks! {
    one_axis 1;
    two_axes 2;
    three_axes 3;
}

#[test]
fn other_keys_and_expressions() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::from_slice(queue, [2, 4], &[3_i16, -1, 2, 7, -5, 4, 4, 0]).unwrap();
        assert_eq!(a.sort_axis(1).unwrap().to_vec().unwrap(), [-1, 2, 3, 7, -5, 0, 4, 4]);
        assert_eq!((-&a).sort_axis(0).unwrap().to_vec().unwrap(), [-3, -4, -4, -7, 5, 1, -2, 0]);
        assert_eq!((-&a).argsort_axis(1).unwrap().to_vec().unwrap(), [3, 0, 2, 1, 1, 2, 3, 0]);
        let flags = a.iter().gt(2).sort_axis(1).unwrap();
        assert_eq!(flags.to_vec().unwrap(), [false, false, true, true, false, false, true, true]);
    });
}

#[test]
fn mistakes() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::filled(queue, [2, 3], 1).unwrap();
        for error in [
            a.sort_axis(2).unwrap_err(),
            a.argsort_axis(2).unwrap_err(),
            a.sort_axis_descending(2).unwrap_err(),
            a.argsort_axis_descending(2).unwrap_err(),
            a.top_k_axis(2, 1).unwrap_err(),
            a.top_k_axis(1, 4).unwrap_err(),
            a.slice(s![2, ..]).iter().sort_axis(0).unwrap_err(),
            Array::filled(queue, [], 1).unwrap().sort_axis(0).unwrap_err(),
        ] {
            assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
        }
        for shape in [[0, 3], [3, 0], [0, 0]] {
            let none = Array::filled(queue, shape, 1).unwrap();
            for axis in 0..2 {
                assert_eq!(none.sort_axis(axis).unwrap().shape(), shape);
                assert_eq!(none.argsort_axis(axis).unwrap().shape(), shape);
            }
        }
    });
}
