//! The softmax of rows: an expression, two reductions, and the number of kernels.

use cl_algo::prelude::*;
use cl_array::prelude::*;
use cl_core::Result;
use cl_test::{counting, each_device_and_forced};

/// Returns exp(x - max) / sum for each row, in three kernels: the maxima, the sums, and the quotients.
fn softmax(x: &Array<f32, 2>) -> Result<Array<f32, 2>> {
    let maxima = x.max_axis(1)?;
    let powers = || (x - maxima.insert_axis(1)).exp();
    let sums = powers().sum_axis(1)?;
    (powers() / sums.insert_axis(1)).collect()
}

#[test]
fn rows_sum_to_one() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        for [rows, columns] in [[1, 1], [1, 7], [5, 1], [3, 100], [70, 33], [2, 5000]] {
            let number = |i: usize| (i.wrapping_mul(0x9e37_79b9) >> 8 & 255) as f32 / 10.0 - 200.0;
            let host: Vec<f32> = (0..rows * columns).map(number).collect();
            let x = Array::from_slice(queue, [rows, columns], &host).unwrap();
            let got = softmax(&x).unwrap().to_vec().unwrap();
            for (got, row) in got.chunks(columns).zip(host.chunks(columns)) {
                let greatest = row.iter().copied().reduce(f32::max).unwrap();
                let powers: Vec<f64> = row.iter().map(|x| f64::from(x - greatest).exp()).collect();
                let sum: f64 = powers.iter().sum();
                for (&got, power) in got.iter().zip(powers) {
                    assert!(
                        (f64::from(got) - power / sum).abs() <= 1e-6 * power / sum + 1e-30,
                        "{rows} {columns}"
                    );
                }
            }
        }
    });
}

#[test]
fn three_kernels() {
    let counter = counting::exclusive();
    for device in counting::devices() {
        let queue = Queue::on(&device).unwrap();
        let x = Array::filled(&queue, [1000, 20], 1.0_f32).unwrap();
        drop(softmax(&x).unwrap()); // compiles the kernels
        let calls = counter.calls_during(|| drop(softmax(&x).unwrap()));
        let count = |name: &str| calls.get(name).copied().unwrap_or(0);
        assert_eq!(count("clEnqueueNDRangeKernel"), 3, "{calls:?}");
        for absent in ["clBuildProgram", "clFinish", "clEnqueueReadBuffer"] {
            assert_eq!(count(absent), 0, "{calls:?}");
        }
    }
}
