//! Elements at computed coordinates along axes, compared with loops on the host.

use crate::against_ndarray::{elements, numbers, shape};
use cl_array::prelude::*;
use cl_core::Error;
use cl_test::{each_device, each_device_and_forced, full_or_small};
use ndarray::{ArrayD, Dimension, IxDyn, Slice};
use proptest::prelude::*;

/// Returns numbers below `bound`.
fn below(count: usize, bound: usize) -> Vec<i32> {
    numbers(count, 11).into_iter().map(|x| x.rem_euclid(bound as i64) as i32).collect()
}

/// Compares reads at indices whose shape is that of the array with `len` coordinates along the axis, or 1 where
/// `single` is true.
fn check_take<const N: usize>(shape: [usize; N], len: usize, single: [bool; N]) {
    let host = ArrayD::from_shape_vec(IxDyn(&shape), numbers(shape.iter().product(), 3)).unwrap();
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::from_slice(queue, shape, &elements(&host)).unwrap();
        for axis in (0..N).filter(|&axis| shape[axis] > 0) {
            let mut result = shape;
            result[axis] = len;
            let small: [usize; N] =
                std::array::from_fn(|k| if single[k] && k != axis { 1 } else { result[k] });
            let at = below(small.iter().product(), shape[axis]);
            let at = ArrayD::from_shape_vec(IxDyn(&small), at).unwrap();
            let indices = Array::from_slice(queue, small, at.as_slice().unwrap()).unwrap();
            let at = at.broadcast(IxDyn(&result)).unwrap();
            let wanted = ArrayD::from_shape_fn(IxDyn(&result), |to| {
                let mut from = to.slice().to_vec();
                from[axis] = at[&to] as usize;
                host[&from[..]]
            });
            let got = a.iter().take_along_axis(axis, &indices);
            assert_eq!(got.shape(), result);
            assert_eq!(got.to_vec().unwrap(), elements(&wanted), "{shape:?} along {axis} at {small:?}");
            // The array is broadcast along the axes along which it has one coordinate.
            let first: [usize; N] =
                std::array::from_fn(|k| if single[k] && k != axis { shape[k].min(1) } else { shape[k] });
            if first.iter().zip(&shape).all(|(&part, &whole)| part > 0 || whole == 0) {
                let part = (0..N).fold(host.view(), |part, k| {
                    part.slice_axis_move(ndarray::Axis(k), Slice::from(..first[k] as isize))
                });
                let part: Vec<i64> = part.iter().copied().collect();
                let part = Array::from_slice(queue, first, &part).unwrap();
                let wanted = ArrayD::from_shape_fn(IxDyn(&result), |to| {
                    let mut from: Vec<usize> = to
                        .slice()
                        .iter()
                        .zip(&first)
                        .map(|(&k, &len)| if len == 1 { 0 } else { k })
                        .collect();
                    from[axis] = at[&to] as usize;
                    host[&from[..]]
                });
                let got = part.iter().take_along_axis(axis, indices.view().broadcast(result));
                assert_eq!(got.to_vec().unwrap(), elements(&wanted), "{shape:?} along {axis}");
            }
        }
    });
}

/// Compares assignments to distinct elements of a view.
fn check_put<const N: usize>(shape: [usize; N], len: usize, single: [bool; N]) {
    let reversed: [usize; N] = std::array::from_fn(|axis| N - 1 - axis);
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        for axis in (0..N).filter(|&axis| shape[axis] > 0) {
            // A multiple of a number that has no common factor with the length.
            let (bound, count) = (shape[axis], len.min(shape[axis]));
            let factor = (bound / 2..).find(|&x| x > 0 && gcd(x, bound) == 1).unwrap();
            let mut space = shape;
            space[axis] = count;
            let small: [usize; N] =
                std::array::from_fn(|k| if single[k] && k != axis { space[k].min(1) } else { space[k] });
            let at = ArrayD::from_shape_fn(IxDyn(&small), |to| {
                (to.slice().iter().sum::<usize>() * factor % bound) as u16
            });
            let values = ArrayD::from_shape_vec(IxDyn(&space), numbers(space.iter().product(), 8)).unwrap();
            let mut wanted = ArrayD::from_elem(IxDyn(&shape), -7_i64);
            let spread = at.broadcast(IxDyn(&space)).unwrap();
            for (from, value) in values.indexed_iter() {
                let mut to = from.slice().to_vec();
                to[axis] = usize::from(spread[&from]);
                wanted[&to[..]] = value * 3;
            }
            let indices = Array::from_slice(queue, small, at.as_slice().unwrap()).unwrap();
            let values = Array::from_slice(queue, space, &elements(&values)).unwrap();
            let mut a = Array::filled(queue, shape, -7_i64).unwrap();
            a.put_along_axis(axis, &indices, values.map(|x| x * 3)).unwrap();
            assert_eq!(a.to_vec().unwrap(), elements(&wanted), "{shape:?} along {axis} at {small:?}");
            // The same with a transposed and reversed target, and transposed indices.
            let size = reversed.map(|k| shape[k]);
            let mut a = Array::filled(queue, size, -7_i64).unwrap();
            let indices = indices.view().permute_axes(reversed).collect().unwrap();
            let target = a.view_mut().t().flip(axis);
            target.put_along_axis(axis, indices.t(), values.map(|x| x * 3)).unwrap();
            let got = a.t().flip(axis).to_vec().unwrap();
            assert_eq!(got, elements(&wanted), "turned, {shape:?} along {axis}");
        }
    });
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

