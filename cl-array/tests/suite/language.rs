//! The language as a user of NumPy expects it: updates in place, several outputs of one kernel, `select`, new arrays,
//! views of all kinds, functions, and the texts of errors.

use cl_algo::codegen::Ranges;
use cl_algo::num_complex::Complex;
use cl_array::assign_with;
use cl_array::prelude::*;
use cl_core::{Error, Result};
use cl_test::counting::{devices, exclusive};
use cl_test::{each_device, each_device_and_forced, known_faults};

/// Returns the array with the elements 0, 1, 2, … of this shape.
fn counted<const N: usize>(queue: &Queue, shape: [usize; N]) -> Array<i32, N> {
    let host: Vec<i32> = (0..shape.iter().product::<usize>() as i32).collect();
    Array::from_slice(queue, shape, &host).unwrap()
}

/// Asserts that a result is an error of this operation whose text has all of `parts`.
#[track_caller]
fn refused<R>(result: Result<R>, operation: &str, parts: &[&str]) {
    let Err(error) = result else { panic!("{operation} was not refused") };
    let Error::InvalidInput { what, .. } = &error else { panic!("{error:?}") };
    assert_eq!(*what, operation, "{error}");
    let text = error.to_string();
    for part in parts {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
}

#[test]
fn updates_in_place() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        for [rows, columns] in [[1, 1], [37, 70], [5, 0]] {
            let mut a = counted(queue, [rows, columns]);
            let row = counted(queue, [columns]);
            let column = counted(queue, [rows, 1]);
            let mut host: Vec<i32> = (0..rows * columns).map(|at| at as i32).collect();

            a.assign_with(|a| 2 * a + &row - &column).unwrap();
            a.view_mut().t().mul_assign(column.reshape([rows]).unwrap()).unwrap();
            let part = a.slice_mut(s![..; -1, 1.min(columns)..; 2]);
            part.assign_with(|part| part + ArrayExpr::from_fn([rows, 1], |[i, _]| i.cast::<i32>())).unwrap();

            for (at, x) in host.iter_mut().enumerate() {
                let (i, j) = (at / columns, at % columns);
                *x = (2 * *x + j as i32 - i as i32) * i as i32;
                if j % 2 == 1 {
                    *x += (rows - 1 - i) as i32;
                }
            }
            assert_eq!(a.to_vec().unwrap(), host, "{rows} {columns}");
        }
        let mut a = counted(queue, [3, 3]);
        a.diagonal_mut().sub_assign(1).unwrap();
        a.column_mut(2).rem_assign(4).unwrap();
        a.row_mut(1).bitxor_assign(1).unwrap();
        a.index_axis_mut(1, 0).shl_assign(2).unwrap();
        assert_eq!(a.to_vec().unwrap(), [-4, 1, 2, 8, 2, 0, 24, 7, 3]);
        // A view that reads the elements that it stores, however it is written.
        a.assign_with(|a| a.clone().t().t() + a.flip(0).flip(0)).unwrap();
        assert_eq!(a.to_vec().unwrap(), [-8, 2, 4, 16, 4, 0, 48, 14, 6]);
    });
}

