//! Views to the host and back, by every strategy: the elements of the view cross, and no others change.

use cl_array::prelude::*;
use cl_array::{Layout, TransferStrategy};
use cl_core::Error;
use cl_test::counting::{devices, exclusive};
use cl_test::each_device;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// A value that the arrays do not contain.
const CANARY: f64 = -7.25;

fn each_device_with_f64(test: impl Fn(&Device)) {
    each_device(|device| {
        if cl_test::offers(device, "f64", device.has_fp64()) {
            test(device);
        }
    });
}

/// Returns an array of distinct numbers in row- or column-major order, and its elements in the order of memory.
fn numbered<const N: usize>(queue: &Queue, shape: [usize; N], by_columns: bool) -> (Array<f64, N>, Vec<f64>) {
    let host: Vec<f64> = (0..shape.iter().product::<usize>()).map(|i| i as f64).collect();
    let vector = DeviceVec::from_slice(queue, &host).unwrap();
    let array = if by_columns { Array::column_major(vector, shape) } else { Array::from_vec(vector, shape) };
    (array.unwrap(), host)
}

/// Returns the indices in memory of the elements of a layout, in row-major order.
fn indices(layout: &Layout) -> Vec<usize> {
    let mut indices = vec![layout.offset() as isize];
    for (&len, &stride) in layout.shape().iter().zip(layout.strides()) {
        indices = indices.iter().flat_map(|&at| (0..len).map(move |i| at + i as isize * stride)).collect();
    }
    indices.into_iter().map(|at| at as usize).collect()
}

/// Reads and writes a part of an array by each strategy and by the one that is chosen.
fn check<const N: usize>(array: &mut Array<f64, N>, host: &[f64], steps: [(usize, usize, isize); N]) {
    let part = |array: &mut Array<f64, N>, act: &mut dyn FnMut(ArrayViewMut<'_, f64, N>)| {
        let mut view = array.view_mut();
        for (axis, &(begin, end, step)) in steps.iter().enumerate() {
            let (start, end) = (begin as isize, Some(end as isize));
            view = view.slice_axis(axis, cl_array::AxisSlice::Range { start, end, step });
        }
        act(view);
    };
    let strategies: Vec<_> = TransferStrategy::ALL.into_iter().map(Some).chain([None]).collect();
    for strategy in strategies {
        let mut places = Vec::new();
        part(array, &mut |view| {
            places = indices(view.layout());
            let mut read = vec![CANARY; view.len()];
            match strategy {
                Some(strategy) => view.view().read_into_by(strategy, &mut read).unwrap(),
                None => view.view().read_into(&mut read).unwrap(),
            }
            let wanted: Vec<f64> = places.iter().map(|&at| host[at]).collect();
            assert_eq!(read, wanted, "{strategy:?} {:?}", view.layout());
            let new: Vec<f64> = wanted.iter().map(|x| 0.5 - x).collect();
            match strategy {
                Some(strategy) => view.write_by(strategy, &new).unwrap(),
                None => view.write(&new).unwrap(),
            }
        });
        let mut wanted = host.to_vec();
        places.iter().for_each(|&at| wanted[at] = 0.5 - wanted[at]);
        assert_eq!(array.as_vec().to_vec().unwrap(), wanted, "{strategy:?} {steps:?}");
        // The elements outside the view are canaries of the next check.
        part(array, &mut |view| view.assign(0.0).unwrap());
        places.iter().for_each(|&at| wanted[at] = 0.0);
        assert_eq!(array.as_vec().to_vec().unwrap(), wanted, "cleared, {steps:?}");
        let old: Vec<f64> = places.iter().map(|&at| host[at]).collect();
        part(array, &mut |view| view.write(&old).unwrap());
    }
    assert_eq!(array.as_vec().to_vec().unwrap(), host);
}

#[test]
fn parts_of_matrices_cross_by_every_strategy() {
    each_device_with_f64(|device| {
        let queue = &Queue::on(device).unwrap();
        for by_columns in [false, true] {
            let (mut a, host) = numbered(queue, [9, 11], by_columns);
            for rows in [(0, 9, 1), (1, 8, 2), (0, 9, -3), (4, 5, 1), (3, 3, 1)] {
                for columns in [(0, 11, 1), (2, 9, 1), (1, 11, 2), (0, 10, -1), (10, 11, 1)] {
                    check(&mut a, &host, [rows, columns]);
                }
            }
        }
    });
}

