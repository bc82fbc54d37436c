//! Folds along an axis in the order of the elements, beside loops on the host; sums in wider types; `keepdims`.

use cl_algo::prelude::*;
use cl_array::prelude::*;
use cl_core::Error;
use cl_test::{each_device, each_device_and_forced};

/// The step of a filter, which is neither associative nor commutative.
fn filtered(state: f32, x: f32) -> f32 {
    0.5 * state + x
}

fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|i| (i.wrapping_mul(0x9e37_79b9) >> 8 & 1023) as f32 / 8.0).collect()
}

#[test]
fn floats_have_the_bits_of_a_loop() {
    each_device_and_forced(|device| {
        let queue = &Queue::on(device).unwrap();
        let (rows, columns) = (37, 53);
        let host = numbers(rows * columns);
        let x = Array::from_slice(queue, [rows, columns], &host).unwrap();
        let fold = |line: &mut dyn Iterator<Item = f32>| line.fold(3.0, filtered);
        let of_rows: Vec<f32> = host.chunks(columns).map(|row| fold(&mut row.iter().copied())).collect();
        let of_columns: Vec<f32> =
            (0..columns).map(|at| fold(&mut host[at..].iter().step_by(columns).copied())).collect();
        let step = |state: Val<f32>, x: Val<f32>| 0.5 * state + x;
        assert_eq!(x.iter().fold_axis_in_order(1, 3.0, step).unwrap().to_vec().unwrap(), of_rows);
        assert_eq!(x.iter().fold_axis_in_order(0, 3.0, step).unwrap().to_vec().unwrap(), of_columns);
        assert_eq!(x.t().iter().fold_axis_in_order(0, 3.0, step).unwrap().to_vec().unwrap(), of_rows);
        // From the last element to the first one.
        let back: Vec<f32> = host.chunks(columns).map(|row| fold(&mut row.iter().rev().copied())).collect();
        let turned = x.slice(s![.., ..;-1]);
        assert_eq!(turned.iter().fold_axis_in_order(1, 3.0, step).unwrap().to_vec().unwrap(), back);
        // The middle one of three axes, of an expression.
        let cube = Array::from_slice(queue, [4, 5, 11], &host[..220]).unwrap();
        let got = (2.0 * &cube).fold_axis_in_order(1, 0.0, step).unwrap();
        assert_eq!(got.shape(), [4, 11]);
        let wanted = (0..44).map(|at| {
            let first = at / 11 * 55 + at % 11;
            (0..5).map(|k| 2.0 * host[first + 11 * k]).fold(0.0, filtered)
        });
        assert!(got.to_vec().unwrap().into_iter().eq(wanted));
    });
}

#[test]
fn states_may_be_tuples_of_other_types() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x = Array::from_slice(queue, [2, 4], &[1.0_f32, 5.0, 2.0, 7.0, 4.0, 3.0, 2.0, 1.0]).unwrap();
        // The length of the last ascending run, and its first element.
        type State = (Val<u32>, Val<f32>, Val<f32>);
        let (lengths, first, _) = x
            .iter()
            .fold_axis_in_order(1, (0_u32, 0.0_f32, f32::INFINITY), |(len, first, before): State, x| {
                let goes_on = x.ge(before);
                (goes_on.select(len + 1, 1), goes_on.select(first, x), x)
            })
            .unwrap();
        assert_eq!(lengths.to_vec().unwrap(), [2, 1]);
        assert_eq!(first.to_vec().unwrap(), [2.0, 1.0]);
    });
}

#[test]
fn lengths_zero_and_one_and_wrong_axes() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let fold = |shape: [usize; 2], axis: usize| {
            let x = Array::filled(queue, shape, 2)?;
            let folded = x.iter().fold_axis_in_order(axis, 7, |state, x| 10 * state + x)?;
            folded.to_vec()
        };
        assert_eq!(fold([3, 0], 1).unwrap(), [7; 3]);
        assert_eq!(fold([3, 0], 0).unwrap(), [0; 0]);
        assert_eq!(fold([3, 1], 1).unwrap(), [72; 3]);
        assert_eq!(fold([1, 3], 1).unwrap(), [7222]);
        assert!(matches!(fold([1, 3], 2), Err(Error::InvalidInput { .. })));
    });
}

#[test]
fn sums_in_wider_types_and_kept_axes() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let x = Array::filled(queue, [3, 100], 200_u8).unwrap();
        assert_eq!(x.iter().sum_as::<u64>().unwrap(), 60_000);
        assert_eq!(x.iter().sum_axis_as::<u32>(1).unwrap().to_vec().unwrap(), [20_000; 3]);
        let sums = x.iter().sum_axis_as::<u32>(0).unwrap().keepdims(0);
        assert_eq!(sums.shape(), [1, 100]);
        assert_eq!((x.iter().cast::<u32>() + sums).to_vec().unwrap(), [800; 300]);
        assert!(Array::filled(queue, [2], 1).unwrap().keepdims(2).collect().is_err());
        let v = DeviceVec::filled(queue, 3_i32, 1000).unwrap();
        assert_eq!((&v + &v.sum_on_device().unwrap()).collect().unwrap().to_vec().unwrap(), [3003; 1000]);
    });
}