#[test]
fn updates_read_their_own_elements_only() {
    let counter = exclusive();
    for device in devices() {
        let queue = &Queue::on(&device).unwrap();
        let mut a = counted(queue, [4, 4]);
        let mut b = counted(queue, [1, 4]);
        let order = Array::from_slice(queue, [4], &[3_u32, 2, 1, 0]).unwrap();
        let ends = DeviceVec::from_slice(queue, &(0..=16_u32).collect::<Vec<_>>()).unwrap();
        let calls = counter.calls_during(|| {
            let others = ["other coordinates", "Assign to another array"];
            refused(a.assign_with(|a| a.clone() + a.t()), "assign_with", &others);
            refused(a.assign_with(|a| a.flip(1)), "assign_with", &others);
            refused(a.assign_with(|a| a.roll(0, 1)), "assign_with", &others);
            refused(a.assign_with(|a| a.take(0, &order)), "assign_with", &others);
            refused(a.assign_with(|a| a.slice(s![..1, ..]).broadcast([4, 4])), "assign_with", &others);
            refused(a.slice_mut(s![1.., ..]).assign_with(|a| a.flip(0)), "assign_with", &others);
            // Folds of other elements, and of an expression whose entries have no numbers.
            let offsets = || Ranges::between(&ends);
            refused(
                a.assign_with(|a| {
                    // SAFETY: the ranges are within the array's 16 elements.
                    let sums = unsafe { a.flatten().unwrap().fold_ranges(offsets(), 0, |a, b| a + b, None) };
                    ArrayExpr::from_expr(sums, [4, 4])
                }),
                "assign_with",
                &others,
            );
            refused(
                a.assign_with(|a| {
                    // SAFETY: the ranges are within the array's 16 elements.
                    let sums = unsafe { a.into_ranked().fold_ranges(offsets(), 0, |a, b| a + b, None) };
                    ArrayExpr::from_expr(sums, [4, 4])
                }),
                "fold of ranges",
                &["coordinates", "flatten"],
            );
            // Errors in the expression come first.
            refused(a.assign_with(|a| a.slice(s![..9, ..])), "slice", &["range 0..9 of axis 0"]);
            refused(a.assign_with(|x| x + &b.broadcast([3, 4])), "+", &["[4, 4]", "[3, 4]", "axis 0"]);
            refused(b.assign_with(|b| b + &a), "assign_with", &["[4, 4]", "[1, 4]"]);
            refused(b.add_assign(&a), "add_assign", &["[4, 4]", "[1, 4]"]);
            refused(a.slice_mut(s![9, ..]).add_assign(1), "slice", &["index 9 of axis 0"]);
        });
        assert!(calls.is_empty(), "{calls:?}");
        assert_eq!(a.to_vec().unwrap(), counted(queue, [4, 4]).to_vec().unwrap());
    }
}

#[test]
fn several_arrays_at_once() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let [rows, columns] = [33, 70];
        let mut x = counted(queue, [rows, columns]);
        let mut y = counted(queue, [columns, rows]);
        // The second array is stored across the rows of the first.
        assign_with((&mut x, y.view_mut().t()), |both| both.map(|(x, y)| (-y, x))).unwrap();
        let at = |i: usize, j: usize, columns: usize| (i * columns + j) as i32;
        let wanted: Vec<i32> = (0..rows * columns).map(|k| -at(k % columns, k / columns, rows)).collect();
        assert_eq!(x.to_vec().unwrap(), wanted);
        let wanted: Vec<i32> = (0..rows * columns).map(|k| at(k % rows, k / rows, columns)).collect();
        assert_eq!(y.to_vec().unwrap(), wanted);

        // The halves of an array change places.
        let mut a = counted(queue, [4, 3]);
        let halves = a.view_mut().split_at(0, 2).unwrap();
        assign_with(halves, |halves| halves.map(|(upper, lower)| (lower, upper))).unwrap();
        assert_eq!(a.to_vec().unwrap(), [6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5]);
        // One half is computed from the other.
        let (upper, lower) = a.view_mut().split_at(0, 2).unwrap();
        upper.assign(lower.view() * 2).unwrap();
        assert_eq!(a.slice(s![..2, ..]).to_vec().unwrap(), [0, 2, 4, 6, 8, 10]);
    });
}

