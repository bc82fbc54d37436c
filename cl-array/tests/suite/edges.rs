//! Edge cases that users of NumPy and ndarray rely on: odd steps, axes of length 0 and 1, arrays without axes, other
//! orders in memory, views of views as targets, and shapes that are larger than any memory.

use crate::against_ndarray::elements;
use cl_array::prelude::*;
use cl_core::Error;
use cl_test::counting::{devices, exclusive};
use cl_test::{each_device, each_device_and_forced};
use ndarray::{Axis, s as nd};

/// Returns the array `0, 1, ..` of this shape.
fn counted<const N: usize>(queue: &Queue, shape: [usize; N]) -> Array<i32, N> {
    let host: Vec<i32> = (0..shape.iter().product::<usize>() as i32).collect();
    Array::from_slice(queue, shape, &host).unwrap()
}

#[test]
fn slices_of_an_odd_axis() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = counted(queue, [7]);
        for (slice, wanted) in [
            (s![..; -1], &[6, 5, 4, 3, 2, 1, 0][..]),
            (s![..; -2], &[6, 4, 2, 0]),
            (s![..; -3], &[6, 3, 0]),
            (s![..; -4], &[6, 2]),
            (s![1..6; -2], &[5, 3, 1]),
            (s![1..5; -3], &[4, 1]),
            (s![1..-1; 3], &[1, 4]),
            (s![..; 7], &[0]),
            (s![2..; isize::MAX], &[2]),
            (s![..; isize::MIN], &[6]),
            (s![..=2], &[0, 1, 2]),
            (s![-3..=-1], &[4, 5, 6]),
            (s![3..3; -1], &[]),
            (s![7..], &[]),
            (s![..-7; 2], &[]),
        ] {
            assert_eq!(a.slice(slice).to_vec().unwrap(), wanted, "{slice:?}");
            let mut b = counted(queue, [7]);
            b.slice_mut(slice).assign(-1).unwrap();
            let all: Vec<i32> = (0..7).map(|i| if wanted.contains(&i) { -1 } else { i }).collect();
            assert_eq!(b.to_vec().unwrap(), all, "{slice:?}");
        }
        for slice in
            [s![8..], s![..8], s![-8..], s![..-8], s![5..3], s![..; 0], s![..usize::MAX], s![..=usize::MAX]]
        {
            let error = a.slice(slice).to_vec().unwrap_err();
            assert!(matches!(error, Error::InvalidInput { what: "slice", .. }), "{slice:?}: {error}");
        }
        for slice in [s![7], s![-8], s![usize::MAX], s![isize::MIN]] {
            let error = a.slice(slice).to_vec().unwrap_err();
            assert!(matches!(error, Error::InvalidInput { what: "slice", .. }), "{slice:?}: {error}");
        }
        let message = a.view().slice_axis(0, cl_array::AxisSlice::Index(1)).to_vec().unwrap_err().to_string();
        assert!(message.contains("Index(1) of axis 0: it is not a range"), "{message}");
    });
}

