//! Closures over neighbours, compared with loops on the host.

use crate::against_ndarray::{elements, numbers, shape};
use crate::rearranged::{PADDING, padded};
use cl_algo::F32x3;
use cl_array::prelude::*;
use cl_array::{Bordered, Borders};
use cl_core::Error;
use cl_test::counting::{Calls, devices, exclusive};
use cl_test::{each_device, each_device_and_forced, full_or_small};
use ndarray::{ArrayD, Dimension, IxDyn};
use proptest::prelude::*;

pub(crate) fn pads() -> impl Strategy<Value = Pad<i64>> {
    prop_oneof![
        Just(Pad::Constant(PADDING)),
        Just(Pad::Edge),
        Just(Pad::Reflect),
        Just(Pad::Symmetric),
        Just(Pad::Wrap)
    ]
}

/// Returns the element at coordinates that may be beyond the borders.
pub(crate) fn element(host: &ArrayD<i64>, at: &[isize], pad: Pad<i64>) -> i64 {
    const BEFORE: isize = 1 << 20;
    let at: Option<Vec<usize>> = at
        .iter()
        .zip(host.shape())
        .map(|(&at, &len)| {
            if (0..len as isize).contains(&at) {
                return Some(at as usize);
            }
            padded((at + BEFORE) as usize, BEFORE as usize, len, pad)
        })
        .collect();
    at.map_or(PADDING, |at| host[&at[..]])
}

/// Returns the weighted sums of neighbours.
fn sums(
    host: &ArrayD<i64>,
    shape: &[usize],
    first: &[usize],
    taps: &[(Vec<isize>, i64)],
    pad: Pad<i64>,
) -> ArrayD<i64> {
    ArrayD::from_shape_fn(IxDyn(shape), |at| {
        let of_tap = |(offset, weight): &(Vec<isize>, i64)| {
            let at: Vec<isize> = (0..shape.len())
                .map(|axis| (at.slice()[axis] + first[axis]) as isize + offset[axis])
                .collect();
            weight.wrapping_mul(element(host, &at, pad))
        };
        taps.iter().map(of_tap).fold(0, i64::wrapping_add)
    })
}

/// Compares a stencil of `2 a + 1` with and without borders.
fn check<const N: usize>(shape: [usize; N], taps: &[(Vec<isize>, i64)], pad: Pad<i64>) {
    let host = ArrayD::from_shape_vec(IxDyn(&shape), numbers(shape.iter().product(), 5)).unwrap();
    let doubled = host.mapv(|x| 2 * x + 1);
    let least: Vec<isize> =
        (0..N).map(|axis| taps.iter().map(|(at, _)| at[axis]).min().unwrap().min(0)).collect();
    let most: Vec<isize> =
        (0..N).map(|axis| taps.iter().map(|(at, _)| at[axis]).max().unwrap().max(0)).collect();
    let lens: Vec<isize> = (0..N).map(|axis| shape[axis] as isize - (most[axis] - least[axis])).collect();
    let is_empty = shape.contains(&0);
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::from_slice(queue, shape, &elements(&host)).unwrap();
        let offset = |at: &[isize]| -> [isize; N] { std::array::from_fn(|axis| at[axis]) };
        let closure = |at: &dyn Fn([isize; N]) -> Val<i64>| {
            let products = taps.iter().map(|(by, weight)| at(offset(by)) * *weight);
            products.reduce(|sum, product| sum + product).unwrap()
        };
        let expr = || 2 * &a + 1;

        let inside = expr().stencil(closure);
        if (0..N).any(|axis| least[axis] != most[axis] && lens[axis] <= 0) {
            let error = inside.collect().unwrap_err();
            assert!(matches!(error, Error::InvalidInput { what: "stencil", .. }), "{error}");
        } else {
            let lens: Vec<usize> = lens.iter().map(|&len| len as usize).collect();
            let first: Vec<usize> = least.iter().map(|&least| least.unsigned_abs()).collect();
            let wanted = sums(&doubled, &lens, &first, taps, pad);
            assert_eq!(inside.shape(), lens[..]);
            assert_eq!(inside.to_vec().unwrap(), elements(&wanted), "{shape:?} {taps:?}");
        }

        let padded = || expr().stencil_padded(pad, closure);
        if is_empty && !matches!(pad, Pad::Constant(_)) {
            return; // zero elements, or an error
        }
        let wanted = elements(&sums(&doubled, &shape, &[0; N], taps, pad));
        assert_eq!(padded().shape(), shape);
        assert_eq!(padded().to_vec().unwrap(), wanted, "{shape:?} {taps:?} {pad:?}");
        assert_eq!(padded().into_expr().to_vec().unwrap(), wanted, "{shape:?} {taps:?} {pad:?}");
        // Into a view that is turned.
        let turned: [usize; N] = std::array::from_fn(|axis| shape[N - 1 - axis]);
        let mut target = Array::filled(queue, turned, 0_i64).unwrap();
        padded().assign_to(target.view_mut().t().flip(0)).unwrap();
        assert_eq!(target.t().flip(0).to_vec().unwrap(), wanted);
    });
}

