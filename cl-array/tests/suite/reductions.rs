//! Extremes, conditions, moments and norms along axes, compared with loops on the host.

use crate::against_ndarray::shape;
use crate::rearranged::Elements;
use cl_algo::Element;
use cl_array::prelude::*;
use cl_array::{Rank, Reduce};
use cl_core::Error;
use cl_test::{each_device, each_device_and_forced};
use ndarray::{ArrayD, Axis, IxDyn};
use proptest::prelude::*;

/// Returns numbers of which several are equal, and some are NaN. Every eighth run of numbers is NaN alone.
fn with_nan(count: usize) -> Vec<f32> {
    let number = |i: usize| {
        let random = i.wrapping_mul(0x9e37_79b9) >> 7;
        if (i / 16).is_multiple_of(8) || random.is_multiple_of(5) {
            f32::NAN
        } else {
            (random % 7) as f32 - 3.0
        }
    };
    (0..count).map(number).collect()
}

/// Returns the index of the first of the elements that are better than all others.
fn best(line: impl Iterator<Item = f32>, is_better: fn(&f32, &f32) -> bool) -> u64 {
    let numbers = line.enumerate().filter(|(_, x)| !x.is_nan());
    let better = |a: (usize, f32), b: (usize, f32)| if is_better(&b.1, &a.1) { b } else { a };
    numbers.reduce(better).map_or(0, |(index, _)| index as u64)
}

fn each<R>(array: &ArrayD<f32>, axis: usize, of: impl Fn(Vec<f32>) -> R) -> Vec<R> {
    array.lanes(Axis(axis)).into_iter().map(|line| of(line.iter().copied().collect())).collect()
}

/// Checks the results of an axis. A line of length 0 has a result if `of_nothing` is true.
fn check_axis<T: Element + PartialEq + std::fmt::Debug, A: Elements<T>>(
    got: cl_core::Result<A>,
    wanted: impl FnOnce() -> Vec<T>,
    len: usize,
    results: usize,
    of_nothing: bool,
) {
    if len == 0 && results > 0 && !of_nothing {
        assert!(matches!(got.err().unwrap(), Error::InvalidInput { .. }));
    } else {
        assert_eq!(got.unwrap().elements(), wanted());
    }
}

fn check<const N: usize>(shape: [usize; N])
where
    Rank<N>: Reduce,
    <Rank<N> as Reduce>::Array<u64>: Elements<u64>,
    <Rank<N> as Reduce>::Array<bool>: Elements<bool>,
    <Rank<N> as Reduce>::Array<f32>: Elements<f32>,
{
    let host = ArrayD::from_shape_vec(IxDyn(&shape), with_nan(shape.iter().product())).unwrap();
    let reversed: Vec<usize> = (0..N).rev().collect();
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::from_slice(queue, shape, host.as_slice().unwrap()).unwrap();
        for (expr, host) in
            [(a.iter(), host.view()), (a.t().into(), host.view().permuted_axes(&reversed[..]))]
        {
            let host = host.to_owned();
            for axis in 0..N {
                let (len, results) = (host.shape()[axis], host.lanes(Axis(axis)).into_iter().len());
                let least = || each(&host, axis, |line| best(line.into_iter(), f32::lt));
                check_axis(expr.clone().argmin_axis(axis), least, len, results, false);
                let greatest = || each(&host, axis, |line| best(line.into_iter(), f32::gt));
                check_axis(expr.clone().argmax_axis(axis), greatest, len, results, false);
                let above = |x: f32| x > 1.0;
                let any = || each(&host, axis, |line| line.into_iter().any(above));
                check_axis(expr.clone().map(|x| x.gt(1.0)).any_axis(axis), any, len, results, true);
                let all = || each(&host, axis, |line| line.into_iter().all(above));
                check_axis(expr.clone().map(|x| x.gt(1.0)).all_axis(axis), all, len, results, true);
                let count =
                    || each(&host, axis, |line| line.into_iter().filter(|&x| above(x)).count() as u64);
                check_axis(expr.clone().map(|x| x.gt(1.0)).count_axis(axis), count, len, results, true);
                // Squares of small integers are exact.
                let numbers = expr.clone().map(|x| x.eq(x).select(x, 1.0));
                let squares =
                    |line: Vec<f32>| line.iter().map(|x| if x.is_nan() { 1.0 } else { x * x }).sum::<f32>();
                let norms = || each(&host, axis, |line| squares(line).sqrt());
                check_norms(numbers.norm_axis(axis), norms);
            }
            let is_above = || expr.clone().map(|x| x.gt(1.0));
            let count = host.iter().filter(|&&x| x > 1.0).count();
            assert_eq!(is_above().count().unwrap(), count as u64);
            assert_eq!(is_above().any().unwrap(), count > 0);
            assert_eq!(is_above().all().unwrap(), count == host.len());
            for (got, is_better) in [
                (expr.clone().argmin().unwrap(), f32::lt as fn(&f32, &f32) -> bool),
                (expr.clone().argmax().unwrap(), f32::gt),
            ] {
                let number = |at: [usize; N]| {
                    (0..N).fold(0, |number, axis| number * host.shape()[axis] + at[axis]) as u64
                };
                let wanted = (!host.is_empty()).then(|| best(host.iter().copied(), is_better));
                assert_eq!(got.map(number), wanted, "{shape:?}");
            }
        }
    });
}