#[test]
fn slices_with_fewer_arguments() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let mut a = counted(queue, [2, 3, 4]);
        let host = ndarray::Array3::from_shape_vec([2, 3, 4], (0..24).collect::<Vec<i32>>()).unwrap();
        fn check<const N: usize, D: ndarray::Dimension>(
            got: ArrayView<'_, i32, N>,
            wanted: ndarray::ArrayView<'_, i32, D>,
        ) {
            assert_eq!(&got.shape()[..], wanted.shape());
            assert_eq!(got.to_vec().unwrap(), wanted.iter().copied().collect::<Vec<_>>());
        }
        check(a.slice(s![1]), host.slice(nd![1, .., ..]));
        check(a.slice(s![.., 1..]), host.slice(nd![.., 1.., ..]));
        check(a.slice(s![]), host.view());
        check(a.slice(s![...]), host.view());
        check(a.slice(s![..., 2]), host.slice(nd![.., .., 2]));
        check(a.slice(s![..., 1..; 2]), host.slice(nd![.., .., 1..; 2]));
        check(a.slice(s![0, ..., -1]), host.slice(nd![0, .., -1]));
        check(a.slice(s![0, ..., 1, 2]), host.slice(nd![0, 1, 2]));
        check(a.slice(s![NewAxis, 1, ...]), host.slice(nd![ndarray::NewAxis, 1, .., ..]));
        check(a.slice(s![..., NewAxis]), host.slice(nd![.., .., .., ndarray::NewAxis]));
        check(
            (&a + 0).slice(s![..., NewAxis, 3]).collect().unwrap().view(),
            host.slice(nd![.., .., ndarray::NewAxis, 3]),
        );
        a.slice_mut(s![1]).assign(7).unwrap();
        a.slice_mut(s![..., 0]).assign(-1).unwrap();
        let mut host = host;
        host.slice_mut(nd![1, .., ..]).fill(7);
        host.slice_mut(nd![.., .., 0]).fill(-1);
        check(a.view(), host.view());
        for error in [
            a.slice(s![2]).to_vec().unwrap_err(),
            a.slice(s![..., 4]).to_vec().unwrap_err(),
            a.slice(s![..., 1, ...]).to_vec().unwrap_err(),
        ] {
            assert!(matches!(error, Error::InvalidInput { what: "slice", .. }), "{error}");
        }
        assert!(a.slice(s![..., 1, ...]).to_vec().unwrap_err().to_string().contains("several ellipses"));
    });
}

/// The product of the sums of both, for all ranks: without bounds on ranks.
fn combined<const N: usize>(a: &Array<i32, N>, b: ArrayView<'_, i32, N>) -> cl_core::Result<Array<i32, N>> {
    let sums = (a + &b) * (a.iter() - &b);
    let largest = a.iter().zip(&b).map(|(a, b)| a.max(b));
    a.iter().lt(&b).select(sums, largest).collect()
}

#[test]
fn functions_that_are_generic_over_ranks() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let (a, b) = (counted(queue, [2, 2]), Array::from_slice(queue, [2, 2], &[3, 0, 4, 2]).unwrap());
        assert_eq!(combined(&a, b.view()).unwrap().to_vec().unwrap(), [-9, 1, -12, 3]);
        assert_eq!(combined(&counted(queue, [1]), b.slice(s![0, ..1])).unwrap().to_vec().unwrap(), [-9]);
        assert!(combined(&counted(queue, [3]), b.row(0)).is_err());
    });
}

/// Operands of assignments may have more axes than the target, if these have length 1.
#[test]
fn leading_axes_of_length_1() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let mut a = Array::filled(queue, [2, 3], 0).unwrap();
        let row = counted(queue, [1, 1, 3]);
        a.assign(row.insert_axis(0)).unwrap();
        assert_eq!(a.to_vec().unwrap(), [0, 1, 2, 0, 1, 2]);
        (2 * row.slice(s![0])).collect_into(a.row_mut(1)).unwrap();
        assert_eq!(a.to_vec().unwrap(), [0, 1, 2, 0, 2, 4]);
        let mut scalar = Array::filled(queue, [], 1).unwrap();
        scalar.assign(row.slice(s![.., .., 2..])).unwrap();
        assert_eq!(scalar.to_vec().unwrap(), [2]);
        for error in [
            a.row_mut(0).assign(a_column(queue)).unwrap_err(),
            scalar.assign(&row).unwrap_err(),
            a.assign(counted(queue, [2, 2, 3]).view()).unwrap_err(),
            a.assign(counted(queue, [1, 1, 2]).view()).unwrap_err(),
            a.add_assign(&row).unwrap_err(), // as in NumPy
        ] {
            assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
        }
    });
}

fn a_column(queue: &Queue) -> Array<i32, 2> {
    counted(queue, [3, 1])
}