fn taps(rank: usize) -> impl Strategy<Value = Vec<(Vec<isize>, i64)>> {
    let offset = prop_oneof![3 => -1..=1_isize, 1 => -4..=4_isize];
    proptest::collection::vec((proptest::collection::vec(offset, rank), -9..9_i64), 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(full_or_small(6, 2)))]

    #[test]
    fn one_axis(shape in shape::<1>(), taps in taps(1), pad in pads()) {
        check::<1>(shape, &taps, pad);
    }

    #[test]
    fn two_axes(shape in shape::<2>(), taps in taps(2), pad in pads()) {
        check::<2>(shape, &taps, pad);
    }

    #[test]
    fn three_axes(shape in shape::<3>(), taps in taps(3), pad in pads()) {
        check::<3>(shape, &taps, pad);
    }
}

/// Long rows, whose packs read neighbours at constant distances, of elements of several types.
#[test]
fn neighbours_of_every_type() {
    const COLUMNS: usize = 77;
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let host: Vec<u8> = numbers(5 * COLUMNS, 2).iter().map(|&x| x as u8).collect();
        let at = |i: usize, j: usize| host[i * COLUMNS + j];
        let inside = |of: &dyn Fn(usize, usize) -> bool| -> Vec<bool> {
            (1..4).flat_map(|i| (1..COLUMNS - 1).map(move |j| (i, j))).map(|(i, j)| of(i, j)).collect()
        };

        let bytes = Array::from_slice(queue, [5, COLUMNS], &host).unwrap();
        let less = bytes.stencil(|at| at([0, -1]).lt(at([0, 1])) & at([-1, 0]).lt(at([1, 1])));
        // The reach is 1 to all sides.
        let wanted = inside(&|i, j| at(i, j - 1) < at(i, j + 1) && at(i - 1, j) < at(i + 1, j + 1));
        assert_eq!(less.to_vec().unwrap(), wanted);

        let flags = bytes.map(|x| x.gt(99_u8)).collect().unwrap();
        let edges = flags.stencil(|at| at([0, -1]) ^ at([0, 1]) | at([1, 0]) ^ at([-1, 0]));
        let is = |i, j| at(i, j) > 99;
        let wanted = inside(&|i, j| is(i, j - 1) ^ is(i, j + 1) | is(i + 1, j) ^ is(i - 1, j));
        assert_eq!(edges.to_vec().unwrap(), wanted);

        let triples: Vec<F32x3> = host.iter().map(|&x| F32x3::new([f32::from(x), 1.0, 2.0])).collect();
        let points = Array::from_slice(queue, [5, COLUMNS], &triples).unwrap();
        let sums = points.stencil(|at| at([0, 1]) + at([0, -1])).to_vec().unwrap();
        let row = |i: usize| (1..COLUMNS - 1).map(move |j| (i, j));
        let wanted = (0..5)
            .flat_map(row)
            .map(|(i, j)| F32x3::new([f32::from(at(i, j + 1)) + f32::from(at(i, j - 1)), 2.0, 4.0]));
        assert_eq!(sums, wanted.collect::<Vec<_>>());

        // Across the rows, and along every second column.
        let columns = bytes.t();
        let across = columns.stencil(|at| at([1, 0]).lt(at([-1, 0]))).to_vec().unwrap();
        let wanted = (1..COLUMNS - 1).flat_map(|j| (0..5).map(move |i| (i, j)));
        assert_eq!(across, wanted.map(|(i, j)| at(i, j + 1) < at(i, j - 1)).collect::<Vec<_>>());
        let even = bytes.slice(s![.., ..; 2]).stencil(|at| at([0, 1]).lt(at([0, 0]))).to_vec().unwrap();
        let wanted = (0..5).flat_map(|i| (0..COLUMNS / 2).map(move |j| (i, 2 * j)));
        assert_eq!(even, wanted.map(|(i, j)| at(i, j + 2) < at(i, j)).collect::<Vec<_>>());
    });
}