fn check_norms<A: Elements<f32>>(got: cl_core::Result<A>, wanted: impl FnOnce() -> Vec<f32>) {
    for (got, wanted) in got.unwrap().elements().into_iter().zip(wanted()) {
        assert!((got - wanted).abs() <= 1e-6 * wanted, "{got} {wanted}");
    }
}

/// Compares variances of numbers whose mean is far larger than their deviations.
fn check_variances<const N: usize>(shape: [usize; N])
where
    Rank<N>: Reduce,
    <Rank<N> as Reduce>::Array<f32>: Elements<f32>,
{
    let number = |i: usize| 10_000.0 + (i.wrapping_mul(0x9e37_79b9) >> 7 & 1023) as f32 / 64.0;
    let count = shape.iter().product();
    let host = ArrayD::from_shape_vec(IxDyn(&shape), (0..count).map(number).collect()).unwrap();
    let variance = |line: Vec<f32>, ddof: usize| {
        let line: Vec<f64> = line.into_iter().map(f64::from).collect();
        let mean = line.iter().sum::<f64>() / line.len() as f64;
        let squares: f64 = line.iter().map(|x| (x - mean) * (x - mean)).sum();
        squares / line.len().saturating_sub(ddof) as f64
    };
    let is_near = |got: f32, wanted: f64| {
        got.is_nan() && wanted.is_nan() || (f64::from(got) - wanted).abs() <= 1e-5 * wanted
    };
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::from_slice(queue, shape, host.as_slice().unwrap()).unwrap();
        for ddof in [0, 1] {
            for axis in 0..N {
                let got = a.variance_axis(axis, ddof);
                if shape[axis] == 0 && count == 0 && host.lanes(Axis(axis)).into_iter().len() > 0 {
                    assert!(matches!(got.err().unwrap(), Error::InvalidInput { .. }));
                    continue;
                }
                let wanted = each(&host, axis, |line| variance(line, ddof));
                let got = got.unwrap().elements();
                assert_eq!(got.len(), wanted.len());
                for (got, wanted) in got.into_iter().zip(wanted) {
                    assert!(is_near(got, wanted), "{got} {wanted} {shape:?} along {axis}");
                }
            }
            let mean = |line: Vec<f32>| line.iter().copied().map(f64::from).sum::<f64>() / line.len() as f64;
            for axis in (0..N).filter(|&axis| shape[axis] > 0) {
                let got = a.mean_axis(axis).unwrap().elements();
                let wanted = each(&host, axis, mean);
                assert!(
                    got.into_iter().zip(wanted).all(|(got, wanted)| is_near(got, wanted)),
                    "{shape:?} {axis}"
                );
            }
            assert!(a.mean().unwrap().is_none_or(|got| is_near(got, mean(host.iter().copied().collect()))));
            let all = a.variance(ddof).unwrap();
            assert_eq!(all.is_none(), count == 0);
            let wanted = variance(host.iter().copied().collect(), ddof);
            assert!(all.is_none_or(|got| is_near(got, wanted)), "{all:?} {wanted} {shape:?}");
            // The same moments, and a root: not a kernel for each number of axes.
            if ddof == 1 && N == 3 && count > 0 {
                let deviation = a.std(ddof).unwrap().unwrap();
                assert!(is_near(deviation * deviation, wanted), "{deviation} {wanted}");
                let [got, deviations] = [a.variance_axis(0, 1).unwrap(), a.std_axis(0, 1).unwrap()];
                for (got, deviation) in got.elements().into_iter().zip(deviations.elements()) {
                    assert!(is_near(deviation * deviation, f64::from(got)), "{deviation} {got}");
                }
            }
        }
    });
}