#[test]
fn several_outputs_of_one_kernel() {
    let counter = exclusive();
    for device in devices() {
        let queue = &Queue::on(&device).unwrap();
        let a = counted(queue, [2, 3]);
        let mut square = Array::<i32, 2>::zeros(queue, [2, 3]).unwrap();
        let mut is_odd = Array::filled(queue, [3, 2], false).unwrap();
        let mut evaluate = || {
            let ((double, negated), is_small) = a.map(|x| ((2 * x, -x), x.lt(2))).collect().unwrap();
            let sinks = (&mut square, is_odd.view_mut().t());
            a.map(|x| (x * x, (x % 2).eq(1))).collect_into(sinks).unwrap();
            let pairs = a.map(|x| (x, x));
            let ends = pairs.fold_axis(1, |a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap();
            let sums: (Array<i32, 0>, Array<i32, 0>) =
                a.map(|x| (x, x * x)).fold(|a, b| (a.0 + b.0, a.1 + b.1)).unwrap();
            (double, negated, is_small, ends, sums)
        };
        evaluate(); // compiles the kernels
        let mut results = None;
        let calls = counter.calls_during(|| results = Some(evaluate()));
        assert_eq!(calls.get("clEnqueueNDRangeKernel"), Some(&4), "{calls:?}");
        assert_eq!(calls.get("clEnqueueReadBuffer"), None, "{calls:?}");
        let (double, negated, is_small, (least, greatest), (sum, squares)) = results.unwrap();
        assert_eq!(double.to_vec().unwrap(), [0, 2, 4, 6, 8, 10]);
        assert_eq!(negated.to_vec().unwrap(), [0, -1, -2, -3, -4, -5]);
        assert_eq!(is_small.to_vec().unwrap(), [true, true, false, false, false, false]);
        assert_eq!(square.to_vec().unwrap(), [0, 1, 4, 9, 16, 25]);
        assert_eq!(is_odd.to_vec().unwrap(), [false, true, true, false, false, true]);
        assert_eq!((least.to_vec().unwrap(), greatest.to_vec().unwrap()), (vec![0, 3], vec![2, 5]));
        assert_eq!((sum.get([]).unwrap(), squares.get([]).unwrap()), (15, 55));

        let calls = counter.calls_during(|| {
            let pairs = || a.map(|x| (x, x.lt(2)));
            refused(pairs().collect_into((&mut square, &mut is_odd)), "collect_into", &["[2, 3]", "[3, 2]"]);
            refused(pairs().collect_into((square.row_mut(5), is_odd.row_mut(0))), "slice", &["index 5"]);
            refused(pairs().fold_axis(2, |a, _| a).map(drop), "fold_axis", &["axis 2", "2 axes"]);
            let empty = square.slice(s![..0, ..]).map(|x| (x, x));
            refused(empty.clone().fold(|a, _| a).map(drop), "fold", &["length 0", "[0, 3]"]);
        });
        assert!(calls.keys().all(|name| name.contains("Buffer") || name.contains("MemObject")), "{calls:?}");
        let (first, second) = square.slice(s![..0, ..]).map(|x| (x, -x)).collect().unwrap();
        assert_eq!((first.shape(), second.shape()), ([0, 3], [0, 3]));
        let (field, _) = a.map(|x| (x + 1, x)).unzip();
        assert_eq!(field.sum_axis(0).unwrap().to_vec().unwrap(), [5, 7, 9]);
    }
}

#[test]
fn select_broadcasts_all_three() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = counted(queue, [2, 3]);
        let column = Array::from_slice(queue, [2, 1], &[-1, -2]).unwrap();
        let is_kept = Array::from_slice(queue, [3], &[true, false, true]).unwrap();
        let chosen = is_kept.iter().select(&a, &column);
        assert_eq!(chosen.shape(), [2, 3]);
        assert_eq!(chosen.to_vec().unwrap(), [0, -1, 2, 3, -2, 5]);
        // The condition has more axes than the values, and a scalar may be the condition.
        assert_eq!(a.iter().gt(2).select(1, 0).to_vec().unwrap(), [0, 0, 0, 1, 1, 1]);
        let largest = a.iter().fold(Val::max).unwrap();
        assert_eq!(largest.iter().gt(4).select(&a, 0).sum().unwrap(), 15);
        let other = counted(queue, [2, 2]);
        let wrong = is_kept.iter().select(&a, &other);
        refused(wrong.collect(), "select", &["[2, 3]", "[2, 2]", "axis 1"]);
        let is_first = a.iter().eq(0);
        assert_eq!(is_first.cast::<u8>().to_vec().unwrap(), [1, 0, 0, 0, 0, 0]);
    });
}