#[test]
fn parts_of_other_ranks_cross_by_every_strategy() {
    each_device_with_f64(|device| {
        let queue = &Queue::on(device).unwrap();
        let (mut vector, host) = numbered(queue, [23], false);
        for steps in [(0, 23, 1), (5, 17, 1), (0, 23, 2), (1, 23, 2), (2, 20, -4)] {
            check(&mut vector, &host, [steps]);
        }
        for by_columns in [false, true] {
            let range = |len: usize| (0..len, 1..=len, 1..4_isize, any::<bool>());
            let part = (range(4), range(5), range(6));
            let config = Config { cases: 12, failure_persistence: None, ..Config::default() };
            let mut runner = TestRunner::new_with_rng(config, TestRunner::deterministic().new_rng());
            runner
                .run(&part, |(x, y, z)| {
                    let steps = [x, y, z].map(|(begin, end, step, back)| {
                        (begin.min(end), end, if back { -step } else { step })
                    });
                    let (mut a, host) = numbered(queue, [4, 5, 6], by_columns);
                    check(&mut a, &host, steps);
                    Ok(())
                })
                .unwrap();
        }
    });
}

#[test]
fn permuted_and_broadcast_views_are_read() {
    each_device_with_f64(|device| {
        let queue = &Queue::on(device).unwrap();
        let (a, host) = numbered(queue, [3, 4, 5], false);
        let (row, _) = numbered(queue, [5], false);
        for strategy in TransferStrategy::ALL {
            let view = a.permute_axes([2, 0, 1]);
            let mut read = [CANARY; 60];
            view.read_into_by(strategy, &mut read).unwrap();
            assert_eq!(read.to_vec(), indices(view.layout()).iter().map(|&at| host[at]).collect::<Vec<_>>());
            let mut read = [CANARY; 15];
            let result = row.broadcast([3, 5]).read_into_by(strategy, &mut read);
            match strategy {
                TransferStrategy::Boxes => assert!(matches!(result, Err(Error::InvalidInput { .. }))),
                _ => assert_eq!(read, std::array::from_fn(|at| (at % 5) as f64), "{strategy:?}"),
            }
        }
        let flags = Array::from_slice(queue, [2, 3], &[true, false, false, true, true, false]).unwrap();
        assert_eq!(flags.slice(s![.., ..; 2]).to_vec().unwrap(), [true, false, true, false]);
        let mut read = [false; 2];
        flags.column(0).read_into(&mut read).unwrap();
        assert_eq!(read, [true, true]);
    });
}

/// Two views of one array exist together: a strategy that writes back what lies between their elements would lose writes.
#[test]
fn views_that_exist_together_do_not_write_between_their_elements() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let (mut a, _) = numbered(queue, [4, 6], false);
        let (left, right) = a.view_mut().split_at(1, 3).unwrap();
        for strategy in [TransferStrategy::Block, TransferStrategy::Rows] {
            // The rows of a half have no gaps, the block has.
            let (mut a, _) = numbered(queue, [4, 6], false);
            let (left, _right) = a.view_mut().split_at(1, 3).unwrap();
            let result = left.write_by(strategy, &[1.0; 12]);
            assert_eq!(result.is_ok(), strategy == TransferStrategy::Rows, "{strategy:?} {result:?}");
        }
        left.slice(s![.., ..; 2]).write(&[1.0; 8]).unwrap();
        right.write(&[2.0; 12]).unwrap();
        let wanted: Vec<f64> = (0..24)
            .map(|at| {
                if at % 6 > 2 {
                    2.0
                } else if at % 3 == 1 {
                    at as f64
                } else {
                    1.0
                }
            })
            .collect();
        assert_eq!(a.to_vec().unwrap(), wanted);
    });
}

