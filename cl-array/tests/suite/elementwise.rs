//! Elementwise evaluation of views and of broadcast operands.

use cl_algo::U32x3;
use cl_array::prelude::*;
use cl_core::Error;
use cl_test::{each_device, each_device_and_forced};

fn numbers(count: usize) -> Vec<i32> {
    (0..count as i32).map(|i| i * 7 % 101 - 50).collect()
}

#[test]
fn whole_arrays() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let host = numbers(60);
        let a = Array::from_slice(queue, [3, 4, 5], &host).unwrap();
        let doubled: Vec<i32> = host.iter().map(|x| 2 * x + 1).collect();
        assert_eq!((2 * &a + 1).to_vec().unwrap(), doubled);
        assert_eq!(a.to_vec().unwrap(), host);
        assert_eq!(a.shape(), [3, 4, 5]);
    });
}

#[test]
fn transposed_and_broadcast() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        for [rows, columns] in [[1, 1], [2, 3], [7, 5], [64, 80], [33, 257], [300, 1]] {
            let host = numbers(rows * columns);
            let a = Array::from_slice(queue, [rows, columns], &host).unwrap();
            let mut wanted = Vec::new();
            for j in 0..columns {
                for i in 0..rows {
                    wanted.push(host[i * columns + j]);
                }
            }
            assert_eq!(a.t().to_vec().unwrap(), wanted, "{rows} x {columns}");
            let row = Array::from_slice(queue, [columns], &numbers(columns)).unwrap();
            let column = Array::from_slice(queue, [rows, 1], &numbers(rows)).unwrap();
            let sum = (&a + &row - 3 * &column).to_vec().unwrap();
            for i in 0..rows {
                for j in 0..columns {
                    let wanted = host[i * columns + j] + numbers(columns)[j] - 3 * numbers(rows)[i];
                    assert_eq!(sum[i * columns + j], wanted, "{rows} x {columns}: {i}, {j}");
                }
            }
            // An outer product of a column and a row.
            let outer = (&column * &row).to_vec().unwrap();
            assert_eq!(outer[outer.len() - 1], numbers(rows)[rows - 1] * numbers(columns)[columns - 1]);
        }
    });
}

#[test]
fn slices_are_read_and_written() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let host = numbers(6 * 50);
        let a = Array::from_slice(queue, [6, 50], &host).unwrap();
        let at = |i: usize, j: usize| host[i * 50 + j];
        let places = [4, 2].into_iter().flat_map(|i| (3..48).step_by(3).map(move |j| (i, j)));
        let wanted: Vec<i32> = places.map(|(i, j)| at(i, j)).collect();
        assert_eq!(a.slice(s![1..5; -2, 3..-2; 3]).to_vec().unwrap(), wanted);
        let expr = (&a + 1).slice(s![1..5; -2, 3..-2; 3]);
        assert_eq!(expr.to_vec().unwrap(), wanted.iter().map(|x| x + 1).collect::<Vec<_>>());

        let mut b = Array::filled(queue, [6, 50], -1000).unwrap();
        b.slice_mut(s![1..5; -2, 3..-2; 3]).assign(a.slice(s![..2, 5..20])).unwrap();
        let mut expected = vec![-1000; 300];
        for (k, i) in [4, 2].into_iter().enumerate() {
            for (l, j) in (3..48).step_by(3).enumerate() {
                expected[i * 50 + j] = at(k, 5 + l);
            }
        }
        assert_eq!(b.to_vec().unwrap(), expected);
    });
}

#[test]
fn coordinates() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::from_fn(queue, [3, 1, 4], |[i, j, k]| 100 * i + 10 * j + k).unwrap();
        assert_eq!(a.to_vec().unwrap(), [0, 1, 2, 3, 100, 101, 102, 103, 200, 201, 202, 203]);
        // A coordinate along an axis that is repeated stays 0.
        let repeated = ArrayExpr::from_fn([1, 4], |[i, j]| 10 * i + j).broadcast([3, 4]);
        assert_eq!(repeated.collect_on(queue).unwrap().to_vec().unwrap(), [0, 1, 2, 3].repeat(3));
        let (row, column) = (
            ArrayExpr::from_fn([1, 2], |[i, j]| 10 * i + j),
            ArrayExpr::from_fn([2, 1], |[i, j]| 100 * i + 7 * j),
        );
        assert_eq!((row + column).collect_on(queue).unwrap().to_vec().unwrap(), [0, 1, 100, 101]);
        let diagonal = a.slice(s![.., 0, ..]).diagonal().to_vec().unwrap();
        assert_eq!(diagonal, [0, 101, 202]);
    });
}