macro_rules! ranks {
    ($($test:ident $variances:ident $n:literal;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(2))]
            $(
                #[test]
                fn $test(shape in shape::<$n>()) {
                    check::<$n>(shape);
                }

                #[test]
                fn $variances(shape in shape::<$n>()) {
                    check_variances::<$n>(shape);
                }
            )*
        }
    };
}

ranks! {
    one_axis variances_of_one_axis 1;
    two_axes variances_of_two_axes 2;
    three_axes variances_of_three_axes 3;
    four_axes variances_of_four_axes 4;
}

#[test]
fn results_larger_than_items() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        for len in (1..40).chain([1000]) {
            let host: Vec<u8> = (0..2 * len).map(|i| (i * 37 % 11) as u8).collect();
            let a = Array::from_slice(queue, [2, len], &host).unwrap();
            let wanted: Vec<u64> = (0..len).map(|i| u64::from(host[len + i] < host[i])).collect();
            assert_eq!(a.argmin_axis(0).unwrap().to_vec().unwrap(), wanted, "{len}");
        }
    });
}

#[test]
fn several_axes() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        for shape in [[3, 4, 5, 6], [1, 7, 1, 9], [2, 0, 3, 1], [40, 1, 3, 50]] {
            let count: usize = shape.iter().product();
            let numbers: Vec<i64> = (0..count as i64).map(|i| i * 7919 % 1013).collect();
            let host = ArrayD::from_shape_vec(IxDyn(&shape), numbers).unwrap();
            let a = Array::from_slice(queue, shape, host.as_slice().unwrap()).unwrap();
            let along = |axes: &[usize]| {
                let mut axes = axes.to_vec();
                axes.sort_unstable();
                axes.iter().rev().fold(host.clone(), |array, &axis| array.sum_axis(Axis(axis)))
            };
            let elements = |array: ArrayD<i64>| array.iter().copied().collect::<Vec<_>>();
            for axes in [[0, 1], [2, 0], [3, 1], [2, 3]] {
                let sums = a.iter().sum_axes::<2>(&axes).unwrap();
                assert_eq!(sums.shape(), along(&axes).shape());
                assert_eq!(sums.to_vec().unwrap(), elements(along(&axes)), "{shape:?} along {axes:?}");
            }
            assert_eq!(
                a.iter().sum_axes::<1>(&[3, 0, 2]).unwrap().to_vec().unwrap(),
                elements(along(&[3, 0, 2]))
            );
            assert_eq!(a.iter().sum_axes::<0>(&[0, 1, 2, 3]).unwrap().to_vec().unwrap(), [host.sum()]);
            assert_eq!(a.iter().sum_axes::<4>(&[]).unwrap().to_vec().unwrap(), elements(host.clone()));
            if count > 0 {
                let greatest = a.iter().fold_axes::<2>(&[1, 3], Val::max).unwrap().to_vec().unwrap();
                let line = |array: &ArrayD<i64>, axis| {
                    array.map_axis(Axis(axis), |line| *line.iter().max().unwrap())
                };
                assert_eq!(greatest, elements(line(&line(&host, 3), 1)));
            }
        }
    });
}