#[test]
fn a_sum_of_neighbours_is_reduced_in_one_kernel() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let host = numbers(40 * 50, 7);
        let a = Array::from_slice(queue, [40, 50], &host).unwrap();
        let sums = a.stencil(|at| at([0, 1]) - at([0, -1])).sum_axis(1).unwrap();
        let wanted = host.chunks(50).map(|row| (1..49).map(|j| row[j + 1] - row[j - 1]).sum());
        assert_eq!(sums.to_vec().unwrap(), wanted.collect::<Vec<i64>>());
        let smallest = a.stencil(|at| at([0, 0]).min(at([1, 0]))).min_axis(0).unwrap();
        let wanted = (0..50).map(|j| (0..40).map(|i| host[50 * i + j]).min().unwrap());
        assert_eq!(smallest.to_vec().unwrap(), wanted.collect::<Vec<i64>>());
    });
}

fn count_of(calls: &Calls, name: &str) -> u64 {
    calls.get(name).copied().unwrap_or(0)
}

#[test]
fn other_shapes_use_the_same_kernels() {
    let counter = exclusive();
    for device in devices() {
        let queue = &Queue::on(&device).unwrap();
        let evaluate = |shape: [usize; 2]| {
            let a = Array::filled(queue, shape, 1.0_f32).unwrap();
            let laplace = |at: &dyn Fn([isize; 2]) -> Val<f32>| {
                at([-1, 0]) + at([1, 0]) + at([0, -1]) + at([0, 1]) - 4.0 * at([0, 0])
            };
            drop(a.stencil(laplace).collect().unwrap());
            drop(a.stencil_padded(Pad::Edge, laplace).collect().unwrap());
        };
        // Rows that begin at multiples of 16 elements, of the array or of the inside, have kernels of their own.
        evaluate([37, 90]);
        evaluate([48, 96]);
        evaluate([48, 98]);
        for k in 0..16 {
            let calls = counter.calls_during(|| evaluate([39 + 9 * k, 91 + k]));
            let compiled =
                count_of(&calls, "clCreateProgramWithSource") + count_of(&calls, "clCreateProgramWithBinary");
            assert_eq!(compiled, 0, "{k} {calls:?}");
            // The inside; then the inside and the borders.
            assert_eq!(count_of(&calls, "clEnqueueNDRangeKernel"), 1 + 1, "{k} {calls:?}");
            assert_eq!(count_of(&calls, "clEnqueueReadBuffer"), 0, "{k} {calls:?}");
        }
    }
}