#[test]
fn new_arrays() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        assert_eq!(Array::<bool, 1>::zeros(queue, [2]).unwrap().to_vec().unwrap(), [false; 2]);
        assert_eq!(Array::<u8, 0>::ones(queue, []).unwrap().get([]).unwrap(), 1);
        let ones = Array::<Complex<f32>, 1>::ones(queue, [2]).unwrap();
        assert_eq!(ones.to_vec().unwrap(), [Complex::new(1.0, 0.0); 2]);
        for n in [0, 1, 3] {
            let eye = Array::<i64, 2>::eye(queue, n).unwrap().to_vec().unwrap();
            let wanted: Vec<i64> = (0..n * n).map(|at| i64::from(at / n == at % n)).collect();
            assert_eq!(eye, wanted);
        }
        assert_eq!(Array::arange(queue, 2.5_f32, 0.5, 3).unwrap().to_vec().unwrap(), [2.5, 3.0, 3.5]);
        assert_eq!(Array::arange(queue, 250_u8, 3, 4).unwrap().to_vec().unwrap(), [250, 253, 0, 3]);
        for len in [0, 1, 2, 50] {
            let (start, end) = (-1.0_f32, 0.3_f32);
            let got = Array::linspace(queue, start, end, len).unwrap().to_vec().unwrap();
            assert_eq!(got.len(), len);
            for (i, &x) in got.iter().enumerate() {
                let wanted = start + (end - start) * i as f32 / (len.max(2) - 1) as f32;
                assert!((x - wanted).abs() < 1e-6, "{i} of {len}: {x}");
            }
            if len > 1 {
                assert_eq!(got.last(), Some(&end));
            }
        }
        refused(Array::<f32, 2>::zeros(queue, [usize::MAX, 2]), "shape", &["more elements"]);
        let error = Array::<f32, 1>::ones(queue, [1 << 50]).unwrap_err();
        assert!(matches!(error, Error::TooLarge { .. }), "{error:?}");
        let error = Array::linspace(queue, 0.0_f32, 1.0, 1 << 50).unwrap_err();
        assert!(matches!(error, Error::TooLarge { .. }), "{error:?}");
    });
}