#[test]
fn views_of_views_as_targets() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let (mut a, mut host) =
            (Array::filled(queue, [6, 9, 4], 0_i64).unwrap(), ndarray::Array3::zeros([6, 9, 4]));
        let value =
            Array::from_fn(queue, [2, 3, 4], |[i, j, k]| (100 * i + 10 * j + k + 1).cast::<i64>()).unwrap();
        let view = a.view_mut().slice(s![1..; 2, ..; -2, ..]).permute_axes([2, 1, 0]);
        view.slice(s![1..3, ..4; -1, ..]).swap_axes(1, 2).flip(1).assign(&value).unwrap();
        {
            let view = host.slice_mut(nd![1..; 2, ..; -2, ..]).permuted_axes([2, 1, 0]);
            let mut view = view.slice_move(nd![1..3, ..4; -1, ..]);
            view.swap_axes(1, 2);
            view.invert_axis(Axis(1));
            view.assign(&value.to_ndarray().unwrap());
        }
        assert_eq!(a.to_vec().unwrap(), elements(&host.into_dyn()));

        // Both parts of a split array, one of which is split once more.
        let mut a = Array::filled(queue, [5, 4], 0).unwrap();
        let (top, bottom) = a.view_mut().split_at(0, 2).unwrap();
        let (left, right) = bottom.split_at(1, 4).unwrap();
        assert_eq!((left.shape(), right.shape()), ([3, 4], [3, 0]));
        left.t().assign(counted(queue, [3]).iter() + 1).unwrap();
        top.row(1).assign(9).unwrap();
        right.assign(7).unwrap();
        assert_eq!(a.to_vec().unwrap(), [0, 0, 0, 0, 9, 9, 9, 9, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]);
        for error in [a.view_mut().split_at(0, 6).err(), a.view_mut().split_at(2, 0).err()] {
            assert!(matches!(error, Some(Error::InvalidInput { what: "split_at", .. })));
        }

        // Diagonals of matrices that are not square.
        for shape in [[3, 5], [5, 3], [1, 4], [0, 3], [2, 2]] {
            let mut a = counted(queue, shape);
            let [rows, columns] = shape;
            let count = rows.min(columns);
            let wanted: Vec<i32> = (0..count).map(|i| (i * (columns + 1)) as i32).collect();
            assert_eq!(a.view().diagonal().to_vec().unwrap(), wanted, "{shape:?}");
            assert_eq!(a.t().diagonal().to_vec().unwrap(), wanted, "{shape:?}");
            a.view_mut().diagonal().assign(-1).unwrap();
            assert_eq!(a.iter().lt(0).count().unwrap(), count as u64);
            assert!(a.view().diagonal().to_vec().unwrap().iter().all(|&x| x == -1));
        }
    });
}

#[test]
fn arrays_without_axes() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let mut a = Array::from_slice(queue, [], &[5]).unwrap();
        assert_eq!((a.len(), a.shape(), a.to_string()), (1, [], "5".to_owned()));
        a.assign(a_half(queue)).unwrap();
        assert_eq!((&a + 1).to_vec().unwrap(), [3]);
        assert_eq!(a.slice(s![]).to_vec().unwrap(), [2]);
        assert_eq!(a.t().permute_axes([]).to_vec().unwrap(), [2]);
        assert_eq!(a.reshape([1, 1]).unwrap().to_vec().unwrap(), [2]);
        assert_eq!(a.iter().insert_axis(0).to_vec().unwrap(), [2]);
        assert_eq!(a.iter().tile([]).pad([], Pad::Constant(0)).to_vec().unwrap(), [2]);
        assert_eq!(a.view().broadcast([2, 2]).to_vec().unwrap(), [2; 4]);
        assert_eq!((a.sum().unwrap(), a.reduce_max().unwrap(), a.product().unwrap()), (2, Some(2), Some(2)));
        assert_eq!(a.iter().sum_axes::<0>(&[]).unwrap().to_vec().unwrap(), [2]);
        assert_eq!((&a * &counted(queue, [3])).to_vec().unwrap(), [0, 2, 4]);
        assert_eq!(counted(queue, [3]).sum_axis(0).unwrap().shape(), []);
        assert!(a.iter().tril(0).collect().is_err());
        assert!(a.iter().roll(0, 1).collect().is_err());
    });
}

/// Returns an expression without axes.
fn a_half(queue: &Queue) -> ArrayExpr<'_, i32, 0> {
    ArrayExpr::from_fn([], |[]| Val::known(4_u64).cast::<i32>() / 2).on(queue)
}