/// All kinds of reductions along two of three axes, of small numbers that are exact.
#[test]
fn several_axes_of_all_kinds() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let shape = [3, 4, 5];
        let host: Vec<f32> = (0..60).map(|i| (i * 37 % 11) as f32 - 5.0).collect();
        let a = Array::from_slice(queue, shape, &host).unwrap();
        // The elements of each result, in any order.
        let lines: Vec<Vec<f32>> =
            (0..4).map(|j| (0..60).filter(|at| at / 5 % 4 == j).map(|at| host[at]).collect()).collect();
        let each = |of: fn(&[f32]) -> f32| lines.iter().map(|line| of(line)).collect::<Vec<f32>>();
        let mean = |line: &[f32]| line.iter().sum::<f32>() / 15.0;
        assert_eq!(
            a.min_axes::<1>(&[2, 0]).unwrap().to_vec().unwrap(),
            each(|l| l.iter().copied().fold(9.0, f32::min))
        );
        assert_eq!(
            a.max_axes::<1>(&[0, 2]).unwrap().to_vec().unwrap(),
            each(|l| l.iter().copied().fold(-9.0, f32::max))
        );
        let signs = a.map(|x| x.lt(0.0).select(-1_i32, 1));
        let wanted: Vec<i32> =
            lines.iter().map(|l| l.iter().map(|&x| if x < 0.0 { -1 } else { 1 }).product()).collect();
        assert_eq!(signs.product_axes::<1>(&[0, 2]).unwrap().to_vec().unwrap(), wanted);
        for (got, line) in a.mean_axes::<1>(&[0, 2]).unwrap().to_vec().unwrap().into_iter().zip(&lines) {
            assert!((got - mean(line)).abs() < 1e-6);
        }
        let variances = a.variance_axes::<1>(&[0, 2], 1).unwrap().to_vec().unwrap();
        let deviations = a.std_axes::<1>(&[0, 2], 1).unwrap().to_vec().unwrap();
        for ((variance, deviation), line) in variances.into_iter().zip(deviations).zip(&lines) {
            let wanted = line.iter().map(|x| (x - mean(line)).powi(2)).sum::<f32>() / 14.0;
            assert!((variance - wanted).abs() < 1e-4 && (deviation - wanted.sqrt()).abs() < 1e-4);
        }
        let is_above = || a.map(|x| x.gt(4.0));
        let counts: Vec<u64> = lines.iter().map(|l| l.iter().filter(|&&x| x > 4.0).count() as u64).collect();
        assert_eq!(is_above().count_axes::<1>(&[0, 2]).unwrap().to_vec().unwrap(), counts);
        let is_any: Vec<bool> = counts.iter().map(|&count| count > 0).collect();
        assert_eq!(is_above().any_axes::<1>(&[0, 2]).unwrap().to_vec().unwrap(), is_any);
        let is_all: Vec<bool> = lines.iter().map(|l| l.iter().all(|&x| x > -5.0)).collect();
        assert_eq!(a.map(|x| x.gt(-5.0)).all_axes::<1>(&[0, 2]).unwrap().to_vec().unwrap(), is_all);
        // Results keep their axes.
        let kept = a.sum_axes::<1>(&[0, 2]).unwrap();
        let kept = kept.insert_axis(0).insert_axis(2);
        assert_eq!((&a - kept).shape(), shape);
        // Of zero elements.
        let none = Array::filled(queue, [2, 0, 3], true).unwrap();
        assert_eq!(none.any_axes::<1>(&[0, 1]).unwrap().to_vec().unwrap(), [false; 3]);
        assert_eq!(none.all_axes::<1>(&[0, 1]).unwrap().to_vec().unwrap(), [true; 3]);
        assert_eq!(none.count_axes::<1>(&[0, 1]).unwrap().to_vec().unwrap(), [0; 3]);
        let none = Array::filled(queue, [2, 0], 1.0_f32).unwrap();
        assert_eq!((none.std(0).unwrap(), none.argmin().unwrap()), (None, None));
    });
}

#[test]
fn norms() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let host = [3.0_f32, -4.0, 0.0, -6.0, 8.0, -9.0];
        let a = Array::from_slice(queue, [2, 3], &host).unwrap();
        assert_eq!((a.norm_l1().unwrap(), a.norm_max().unwrap()), (30.0, 9.0));
        assert_eq!(a.norm_l1_axis(0).unwrap().to_vec().unwrap(), [9.0, 12.0, 9.0]);
        assert_eq!(a.norm_l1_axis(1).unwrap().to_vec().unwrap(), [7.0, 23.0]);
        assert_eq!(a.norm_max_axis(0).unwrap().to_vec().unwrap(), [6.0, 8.0, 9.0]);
        assert_eq!(a.norm_max_axis(1).unwrap().to_vec().unwrap(), [4.0, 9.0]);
        let none = Array::filled(queue, [0, 2], 1.0_f32).unwrap();
        assert_eq!((none.norm_l1().unwrap(), none.norm_max().unwrap()), (0.0, 0.0));
        assert_eq!(none.norm_max_axis(0).unwrap().to_vec().unwrap(), [0.0; 2]);
        assert_eq!(none.norm_l1_axis(0).unwrap().to_vec().unwrap(), [0.0; 2]);
    });
}