#[test]
fn views_are_views() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let mut a = counted(queue, [2, 3, 4]);
        // Each is a view, which can be viewed again, and read without a kernel for each step.
        let column = a.index_axis(2, 1).index_axis(0, 1).insert_axis(0).swap_axes(0, 1);
        assert_eq!((column.shape(), column.len()), ([3, 1], 3));
        assert_eq!(column.to_vec().unwrap(), [13, 17, 21]);
        let same: ArrayView<'_, i32, 3> = a.insert_axis(3).remove_axis(3);
        assert_eq!(same.layout(), a.layout());
        let last: ArrayView<'_, i32, 0> = a.slice(s![-1, -1, ..]).index_axis(0, 3);
        assert_eq!((last.len(), last.to_vec().unwrap()), (1, vec![23]));
        assert_eq!(a.flip(2).index_axis(2, 0).sum_axis(1).unwrap().to_vec().unwrap(), [21, 57]);
        assert_eq!(a.slice(s![0, .., ..]).max_axis(0).unwrap().to_vec().unwrap(), [8, 9, 10, 11]);
        assert_eq!(a.slice(s![1, 1.., 0]).reduce_min().unwrap(), Some(16));
        assert!(a.slice(s![..0, .., ..]).is_empty() && a.iter().slice(s![.., 3.., ..]).is_empty());
        assert_eq!(a.iter().slice(s![.., 1.., ..]).len(), 16);

        let middle = a.slice_axis(2, -3..3).slice_axis(1, cl_array::Stepped(.., -2));
        assert_eq!(middle.slice(s![0, .., ..]).to_vec().unwrap(), [9, 10, 1, 2]);

        let pages = a.axis_iter(0).unwrap();
        assert_eq!(pages.len(), 2);
        let sums: Vec<i32> = pages.rev().map(|page| page.sum().unwrap()).collect();
        assert_eq!(sums, [210, 66]);
        let lens: Vec<_> = a.axis_chunks_iter(2, 3).unwrap().map(|part| part.shape()).collect();
        assert_eq!(lens, [[2, 3, 3], [2, 3, 1]]);
        assert_eq!(a.axis_chunks_iter(2, usize::MAX).unwrap().len(), 1);
        for (k, row) in a.axis_iter_mut(1).unwrap().enumerate() {
            row.assign(k as i32).unwrap();
        }
        let (left, right) = a.split_at(2, 3).unwrap();
        assert_eq!(left.sum().unwrap() + right.sum().unwrap(), 24);
        for part in a.view_mut().axis_chunks_iter(0, 1).unwrap() {
            part.index_axis(1, 0).add_assign(5).unwrap();
        }
        a.set([1, 2, 3], -7).unwrap();
        assert_eq!(a.index_axis(1, 0).to_vec().unwrap(), [5; 8]);
        assert_eq!((a.get([1, 2, 3]).unwrap(), a.get([1, 2, 2]).unwrap()), (-7, 2));

        // Only views that exist may be read.
        refused(a.index_axis(3, 0).to_vec(), "index_axis", &["axis 3", "3 axes"]);
        refused(a.index_axis(1, 3).to_vec(), "index_axis", &["index 3 of axis 1", "length 3", "[2, 3, 4]"]);
        refused(a.remove_axis(0).to_vec(), "remove_axis", &["axis 0 of shape [2, 3, 4]", "length 2"]);
        refused(a.insert_axis(4).to_vec(), "insert_axis", &["axis 4"]);
        refused(a.slice_axis(1, 2..9).to_vec(), "slice", &["range 2..9 of axis 1", "length 3"]);
        refused(a.slice_axis(3, ..).to_vec(), "slice_axis", &["axis 3", "3 axes"]);
        let index = cl_array::AxisSlice::Index(0);
        refused(a.slice_axis(1, index).to_vec(), "slice_axis", &["axis 1", "not a range"]);
        refused(a.axis_iter(3).map(drop), "axis_iter", &["axis 3"]);
        refused(a.slice(s![5, .., ..]).axis_iter(0).map(drop), "slice", &["index 5 of axis 0"]);
        refused(a.axis_chunks_iter(0, 0).map(drop), "axis_chunks_iter", &["0 coordinates"]);
        refused(a.split_at(0, 3).map(drop), "split_at", &["index 3 of axis 0", "[2, 3, 4]"]);
        refused(a.get([0, 3, 0]), "get", &["[0, 3, 0]", "[2, 3, 4]", "axis 1 has length 3"]);
        refused(a.set([2, 0, 0], 0), "set", &["axis 0 has length 2"]);
        refused(a.broadcast([3, 3, 4]).to_vec(), "broadcast", &["[2, 3, 4]", "[3, 3, 4]"]);
        refused(a.index_axis_mut(1, 9).assign(0), "index_axis", &["index 9 of axis 1"]);
        let whole = a.slice(s![.., 1..9, ..]).to_vec();
        refused(whole, "slice", &["range 1..9 of axis 1", "length 3", "[2, 3, 4]"]);
    });
}

#[test]
fn functions_of_elements() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::from_slice(queue, [2, 2], &[0.25_f32, -1.5, 2.5, f32::NAN]).unwrap();
        let row = Array::from_slice(queue, [2], &[0.5_f32, 1.0]).unwrap();
        let clean = a.iter().isnan().select(0.0, &a);
        let clamped = clean.clone().clamp(-&row, &row).collect().unwrap();
        assert_eq!(clamped.to_vec().unwrap(), [0.25, -1.0, 0.5, 0.0]);
        let (trunc, rint) = (clean.clone().trunc(), clean.clone().rint());
        let (trunc, rint) = trunc.zip(rint).collect().unwrap();
        assert_eq!(trunc.to_vec().unwrap(), [0.0, -1.0, 2.0, 0.0]);
        assert_eq!(rint.to_vec().unwrap(), [0.0, -2.0, 2.0, 0.0]);
        let numbers = Array::from_slice(queue, [3], &[3_i32, -4, i32::MAX]).unwrap();
        assert_eq!(numbers.iter().abs_diff(1).to_vec().unwrap(), [2, 5, i32::MAX as u32 - 1]);
        assert_eq!(numbers.iter().add_sat(2).to_vec().unwrap(), [5, -2, i32::MAX]);
        let complex = Array::from_slice(queue, [1], &[Complex::new(3.0_f32, -4.0)]).unwrap();
        assert_eq!(complex.iter().im().to_vec().unwrap(), [-4.0]);
        assert_eq!(complex.iter().conj().norm_sqr().to_vec().unwrap(), [25.0]);
    });
}