#[test]
fn broadcasting() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let (row, column, none) = (counted(queue, [1, 4]), counted(queue, [3, 1]), counted(queue, [0]));
        let table = (10 * &column + &row).collect().unwrap();
        assert_eq!(table.to_vec().unwrap(), [0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23]);
        assert_eq!((&none + &counted(queue, [5, 1])).shape(), [5, 0]);
        assert_eq!((&none + &counted(queue, [1])).collect().unwrap().shape(), [0]);
        let message = (&none + &counted(queue, [2])).collect().unwrap_err().to_string();
        assert!(message.contains("lengths 0 and 2 along axis 0"), "{message}");
        // All three operands are broadcast.
        let chosen = table.iter().gt(11).select(column.iter(), row.slice(s![0, ..]));
        assert_eq!(chosen.to_vec().unwrap(), [0, 1, 2, 3, 0, 1, 1, 1, 2, 2, 2, 2]);
        let chosen = column.iter().gt(1).select(&row, 10 * &column);
        assert_eq!(chosen.to_vec().unwrap(), [0, 0, 0, 0, 10, 10, 10, 10, 0, 1, 2, 3]);
        let mut target = Array::filled(queue, [2, 3, 4], 0).unwrap();
        target.assign(&column).unwrap();
        assert_eq!(target.sum_axis(2).unwrap().to_vec().unwrap(), [0, 4, 8, 0, 4, 8]);
        target.assign(counted(queue, [1, 2, 3, 4]).iter()).unwrap();
        assert_eq!(target.sum_axis(2).unwrap().to_vec().unwrap(), [6, 22, 38, 54, 70, 86]);
        let error = target.assign(counted(queue, [2, 2, 3, 4]).iter()).unwrap_err();
        assert!(matches!(error, Error::InvalidInput { what: "assign", .. }), "{error}");
    });
}

#[test]
fn numbers_at_their_limits() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let bytes = Array::from_slice(queue, [2, 3], &[100_i8, 100, 100, -128, -1, -2]).unwrap();
        assert_eq!(bytes.sum_axis(1).unwrap().to_vec().unwrap(), [44, 125]);
        assert_eq!(bytes.product_axis(0).unwrap().to_vec().unwrap(), [0, -100, 56]);
        assert_eq!((-&bytes).to_vec().unwrap(), [-100, -100, -100, -128, 1, 2]);
        assert_eq!(bytes.iter().abs().to_vec().unwrap(), [100, 100, 100, 128, 1, 2]);
        let ints = Array::from_slice(queue, [4], &[i32::MIN, 7, 0, i32::MAX]).unwrap();
        assert_eq!(
            (&ints / Array::from_slice(queue, [4], &[-1, 0, 0, -1]).unwrap().iter()).to_vec().unwrap(),
            [i32::MIN, 0, 0, -i32::MAX]
        );
        assert_eq!((&ints - 1).to_vec().unwrap(), [i32::MAX, 6, -1, i32::MAX - 1]);
        assert_eq!(ints.argmin_axis(0).unwrap().to_vec().unwrap(), [0]);

        // NaN is ignored, unless there is nothing else. NumPy's functions of this kind begin with `nan`.
        let nan = f32::NAN;
        let a = [nan, 2.0, -0.0, nan, nan, nan, 1.0, f32::NEG_INFINITY, f32::INFINITY];
        let a = Array::from_slice(queue, [3, 3], &a).unwrap();
        let (least, greatest) =
            (a.min_axis(1).unwrap().to_vec().unwrap(), a.max_axis(1).unwrap().to_vec().unwrap());
        assert_eq!((least[0], least[2]), (0.0, f32::NEG_INFINITY));
        assert_eq!((greatest[0], greatest[2]), (2.0, f32::INFINITY));
        assert!(least[1].is_nan() && greatest[1].is_nan());
        assert_eq!(a.reduce_min().unwrap(), Some(f32::NEG_INFINITY));
        assert_eq!(a.argmax_axis(1).unwrap().to_vec().unwrap(), [1, 0, 2]);
        assert_eq!(a.argmin_axis(0).unwrap().to_vec().unwrap(), [2, 2, 0]);
        assert!(a.sum().unwrap().is_nan());

        // Of equal elements the first one, also where work-items share a line.
        let ties = Array::filled(queue, [3, 5000], 1_u8).unwrap();
        assert_eq!(ties.argmax_axis(1).unwrap().to_vec().unwrap(), [0; 3]);
        assert_eq!(ties.argmin_axis(0).unwrap().to_vec().unwrap(), [0; 5000]);
        assert_eq!(ties.flip(1).argmax_axis(1).unwrap().to_vec().unwrap(), [0; 3]);
        let ends = ArrayExpr::from_fn([2, 70_000], |[_, j]| (j % 69_999).eq(0)).on(queue);
        let ends = ends.select(3, 4).collect().unwrap();
        assert_eq!(ends.argmin_axis(1).unwrap().to_vec().unwrap(), [0; 2]);
        assert_eq!(ends.argmax_axis(1).unwrap().to_vec().unwrap(), [1; 2]);
    });
}