#[test]
fn mistakes() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::filled(queue, [2, 3], 1.0_f32).unwrap();
        for error in [
            a.argmin_axis(2).err().unwrap(),
            a.variance_axis(2, 0).err().unwrap(),
            a.norm_axis(2).err().unwrap(),
            a.std_axis(2, 0).err().unwrap(),
            a.norm_max_axis(2).err().unwrap(),
            a.norm_l1_axis(2).err().unwrap(),
            a.std_axes::<1>(&[0, 0], 0).unwrap_err(),
            a.mean_axes::<1>(&[2]).unwrap_err(),
            a.min_axes::<0>(&[1]).unwrap_err(),
            a.slice(s![2, ..]).argmin().unwrap_err(),
            a.iter().sum_axes::<1>(&[0, 1]).unwrap_err(),
            a.iter().sum_axes::<0>(&[0, 0]).unwrap_err(),
            a.iter().sum_axes::<1>(&[2]).unwrap_err(),
            a.slice(s![2, ..]).into_array_expr().argmax_axis(0).err().unwrap(),
        ] {
            assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
        }
        // The elements of an array of `bool`s, and of zero elements.
        let flags = Array::from_slice(queue, [2, 2], &[true, false, true, true]).unwrap();
        assert_eq!(flags.all_axis(0).unwrap().to_vec().unwrap(), [true, false]);
        assert_eq!(flags.count().unwrap(), 3);
        let none = Array::filled(queue, [0, 3], 1.0_f32).unwrap();
        assert_eq!(none.norm().unwrap(), 0.0);
        assert_eq!(none.norm_axis(0).unwrap().to_vec().unwrap(), [0.0; 3]);
        assert!(none.iter().lt(0.0).all().unwrap());
        assert_eq!(
            a.variance_axis(0, 5).unwrap().to_vec().unwrap().iter().filter(|x| x.is_finite()).count(),
            0
        );
    });
}

#[test]
fn norms_of_very_large_and_very_small_numbers() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::from_slice(queue, [3, 2], &[3e-30_f32, 4e-30, 3e30, 4e30, 3.0, 4.0]).unwrap();
        let close = |found: &[f32], wanted: &[f32]| {
            assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() <= 1e-6 * b), "{found:?} {wanted:?}");
        };
        close(&a.norm_axis(1).unwrap().to_vec().unwrap(), &[5e-30, 5e30, 5.0]);
        close(&a.norm_axis(0).unwrap().to_vec().unwrap(), &[3e30, 4e30]);
        close(&[a.norm().unwrap(), a.row(0).iter().norm().unwrap()], &[5e30, 5e-30]);
        // Medium numbers have the root of the plain sum.
        let b =
            Array::from_fn(queue, [9, 200], |[i, j]| ((i * 7 + j * 13) % 101).cast::<f32>() * 0.37 - 11.0)
                .unwrap();
        let plain = b.map(|x| x * x).sum_axis(1).unwrap().iter().sqrt().to_vec().unwrap();
        close(&b.norm_axis(1).unwrap().to_vec().unwrap(), &plain);
        if cl_test::offers(device, "f64", device.has_fp64()) {
            let a = Array::from_slice(queue, [2, 2], &[3e-200_f64, 4e-200, 3e200, 4e200]).unwrap();
            let rows = a.norm_axis(1).unwrap().to_vec().unwrap();
            assert!(
                (rows[0] / 5e-200 - 1.0).abs() < 1e-15 && (rows[1] / 5e200 - 1.0).abs() < 1e-15,
                "{rows:?}"
            );
            assert!((a.norm().unwrap() / 5e200 - 1.0).abs() < 1e-15);
        }
    });
}