/// Neighbours of two arrays of different types, with two results, at every rule for the borders: boxes of one element,
/// boxes shorter than a pack, rows with packs and a rest.
#[test]
fn several_arrays_and_results() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        for shape in [[3, 4], [2, 19], [5, 70]] {
            let len = shape[0] * shape[1];
            let host_a = ArrayD::from_shape_vec(IxDyn(&shape), numbers(len, 5)).unwrap();
            let host_b = ArrayD::from_shape_vec(IxDyn(&shape), numbers(len, 3)).unwrap();
            let (a, b) = (elements(&host_a), elements(&host_b));
            let b: Vec<i32> = b.into_iter().map(|value| value as i32).collect();
            let a = Array::from_slice(queue, shape, &a).unwrap();
            let b = Array::from_slice(queue, shape, &b).unwrap();
            let [mut sums, mut turned] =
                [shape, [shape[1], shape[0]]].map(|shape| Array::filled(queue, shape, 0_i64).unwrap());
            for (pad, of_each) in [
                (Pad::Constant((PADDING, PADDING as i32)), Pad::Constant(PADDING)),
                (Pad::Wrap, Pad::Wrap),
                (Pad::Reflect, Pad::Reflect),
                (Pad::Symmetric, Pad::Symmetric),
                (Pad::Edge, Pad::Edge),
            ] {
                let stencil = || {
                    a.iter().zip(&b).stencil_padded(pad, |at| {
                        let ((left, below), (right, _)) = (at([0, -1]), at([1, 2]));
                        (left + right, left - below.cast::<i64>())
                    })
                };
                stencil().collect_into((&mut sums, turned.view_mut().t())).unwrap();
                let wanted = |value: &dyn Fn(isize, isize) -> i64| -> Vec<i64> {
                    (0..len).map(|at| value((at / shape[1]) as isize, (at % shape[1]) as isize)).collect()
                };
                let of_a = |i: isize, j: isize| element(&host_a, &[i, j], of_each);
                let of_b = |i: isize, j: isize| i64::from(element(&host_b, &[i, j], of_each) as i32);
                let expected = wanted(&|i, j| of_a(i, j - 1).wrapping_add(of_a(i + 1, j + 2)));
                assert_eq!(sums.to_vec().unwrap(), expected, "{shape:?} {pad:?}");
                let expected = wanted(&|i, j| of_a(i, j - 1).wrapping_sub(of_b(i, j - 1)));
                assert_eq!(turned.t().to_vec().unwrap(), expected, "{shape:?} {pad:?}");
                if shape == [2, 19] {
                    let (collected, _) = stencil().collect().unwrap();
                    assert_eq!(collected.to_vec().unwrap(), sums.to_vec().unwrap());
                }
            }
        }
        let a = Array::filled(queue, [2, 3], 1_i64).unwrap();
        let (mut x, mut y) =
            (Array::filled(queue, [2, 3], 0_i64).unwrap(), Array::filled(queue, [3, 2], 0_i64).unwrap());
        let both = a.stencil_padded(Pad::Edge, |at| (at([0, 1]), at([1, 0])));
        let error = both.collect_into((&mut x, &mut y)).unwrap_err().to_string();
        assert!(error.contains("an output has shape"), "{error}");
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
        let far = a.stencil(|at| at([0, -2]) + at([0, 2])).collect();
        check(far.unwrap_err(), "2 back and 2 ahead along axis 1");
        let far = a.stencil(|at| at([isize::MIN, 0]) + at([isize::MAX, 0])).collect();
        check(far.unwrap_err(), "along axis 0");
        for pad in [Pad::Constant(0), Pad::Edge, Pad::Reflect, Pad::Symmetric, Pad::Wrap] {
            let far = a.stencil_padded(pad, |at| at([isize::MIN, 0]) + at([isize::MAX, 0])).collect();
            assert!(matches!(far.unwrap_err(), Error::InvalidInput { .. }));
        }
        // A neighbour in the closure of another expression.
        let other = a.stencil(|at| {
            let here = at([0, 0]);
            let inner = a.map(|x| x + at([0, 1]) + here);
            check(inner.collect().unwrap_err(), "outside of the closure");
            at([0, 1])
        });
        assert_eq!(other.to_vec().unwrap(), [1; 9]);
        let mut b = Array::filled(queue, [4, 3], 1_i64).unwrap();
        let result = a.stencil_padded(Pad::Edge, |at| at([0, 1])).assign_to(b.view_mut());
        check(result.unwrap_err(), "[3, 4] is assigned to a view of shape [4, 3]");
        // Errors of the input, and arrays without elements.
        check(a.slice(s![..9, ..]).stencil(|at| at([0, 1])).collect().unwrap_err(), "axis 0");
        let none = Array::filled(queue, [0, 4], 1_i64).unwrap();
        assert_eq!(none.stencil(|at| at([0, 1])).collect().unwrap().shape(), [0, 3]);
        check(none.stencil(|at| at([1, 0])).collect().unwrap_err(), "axis 0");
        let padded = none.stencil_padded(Pad::Constant(3), |at| at([1, 0]));
        assert_eq!(padded.collect().unwrap().shape(), [0, 4]);
    });
}

/// An inside that is an error by its own leaves the borders as they were.
#[test]
fn an_error_of_the_inside_stores_no_border() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let (whole, part) =
            (Array::filled(queue, [4, 4], 1).unwrap(), Array::filled(queue, [2, 2], 1).unwrap());
        let mut target = Array::filled(queue, [4, 4], 7).unwrap();
        let wrong = part.iter().roll(2, 1);
        let bordered = Bordered::from_parts(Some((wrong, [1, 1])), whole.iter());
        assert!(bordered.assign_to(target.view_mut()).is_err());
        assert_eq!(target.to_vec().unwrap(), [7; 16]);
    });
}

#[test]
fn boxes_beyond_an_array_are_errors() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let whole = Array::filled(queue, [4, 5], 7_i32).unwrap();
        let mut target = Array::filled(queue, [4, 5], 1_i32).unwrap();
        for (begin, inside) in
            [([0, 1], [4, 5]), ([1, 1], [4, 3]), ([5, 0], [0, 5]), ([0, 0], [4, usize::MAX])]
        {
            let error = Borders::around(target.view_mut(), begin, inside).unwrap_err().to_string();
            assert!(error.contains("is not within an array of shape [4, 5]"), "{error}");
        }
        for begin in [[0, 1], [0, usize::MAX]] {
            // As a whole: a kernel of the inside that is larger than the array.
            let parts = Bordered::from_parts(Some((whole.iter(), begin)), whole.iter());
            parts.assign_to(target.view_mut()).unwrap_err();
        }
        let (borders, rest, first) = Borders::around(target.view_mut(), [1, 0], [2, 5]).unwrap();
        assert_eq!((rest.shape(), first), ([2, 5], [1, 0]));
        borders.assign(&Array::filled(queue, [5, 5], 7).unwrap().iter()).unwrap_err();
        assert_eq!(target.to_vec().unwrap(), [1; 20]);
        let (borders, _, _) = Borders::around(target.view_mut(), [1, 0], [2, 5]).unwrap();
        borders.assign(&whole.iter()).unwrap();
        let wanted: Vec<i32> = (0..20).map(|at| if matches!(at / 5, 0 | 3) { 7 } else { 1 }).collect();
        assert_eq!(target.to_vec().unwrap(), wanted);
    });
}

