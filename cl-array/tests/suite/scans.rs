//! Scans along axes, compared with loops on the host.

use crate::against_ndarray::{elements, numbers, shape};
use cl_algo::ranked::{self, AxisMap, Layout, RankedTarget};
use cl_array::prelude::*;
use cl_core::Error;
use cl_test::{each_device, each_device_and_forced};
use ndarray::{ArrayD, Axis, IxDyn};
use proptest::prelude::*;

/// A function `x -> a x + b`. The composition of such functions does not commute.
type Step = (Val<i64>, Val<i64>);

/// Returns the results of a function from the elements of a line along an axis to those of the scanned line.
fn each_line<T: Clone + Default>(
    host: &ArrayD<i64>,
    axis: usize,
    scanned: impl Fn(&[i64]) -> Vec<T>,
) -> Vec<T> {
    let mut wanted = ArrayD::from_elem(host.raw_dim(), T::default());
    for (line, mut to) in host.lanes(Axis(axis)).into_iter().zip(wanted.lanes_mut(Axis(axis))) {
        let line: Vec<i64> = line.iter().copied().collect();
        to.iter_mut().zip(scanned(&line)).for_each(|(to, value)| *to = value);
    }
    wanted.iter().cloned().collect()
}

fn composed(line: &[i64]) -> Vec<i64> {
    let mut sum = 0_i64;
    line.iter()
        .map(|&x| {
            sum = sum.wrapping_mul(x | 1).wrapping_add(x);
            sum
        })
        .collect()
}

fn last_odd_before(line: &[i64], initial: i64) -> Vec<i64> {
    let mut last = initial;
    line.iter()
        .map(|&x| {
            let before = last;
            last = if x & 1 == 1 { x } else { last };
            before
        })
        .collect()
}

/// Compares two scans whose operators do not commute, along each axis.
fn compare<const N: usize>(expr: &ArrayExpr<'_, i64, N>, host: &ArrayD<i64>) {
    for axis in 0..N {
        let about = format!("{:?} along {axis}", host.shape());
        let got = expr
            .clone()
            .map(|x| (x | 1, x))
            .inclusive_scan_axis_with(axis, |(a, b): Step, (c, d): Step| (a * c, b * c + d), |(_, b): Step| b)
            .unwrap();
        assert_eq!(&got.shape()[..], host.shape());
        assert_eq!(got.to_vec().unwrap(), each_line(host, axis, composed), "{about}");
        let last = |a: Val<i64>, b: Val<i64>| (b & 1).eq(1).select(b, a);
        let got = expr.clone().exclusive_scan_axis(axis, -7, last).unwrap();
        let wanted = each_line(host, axis, |line| last_odd_before(line, -7));
        assert_eq!(got.to_vec().unwrap(), wanted, "exclusive, {about}");
    }
}

fn check<const N: usize>(shape: [usize; N], is_turned: bool) {
    let host = ArrayD::from_shape_vec(IxDyn(&shape), numbers(shape.iter().product(), 3)).unwrap();
    let reversed: Vec<usize> = (0..N).rev().collect();
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::from_slice(queue, shape, &elements(&host)).unwrap();
        if is_turned {
            // Transposed, then reversed along the first axis.
            let mut turned = host.clone().permuted_axes(&reversed[..]);
            turned.invert_axis(Axis(0));
            compare(&a.t().flip(0).iter(), &turned);
        } else {
            compare(&a.iter(), &host);
        }
    });
}

macro_rules! ranks {
    ($($test:ident $n:literal;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(2))]
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
    four_axes 4;
}

/// Lines that are so long and few that each is scanned in several chunks.
#[test]
fn few_long_lines() {
    check([3, 25_001], false);
    check([25_001, 3], false);
    check([2, 1500, 35], true);
}

/// The same input gives the same bits.
#[test]
fn sums_of_floats_are_reproducible() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let shape = [3, 25_000];
        let a = Array::from_fn(queue, shape, |[i, j]| 1.0 / (i + j + 1).cast::<f32>()).unwrap();
        for (axis, a) in [(1, a.view()), (0, a.t())] {
            let bits = || -> Vec<u32> {
                let sums = a.iter().cumulative_sum(axis).unwrap().to_vec().unwrap();
                sums.into_iter().map(f32::to_bits).collect()
            };
            let first = bits();
            assert_eq!(bits(), first);
            let host = ArrayD::from_shape_vec(IxDyn(&a.shape()), a.clone().to_vec().unwrap()).unwrap();
            let mut wanted = host.mapv(f64::from);
            wanted.accumulate_axis_inplace(Axis(axis), |&before, now| *now += before);
            for (got, wanted) in first.iter().zip(&wanted) {
                let got = f64::from(f32::from_bits(*got));
                assert!((got - wanted).abs() <= 1e-3 * wanted, "{got} {wanted}");
            }
        }
    });
}

