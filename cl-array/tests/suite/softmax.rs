//! Softmax and layer normalization of lines, beside the host's `f64`, and the number of kernels.

use cl_algo::prelude::*;
use cl_array::prelude::*;
use cl_core::Error;
use cl_test::{counting, each_device, each_device_and_forced};

/// Returns numbers from -200 to -174.5.
fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|i| (i.wrapping_mul(0x9e37_79b9) >> 8 & 255) as f32 / 10.0 - 200.0).collect()
}

/// Returns the logarithm of the sum of the exponentials.
fn logsumexp(line: &[f64]) -> f64 {
    let greatest = line.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    greatest + line.iter().map(|x| (x - greatest).exp()).sum::<f64>().ln()
}

fn softmax(line: &[f64]) -> Vec<f64> {
    log_softmax(line).into_iter().map(f64::exp).collect()
}

fn log_softmax(line: &[f64]) -> Vec<f64> {
    let sum = logsumexp(line);
    line.iter().map(|x| x - sum).collect()
}

fn layer_norm(line: &[f64]) -> Vec<f64> {
    let mean = line.iter().sum::<f64>() / line.len() as f64;
    let variance = line.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / line.len() as f64;
    line.iter().map(|x| (x - mean) / (variance + 1e-3).sqrt()).collect()
}

/// Compares the lines along the axis 1 with what the host computes of them.
fn check(got: &Array<f32, 2>, host: &[f32], of: fn(&[f64]) -> Vec<f64>, [tolerance, least]: [f64; 2]) {
    let [rows, columns] = got.shape();
    let got = got.to_vec().unwrap();
    for (got, row) in got.chunks(columns).zip(host.chunks(columns)) {
        let wanted = of(&row.iter().copied().map(f64::from).collect::<Vec<_>>());
        for (&got, wanted) in got.iter().zip(wanted) {
            let error = (f64::from(got) - wanted).abs();
            let bound = tolerance * (wanted.abs() + least);
            assert!(error <= bound, "{rows} {columns}: {got} instead of {wanted}");
        }
    }
}

#[test]
fn lines_of_any_length() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        // Less than a pack, packs with a rest, a work-group a row, longer than its registers, one long row.
        for [rows, columns] in [[5, 3], [70, 33], [2, 5000], [3, 17_001], [1, 70_000]] {
            let host = numbers(rows * columns);
            let x = Array::from_slice(queue, [rows, columns], &host).unwrap();
            check(&x.softmax(1).unwrap(), &host, softmax, [2e-6, 1e-30]);
            if columns < 5000 {
                check(&x.log_softmax(1).unwrap(), &host, log_softmax, [2e-6, 1.0]);
                check(&x.layer_norm(1, 1e-3).unwrap(), &host, layer_norm, [2e-5, 1.0]);
            }
        }
        let single = Array::from_slice(queue, [1, 1], &[7.0_f32]).unwrap();
        assert_eq!(single.softmax(0).unwrap().to_vec().unwrap(), [1.0]);
        let host = numbers(9000);
        let line = Array::from_slice(queue, [9000], &host).unwrap();
        let sums = [line.logsumexp().unwrap(), line.logsumexp_axis(0).unwrap().to_vec().unwrap()[0]];
        let wanted = logsumexp(&host.iter().copied().map(f64::from).collect::<Vec<_>>());
        assert!(sums.iter().all(|&sum| (f64::from(sum) / wanted - 1.0).abs() < 1e-6), "{sums:?} {wanted}");
    });
}

#[test]
fn views_and_other_axes() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let host = numbers(40 * 70);
        let x = Array::from_slice(queue, [40, 70], &host).unwrap();
        let columns = x.t().iter().softmax(0).unwrap();
        check(&columns.t().iter().collect().unwrap(), &host, softmax, [2e-6, 1e-30]);
        // Every second element from the end, of the rows from 3 on.
        let part = x.slice(s![3.., ..;-2]);
        let of_part: Vec<f32> =
            host[3 * 70..].chunks(70).flat_map(|row| row.iter().rev().step_by(2).copied()).collect();
        check(&part.iter().softmax(1).unwrap(), &of_part, softmax, [2e-6, 1e-30]);
        // An expression, along the middle one of three axes.
        let cube = (2.0 * &x + 1.0).collect().unwrap();
        let cube = Array::from_vec(cube.into_vec(), [10, 4, 70]).unwrap();
        let got = cube.layer_norm(1, 1e-3).unwrap();
        let wanted = cube.view().permute_axes([0, 2, 1]).iter().layer_norm(2, 1e-3).unwrap();
        let wanted = wanted.view().permute_axes([0, 2, 1]).iter().collect().unwrap();
        assert!(got.iter().all_close(&wanted, 1e-5, 1e-5).unwrap());
    });
}

