//! Arrays by value as operands: their results, their lifetimes and their driver calls.

use cl_algo::num_complex::Complex;
use cl_array::prelude::*;
use cl_test::counting::{Calls, devices, exclusive};
use cl_test::each_device;

/// Returns the array with the elements `first`, `first + 1`, … of this shape.
fn counted<const N: usize>(queue: &Queue, shape: [usize; N], first: i32) -> Array<i32, N> {
    let host: Vec<i32> = (first..).take(shape.iter().product()).collect();
    Array::from_slice(queue, shape, &host).unwrap()
}

#[test]
fn owned_arrays_stand_on_either_side() {
    each_device(|device| {
        let queue = &Queue::on(device).unwrap();
        let (a, row) = (|| counted(queue, [2, 3], 0), || counted(queue, [3], 10));
        let (borrowed, borrowed_row) = (a(), row());
        let expected = [-10, -10, -10, -7, -7, -7];
        let check = |difference: ArrayExpr<'_, i32, 2>, case: &str| {
            assert_eq!(difference.to_vec().unwrap(), expected, "{case}");
        };
        check(a() - row(), "both");
        check(a() - &borrowed_row, "left of an array");
        check(a() - borrowed_row.view(), "left of a view");
        check(a() - &borrowed_row.view(), "left of a view by reference");
        check(a() - borrowed_row.iter(), "left of an expression");
        check(a() - &borrowed_row.iter(), "left of an expression by reference");
        check(&borrowed - row(), "right of an array");
        check(borrowed.view() - row(), "right of a view");
        check(&borrowed.view() - row(), "right of a view by reference");
        check(borrowed.iter() - row(), "right of an expression");
        check(&borrowed.iter() - row(), "right of an expression by reference");
        assert_eq!((row() - 10).to_vec().unwrap(), [0, 1, 2]);
        assert_eq!((10 - row()).to_vec().unwrap(), [0, -1, -2]);
        assert_eq!((-row()).to_vec().unwrap(), [-10, -11, -12]);
        assert_eq!((!row()).to_vec().unwrap(), [-11, -12, -13]);

        let z = || Array::from_slice(queue, [1], &[Complex::new(1.0_f32, 2.0)]).unwrap();
        assert_eq!((z() * 2.0).to_vec().unwrap(), [Complex::new(2.0, 4.0)]);
        assert_eq!((2.0 - z()).to_vec().unwrap(), [Complex::new(1.0, -2.0)]);
        assert_eq!((Complex::<f32>::i() * z()).to_vec().unwrap(), [Complex::new(-2.0, 1.0)]);

        // As arguments, and with the elements in another order.
        assert_eq!(borrowed.iter().zip(row()).map(|(a, b)| a + b).to_vec().unwrap()[..2], [10, 12]);
        assert_eq!(borrowed.matmul(counted(queue, [3, 1], 0)).unwrap().to_vec().unwrap(), [5, 14]);
        let columns = Array::column_major(row().into_vec(), [3, 1]).unwrap();
        assert_eq!((columns.into_array_expr().t() - row()).to_vec().unwrap(), [0, 0, 0]);
        let mut target = a();
        target.assign(row()).unwrap();
        target.sub_assign(row() - 1).unwrap();
        assert_eq!(target.to_vec().unwrap(), [1; 6]);
        // The result of a reduction, broadcast along the axis that was reduced.
        let mean = |a: &Array<i32, 2>| a.sum_axis(1).unwrap().into_array_expr().insert_axis(1);
        assert_eq!((3 * &borrowed - mean(&borrowed)).to_vec().unwrap(), [-3, 0, 3, -3, 0, 3]);
    });
}

/// Returns an expression that nothing else keeps alive: the arrays moved in, and the queue was dropped.
fn difference(device: &Device) -> ArrayExpr<'static, i32, 2> {
    let queue = Queue::on(device).unwrap();
    let (a, row) = (counted(&queue, [100, 300], 0), counted(&queue, [300], 1));
    a - row
}

#[test]
fn an_expression_keeps_its_arrays() {
    each_device(|device| {
        let expected: Vec<i32> = (0..100).flat_map(|i| [300 * i - 1; 300]).collect();
        let kept = difference(device);
        let twice = [kept.clone(), kept].map(|expr| expr.collect().unwrap());
        // Other arrays would take the memory if it had been released.
        let others = [7, 8].map(|x| Array::filled(twice[0].queue(), [100, 300], x).unwrap());
        for result in &twice {
            assert_eq!(result.to_vec().unwrap(), expected);
        }
        drop(others);

        // Every kind of evaluation finds the queue in the expression.
        assert_eq!(difference(device).sum().unwrap(), expected.iter().sum::<i32>());
        assert_eq!(difference(device).max_axis(1).unwrap().to_vec().unwrap()[99], 29_699);
        assert_eq!(difference(device).cumulative_sum(1).unwrap().slice(s![0, -1]).to_vec().unwrap(), [-300]);
        let factor = difference(device);
        assert_eq!(factor.clone().matmul(factor.t()).unwrap().shape(), [100, 100]);
        let (a, rows) = (counted(&Queue::on(device).unwrap(), [4, 3], 0), [3, 1]);
        assert_eq!(a.into_array_expr().flatten().unwrap().inclusive_scan().collect().unwrap().len(), 12);
        let a = counted(&Queue::on(device).unwrap(), [4, 3], 0);
        let picked = DeviceVec::from_slice(a.queue(), &rows.map(|row| row as u32)).unwrap();
        assert_eq!(a.into_array_expr().flatten().unwrap().gather(picked).to_vec().unwrap(), [3, 1]);

        // Each array is dropped while the kernel that reads it may still run.
        let mut x = counted(&Queue::on(device).unwrap(), [1000], 0);
        for _ in 0..50 {
            x = (x + 1).collect().unwrap();
        }
        assert_eq!(x.to_vec().unwrap(), (50..1050).collect::<Vec<i32>>());
    });
}

fn count_of(calls: &Calls, name: &str) -> u64 {
    calls.get(name).copied().unwrap_or(0)
}

#[test]
fn owned_arrays_are_not_copied() {
    let counter = exclusive();
    for device in devices() {
        let queue = &Queue::on(&device).unwrap();
        let arrays = || (counted(queue, [5, 7], 0), counted(queue, [7], 3));
        let (a, row) = arrays();
        let results = [(&a - &row).collect().unwrap(), (&a - &row).collect().unwrap()];
        let borrowed = counter.calls_during(|| drop((&a - &row).collect().unwrap()));
        let owned = counter.calls_during(|| drop((a - row).collect().unwrap()));
        for (name, own) in
            [("clEnqueueNDRangeKernel", 1), ("clCreateBuffer", 1), ("clCreateProgramWithSource", 0)]
        {
            assert_eq!((count_of(&owned, name), count_of(&borrowed, name)), (own, own), "{name} {owned:?}");
        }
        let copies = owned.iter().filter(|(name, _)| name.contains("Copy") || name.contains("Read"));
        assert_eq!(copies.count(), 0, "{owned:?}");
        // The operands are released with the expression.
        let released = [&borrowed, &owned].map(|calls| count_of(calls, "clReleaseMemObject"));
        assert_eq!(released[1], released[0] + 2, "{owned:?}");
        drop(results);
    }
}
