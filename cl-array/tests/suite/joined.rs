//! Arrays that are joined, compared with those of the crate ndarray.

use crate::against_ndarray::{elements, numbers, shape};
use cl_array::prelude::*;
use cl_array::{Extend, Rank};
use cl_core::Error;
use cl_test::{each_device, each_device_and_forced, full_or_small};
use ndarray::{ArrayD, Axis, IxDyn};
use proptest::prelude::*;

/// Compares arrays of several lengths along an axis, and a stack of expressions.
fn check<const N: usize, const M: usize>(shape: [usize; N], axis: usize, lens: &[usize])
where
    for<'a> Rank<N>: Extend<Of<ArrayExpr<'a, i64, N>> = ArrayExpr<'a, i64, M>>,
{
    let host: Vec<ArrayD<i64>> = (0_i64..)
        .zip(lens)
        .map(|(seed, &len)| {
            let mut shape = shape;
            shape[axis] = len;
            ArrayD::from_shape_vec(IxDyn(&shape), numbers(shape.iter().product(), seed)).unwrap()
        })
        .collect();
    let views: Vec<_> = host.iter().map(|array| array.view()).collect();
    let wanted = ndarray::concatenate(Axis(axis), &views).unwrap();
    // An array that is read backwards is an expression, and the array itself is not contiguous.
    let mut turned = host[0].clone();
    turned.invert_axis(Axis(axis));
    let stacked = ndarray::stack(Axis(axis + 1), &[host[0].view(), (&turned * 3).view()]).unwrap();

    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let arrays: Vec<Array<i64, N>> = host
            .iter()
            .map(|array| {
                let shape = std::array::from_fn(|axis| array.shape()[axis]);
                Array::from_slice(queue, shape, &elements(array)).unwrap()
            })
            .collect();
        let joined = concatenate(queue, axis, &arrays).unwrap();
        assert_eq!(joined.shape(), wanted.shape());
        assert_eq!(joined.to_vec().unwrap(), elements(&wanted), "{shape:?} {lens:?} along {axis}");
        let first = &arrays[0];
        let both = [first.iter(), first.iter().flip(axis) * 3];
        let joined = stack(queue, axis + 1, both).unwrap();
        assert_eq!(joined.shape(), stacked.shape());
        assert_eq!(joined.to_vec().unwrap(), elements(&stacked), "{shape:?} along {axis}");
    });
}

macro_rules! ranks {
    ($($test:ident $n:literal $next:literal;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(full_or_small(6, 3)))]
            $(
                #[test]
                fn $test(
                    shape in shape::<$n>(),
                    axis in 0..$n as usize,
                    lens in proptest::collection::vec(0..5_usize, 1..4),
                ) {
                    check::<$n, $next>(shape, axis, &lens);
                }
            )*
        }
    };
}

ranks! {
    one_axis 1 2;
    two_axes 2 3;
    three_axes 3 4;
    four_axes 4 5;
}

#[test]
fn mistakes() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::filled(queue, [2, 3], 1).unwrap();
        let b = Array::filled(queue, [2, 4], 1).unwrap();
        let message = concatenate(queue, 0, [&a, &b]).unwrap_err().to_string();
        for part in ["concatenate", "[2, 3]", "[2, 4]", "axis 1", "axis 0"] {
            assert!(message.contains(part), "{message}");
        }
        let message = stack(queue, 2, [&a, &b]).unwrap_err().to_string();
        for part in ["stack", "[2, 3]", "[2, 4]", "axis 1", "axis 2"] {
            assert!(message.contains(part), "{message}");
        }
        for error in [
            concatenate(queue, 2, [&a, &a]).unwrap_err(),
            concatenate::<i32, ArrayView<'_, i32, 2>, 2>(queue, 0, []).unwrap_err(),
            stack(queue, 3, [&a, &a]).unwrap_err(),
            stack::<i32, ArrayView<'_, i32, 2>, 2, 3>(queue, 0, []).unwrap_err(),
            concatenate(queue, 0, [a.slice(s![5, ..]), a.row(0)]).unwrap_err(),
            concatenate(queue, 0, [a.iter().broadcast([usize::MAX / 2, 2, 3]); 1]).unwrap_err(),
        ] {
            assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
        }
        // Arrays without elements, and a scalar for each array.
        let none = Array::filled(queue, [0, 3], 1).unwrap();
        assert_eq!(concatenate(queue, 0, [&none, &a, &none]).unwrap().shape(), [2, 3]);
        assert_eq!(stack(queue, 0, [&none, &none]).unwrap().shape(), [2, 0, 3]);
        assert_eq!(stack(queue, 0, [7, 8]).unwrap().to_vec().unwrap(), [7, 8]);
    });
}
