//! Reductions that several units compute in parts, and arrays of six axes.

use crate::against_ndarray::{elements, numbers};
use cl_array::prelude::*;
use cl_test::{each_device, each_device_and_forced, full_or_small};
use ndarray::{ArrayD, Axis, IxDyn};

/// Returns a function of each line along an axis.
fn lines<T: Clone, R>(array: &ArrayD<T>, axis: usize, of: impl Fn(&[T]) -> R) -> Vec<R> {
    array.lanes(Axis(axis)).into_iter().map(|line| of(&line.to_vec())).collect()
}

fn first_of(line: &[u8], is_better: fn(&u8, &u8) -> bool) -> u64 {
    (0..line.len()).reduce(|best, at| if is_better(&line[at], &line[best]) { at } else { best }).unwrap()
        as u64
}

/// Compares reductions along each axis of an array: of numbers, and of structs if `with_structs`.
fn check<const N: usize, const M: usize>(shape: [usize; N], with_structs: bool)
where
    cl_array::Rank<N>: cl_array::Reduce<Array<i64> = Array<i64, M>>,
    cl_array::Rank<N>: cl_array::Reduce<Array<u64> = Array<u64, M>>,
{
    let count = shape.iter().product();
    let host = ArrayD::from_shape_vec(IxDyn(&shape), numbers(count, 3)).unwrap();
    let bytes = host.mapv(|x| x as u8);
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::from_slice(queue, shape, host.as_slice().unwrap()).unwrap();
        let b = Array::from_slice(queue, shape, bytes.as_slice().unwrap()).unwrap();
        for axis in 0..N {
            let case = format!("{shape:?} along {axis}");
            let sums = (&a * 3).sum_axis(axis).unwrap().to_vec().unwrap();
            assert_eq!(sums, lines(&host, axis, |line| 3 * line.iter().sum::<i64>()), "{case}");
            if with_structs {
                let greatest = b.argmax_axis(axis).unwrap().to_vec().unwrap();
                assert_eq!(greatest, lines(&bytes, axis, |line| first_of(line, u8::gt)), "{case}");
            }
        }
    });
}

#[test]
fn reductions_in_parts() {
    let long = full_or_small(30_001, 301);
    check::<2, 1>([3, long], false);
    check::<2, 1>([long, 3], true);
    check::<3, 2>([2, long / 8, 9], false);
}

/// All rows of a part of an array are one output: units take different rows, or parts of each row if these are few.
#[test]
fn one_output_of_many_rows() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        for shape in full_or_small([[81, 70, 33], [5, 4, 5003]], [[7, 6, 33], [3, 4, 303]]) {
            let host = ArrayD::from_shape_vec(IxDyn(&shape), numbers(shape.iter().product(), 3)).unwrap();
            let a = Array::from_slice(queue, shape, host.as_slice().unwrap()).unwrap();
            let [layers, rows, columns] = shape.map(|len| len - 1);
            let inside = host.slice(ndarray::s![1..layers, 1..rows, 1..columns]);
            let part = || a.slice(s![1..-1, 1..-1, 1..-1]);
            assert_eq!(part().sum().unwrap(), inside.sum(), "{shape:?}");
            assert_eq!(part().reduce_max().unwrap(), inside.iter().copied().max(), "{shape:?}");
        }
    });
}

/// Rows are folded four at once, and a work-item of a CPU has 16 KiB of totals.
#[test]
fn long_rows_of_totals() {
    check::<2, 1>([11, full_or_small(2103, 43)], true);
}

/// CPUs move the rows of long outputs so that their packs begin at lines of memory.
#[test]
fn long_outputs_within_a_grid() {
    let shape = full_or_small([21, 230, 2000], [4, 5, 96]);
    let at = |[i, j, k]: [usize; 3]| ((i * shape[1] + j) * shape[2] + k) as u32;
    let host: Vec<u32> = (0..shape.iter().product::<usize>() as u32).collect();
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::from_slice(queue, shape, &host).unwrap();
        for begin in [1, 21] {
            let mut out = Array::filled(queue, shape, 7_u32).unwrap();
            let left = a.slice(s![1..-1, 1..-1, (begin - 1)..-2]);
            let below = a.slice(s![2.., 1..-1, begin..-1]);
            let turned = a.slice(s![1..-1, ..-2, 1..-begin]).flip(2);
            out.slice_mut(s![1..-1, 1..-1, begin..-1]).assign(2 * left + below + 3 * turned).unwrap();
            let out = out.to_vec().unwrap();
            let (from, last) = (begin as usize, shape[2] - 1);
            for (at_once, &got) in out.iter().enumerate() {
                let (row, k) = (at_once / shape[2], at_once % shape[2]);
                let (i, j) = (row / shape[1], row % shape[1]);
                let is_inside = (1..shape[0] - 1).contains(&i)
                    && (1..shape[1] - 1).contains(&j)
                    && (from..last).contains(&k);
                let wanted = match is_inside {
                    true => 2 * at([i, j, k - 1]) + at([i + 1, j, k]) + 3 * at([i, j - 1, last - k]),
                    false => 7,
                };
                assert_eq!(got, wanted, "[{i}, {j}, {k}] from {begin}");
            }
        }
    });
}