#[test]
fn reductions_of_nothing() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let none = Array::filled(queue, [2, 0, 3], 1.0_f32).unwrap();
        assert_eq!(
            (none.sum().unwrap(), none.mean().unwrap(), none.reduce_max().unwrap()),
            (0.0, None, None)
        );
        assert_eq!(none.variance(1).unwrap(), None);
        assert_eq!(none.product().unwrap(), None);
        assert_eq!(none.sum_axis(1).unwrap().to_vec().unwrap(), [0.0; 6]);
        assert_eq!(none.sum_axis(0).unwrap().shape(), [0, 3]);
        assert!(none.max_axis(2).unwrap().is_empty());
        assert_eq!(none.iter().sum_axes::<1>(&[1, 2]).unwrap().to_vec().unwrap(), [0.0; 2]);
        for error in [none.max_axis(1).err(), none.argmax_axis(1).err(), none.mean_axis(1).err()] {
            let message = error.unwrap().to_string();
            assert!(message.contains("[2, 0, 3]") && message.contains("length 0"), "{message}");
        }
        let flags = none.iter().gt(0.0);
        assert!(!flags.clone().any().unwrap() && flags.clone().all().unwrap());
        assert_eq!(flags.clone().any_axis(1).unwrap().to_vec().unwrap(), [false; 6]);
        assert_eq!(flags.clone().all_axis(1).unwrap().to_vec().unwrap(), [true; 6]);
        assert_eq!(flags.count_axis(1).unwrap().to_vec().unwrap(), [0; 6]);
        // A product over an axis of length 0 is zeros.
        let (a, b) = (none.slice(s![.., .., 0]).collect().unwrap(), none.slice(s![0, .., ..]));
        assert_eq!(a.matmul(b).unwrap().to_vec().unwrap(), [0.0; 6]);
        // One element has no variance as a sample, and the variance 0 as a population.
        let one = Array::filled(queue, [1, 2], 5.0_f32).unwrap();
        assert_eq!(one.variance_axis(0, 0).unwrap().to_vec().unwrap(), [0.0; 2]);
        assert!(one.variance_axis(0, 1).unwrap().to_vec().unwrap().iter().all(|x| !x.is_finite()));
        assert!(one.variance_axis(0, 2).unwrap().to_vec().unwrap().iter().all(|x| !x.is_finite()));
    });
}