#[test]
fn powers_that_are_reduced() {
    known_faults::each_device("language::powers_that_are_reduced", |device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::from_slice(queue, [2, 2], &[0.25_f32, -1.5, 2.5, f32::NAN]).unwrap();
        let row = Array::from_slice(queue, [2], &[0.5_f32, 1.0]).unwrap();
        let cubes = a.iter().isnan().select(0.0, &a).powi(3).mul_add(2.0, &row).mix(0.0, 0.5);
        assert!(cubes.all_close(cubes_of([0.25, -1.5, 2.5, 0.0], queue), 1e-5, 1e-8).unwrap());
    });
}

/// Returns `x³ + (0.5, 1.0) / 2` of four numbers: half of `2 x³ + (0.5, 1.0)`.
fn cubes_of(numbers: [f32; 4], queue: &Queue) -> Array<f32, 2> {
    let half: Vec<f32> =
        numbers.iter().zip([0.5, 1.0, 0.5, 1.0]).map(|(x, add)| x * x * x + add / 2.0).collect();
    Array::from_slice(queue, [2, 2], &half).unwrap()
}

#[test]
fn arrays_that_are_close() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let of = |numbers: [f32; 3]| Array::from_slice(queue, [3], &numbers).unwrap();
        let a = of([1.0, f32::INFINITY, -100.0]);
        assert!(a.all_close(of([1.0, f32::INFINITY, -100.09]), 1e-3, 0.0).unwrap());
        assert!(!a.all_close(of([1.0, f32::INFINITY, -100.2]), 1e-3, 0.0).unwrap());
        assert!(!a.all_close(of([1.0, f32::NEG_INFINITY, -100.0]), 1.0, 0.0).unwrap());
        assert!(!a.all_close(of([1.0, 7.0, -100.0]), 1.0, 0.0).unwrap());
        assert!(!of([0.0; 3]).all_close(of([0.0, f32::INFINITY, 0.0]), 1.0, 0.0).unwrap());
        let nan = of([f32::NAN, 0.0, 0.0]);
        assert!(!nan.all_close(&nan, 1.0, 1.0).unwrap());
        assert!(of([1.0; 3]).all_close(1.5, 0.0, 0.5).unwrap());
        refused(a.all_close(a.broadcast([2, 3]), 0.0, 0.0), "all_close", &["[2, 3]", "[3]"]);
    });
}