#[test]
fn what_does_not_fit_is_refused_without_a_driver_call() {
    let counter = exclusive();
    for device in devices() {
        let queue = &Queue::on(&device).unwrap();
        let (mut a, _) = numbered(queue, [4, 4], false);
        let calls = counter.calls_during(|| {
            // Making views.
            let view = a.slice(s![1..; 2, ..; -1]);
            drop(view.clone().t());
            assert!(matches!(view.read_into(&mut [0.0; 3]), Err(Error::LengthMismatch { .. })));
            a.slice(s![5.., ..]).read_into(&mut []).unwrap_err();
            a.slice(s![2..2, ..]).read_into(&mut []).unwrap();
            assert_eq!(a.slice(s![2..2, ..]).to_vec().unwrap(), []);
            assert!(matches!(a.slice_mut(s![1, ..]).write(&[0.0; 5]), Err(Error::LengthMismatch { .. })));
            a.slice_mut(s![2..2, ..]).write(&[]).unwrap();
            a.slice_mut(s![.., 7]).write(&[0.0; 4]).unwrap_err();
            drop(a.view_mut().slice(s![.., ..; 3]));
        });
        assert!(calls.is_empty(), "{calls:?}");
        // A contiguous part is one transfer and nothing else.
        let calls = counter.calls_during(|| {
            a.slice(s![1..3, ..]).read_into(&mut [0.0; 8]).unwrap();
            a.slice_mut(s![1..3, ..]).write(&[0.0; 8]).unwrap();
        });
        let enqueued: Vec<_> = calls.keys().copied().filter(|name| name.starts_with("clEnqueue")).collect();
        assert_eq!(enqueued, ["clEnqueueReadBuffer", "clEnqueueWriteBuffer"], "{calls:?}");
    }
}

#[test]
fn triangles_cross_packed() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::from_fn(queue, [4, 4], |[i, j]| (10 * (i + 1) + j + 1).cast::<i32>()).unwrap();
        assert_eq!(a.to_packed_vec(Half::Lower).unwrap(), [11, 21, 31, 41, 22, 32, 42, 33, 43, 44]);
        assert_eq!(a.to_packed_vec(Half::Upper).unwrap(), [11, 12, 22, 13, 23, 33, 14, 24, 34, 44]);
        // Views, backwards and transposed.
        let part = a.slice(s![..; -2, 1..; 2]);
        assert_eq!(part.to_packed_vec(Half::Lower).unwrap(), [42, 22, 24]);
        // The columns of the transposed matrix are the rows.
        assert_eq!(a.t().to_packed_vec(Half::Upper).unwrap(), [11, 21, 22, 31, 32, 33, 41, 42, 43, 44]);
        for n in [0_usize, 1, 2, 3, 5, 64, 65, 300] {
            for half in [Half::Lower, Half::Upper] {
                let places: Vec<(usize, usize)> = (0..n)
                    .flat_map(|j| (0..n).map(move |i| (i, j)))
                    .filter(|(i, j)| if half == Half::Lower { i >= j } else { i <= j })
                    .collect();
                let packed: Vec<i32> = (1..=places.len() as i32).collect();
                let mut wanted = vec![0; n * n];
                places.iter().zip(&packed).for_each(|(&(i, j), &value)| wanted[i * n + j] = value);
                let matrix = Array::from_packed(queue, half, &packed).unwrap();
                assert_eq!(matrix.shape(), [n, n]);
                assert_eq!(matrix.to_vec().unwrap(), wanted, "{n} {half:?}");
                assert_eq!(matrix.to_packed_vec(half).unwrap(), packed, "{n} {half:?}");
                places.iter().for_each(|&(i, j)| wanted[j * n + i] = wanted[i * n + j]);
                let device = Array::from_slice(queue, [packed.len()], &packed).unwrap();
                assert_eq!(device.iter().unpack_symmetric(half).to_vec().unwrap(), wanted, "{n} {half:?}");
            }
        }
        let error = a.slice(s![.., 1..]).to_packed_vec(Half::Lower).unwrap_err();
        assert!(matches!(error, Error::InvalidInput { what: "pack", .. }), "{error}");
        let error = Array::from_packed(queue, Half::Lower, &[1, 2]).unwrap_err();
        assert!(matches!(error, Error::InvalidInput { what: "unpack", .. }), "{error}");
    });
}