#[test]
fn extremes() {
    const INFINITY: f32 = f32::INFINITY;
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let lines = [
            [3e38, -3e38, 3e38],
            [-INFINITY, 0.0, -INFINITY],
            [-INFINITY, -INFINITY, -INFINITY],
            [INFINITY, 0.0, 1.0],
            [f32::NAN, 0.0, 1.0],
            [-1000.0, -1001.0, -2000.0],
        ];
        let x = Array::from_slice(queue, [6, 3], &lines.concat()).unwrap();
        let close = |got: &[f32], wanted: &[f32]| {
            let same =
                |(a, b): (&f32, &f32)| a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-6 * b.abs();
            assert!(got.len() == wanted.len() && got.iter().zip(wanted).all(same), "{got:?} {wanted:?}");
        };
        let nan = f32::NAN;
        let share = 1.0 / (1.0 + (-1.0_f32).exp());
        let got = x.softmax(1).unwrap().to_vec().unwrap();
        close(&got[..6], &[0.5, 0.0, 0.5, 0.0, 1.0, 0.0]);
        close(&got[6..15], &[nan; 9]);
        close(&got[15..], &[share, 1.0 - share, 0.0]);
        let got = x.log_softmax(1).unwrap().to_vec().unwrap();
        close(&got[3..6], &[-INFINITY, 0.0, -INFINITY]);
        close(&got[6..15], &[nan; 9]);
        close(&got[15..], &[share.ln(), share.ln() - 1.0, share.ln() - 1000.0]);
        let got = x.logsumexp_axis(1).unwrap().to_vec().unwrap();
        close(&got, &[3e38, 0.0, -INFINITY, INFINITY, nan, -1000.0 - share.ln()]);
        // A constant line has no variance, and a large mean does not cancel one.
        let x = Array::from_slice(queue, [2, 2], &[7.0_f32, 7.0, 1e7, 1e7 + 2.0]).unwrap();
        close(&x.layer_norm(1, 1e-5).unwrap().to_vec().unwrap(), &[0.0, 0.0, -0.999_995, 0.999_995]);
    });
}

#[test]
fn lines_of_length_zero_and_wrong_axes() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        for shape in [[0, 3], [3, 0]] {
            let x = Array::from_slice(queue, shape, &[0.0_f32; 0]).unwrap();
            for axis in [0, 1] {
                assert_eq!(x.softmax(axis).unwrap().shape(), shape);
                let sums = x.logsumexp_axis(axis).unwrap();
                let count = shape[1 - axis];
                assert_eq!(sums.to_vec().unwrap(), vec![f32::NEG_INFINITY; count]);
            }
            assert_eq!(x.logsumexp().unwrap(), f32::NEG_INFINITY);
        }
        let x = Array::filled(queue, [2, 2], 1.0_f32).unwrap();
        assert!(matches!(x.softmax(2).err().unwrap(), Error::InvalidInput { .. }));
        let add = |a: Val<f32>, b: Val<f32>| a + b;
        let folds =
            || x.iter().fold_along(1, |x| x, add).fold(|x, a| x - a, add).fold(|x, (_, b)| x - b, add);
        let got = folds().map(|x, ((a, b), c)| (x, a, b, c)).unwrap();
        assert_eq!((got.1.get([0, 0]).unwrap(), got.2.get([1, 1]).unwrap()), (2.0, -2.0));
        assert_eq!(got.3.get([1, 0]).unwrap(), 6.0);
        let four = folds().fold(|x, _| x, add).map(|x, _| x);
        assert!(matches!(four.err().unwrap(), Error::InvalidInput { .. }));
    });
}

#[test]
fn one_kernel_for_rows_and_one_for_each_fold_elsewhere() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let x = Array::filled(&queue, [1000, 20], 1.0_f32).unwrap();
        for (axis, kernels) in [(1, 1), (0, 3)] {
            drop(x.softmax(axis).unwrap()); // compiles the kernels
            let calls = counter.calls_during(|| drop(x.softmax(axis).unwrap()));
            let count = |name: &str| calls.get(name).copied().unwrap_or(0);
            assert_eq!(count("clEnqueueNDRangeKernel"), kernels, "{calls:?}");
            for absent in ["clBuildProgram", "clFinish", "clEnqueueReadBuffer"] {
                assert_eq!(count(absent), 0, "{calls:?}");
            }
        }
    }
}