#[test]
fn products_in_parts() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        for [m, k, n] in full_or_small([[8, 5000, 7], [13, 700, 33]], [[8, 50, 7], [13, 7, 33]]) {
            let (a, b) = (numbers(m * k, 1), numbers(k * n, 2));
            let wanted: Vec<i64> = (0..m * n)
                .map(|at| {
                    (0..k)
                        .map(|l| a[at / n * k + l].wrapping_mul(b[l * n + at % n]))
                        .fold(0, i64::wrapping_add)
                })
                .collect();
            let left = Array::from_slice(queue, [m, k], &a).unwrap();
            let right = Array::from_slice(queue, [k, n], &b).unwrap();
            assert_eq!(left.matmul(&right).unwrap().to_vec().unwrap(), wanted, "{m} {k} {n}");
            let turned = right.t().collect().unwrap();
            assert_eq!(left.matmul(turned.t()).unwrap().to_vec().unwrap(), wanted, "{m} {k} {n}, transposed");
        }
    });
}

#[test]
fn six_axes() {
    const SHAPE: [usize; 6] = [2, 3, 4, 2, 3, 5];
    const ORDER: [usize; 6] = [3, 1, 5, 0, 4, 2];
    let count = SHAPE.iter().product();
    let host = ArrayD::from_shape_vec(IxDyn(&SHAPE), numbers(count, 7)).unwrap();
    let mut turned = host.clone().permuted_axes(IxDyn(&ORDER));
    turned.invert_axis(Axis(2));
    turned.invert_axis(Axis(3));
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::from_slice(queue, SHAPE, host.as_slice().unwrap()).unwrap();
        let view = || a.permute_axes(ORDER).flip(2).flip(3);
        assert_eq!(view().to_vec().unwrap(), elements(&turned));
        let mut b = Array::filled(queue, SHAPE, 0).unwrap();
        b.view_mut().permute_axes(ORDER).flip(2).flip(3).assign(view()).unwrap();
        assert_eq!(b.to_vec().unwrap(), elements(&host));
        for axis in [0, 2, 5] {
            let sums = view().iter().sum_axis(axis).unwrap().to_vec().unwrap();
            assert_eq!(sums, elements(&turned.sum_axis(Axis(axis))), "along {axis}");
        }
        let sums = view().iter().sum_axes::<3>(&[4, 0, 2]).unwrap().to_vec().unwrap();
        let wanted = turned.sum_axis(Axis(4)).sum_axis(Axis(2)).sum_axis(Axis(0));
        assert_eq!(sums, elements(&wanted));
        let row = Array::from_slice(queue, [5], &numbers(5, 1)).unwrap();
        let sum = (&a + &row).slice(s![0, .., ..; -1, 1, ..; 2, -1]).to_vec().unwrap();
        let sliced = host.slice(ndarray::s![0, .., ..; -1, 1, ..; 2, -1]).mapv(|x| x + numbers(5, 1)[4]);
        assert_eq!(sum, elements(&sliced.into_dyn()));
        let rolled =
            a.iter().roll(5, 2).roll(0, 1).pad([(0, 0), (0, 0), (1, 0), (0, 0), (0, 0), (0, 1)], Pad::Edge);
        assert_eq!(rolled.shape(), [2, 3, 5, 2, 3, 6]);
        assert_eq!(rolled.slice(s![0, 0, 0, 0, 0, ..]).to_vec().unwrap(), {
            let line: Vec<i64> = host.slice(ndarray::s![1, 0, 0, 0, 0, ..]).to_vec();
            [3, 4, 0, 1, 2, 2].map(|at: usize| line[at])
        });
    });
}