macro_rules! ranks {
    ($($take:ident $put:ident $n:literal;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(full_or_small(2, 1)))]
            $(
                #[test]
                fn $take(shape in shape::<$n>(), len in 0..9_usize, single in any::<[bool; $n]>()) {
                    check_take::<$n>(shape, len, single);
                }

                #[test]
                fn $put(shape in shape::<$n>(), len in 0..9_usize, single in any::<[bool; $n]>()) {
                    check_put::<$n>(shape, len, single);
                }
            )*
        }
    };
}

ranks! {
    take_along_one_axis put_along_one_axis 1;
    take_along_two_axes put_along_two_axes 2;
    take_along_four_axes put_along_four_axes 4;
}

#[test]
fn an_index_out_of_range_is_reported() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let mut a = Array::from_slice(queue, [2, 3], &[1, 2, 3, 4, 5, 6]).unwrap();
        for wrong in [3, -1, i64::MAX] {
            let at = Array::from_slice(queue, [2, 1], &[1, wrong]).unwrap();
            let error = a.iter().take_along_axis(1, &at).to_vec().unwrap_err();
            let is_named = |error: &Error| matches!(*error, Error::IndexOutOfRange { index, bound: 3, .. } if index == wrong as u64);
            assert!(is_named(&error), "{error}");
            // Index 3 of the first row would be an element of the second row.
            let at = Array::from_slice(queue, [2, 1], &[wrong, 0]).unwrap();
            a.put_along_axis(1, &at, 9).unwrap();
            let error = a.to_vec().unwrap_err();
            assert!(is_named(&error), "{error}");
            assert_eq!(a.to_vec().unwrap(), [1, 2, 3, 9, 5, 6]);
        }
    });
}

#[test]
fn one_of_several_values_is_kept() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let mut a = Array::filled(queue, [2, 3], 0).unwrap();
        let at = Array::filled(queue, [2, 50], 1_u8).unwrap();
        a.put_along_axis(1, &at, ArrayExpr::from_fn([2, 50], |[i, j]| (100 * i + j + 1).cast::<i32>()))
            .unwrap();
        let got = a.to_vec().unwrap();
        assert!((1..=50).contains(&got[1]) && (101..=150).contains(&got[4]), "{got:?}");
        assert_eq!([got[0], got[2], got[3], got[5]], [0; 4]);
    });
}

#[test]
fn differences() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        for shape in [[4, 5], [1, 3], [0, 2], [2, 0]] {
            let host = ArrayD::from_shape_vec(IxDyn(&shape), numbers(shape.iter().product(), 2)).unwrap();
            let a = Array::from_slice(queue, shape, &elements(&host)).unwrap();
            for axis in 0..2 {
                let len = shape[axis];
                let part = |from: usize, to: usize| {
                    host.slice_axis(ndarray::Axis(axis), Slice::from(from as isize..to as isize))
                };
                let wanted = &part(len.min(1), len) - &part(0, len.saturating_sub(1));
                let got = a.iter().diff(axis);
                assert_eq!(&got.shape()[..], wanted.shape());
                assert_eq!(got.to_vec().unwrap(), elements(&wanted), "{shape:?} along {axis}");
            }
        }
    });
}

#[test]
fn mistakes() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let mut a = Array::filled(queue, [2, 3], 1).unwrap();
        let mut none = Array::filled(queue, [2, 0], 1).unwrap();
        let at = |shape: [usize; 2]| Array::filled(queue, shape, 0_u32).unwrap();
        let column = at([2, 1]);
        for error in [
            a.iter().take_along_axis(2, &column).collect().unwrap_err(),
            a.iter().take_along_axis(1, at([3, 1])).collect().unwrap_err(),
            none.iter().take_along_axis(1, &column).collect().unwrap_err(),
            a.iter().diff(2).collect().unwrap_err(),
        ] {
            assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
        }
        for error in [
            a.put_along_axis(2, &column, 5).unwrap_err(),
            a.put_along_axis(1, at([3, 1]), 5).unwrap_err(),
            a.put_along_axis(1, &column, at([2, 2]).iter().cast::<i32>()).unwrap_err(),
            a.slice_mut(s![3.., ..]).put_along_axis(1, &column, 5).unwrap_err(),
            none.put_along_axis(1, &column, 5).unwrap_err(),
        ] {
            assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
        }
        assert_eq!(a.to_vec().unwrap(), [1; 6]);
        // Nothing is assigned to no elements.
        none.put_along_axis(1, at([2, 0]), 5).unwrap();
        assert_eq!(a.iter().take_along_axis(1, at([2, 0])).collect().unwrap().shape(), [2, 0]);
    });
}