#[test]
fn rearrangements_at_the_edges() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let (a, none) = (counted(queue, [2, 3]), counted(queue, [0, 3]));
        for (shift, wanted) in [(3, [0, 1, 2]), (7, [2, 0, 1]), (-4, [1, 2, 0]), (isize::MIN, [2, 0, 1])] {
            let rolled = a.iter().roll(1, shift).to_vec().unwrap();
            assert_eq!(rolled[..3], wanted, "{shift}");
        }
        assert!(none.iter().roll(0, 5).to_vec().unwrap().is_empty());
        assert_eq!(a.iter().tile([0, 2]).collect().unwrap().shape(), [0, 6]);
        assert_eq!(none.iter().tile([3, 1]).collect().unwrap().shape(), [0, 3]);
        assert_eq!(a.iter().repeat(1, 0).collect().unwrap().shape(), [2, 0]);
        assert_eq!(a.iter().repeat(1, 0).sum_axis(1).unwrap().to_vec().unwrap(), [0; 2]);
        assert_eq!(a.iter().pad([(0, 0); 2], Pad::Reflect).to_vec().unwrap(), a.to_vec().unwrap());
        assert_eq!(none.iter().pad([(1, 1), (0, 1)], Pad::Constant(7)).to_vec().unwrap(), [7; 8]);
        assert!(none.iter().pad([(0, 0), (2, 2)], Pad::Wrap).to_vec().unwrap().is_empty());
        assert!(none.iter().pad([(1, 0), (0, 0)], Pad::Edge).collect().is_err());
        let computed = ArrayExpr::from_fn([0], |[i]| i).pad([(1, 2)], Pad::Constant(4));
        assert_eq!(computed.collect_on(queue).unwrap().to_vec().unwrap(), [4; 3]);
        let failed = none.slice(s![.., 3..5]).iter().pad([(1, 2); 2], Pad::Constant(4)).collect();
        assert!(matches!(failed, Err(Error::InvalidInput { what: "slice", .. })));

        // Indices are checked where they are read, not where the array would be.
        let indices = Array::from_slice(queue, [3], &[1_i32, -1, 2]).unwrap();
        assert_eq!(a.iter().take(0, indices.slice(s![..1])).to_vec().unwrap(), [3, 4, 5]);
        let error = a.iter().take(0, &indices).to_vec().unwrap_err();
        assert!(matches!(error, Error::IndexOutOfRange { .. }), "{error}");
        assert_eq!(a.iter().take(1, indices.map(|x| x.max(0))).to_vec().unwrap(), [1, 0, 2, 4, 3, 5]);

        assert_eq!(concatenate(queue, 0, [&none, &none]).unwrap().shape(), [0, 3]);
        assert_eq!(concatenate(queue, 1, [&none, &none]).unwrap().shape(), [0, 6]);
        assert_eq!(counted(queue, [0]).iter().diag().collect().unwrap().shape(), [0, 0]);
    });
}

#[test]
fn columns_first() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let rows = counted(queue, [4, 5]);
        let memory = rows.t().collect().unwrap().into_vec();
        let mut a = Array::column_major(memory, [4, 5]).unwrap();
        assert_eq!((a.to_vec().unwrap(), a.to_string()), (rows.to_vec().unwrap(), rows.to_string()));
        assert_eq!(a.t().collect().unwrap().as_vec().to_vec().unwrap(), a.as_vec().to_vec().unwrap());
        let copy = a.try_clone().unwrap();
        assert_eq!((&a - &rows).to_vec().unwrap(), [0; 20]);
        assert_eq!((&a + &copy).to_vec().unwrap(), (2 * &rows).to_vec().unwrap());
        for axis in [0, 1] {
            let along = |a: &Array<i32, 2>| a.sum_axis(axis).unwrap().to_vec().unwrap();
            assert_eq!(along(&a), along(&rows));
            let along = |a: &Array<i32, 2>| a.argmax_axis(axis).unwrap().to_vec().unwrap();
            assert_eq!(along(&a), along(&rows));
            let both = concatenate(queue, axis, [&a, &rows]).unwrap().to_vec().unwrap();
            assert_eq!(both, concatenate(queue, axis, [&rows, &rows]).unwrap().to_vec().unwrap());
        }
        assert_eq!(
            a.matmul(rows.t()).unwrap().to_vec().unwrap(),
            rows.matmul(a.t()).unwrap().to_vec().unwrap()
        );
        let padded = |a: &Array<i32, 2>| a.iter().pad([(1, 0), (0, 2)], Pad::Wrap).to_vec().unwrap();
        assert_eq!(padded(&a), padded(&rows));
        let error = a.reshape([20]).unwrap_err().to_string();
        assert!(error.contains("collect"), "{error}");
        assert_eq!(a.t().reshape([20]).unwrap().to_vec().unwrap(), a.as_vec().to_vec().unwrap());
        a.slice_mut(s![1..; 2, ..; -2]).assign(rows.slice(s![..2, 2..])).unwrap();
        let mut wanted = counted(queue, [4, 5]);
        wanted.slice_mut(s![1..; 2, ..; -2]).assign(rows.slice(s![..2, 2..])).unwrap();
        assert_eq!(a.to_vec().unwrap(), wanted.to_vec().unwrap());
    });
}