#[test]
fn named_operators() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let host = [3.0_f32, f32::NAN, 1.0, 4.0, -2.0, f32::NAN];
        let a = Array::from_slice(queue, [2, 3], &host).unwrap();
        let same = |got: Array<f32, 2>, wanted: [f32; 6]| {
            let got = got.to_vec().unwrap();
            let is_same = |(a, b): (&f32, &f32)| a == b || a.is_nan() && b.is_nan();
            assert!(got.iter().zip(&wanted).all(is_same), "{got:?} {wanted:?}");
        };
        let nan = f32::NAN;
        same(a.cumulative_sum(1).unwrap(), [3.0, nan, nan, 4.0, 2.0, nan]);
        same(a.cumulative_product(0).unwrap(), [3.0, nan, 1.0, 12.0, nan, nan]);
        same(a.cumulative_min(1).unwrap(), [3.0, 3.0, 1.0, 4.0, -2.0, -2.0]);
        same(a.cumulative_max(0).unwrap(), [3.0, nan, 1.0, 4.0, -2.0, 1.0]);
        let small = Array::from_slice(queue, [1, 4], &[200_u8, 100, 3, 2]).unwrap();
        assert_eq!(small.cumulative_sum(1).unwrap().to_vec().unwrap(), [200, 44, 47, 49]);
        let flags = Array::from_slice(queue, [2, 2], &[true, false, false, false]).unwrap();
        let any = flags.iter().inclusive_scan_axis(0, |a, b| a | b).unwrap();
        assert_eq!(any.to_vec().unwrap(), [true, false, true, false]);
    });
}

/// Targets in any layout, several of them, and an output that is larger than an item.
#[test]
fn scans_into_layouts() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        for shape in [[5, 37], [1, 60]] {
            let [rows, columns] = shape;
            let host: Vec<u8> = (0..rows * columns).map(|i| (i * 7 % 5) as u8).collect();
            let x = DeviceVec::from_slice(queue, &host).unwrap();
            let matrix = Layout::row_major(&shape).unwrap();
            // Both axes reversed, and column-major.
            let back = |axis, len: usize| AxisMap { axis: Some(axis), stride: -1, offset: len - 1 };
            let reversed = matrix.view(&[back(0, rows), back(1, columns)], &shape).unwrap();
            let column_major = Layout::column_major(&shape).unwrap();
            for axis in 0..2 {
                let mut sums = DeviceVec::filled(queue, 0_u8, host.len()).unwrap();
                let mut squares = DeviceVec::filled(queue, 0_u64, host.len()).unwrap();
                let targets: (RankedTarget<'_, u8>, RankedTarget<'_, u64>) =
                    ((&mut sums, reversed).into(), (&mut squares, column_major).into());
                let load = ranked::load(&x, &matrix);
                let finish = |sum: Val<u8>| (sum, sum.cast::<u64>() * sum.cast::<u64>());
                ranked::scan::<u8, _>("test", targets, load, (&shape, axis), None, |a, b| a + b, finish)
                    .unwrap();
                let (sums, squares) = (sums.to_vec().unwrap(), squares.to_vec().unwrap());
                for line in 0..shape[1 - axis] {
                    let mut sum = 0_u8;
                    for k in 0..shape[axis] {
                        let at = if axis == 0 { [k, line] } else { [line, k] };
                        sum = sum.wrapping_add(host[matrix.index(&at).unwrap()]);
                        assert_eq!(
                            sums[reversed.index(&at).unwrap()],
                            sum,
                            "{shape:?} along {axis} at {at:?}"
                        );
                        assert_eq!(
                            squares[column_major.index(&at).unwrap()],
                            u64::from(sum) * u64::from(sum)
                        );
                    }
                }
            }
        }
    });
}

#[test]
fn mistakes() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::filled(queue, [2, 3], 1).unwrap();
        let none = Array::filled(queue, [0, 3], 1).unwrap();
        let sum = |a: Val<i32>, b: Val<i32>| a + b;
        for error in [
            a.cumulative_sum(2).unwrap_err(),
            none.cumulative_sum(2).unwrap_err(),
            a.iter().exclusive_scan_axis(7, 0, sum).unwrap_err(),
            a.slice(s![2, ..]).iter().cumulative_sum(0).unwrap_err(),
            Array::filled(queue, [], 1).unwrap().cumulative_sum(0).unwrap_err(),
            ArrayExpr::from_fn([3], |[i]| i).cumulative_sum(0).unwrap_err(),
        ] {
            assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
        }
        let message = a.cumulative_sum(2).unwrap_err().to_string();
        assert!(message.contains("axis 2") && message.contains("[2, 3]"), "{message}");
        for axis in 0..2 {
            assert_eq!(none.cumulative_sum(axis).unwrap().shape(), [0, 3]);
        }

        // An initial item must be a value, and an output must have the shape.
        let (mut y, matrix) = (DeviceVec::filled(queue, 0, 6).unwrap(), Layout::row_major(&[2, 3]).unwrap());
        let load = || ranked::load(a.as_vec(), &matrix);
        for initial in [load(), a.as_vec().iter(), ranked::coordinate(0, 2)] {
            let into = (&mut y, matrix);
            let scan = ranked::scan::<i32, _>("test", into, load(), (&[2, 3], 1), Some(initial), sum, |x| x);
            assert!(matches!(scan.unwrap_err(), Error::InvalidInput { .. }));
        }
        let into = (&mut y, Layout::row_major(&[3, 2]).unwrap());
        let scan = ranked::scan::<i32, _>("test", into, load(), (&[2, 3], 1), None, sum, |x| x);
        assert!(matches!(scan.unwrap_err(), Error::InvalidInput { .. }));
        assert_eq!(y.to_vec().unwrap(), [0; 6]);
    });
}