/// Operators whose items read several rows and layers, stored inside an array: rows begin at lines of memory or anywhere, and
/// the last tiles along each axis are not full.
#[test]
fn neighbours_in_rows_and_layers() {
    let sizes = full_or_small(
        vec![[3, 3, 16], [4, 11, 32], [12, 10, 144], [3, 19, 272], [11, 4, 45]],
        vec![[3, 4, 16], [4, 11, 48]],
    );
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        for shape in &sizes {
            let [layers, rows, columns] = *shape;
            let len = layers * rows * columns;
            let (host_f, host_g) = (numbers(len, 9), numbers(len, 7));
            let sum = |at: usize| host_f[at].wrapping_add(host_g[at]);
            let inner = |at: usize, len: usize| (1..len - 1).contains(&at);
            let expected: Vec<i64> = (0..len)
                .map(|at| {
                    let (x, y, z) = (at % columns, at / columns % rows, at / columns / rows);
                    if !(inner(x, columns) && inner(y, rows) && inner(z, layers)) {
                        return -1;
                    }
                    let steps = [1, columns, columns * rows];
                    let around = steps.iter().map(|step| sum(at - step).wrapping_add(sum(at + step)));
                    around.fold(sum(at).wrapping_mul(-6), i64::wrapping_add)
                })
                .collect();
            let f = Array::from_slice(queue, *shape, &host_f).unwrap();
            let g = Array::from_slice(queue, *shape, &host_g).unwrap();
            let mut out = Array::filled(queue, *shape, -1_i64).unwrap();
            let sum = &f + &g;
            let across = sum.clone().slice(s![1..-1, 1..-1, ..-2]) + sum.clone().slice(s![1..-1, 1..-1, 2..]);
            let down = sum.clone().slice(s![1..-1, ..-2, 1..-1]) + sum.clone().slice(s![1..-1, 2.., 1..-1]);
            let deep = sum.clone().slice(s![..-2, 1..-1, 1..-1]) + sum.clone().slice(s![2.., 1..-1, 1..-1]);
            let here = sum.slice(s![1..-1, 1..-1, 1..-1]);
            out.slice_mut(s![1..-1, 1..-1, 1..-1]).assign(across + down + deep - 6 * here).unwrap();
            assert_eq!(out.to_vec().unwrap(), expected, "{shape:?}");

            // One layer, with packs of four and of eight items, and neighbours that are farther away.
            let weights = |k: usize| (k * 5 % 7) as i64;
            let (tall, wide) = (layers * rows - 2, columns - 3);
            let expected: Vec<i64> = (0..tall * wide)
                .map(|at| {
                    let tap = |k: usize| host_f[(at / wide + k / 4) * columns + at % wide + k % 4];
                    (0..12).map(|k| weights(k) * (tap(k) & 15)).sum()
                })
                .collect();
            let masked: Vec<i64> = host_f.iter().map(|x| x & 15).collect();
            let words = masked.iter().map(|&x| x as f32).collect::<Vec<_>>();
            let words = Array::from_slice(queue, [layers * rows, columns], &words).unwrap();
            let term =
                |k: usize| weights(k) as f32 * words.slice(s![k / 4..k / 4 + tall, k % 4..k % 4 + wide]);
            let sums = (1..12).fold(term(0), |sum, k| sum + term(k)).to_vec().unwrap();
            assert_eq!(sums.iter().map(|&x| x as i64).collect::<Vec<_>>(), expected, "{shape:?}");
            let halves = masked.iter().map(|&x| x as u16).collect::<Vec<_>>();
            let halves = Array::from_slice(queue, [layers * rows, columns], &halves).unwrap();
            let term =
                |k: usize| weights(k) as u16 * halves.slice(s![k / 4..k / 4 + tall, k % 4..k % 4 + wide]);
            let sums = (1..12).fold(term(0), |sum, k| sum + term(k)).to_vec().unwrap();
            assert_eq!(sums.iter().map(|&x| i64::from(x)).collect::<Vec<_>>(), expected, "{shape:?}");
        }
    });
}