/// Exercises that books on NumPy have, as a newcomer would write them.
#[test]
fn exercises() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        // A checkerboard, and ones at the border of zeros.
        let mut board = Array::<u8, 2>::zeros(queue, [4, 4]).unwrap();
        board.slice_mut(s![1..; 2, ..; 2]).assign(1).unwrap();
        board.slice_mut(s![..; 2, 1..; 2]).assign(1).unwrap();
        let wanted = ArrayExpr::from_fn([4, 4], |[i, j]| ((i + j) % 2).cast::<u8>());
        assert!(board.iter().eq(wanted).all().unwrap());
        let mut border = Array::<f32, 2>::ones(queue, [4, 5]).unwrap();
        border.slice_mut(s![1..-1, 1..-1]).assign(0.0).unwrap();
        assert_eq!(border.sum().unwrap(), 14.0);

        // Normalized to the range from 0 to 1, and the mean of each row subtracted.
        let z = Array::from_slice(queue, [2, 3], &[4.0_f32, 8.0, 6.0, 5.0, 2.0, 2.0]).unwrap();
        let (low, high) = z.map(|z| (z, z)).fold(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap();
        let unit = ((&z - &low) / (&high - &low)).collect().unwrap();
        assert_eq!((unit.reduce_min().unwrap(), unit.reduce_max().unwrap()), (Some(0.0), Some(1.0)));
        let centred = (&z - z.mean_axis(1).unwrap().insert_axis(1)).collect().unwrap();
        assert_eq!(centred.to_vec().unwrap(), [-2.0, 2.0, 0.0, 2.0, -1.0, -1.0]);
        let shares = (&z / z.sum().unwrap()).sum().unwrap();
        assert!((shares - 1.0).abs() < 1e-6);

        // The elements between 3 and 5 change their sign, in place.
        let mut v = Array::arange(queue, 0, 1, 7).unwrap();
        v.assign_with(|v| (v.clone().ge(3) & v.clone().le(5)).select(-&v, v)).unwrap();
        assert_eq!(v.to_vec().unwrap(), [0, 1, 2, -3, -4, -5, 6]);

        // The nearest value, a table of products, distances between points, and one-hot vectors.
        let x = Array::linspace(queue, 0.0_f32, 1.0, 11).unwrap();
        let nearest = (&x - 0.42).abs().argmin_axis(0).unwrap().get([]).unwrap();
        assert_eq!(nearest, 4);
        let n = Array::arange(queue, 1, 1, 3).unwrap();
        assert_eq!((n.insert_axis(1) * &n).to_vec().unwrap(), [1, 2, 3, 2, 4, 6, 3, 6, 9]);
        let points = Array::from_slice(queue, [2, 2], &[0.0_f32, 0.0, 3.0, 4.0]).unwrap();
        let differences = points.insert_axis(1) - points.insert_axis(0);
        assert_eq!(differences.norm_axis(2).unwrap().to_vec().unwrap(), [0.0, 5.0, 5.0, 0.0]);
        let labels = Array::from_slice(queue, [3], &[2_u64, 0, 1]).unwrap();
        let columns = ArrayExpr::from_fn([3], |[j]| j);
        let one_hot = labels.insert_axis(1).iter().eq(columns).cast::<f32>();
        assert_eq!(one_hot.to_vec().unwrap(), [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);

        // A moving average of three, and two rows that change places.
        let m = counted(queue, [6]);
        let average = (m.slice(s![..-2]) + m.slice(s![1..-1]) + m.slice(s![2..])) / 3;
        assert_eq!(average.to_vec().unwrap(), [1, 2, 3, 4]);
        let mut rows = counted(queue, [3, 2]);
        let (first, rest) = rows.view_mut().split_at(0, 1).unwrap();
        assign_with((first.row(0), rest.row(1)), |rows| rows.map(|(a, b)| (b, a))).unwrap();
        assert_eq!(rows.to_vec().unwrap(), [4, 5, 2, 3, 0, 1]);

        // A generation of the game of life: a blinker turns.
        let mut cells = Array::<u8, 2>::zeros(queue, [5, 5]).unwrap();
        cells.slice_mut(s![2, 1..4]).assign(1).unwrap();
        let around = cells.iter().pad([(1, 1), (1, 1)], Pad::Constant(0));
        let near = |i: isize, j: isize| around.clone().slice(s![i..i + 5, j..j + 5]);
        let mut sum = near(0, 0) - &cells;
        for (i, j) in (1..9).map(|at| (at / 3, at % 3)) {
            sum = sum + near(i, j);
        }
        let lives = (sum.clone().eq(3) | (sum.eq(2) & cells.iter().eq(1))).cast::<u8>().collect().unwrap();
        assert_eq!(lives.column(2).to_vec().unwrap(), [0, 1, 1, 1, 0]);
        assert_eq!(lives.sum().unwrap(), 3);
    });
}