/// Evaluates parts of shapes of 2^40 elements and more, whose coordinates do not fit into 32 bits.
#[test]
fn parts_of_lazy_arrays_larger_than_memory() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        const FAR: usize = 1 << 40;
        let far = ArrayExpr::from_fn([FAR], |[i]| i).on(queue);
        let last = FAR as u64 - 1;
        assert_eq!(far.clone().slice(s![-2..]).to_vec().unwrap(), [last - 1, last]);
        assert_eq!(far.clone().flip(0).slice(s![..2]).to_vec().unwrap(), [last, last - 1]);
        assert_eq!(far.clone().roll(0, 2).slice(s![1..3]).to_vec().unwrap(), [last, 0]);
        let indices = Array::from_slice(queue, [2], &[last, 1 << 33]).unwrap();
        assert_eq!(far.take(0, &indices).to_vec().unwrap(), [last, 1 << 33]);
        let plane = ArrayExpr::from_fn([1 << 31, 1 << 31], |[i, j]| i * (1 << 31) + j).on(queue);
        let corner = plane.slice(s![-1.., -2..]).to_vec().unwrap();
        assert_eq!(corner, [(1 << 62) - 2, (1 << 62) - 1]);
        let a = counted(queue, [3]);
        let many = a.view().broadcast([1 << 50, 3]);
        assert_eq!(many.clone().slice(s![-1, ..]).to_vec().unwrap(), [0, 1, 2]);
        let summed = many.slice(s![..; 1 << 49, ..]).iter().sum_axis(0).unwrap();
        assert_eq!(summed.to_vec().unwrap(), [0, 2, 4]);
        let tiled = a.iter().tile([1 << 45]).slice(s![-4..]);
        assert_eq!(tiled.to_vec().unwrap(), [2, 0, 1, 2]);
    });
}

#[test]
fn shapes_that_are_too_large() {
    let counter = exclusive();
    for device in devices() {
        let queue = &Queue::on(&device).unwrap();
        let a = Array::filled(queue, [1, 1], 1.0_f32).unwrap();
        let b = Array::filled(queue, [2], 1.0_f32).unwrap();
        let calls = counter.calls_during(|| {
            let view = || a.view().broadcast([usize::MAX, 3]);
            let expr = || a.iter().broadcast([1 << 32, 1 << 32]);
            let many = || a.view().broadcast([1 << 31, 1 << 31]);
            let from_fn = || ArrayExpr::from_fn([1 << 32, 1 << 32], |[i, j]| (i + j).cast::<f32>()).on(queue);
            for error in [
                view().to_vec().unwrap_err(),
                view().reshape([3]).unwrap_err(),
                // More elements than memory has, than can be counted, and as many as 2^64.
                a.view().broadcast([1 << 61, 1]).to_vec().unwrap_err(),
                many().windows([1 << 16, 1 << 16]).to_vec().unwrap_err(),
                many().windows([1 << 30, 1 << 30]).collect().unwrap_err(),
                expr().collect().unwrap_err(),
                from_fn().mean().unwrap_err(),
                from_fn().variance(1).unwrap_err(),
                from_fn().slice(s![0, ..2]).collect().unwrap_err(),
                from_fn().sum().unwrap_err(),
                from_fn().matmul(&a).unwrap_err(),
                a.iter().broadcast([1 << 40, 1]).matmul(a.view().broadcast([1, 1 << 40])).unwrap_err(),
                a.iter().repeat(0, usize::MAX).collect().unwrap_err(),
                stack(queue, 0, [from_fn()]).unwrap_err(),
                // The second array fails, so the first one is not evaluated.
                concatenate(queue, 0, [b.iter(), b.slice(s![..3]).into()]).unwrap_err(),
            ] {
                assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
            }
            assert!(view().to_string().starts_with("<error: "), "{}", view());
        });
        assert!(calls.is_empty(), "{calls:?}");
        let error = Array::filled(queue, [1 << 40, 1 << 10], 1_u8).map(drop).unwrap_err();
        assert!(matches!(error, Error::TooLarge { .. }), "{error}");
        let error = ArrayExpr::from_fn([1 << 50], |[i]| i).collect_on(queue).map(drop).unwrap_err();
        assert!(matches!(error, Error::TooLarge { .. }), "{error}");
    }
}