#[test]
fn complex_and_half_scalars() {
    use cl_algo::num_complex::Complex;
    use half::f16;
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let (i, host) = (Complex::<f32>::i(), [Complex::new(3.0_f32, 4.0), Complex::new(0.0, -2.0)]);
        let z = Array::from_slice(queue, [2], &host).unwrap();
        let wanted = |of: fn(Complex<f32>) -> Complex<f32>| host.map(of).to_vec();
        assert_eq!(
            (i * &z - i + &z / i).to_vec().unwrap(),
            wanted(|z| Complex::<f32>::i() * z - Complex::<f32>::i() + z / Complex::<f32>::i())
        );
        assert_eq!(
            (i + z.view() * i).to_vec().unwrap(),
            wanted(|z| Complex::<f32>::i() + z * Complex::<f32>::i())
        );
        assert_eq!((2.0 * &z - 1.0).to_vec().unwrap(), wanted(|z| 2.0 * z - 1.0));
        assert_eq!(((1.0 - z.view()) / 2.0).to_vec().unwrap(), wanted(|z| (1.0 - z) / 2.0));
        if device.has_fp16().unwrap() {
            let [one, two] = [1.0, 2.0].map(f16::from_f32);
            let halves = Array::from_slice(queue, [2], &[one, two]).unwrap();
            assert_eq!((two * &halves - one).to_vec().unwrap(), [1.0, 3.0].map(f16::from_f32));
            assert_eq!((&halves / two + one).to_vec().unwrap(), [1.5, 2.0].map(f16::from_f32));
        }
    });
}

#[test]
fn mistakes() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let a = Array::from_slice(queue, [2, 3], &numbers(6)).unwrap();
        let b = Array::from_slice(queue, [2, 2], &numbers(4)).unwrap();
        let message = (&a + &b).collect().unwrap_err().to_string();
        assert!(message.contains("[2, 3]") && message.contains("[2, 2]"), "{message}");
        assert!(message.contains("axis 1"), "{message}");
        for error in [
            a.slice(s![2, ..]).collect().unwrap_err(),
            a.slice(s![..3, ..]).collect().unwrap_err(),
            a.slice(s![.., ..; 0]).collect().unwrap_err(),
            a.permute_axes([0, 0]).collect().unwrap_err(),
            a.t().reshape([6]).unwrap_err(),
            a.reshape([7]).unwrap_err(),
            Array::<i32, 1>::from_slice(queue, [4], &[1, 2]).unwrap_err(),
        ] {
            assert!(matches!(error, Error::InvalidInput { .. }), "{error}");
        }
        assert_eq!(a.reshape([3, 2]).unwrap().to_vec().unwrap(), numbers(6));
        let empty = Array::<i32, 2>::from_slice(queue, [0, 3], &[]).unwrap();
        assert!((&empty + a.slice(s![..1, ..])).to_vec().unwrap().is_empty());
    });
}

/// Returns the number of steps of Collatz's sequence to 1.
#[device_fn]
fn steps(start: u32) -> u32 {
    let (mut n, mut count) = (start, 0);
    while n > 1 {
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        count += 1;
    }
    count
}

/// Checks expressions that are computed item by item: device functions, complex numbers, pairs.
#[test]
fn items_that_have_no_packs() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let starts = Array::from_fn(queue, [9, 37], |[i, j]| (37 * i + j + 1).cast::<u32>()).unwrap();
        let host: Vec<u32> = (1..=333).collect();
        let counts = starts.t().collect().unwrap().map(steps).t().to_vec().unwrap();
        assert_eq!(counts, host.iter().map(|&n| steps(n)).collect::<Vec<_>>());

        let row = starts.view().row(2).collect().unwrap();
        let points = starts.iter().zip(&row).map(|(x, y)| Val::vector((x, y, x + y))).collect().unwrap();
        let wanted = |k: usize| {
            let (x, y) = (k as u32 + 1, 75 + k as u32 % 37);
            U32x3::from([x, y, x + y])
        };
        let found = points.t().collect().unwrap().t().to_vec().unwrap();
        assert_eq!(found, (0..333).map(wanted).collect::<Vec<_>>());
        let sums = points.iter().fold_axis(1, |a, b| a + b).unwrap().to_vec().unwrap();
        let first = (0..37).map(wanted).fold([0; 3], |sum, point| std::array::from_fn(|k| sum[k] + point[k]));
        assert_eq!(sums[0], U32x3::from(first));
    });
}
